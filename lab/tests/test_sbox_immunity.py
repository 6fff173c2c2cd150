# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Polynomials that vanish on S-boxes: the native kernels against plain elimination."""

from __future__ import annotations

import itertools
import json
import unittest

import numpy as np

from manyfish_lab import gf256, sboxes
from manyfish_lab.experiment import Json, Scale
from manyfish_lab.experiments import sboxes_immunity as experiment

X = range(256)


def vectors(functions: list[list[int]], degree: int) -> list[tuple[int, int]]:
    """All products of at most as many of these functions: their degrees, and 256 bits."""
    ones, found = (1 << 256) - 1, []
    words = [sum(bit << x for x, bit in zip(X, f)) for f in functions]
    for n in range(degree + 1):
        for chosen in itertools.combinations(words, n):
            product = ones
            for word in chosen:
                product &= word
            found.append((n, product))
    return found


def dependent(rows: list[tuple[int, int]]) -> list[int]:
    """The degrees of those that are sums of others before them."""
    basis: dict[int, int] = {}
    found = []
    for degree, row in rows:
        while row and row.bit_length() in basis:
            row ^= basis[row.bit_length()]
        if row:
            basis[row.bit_length()] = row
        else:
            found.append(degree)
    return found


def bits(values: list[int]) -> list[list[int]]:
    return [[value >> i & 1 for value in values] for i in range(8)]


def plain_quadratic(s: list[int]) -> int:
    return len(dependent(vectors(bits(list(X)) + bits(s), 2)))


def plain_immunity(s: list[int]) -> int:
    least, rows = 4, vectors(bits(list(X)), 3)
    for b in range(1, 256):
        f = sum(((b & s[x]).bit_count() & 1) << x for x in X)
        for side in (f, ~f & (1 << 256) - 1):
            least = min([least, *dependent([(n, row & side) for n, row in rows])])
    return least


def power(n: int) -> list[int]:
    """x^n in GF(2^8)."""
    return [gf256.power(x, n, 0x11B) for x in X]


class Kernels(unittest.TestCase):
    """Figures of boxes against those by the definitions."""

    def test_quadratic(self) -> None:
        random = np.random.default_rng(1)
        boxes = [random.permutation(256).tolist(), list(X), power(3), power(7), power(254),
                 [x >> 1 for x in X], random.integers(0, 256, 256).tolist()]  # fmt: skip
        found = experiment.quadratic(np.array(boxes, np.uint8)).tolist()
        self.assertEqual(found, [plain_quadratic(s) for s in boxes])
        self.assertEqual(found[4], 39)

    def test_immunity(self) -> None:
        """Of each degree; x^7 is a permutation of degree 3."""
        random = np.random.default_rng(2)
        quadratic = [x & 1 ^ x >> 1 & x >> 2 & 1 for x in X]
        boxes = [random.permutation(256).tolist(), list(X), power(7), power(254)]
        halves = [(random.permutation(128) * 2 + bit).tolist() for bit in (0, 1)]
        boxes.append([halves[bit].pop() for bit in quadratic])
        found = experiment.immunity(np.array(boxes, np.uint8)).tolist()
        self.assertEqual(found, [plain_immunity(s) for s in boxes])
        self.assertEqual(set(found), {1, 2, 3, 4})

    def test_box_of_a_key(self) -> None:
        box = sboxes.make(np.array([5], np.uint32), 1, 2)
        self.assertEqual(experiment.quadratic(box).tolist(), [plain_quadratic(box[0].tolist())])


class ExperimentTest(unittest.TestCase):
    """The counts of all boxes."""

    def test_small(self) -> None:
        tasks = experiment.tasks("small")
        done: list[Json] = [json.loads(json.dumps(experiment.compute(task))) for task in tasks]
        tables = experiment.combine("small", done).tables[1:]
        found = {cell.what: cell.ours for table in tables for cell in table.cells}
        boxes = "128-bit keys, a sample of {:,} S-boxes: {}"
        self.assertEqual(found[boxes.format(1 << 10, "0 equations")], f"{1 << 10:,}")
        self.assertEqual(found[boxes.format(16, "immunity 4")], "16")

    def test_tasks(self) -> None:
        """Each scale has as many boxes as it says."""
        scales: dict[Scale, int] = {"paper": 1 << 21, "full": 4 << 24}
        for scale, longer in scales.items():
            counts: dict[tuple[str, int], int] = {}
            for task in experiment.tasks(scale):
                of = task["figure"], task["k"]
                counts[of] = counts.get(of, 0) + task["count"]
            expected = {("immunity", 2): 4 << 16, ("quadratic", 2): 4 << 16,
                        ("quadratic", 3): longer, ("quadratic", 4): 1 << 21}  # fmt: skip
            self.assertEqual(counts, expected)


if __name__ == "__main__":
    unittest.main()
