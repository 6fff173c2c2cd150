# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The patterns of differences against plain counting, and the experiment at its small scale."""

from __future__ import annotations

import itertools
import json
import unittest
from collections import Counter
from typing import ClassVar

import numpy as np

from manyfish_lab import pattern_search, patterns, twofish, verdicts
from manyfish_lab.experiment import Findings, Json
from manyfish_lab.experiments import truncated_differentials as experiment


def pattern(word: int, bits: int, cells: int) -> int:
    """Which cells of a word are not zero."""
    return sum(1 << i for i in range(cells) if word >> bits * i & (2**bits - 1))


class PartsTest(unittest.TestCase):
    """Each table against an enumeration of all words."""

    def test_mds(self) -> None:
        columns = [[twofish.mds(x << 8 * i) for x in range(256)] for i in range(4)]
        table = patterns.mds(8, 4)
        found = Counter(pattern(c, 8, 4) for c in columns[1][1:])
        self.assertEqual(found, {15: 255})
        self.assertAlmostEqual(table[2, 15], 1, 12)
        first, second = np.array(columns[0][1:]), np.array(columns[3][1:])
        both = first[:, None] ^ second[None, :]
        for zero in range(4):
            share = float((both >> 8 * zero & 255 == 0).mean())
            self.assertAlmostEqual(share, table[0b1001, 15 ^ 1 << zero], 12)

    def test_pht(self) -> None:
        for bits, cells in ((3, 1), (1, 3), (1, 2)):
            size = 2 ** (bits * cells)
            found = np.zeros((2**cells,) * 4)
            at = [pattern(word, bits, cells) for word in range(size)]
            for t, u, v, w in itertools.product(range(size), repeat=4):
                for k in range(size):
                    f = (t + v + k) % size ^ (u + w + k) % size
                    for other in range(size) if size < 8 else (5 * k % size,):
                        g = (t + 2 * v + other) % size ^ (u + 2 * w + other) % size
                        found[at[t ^ u], at[v ^ w], at[f], at[g]] += 1
            found /= found.sum(axis=(2, 3), keepdims=True)
            table = patterns.pht(bits, cells)
            if size < 8:
                np.testing.assert_allclose(table, found, atol=1e-12)
            for axis in (2, 3):  # either sum by itself, over all subkeys, where not all pairs were
                np.testing.assert_allclose(table.sum(axis), found.sum(axis), atol=1e-12)

    def test_rotation(self) -> None:
        bits, cells = 2, 3
        for left in (False, True):
            found = np.zeros((8, 8))
            for x in range(64):
                turned = (x << 1 | x >> 5) & 63 if left else x >> 1 | (x & 1) << 5
                found[pattern(x, bits, cells), pattern(turned, bits, cells)] += 1
            found /= found.sum(axis=1, keepdims=True)
            table = patterns.rotation(bits, cells, left)
            np.testing.assert_allclose(table[[0, 1, 2, 4]], found[[0, 1, 2, 4]], atol=1e-12)
            np.testing.assert_allclose(table, found, atol=1e-12)

    def test_exclusive_or(self) -> None:
        found = np.zeros((4, 4, 4))
        for x, y in itertools.product(range(64), repeat=2):
            found[pattern(x, 3, 2), pattern(y, 3, 2), pattern(x ^ y, 3, 2)] += 1
        found /= found.sum(axis=2, keepdims=True)
        np.testing.assert_allclose(patterns.exclusive_or(3, 2), found, atol=1e-12)

    def test_everything_sums_to_one(self) -> None:
        model = patterns.model(4, 2)
        np.testing.assert_allclose(model.F.sum(axis=(1, 2)), 1)
        np.testing.assert_allclose(model.rounds().sum(axis=2), 1)
        self.assertAlmostEqual(float(model.chance().sum()), 1, 12)

    def test_a_path_is_no_more_than_all_paths(self) -> None:
        model = patterns.model(4, 2)
        rounds, steps = model.rounds(), model.steps()
        start = np.zeros((16, 16))
        start[1, 0] = 1
        reached = patterns.best_paths(start, steps, 3)
        path = patterns.path_to(reached, steps, (15, 15))
        product = 1.0
        for (left, right), (after, _) in itertools.pairwise(path):
            product *= steps[left, right, after]
        self.assertAlmostEqual(product, float(reached[-1][15, 15]), 12)
        state = start
        for _ in range(3):
            state = patterns.propagate(state, rounds)
        self.assertLess(product, float(state[15, 15]))
        self.assertAlmostEqual(float(state.sum()), 1, 12)


class DifferentialsTest(unittest.TestCase):
    """The search from each start against powers of the whole matrix of a smaller cipher."""

    def test_none_is_missed(self) -> None:
        model = patterns.model(4, 2)
        rounds, size = model.rounds(), model.halves
        one = np.zeros((size,) * 4)
        for left in range(size):
            one[left, :, :, left] = rounds[left]
        matrix = one.reshape(size**2, size**2)
        weights = np.array([end.bit_count() for end in range(size**2)])
        chance = 15.0**weights / 2.0**32
        found = pattern_search.of_all(
            [
                pattern_search.differentials(
                    model, rounds, left, range(left == 0, size), range(1, 7)
                )
                for left in range(size)
            ]
        )
        power = np.eye(size**2)
        for told in found:
            power = power @ matrix
            real = power[1:, 1:]
            self.assertEqual(told["never"], int((real == 0).sum()))
            self.assertAlmostEqual(told["above"]["excess"], float((real / chance[1:]).max() - 1), 9)
            for zeros, best in enumerate(told["likely"]):
                most = float(real[:, weights[1:] == 8 - zeros].max())
                start, end = (size * left + right for left, right in best["states"])
                self.assertAlmostEqual(best["probability"], most, 12)
                self.assertAlmostEqual(float(power[start, end]), most, 12)


class ExperimentTest(unittest.TestCase):
    """The small scale, task by task."""

    done: ClassVar[list[Json]]
    findings: ClassVar[Findings]

    @classmethod
    def setUpClass(cls) -> None:
        cls.done = [
            json.loads(json.dumps(experiment.compute(task), allow_nan=False))
            for task in experiment.tasks("small")
        ]
        cls.findings = experiment.combine("small", cls.done)

    def test_published_figures(self) -> None:
        cells = [cell for table in self.findings.tables for cell in table.cells]
        found = [one.verdict for one in verdicts.judged(cells) if one.published]
        self.assertEqual(found, ["close"] * 3 + ["yes"])

    def test_real_differences_hold_the_model(self) -> None:
        """MDS is exact. Of F the model is good from two active bytes on."""
        for table in self.findings.tables:
            for cell in table.cells:
                if cell.what.startswith(("g:", "4 rounds:")):
                    self.assertNotIn("outside", cell.why, cell)
        away = [c for t in self.findings.tables for c in t.cells if c.why.startswith("outside")]
        self.assertLess(len(away), 6)

    def test_another_matrix_would_not(self) -> None:
        """A g that leaves every twentieth pair's zero byte out falls outside of its interval."""
        broken = json.loads(json.dumps(self.done))
        for part in broken:
            if part["kind"] == "g":
                moved = part["counts"][2][1] // 2
                part["counts"][2][1] -= moved
                part["counts"][2][0] += moved
        tables = experiment.combine("small", broken).tables
        whys = [c.why for t in tables for c in t.cells if c.what.startswith("g: 2")]
        self.assertIn("outside", whys)

    def test_tasks_are_repeatable(self) -> None:
        task = experiment.tasks("small")[-1]
        self.assertEqual(experiment.compute(task), experiment.compute(task))


if __name__ == "__main__":
    unittest.main()
