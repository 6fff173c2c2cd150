# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Prints the tables of DES in C from the model: those of the library, and one for study."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import des
from c_tables import array, head, lines

# The halves of the block are kept rotated left by 3, so that the six bits that go into an even
# S-box, or an odd one after a rotation right by 4, are the high bits of a byte [KarnThread].
ROTATION = 3
# The order of the S-boxes in the bytes of a pair of words, highest byte first.
EVEN, ODD = (2, 4, 6, 8), (1, 3, 5, 7)
# The halves of a word, high and low: the even one, then the odd one.
PAIRS = (EVEN[:2], EVEN[2:], ODD[:2], ODD[2:])

KNOWN_ANSWER_STEPS = 64
_FIRST_KEY = bytes.fromhex("0123456789ABCDEF23456789ABCDEF01456789ABCDEF0123")


def rol32(x: int, n: int) -> int:
    return (x << n | x >> (32 - n)) % 2**32


def sp_table(n: int) -> list[int]:
    """S_(n+1) and P, for each six bits, as they change a half that is kept rotated."""
    return [
        rol32(des.permute(des.s_box(n, x) << (28 - 4 * n), 32, des.P), ROTATION) for x in range(64)
    ]


def spread(half: int) -> int:
    """A half that is kept rotated, as E spreads it: a byte for each S-box, six bits each, shifted
    left by 2; those of the even S-boxes in the low word.
    """
    return (rol32(half, 28) & 0xFCFCFCFC) << 32 | half & 0xFCFCFCFC


def sp_spread_table(byte: int) -> list[int]:
    """The value XORed to a spread half for the S-box with this input byte, the lowest being 0."""
    box = (EVEN[::-1] + ODD[::-1])[byte]
    return [spread(entry) for entry in sp_table(box - 1)]


def subkey_words(K: int) -> tuple[int, int]:
    """The 48 bits of a subkey as the bytes of two words: six bits each, shifted left by 2."""

    def word(boxes: Sequence[int]) -> int:
        bits = (K >> (48 - 6 * box) & 63 for box in boxes)
        return int.from_bytes(bytes(six << 2 for six in bits), "big")

    return word(EVEN), word(ODD)


def pc_2_table(half: int, chunk: int) -> list[int]:
    """The share of seven bits of C (half 0) or D (half 1) in the words of a subkey, chunk 0 being
    the first seven: the bytes that the half fills, those of the even word above those of the odd
    one.
    """
    table = []
    for x in range(128):
        CD = x << (21 - 7 * chunk) << (0 if half else 28)
        even, odd = subkey_words(des.permute(CD, 56, des.PC_2))
        shift = 0 if half else 16
        table.append((even >> shift) << 16 | odd >> shift)
    return table


def known_answer_chain(key_bytes: int) -> Iterator[tuple[bytes, bytes, bytes]]:
    """Key, plaintext and ciphertext of a chain: the ciphertext is the next plaintext, and is XORed
    into each eight bytes of the key.
    """
    key, pt = _FIRST_KEY[:key_bytes], bytes(des.BLOCK_BYTES)
    for _ in range(KNOWN_ANSWER_STEPS):
        ct = des.Des(key).encrypt(pt)
        yield key, pt, ct
        key, pt = bytes(k ^ ct[i % 8] for i, k in enumerate(key)), ct


def tables_h() -> str:
    return (
        head("The fixed tables of DES that table kernels read. Names are those of [FIPS46-3].")
        + """\
#ifndef MF_SRC_DES_TABLES_H
#define MF_SRC_DES_TABLES_H

#include <stdint.h>

/* sp[n][x]: S_(n+1) of the six bits x, in the order of E, and then P; rotated left by 3, as the
 * halves of the block are. */
extern const uint32_t mf_des_sp[8][64];

/* sp_spread[n][x]: the same for S8, S6, S4, S2, S7, S5, S3, S1, and then E: the bits that go into
 * S8 next are in the lowest byte, those of S6 in the one above, and so on, shifted left by 2. */
extern const uint64_t mf_des_sp_spread[8][64];

/* pairs[x][n][y]: the n-th of the pairs S2 S4, S6 S8, S1 S3, S5 S7, of the six bits x and y;
 * a sum of two entries of sp. So 16 bits with x and y in the high six bits of each byte are the
 * offset from pairs[0][n]. */
extern const uint32_t mf_des_pairs[64][4][64];

/* pc_2[0][i][x]: what the i-th seven bits of C add to a subkey, if they are x; pc_2[1][i][x]: those
 * of D. The high half of an entry belongs to the even S-boxes, the low one to the odd. */
extern const uint32_t mf_des_pc_2[2][4][128];

/* By how much C and D have been rotated left for each subkey. */
extern const uint8_t mf_des_shifts[16];

#endif
"""
    )


