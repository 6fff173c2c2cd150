# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Experiments of no scientific interest: short tasks, for the tests of what runs experiments."""

from __future__ import annotations

import os
import signal
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from manyfish_lab.experiment import (
    Experiment,
    Findings,
    Json,
    Pieces,
    Scale,
    Table,
    Task,
    ours,
    same,
)

# Read where tasks are made: the file in which each task leaves its number when it begins, how long
# a task takes, and the folder of results in which all tasks before it must be kept, but one.
DIARY = "MANYFISH_LAB_TEST_DIARY"
NAP = "MANYFISH_LAB_TEST_NAP"
KEPT = "MANYFISH_LAB_TEST_KEPT"
WAIT_SECONDS = 10.0
COUNTS = {"small": 12, "paper": 24, "full": 100_000}


def diary(path: Path) -> Counter[int]:
    """How often each task began."""
    return Counter(map(int, path.read_text().split())) if path.exists() else Counter()


def kept(results: Path) -> int:
    """How many tasks the checkpoints there hold."""
    paths = (results / "unfinished").glob("*.jsonl")
    return sum(path.read_bytes().count(b"\n") for path in paths)


def wait_for(condition: Callable[[], bool]) -> bool:
    """Not for ever: if a worker has died, the one that waits may have to do what it waits for."""
    end = time.monotonic() + WAIT_SECONDS
    while not condition() and time.monotonic() < end:
        time.sleep(0.01)
    return condition()


class Tasks(Sequence[Task]):
    """Made when they are asked for; `asked` counts them."""

    def __init__(self, count: int) -> None:
        self._count = count
        self.asked = 0

    def first(self, count: int) -> list[Task]:
        return [self[index] for index in range(count)]

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index: int) -> Task:  # type: ignore[override]
        self.asked += 1
        return {
            "number": index,
            "nap": os.environ.get(NAP, "0.01"),
            "diary": os.environ.get(DIARY, os.devnull),
            "kept": os.environ.get(KEPT, ""),
        }


def tasks(scale: Scale) -> Tasks:
    return Tasks(COUNTS[scale])


def square(task: Task) -> Json:
    if task["kept"]:  # on two workers, begin only when one task at most is not kept
        wait_for(lambda: kept(Path(task["kept"])) >= task["number"] - 1)
    with Path(task["diary"]).open("a") as file:
        file.write(f"{task['number']}\n")
    time.sleep(float(task["nap"]))
    return task["number"] ** 2


def fail_at_7(task: Task) -> Json:
    if task["number"] == 7:
        raise ZeroDivisionError("seven ate nine")
    return square(task)


def wait_at_2(task: Task) -> Json:
    """For a fourth task to begin; fail if none does."""
    result = square(task)
    if task["number"] == 2 and not wait_for(lambda: diary(Path(task["diary"])).total() > 3):
        raise TimeoutError("no other task has begun")
    return result


def not_json(task: Task) -> Json:
    return float("nan")


def die_at_7(task: Task) -> Json:
    """The first time only, if there is a diary."""
    square(task)
    if task["number"] == 7 and diary(Path(task["diary"]))[7] < 2:
        time.sleep(1)  # Dask does not start a worker again that dies while it starts
        os.kill(os.getpid(), signal.SIGKILL)
    return task["number"] ** 2


def sum_up(scale: Scale, given: Sequence[Json]) -> Findings:
    last = COUNTS[scale] - 1
    expected = last * (last + 1) * (2 * last + 1) // 6
    cells = [same("sum", str(expected), str(sum(given))), ours("tasks", str(len(given)))]
    return Findings([Table("Squares", cells, "[Twofish98]")], data=list(given))


def count(scale: Scale, given: Sequence[Json]) -> Findings:
    return Findings([Table("Squares", [ours("tasks", str(len(given)))])])


def wrong_sum(scale: Scale, given: Sequence[Json]) -> Findings:
    return Findings([Table("Squares", [same("sum", "42", str(sum(given)))])])


def _experiment(
    name: str,
    compute: Callable[[Task], Json] = square,
    combine: Callable[[Scale, Sequence[Json]], Findings] = sum_up,
) -> Experiment:
    return Experiment(
        name=name,
        question="What do squares add up to?",
        method="Each is computed, and they are added.",
        sources=("[Twofish98, 7.2]",),
        covers={"small": "12 numbers", "paper": "24 numbers", "full": "100,000 numbers"},
        tasks=tasks,
        compute=compute,
        combine=combine,
        seed=7,
        pieces={"paper": Pieces(4, 6, "numbers", sum)},
    )


SQUARES = _experiment("squares")
WRONG = _experiment("wrong", combine=wrong_sum)
FAILING = _experiment("failing", fail_at_7)
NOT_JSON = _experiment("not-json", not_json)
DEADLY = replace(_experiment("deadly", die_at_7), question="Does one of 2 ± 1 workers die?")
EXPERIMENTS = {e.name: e for e in (SQUARES, WRONG, FAILING, NOT_JSON, DEADLY)}
