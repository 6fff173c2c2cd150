# SPDX-License-Identifier: Apache-2.0 OR MIT
"""How much faster more workers are: one experiment with each number of them, and empty tasks.

Empty tasks show what sending a task and keeping its result costs, which sets an end to the number
of workers that can be kept busy.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timezone
from pathlib import Path

from manyfish_lab import machine, results, runner
from manyfish_lab.cluster import Cluster
from manyfish_lab.experiment import Experiment, Findings, Json, Scale, Task
from manyfish_lab.results import Cost

FILE = "scaling.json"
_EMPTY_TASKS = 2000


@dataclass(frozen=True)
class Run:
    """An experiment with a number of workers."""

    experiment: str
    scale: Scale
    cost: Cost

    def efficiency(self) -> float:
        """The part of the workers' time that went into the tasks."""
        return self.cost.cpu_seconds / (self.cost.workers * self.cost.wall_seconds)


@dataclass(frozen=True)
class Scaling:
    """Runs of real experiments, and the wall time of an empty task."""

    date: str
    versions: dict[str, str]
    runs: Sequence[Run]
    empty_task_seconds: float


def measure(
    experiments: Sequence[Experiment],
    scale: Scale,
    workers: Sequence[int],
    empty_tasks: int = _EMPTY_TASKS,
) -> Scaling:
    """Run all experiments with each number of workers, on this machine."""
    nothing = replace(_EMPTY, tasks=lambda scale: [{"number": n} for n in range(empty_tasks)])
    runs = []
    for count in workers:
        with Cluster(workers=count) as cluster:
            runs += [_run(experiment, scale, cluster) for experiment in experiments]
            empty = _run(nothing, scale, cluster)
    return Scaling(
        date=datetime.now(timezone.utc).date().isoformat(),
        versions=machine.versions(),
        runs=sorted(runs, key=lambda run: (run.experiment, run.cost.workers)),
        empty_task_seconds=round(empty.cost.wall_seconds / empty.cost.tasks, 6),
    )


def write(folder: Path, scaling: Scaling) -> Path:
    """Write it beside the results."""
    path = folder / FILE
    results.replace(path, {"format": results.FORMAT, **asdict(scaling)})
    return path


def read(folder: Path) -> Scaling:
    """The content that `write` wrote."""
    return results.parsed(folder / FILE, _scaling, "measure it again: manyfish-lab scaling")


def lines(scaling: Scaling) -> Iterator[str]:
    """The measurement as text."""
    yield "experiment            scale  workers  tasks  CPU s   wall s  busy"
    for run in scaling.runs:
        cost = run.cost
        yield (
            f"{run.experiment:20}  {run.scale:5}  {cost.workers:7}  {cost.tasks:5}  "
            f"{cost.cpu_seconds:6.1f}  {cost.wall_seconds:6.1f}  {run.efficiency():.0%}"
        )
    yield f"a task that does nothing takes {1000 * scaling.empty_task_seconds:.1f} ms"


def _run(experiment: Experiment, asked: Scale, cluster: Cluster) -> Run:
    with tempfile.TemporaryDirectory() as folder:
        result = runner.run(experiment, asked, Path(folder), cluster)
    return Run(experiment.name, result.scale, result.cost)


def _scaling(fields: dict[str, Json]) -> Scaling:
    runs = [Run(run["experiment"], run["scale"], Cost(**run["cost"])) for run in fields["runs"]]
    return Scaling(**{**fields, "runs": runs})


def _no_tasks(scale: Scale) -> list[Task]:
    return []


def _nothing(task: Task) -> Json:
    return None


def _no_findings(scale: Scale, given: Sequence[Json]) -> Findings:
    return Findings([])


_EMPTY = Experiment(
    name="empty",
    question="What does a task cost that does nothing?",
    method="Very many are sent.",
    sources=(),
    covers={"small": "some"},
    tasks=_no_tasks,
    compute=_nothing,
    combine=_no_findings,
)
