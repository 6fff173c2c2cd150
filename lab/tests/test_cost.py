# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Scaling and the cost model: what is measured, what is kept, and what follows from it."""

from __future__ import annotations

import tempfile
import unittest
from dataclasses import replace
from pathlib import Path

import tiny
from manyfish_lab import cost, scaling
from manyfish_lab.cluster import Cluster
from manyfish_lab.cost import Sample
from manyfish_lab.errors import LabError
from manyfish_lab.results import Cost
from manyfish_lab.scaling import Run, Scaling

# Two workers, of whose 2 x 50 seconds 80 went into tasks.
COSTS = [
    Cost(10, 0, 80.0, (8.0, 8.0, 8.0), wall, count, "p") for count, wall in ((1, 82.0), (2, 50.0))
]
SCALING = Scaling("2026-11-22", {}, [Run("squares", "small", c) for c in COSTS], 0.002)
SAMPLE = Sample("squares", "full", 1_000_000, [3.0, 5.0], "p", "2026-11-22", {})


class Model(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_work_and_sending(self) -> None:
        row = cost.row(SAMPLE, SCALING, (2, 1000, 100_000))
        self.assertAlmostEqual(row.cpu_hours, 4e6 / 3600)
        self.assertAlmostEqual(row.hours[2] * 3600, 5 + 4e6 / (2 * 0.8))
        self.assertAlmostEqual(row.hours[1000] * 3600, 5 + 4e6 / (1000 * 0.8))
        self.assertAlmostEqual(row.hours[100_000] * 3600, 5 + 1e6 * 0.002)

    def test_what_is_kept_is_read_again(self) -> None:
        self.assertEqual(cost.rows(self.folder, (2,)), [])
        cost.write(self.folder, SAMPLE)
        with self.assertRaisesRegex(LabError, "scaling.json"):
            cost.rows(self.folder, (2,))
        scaling.write(self.folder, SCALING)
        self.assertEqual(scaling.read(self.folder).runs[1].efficiency(), 0.8)
        self.assertEqual(cost.rows(self.folder, (2,)), [cost.row(SAMPLE, SCALING, (2,))])

    def test_measured_with_one_and_two_workers(self) -> None:
        few = replace(tiny.SQUARES, tasks=lambda scale: tiny.tasks(scale).first(4))
        few = replace(few, combine=tiny.count, covers={"small": "4"})
        measured = scaling.measure([few], "small", (1, 2), empty_tasks=50)
        self.assertEqual([run.cost.workers for run in measured.runs], [1, 2])
        self.assertEqual([run.cost.tasks for run in measured.runs], [4, 4])
        self.assertTrue(0 < measured.empty_task_seconds < 1)

    def test_a_sample_spans_the_scale(self) -> None:
        with Cluster(workers=1) as cluster:
            sample = cost.measure(tiny.SQUARES, "full", cluster, 5)
            self.assertEqual((sample.tasks, len(sample.seconds)), (100_000, 5))
            self.assertEqual(len(cost.measure(tiny.SQUARES, "small", cluster, 20).seconds), 12)
        self.assertEqual(cost.spread(100_000, 5), [0, 24_999, 49_999, 74_999, 99_999])
        self.assertEqual(cost.spread(3, 5), [0, 1, 2])
        self.assertEqual(cost.spread(1, 5), [0])


if __name__ == "__main__":
    unittest.main()
