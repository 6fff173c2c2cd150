# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Runs on a cluster that is there: what is kept, what is done again, and what stops a run."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import io
import itertools
import json
import logging
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest import mock

from distributed import LocalCluster

import tiny
from manyfish_lab import dispatch, machine, results, runner
from manyfish_lab.cluster import Cluster
from manyfish_lab.dispatch import TaskError
from manyfish_lab.errors import LabError
from manyfish_lab.experiment import Experiment, Scale, UnexplainedError
from manyfish_lab.results import Result

LAB = Path(__file__).resolve().parents[1]


def local_cluster(workers: int) -> LocalCluster:
    return LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",
        preload=["manyfish_lab.worker"],
    )


class Shared:
    """One cluster for all tests of this file."""

    workers: Any
    cluster: Cluster


def setUpModule() -> None:
    logging.disable(logging.ERROR)
    Shared.workers = local_cluster(2)
    Shared.cluster = Cluster(Shared.workers.scheduler_address)


def tearDownModule() -> None:
    Shared.cluster.close()
    Shared.workers.close()


class RunnerCase(unittest.TestCase):
    def setUp(self) -> None:
        # A task that a stopped run left at work may write its number while the folder is removed.
        folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.diary = self.folder / "diary"
        self.results = self.folder / "results"
        self.said = ""
        self.setting(tiny.DIARY, str(self.diary))

    def setting(self, name: str, value: str) -> None:
        change = mock.patch.dict(os.environ, {name: value})
        change.start()
        self.addCleanup(change.stop)

    def run_it(
        self, experiment: Experiment = tiny.SQUARES, scale: Scale = "small", again: bool = False
    ) -> Result:
        heard = io.StringIO()
        try:
            with contextlib.redirect_stderr(heard):
                return runner.run(experiment, scale, self.results, Shared.cluster, again)
        finally:
            self.said = heard.getvalue()

    def unfinished(self) -> list[Path]:
        return sorted((self.results / "unfinished").iterdir())

    def began(self) -> Counter[int]:
        return tiny.diary(self.diary)


class Runs(RunnerCase):
    def test_each_task_runs_once_and_all_is_said(self) -> None:
        result = self.run_it()
        self.assertEqual(self.began(), Counter(range(12)))
        self.assertEqual(result.findings.data, [n * n for n in range(12)])
        self.assertEqual(result.findings.tables[0].cells[0].ours, "506")
        self.assertEqual((result.cost.tasks, result.cost.resumed_tasks), (12, 0))
        self.assertEqual((result.cost.workers, result.seed), (2, 7))
        self.assertGreaterEqual(result.cost.wall_seconds, 0.01)
        self.assertEqual(self.unfinished(), [])

    def test_the_result_names_no_place(self) -> None:
        self.run_it()
        text = (self.results / "squares.small.json").read_text()
        for place in (str(self.folder), os.uname().nodename, "127.0.0.1", str(Path.home())):
            self.assertNotIn(place, text)

    def test_what_is_there_is_not_computed_again_unless_asked(self) -> None:
        first = self.run_it()
        self.assertEqual(self.run_it().findings.data, first.findings.data)
        self.assertIn("--again", self.said)
        self.assertEqual(self.began()[3], 1)
        self.run_it(again=True)
        self.assertEqual(self.began(), Counter(2 * list(range(12))))

    def test_a_result_of_other_code_is_computed_again(self) -> None:
        self.run_it()
        path = self.results / "squares.small.json"
        path.write_text(path.read_text().replace(results.read(path).code, "0ther"))
        self.run_it()
        self.assertEqual(self.began()[3], 2)

    def test_a_scale_that_is_missing_is_the_smaller_one(self) -> None:
        small = replace(tiny.SQUARES, covers={"small": "12"})
        self.assertEqual(self.run_it(small, "full").scale, "small")

    def test_tasks_are_made_when_they_are_needed(self) -> None:
        tasks = tiny.Tasks(100_000)
        lazy = replace(tiny.FAILING, tasks=lambda scale: tasks)
        with self.assertRaises(TaskError):
            self.run_it(lazy, "full")
        self.assertLess(tasks.asked, 1000)

    def test_several_at_once(self) -> None:
        """In their order, those beside the first begun before its last task is done."""
        cubes = replace(tiny.SQUARES, name="cubes", combine=tiny.wrong_sum)
        last = replace(tiny.SQUARES, name="last")
        first = replace(
            tiny.SQUARES,
            tasks=lambda scale: tiny.tasks(scale).first(3),
            compute=tiny.wait_at_2,
            combine=tiny.count,
        )
        found = runner.run_all([first, cubes, last], "small", self.results, Shared.cluster)
        self.assertEqual(next(found)[0], first)
        experiment, outcome = next(found)
        self.assertEqual(experiment, cubes)
        self.assertIsInstance(outcome, UnexplainedError)
        self.assertEqual([experiment.name for experiment, _ in found], ["last"])
        self.assertEqual(self.began().total(), 3 + 12 + 12)
        names = [path.name for path in self.results.iterdir()]
        self.assertEqual(sorted(names), ["last.small.json", "squares.small.json", "unfinished"])
        self.assertEqual(len(self.unfinished()), 1)

    def test_no_tasks(self) -> None:
        none = replace(tiny.SQUARES, tasks=lambda scale: [])
        with self.assertRaises(UnexplainedError):
            self.run_it(none)


