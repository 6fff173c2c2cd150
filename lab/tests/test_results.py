# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Results: what is written is read again, whole or not at all."""

from __future__ import annotations

import json
import resource
import tempfile
import unittest
from collections import Counter
from dataclasses import asdict, replace
from pathlib import Path

from manyfish_lab import results
from manyfish_lab.errors import LabError
from manyfish_lab.experiment import Findings, Json, Plot, Scale, Table, ours, same, within
from manyfish_lab.results import Cost, Result

RESULT = Result(
    experiment="squares",
    scale="small",
    seed=7,
    command="manyfish-lab run squares --scale small",
    code="c0de",
    date="2026-11-22",
    versions={"python": "3.11"},
    cost=Cost(12, 0, 1.5, (0.1, 0.125, 0.2), 1.0, 2, "a processor"),
    findings=Findings(
        tables=[
            Table("One", [same("sum", "1", "1"), within("p", "2", "3", False, "chance")], "[A, 1]"),
            Table("Two", [ours("count", "4", "is new: ÷ ≠ ≤")]),
        ],
        plots=[
            Plot("p", "t", "x", "y", "bars", {"a": [(0, 1.5), (1, 2)]}, x_names=("m", "n")),
            Plot("q", "t", "x", "y", "heat", grid=[[1, None], [0.5, 2]]),
        ],
        remarks=["A remark."],
        data={"counts": list(range(200)), "name": None, "deep": [{"a": [1, 2]}, {"b": {}}]},
    ),
)


class Results(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_read_is_what_was_written(self) -> None:
        path = results.write(self.folder / "new", RESULT)
        self.assertEqual(path.name, "squares.small.json")
        again = results.read(path)
        self.assertEqual(results.write(self.folder, again).read_bytes(), path.read_bytes())
        self.assertEqual(again.findings.tables[0].cells, RESULT.findings.tables[0].cells)
        self.assertEqual(again.findings.data, RESULT.findings.data)
        self.assertEqual(again.cost.task_seconds[1], 0.125)
        self.assertEqual([p.name for p in (self.folder / "new").iterdir()], [path.name])

    def test_each_record_has_one_line(self) -> None:
        text = results.write(self.folder, RESULT).read_text()
        self.assertEqual(json.loads(text)["findings"]["data"], RESULT.findings.data)
        lines = [line.strip() for line in text.splitlines()]
        cells = [cell for table in RESULT.findings.tables for cell in table.cells]
        for record in [*map(asdict, cells), RESULT.findings.data["counts"]]:
            text = json.dumps(record, ensure_ascii=False)
            self.assertEqual(sum(text in line for line in lines), 1)

    def test_keys_that_are_numbers_become_text(self) -> None:
        data = {128: {1: list(range(100))}, 192: Counter([3])}
        findings = replace(RESULT.findings, data=data)
        path = results.write(self.folder, replace(RESULT, findings=findings))
        read = results.read(path).findings.data
        self.assertEqual(read, {"128": {"1": list(range(100))}, "192": {"3": 1}})

    def test_all_in_order(self) -> None:
        some: list[tuple[str, Scale]] = [("b", "paper"), ("b", "small"), ("a", "full")]
        for name, scale in some:
            results.write(self.folder, replace(RESULT, experiment=name, scale=scale))
        (self.folder / "a.full.cost.json").write_text("{}")
        (self.folder / "scaling.json").write_text("{}")
        found = [(result.experiment, result.scale) for result in results.read_all(self.folder)]
        self.assertEqual(found, [("a", "full"), ("b", "small"), ("b", "paper")])

    def test_what_is_no_result_is_refused(self) -> None:
        path = results.write(self.folder, RESULT)
        good = json.loads(path.read_text())
        cell = good["findings"]["tables"][0]["cells"][1]
        plot = good["findings"]["plots"][0]
        wrong: list[Json] = [
            [],
            {},
            {**good, "format": 2},
            {**good, "cost": {}},
            {**good, "more": 1},
            {**good, "findings": {**good["findings"], "tables": [{}]}},
            {**good, "findings": {**good["findings"], "tables": [
                {"title": "", "source": "", "cells": [{**cell, "why": ""}]}]}},
            {**good, "findings": {**good["findings"], "plots": [{**plot, "series": {"a": [1]}}]}},
            {**good, "findings": {**good["findings"], "remarks": "text"}},
        ]  # fmt: skip
        for broken in wrong:
            path.write_text(json.dumps(broken))
            with self.assertRaisesRegex(LabError, "squares.small.json"):
                results.read(path)
        for text in ("", path.read_text()[:50], "\0"):
            path.write_text(text)
            with self.assertRaises(LabError):
                results.read(path)
        with self.assertRaisesRegex(LabError, "No such file"):
            results.read(self.folder / "missing.small.json")

    def test_a_full_disk_leaves_the_old_result(self) -> None:
        path = results.write(self.folder, RESULT)
        old = path.read_bytes()
        limit = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (500, limit[1]))
        try:
            with self.assertRaisesRegex(LabError, "cannot write .*: File too large"):
                results.write(self.folder, replace(RESULT, code="0ther"))
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limit)
        self.assertEqual(path.read_bytes(), old)
        self.assertEqual(list(self.folder.iterdir()), [path])


if __name__ == "__main__":
    unittest.main()
