# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Tests of results.csv and of what is made of it, with planted results, and of wrong input."""

from __future__ import annotations

import contextlib
import io
import os
import signal
import subprocess
import sys
import tempfile
import unittest
from dataclasses import replace
from pathlib import Path
from unittest import mock

import report
from machine import ROOT, ProgramError, run_tool
from programs import PROGRAMS
from report import Result

ROM = {"cipher": 900, "tables": 1024, "set_key": 60}
CLOCKS = {"encrypt": (23000, 23000), "decrypt": (23010, 23020), "set_key": (1400, 1400)}
GOOD = Result(PROGRAMS["fly_2tables"], "hc05", "", ROM, 24, 36, 20, 0, 2, CLOCKS)


class Csv(unittest.TestCase):
    """Rows come back as they were, and strange ones are refused."""

    def read(self, text: str) -> list[Result]:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "results.csv"
            path.write_text(text, encoding="utf-8")
            return report.read(path)

    def test_there_and_back(self) -> None:
        encrypt_only = replace(
            GOOD, program=PROGRAMS["fly_2tables_enc"], clocks={"encrypt": (22990, 23000)}
        )
        self.assertEqual(self.read(report.csv_text([GOOD, encrypt_only])), [GOOD, encrypt_only])

    def test_some_are_measured_again(self) -> None:
        """Their rows are replaced; others stay, in the order of the programs."""
        other = replace(GOOD, program=PROGRAMS["fly_1table"])
        again = replace(GOOD, work_ram=35)
        found = report.merged([other, GOOD], {("fly_2tables", "hc05"): again})
        self.assertEqual(list(found), [again, other])

    def test_unknown_program(self) -> None:
        with self.assertRaisesRegex(ProgramError, "unknown programs: planted"):
            self.read(report.csv_text([GOOD]).replace("fly_2tables", "planted"))

    def test_no_file(self) -> None:
        with self.assertRaisesRegex(ProgramError, "is not there"):
            report.read(ROOT / "planted.csv")


class Misses(unittest.TestCase):
    """The report names figures above the paper's, or above our aim."""

    def test_each(self) -> None:
        self.assertEqual(GOOD.misses(), set())
        slow = {**CLOCKS, "decrypt": (26501, 26501)}
        for what, worse in {
            "rom": replace(GOOD, rom={**ROM, "set_key": 300}),
            "clocks": replace(GOOD, clocks=slow),
            "aim": replace(GOOD, clocks={**CLOCKS, "encrypt": (25601, 25601)}),
            "ram": replace(GOOD, work_ram=39),
        }.items():
            self.assertEqual(worse.misses(), {what})

    def test_aim_without_a_row_of_the_paper(self) -> None:
        self.assertEqual(replace(GOOD, program=PROGRAMS["fly_sboxes"]).misses(), {"aim"})


class Writing(unittest.TestCase):
    """A file is replaced as a whole or not at all."""

    def test_nothing_is_half_written(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "RESULTS.md"
            path.write_text("before")
            full = OSError(28, "No space left on device")
            with mock.patch.object(Path, "replace", side_effect=full), self.assertRaises(OSError):
                report.write(path, "after")
            self.assertEqual(path.read_text(), "before")
            self.assertEqual(list(Path(folder).iterdir()), [path])
            report.write(path, "after")
            self.assertEqual(path.read_text(), "after")


class WrongInput(unittest.TestCase):
    """Ends with a sentence and a status."""

    def run_program(self, *arguments: str) -> tuple[int, str]:
        command = [sys.executable, *arguments]
        folder = ROOT / "smartcard"
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=os.environ)
        return done.returncode, done.stderr

    def test_unknown_program(self) -> None:
        status, said = self.run_program("measure.py", "planted")
        self.assertEqual(status, 2)
        self.assertIn("measure.py: error: there is no program 'planted'\nmeasure.py: hint: ", said)

    def test_a_reader_that_has_enough(self) -> None:
        reader, writer = os.pipe()
        os.close(reader)
        command = [sys.executable, "measure.py", "--list"]
        done = subprocess.run(
            command, cwd=ROOT / "smartcard", stdout=writer, stderr=subprocess.PIPE, text=True
        )
        os.close(writer)
        self.assertEqual((done.returncode, done.stderr), (128 + signal.SIGPIPE, ""))

    def test_unknown_command(self) -> None:
        self.assertEqual(self.run_program("report.py", "planted")[0], 2)
        self.assertEqual(self.run_program("report.py")[0], 2)

    def test_missing_tool(self) -> None:
        with self.assertRaises(ProgramError) as raised:
            run_tool(["planted-as"], "planted")
        self.assertEqual(raised.exception.error, "planted-as is not installed")
        self.assertIn("apt-get install planted", raised.exception.hint)

    def test_an_edited_document(self) -> None:
        made = {ROOT / "smartcard" / "README.md": "another text"}
        errors = io.StringIO()
        with (
            mock.patch.object(report, "made_files", return_value=made),
            contextlib.redirect_stderr(errors),
        ):
            self.assertEqual(report.check(), 1)
        self.assertIn("README.md is not that of results.csv", errors.getvalue())


if __name__ == "__main__":
    unittest.main()
