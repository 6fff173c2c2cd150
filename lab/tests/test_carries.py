# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Differences in additions, against all pairs of small numbers."""

from __future__ import annotations

import unittest

import numpy as np

from manyfish_lab import carries


def counted(difference: int, bits: range, size: int = 6) -> float:
    """By trial of all pairs of numbers of a few bits."""
    x, y = np.meshgrid(np.arange(2**size), np.arange(2**size))
    changed = (x + y) ^ ((x ^ difference) + y)
    mask = sum(1 << bit for bit in bits)
    return float(np.mean(changed & mask == 0))


class Unchanged(unittest.TestCase):
    def test_all_small_differences(self) -> None:
        for bits in (range(1), range(3), range(2, 5), range(5, 6)):
            found = carries.unchanged(np.arange(64, dtype=np.uint32), bits)
            expected = [counted(difference, bits) for difference in range(64)]
            np.testing.assert_allclose(found, expected, atol=1e-15)

    def test_the_cases_of_a_bit_are_all_of_them(self) -> None:
        for carry in carries.CARRIES:
            for is_one in (False, True):
                cases = [s for s in carries.steps() if s[:2] == (carry, is_one)]
                self.assertEqual(sum(share for *_, share in cases), 1)
                self.assertLessEqual({s[3] for s in cases}, set(carries.CARRIES))


if __name__ == "__main__":
    unittest.main()
