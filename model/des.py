# SPDX-License-Identifier: Apache-2.0 OR MIT
"""DES and Triple-DES, to be read beside the standard: FIPS PUB 46-3, "Data Encryption Standard
(DES)", 25 October 1999, cited as [FIPS46-3, page or part].

The specification that the C code is tested against; it shares nothing with it. Slow, and its
running time depends on key and data.

A string of bits is a number, bit 1 of the standard being its highest; the tables below are those of
the standard, number by number. L, R, K, C, D, E, P, S, IP, PC are its names.
"""

from __future__ import annotations

from collections.abc import Sequence

BLOCK_BYTES = 8
KEY_SIZES = (8, 16, 24)  # DES, and TDEA with two and with three keys
ROUNDS = 16

IP = (
    58, 50, 42, 34, 26, 18, 10, 2,
    60, 52, 44, 36, 28, 20, 12, 4,
    62, 54, 46, 38, 30, 22, 14, 6,
    64, 56, 48, 40, 32, 24, 16, 8,
    57, 49, 41, 33, 25, 17, 9, 1,
    59, 51, 43, 35, 27, 19, 11, 3,
    61, 53, 45, 37, 29, 21, 13, 5,
    63, 55, 47, 39, 31, 23, 15, 7,
)  # fmt: skip

INVERSE_IP = (
    40, 8, 48, 16, 56, 24, 64, 32,
    39, 7, 47, 15, 55, 23, 63, 31,
    38, 6, 46, 14, 54, 22, 62, 30,
    37, 5, 45, 13, 53, 21, 61, 29,
    36, 4, 44, 12, 52, 20, 60, 28,
    35, 3, 43, 11, 51, 19, 59, 27,
    34, 2, 42, 10, 50, 18, 58, 26,
    33, 1, 41, 9, 49, 17, 57, 25,
)  # fmt: skip

E = (
    32, 1, 2, 3, 4, 5,
    4, 5, 6, 7, 8, 9,
    8, 9, 10, 11, 12, 13,
    12, 13, 14, 15, 16, 17,
    16, 17, 18, 19, 20, 21,
    20, 21, 22, 23, 24, 25,
    24, 25, 26, 27, 28, 29,
    28, 29, 30, 31, 32, 1,
)  # fmt: skip

P = (
    16, 7, 20, 21,
    29, 12, 28, 17,
    1, 15, 23, 26,
    5, 18, 31, 10,
    2, 8, 24, 14,
    32, 27, 3, 9,
    19, 13, 30, 6,
    22, 11, 4, 25,
)  # fmt: skip

