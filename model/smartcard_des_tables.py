# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Prints the tables of DES for the small machines, and macros that pick bits of PC-2 and of P."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import des
from smartcard_tables import FORMS, head, rows

HALF_KEY_BITS = 28  # of C, and of D


def s_boxes() -> str:
    """256 bytes: the high halves have the odd S-boxes, the low ones the even ones. The index of an
    odd one is its input shifted left by 2, and two bits that tell which one it is. That of an even
    one has the last two bits of its input on top, then which one it is, then the first four bits.
    """
    entries = []
    for i in range(256):
        odd = des.s_box(2 * (i & 3), i >> 2)
        even = des.s_box(2 * (i >> 4 & 3) + 1, (i & 15) << 2 | i >> 6)
        entries.append(odd << 4 | even)
    about = "S1, S3, S5, S7 in high halves, S2, S4, S6, S8 in low ones [FIPS46-3, appendix 1]"
    return head(about) + "".join(rows(*FORMS["6805"], entries))


def shifts() -> str:
    """For each round, what is added to a shift of the key by one bit."""
    about = "left shifts of the 16 rounds, each less 1 [FIPS46-3, KS]"
    return head(about) + "".join(rows(*FORMS["6805"], [n - 1 for n in des.LEFT_SHIFTS]))


def place(word: str, position: int) -> str:
    """Byte and bit of bit 1, 2, .. of a string of bits in bytes, as arguments of a macro."""
    return f"{word}{(position - 1) // 8},{7 - (position - 1) % 8}"


def avr_s_boxes() -> str:
    """The same for the AVR. The index of an odd S-box has the last five bits of its input, then the
    first one, then two bits that tell which one it is. That of an even one has the last bit of its
    input on top, then which one it is, then the first five bits.
    """
    entries = []
    for i in range(256):
        odd = des.s_box(2 * (i & 3), (i & 4) << 3 | i >> 3)
        even = des.s_box(2 * (i >> 5 & 3) + 1, (i & 31) << 1 | i >> 7)
        entries.append(odd << 4 | even)
    about = "S1, S3, S5, S7 in high halves, S2, S4, S6, S8 in low ones [FIPS46-3, appendix 1]"
    return head(about) + "".join(rows(*FORMS["avr"], entries))


def macro(name: str, lines: Iterator[str]) -> str:
    return f"    .macro {name}\n" + "".join(f"    {line}\n" for line in lines) + "    .endm\n"


def key_places(n: int) -> list[str]:
    """The six bits of a subkey for S_n, in C or in D."""
    word, first = ("C", 0) if n <= 4 else ("D", HALF_KEY_BITS)
    return [place(word, bit - first) for bit in des.PC_2[6 * (n - 1) : 6 * n]]


def p_place(i: int) -> str:
    """Where bit i + 1 of P comes from."""
    source = des.P[i % 32] - 1
    n = source // 4 + 1  # S_n
    return f"s{n},{(7 if n % 2 else 3) - source % 4}"


def key_bits(n: int) -> Iterator[str]:
    """The same for the 6805: from bit 7 down for an odd n, for an even one the last two in bits 7
    and 6, the others in bits 3 to 0.
    """
    places = key_places(n)
    if n % 2:
        yield from (f"pick_high {each}" for each in reversed(places))
    else:
        yield from (f"pick_low {each}" for each in places[4:])
        yield from ("rola", "rola")
        yield from (f"pick_low {each}" for each in places[:4])


def p_bits(byte: int) -> Iterator[str]:
    """Eight bits of P, from bit 32 on, then from bits 8, 16, 24 on."""
    for i in range(8 * byte - 1, 8 * byte + 7):
        yield f"pick_low {p_place(i)}"


def picks() -> str:
    keys = (macro(f"key_{n}", key_bits(n)) for n in range(1, 9))
    words = (macro(f"p_{byte}", p_bits(byte)) for byte in range(4))
    return head("A = the bits of PC-2 for S1 to S8, A = the bytes of P [FIPS46-3]") + "".join(
        (*keys, *words)
    )


def doubled_shifts() -> int:
    """A bit for each round, the first one on top: whether it shifts by two bits."""
    return sum((n - 1) << 15 - i for i, n in enumerate(des.LEFT_SHIFTS))


def moved(places: Iterable[str], register: str, bits: Iterable[int]) -> Iterator[str]:
    """For the AVR, which copies a bit to any place."""
    for source, bit in zip(places, bits):
        yield f"bst {source}"
        yield f"bld {register},{bit}"


def avr_picks() -> str:
    """The bits where avr_s_boxes() wants them, and those of P from bit 1 on."""
    odd, even = (2, 7, 6, 5, 4, 3), (4, 3, 2, 1, 0, 7)
    keys = (
        macro(f"key_{n}", moved(key_places(n), "ZL", odd if n % 2 else even)) for n in range(1, 9)
    )
    words = (
        macro(
            f"p_{byte}", moved(map(p_place, range(8 * byte, 8 * byte + 8)), "t", range(7, -1, -1))
        )
        for byte in range(4)
    )
    text = head("ZL = the bits of PC-2 for S1 to S8, t = the bytes of P [FIPS46-3]")
    text += "".join((*keys, *words))
    return text + f"    .equ double_shifts, 0x{doubled_shifts():04X} ; rounds that shift twice\n"


def thumb_key() -> str:
    """The subkeys of the even and of the odd S-boxes, each in a word: six bits in a byte, shifted
    left by 2.
    """

    def bits(first: int) -> Iterator[str]:
        for n in range(first, 9, 2):
            word, before = ("C", 0) if n <= 4 else ("D", HALF_KEY_BITS)
            yield from (f"BIT {word}, {bit - before}" for bit in des.PC_2[6 * n - 6 : 6 * n])
            yield "lsls K, K, #2"

    doubles = doubled_shifts()
    return (
        "/* SPDX-License-Identifier: Apache-2.0 OR MIT */\n"
        "/* Generated by model/generate.py, do not edit. */\n"
        "/* K = the bits of PC-2 [FIPS46-3]; the rounds that shift by two bits. */\n"
        + macro("key_even", bits(2))
        + macro("key_odd", bits(1))
        + f"    .equ double_shifts, 0x{doubles:04X}\n"
        + f"    .equ double_shifts_backwards, 0x{int(f'{doubles:016b}'[::-1], 2):04X}\n"
    )


FILES: dict[str, Callable[[], str]] = {
    "smartcard/6805/tables/des_s.inc": s_boxes,
    "smartcard/6805/tables/des_shifts.inc": shifts,
    "smartcard/6805/tables/des_picks.inc": picks,
    "smartcard/avr/tables/des_s.inc": avr_s_boxes,
    "smartcard/avr/tables/des_picks.inc": avr_picks,
    "smartcard/cortex-m0/tables/des_key.inc": thumb_key,
}
