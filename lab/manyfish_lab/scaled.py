# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Scale models of Twofish: cells of 4 bits in place of bytes, 2 or 4 cells to a word.

They are this project's own, for what needs more data than a run has if the cipher has its full
size. Kept are the shape of a round (two g, PHT, key addition, rotations by one bit and by one
cell), S-boxes made of three fixed permutations and two key cells, and an MDS matrix. Not kept is
the key schedule: S and all subkeys are independent and random. There is no whitening.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint32]
Half = tuple[Words, Words]

BITS = 4  # of a cell
# The first 4-bit permutations of q0 and q1, entry n as digit n [Twofish98, 4.3.5].
_Q = np.array([[int(d, 16) for d in t] for t in ("817D6F320B59ECA4", "28BDF76E31940AC5")])
# Which of them stands at which level of a cell; level 0 is the outermost, as in Twofish, and longer
# keys have more levels.
_ORDER = ((1, 0, 1, 0), (0, 0, 1, 1), (0, 1, 0, 1), (1, 1, 0, 0), (1, 0, 0, 1))
# Circulant matrices over GF(2^4) / x^4 + x + 1, first rows; a test looks at all minors.
_CIRCULANTS = {2: (3, 2), 4: (2, 3, 1, 1)}


def times(a: int, b: int) -> int:
    """The product in GF(2^4)."""
    product = 0
    for i in range(BITS):
        if b >> i & 1:
            product ^= a << i
    for i in (6, 5, 4):
        if product >> i & 1:
            product ^= 0b10011 << i - 4
    return product


def matrix(cells: int) -> list[list[int]]:
    """The MDS matrix."""
    row = _CIRCULANTS[cells]
    return [[row[(j - i) % cells] for j in range(cells)] for i in range(cells)]


def box(cell: int, key: int, k: int = 2) -> NDArray[np.int64]:
    """The S-box of one cell, by k key cells; the outermost is the lowest digit of the key."""
    y = np.arange(16)
    for level in range(k, 0, -1):
        y = _Q[_ORDER[level][cell]][y] ^ (key >> BITS * (level - 1) & 15)
    found: NDArray[np.int64] = _Q[_ORDER[0][cell]][y]
    return found


@functools.cache
def column(cells: int, cell: int) -> Words:
    """A column of MDS times each value of its cell."""
    digits = [row[cell] for row in matrix(cells)]
    words = [sum(times(m, y) << BITS * i for i, m in enumerate(digits)) for y in range(16)]
    return np.array(words, np.uint32)


def lane(cells: int, cell: int, key: int, k: int = 2) -> Words:
    """The share of one cell of the input in g: its S-box, times its column of MDS."""
    return column(cells, cell)[box(cell, key, k)]


@dataclass(frozen=True)
class Scaled:
    """One key. `g` is the table of g, `K` a row of two subkeys for each round.

    Each number of S has the key cells of one cell: two, or more for models of longer keys.
    """

    cells: int
    S: tuple[int, ...]
    g: Words
    K: Words

    @property
    def bits(self) -> int:
        """The bits of a word."""
        return BITS * self.cells

    def rol(self, x: Words, n: int) -> Words:
        """A word rotated to the left."""
        bits, n = self.bits, n % self.bits
        mask = np.uint32(2**bits - 1)
        return (x << np.uint32(n) | x >> np.uint32(bits - n)) & mask

    def F(self, left: Half, K: Words) -> Half:
        """The round function."""
        mask = np.uint32(2**self.bits - 1)
        T0, T1 = self.g[left[0]], self.g[self.rol(left[1], BITS)]
        return (T0 + T1 + K[0]) & mask, (T0 + (T1 << np.uint32(1)) + K[1]) & mask

    def encrypt(self, left: Half, right: Half, rounds: int) -> tuple[Half, Half]:
        """The left and right half after this many rounds."""
        for K in self.K[:rounds]:
            F0, F1 = self.F(left, K)
            after = self.rol(right[0] ^ F0, self.bits - 1), self.rol(right[1], 1) ^ F1
            left, right = after, left
        return left, right


def random_key(random: np.random.Generator, cells: int, rounds: int = 16, k: int = 2) -> Scaled:
    """A key at random."""
    S = tuple(random.integers(0, 16**k, cells).tolist())
    x = np.arange(16**cells)
    g = np.zeros(16**cells, np.uint32)
    for cell, key in enumerate(S):
        g ^= lane(cells, cell, key, k)[x >> BITS * cell & 15]
    K = random.integers(0, 16**cells, (rounds, 2)).astype(np.uint32)
    return Scaled(cells, S, g, K)
