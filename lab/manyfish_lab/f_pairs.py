# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The best trail of F with two active S-boxes of a key, and pairs of texts that follow it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import log2

import numpy as np
from numpy.typing import NDArray

from manyfish_lab import f_bounds, twofish
from manyfish_lab.gf256 import rotate_right

FEW_BITS = 6  # of T below the highest: with more the carries alone take 2^-7 or less


@dataclass(frozen=True)
class Output:
    """A difference T0 of two S-boxes, and the best F0 = F1 that it leads to."""

    places: tuple[int, ...]
    differences: tuple[int, ...]
    F: int
    weight: float


@dataclass(frozen=True)
class Best:
    """A difference of R0 that becomes F0 = F1 with a probability, for uniform subkeys."""

    R0: int
    F: int
    probability: float


@cache
def outputs() -> list[Output]:
    """All that have few bits."""
    found = []
    for places in f_bounds.of_places(2):
        words = f_bounds.products(places)
        for index in np.flatnonzero(f_bounds.sizes(words) <= FEW_BITS):
            source = f_bounds.Sources(words[[index]], np.ones(1))
            share, F = f_bounds.largest(source)
            differences = tuple(int(n) + 1 for n in np.divmod(index, 255))
            found.append(Output(places, differences, F, -log2(share)))
    return found


def best(key: bytes) -> Best:
    """Of the S-boxes of a key."""
    counts = [_differences(box) for box in twofish.boxes(twofish.sbox_key(key))]
    trails = []
    for output in outputs():
        R0, p = 0, 2.0**-output.weight
        for place, difference in zip(output.places, output.differences):
            column = counts[place][:, difference]
            R0 |= int(column.argmax()) << 8 * place
            p *= int(column.max()) / 256
        trails.append(Best(R0, output.F, p))
    return max(trails, key=lambda trail: trail.probability)


def _differences(box: NDArray[np.uint8]) -> NDArray[np.int64]:
    """[a, b]: for how many x the difference a becomes b."""
    x = np.arange(256)
    pairs = box[x[:, None] ^ x] ^ box
    return np.stack([np.bincount(row, minlength=256) for row in pairs])


def followed(key: bytes, trail: Best, random: np.random.Generator, pairs: int) -> int:
    """How many random pairs do: one round without whitening, right half 0."""
    texts = np.zeros((pairs, 16), np.uint8)
    texts[:, :8] = random.integers(0, 256, (pairs, 8), np.uint8)
    others = texts.copy()
    others[:, :4] ^= np.array([trail.R0], "<u4").view(np.uint8)
    cipher = twofish.Variant(key, 1, whitening=False)
    changed = (cipher.encrypt(texts) ^ cipher.encrypt(others))[:, 8:].copy().view("<u4")
    F0, F1 = rotate_right(changed[:, 0], 31), changed[:, 1]
    return int(np.count_nonzero((F0 == trail.F) & (F1 == trail.F)))
