# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Tails against values of printed tables, and against other ways to compute them."""

from __future__ import annotations

import unittest
from math import exp, isclose, log

import numpy as np

from manyfish_lab import chi_square


class Tails(unittest.TestCase):
    def test_quantiles_of_tables(self) -> None:
        """Upper 5 % and 1 % points, as every textbook prints them."""
        rows = ((1, 3.841, 6.635), (2, 5.991, 9.210), (10, 18.307, 23.209), (100, 124.342, 135.807))
        for degrees, five, one in rows:
            self.assertAlmostEqual(chi_square.upper_tail(five, degrees), 0.05, places=4)
            self.assertAlmostEqual(chi_square.upper_tail(one, degrees), 0.01, places=4)

    def test_two_degrees_are_exponential(self) -> None:
        for x in (0.1, 1.0, 3.0, 10.0, 2000.0):
            self.assertTrue(isclose(chi_square.log_upper_tail(x, 2), -x / 2, rel_tol=1e-9))

    def test_even_degrees_are_sums_of_poisson(self) -> None:
        for half, x in ((5, 4.0), (5, 20.0), (40, 70.0), (40, 100.0)):
            term = total = exp(-x / 2)
            for k in range(1, half):
                term *= x / 2 / k
                total += term
            self.assertTrue(isclose(chi_square.upper_tail(x, 2 * half), total, rel_tol=1e-9))

    def test_many_degrees_are_normal(self) -> None:
        degrees = 16384
        for z in (-3, -1, 0, 1, 3):
            cube = degrees * (1 - 2 / (9 * degrees) + z * (2 / (9 * degrees)) ** 0.5) ** 3
            expected = chi_square.normal_tail(z)
            self.assertAlmostEqual(chi_square.upper_tail(cube, degrees), expected, places=5)

    def test_far_tails(self) -> None:
        self.assertEqual(chi_square.upper_tail(0, 5), 1)
        self.assertLess(chi_square.log_upper_tail(1e6, 128), -1000 * log(10))
        self.assertEqual(chi_square.shown(2 * 50 * log(10), 2), "p = 10^-50")
        self.assertEqual(chi_square.shown(5.991, 2), "p = 0.0500")
        self.assertEqual(chi_square.shown(1e6, 2), "p < 10^-100")


class Counts(unittest.TestCase):
    def test_thin_bins_are_joined(self) -> None:
        bins = chi_square.joined([1, 2, 3, 4, 1], [2, 2, 4, 6, 1], 5)
        self.assertEqual(bins, [(6, 8), (5, 7)])

    def test_right_counts_pass_and_wrong_ones_fail(self) -> None:
        rng = np.random.default_rng(1)
        expected = chi_square.binomial(128, 100_000)
        fair = np.bincount(rng.binomial(128, 0.5, 100_000), minlength=129).tolist()
        bent = np.bincount(rng.binomial(128, 0.502, 100_000), minlength=129).tolist()
        self.assertGreater(chi_square.upper_tail(*chi_square.of_counts(fair, expected)), 0.001)
        self.assertLess(chi_square.upper_tail(*chi_square.of_counts(bent, expected)), 1e-9)

    def test_wilson(self) -> None:
        low, high = chi_square.wilson(0, 100)
        self.assertAlmostEqual(low, 0)
        self.assertAlmostEqual(high, 0.0370, places=4)
        low, high = chi_square.wilson(50, 100)
        self.assertAlmostEqual(low, 0.4038, places=4)
        self.assertAlmostEqual(high, 0.5962, places=4)


if __name__ == "__main__":
    unittest.main()
