# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Counts of products, and the theory of MDS codes that they are compared with."""

from __future__ import annotations

import unittest
from math import comb

import numpy as np

from manyfish_lab import codes, gf256


class Counts(unittest.TestCase):
    # A matrix that keeps each byte in its place has one byte out for each byte in.
    columns = [np.arange(256, dtype=np.uint32) << np.uint32(8 * j) for j in range(3)]  # noqa: RUF012

    def test_output_counts(self) -> None:
        counts = codes.output_counts(self.columns, slice(1, 11))
        self.assertEqual(counts, [0, 0, 0, 10 * 255, 0])

    def test_by_places(self) -> None:
        counts = codes.counts_by_places(self.columns, [[0], [2], [0, 1]], slice(1, 256))
        self.assertEqual(counts[1], [0, 2, 0, 0, 0])
        self.assertEqual(counts[2], [0, 0, 255, 0, 0])

    def test_elements_and_products(self) -> None:
        matrix = [(1, 2, 3), (4, 5, 6), (7, 8, 9), (0, 1, 255)]
        times = gf256.product_table(0x14D)
        columns = [
            np.array(
                [
                    sum(times[row[j]][x] << 8 * i for i, row in enumerate(matrix))
                    for x in range(256)
                ],
                np.uint32,
            )
            for j in range(3)
        ]
        self.assertEqual(codes.elements(columns), matrix)
        self.assertTrue(codes.are_products(columns, matrix, 0x14D))
        columns[1][200] ^= np.uint32(1)
        self.assertFalse(codes.are_products(columns, matrix, 0x14D))


class Theory(unittest.TestCase):
    def test_all_words_of_a_code_are_counted(self) -> None:
        for n, k in ((8, 4), (12, 8), (5, 1)):
            total = sum(codes.mds_code_words(n, k, weight) for weight in range(n + 1))
            self.assertEqual(total, 256**k)

    def test_pairs_by_inputs(self) -> None:
        for i in range(5):
            inputs = sum(codes.mds_pairs(4, 4, i, o) for o in range(5))
            self.assertEqual(inputs, comb(4, i) * 255**i)


if __name__ == "__main__":
    unittest.main()
