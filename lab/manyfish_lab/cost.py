# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The cost of a scale that nobody runs on a small machine.

A few tasks, spread evenly over the scale, are done for real. From their CPU seconds and from
`scaling.json` follows the time on any number of cores:

    the longest task + the greater of   tasks x CPU seconds of a task / (cores x busy part)
                                        tasks x seconds that sending a task takes

The first is the work, the second the end of what one scheduler can hand out. Tasks share nothing,
so more cores change neither the work nor the busy part; that is assumed beyond what was measured.
"""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timezone
from pathlib import Path

from manyfish_lab import fingerprint, machine, results, scaling
from manyfish_lab.checkpoints import Checkpoint
from manyfish_lab.cluster import Cluster
from manyfish_lab.dispatch import Dispatch, Job
from manyfish_lab.experiment import Experiment, Json, Scale
from manyfish_lab.progress import duration
from manyfish_lab.scaling import Scaling

SAMPLES = 8


@dataclass(frozen=True)
class Sample:
    """Some tasks of a scale: `seconds` are the CPU seconds of each."""

    experiment: str
    scale: Scale
    tasks: int
    seconds: Sequence[float]
    processor: str
    date: str
    versions: dict[str, str]


@dataclass(frozen=True)
class Row:
    """The time of all tasks of a scale: `hours` of wall time by number of cores."""

    sample: Sample
    cpu_hours: float
    hours: dict[int, float]


def measure(experiment: Experiment, asked: Scale, cluster: Cluster, count: int = SAMPLES) -> Sample:
    """Do some tasks of a scale, the first and the last among them."""
    scale = experiment.scale_for(asked)
    tasks = experiment.tasks(scale)
    cluster.check([experiment])
    code = fingerprint.of_modules(fingerprint.modules_of(experiment))
    with (
        tempfile.TemporaryDirectory() as folder,
        Checkpoint(Path(folder), f"{experiment.name}.{scale}", code) as checkpoint,
    ):
        title = f"{experiment.name}, sample of {scale}"
        some = [tasks[index] for index in spread(len(tasks), count)]
        list(Dispatch(cluster).finished([Job(experiment, title, some, checkpoint)]))
        seconds = [kept.done.cpu_seconds for _, kept in sorted(checkpoint.kept.items())]
    return Sample(
        experiment=experiment.name,
        scale=scale,
        tasks=len(tasks),
        seconds=[round(second, 4) for second in seconds],
        processor=", ".join(cluster.processors()),
        date=datetime.now(timezone.utc).date().isoformat(),
        versions=machine.versions(),
    )


def spread(length: int, count: int) -> list[int]:
    """This many places, or all, evenly from the first to the last."""
    return sorted({i * (length - 1) // max(count - 1, 1) for i in range(count)})


def write(folder: Path, sample: Sample) -> Path:
    """Write it beside the results."""
    path = folder / f"{sample.experiment}.{sample.scale}.cost.json"
    results.replace(path, {"format": results.FORMAT, **asdict(sample)})
    return path


def rows(folder: Path, cores: Sequence[int]) -> list[Row]:
    """The costs of all scales that were sampled, by name."""
    paths = sorted(folder.glob("*.cost.json"))
    if not paths:
        return []
    measured = scaling.read(folder)
    samples = [results.parsed(path, _sample, "sample it again") for path in paths]
    return [row(sample, measured, cores) for sample in samples]


def row(sample: Sample, measured: Scaling, cores: Sequence[int]) -> Row:
    """The model that this file begins with."""
    a_task = statistics.fmean(sample.seconds)
    most = max(run.cost.workers for run in measured.runs)
    busy = min(run.efficiency() for run in measured.runs if run.cost.workers == most)
    sending = sample.tasks * measured.empty_task_seconds
    hours = {
        count: (max(sample.seconds) + max(sample.tasks * a_task / (count * busy), sending)) / 3600
        for count in cores
    }
    return Row(sample, sample.tasks * a_task / 3600, hours)


def lines(found: Row) -> Iterator[str]:
    """A row as text."""
    sample = found.sample
    a_task = statistics.fmean(sample.seconds)
    yield f"{sample.experiment}, scale {sample.scale}: {sample.tasks:,} tasks"
    yield (
        f"  a task takes {a_task:.3g} s of CPU ({len(sample.seconds)} done: "
        f"{min(sample.seconds):.3g} to {max(sample.seconds):.3g} s; {sample.processor})"
    )
    yield f"  all take {found.cpu_hours:,.1f} CPU hours"
    for count, hours in found.hours.items():
        yield f"  on {count:,} cores {duration(3600 * hours)}"


def _sample(fields: dict[str, Json]) -> Sample:
    return Sample(**fields)
