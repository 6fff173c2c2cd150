# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The experiment `key-uniqueness`, and the search that it rests on in its full size."""

from __future__ import annotations

import unittest

import numpy as np

from manyfish_lab import collisions, columns
from manyfish_lab.experiment import UnexplainedError
from manyfish_lab.experiments.key_uniqueness import EXPERIMENT


class Collisions(unittest.TestCase):
    """All values of three inner key bytes."""

    def test_three_inner_key_bytes(self) -> None:
        """For three, the counts of short sequences by sorting, and each pair that is listed."""
        tables, x = columns.tables(3, 4)[1:], columns.inputs(3, 4, 6)
        found = collisions.find(tables, x, 6)
        inner = np.arange(2**24, dtype="<u4").view(np.uint8).reshape(-1, 4)[:, :3]
        z = columns.inside(3, 4, inner, x[:3])
        one, two = (z[:, 1:] ^ z[:, :1]).T.astype(np.uint16)
        for n, key in ((2, one), (3, one << 8 | two)):
            count = np.bincount(key).astype(object)
            self.assertEqual(found.pairs[n], (count * (count - 1) // 2).sum())
        self.assertEqual(len(found.listed), found.pairs[6])
        self.assertGreater(found.pairs[6], 50)
        for pair in found.listed:
            outer = np.zeros((2, 1), np.uint8)
            y = columns.outputs(3, 4, np.hstack([outer, pair]), x)
            t0 = np.argsort(columns.tables(3, 4)[0])
            self.assertEqual(len(set(t0[y[0]] ^ t0[y[1]])), 1)


class KeyUniqueness(unittest.TestCase):
    """The experiment, without the longer tasks of its small scale."""

    def test_short_keys(self) -> None:
        """All keys of 128 and 192 bits, all S of 128 bits; 256-bit keys in one position."""
        tasks = [
            t for t in EXPERIMENT.tasks("small") if t.get("subkeys") != 4 or t["positions"] == [6]
        ]
        findings = EXPERIMENT.combine("small", [EXPERIMENT.compute(task) for task in tasks])
        cells = [cell for table in findings.tables for cell in table.cells]
        published = [cell for cell in cells if cell.published is not None]
        self.assertEqual([cell.agrees for cell in published], [True] * 4)

    def test_an_equal_pair_is_told(self) -> None:
        """A figure that differs from the source cannot pass."""
        results = [{"subkeys": k, "pairs": [[0, *range(16, 0, -1)]]} for k in columns.KEY_BITS]
        with self.assertRaises(UnexplainedError):
            EXPERIMENT.combine("small", results)

    def test_scales(self) -> None:
        """The full scale has all parts of all columns, and each scale has the one before."""
        small, paper, full = (EXPERIMENT.tasks(scale) for scale in ("small", "paper", "full"))
        parts = [(t["part"], t["column"]) for t in full if t.get("boxes_of") == 4]
        self.assertEqual(sorted(parts), [(p, c) for p in range(256) for c in range(4)])
        self.assertTrue(all(task in paper for task in small) and all(t in full for t in paper))


if __name__ == "__main__":
    unittest.main()
