# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The search for S in a scale model, and the experiment at its small scale."""

from __future__ import annotations

import json
import unittest

import numpy as np

from manyfish_lab import scaled, scaled_attack
from manyfish_lab.experiments import five_round_attack as experiment


class ScaledTest(unittest.TestCase):
    """Five rounds of the scale model."""

    def test_parts_add_up(self) -> None:
        random = np.random.default_rng(14)
        cipher = scaled.random_key(random, scaled_attack.CELLS)
        halves, sums = scaled_attack.sets_of_texts(cipher, random, 6)
        carry = int(cipher.K[4, 1] & 1)
        parts = scaled_attack.parts(scaled_attack.odd_cells(cipher, halves), (2 | carry, 1))
        total = 0
        for part, key in zip(parts, cipher.S):
            total ^= int(part[key])
        self.assertEqual(total, sums)
        plain = 0
        for number, (first, second) in enumerate(halves):
            T0, T1 = cipher.g[first], cipher.g[cipher.rol(second, scaled.BITS)]
            bits = np.bitwise_count(T0 & np.uint32(2 | carry)) + (T1 & 1)
            plain |= (int(bits.sum()) & 1) << number
        self.assertEqual(plain, sums)


class ExperimentTest(unittest.TestCase):
    """The small scale."""

    def test_small_scale(self) -> None:
        done = [
            json.loads(json.dumps(experiment.compute(task), allow_nan=False))
            for task in experiment.tasks("small")
        ]
        for part in done:
            if part["kind"] != "speed":
                self.assertEqual(part["wrong"], 0)
                self.assertEqual(part["right"], 0 if part.get("rounds") == 6 else 1, part)
        findings = experiment.combine("small", done)
        texts = [cell.ours for cell in findings.tables[1].cells]
        self.assertTrue(all("S found, 0 wrong" in text for text in texts), texts)
        self.assertGreater(findings.data[0]["words"], 0)

    def test_parts_cover_all_once(self) -> None:
        for scale in ("small", "paper"):
            reached: dict[tuple[str, int], int] = {}
            for task in experiment.tasks(scale):
                if task["kind"] in ("guess", "join"):
                    name = (task["kind"], task["bits"])
                    self.assertEqual(task["first"], reached.get(name, 0))
                    reached[name] = task["first"] + task["count"]
            for (kind, bits), end in reached.items():
                self.assertEqual(end, 1 << (bits if kind == "guess" else 16))

    def test_span(self) -> None:
        self.assertEqual(experiment.span(1.5), "1.5 s")
        self.assertEqual(experiment.span(7200), "2 hours")
        self.assertEqual(experiment.span(3e11), "9.51e+03 years")


if __name__ == "__main__":
    unittest.main()
