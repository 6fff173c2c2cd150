# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Right pairs and longer keys in the scale model, and the experiment at its small scale."""

from __future__ import annotations

import json
import unittest

import numpy as np

from manyfish_lab import scaled, scaled_attack, scaled_pairs
from manyfish_lab.experiments import five_round_models as experiment


class ModelTest(unittest.TestCase):
    """The parts of both attacks."""

    def test_the_difference_is_that_of_right_pairs(self) -> None:
        random = np.random.default_rng(17)
        cipher = scaled.random_key(random, scaled_attack.CELLS)
        box = [scaled.box(cell, key) for cell, key in enumerate(cipher.S)]
        every = np.arange(2**cipher.bits, dtype=np.uint32)
        for x in (0, 77, 65535):
            (y,) = np.flatnonzero(cipher.g == cipher.g[x] ^ scaled_pairs.TOP).tolist()
            for cell, wanted in enumerate(scaled_pairs.difference()):
                digits = [word >> 4 * cell & 15 for word in (x, y)]
                self.assertEqual(box[cell][digits[0]] ^ box[cell][digits[1]], wanted)
            self.assertEqual(scaled_pairs.right_pairs(cipher, every[x : x + 1], every), 1)

    def test_longer_keys_add_up(self) -> None:
        """With each number of key cells: shares of the cells against g of every text."""
        random = np.random.default_rng(18)
        for k in (2, 3):
            cipher = scaled.random_key(random, scaled_attack.CELLS, k=k)
            self.assertGreater(max(cipher.S), 16 ** (k - 1))
            halves, sums = scaled_attack.sets_of_texts(cipher, random, 3)
            carry = int(cipher.K[4, 1] & 1)
            odd = scaled_attack.odd_cells(cipher, halves)
            parts = scaled_attack.parts(odd, (2 | carry, 1), k)
            total = np.bitwise_xor.reduce([part[key] for part, key in zip(parts, cipher.S)])
            self.assertEqual(int(total), sums)


class ExperimentTest(unittest.TestCase):
    """The small scale, with a pair that is planted."""

    def test_small_scale(self) -> None:
        done = [
            json.loads(json.dumps(experiment.compute(task), allow_nan=False))
            for task in experiment.tasks("small")
        ]
        for part in done:
            self.assertGreaterEqual(part["pairs"], 1)
            self.assertEqual((part["right"] > 0, part["wrong"]), (part["rounds"] == 5, 0))
        findings = experiment.combine("small", done)
        self.assertEqual(findings.tables[0].cells[0].ours, "S found for 1 of 1, 0 wrong")

    def test_parts_cover_all_once(self) -> None:
        reached: dict[str, int] = {}
        for task in experiment.tasks("full"):
            name = f"{task['kind']} {task['seed']} {task['rounds']}"
            self.assertEqual(task["first"], reached.get(name, 0))
            reached[name] = task["first"] + task["count"]
        for name, end in reached.items():
            self.assertEqual(end, experiment.SIDE if name.startswith("pairs") else 65536)


if __name__ == "__main__":
    unittest.main()