def tables_c() -> str:
    shifts = [sum(des.LEFT_SHIFTS[: n + 1]) for n in range(des.ROUNDS)]
    pc_2 = "\n".join(
        f"    {{\n{array([pc_2_table(half, chunk) for chunk in range(4)], 8)}\n    }},"
        for half in range(2)
    )
    return (
        head("The fixed tables of DES; tables.h says what they hold.")
        + f"""\
#include "tables.h"

const uint32_t mf_des_sp[8][64] = {{
{array([sp_table(n) for n in range(8)], 8)}
}};

const uint64_t mf_des_sp_spread[8][64] = {{
{array([sp_spread_table(byte) for byte in range(8)], 16)}
}};

const uint32_t mf_des_pc_2[2][4][128] = {{
{pc_2}
}};

const uint8_t mf_des_shifts[16] = {{
{lines(shifts, 2)}
}};
"""
    )


def pairs_c() -> str:
    def macro(box: int) -> str:
        words = [f"(x) ^ 0x{word:08X}" for word in sp_table(box - 1)]
        rows = (", ".join(words[i : i + 4]) for i in range(0, len(words), 4))
        return f"#define S{box}(x) {{ \\\n    " + ", \\\n    ".join(rows) + "}"

    def row(words: Sequence[int]) -> str:
        return ", ".join(
            f"S{second}(0x{word:08X})" for (_, second), word in zip(PAIRS, words, strict=True)
        )

    firsts = [sp_table(first - 1) for first, _ in PAIRS]
    return (
        head(
            "Two S-boxes at a time; tables.h says how they lie. A macro is the second box of a",
            "pair, its argument an entry of the first: the compiler computes the 64 KB from 10 KB",
            "of text, and no first use has to.",
        )
        + '#include "tables.h"\n\n'
        + "\n\n".join(macro(second) for _, second in PAIRS)
        + "\n\nconst uint32_t mf_des_pairs[64][4][64] = {\n"
        + "\n".join(f"    {{{row(words)}}}," for words in zip(*firsts, strict=True))
        + "\n};\n"
    )


def known_answers_h() -> str:
    rows = []
    for key_bytes in des.KEY_SIZES:
        *_, (_, _, ct) = known_answer_chain(key_bytes)
        rows.append(f"    {{{key_bytes}, {{\n{lines(ct, 2)}\n    }}}},")
    return (
        head(
            "For the self-test: where a chain of encryptions ends for each key size. The first key",
            f"is the one below, the first plaintext zero; of {KNOWN_ANSWER_STEPS} encryptions,",
            "each takes the ciphertext before it as plaintext, and that is XORed into each eight",
            "bytes of the key. The chain uses every entry of every S-box.",
        )
        + f"""\
#ifndef MF_SRC_DES_KNOWN_ANSWERS_H
#define MF_SRC_DES_KNOWN_ANSWERS_H

#include <stdint.h>

#define MF_DES_KNOWN_ANSWER_STEPS {KNOWN_ANSWER_STEPS}

static const uint8_t mf_des_known_answer_key[{len(_FIRST_KEY)}] = {{
{lines(_FIRST_KEY, 2)}
}};

static const struct {{
    unsigned key_bytes;
    uint8_t ciphertext[8];
}} mf_des_known_answers[{len(des.KEY_SIZES)}] = {{
{chr(10).join(rows)}
}};

#endif
"""
    )


def s_h() -> str:
    boxes = [[des.s_box(n, x) for x in range(64)] for n in range(8)]
    return (
        head(
            "The S-boxes of DES without P, as the standard has them [FIPS46-3]: s[n][x] is what",
            "S_(n+1) makes of the six bits x, in the order of E.",
        )
        + f"""\
#ifndef MF_STUDY_DES_S_H
#define MF_STUDY_DES_S_H

#include <stdint.h>

static const uint8_t mf_des_s[8][64] = {{
{array(boxes, 2)}
}};

#endif
"""
    )


FILES: dict[str, Callable[[], str]] = {
    "c/src/des/tables/tables.h": tables_h,
    "c/src/des/tables/tables.c": tables_c,
    "c/src/des/tables/pairs.c": pairs_c,
    "c/src/des/tables/known_answers.h": known_answers_h,
    "c/study/src/des_ladder/tables.h": s_h,
}
