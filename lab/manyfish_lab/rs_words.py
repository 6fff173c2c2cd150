# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Differences of eight key bytes that RS takes to zero: they leave S as it is.

RS is MDS [Twofish98, 4.3], so such words have at least five bytes other than zero, and any
four bytes determine the others.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from manyfish_lab import gf256, twofish

Bytes = NDArray[np.uint8]

POLYNOMIAL = 0x14D  # [Twofish98, 4.3]
LEAST_WEIGHT = 5


def products() -> Bytes:
    """Row a, column b: the product of a and b in the field of RS."""
    return np.frombuffer(b"".join(gf256.product_table(POLYNOMIAL)), np.uint8).reshape(256, 256)


def word(support: Sequence[int]) -> Bytes:
    """The word with these five places other than zero, and 1 at the first of them."""
    image = [[twofish.rs(bytes(p) + bytes([v])) for v in range(256)] for p in range(8)]
    table = np.array(image, np.uint32)
    a, b, c, d, e = support
    left = table[a, 1] ^ table[b][:, None] ^ table[c][None, :]
    right = table[d][:, None] ^ table[e][None, :]
    _, at_left, at_right = np.intersect1d(left, right, assume_unique=True, return_indices=True)
    found = np.zeros(8, np.uint8)
    found[a] = 1
    found[[b, c]] = np.divmod(int(at_left[0]), 256)
    found[[d, e]] = np.divmod(int(at_right[0]), 256)
    return found


def multiples(of: Bytes) -> Bytes:
    """All 255 multiples of a word."""
    return products()[1:, of]


def completion() -> Bytes:
    """The matrix by which bytes 0 to 3 of a word give bytes 4 to 7."""
    return np.stack([word((j, 4, 5, 6, 7))[4:] for j in range(4)], axis=1)
