# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Arithmetic in GF(2^8) against the model."""

from __future__ import annotations

import random
import sys
import unittest
from itertools import product
from math import comb
from pathlib import Path

import numpy as np

from manyfish_lab import gf256, twofish

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "model"))
import twofish as model


class Field(unittest.TestCase):
    def test_products_are_those_of_the_model(self) -> None:
        for polynomial in (model.MDS_POLYNOMIAL, model.RS_POLYNOMIAL):
            table = gf256.product_table(polynomial)
            for a, b in product(range(256), range(0, 256, 5)):
                self.assertEqual(table[a][b], model.gf_multiply(a, b, polynomial))

    def test_inverses(self) -> None:
        for polynomial in (0x169, 0x14D):
            for a in range(1, 256):
                self.assertEqual(gf256.multiply(a, gf256.inverse(a, polynomial), polynomial), 1)
        with self.assertRaises(ZeroDivisionError):
            gf256.inverse(0, 0x169)

    def test_powers(self) -> None:
        self.assertEqual(gf256.power(2, 8, 0x14D), 0x4D)
        self.assertEqual(gf256.power(2, -1, 0x14D), 0x14D >> 1)


class Matrices(unittest.TestCase):
    def test_determinant_of_a_product(self) -> None:
        rng = random.Random(1)
        for n in (1, 2, 3, 4):
            a, b = ([[rng.randrange(256) for _ in range(n)] for _ in range(n)] for _ in range(2))
            times = gf256.product_table(0x169)
            c = [[0] * n for _ in range(n)]
            for i, j, k in product(range(n), repeat=3):
                c[i][j] ^= times[a[i][k]][b[k][j]]
            det = [gf256.determinant(m, 0x169) for m in (a, b, c)]
            self.assertEqual(det[2], times[det[0]][det[1]])

    def test_equal_rows_have_determinant_0(self) -> None:
        self.assertEqual(gf256.determinant([[1, 2, 3], [4, 5, 6], [1, 2, 3]], 0x169), 0)

    def test_a_matrix_that_is_not_mds_is_found(self) -> None:
        self.assertIn(0, gf256.square_minors([[1, 2], [2, 4]], 0x169))

    def test_number_of_minors(self) -> None:
        self.assertEqual(len(list(gf256.square_minors(model.MDS, 0x169))), comb(8, 4) - 1)
        self.assertEqual(len(list(gf256.square_minors(model.RS, 0x14D))), comb(12, 4) - 1)


class Words(unittest.TestCase):
    WORDS = np.random.default_rng(2).integers(0, 2**32, 1000, np.uint32) & np.uint32(0xFF00FFFF)

    def test_nonzero_bytes(self) -> None:
        counted = [sum(byte != 0 for byte in int(w).to_bytes(4, "little")) for w in self.WORDS]
        self.assertEqual(gf256.nonzero_bytes(self.WORDS).tolist(), counted)
        lone = np.array([1 << n for n in range(32)], np.uint32)
        self.assertEqual(gf256.nonzero_bytes(lone).tolist(), [1] * 32)

    def test_rotate_right(self) -> None:
        for n in (0, 1, 8, 31, 33):
            turned = [model.ror(int(w), n % 32) for w in self.WORDS]
            self.assertEqual(gf256.rotate_right(self.WORDS, n).tolist(), turned)

    def test_sums(self) -> None:
        a, b, c = (self.WORDS[i : i + 3] for i in (0, 3, 6))
        expected = [int(x ^ y ^ z) for x, y, z in product(a, b, c)]
        self.assertEqual(gf256.sums(a, b, c).tolist(), expected)


class Library(unittest.TestCase):
    """The library and the model multiply as the lab does."""

    def test_mds(self) -> None:
        rng = random.Random(3)
        for y in [1 << n for n in range(32)] + [rng.randrange(2**32) for _ in range(500)]:
            product_bytes = model.mds_multiply(y.to_bytes(4, "little"))
            self.assertEqual(twofish.mds(y), model.word(product_bytes))

    def test_rs(self) -> None:
        rng = random.Random(4)
        for m in [1 << n for n in range(64)] + [rng.randrange(2**64) for _ in range(500)]:
            eight = m.to_bytes(8, "little")
            self.assertEqual(twofish.rs(eight), model.word(model.rs_multiply(eight)))


if __name__ == "__main__":
    unittest.main()
