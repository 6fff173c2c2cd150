# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Differences through the PHT and the key addition, against all values of short words."""

from __future__ import annotations

import itertools
import unittest

import numpy as np
from numpy.typing import NDArray

from manyfish_lab import pht_differences

BITS = 3
SIZE = 1 << BITS


def counted(a: int, b: int) -> NDArray[np.int64]:
    """How often F0 and F1 get each pair of differences, over all T0, T1, K and K'."""
    t, u, first, second = np.indices((SIZE,) * 4)
    x, y = t ^ a, u ^ b
    c = (t + u + first) % SIZE ^ (x + y + first) % SIZE
    e = (t + 2 * u + second) % SIZE ^ (x + 2 * y + second) % SIZE
    return np.bincount((SIZE * c + e).ravel(), minlength=SIZE**2).reshape(SIZE, SIZE)


class EachDifferenceOfThreeBits(unittest.TestCase):
    def test_weights_are_exact_and_limits_below(self) -> None:
        words = range(SIZE)
        for a, b in itertools.product(words, repeat=2):
            weights = [[pht_differences.weight(a, b, c, e, BITS) for e in words] for c in words]
            shares = [[0 if w is None else 2**-w for w in row] for row in weights]
            np.testing.assert_allclose(shares, counted(a, b) / SIZE**4, atol=1e-12)
            limits = [[pht_differences.limits(a, b, c, e, BITS) for e in words] for c in words]
            self.assertTrue((np.array(shares) <= 0.5 ** np.array(limits)).all())


if __name__ == "__main__":
    unittest.main()
