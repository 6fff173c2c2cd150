# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Tests of the *.csv and of what is made of them, with planted results, and of wrong input."""

from __future__ import annotations

import contextlib
import io
import subprocess
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from unittest import mock

import fpga
import measured
import report
import stored
from cores import CORES
from layout import Layout
from measured import LatchRam, Result
from proofs import Proved
from report import Report
from report_fpgas import Other
from tools import HARDWARE, ROOT, HardwareError, write

TOOLS = "yosys 0.0, OpenSTA 0.0"
GOOD = Result("two_h", TOOLS, 800.0, 3400.0, 12000.0, 0, 16.0, 21.0, 16.0, 16, 21)
LONGER = replace(GOOD, core="two_h_256", rest=18000.0, ns=20.0)
SBOXES = replace(GOOD, core="sbox_ram", rest=6000.0, ram_bits=16384, ns=12.5, startup=298)
LAID = Layout("two_h", TOOLS, 1000.0, 500.0, 0.75, 400.0, 380.0, 26.0, 19.0, 20.0, 25.0)
PLACED = fpga.Figures("two_h", "planted FPGA", "nextpnr 0", 3000, 900, 4, 25.0)


class Csv(unittest.TestCase):
    """Rows come back as they were, and strange ones are refused."""

    def read(self, text: str) -> list[Result]:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "results.csv"
            path.write_text(text, encoding="utf-8")
            return measured.read(path)

    def test_there_and_back(self) -> None:
        rows = [GOOD, LONGER, SBOXES]
        self.assertEqual(self.read(stored.text(Result, rows)), rows)

    def test_that_a_row_replaces_the_old_one_in_order(self) -> None:
        again = replace(GOOD, rest=1.0)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "results.csv"
            for row in (SBOXES, GOOD, LONGER, again):
                stored.record(path, row, CORES)
            self.assertEqual(measured.read(path), [again, LONGER, SBOXES])

    def test_unknown_core(self) -> None:
        with self.assertRaisesRegex(HardwareError, "unknown cores: planted"):
            self.read(stored.text(Result, [GOOD]).replace("two_h", "planted"))

    def test_no_file(self) -> None:
        with self.assertRaisesRegex(HardwareError, "is not there"):
            measured.read(ROOT / "planted.csv")


class Figures(unittest.TestCase):
    """The figures computed for a row."""

    def test_rates(self) -> None:
        self.assertAlmostEqual(GOOD.gates, 16200)
        self.assertAlmostEqual(GOOD.mbits(40), 320)
        self.assertAlmostEqual(replace(GOOD, core="two_h_pipe4", clocks=64.0).mbits(150), 1200)
        self.assertAlmostEqual(SBOXES.total(3.5), 10200 + 57344)

    def test_misses(self) -> None:
        self.assertEqual(GOOD.misses(), set())
        for what, worse in {
            "clocks": replace(GOOD, clocks=17.0),
            "mhz": replace(GOOD, ns=25.1),
            "aim": replace(GOOD, rest=14100.0),
        }.items():
            self.assertEqual(worse.misses(), {what})
        self.assertEqual(replace(GOOD, rest=19000.0).misses(), {"gates", "aim"})
        self.assertEqual(replace(SBOXES, rest=19000.0).misses(), {"gates"})


