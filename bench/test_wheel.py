# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Tests of wheel.py: the table that it makes of a CSV."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path

import wheel

CSV = """\
# cpu: A processor
# features: ssse3 avx2
# cores: 2
# python: cpython 3.11
# commit: 0123abc
# date: 2026-11-22
operation,program,kernel,unit,value
OCB,C library,avx2,MB/s,400.0
OCB,manyfish,avx2,MB/s,380.0
one block,manyfish,avx2,keys/s,1234567.8
one block,slow 1.0,,keys/s,0.1
opens,manyfish,avx2,s,0.6
opens,slow 1.0,,s,300
"""


class Table(unittest.TestCase):
    def setUp(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "planted.csv"
            path.write_text(CSV, encoding="utf-8")
            self.lines = wheel.table_of(path)

    def test_the_machine_stands_above(self) -> None:
        self.assertIn(
            "A processor, 2 cores with ssse3 avx2; kernel `avx2`; cpython 3.11; commit 0123abc, ",
            self.lines[0],
        )

    def test_ours_is_the_first_program(self) -> None:
        self.assertEqual(self.lines[2], "| | unit | manyfish | C library | slow 1.0 |")

    def test_others_say_how_many_times_ours_is(self) -> None:
        self.assertEqual(self.lines[4], "| OCB | MB/s | **380** | 400 (0.95x) |  |")
        self.assertEqual(
            self.lines[5], "| one block | keys/s | **1,234,568** |  | 0.10 (12,345,678x) |"
        )

    def test_less_seconds_are_faster(self) -> None:
        self.assertEqual(self.lines[6], "| opens | s | **0.60** |  | 300 (500x) |")


if __name__ == "__main__":
    unittest.main()
