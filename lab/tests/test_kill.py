# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The command is stopped in every way there is, and goes on where it was."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from collections.abc import Callable
from pathlib import Path

import tiny

TESTS = Path(__file__).resolve().parent
SCALE = "paper"
TASKS = tiny.COUNTS[SCALE]
NAP = 0.25
WORKERS = 2  # as tiny.square has it

# A cluster in a process of its own. It says where it is, and stays until it is killed.
CLUSTER = f"""
import time
from distributed import LocalCluster

if __name__ == "__main__":
    cluster = LocalCluster(
        n_workers={WORKERS}, threads_per_worker=1, host="127.0.0.1", dashboard_address=":0"
    )
    print(cluster.scheduler_address, flush=True)
    time.sleep(600)
"""


def terminate_twice(pid: int) -> None:
    """As the command `timeout` does it."""
    os.kill(pid, signal.SIGTERM)
    os.killpg(pid, signal.SIGTERM)


class Kill(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.diary = self.folder / "diary"
        self.said = ""

    def start(self, *options: str) -> subprocess.Popen[str]:
        """A run in a session of its own, so that signals can be sent to all of its processes."""
        command = [sys.executable, str(TESTS / "tiny_cli.py"), "run", "squares"]
        path = os.pathsep.join((str(TESTS.parent), str(TESTS)))
        settings = {tiny.DIARY: str(self.diary), tiny.NAP: str(NAP), tiny.KEPT: str(self.folder)}
        process = subprocess.Popen(
            [*command, "--scale", SCALE, "--results", str(self.folder), *options],
            env={**os.environ, **settings, "PYTHONPATH": path},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def began(self) -> int:
        return tiny.diary(self.diary).total()

    def stop(
        self, process: subprocess.Popen[str], how: Callable[[int], None], status: int
    ) -> tuple[int, int]:
        """Let some tasks be done, then stop it; gives how many began and how many are kept."""
        before, kept = self.began(), tiny.kept(self.folder)
        while self.began() < before + 4 or tiny.kept(self.folder) == kept:
            self.assertIsNone(process.poll())
            time.sleep(0.02)
        how(process.pid)
        _, self.said = process.communicate(timeout=60)
        self.assertEqual(process.returncode, status, self.said)
        began = self.began()
        time.sleep(2 * NAP)
        self.assertEqual(self.began(), began, "a worker is still at work")
        self.assertNotIn("Traceback", self.said)
        return began - before, tiny.kept(self.folder)

    def finish(self, process: subprocess.Popen[str], kept: int) -> None:
        printed, said = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, said)
        self.assertIn(f"resumed: {kept} of {TASKS} tasks", said)
        self.assertRegex(printed, "sum +4324 +4324 +yes")
        result = json.loads((self.folder / f"squares.{SCALE}.json").read_text())
        self.assertEqual(result["findings"]["data"], [n * n for n in range(TASKS)])
        self.assertEqual(set(tiny.diary(self.diary)), set(range(TASKS)))
        self.assertEqual(list((self.folder / "unfinished").iterdir()), [])

    def check_loss(self, began: int, new: int) -> None:
        """Each worker lost one task at most: that it was at, or whose result was on its way."""
        self.assertGreater(new, 0)
        self.assertLessEqual(began - new, WORKERS)

    def test_kill_interrupt_and_terminate(self) -> None:
        ways: list[tuple[Callable[[int], None], int]] = [
            (lambda pid: os.kill(pid, signal.SIGKILL), -signal.SIGKILL),
            (lambda pid: os.killpg(pid, signal.SIGINT), 130),
            (terminate_twice, 143),
        ]
        before = 0
        for how, status in ways:
            began, kept = self.stop(self.start("--workers", str(WORKERS)), how, status)
            self.check_loss(began, kept - before)
            if before:
                self.assertIn(f"resumed: {before} of {TASKS} tasks", self.said)
            if status > 0:
                self.assertIn(f"{kept} of {TASKS} tasks are kept", self.said)
                self.assertIn("the same command goes on from there", self.said)
            before = kept
        self.finish(self.start(), before)
        self.assertLessEqual(self.began(), TASKS + len(ways) * WORKERS)

    def cluster(self) -> tuple[subprocess.Popen[str], str]:
        script = self.folder / "cluster.py"
        script.write_text(CLUSTER)
        path = os.pathsep.join((str(TESTS.parent), str(TESTS)))
        process = subprocess.Popen(
            [sys.executable, str(script)],
            env={**os.environ, "PYTHONPATH": path},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        assert process.stdout is not None
        self.addCleanup(process.stdout.close)
        return process, process.stdout.readline().strip()

    def test_the_scheduler_is_lost(self) -> None:
        cluster, address = self.cluster()

        def kill_scheduler(pid: int) -> None:
            cluster.kill()

        began, kept = self.stop(self.start("--scheduler", address), kill_scheduler, 1)
        self.check_loss(began, kept)
        self.assertRegex(self.said, f"{kept} of {TASKS} tasks are kept\n.*the scheduler is gone")
        _, address = self.cluster()
        self.finish(self.start("--scheduler", address), kept)


if __name__ == "__main__":
    unittest.main()