class Document(unittest.TestCase):
    """The tables have what they should, in sections that are there if there is something."""

    def test_sections(self) -> None:
        proved = [Proved("planted", "one is one", 1.5)]
        ram = LatchRam(2048, 8192.0, 3.5)
        laid = {"two_h": LAID}
        text = Report([GOOD, LONGER, SBOXES], [PLACED], proved, ram, layouts=laid).document()
        for line in (
            "| `two_h` | 23,000 | 16,200 | 16 | 16 | 1 | 20 | 21 | 40 | 62.5 | 50.0 | 320 | 500 |",
            " | 62.5 | 50.0 | 320 | 500 | 400 | ",
            "| `sbox_ram` | 80,000 | 10,200 and RAM | 16 | 16 |",
            "| `sbox_ram` | 10,200 | 16,384 | 34,776 | 67,544 | 75,736 |",
            "| `two_h_256` | 256 | 22,200 | +37 % | 0 | 16 | 21 | 50.0 | -20 % |",
            "| `two_h` | planted FPGA | 3,000 | 900 | 4 | 25.0 | 200 | 66.7 |",
            "| `two_h` | 1,000 x 500 | 0.50 | 75 | 400 | 380 | 26.0 | 52.6 | 50.0 | 40.0 | 21.6 |",
            "| `planted` | one is one | 1.5 |",
            "With a RAM of x ns `sbox_ram` has a period of 12.5 - 3 + x ns",
            f"comes from {TOOLS}",
        ):
            self.assertIn(line, text)

    def test_that_ours_stand_beside_public_cores(self) -> None:
        other = Other("planted", "a/b", "", "0123", "encryption", 25, 1000, 25.0)
        ours = replace(PLACED, device="ECP5 25F")
        text = Report([GOOD], [PLACED, ours], others=[other]).document()
        before, after = text[text.index("## Beside") :].split(
            "| `planted`, a/b at 0123 | none given |"
        )
        self.assertIn("encryption | 25 | 1,000 | 25.0 | 128 | 128.0 |", after)
        self.assertEqual(after.count("| `two_h`, this project |"), 1)
        self.assertNotIn("this project", before)

    def test_without_the_others(self) -> None:
        text = Report([GOOD]).document()
        for title in ("Layouts", "FPGAs", "RAM in gates", "proven", "Longer keys", "does not have"):
            self.assertNotIn(title, text)

    def test_readme(self) -> None:
        text = report.readme(Report([GOOD, LONGER, SBOXES], layouts={"two_h": LAID}))
        self.assertIn("(`two_h`) | 16,200 | 16 | 62 | 50 | 500 | 400 | 23,000 | 320 |", text)
        self.assertIn("10,200 and RAM: 34,776 to 67,544 |", text)
        self.assertNotIn("two_h_256", text)


class Writing(unittest.TestCase):
    """A file is replaced as a whole or not at all."""

    def test_nothing_is_half_written(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "RESULTS.md"
            path.write_text("before")
            full = OSError(28, "No space left on device")
            with mock.patch.object(Path, "replace", side_effect=full), self.assertRaises(OSError):
                write(path, "after")
            self.assertEqual(path.read_text(), "before")
            self.assertEqual(list(Path(folder).iterdir()), [path])
            write(path, "after")
            self.assertEqual(path.read_text(), "after")

    def test_threads_that_write_the_same(self) -> None:
        with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(4) as pool:
            path = Path(folder) / "cells.lib"
            list(pool.map(lambda _: write(path, "all of it"), range(400)))
            self.assertEqual(path.read_text(), "all of it")
            self.assertEqual(list(Path(folder).iterdir()), [path])

    def test_a_core_that_is_wrong(self) -> None:
        said = io.StringIO()
        with (
            tempfile.TemporaryDirectory() as folder,
            contextlib.redirect_stderr(said),
            contextlib.redirect_stdout(io.StringIO()),
        ):
            path = Path(folder) / "results.csv"
            self.assertFalse(report.record_rows(path, Result, [GOOD, HardwareError("planted")]))
            self.assertFalse(path.exists())
            self.assertTrue(report.record_rows(path, Result, [GOOD]))
            self.assertEqual(measured.read(path), [GOOD])
        self.assertIn("error: planted", said.getvalue())


class Committed(unittest.TestCase):
    """The files of the repository."""

    def test_made_of_results(self) -> None:
        self.assertEqual(report.check(), 0)

    def test_an_edited_document(self) -> None:
        made = {ROOT / "hardware" / "README.md": "another text"}
        errors = io.StringIO()
        with (
            mock.patch.object(report, "made_files", return_value=made),
            contextlib.redirect_stderr(errors),
        ):
            self.assertEqual(report.check(), 1)
        self.assertIn("README.md is not that of results.csv", errors.getvalue())


class WrongInput(unittest.TestCase):
    """Ends with a sentence and a status."""

    def test_unknown_command(self) -> None:
        for arguments in ([], ["planted"], ["check", "planted"]):
            command = [sys.executable, "report.py", *arguments]
            done = subprocess.run(command, cwd=HARDWARE, capture_output=True, text=True)
            self.assertEqual(done.returncode, 2)
            self.assertIn("report.py record", done.stderr)


if __name__ == "__main__":
    unittest.main()
