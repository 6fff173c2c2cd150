# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Maps of words of 32 bits that are linear over GF(2), as the images of the 32 bits."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

BITS = 32

Map = Sequence[int]
Words = NDArray[np.uint32]


def images(function: Callable[[int], int]) -> Map:
    """Of a function that is linear."""
    return [function(1 << i) for i in range(BITS)]


def apply(by: Map, words: Words) -> Words:
    """The image of each word."""
    result = np.zeros_like(words)
    for i, image in enumerate(by):
        result ^= (words >> np.uint32(i) & np.uint32(1)) * np.uint32(image)
    return result


def inverse(of: Map) -> Map:
    """By elimination; ValueError if there is none."""
    rows = [(image, 1 << i) for i, image in enumerate(of)]
    for i in range(BITS):
        pivot = next((n for n in range(i, BITS) if rows[n][0] >> i & 1), None)
        if pivot is None:
            raise ValueError("a map that has no inverse")
        rows[i], rows[pivot] = rows[pivot], rows[i]
        image, word = rows[i]
        rows = [
            (a ^ image, b ^ word) if n != i and a >> i & 1 else (a, b)
            for n, (a, b) in enumerate(rows)
        ]
    return [word for _, word in rows]
