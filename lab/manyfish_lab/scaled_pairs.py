# SPDX-License-Identifier: Apache-2.0 OR MIT
"""An attack with few texts, on five rounds of a scale model.

X is the word that R1 gives to g, so T1 = g(X). Two values of X whose T1 differs in the highest bit
only make a right pair: if R2 differs there too, the right halves after the first round are equal,
and bit 0 of L4_1 is the same for both texts, whatever R0, R2 and R3 are. The S-boxes of a right
pair have known differences, so for a pair that is guessed each cell has few keys left, and the sums
over many texts with this pair say whether the guess is right, and which keys.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from manyfish_lab import scaled
from manyfish_lab.scaled import BITS
from manyfish_lab.scaled_attack import CELLS, KEYS

WORD = 16  # bits
TOP = np.uint32(1 << (WORD - 1))
TEXTS = 48  # with each X: 32 bits of S, the carry and 15 to reject wrong ones

Words = NDArray[np.uint32]
Sums = NDArray[np.uint64]
Key = tuple[tuple[int, ...], int]  # S and the carry


def boxes() -> NDArray[np.int64]:
    """[cell, key, x]."""
    return np.array([[scaled.box(cell, key) for key in range(KEYS)] for cell in range(CELLS)])


def difference() -> list[int]:
    """The differences of S-boxes by which T1 differs in the highest bit."""
    columns = [scaled.column(CELLS, cell) for cell in range(CELLS)]
    low = columns[0][:, None] ^ columns[1][None, :]
    high = columns[2][:, None] ^ columns[3][None, :] ^ TOP
    a, b = np.nonzero(low.reshape(-1, 1) == high.reshape(1, -1))
    return [*divmod(int(a[0]), 16), *divmod(int(b[0]), 16)]


@dataclass(frozen=True)
class Structure:
    """Texts of the two sides of all pairs: [X, text] ciphertext words, and the values of X."""

    X: Words
    L5: tuple[Words, Words]
    bit: NDArray[np.uint8]


def encrypt(
    cipher: scaled.Scaled, X: Words, constant: NDArray[np.uint32], flip: np.uint32, rounds: int
) -> Structure:
    """Each X with all (R0, R2, R3)."""
    R1 = np.repeat(cipher.rol(X, -BITS), TEXTS)
    R0, R2, R3 = (np.tile(c, len(X)) for c in constant)
    left, right = cipher.encrypt((R0, R1), (R2 ^ flip, R3), rounds)
    shape = len(X), TEXTS
    bit = (left[1] >> np.uint32(1) & np.uint32(1)).astype(np.uint8)
    return Structure(X, (right[0].reshape(shape), right[1].reshape(shape)), bit.reshape(shape))


def values(cells: NDArray[np.int64]) -> Words:
    """All words of which each cell is one of its own few values: [cell, value]."""
    rows = [sum(int(v) << BITS * j for j, v in enumerate(each)) for each in product(*cells)]
    return np.array(rows, np.uint32)


@dataclass(frozen=True)
class Side:
    """Of a structure: [X, cell, key] shares in the sums, [X] the bits that they must explain."""

    X: Words
    shares: Sums
    wanted: Sums


def _packed(bits: NDArray[np.uint8]) -> Sums:
    weights = np.uint64(1) << np.arange(TEXTS, dtype=np.uint64)
    found: Sums = (bits.astype(np.uint64) * weights).sum(axis=-1, dtype=np.uint64)
    return found


def side(cipher: scaled.Scaled, of: Structure, carry: int, box: NDArray[np.int64]) -> Side:
    """For one value of the carry: bit 1 of F1 = T0 + 2 T1 + K is a sum of bits of T0 and T1."""
    shares = np.zeros((len(of.X), CELLS, KEYS), np.uint64)
    for word, mask in ((of.L5[0], 2 | carry), (cipher.rol(of.L5[1], BITS), 1)):
        for cell in range(CELLS):
            bits = np.bitwise_count(scaled.column(CELLS, cell) & np.uint32(mask)) & 1
            share = bits[box[cell]]
            x = word >> np.uint32(BITS * cell) & np.uint32(15)
            for key in range(KEYS):
                shares[:, cell, key] ^= _packed(share[key][x])
    return Side(of.X, shares, _packed(of.bit))


def recover(a: Side, b: Side, box: NDArray[np.int64], carry: int) -> list[Key]:
    """All S for which some pair is right and explains all sums."""
    wanted = difference()
    allowed = [
        [[np.flatnonzero(box[c, :, x] ^ box[c, :, y] == wanted[c]) for y in range(16)]
         for x in range(16)]
        for c in range(CELLS)
    ]  # fmt: skip
    found = []
    for i, j in product(range(len(a.X)), range(len(b.X))):
        x, y = int(a.X[i]), int(b.X[j])
        keys = [allowed[c][x >> BITS * c & 15][y >> BITS * c & 15] for c in range(CELLS)]
        sums = [a.shares[i, c, of] ^ b.shares[j, c, of] for c, of in enumerate(keys)]
        low = (sums[0][:, None] ^ sums[1]).ravel()
        high = (sums[2][:, None] ^ sums[3]).ravel() ^ a.wanted[i] ^ b.wanted[j]
        both = np.concatenate([low, high])
        both.sort()
        for common in set(both[1:][both[1:] == both[:-1]].tolist()):
            places = (np.flatnonzero(one == common).tolist() for one in (low, high))
            for p, q in product(*places):
                at = *divmod(p, len(keys[1])), *divmod(q, len(keys[3]))
                found.append((tuple(int(keys[c][n]) for c, n in enumerate(at)), carry))
    return found


def right_pairs(cipher: scaled.Scaled, a: Words, b: Words) -> int:
    """How many pairs are right, which an attacker does not know."""
    return int((cipher.g[a][:, None] ^ cipher.g[b][None, :] == TOP).sum())
