# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The search for S behind sums of bits of g, in a scale model and over five rounds.

The same as `lanes` does at full size, with sets of a saturated word in place of a byte, and the
last round's bit 1 of F1 = T0 + 2 T1 + K in place of bit 0 of F0. Adding a constant carries into
bit 1 only from bit 0 of T0, and only if that bit of K is set: for either value bit 1 is a sum of
bits of T0 and T1.
"""

from __future__ import annotations

from itertools import product

import numpy as np
from numpy.typing import NDArray

from manyfish_lab import scaled

CELLS = 4
KEYS = 256  # of a cell
Sums = NDArray[np.uint64]


def sets_of_texts(
    cipher: scaled.Scaled, random: np.random.Generator, n_sets: int, rounds: int = 5
) -> tuple[list[scaled.Half], int]:
    """Right halves of the ciphertexts, and bit 1 of R1 summed, as bits of a number, by sets."""
    size = 2**cipher.bits
    R2 = np.arange(size, dtype=np.uint32)
    halves, sums = [], 0
    for number in range(n_sets):
        constant = random.integers(0, size, (3, 1)).astype(np.uint32)
        R0, R1, R3 = (np.repeat(c, size) for c in constant)
        left, right = cipher.encrypt((R0, R1), (R2, R3), rounds)
        halves.append(right)
        sums |= int((left[1] >> np.uint32(1) & 1).sum() & 1) << number
    return halves, sums


def odd_cells(cipher: scaled.Scaled, halves: list[scaled.Half]) -> NDArray[np.uint8]:
    """[cell, set, (T0, T1), 16]: which values come an odd number of times."""
    odd = np.zeros((CELLS, len(halves), 2, 16), np.uint8)
    for number, (R0, R1) in enumerate(halves):
        for which, word in enumerate((R0, cipher.rol(R1, scaled.BITS))):
            for cell in range(CELLS):
                values = (word >> np.uint32(scaled.BITS * cell) & 15).astype(np.int64)
                odd[cell, number, which] = np.bincount(values, minlength=16) & 1
    return odd


def parts(odd: NDArray[np.uint8], masks: tuple[int, int], k: int = 2) -> list[Sums]:
    """For each cell and each of its keys what it adds to the sums, as bits of a number."""
    weights = np.uint64(1) << np.arange(odd.shape[1], dtype=np.uint64)
    result = []
    for cell in range(CELLS):
        words = np.array([scaled.lane(CELLS, cell, key, k) for key in range(16**k)])
        bits = sum(
            (np.bitwise_count(words & np.uint32(mask)) & 1) @ odd[cell, :, which].T
            for which, mask in enumerate(masks)
        )
        result.append(((bits & 1).astype(np.uint64) * weights).sum(axis=1, dtype=np.uint64))
    return result


def recover(odd: NDArray[np.uint8], sums: int) -> list[tuple[tuple[int, ...], int]]:
    """All S, each with bit 0 of the last subkey, for which every sum is right."""
    found: list[tuple[tuple[int, ...], int]] = []
    for carry in (0, 1):
        part = parts(odd, (2 | carry, 1))
        low = (part[0][:, None] ^ part[1][None, :]).ravel()
        high = (part[2][:, None] ^ part[3][None, :]).ravel() ^ np.uint64(sums)
        for common in np.intersect1d(low, high).tolist():
            places = (np.flatnonzero(one == common).tolist() for one in (low, high))
            for a, b in product(*places):
                found.append(((*divmod(a, KEYS), *divmod(b, KEYS)), carry))
    return found
