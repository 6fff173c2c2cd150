# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Runs an experiment: has its tasks done, combines what they gave, and writes the result."""

from __future__ import annotations

import contextlib
import json
import statistics
from collections.abc import Generator, Sequence
from datetime import datetime, timezone
from pathlib import Path

from manyfish_lab import fingerprint, machine, results
from manyfish_lab.checkpoints import Checkpoint
from manyfish_lab.cluster import Cluster
from manyfish_lab.dispatch import Dispatch, Job
from manyfish_lab.experiment import Experiment, Findings, Json, Scale, UnexplainedError
from manyfish_lab.progress import say
from manyfish_lab.results import Cost, Result


def run(
    experiment: Experiment, asked: Scale, folder: Path, cluster: Cluster, again: bool = False
) -> Result:
    """The result of one experiment."""
    ((_, outcome),) = run_all([experiment], asked, folder, cluster, again)
    if isinstance(outcome, UnexplainedError):
        raise outcome
    return outcome


def run_all(
    experiments: Sequence[Experiment],
    asked: Scale,
    folder: Path,
    cluster: Cluster,
    again: bool = False,
) -> Generator[tuple[Experiment, Result | UnexplainedError], None, None]:
    """Results in order, each kept from an earlier run of the same code, or computed."""
    kept = (
        {} if again else {e.name: found for e in experiments if (found := _kept(e, asked, folder))}
    )
    missing = [experiment for experiment in experiments if experiment.name not in kept]
    if missing:
        cluster.check(missing)
    with contextlib.ExitStack() as stack:
        jobs = [_job(experiment, asked, folder, again, stack) for experiment in missing]
        finished = stack.enter_context(contextlib.closing(Dispatch(cluster).finished(jobs)))
        for experiment in experiments:
            if experiment.name in kept:
                say(f"{experiment.name}: a result of this code is there; --again computes it again")
                yield experiment, kept[experiment.name]
            else:
                scale = experiment.scale_for(asked)
                yield experiment, _outcome(scale, next(finished), folder, cluster)


def _kept(experiment: Experiment, asked: Scale, folder: Path) -> Result | None:
    path = folder / results.file_name(experiment.name, experiment.scale_for(asked))
    if not path.exists():
        return None
    result = results.read(path)
    return result if result.code == _code(experiment) else None


def _code(experiment: Experiment) -> str:
    return fingerprint.of_modules(fingerprint.modules_of(experiment))


def _job(
    experiment: Experiment, asked: Scale, folder: Path, again: bool, stack: contextlib.ExitStack
) -> Job:
    scale = experiment.scale_for(asked)
    name = f"{experiment.name}.{scale}"
    checkpoint = stack.enter_context(Checkpoint(folder, name, _code(experiment)))
    if again:
        checkpoint.forget()
    return Job(experiment, f"{experiment.name}, {scale}", experiment.tasks(scale), checkpoint)


def _outcome(scale: Scale, job: Job, folder: Path, cluster: Cluster) -> Result | UnexplainedError:
    """Write the result; only then is what its tasks gave forgotten."""
    try:
        result = _result(scale, job, cluster)
    except UnexplainedError as error:
        return error
    results.write(folder, result)
    job.checkpoint.forget()
    return result


def _result(scale: Scale, job: Job, cluster: Cluster) -> Result:
    experiment = job.experiment
    findings = experiment.combine(scale, values(job))
    return result_of(experiment, scale, findings, cost_of(job, cluster), job.code)


def result_of(
    experiment: Experiment, scale: Scale, findings: Findings, cost: Cost, code: str
) -> Result:
    """A result of this code, today."""
    return Result(
        experiment=experiment.name,
        scale=scale,
        seed=experiment.seed,
        command=f"manyfish-lab run {experiment.name} --scale {scale}",
        code=code,
        date=today(),
        versions=machine.versions(),
        cost=cost,
        findings=findings,
        commit=machine.commit(),
    )


def cost_of(job: Job, cluster: Cluster) -> Cost:
    """The cost of a job that is done."""
    kept = list(job.checkpoint.kept.values())
    seconds = [line.done.cpu_seconds for line in kept]
    return Cost(
        tasks=len(kept),
        resumed_tasks=sum(line.run != job.checkpoint.run for line in kept),
        cpu_seconds=round(sum(seconds), 3),
        task_seconds=(
            round(min(seconds), 4),
            round(statistics.median(seconds), 4),
            round(max(seconds), 4),
        ),
        wall_seconds=round(job.checkpoint.wall_seconds(), 3),
        workers=cluster.threads(),
        processor=", ".join(cluster.processors()),
    )


def values(job: Job) -> list[Json]:
    """The values of all tasks, in their order."""
    kept = job.checkpoint.kept
    return [json.loads(kept[index].done.value) for index in sorted(kept)]


def today() -> str:
    return datetime.now(timezone.utc).date().isoformat()