# S_1 .. S_8, rows 0 to 3 [FIPS46-3, appendix 1].
S = (
    (
        (14, 4, 13, 1, 2, 15, 11, 8, 3, 10, 6, 12, 5, 9, 0, 7),
        (0, 15, 7, 4, 14, 2, 13, 1, 10, 6, 12, 11, 9, 5, 3, 8),
        (4, 1, 14, 8, 13, 6, 2, 11, 15, 12, 9, 7, 3, 10, 5, 0),
        (15, 12, 8, 2, 4, 9, 1, 7, 5, 11, 3, 14, 10, 0, 6, 13),
    ),
    (
        (15, 1, 8, 14, 6, 11, 3, 4, 9, 7, 2, 13, 12, 0, 5, 10),
        (3, 13, 4, 7, 15, 2, 8, 14, 12, 0, 1, 10, 6, 9, 11, 5),
        (0, 14, 7, 11, 10, 4, 13, 1, 5, 8, 12, 6, 9, 3, 2, 15),
        (13, 8, 10, 1, 3, 15, 4, 2, 11, 6, 7, 12, 0, 5, 14, 9),
    ),
    (
        (10, 0, 9, 14, 6, 3, 15, 5, 1, 13, 12, 7, 11, 4, 2, 8),
        (13, 7, 0, 9, 3, 4, 6, 10, 2, 8, 5, 14, 12, 11, 15, 1),
        (13, 6, 4, 9, 8, 15, 3, 0, 11, 1, 2, 12, 5, 10, 14, 7),
        (1, 10, 13, 0, 6, 9, 8, 7, 4, 15, 14, 3, 11, 5, 2, 12),
    ),
    (
        (7, 13, 14, 3, 0, 6, 9, 10, 1, 2, 8, 5, 11, 12, 4, 15),
        (13, 8, 11, 5, 6, 15, 0, 3, 4, 7, 2, 12, 1, 10, 14, 9),
        (10, 6, 9, 0, 12, 11, 7, 13, 15, 1, 3, 14, 5, 2, 8, 4),
        (3, 15, 0, 6, 10, 1, 13, 8, 9, 4, 5, 11, 12, 7, 2, 14),
    ),
    (
        (2, 12, 4, 1, 7, 10, 11, 6, 8, 5, 3, 15, 13, 0, 14, 9),
        (14, 11, 2, 12, 4, 7, 13, 1, 5, 0, 15, 10, 3, 9, 8, 6),
        (4, 2, 1, 11, 10, 13, 7, 8, 15, 9, 12, 5, 6, 3, 0, 14),
        (11, 8, 12, 7, 1, 14, 2, 13, 6, 15, 0, 9, 10, 4, 5, 3),
    ),
    (
        (12, 1, 10, 15, 9, 2, 6, 8, 0, 13, 3, 4, 14, 7, 5, 11),
        (10, 15, 4, 2, 7, 12, 9, 5, 6, 1, 13, 14, 0, 11, 3, 8),
        (9, 14, 15, 5, 2, 8, 12, 3, 7, 0, 4, 10, 1, 13, 11, 6),
        (4, 3, 2, 12, 9, 5, 15, 10, 11, 14, 1, 7, 6, 0, 8, 13),
    ),
    (
        (4, 11, 2, 14, 15, 0, 8, 13, 3, 12, 9, 7, 5, 10, 6, 1),
        (13, 0, 11, 7, 4, 9, 1, 10, 14, 3, 5, 12, 2, 15, 8, 6),
        (1, 4, 11, 13, 12, 3, 7, 14, 10, 15, 6, 8, 0, 5, 9, 2),
        (6, 11, 13, 8, 1, 4, 10, 7, 9, 5, 0, 15, 14, 2, 3, 12),
    ),
    (
        (13, 2, 8, 4, 6, 15, 11, 1, 10, 9, 3, 14, 5, 0, 12, 7),
        (1, 15, 13, 8, 10, 3, 7, 4, 12, 5, 6, 11, 0, 14, 9, 2),
        (7, 11, 4, 1, 9, 12, 14, 2, 0, 6, 10, 13, 15, 3, 5, 8),
        (2, 1, 14, 7, 4, 10, 8, 13, 15, 12, 9, 0, 3, 5, 6, 11),
    ),
)

# PERMUTED CHOICE 1: the first half makes C, the second D. Bits 8, 16, .. 64 of the key, its parity
# bits, do not occur.
PC_1 = (
    57, 49, 41, 33, 25, 17, 9,
    1, 58, 50, 42, 34, 26, 18,
    10, 2, 59, 51, 43, 35, 27,
    19, 11, 3, 60, 52, 44, 36,
    63, 55, 47, 39, 31, 23, 15,
    7, 62, 54, 46, 38, 30, 22,
    14, 6, 61, 53, 45, 37, 29,
    21, 13, 5, 28, 20, 12, 4,
)  # fmt: skip

PC_2 = (
    14, 17, 11, 24, 1, 5,
    3, 28, 15, 6, 21, 10,
    23, 19, 12, 4, 26, 8,
    16, 7, 27, 20, 13, 2,
    41, 52, 31, 37, 47, 55,
    30, 40, 51, 45, 33, 48,
    44, 49, 39, 56, 34, 53,
    46, 42, 50, 36, 29, 32,
)  # fmt: skip

LEFT_SHIFTS = (1, 1, 2, 2, 2, 2, 2, 2, 1, 2, 2, 2, 2, 2, 2, 1)

MASK_28 = 2**28 - 1


def permute(bits: int, n_bits: int, table: Sequence[int]) -> int:
    """Bit i of the result is bit table[i] of the n_bits."""
    result = 0
    for position in table:
        result = result << 1 | bits >> (n_bits - position) & 1
    return result


# --- the function f ----------------------------------------------------------------------------


