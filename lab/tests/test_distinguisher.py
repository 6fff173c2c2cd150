# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The scale model, and distinguishers that must and must not fire."""

from __future__ import annotations

import dataclasses
import itertools
import json
import unittest

import numpy as np

from manyfish_lab import scaled
from manyfish_lab.experiments import distinguisher as experiment

BITS = scaled.BITS


def determinant(rows: list[list[int]]) -> int:
    """In GF(2^4), by expansion."""
    if not rows:
        return 1
    result = 0
    for j, first in enumerate(rows[0]):
        minor = [row[:j] + row[j + 1 :] for row in rows[1:]]
        result ^= scaled.times(first, determinant(minor))
    return result


def rotated(x: int, n: int, bits: int) -> int:
    """To the left."""
    n %= bits
    return (x << n | x >> (bits - n)) & (1 << bits) - 1


def encrypted(cipher: scaled.Scaled, block: list[int], rounds: int) -> list[int]:
    """One block, cell by cell and without tables."""
    bits, size = cipher.bits, 2**cipher.bits

    def g(x: int) -> int:
        y = [
            int(scaled.lane(cipher.cells, j, key)[x >> BITS * j & 15])
            for j, key in enumerate(cipher.S)
        ]
        total = 0
        for word in y:
            total ^= word
        return total

    for K0, K1 in cipher.K[:rounds].tolist():
        R0, R1, R2, R3 = block
        T0, T1 = g(R0), g(rotated(R1, BITS, bits))
        F0, F1 = (T0 + T1 + K0) % size, (T0 + 2 * T1 + K1) % size
        block = [rotated(R2 ^ F0, -1, bits), rotated(R3, 1, bits) ^ F1, R0, R1]
    return block


class ScaledTest(unittest.TestCase):
    """The scale model."""

    def test_matrices_are_mds(self) -> None:
        for cells in (2, 4):
            rows = scaled.matrix(cells)
            for size in range(1, cells + 1):
                chosen = list(itertools.combinations(range(cells), size))
                for of, columns in itertools.product(chosen, repeat=2):
                    minor = [[rows[i][j] for j in columns] for i in of]
                    self.assertNotEqual(determinant(minor), 0)

    def test_lane_is_a_permutation_times_a_column(self) -> None:
        for cell in range(4):
            words = scaled.lane(4, cell, 0xA7)
            column = [row[cell] for row in scaled.matrix(4)]
            self.assertEqual(len({int(w) & 15 for w in words}), 16)
            for word in words.tolist():
                y = next(y for y in range(16) if scaled.times(column[0], y) == word & 15)
                self.assertEqual(
                    [word >> BITS * i & 15 for i in range(4)], [scaled.times(m, y) for m in column]
                )

    def test_blocks(self) -> None:
        random = np.random.default_rng(3)
        for cells in (2, 4):
            cipher = scaled.random_key(random, cells)
            blocks = random.integers(0, 16**cells, (5, 4)).astype(np.uint32)
            left, right = cipher.encrypt(
                (blocks[:, 0], blocks[:, 1]), (blocks[:, 2], blocks[:, 3]), 5
            )
            for i, block in enumerate(blocks.tolist()):
                found = [int(word[i]) for word in (*left, *right)]
                self.assertEqual(found, encrypted(cipher, block, 5))


class DistinguisherTest(unittest.TestCase):
    """The tests that must fire, and those that must not."""

    def test_small_scale(self) -> None:
        done = [
            json.loads(json.dumps(experiment.compute(task), allow_nan=False))
            for task in experiment.tasks("small")
        ]
        data = experiment.combine("small", done).data
        of = {
            k: {r: by["fired"] for r, by in rounds.items()} for k, rounds in data.items() if rounds
        }
        self.assertEqual(of["bytes"]["3"], [256] * 5)
        self.assertEqual(of["bytes"]["4"][-2:] + of["bytes"]["16"][-2:], [0] * 4)
        self.assertEqual(of["word"], {"4": [64], "5": [0], "16": [0]})
        self.assertEqual(of["half"], {"5": [2], "6": [0], "16": [0]})
        chance = data["bytes"]["16"]["fired"][1] / 256
        self.assertAlmostEqual(chance, experiment.false_alarm(16), delta=0.12)

    def test_one_constant_bit_changes_no_check(self) -> None:
        """A XORed constant complements counts of 2^32 texts."""
        counts = [2 * 77777, 31337, 2**31, 7654321]
        for flips in itertools.product((0, 1), repeat=4):
            other = [2**32 - c if flip else c for c, flip in zip(counts, flips)]
            self.assertEqual(experiment.checks(other, 2**32), experiment.checks(counts, 2**32))
        self.assertEqual(experiment.checks([2, 1, 2, 3], 4), 4)
        self.assertEqual(experiment.checks([1, 1, 2, 1], 4), 2)
        self.assertEqual(experiment.checks([2, 0, 0, 0], 4), 1)

    def test_an_f_that_is_no_bijection_has_the_impossible_pairs(self) -> None:
        random = np.random.default_rng(6)
        cipher = scaled.random_key(random, 2)
        self.assertEqual(experiment.half_collisions(cipher, random, 5), 0)
        g = cipher.g.copy()
        g[::2] = g[1::2]
        planted = dataclasses.replace(cipher, g=g)
        self.assertGreater(experiment.half_collisions(planted, random, 5), 0)

    def test_a_g_with_one_value_twice_does_not_saturate(self) -> None:
        random = np.random.default_rng(8)
        held = 0
        for _ in range(50):
            cipher = scaled.random_key(random, 2)
            broken = dataclasses.replace(cipher, g=np.where(cipher.g == 0, 1, cipher.g))
            held += experiment.checks(experiment.word_counts(broken, random, 4), 256) == 4
        self.assertLess(held, 40)


if __name__ == "__main__":
    unittest.main()
