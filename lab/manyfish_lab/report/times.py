# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The times of docs/lab/running.md: one worker and two, 1,000 cores, and the model beside runs."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from pathlib import Path

from manyfish_lab import cost, experiments, scaling
from manyfish_lab.errors import LabError
from manyfish_lab.experiment import Scale
from manyfish_lab.report import words
from manyfish_lab.report.markdown import Lines, count, duration, paragraph, plain, table
from manyfish_lab.results import Cost, Result
from manyfish_lab.scaling import Run, Scaling

CORES = (2, 1000)


def sections(folder: Path, found: Sequence[Result]) -> Lines:
    """Both parts, as far as they were measured."""
    if (folder / scaling.FILE).exists():
        yield from workers(scaling.read(folder))
    runs = {(run.experiment, run.scale): run.cost for run in found}
    rows = cost.rows(folder, (*CORES, *(run.workers for run in runs.values())))
    done = [row for row in rows if _is_whole(row, runs.get(run_of(row)))]
    if ahead := [row for row in rows if row not in done]:
        yield from costs(ahead, scaling.read(folder).empty_task_seconds)
    if done:
        yield from checked(done, runs)


def _is_whole(row: cost.Row, run: Cost | None) -> bool:
    """Whether the run had all tasks; one of pieces may have some."""
    return run is not None and run.tasks == row.sample.tasks


def run_of(row: cost.Row) -> tuple[str, Scale]:
    return row.sample.experiment, row.sample.scale


def workers(measured: Scaling) -> Lines:
    """The time of one worker, and of more."""
    yield words.SCALING
    heads = ["experiment", "scale", "tasks", "workers", "processor time", "time", "faster", "busy"]
    yield from table(heads, [_run(run, measured) for run in measured.runs])
    processors = sorted({run.cost.processor for run in measured.runs})
    empty = duration(measured.empty_task_seconds)
    yield paragraph(
        f"A task that does nothing takes {empty} from its sending until its result is kept. "
        f"Measured on {', '.join(processors)}, {measured.date}."
    )
    yield ""


def _run(run: Run, measured: Scaling) -> list[str]:
    alone = min(
        (other for other in measured.runs if other.experiment == run.experiment),
        key=lambda other: other.cost.workers,
    )
    return [
        run.experiment,
        run.scale,
        f"{run.cost.tasks:,}",
        f"{run.cost.workers:,}",
        duration(run.cost.cpu_seconds),
        duration(run.cost.wall_seconds),
        f"{alone.cost.wall_seconds / run.cost.wall_seconds:.2f} times",
        f"{run.efficiency():.0%}",
    ]


def costs(rows: list[cost.Row], empty_task_seconds: float) -> Lines:
    """The model for what was not run, with the assumptions that it makes."""
    yield words.COSTS
    cores, empty = CORES[-1], empty_task_seconds
    yield paragraph(
        f"One scheduler hands out a task in {duration(empty)} at best, so {cores:,} cores are kept "
        f"at work by tasks of {duration(cores * empty)} or more; else the scheduler is the limit."
    )
    yield ""
    heads = ["experiment", "covers", "tasks", "a task", *(f"{cores:,} cores" for cores in CORES)]
    yield from table(heads, [_cost(row) for row in rows])


def checked(rows: list[cost.Row], runs: Mapping[tuple[str, Scale], Cost]) -> Lines:
    """The model for scales that were run, beside the runs."""
    yield words.CHECKED
    heads = ["experiment", "tasks", "a task", "workers", "model", "run", "ratio"]
    yield from table(heads, [_checked(row, runs[run_of(row)]) for row in rows])


def _checked(row: cost.Row, run: Cost) -> list[str]:
    name, _, tasks, a_task = _sample(row)  # what it covers stands on its page
    model = 3600 * row.hours[run.workers]
    times = [duration(model), duration(run.wall_seconds), f"{model / run.wall_seconds:.2f}"]
    return [name, tasks, a_task, f"{run.workers:,}", *times]


def _cost(row: cost.Row) -> list[str]:
    return [*_sample(row), *(duration(3600 * row.hours[cores]) for cores in CORES)]


def _sample(row: cost.Row) -> list[str]:
    """The experiment, what the scale covers, its tasks, and the time of one."""
    sample = row.sample
    if sample.experiment not in experiments.names():
        raise LabError(
            f"there is a sample of {sample.experiment}, which is no experiment",
            "delete its file from the results",
        )
    covers = experiments.find(sample.experiment).covers.get(sample.scale, "")
    a_task = duration(statistics.fmean(sample.seconds))
    return [
        f"[{sample.experiment}]({sample.experiment}.md), {sample.scale}",
        plain(covers),
        f"{sample.tasks:,}",
        f"{a_task} ({count(len(sample.seconds), 'sample')})",
    ]