def s_box(n: int, six_bits: int) -> int:
    """S_(n+1): the first and the last bit are the row, the others the column."""
    row = six_bits >> 4 & 2 | six_bits & 1
    return S[n][row][six_bits >> 1 & 15]


def f(R: int, K: int) -> int:
    B = permute(R, 32, E) ^ K
    result = 0
    for n in range(8):
        result = result << 4 | s_box(n, B >> (42 - 6 * n) & 63)
    return permute(result, 32, P)


# --- the key schedule KS -----------------------------------------------------------------------


def subkeys(key: bytes) -> tuple[int, ...]:
    """K_1 .. K_16, of 48 bits each."""
    CD = permute(int.from_bytes(key, "big"), 64, PC_1)
    C, D = CD >> 28, CD & MASK_28
    K = []
    for shifts in LEFT_SHIFTS:
        C, D = ((X << shifts | X >> (28 - shifts)) & MASK_28 for X in (C, D))
        K.append(permute(C << 28 | D, 56, PC_2))
    return tuple(K)


# --- the cipher --------------------------------------------------------------------------------


def des(block: int, K: Sequence[int]) -> int:
    """Enciphering with the subkeys in order, deciphering with them in reverse."""
    LR = permute(block, 64, IP)
    L, R = LR >> 32, LR & 2**32 - 1
    for K_n in K:
        L, R = R, L ^ f(R, K_n)
    return permute(R << 32 | L, 64, INVERSE_IP)


class Des:
    """DES for a key of 8 bytes; TDEA, by E with K1, D with K2, E with K3, for K1 K2 K3 in 24 bytes
    or for K1 K2 in 16, where K3 = K1 [FIPS46-3, "Triple Data Encryption Algorithm"].
    """

    block_bytes = BLOCK_BYTES

    def __init__(self, key: bytes) -> None:
        if len(key) not in KEY_SIZES:
            raise ValueError(f"a DES key has 8, 16 or 24 bytes, this one has {len(key)}")
        K = [subkeys(key[i : i + 8]) for i in range(0, len(key), 8)]
        if len(K) == 2:
            K.append(K[0])
        self.passes = [k if i % 2 == 0 else k[::-1] for i, k in enumerate(K)]

    def encrypt(self, block: bytes) -> bytes:
        X = int.from_bytes(_checked(block), "big")
        for K in self.passes:
            X = des(X, K)
        return X.to_bytes(BLOCK_BYTES, "big")

    def decrypt(self, block: bytes) -> bytes:
        X = int.from_bytes(_checked(block), "big")
        for K in reversed(self.passes):
            X = des(X, K[::-1])
        return X.to_bytes(BLOCK_BYTES, "big")


def _checked(block: bytes) -> bytes:
    if len(block) != BLOCK_BYTES:
        raise ValueError(f"a block has {BLOCK_BYTES} bytes, this one has {len(block)}")
    return block


# --- keys --------------------------------------------------------------------------------------


def has_odd_parity(key: bytes) -> bool:
    """Whether each byte has an odd number of ones, its last bit being there for that."""
    return key == with_odd_parity(key)


def with_odd_parity(key: bytes) -> bytes:
    """The key with its parity bits set."""
    return bytes(byte ^ (bin(byte).count("1") + 1) % 2 for byte in key)


# The weak, semi-weak and possibly weak keys [SP800-67, 3.3.2]: C_0 and D_0 each repeat one of these
# strings of four bits. The subkeys then have one, two or four different values.
_REPEATED = ("0000", "1111", "0101", "1010", "0011", "0110", "1100", "1001")
WEAK, SEMI_WEAK, POSSIBLY_WEAK = "weak", "semi-weak", "possibly weak"
_CLASSES = {1: WEAK, 2: SEMI_WEAK, 4: POSSIBLY_WEAK}


def weak_keys() -> dict[bytes, str]:
    """All 64, with odd parity, and what each is called."""
    classes = {}
    for C in _REPEATED:
        for D in _REPEATED:
            key = 0
            for position, bit in zip(PC_1, 7 * C + 7 * D):
                key |= int(bit) << (64 - position)
            text = with_odd_parity(key.to_bytes(8, "big"))
            classes[text] = _CLASSES[len(set(subkeys(text)))]
    return classes