class Resumed(RunnerCase):
    def leave(self, *indices: int) -> Path:
        """The files that a stopped run leaves behind."""
        with self.assertRaises(UnexplainedError):
            self.run_it(replace(tiny.SQUARES, combine=tiny.wrong_sum))
        (path,) = self.unfinished()
        lines = path.read_text().splitlines(keepends=True)
        path.write_text("".join(line for line in lines if json.loads(line)["index"] in indices))
        self.diary.unlink()
        return path

    def test_only_what_is_missing_is_done(self) -> None:
        self.leave(0, 5, 11)
        result = self.run_it()
        self.assertIn("resumed: 3 of 12 tasks", self.said)
        self.assertEqual(self.began(), Counter({*range(12)} - {0, 5, 11}))
        self.assertEqual(result.cost.resumed_tasks, 3)
        self.assertEqual(result.findings.data, [n * n for n in range(12)])
        self.assertEqual(self.unfinished(), [])

    def test_a_half_line_is_done_again(self) -> None:
        path = self.leave(0, 5, 11)
        path.write_bytes(path.read_bytes()[:-9])
        self.assertEqual(self.run_it().findings.data, [n * n for n in range(12)])
        self.assertIn("resumed: 2 of 12 tasks", self.said)

    def test_other_code_uses_nothing(self) -> None:
        path = self.leave(0, 5, 11)
        path.rename(path.with_name("squares.small.0123456789abcdef.jsonl"))
        self.run_it()
        self.assertIn("is of other code and is not used", self.said)
        self.assertEqual(self.began(), Counter(range(12)))
        self.assertEqual(self.unfinished(), [])

    def test_a_task_that_is_another_now_is_done_again(self) -> None:
        path = self.leave(0, 5, 11)
        path.write_text(path.read_text().replace('"index": 5', '"index": 6'))
        self.assertEqual(self.run_it().findings.data, [n * n for n in range(12)])
        self.assertIn("resumed: 2 of 12 tasks", self.said)

    def test_again_uses_nothing(self) -> None:
        self.leave(0, 5, 11)
        self.run_it(again=True)
        self.assertEqual(self.began(), Counter(range(12)))


class Stops(RunnerCase):
    def test_a_task_that_raises_is_named(self) -> None:
        with self.assertRaisesRegex(
            TaskError, r"(?s)fail_at_7.*task 7 of failing, small, .*ZeroDivisionError: seven ate"
        ):
            self.run_it(tiny.FAILING)
        self.assertEqual(self.began()[7], 0)
        self.assertEqual(len(self.unfinished()), 1)
        self.assertFalse((self.results / "failing.small.json").exists())

    def test_a_task_that_gives_no_json_is_named(self) -> None:
        with self.assertRaisesRegex(TaskError, "(?s)task [0-9]+ of not-json.*not JSON compliant"):
            self.run_it(tiny.NOT_JSON)

    def test_a_figure_without_explanation(self) -> None:
        with self.assertRaisesRegex(UnexplainedError, "source has 42, ours is 506"):
            self.run_it(tiny.WRONG)
        self.assertEqual(len(self.unfinished()), 1)

    def test_a_full_disk(self) -> None:
        full = OSError(28, "No space left on device")
        with (
            mock.patch("manyfish_lab.checkpoints.Checkpoint._append", side_effect=full),
            self.assertRaisesRegex(LabError, "No space left on device"),
        ):
            self.run_it()
        self.assertEqual(self.run_it().findings.data, [n * n for n in range(12)])

    def test_a_second_run_at_once(self) -> None:
        self.setting(tiny.NAP, "0.5")
        first = threading.Thread(target=self.run_it)
        first.start()
        try:
            while not self.began():
                time.sleep(0.01)
            with self.assertRaisesRegex(LabError, "another run of squares.small"):
                runner.run(tiny.SQUARES, "small", self.results, Shared.cluster)
        finally:
            first.join()
        self.assertEqual(results.read(self.results / "squares.small.json").cost.tasks, 12)


