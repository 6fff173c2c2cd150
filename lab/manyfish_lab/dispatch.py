# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Sends tasks to the workers, and keeps what comes back.

A task has a name made of what its result depends on, so that asking twice is asking once. Some are
on their way at a time, not all: a scale may have very many. The first tasks of the next experiment
are sent while the last ones of this are still at work, so that no core waits. The death of a worker
is the business of the scheduler, which gives its tasks to others; after the death of this process
the next one goes on from the checkpoints.
"""

from __future__ import annotations

import contextlib
import json
import time
import traceback
from collections.abc import Generator, Iterator, Sequence
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING

from manyfish_lab import fingerprint
from manyfish_lab.checkpoints import Checkpoint
from manyfish_lab.cluster import HINT, Cluster
from manyfish_lab.errors import LabError
from manyfish_lab.experiment import Experiment, Task
from manyfish_lab.progress import Progress, say
from manyfish_lab.worker import Done, OtherCodeError, work

if TYPE_CHECKING:
    from distributed import Future

# Tasks on their way for each that runs: enough that no worker waits for the next one.
_AHEAD = 4
_AHEAD_AT_LEAST = 16
_LOOK_SECONDS = 1.0
# Dask starts a worker again that dies, but not one that dies while it starts.
_START_SECONDS = 120.0
# Dask computes a result again that was lost with its worker, and would wait for it without an end.
_GATHER_SECONDS = 30.0


class TaskError(LabError):
    """A task raised an exception: the experiment is wrong, not its user."""


class Job:
    """Tasks of one experiment, of which some may be done."""

    def __init__(
        self, experiment: Experiment, title: str, tasks: Sequence[Task], checkpoint: Checkpoint
    ) -> None:
        self.experiment = experiment
        self.title = title
        self.tasks = tasks
        self.checkpoint = checkpoint
        self.modules = fingerprint.modules_of(experiment)
        self.code = fingerprint.of_modules(self.modules)
        self._leave_out_wrong()
        self._tell()

    def todo(self) -> Iterator[int]:
        """Places of the tasks that are to be done."""
        kept = set(self.checkpoint.kept)
        return (index for index in range(len(self.tasks)) if index not in kept)

    def done(self) -> int:
        """How many tasks are done."""
        return len(self.checkpoint.kept)

    def key(self, index: int) -> str:
        """The task's name on the cluster."""
        task = fingerprint.of_task(self.tasks[index])
        return f"{self.experiment.name}-{self.code}-{index}-{task}"

    def keep(self, index: int, done: Done) -> None:
        """The result of a task."""
        self.checkpoint.add(index, fingerprint.of_task(self.tasks[index]), done)

    def how_far(self) -> str:
        """The same for people."""
        return f"{self.done()} of {len(self.tasks)} tasks"

    def _leave_out_wrong(self) -> None:
        kept = self.checkpoint.kept
        wrong = [
            index
            for index, line in kept.items()
            if index >= len(self.tasks) or line.task != fingerprint.of_task(self.tasks[index])
        ]
        for index in wrong:
            del kept[index]

    def _tell(self) -> None:
        if self.done():
            say(f"{self.title}: resumed: {self.how_far()} are there already")
        elif others := self.checkpoint.others():
            say(f"{self.title}: {others[0]} is of other code and is not used")


