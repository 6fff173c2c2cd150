# SPDX-License-Identifier: Apache-2.0 OR MIT
"""From S of a 128-bit key to all of it, with some thousand chosen plaintexts of five rounds.

With S one knows g, and so bit 0 of L4_1, up to a constant, by each ciphertext; L4 is the left
half that enters the fourth round. Two texts agree in this bit if they differ in R1, and R2 and R3
make up for it, so that the right half after the first round is the same. The differences that do so
show K_8 and K_9, bit by bit. These are outputs of h, which fix half of the unknown bytes of the key
by the other half.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from manyfish_lab import linear, twofish
from manyfish_lab.five_rounds import Oracle
from manyfish_lab.lanes import LANES

Words = NDArray[np.uint32]
TESTS = 40  # pairs that must all agree; wrong differences do so by chance once in 2^40
MASK = 0xFFFFFFFF
FIRST = 4  # the number of the subkeys of the first round, K_8 and K_9, as h counts them


def rol(x: Words, n: int) -> Words:
    """Words rotated to the left."""
    return x << np.uint32(n) | x >> np.uint32(32 - n)


def word_of(x: int, n: int) -> int:
    """A number rotated to the left, as a word."""
    return (x << n | x >> (32 - n)) & MASK


def split(words: Words) -> Words:
    """[4, ..]: the bytes of words, as numbers."""
    return np.array([words >> np.uint32(8 * j) & np.uint32(255) for j in range(LANES)])


def joined(parts: Words) -> Words:
    """The words of such bytes."""
    whole: Words = np.bitwise_or.reduce([part << np.uint32(8 * j) for j, part in enumerate(parts)])
    return whole


@dataclass(frozen=True)
class G:
    """The function g of some S, and its inverse."""

    S: tuple[int, ...]

    def __call__(self, X: Words) -> Words:
        return twofish.h(X, self.S)

    def inverse(self, T: Words) -> Words:
        unboxed = np.argsort(twofish.boxes(self.S), axis=1).astype(np.uint32)
        y = split(linear.apply(UNMIX, T))
        return joined(np.array([unboxed[j, y[j]] for j in range(LANES)]))


UNMIX = linear.inverse(linear.images(twofish.mds))


def bits(g: G, carry: int, C: Words) -> NDArray[np.uint32]:
    """Bit 0 of L4_1 behind each ciphertext, up to a constant; carry is bit 0 of the last subkey."""
    T0, T1 = g(C[:, 0]), g(rol(C[:, 1], 8))
    word = C[:, 3] >> np.uint32(1) ^ T0 >> np.uint32(1) ^ T0 & np.uint32(carry) ^ T1
    found: NDArray[np.uint32] = word & np.uint32(1)
    return found


# --- The subkeys of the first round -------------------------------------------------------------


@dataclass
class FirstRound:
    """F0 and F1 of one text, as far as they are known: X and Y have bits above `known`."""

    oracle: Oracle
    g: G
    carry: int
    random: np.random.Generator

    def __post_init__(self) -> None:
        self.R0, self.R1 = self.random.integers(0, 2**32, (2, 1)).astype(np.uint32)
        self.T0, self.T1 = self.g(self.R0), self.g(rol(self.R1, 8))

    def agree(self, delta: int, differences: list[tuple[int, int]]) -> list[bool]:
        """With T1 + delta: whether bits agree if F0 and F1 differ so."""
        other = rol(self.g.inverse(self.T1 + np.uint32(delta)), 24)
        texts = np.empty((TESTS, 4), np.uint32)
        texts[:, 0], texts[:, 1] = self.R0, self.R1
        texts[:, 2:] = self.random.integers(0, 2**32, (TESTS, 2))
        before = self._bits(texts)
        result = []
        for of_F0, of_F1 in differences:
            changed = texts.copy()
            changed[:, 1] = other
            changed[:, 2] ^= np.uint32(of_F0)
            changed[:, 3] ^= np.uint32(word_of(of_F1, 31))
            result.append(bool(np.array_equal(self._bits(changed), before)))
        return result

    def _bits(self, texts: Words) -> Words:
        return bits(self.g, self.carry, self.oracle.encrypt(texts))


def first_subkeys(
    oracle: Oracle, g: G, carry: int, random: np.random.Generator
) -> list[tuple[int, int]]:
    """K_8 and K_9 with all values of three bits that are not found; none if g is wrong.

    T1 + 2^i changes F0 by 2^i and F1 by 2^(i + 1); how far this carries shows bit i of F0 and bit
    i + 1 of F1 if those above are known.
    """
    first = FirstRound(oracle, g, carry, random)
    F0 = F1 = 0
    for i in range(30, -1, -1):
        choices = [(F0 | a << i, (F1 | b << (i + 1)) & MASK) for a, b in product((0, 1), repeat=2)]
        choices = choices if i < 30 else choices[::2]  # bit 31 of F1 carries nowhere
        found = first.agree(1 << i, [(_change(x, 1 << i), _change(y, 2 << i)) for x, y in choices])
        if found.count(True) != 1:
            return []
        F0, F1 = choices[found.index(True)]
    T0, T1 = int(first.T0[0]), int(first.T1[0])
    return [
        ((F0 + (a << 31) - T0 - T1) & MASK, (F1 + (b << 31) + c - T0 - 2 * T1) & MASK)
        for a, b, c in product((0, 1), repeat=3)
    ]


def _change(x: int, delta: int) -> int:
    return (x ^ (x + delta)) & MASK


# --- The key ------------------------------------------------------------------------------------


def keys(S: tuple[int, int], K8: int, K9: int, byte_12: Sequence[int] = range(256)) -> list[bytes]:
    """All 128-bit keys of this S and these subkeys, whose byte 12 is one of these.

    A key has the words M0 to M3. By A_4 each byte of M2 fixes that of M0, by B_4 that of M3 fixes
    that of M1, and by S M0 fixes M1 and M2 fixes M3. So M2 remains, and its halves are matched.
    """
    B = (word_of(K9, 23) - K8) & MASK
    M0_of, M1_of = _outer(2 * FIRST, (K8 - B) & MASK), _outer(2 * FIRST + 1, word_of(B, 24))
    by_M0, by_M3 = linear.apply(UNRS, np.array([S[1], S[0]], np.uint32))
    low, high = _halves(M0_of, 0), _halves(M0_of, 2)
    low.M1 ^= by_M0
    low.M3 ^= by_M3
    return [key for M3 in byte_12 for key in _match(low, high, M1_of, M3)]


def _rs(upper: bool) -> linear.Map:
    """RS of the first four bytes of a half of the key, or of the others."""
    zero = bytes(4)

    def of(word: int) -> int:
        part = word.to_bytes(4, "little")
        return twofish.rs(zero + part if upper else part + zero)

    return linear.images(of)


UNRS = linear.inverse(_rs(True))
# M0 to M1, and M2 to M3, if S is zero.
NEXT = [int(w) for w in linear.apply(UNRS, np.array(_rs(False), np.uint32))]


def _outer(x: int, word: int) -> Words:
    """[4, 256]: the outer byte of the key that takes x to these bytes of h, by the inner one."""
    every = [b * 0x01010101 for b in range(256)]
    by_outer = np.array([twofish.boxes([b, 0])[:, x] for b in every])
    by_inner = np.array([twofish.boxes([0, b])[:, x] for b in every])
    wanted = split(linear.apply(UNMIX, np.array([word], np.uint32)))
    outer = np.argsort(by_outer, axis=0)  # of each byte that comes out if the inner byte is 0
    lanes = range(LANES)
    return np.array([outer[by_inner[:, j], j] ^ outer[wanted[j], j] for j in lanes], np.uint32)


@dataclass
class Half:
    """All values of two bytes of M2, and what they add to the other words."""

    M2: Words
    M0: Words
    M1: Words
    M3: Words


def _halves(M0_of: Words, first: int) -> Half:
    pairs = split(np.arange(1 << 16, dtype=np.uint32))[:2]
    M2, M0 = (
        np.bitwise_or.reduce([part << np.uint32(8 * (first + i)) for i, part in enumerate(parts)])
        for parts in (pairs, [M0_of[first + i][pairs[i]] for i in range(2)])
    )
    return Half(M2, M0, linear.apply(NEXT, M0), linear.apply(NEXT, M2))


def _code(half: Half) -> Words:
    """The bytes 0 of M3 and M1."""
    return half.M3 & np.uint32(255) | (half.M1 & np.uint32(255)) << np.uint32(8)


def _match(low: Half, high: Half, M1_of: Words, byte: int) -> list[bytes]:
    """The keys with this byte 0 of M3."""
    codes = _code(high)
    order = np.argsort(codes, kind="stable")
    start = np.searchsorted(codes[order], np.arange((1 << 16) + 1))
    wanted = _code(low) ^ np.uint32(byte | int(M1_of[0, byte]) << 8)
    counts = start[wanted + 1] - start[wanted]
    a = np.repeat(np.arange(1 << 16), counts)
    within = np.arange(len(a)) - np.repeat(np.cumsum(counts) - counts, counts)
    b = order[np.repeat(start[wanted], counts) + within]
    for j in range(1, LANES):
        M1, M3 = (
            (getattr(low, name)[a] ^ getattr(high, name)[b]) >> np.uint32(8 * j) & np.uint32(255)
            for name in ("M1", "M3")
        )
        fits = M1_of[j, M3] == M1
        a, b = a[fits], b[fits]
    words = [getattr(low, name)[a] ^ getattr(high, name)[b] for name in ("M0", "M1", "M2", "M3")]
    return [bytes(row) for row in np.stack(words, axis=-1).astype("<u4").view(np.uint8)]
