# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The experiment `rs`: every figure that is published, and that its checks can fail."""

from __future__ import annotations

import json
import unittest
from math import comb
from unittest import mock

import numpy as np

from manyfish_lab import codes, twofish
from manyfish_lab.experiment import Findings
from manyfish_lab.experiments import rs


class Small(unittest.TestCase):
    findings: Findings

    @classmethod
    def setUpClass(cls) -> None:
        results = [json.loads(json.dumps(rs.compute(task))) for task in rs.tasks("small")]
        cls.findings = rs.combine("small", results)

    def test_all_published_figures_agree(self) -> None:
        cells = [cell for table in self.findings.tables for cell in table.cells]
        self.assertEqual([cell for cell in cells if cell.agrees is False], [])
        self.assertEqual(sum(cell.agrees is True for cell in cells), 7)

    def test_distance(self) -> None:
        values = {c.what: c.ours for table in self.findings.tables for c in table.cells}
        self.assertEqual(values["least distance, which is also the branch number"], "5")
        self.assertEqual(values["words of weight 5"], str(comb(12, 5) * 255))

    def test_changes_are_as_many_as_theory_says(self) -> None:
        for i in (1, 2, 3):
            expected = [codes.mds_pairs(8, 4, i, o) for o in range(5)]
            self.assertEqual(self.findings.data["changes"][i], expected)
            self.assertEqual(sum(expected), comb(8, i) * 255**i)

    def test_words_of_weight_5_by_key_bytes(self) -> None:
        found = self.findings.data["lightest words"]["found"]
        self.assertEqual(found, [0, *(10 * comb(8, i) * comb(4, 5 - i) for i in range(1, 6))])


class Generator(unittest.TestCase):
    def test_roots_lie_equally_far_apart(self) -> None:
        roots = rs.of_matrix()["roots"]
        self.assertEqual(roots, [12 + 77 * n for n in range(4)])

    def test_remainder_of_low_degree_is_the_power_itself(self) -> None:
        self.assertEqual(rs.remainder(2, rs.reversible_generator())[:3], [0, 0, 1])


class OtherMatrix(unittest.TestCase):
    """With a matrix whose code has words of weight 4 the same code must say so."""

    @staticmethod
    def spoiled(m: bytes) -> int:
        """Key byte 7 only reaches three bytes of S."""
        return SOUND(m) ^ SOUND(bytes(7) + m[7:]) & 0xFF

    def test_minors_and_checks(self) -> None:
        with mock.patch.object(twofish, "rs", self.spoiled):
            self.assertGreater(rs.of_matrix()["minors that are 0"], 0)
            self.assertFalse(rs.of_matrix()["made by the generator"])
            close = rs.close_words()
            self.assertLess(close["checks"], close["patterns"])

    def test_changes(self) -> None:
        with mock.patch.object(twofish, "rs", self.spoiled):
            self.assertEqual(rs.compute({"part": "changes", "places": [[7]]})[1], [0, 0, 0, 1, 0])


SOUND = twofish.rs


class CheckColumns(unittest.TestCase):
    def test_words_of_the_code_have_check_0(self) -> None:
        key = bytes(range(1, 9))
        word = key + twofish.rs(key).to_bytes(4, "little")
        columns = rs.check_columns()
        self.assertEqual(np.bitwise_xor.reduce([c[x] for c, x in zip(columns, word)]), 0)


if __name__ == "__main__":
    unittest.main()
