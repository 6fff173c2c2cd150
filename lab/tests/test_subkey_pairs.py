# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The experiment `subkey-pairs`: the published row, and sets of pairs against plain counts."""

from __future__ import annotations

import unittest
from itertools import combinations

import numpy as np

from manyfish_lab import columns
from manyfish_lab.experiment import Findings, UnexplainedError
from manyfish_lab.experiments import subkey_pairs
from manyfish_lab.experiments.subkey_pairs import EXPERIMENT, LENGTH


class SubkeyPairs(unittest.TestCase):
    """The experiment."""

    findings: Findings

    @classmethod
    def setUpClass(cls) -> None:
        """Runs the small scale, except random pairs at most positions."""
        small = EXPERIMENT.tasks("small")
        tasks = [task for task in small if "seed" not in task or task["position"] == 3]
        cls.findings = EXPERIMENT.combine("small", [EXPERIMENT.compute(task) for task in tasks])

    def test_the_published_row(self) -> None:
        """Digit for digit, of all pairs."""
        cells = self.findings.tables[0].cells
        self.assertEqual([cell.agrees for cell in cells], [True] * 9)
        self.assertEqual(sum(self.findings.data["inner"]["alike"]), 8 * 256 * 255 // 2)

    def test_sets(self) -> None:
        """One set against a plain count, and the sizes of the others."""
        rows = columns.inside(5, 2, subkey_pairs.byte_keys(1), columns.inputs(5))
        most = [np.bincount(a ^ b, minlength=256).max() for a, b in combinations(rows, 2)]
        counts = np.bincount(most, minlength=LENGTH + 1).tolist()
        self.assertEqual(subkey_pairs.inner_pairs(5).sum(1).tolist(), counts)
        data = self.findings.data
        self.assertEqual(sum(data["inner outputs"]["alike"]), 8 * 256 * 256 * 255 // 2)
        self.assertEqual(data["outer outputs"]["zeros"][0], 8 * 256 * 256 * 255 // 2)

    def test_slices_are_all_pairs(self) -> None:
        """Those of the paper scale, by their rows."""
        rows = subkey_pairs.ROWS
        begins = [
            begin
            for number in range(subkey_pairs.SLICES["paper"])
            for begin in (number * rows, 65536 - (number + 1) * rows)
        ]
        self.assertEqual(sorted(begins), list(range(0, 65536, rows)))

    def test_a_wrong_row_is_told(self) -> None:
        """Another set instead of the right one is a difference that nothing explains."""
        results = [EXPERIMENT.compute(task) for task in EXPERIMENT.tasks("small")[:24]]
        swapped = {"inner": "inner outputs", "inner outputs": "inner"}
        wrong = [{**result, "set": swapped.get(result["set"], "any")} for result in results]
        with self.assertRaises(UnexplainedError):
            EXPERIMENT.combine("small", wrong)


if __name__ == "__main__":
    unittest.main()
