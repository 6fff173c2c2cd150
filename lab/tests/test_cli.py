# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The command line: what it prints, says and exits with."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TESTS = Path(__file__).resolve().parent


class CommandLine(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.environment = dict(os.environ)

    def start(self, *arguments: str, stdout: int = subprocess.PIPE) -> subprocess.Popen[str]:
        path = os.pathsep.join((str(TESTS.parent), str(TESTS)))
        return subprocess.Popen(
            [sys.executable, str(TESTS / "tiny_cli.py"), *arguments],
            cwd=self.folder,
            env={**self.environment, "PYTHONPATH": path},
            stdout=stdout,
            stderr=subprocess.PIPE,
            text=True,
        )

    def lab(self, *arguments: str, status: int = 0) -> tuple[str, str]:
        return self.end(self.start(*arguments), status)

    def end(self, process: subprocess.Popen[str], status: int) -> tuple[str, str]:
        printed, said = process.communicate(timeout=60)
        self.assertEqual(process.returncode, status, said)
        self.assertNotIn("Traceback", said)
        return printed, said

    def test_list(self) -> None:
        printed, said = self.lab("list")
        self.assertEqual(said, "")
        self.assertIn("squares\n    What do squares add up to?\n    small:  12 numbers\n", printed)
        self.assertIn("    full:   100,000 numbers\n", printed)

    def test_dask_is_loaded_only_where_it_is_needed(self) -> None:
        code = "import sys, manyfish_lab.cli; sys.exit('dask' in sys.modules)"
        path = {**os.environ, "PYTHONPATH": str(TESTS.parent)}
        self.assertEqual(subprocess.run([sys.executable, "-c", code], env=path).returncode, 0)

    def test_version_and_help(self) -> None:
        self.assertRegex(self.lab("--version")[0], r"^manyfish-lab \S")
        for command in ("list", "run", "report", "data", "plot", "scaling", "cost", "compare"):
            self.assertIn(f"usage: manyfish-lab {command}", self.lab(command, "--help")[0])

    def test_a_terminal_without_some_signs(self) -> None:
        self.environment["PYTHONIOENCODING"] = "ascii"
        self.assertIn("Does one of 2 \\xb1 1 workers die?", self.lab("list")[0])

    def test_unknown_names(self) -> None:
        _, said = self.lab("run", "sqares", status=1)
        self.assertIn("manyfish-lab: error: there is no experiment 'sqares'\nhint: did", said)
        self.assertIn("squares?", said)
        _, said = self.lab("run", "squares", "xxxx", status=1)
        self.assertIn("`manyfish-lab list` names all", said)

    def test_wrong_use(self) -> None:
        for arguments in (
            (),
            ("run",),
            ("run", "--all", "squares"),
            ("run", "squares", "--workers", "0"),
            ("run", "squares", "--workers", "1", "--scheduler", "tcp://127.0.0.1:1"),
            ("run", "squares", "--scale", "huge"),
            ("run", "squares", "--pieces", "0"),
            ("run", "squares", "wrong", "--scale", "paper", "--pieces", "0"),
            ("run", "squares", "--scale", "paper", "--pieces", "0", "--again"),
            ("run", "squares", "--scale", "paper", "--pieces", "3-2"),
            ("run", "squares", "--scale", "paper", "--pieces", "3-4"),
            ("walk",),
        ):
            _, said = self.lab(*arguments, status=2)
            self.assertIn("usage: manyfish-lab", said)

    def test_no_scheduler(self) -> None:
        addresses = ("tcp://127.0.0.1:1", "tcp://[::1]:1")
        started = [self.start("run", "squares", "--scheduler", each) for each in addresses]
        for address, process in zip(addresses, started, strict=True):
            _, said = self.end(process, 1)
            self.assertIn(f"no Dask scheduler answers at {address}\nhint: start one", said)
        for address in ("nonsense:", "tcp://127.0.0.1", "8786"):
            _, said = self.lab("run", "squares", "--scheduler", address, status=1)
            self.assertIn(f"{address} is no address of a scheduler", said)

    def test_run_goes_on_after_a_figure_without_explanation(self) -> None:
        printed, said = self.lab("run", "wrong", "squares", status=3)
        self.assertIn("wrong: sum: the source has 42, ours is 506, and nothing says why", said)
        for text in (
            "squares, scale small: 12 numbers\n",
            "Question: What do squares add up to?\n",
            "Method:   Each is computed, and they are added.\n",
            "Sources:  [Twofish98, 7.2]\n",
            "Command:  manyfish-lab run squares --scale small\n",
            "Seed:     7\n",
            "Squares [Twofish98]\n         published  ours  agrees\n",
            "  sum    506        506   yes\n",
            "Cost:     12 tasks, ",
            "File:     build/lab-small/squares.small.json\n",
        ):
            self.assertIn(text, printed)
        self.assertEqual(
            sorted(path.name for path in (self.folder / "build" / "lab-small").iterdir()),
            ["squares.small.json", "unfinished"],
        )
        printed, said = self.lab("run", "squares")
        self.assertIn("--again", said)

    def test_pieces(self) -> None:
        """The last one makes the result, whichever it is."""
        run = ("run", "squares", "--scale", "paper", "--pieces")
        printed, _ = self.lab(*run, "1-3")
        self.assertEqual(printed, "squares, scale paper: 18 of 24 numbers, 3 of 4 pieces\n")
        printed, _ = self.lab(*run, "0")
        self.assertIn("24 of 24 numbers, 4 of 4 pieces\n", printed)
        self.assertIn("  sum    4324       4324  yes\n", printed)
        self.assertIn("File:     lab/results/squares.paper.json\n", printed)

    def test_an_experiment_that_fails(self) -> None:
        process = self.start("run", "failing")
        _, said = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1)
        self.assertRegex(said, r"(?s)in fail_at_7\n.*task 7 of failing, small, .*seven ate nine\n$")

    def test_compare(self) -> None:
        self.lab("run", "squares")
        self.lab("run", "squares", "--results", "again")
        compare = ("compare", "build/lab-small", "--results", "again")
        self.assertEqual(
            self.lab(*compare)[0], "1 of 1 results have the same figures in both folders\n"
        )
        file = self.folder / "again" / "squares.small.json"
        file.write_text(file.read_text().replace('"ours": "506"', '"ours": "507"'))
        _, said = self.lab(*compare, status=3)
        self.assertIn("squares.small.json: other figures in build/lab-small", said)
        _, said = self.lab("compare", "nowhere", "--results", "again", status=1)
        self.assertIn("have no experiment of one scale both", said)

    def test_data_and_plots(self) -> None:
        self.lab("run", "squares", "--results", "here")
        printed, _ = self.lab("data", "--results", "here", "--out", "data")
        self.assertIn("data/figures.csv\n", printed)
        _, said = self.lab("plot", "squares", "--results", "here", status=1)
        self.assertIn("squares has no plots\nhint: `manyfish-lab data` has its figures", said)
        _, said = self.lab("plot", "wrong", "--results", "here", status=1)
        self.assertIn("here has no result of wrong\nhint: run it first", said)
        _, said = self.lab("data", "--results", "nowhere", status=1)
        self.assertIn("there are no results in nowhere", said)

    def test_a_folder_that_cannot_be(self) -> None:
        (self.folder / "file").write_text("")
        _, said = self.lab("run", "squares", "--results", "file", status=1)
        self.assertIn("cannot keep results in file/unfinished: ", said)

    def test_a_closed_pipe_is_silent(self) -> None:
        process = self.start("list")
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        self.assertEqual(process.stderr.read(), "")
        process.stderr.close()
        self.assertEqual(process.wait(), 141)

    def test_a_full_disk_is_a_sentence(self) -> None:
        with Path("/dev/full").open("w") as full:
            process = self.start("list", stdout=full.fileno())
            _, said = process.communicate()
        self.assertEqual(process.returncode, 1)
        self.assertEqual(
            said, "manyfish-lab: error: cannot write to standard output: No space left on device\n"
        )


if __name__ == "__main__":
    unittest.main()