class Workers(RunnerCase):
    def test_one_that_is_killed_costs_its_task_only(self) -> None:
        self.setting(tiny.KEPT, str(self.results))
        result = self.run_it(tiny.DEADLY)
        self.assertEqual(result.findings.data, [n * n for n in range(12)])
        began = self.began()
        self.assertEqual(began[7], 2)
        # Besides, one that it had done, and whose result was on its way.
        self.assertLessEqual(began.total(), 12 + 2)

    def test_a_task_that_kills_each_worker_ends_the_run(self) -> None:
        self.setting(tiny.DIARY, os.devnull)
        allowed = mock.patch.object(Shared.workers.scheduler, "allowed_failures", 1)
        with (
            allowed,
            self.assertRaisesRegex(LabError, "each worker that had task .* of deadly.* died"),
        ):
            self.run_it(tiny.DEADLY)

    def test_a_result_that_is_lost_is_asked_for_again(self) -> None:
        gather: Any = Shared.cluster.client.gather
        answers = itertools.chain([lambda *_, **__: asyncio.sleep(100)], itertools.repeat(gather))

        def lost(*given: Any, **more: Any) -> Any:
            return next(answers)(*given, **more)

        with (
            mock.patch.object(Shared.cluster.client, "gather", lost),
            mock.patch.object(dispatch, "_GATHER_SECONDS", 0.1),
        ):
            result = self.run_it()
        self.assertEqual(result.findings.data, [n * n for n in range(12)])
        self.assertEqual(self.began(), Counter(range(12)))

    def test_a_local_run_without_workers_ends(self) -> None:
        """Also one that waits for a result: the workers of this machine do not come back."""
        with (
            mock.patch.object(Shared.cluster, "threads", lambda: 0),
            mock.patch.object(Shared.cluster, "is_local", lambda: True),
            mock.patch.object(dispatch, "_START_SECONDS", 0.0),
            mock.patch.object(dispatch, "_LOOK_SECONDS", 0.01),
            self.assertRaisesRegex(LabError, "no new one has started"),
        ):
            self.setting(tiny.NAP, "0.2")
            self.run_it()
        self.assertIn("no worker is there; waiting for one", self.said)

    @contextlib.contextmanager
    def worker(self, address: str, folder: Path) -> Iterator[None]:
        """One that finds modules in this folder."""
        command = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--no-nanny"]
        command += ["--nthreads", "1", "--no-dashboard", "--local-directory", str(self.folder)]
        process = subprocess.Popen(
            command,
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": str(folder)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            yield
        finally:
            process.kill()
            process.wait()

    def other_code(self) -> Path:
        """The lab and these tests, with another comment."""
        folder = self.folder / "other"
        shutil.copytree(LAB / "manyfish_lab", folder / "manyfish_lab")
        text = (LAB / "tests" / "tiny.py").read_text()
        (folder / "tiny.py").write_text(text + "# another line\n")
        return folder

    def test_a_run_waits_for_its_first_worker(self) -> None:
        said = io.StringIO()
        with local_cluster(0) as scheduler, Cluster(scheduler.scheduler_address) as cluster:
            later = threading.Timer(3.5, scheduler.scale, (1,))  # it is looked for each second
            later.start()
            with contextlib.redirect_stderr(said):
                result = runner.run(tiny.SQUARES, "small", self.results, cluster)
            later.join()
        self.assertEqual(said.getvalue().count("no worker is there; waiting for one"), 1)
        self.assertEqual(result.cost.processor, machine.processor())
        self.assertEqual(result.cost.workers, 1)

    def test_other_code_is_refused(self) -> None:
        """A worker with other code that joins in the middle, then one that was there before."""
        self.setting(tiny.NAP, "0.1")
        here = self.folder / "here"
        shutil.copytree(LAB / "manyfish_lab", here / "manyfish_lab")
        shutil.copy(LAB / "tests" / "tiny.py", here)
        with local_cluster(0) as scheduler, Cluster(scheduler.scheduler_address) as cluster:
            address = scheduler.scheduler_address
            run = functools.partial(runner.run, tiny.SQUARES, "full", self.results, cluster)
            with self.worker(address, here):
                cluster.client.wait_for_workers(1)
                with (
                    self.worker(address, self.other_code()),
                    contextlib.redirect_stderr(io.StringIO()),
                    self.assertRaisesRegex(LabError, "joined late cannot take part"),
                ):
                    run()
                while cluster.threads() > 1:
                    time.sleep(0.05)  # the scheduler has not noticed yet that it is gone
                with self.worker(address, self.folder / "nothing"):
                    cluster.client.wait_for_workers(2)
                    # Where the lab is installed that worker finds it, but not `tiny`.
                    with self.assertRaisesRegex(LabError, "1 of 2 workers cannot take part"):
                        run()


if __name__ == "__main__":
    unittest.main()
