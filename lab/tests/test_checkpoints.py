# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Checkpoints: nothing that was kept is lost, and nothing that is damaged is used."""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from manyfish_lab.checkpoints import Checkpoint
from manyfish_lab.errors import LabError
from manyfish_lab.worker import Done

NAME = "squares.small"


class Checkpoints(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.results = Path(folder.name) / "results"

    def open(self, code: str = "c0de") -> Checkpoint:
        return Checkpoint(self.results, NAME, code)

    def fill(self, count: int) -> Path:
        with self.open() as checkpoint:
            for index in range(count):
                checkpoint.add(index, f"task{index}", Done(f'{{"x":[{index},null]}}', 0.25, 0.5))
            return checkpoint.path

    def kept(self) -> list[int]:
        with self.open() as checkpoint:
            return sorted(checkpoint.kept)

    def test_all_is_there_again(self) -> None:
        self.fill(3)
        with self.open() as checkpoint:
            self.assertEqual(sorted(checkpoint.kept), [0, 1, 2])
            self.assertEqual(checkpoint.kept[2].task, "task2")
            self.assertEqual(checkpoint.kept[2].done, Done('{"x":[2,null]}', 0.25, 0.5))
            self.assertEqual(checkpoint.run, 1)

    def test_a_last_line_cut_anywhere_is_dropped(self) -> None:
        path = self.fill(2)
        whole = path.read_bytes()
        first = whole.index(b"\n") + 1
        for length in range(first, len(whole)):
            path.write_bytes(whole[:length])
            self.assertEqual(self.kept(), [0], length)
            self.assertEqual(path.stat().st_size, first)

    def test_after_a_cut_line_the_next_is_whole(self) -> None:
        path = self.fill(2)
        path.write_bytes(path.read_bytes()[:-3])
        with self.open() as checkpoint:
            checkpoint.add(5, "task5", Done("5", 0, 0))
        self.assertEqual(self.kept(), [0, 5])

    def test_a_damaged_line_is_left_out(self) -> None:
        path = self.fill(3)
        lines = path.read_bytes().splitlines(keepends=True)
        for damaged in (b"{}\n", b"\0\0\0\n", b"17\n", b"\n", lines[1].replace(b'"value"', b'"v"')):
            path.write_bytes(lines[0] + damaged + lines[2])
            self.assertEqual(self.kept(), [0, 2], damaged)

    def test_other_code_has_another_file(self) -> None:
        path = self.fill(2)
        with self.open("0ther") as checkpoint:
            self.assertEqual(checkpoint.kept, {})
            self.assertEqual(checkpoint.others(), [path])
            checkpoint.forget()
        self.assertEqual(list((self.results / "unfinished").iterdir()), [])

    def test_one_at_a_time(self) -> None:
        with self.open():
            with self.assertRaisesRegex(LabError, "another run of squares.small is at work"):
                self.open()
            with Checkpoint(self.results, "cubes.small", "c0de"):
                pass
        self.assertEqual(self.kept(), [])

    def test_who_is_killed_holds_nothing(self) -> None:
        code = (
            "import os, pathlib, sys; from manyfish_lab.checkpoints import Checkpoint;"
            f"Checkpoint(pathlib.Path(sys.argv[1]), {NAME!r}, 'c0de'); os.kill(os.getpid(), 9)"
        )
        killed = subprocess.run([sys.executable, "-c", code, str(self.results)], check=False)
        self.assertEqual(killed.returncode, -9)
        self.assertTrue((self.results / "unfinished" / f"{NAME}.lock").exists())
        self.assertEqual(self.kept(), [])

    def test_a_full_disk_leaves_whole_lines(self) -> None:
        path = self.fill(2)
        size = path.stat().st_size
        old = resource.getrlimit(resource.RLIMIT_FSIZE)
        with self.open() as checkpoint:
            resource.setrlimit(resource.RLIMIT_FSIZE, (size + 30, old[1]))
            try:
                with self.assertRaisesRegex(LabError, "cannot keep results in .*: File too large"):
                    checkpoint.add(2, "task2", Done("1" * 100, 0, 0))
            finally:
                resource.setrlimit(resource.RLIMIT_FSIZE, old)
            self.assertEqual(path.stat().st_size, size)
            checkpoint.add(2, "task2", Done("2", 0, 0))
        self.assertEqual(self.kept(), [0, 1, 2])

    def test_a_file_in_place_of_the_folder(self) -> None:
        self.results.write_text("")
        with self.assertRaisesRegex(LabError, "cannot keep results"):
            self.open()

    def test_time_of_all_runs_is_added(self) -> None:
        self.results.mkdir()
        times = '"cpu_seconds":1,"wall_seconds":1'
        line = f'{{{{"index":{{}},"task":"t","run":{{}},"seconds":{{}},{times},"value":0}}}}\n'
        lines = [(0, 0, 1.5), (1, 0, 2.5), (2, 1, 4.0), (3, 1, 3.0)]
        (self.results / "unfinished").mkdir()
        path = self.results / "unfinished" / f"{NAME}.c0de.jsonl"
        path.write_text("".join(line.format(*fields) for fields in lines))
        with self.open() as checkpoint:
            self.assertEqual(checkpoint.wall_seconds(), 2.0 + 2.0)
            self.assertEqual(checkpoint.run, 2)


if __name__ == "__main__":
    unittest.main()
