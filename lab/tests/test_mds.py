# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The experiment `mds`: every figure that is published, and that its checks can fail."""

from __future__ import annotations

import json
import unittest
from functools import cache
from unittest import mock

import numpy as np

from manyfish_lab import codes, mds_matrices, mds_weights, twofish
from manyfish_lab.experiment import Cell, Findings
from manyfish_lab.experiments import mds


@cache
def found() -> Findings:
    return run()


def run() -> Findings:
    results = [json.loads(json.dumps(mds.compute(task))) for task in mds.tasks("small")]
    return mds.combine("small", results)


class Small(unittest.TestCase):
    def setUp(self) -> None:
        self.findings = found()

    def test_all_published_figures_agree(self) -> None:
        cells = [cell for table in self.findings.tables for cell in table.cells]
        differing = [cell.what for cell in cells if cell.agrees is False]
        self.assertEqual(differing, ["byte 3 of F_1 (the highest)"])
        self.assertEqual(sum(cell.agrees is True for cell in cells), 84)

    def test_all_words_are_counted(self) -> None:
        counts = self.findings.data["words"]
        self.assertEqual(sum(map(sum, counts)), 2**32 - 1)
        for i in range(1, 5):
            for o in range(5):
                self.assertEqual(counts[i][o], codes.mds_pairs(4, 4, i, o))

    def test_rotations_by_8_bits_more_are_alike(self) -> None:
        zero = self.findings.data["rotations"]["zero"]
        self.assertEqual(zero, zero[:8] * 4)
        self.assertEqual(zero[:8], [0, 0, 3, 10, 6, 4, 3, 3])

    def test_bytes_of_f(self) -> None:
        """Against additions of random numbers."""
        rng = np.random.default_rng(5)
        one = mds.one_byte()
        t0, t1 = rng.integers(0, 2**32, (2, 1000, 1), np.uint32)
        for half, factor in (("F_0", 1), ("F_1", 2)):
            changed = (t0 + factor * t1) ^ (t0 + factor * (t1 ^ one))
            for i, share in enumerate(self.findings.data["halves"][half]):
                found = np.mean(changed >> np.uint32(8 * i) & np.uint32(255) != 0)
                self.assertLess(abs(found - share), 3e-4)

    def test_no_better_matrix(self) -> None:
        chosen = self.findings.data["choice"]
        self.assertTrue(chosen["has Twofish"])
        self.assertEqual(chosen["more weight and unique"], 0)


class OtherMatrix(unittest.TestCase):
    """With a matrix that is not MDS the same code must say so."""

    def test_is_noticed(self) -> None:
        found()
        with mock.patch.object(twofish, "mds", lambda y: y | y << 16 & 0xFFFFFFFF):
            cells = [cell for table in run_quick().tables for cell in table.cells]
        wrong = {cell.what for cell in cells if cell.agrees is False}
        for what in ("row 0", "weight 8", "square minors that are 0", LEAST):
            self.assertIn(what, wrong)


LEAST = "fewest bytes not 0, word and product together"


def run_quick() -> Findings:
    """Without the search and with reasons for all differences, which a Cell demands."""
    chosen = found().data["choice"]
    parts = {**mds.PARTS, "choice": lambda: chosen}
    with (
        mock.patch.object(mds, "PARTS", parts),
        mock.patch.object(mds, "same", differing),
        mock.patch.object(mds_weights, "same", differing),
    ):
        return run()


def differing(what: str, published: str, ours: str, why: str = "") -> Cell:
    return Cell(what, published, ours, published == ours, "planted")


class Rotations(unittest.TestCase):
    def test_rows_that_are_rotations_are_found(self) -> None:
        lines = [(1, 2, 3, 4), (3, 4, 1, 2), (1, 2, 4, 3), (4, 3, 2, 1)]
        self.assertEqual(mds_matrices.rotated_pairs(lines), 1)

    def test_words_are_printed_with_byte_0_first(self) -> None:
        self.assertEqual(mds_weights.printed(mds.one_byte()[:1]), "015BEFEF")


if __name__ == "__main__":
    unittest.main()
