# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Scales in pieces, done by several runs and machines, whose results the repository keeps.

A piece is a file in the folder `pieces` of the folder of results, `NAME.SCALE.NUMBER.json`. It has
one small value for all of its tasks, names these tasks, the commit, the code and the processor, and
ends with a digest of the rest. Files of different
machines are put into one folder in any order; the result of the scale is made when all are there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

from manyfish_lab import fingerprint, machine, results, runner
from manyfish_lab.checkpoints import Checkpoint
from manyfish_lab.cluster import Cluster
from manyfish_lab.dispatch import Dispatch, Job
from manyfish_lab.errors import LabError
from manyfish_lab.experiment import Experiment, Json, Pieces, Scale, Task
from manyfish_lab.results import Cost, Result

_HINT = "delete the file and run the piece again"


@dataclass(frozen=True)
class Piece:
    """A value: `first` and `last` are the tasks at both ends, `of` counts the pieces."""

    experiment: str
    scale: Scale
    number: int
    of: int
    first: Task
    last: Task
    value: Json
    code: str
    commit: str
    date: str
    versions: Mapping[str, str]
    cost: Cost


def path_of(folder: Path, experiment: str, scale: Scale, number: int) -> Path:
    """The file of a piece."""
    return folder / "pieces" / f"{experiment}.{scale}.{number:04}.json"


def run(
    experiment: Experiment, scale: Scale, numbers: Iterable[int], folder: Path, cluster: Cluster
) -> None:
    """Do those of these pieces that are not there; each is written when its last task is done."""
    there = found(experiment, scale, folder)
    missing = [number for number in numbers if number not in there]
    if not missing:
        return
    cluster.check([experiment])
    with ExitStack() as stack:
        jobs = [_job(experiment, scale, number, folder, stack) for number in missing]
        finished = stack.enter_context(closing(Dispatch(cluster).finished(jobs)))
        for number, job in zip(missing, finished, strict=True):
            _write(folder, _piece(scale, number, job, cluster))
            job.checkpoint.forget()


def found(experiment: Experiment, scale: Scale, folder: Path) -> dict[int, Piece]:
    """The pieces that are there, by number. A LabError for one that is damaged or not of here."""
    paths = sorted((folder / "pieces").glob(f"{experiment.name}.{scale}.*.json"))
    pieces = [results.parsed(path, _parsed, _HINT) for path in paths]
    for path, piece in zip(paths, pieces, strict=True):
        if path != path_of(folder, experiment.name, scale, piece.number):
            raise LabError(f"{path}: by its content this is piece {piece.number}", _HINT)
        if not _fits(experiment, scale, piece):
            raise LabError(f"{path}: {experiment.name} has no such piece now", _HINT)
    return {piece.number: piece for piece in pieces}


def how_far(pieces: Pieces, done: int) -> str:
    """How much is done, for people."""
    things, of = done * pieces.each, pieces.count * pieces.each
    return f"{things:,} of {of:,} {pieces.what}, {done} of {pieces.count} pieces"


def enough(pieces: Pieces, done: int) -> bool:
    """Whether a result can be made."""
    return done >= (pieces.least or pieces.count)


def result(experiment: Experiment, scale: Scale, pieces: Sequence[Piece]) -> Result:
    """The result of all pieces, in any order. A LabError if one is there twice or too many miss."""
    numbers = sorted(piece.number for piece in pieces)
    twice = sorted({a for a, b in zip(numbers, numbers[1:]) if a == b})
    missing = sorted({*range(experiment.pieces[scale].count)} - {*numbers})
    if twice or (missing and not enough(experiment.pieces[scale], len(pieces))):
        raise LabError(f"{experiment.name}, {scale}: missing {missing}, there twice {twice}")
    in_order = sorted(pieces, key=lambda piece: piece.number)
    findings = experiment.combine(scale, [piece.value for piece in in_order])
    codes = ", ".join(sorted({piece.code for piece in pieces}))
    return runner.result_of(experiment, scale, findings, _added([p.cost for p in pieces]), codes)


def _tasks(experiment: Experiment, scale: Scale, number: int) -> list[Task]:
    tasks = experiment.tasks(scale)
    each = len(tasks) // experiment.pieces[scale].count
    return [tasks[index] for index in range(number * each, (number + 1) * each)]


def _job(experiment: Experiment, scale: Scale, number: int, folder: Path, stack: ExitStack) -> Job:
    code = fingerprint.of_modules(fingerprint.modules_of(experiment))
    name = f"{experiment.name}.{scale}.{number:04}"
    checkpoint = stack.enter_context(Checkpoint(folder, name, code))
    title = f"{experiment.name}, {scale}, piece {number}"
    return Job(experiment, title, _tasks(experiment, scale, number), checkpoint)


def _piece(scale: Scale, number: int, job: Job, cluster: Cluster) -> Piece:
    pieces = job.experiment.pieces[scale]
    return Piece(
        experiment=job.experiment.name,
        scale=scale,
        number=number,
        of=pieces.count,
        first=job.tasks[0],
        last=job.tasks[-1],
        value=pieces.add(runner.values(job)),
        code=job.code,
        commit=machine.commit(),
        date=runner.today(),
        versions=machine.versions(),
        cost=runner.cost_of(job, cluster),
    )


def _write(folder: Path, piece: Piece) -> None:
    fields = asdict(piece)
    path = path_of(folder, piece.experiment, piece.scale, piece.number)
    digest = fingerprint.of_task(fields)
    results.replace(path, {"format": results.FORMAT, **fields, "digest": digest})


def _parsed(fields: dict[str, Json]) -> Piece:
    digest = fields.pop("digest")
    if digest != fingerprint.of_task(fields):
        raise ValueError("the digest is of another content")
    cost = {**fields["cost"], "task_seconds": tuple(fields["cost"]["task_seconds"])}
    return Piece(**{**fields, "cost": Cost(**cost)})


def _fits(experiment: Experiment, scale: Scale, piece: Piece) -> bool:
    """Whether it covers what the piece of its number covers now."""
    count = experiment.pieces[scale].count
    if piece.of != count or not 0 <= piece.number < count:
        return False
    tasks = _tasks(experiment, scale, piece.number)
    names = piece.experiment, piece.scale, piece.first, piece.last
    return names == (experiment.name, scale, tasks[0], tasks[-1])


def _added(costs: Sequence[Cost]) -> Cost:
    """The cost of all; the pieces' medians have a median too."""
    least, middle, most = zip(*(cost.task_seconds for cost in costs))
    return Cost(
        tasks=sum(cost.tasks for cost in costs),
        resumed_tasks=sum(cost.resumed_tasks for cost in costs),
        cpu_seconds=round(sum(cost.cpu_seconds for cost in costs), 3),
        task_seconds=(min(least), median(middle), max(most)),
        wall_seconds=round(sum(cost.wall_seconds for cost in costs), 3),
        workers=max(cost.workers for cost in costs),
        processor=", ".join(sorted({cost.processor for cost in costs})),
    )
