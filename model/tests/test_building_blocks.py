# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The paper's claims about q0, q1, MDS and RS, computed again."""

from __future__ import annotations

import unittest
from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import combinations

from twofish import MDS, MDS_POLYNOMIAL, RS, RS_POLYNOMIAL, Q, gf_multiply, mds_multiply, pht


def cycle_lengths(permutation: bytes) -> list[int]:
    left, lengths = set(range(256)), []
    while left:
        x, length = left.pop(), 1
        while (x := permutation[x]) in left:
            left.remove(x)
            length += 1
        lengths.append(length)
    return lengths


def differential_maximum(permutation: bytes) -> int:
    """The largest number of x with q(x) ^ q(x ^ a) = b over all a > 0 and b."""
    largest = 0
    for a in range(1, 256):
        counts = [0] * 256
        for x in range(256):
            counts[permutation[x] ^ permutation[x ^ a]] += 1
        largest = max(largest, *counts)
    return largest


def walsh(values: list[int]) -> list[int]:
    """The Walsh-Hadamard transform."""
    if len(values) == 1:
        return values
    half = len(values) // 2
    low, high = values[:half], values[half:]
    return walsh([a + b for a, b in zip(low, high)]) + walsh([a - b for a, b in zip(low, high)])


def linear_maximum(permutation: bytes) -> int:
    """The largest absolute Walsh coefficient over all masks but zero."""

    def parity(x: int) -> int:
        return bin(x).count("1") & 1

    spectra = (walsh([1 - 2 * parity(y & mask) for y in permutation]) for mask in range(1, 256))
    return max(abs(w) for spectrum in spectra for w in spectrum)


def determinant(matrix: Sequence[Sequence[int]], polynomial: int) -> int:
    """By the first row; signs do not matter in characteristic 2."""
    if len(matrix) == 1:
        return matrix[0][0]
    terms = (
        gf_multiply(
            a, determinant([(*r[:j], *r[j + 1 :]) for r in matrix[1:]], polynomial), polynomial
        )
        for j, a in enumerate(matrix[0])
    )
    return reduce(lambda a, b: a ^ b, terms)


def minors(matrix: Sequence[Sequence[int]], polynomial: int) -> Iterator[int]:
    """All square minors; none of them is zero if and only if the code is MDS."""
    for n in range(1, len(matrix) + 1):
        for rows in combinations(matrix, n):
            for columns in combinations(range(len(matrix[0])), n):
                yield determinant([[row[c] for c in columns] for row in rows], polynomial)


class Permutations(unittest.TestCase):
    """[Twofish98, 7.2]"""

    def test_they_are_permutations(self) -> None:
        for q in Q:
            self.assertEqual(sorted(q), list(range(256)))

    def test_fixed_points(self) -> None:
        self.assertEqual([[x for x in range(256) if q[x] == x] for q in Q], [[4], [27, 246]])

    def test_short_cycles(self) -> None:
        counts = [[cycle_lengths(q).count(n) for n in (1, 2, 3, 4)] for q in Q]
        self.assertEqual(counts, [[1, 1, 1, 0], [2, 0, 0, 1]])

    def test_differential_probability(self) -> None:
        self.assertEqual([differential_maximum(q) for q in Q], [10, 10])

    def test_linear_probability(self) -> None:
        self.assertEqual([linear_maximum(q) for q in Q], [64, 64])


class Matrices(unittest.TestCase):
    """[Twofish98, 7.3]"""

    def test_mds_has_branch_number_five(self) -> None:
        found = list(minors(MDS, MDS_POLYNOMIAL))
        self.assertEqual(len(found), 69)
        self.assertNotIn(0, found)

    def test_rs_code_is_mds(self) -> None:
        found = list(minors(RS, RS_POLYNOMIAL))
        self.assertEqual(len(found), 494)
        self.assertNotIn(0, found)

    def test_mds_weights_of_one_byte_differences(self) -> None:
        weights = [0] * 27
        for j in range(4):
            for x in range(1, 256):
                y = mds_multiply([x if i == j else 0 for i in range(4)])
                weights[bin(int.from_bytes(y, "little")).count("1")] += 1
        expected = [7, 23, 42, 20, 52, 95, 88, 94, 121, 128, 91, 102, 76, 41, 24, 8, 4, 1, 3]
        self.assertEqual(weights, [0] * 8 + expected)

    def test_minors_of_a_matrix_that_is_not_mds(self) -> None:
        planted = (MDS[0], MDS[0], *MDS[2:])
        self.assertIn(0, minors(planted, MDS_POLYNOMIAL))

    def test_multiplication_is_that_of_a_field(self) -> None:
        for polynomial in (MDS_POLYNOMIAL, RS_POLYNOMIAL):
            for a in range(1, 256):
                products = {gf_multiply(a, x, polynomial) for x in range(256)}
                self.assertEqual(products, set(range(256)))


class Pht(unittest.TestCase):
    def test_it_can_be_undone(self) -> None:
        a, b = 0xDEADBEEF, 0x89ABCDEF
        x, y = pht(a, b)
        self.assertEqual(((2 * x - y) % 2**32, (y - x) % 2**32), (a, b))