class Dispatch:
    """Tasks on their way to the workers of a cluster and back."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._sent: dict[str, tuple[Job, int, Future[Done]]] = {}
        self._back: SimpleQueue[Future[Done]] = SimpleQueue()
        self._looked = -_LOOK_SECONDS
        self._window = 0
        self._alone: float | None = None  # since when there is no worker
        self._places: dict[str, int] = {}

    def finished(self, jobs: Sequence[Job]) -> Generator[Job, None, None]:
        """Each job when all of its tasks are done, in their order."""
        todo = ((job, index) for job in jobs for index in job.todo())
        self._places = {job.experiment.name: place for place, job in enumerate(jobs)}
        try:
            for job in jobs:
                with Progress(job.title, len(job.tasks), job.done()) as progress:
                    self._until_done(job, todo, progress)
                yield job
        except BaseException:
            self._salvage()
            raise
        finally:
            self._cancel()

    def _until_done(self, job: Job, todo: Iterator[tuple[Job, int]], progress: Progress) -> None:
        while True:
            self._look(job, progress)
            self._send(todo)
            if job.done() == len(job.tasks):
                return
            self._take(self._arrived(job))
            progress.show(job.done())

    def _look(self, job: Job, progress: Progress) -> None:
        """Once in a while, how many workers there are: they may come and go."""
        if time.monotonic() - self._looked < _LOOK_SECONDS:
            return
        self._looked = time.monotonic()
        threads = self._cluster.threads()
        if threads:
            self._alone = None
        elif self._alone is None:
            self._alone = self._looked
            progress.say(f"{job.title}: no worker is there; waiting for one")
        elif self._cluster.is_local() and self._looked - self._alone > _START_SECONDS:
            raise LabError(
                f"all workers of {job.title} died, and no new one has started",
                "see that there is enough memory, then run the same command: it goes on from there",
            )
        self._window = max(_AHEAD * threads, _AHEAD_AT_LEAST)

    def _send(self, todo: Iterator[tuple[Job, int]]) -> None:
        """Send what there is room for, until something is back: to keep that is more urgent."""
        while len(self._sent) < self._window and self._back.empty():
            if (following := next(todo, None)) is None:
                return
            job, index = following
            key, compute = job.key(index), job.experiment.compute
            names = compute.__module__, compute.__name__
            future = self._cluster.client.submit(
                work,
                job.modules,
                job.code,
                *names,
                json.dumps(job.tasks[index]),
                key=key,
                priority=-self._places[job.experiment.name],
            )
            self._sent[key] = job, index, future
            future.add_done_callback(self._back.put)

    def _arrived(self, job: Job) -> list[Future[Done]]:
        """Those that are back; none if none comes within a second."""
        try:
            arrived = [self._back.get(timeout=_LOOK_SECONDS)]
        except Empty:
            arrived = []
        while not self._back.empty():
            arrived.append(self._back.get())
        if not self._cluster.alive() or any(future.cancelled() for future in arrived):
            raise _lost(job)
        return arrived

    def _take(self, arrived: Sequence[Future[Done]]) -> None:
        """Keep what was done, then stop if a task failed."""
        given = self._gathered([future for future in arrived if future.status == "finished"])
        for key, done in given.items():
            job, index, future = self._sent.pop(key)
            job.keep(index, done)
            future.release()
        for future in arrived:
            if future.key not in given:
                self._not_done(future)

    def _gathered(self, finished: Sequence[Future[Done]]) -> dict[str, Done]:
        """The results of tasks; none if one is lost with its worker and not there again soon."""
        from distributed.client import FutureCancelledError

        futures, client = {str(future.key): future for future in finished}, self._cluster.client

        async def given() -> dict[str, Done]:
            return dict(await client.gather(futures, errors="skip", asynchronous=True))

        try:
            return dict(client.sync(given, callback_timeout=_GATHER_SECONDS))
        except TimeoutError:
            return {}
        except (OSError, FutureCancelledError) as error:
            raise _lost(self._sent[next(iter(futures))][0]) from error

    def _not_done(self, future: Future[Done]) -> None:
        """Stop if the task failed; otherwise its result is asked for again, or done by another."""
        if future.status == "error":
            job, index, _ = self._sent[str(future.key)]
            raise _failed(job, index, future)
        future.add_done_callback(self._back.put)

    def _salvage(self) -> None:
        """Keep what is done already, whatever stops the run."""
        unfinished = {id(job): job for job, _, _ in self._sent.values()}.values()
        with contextlib.suppress(LabError):
            if self._cluster.alive():
                sent = [future for _, _, future in self._sent.values()]
                self._take([future for future in sent if future.status == "finished"])
        for job in unfinished:
            if job.done() < len(job.tasks):
                say(f"{job.title}: {job.how_far()} are kept")

    def _cancel(self) -> None:
        """Have no more work done that nobody waits for.

        Dask answers a `cancel` later, and that answer would stop the next run of the same tasks.
        """
        for _, _, future in self._sent.values():
            future.release()
        self._sent.clear()


def _lost(job: Job) -> LabError:
    return LabError(
        f"the scheduler is gone in the middle of {job.title}",
        "start it again, then run the same command: it goes on from there",
    )


def _failed(job: Job, index: int, future: Future[Done]) -> LabError:
    from distributed import KilledWorker

    error = future.exception()
    task = f"task {index} of {job.title}, {job.tasks[index]}"
    if isinstance(error, OtherCodeError):
        return LabError(f"a worker that joined late cannot take part: {error}", HINT)
    if isinstance(error, KilledWorker):
        return TaskError(
            f"each worker that had {task} died",
            "this task or one beside it ends the process, or there is too little memory",
        )
    trace = "".join(traceback.format_tb(future.traceback()))
    return TaskError(f"{trace}{task}: {type(error).__name__}: {error}")
