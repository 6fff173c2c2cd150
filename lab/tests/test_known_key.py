# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Sums from the middle, and the experiment at its small scale."""

from __future__ import annotations

import json
import unittest
from typing import ClassVar

import numpy as np

from manyfish_lab import integrals, twofish
from manyfish_lab.errors import LabError
from manyfish_lab.experiment import Json
from manyfish_lab.experiments import known_key as experiment


class SumsTest(unittest.TestCase):
    """The same sums in another way."""

    def test_middle_sums(self) -> None:
        """Of texts that come from plaintexts."""
        random = np.random.default_rng(1)
        key, plaintexts = random.bytes(16), random.integers(0, 256, (2, 16), np.uint8)
        middle = twofish.Variant(key, 2, whitening=False).encrypt(plaintexts).view("<u4")
        ciphertexts = twofish.Variant(key, 5, whitening=False).encrypt(plaintexts)
        for i in range(2):
            R2, R3, R0, R1 = middle[i]
            value = np.array([0x1234], np.uint32)
            block = np.array([R0, R1, R2 ^ value[0], R3], "<u4")
            found = integrals.middle_sums(key, block, value, 2, 3)
            expected = integrals.bits(np.array([plaintexts[i], ciphertexts[i]]))
            np.testing.assert_array_equal(found, expected)


class ExperimentTest(unittest.TestCase):
    """The small scale, and claims that are wrong."""

    done: ClassVar[list[Json]]

    @classmethod
    def setUpClass(cls) -> None:
        tasks = experiment.tasks("small")
        cls.done = [json.loads(json.dumps(experiment.compute(task))) for task in tasks]

    def test_figures(self) -> None:
        tables = experiment.combine("small", self.done).tables
        found = {cell.what: cell.ours for table in tables for cell in table.cells}
        sums = [value for what, value in found.items() if ", sum 0 of the " in what]
        three = "bit 0 of word 0; bits 0, 31 of word 1", "bit 31 of word 0; bits 0 to 1 of word 1"
        few = "bit 0 of word 0; bits 0, 31 of word 1", "bits 0, 31 of word 0; bit 0 of word 1"
        one = "bit 31 of word 1", "bit 0 of word 1"
        self.assertEqual(sums, [*few, *three, *one, *three])
        more = [value for what, value in found.items() if " texts, " in what]
        self.assertEqual(more, ["none"] * 8)

    def test_planted_faults(self) -> None:
        """A sum that is odd where there is no trail is an error of the trails."""
        large: list[Json] = [
            {"kind": kind, "before": [0] * n, "after": [0] * n, "key": "", "middle": ""}
            for kind, n in (("words", 64), ("codebook", 16))
        ]
        experiment.combine("full", self.done + large)
        for kind in ("bytes", "model", "words", "codebook"):
            for way in experiment.STEPS:
                done: list[Json] = json.loads(json.dumps(self.done + large))
                for each in done:
                    if each["kind"] == kind:
                        each[way] = [1] * len(each[way])
                self.assertRaises(LabError, experiment.combine, "full", done)


if __name__ == "__main__":
    unittest.main()
