# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The results of the tasks of an unfinished run: appended to a file as they arrive.

The files are in the folder `unfinished` of the folder of results, one for an experiment, a scale
and a fingerprint of the code, a line of JSON for a task. A line counts when it is whole. A process
that is killed loses no line that it has written; power that fails loses at most those of the last
second, since that often the file is forced to the disk.
"""

from __future__ import annotations

import fcntl
import json
import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from manyfish_lab.errors import LabError
from manyfish_lab.worker import Done

_SYNC_SECONDS = 1.0


@dataclass(frozen=True)
class Kept:
    """A line: the task's place and fingerprint, what it gave, and when, since its run began."""

    index: int
    task: str
    done: Done
    run: int
    seconds: float


class Checkpoint:
    """The file of one experiment, scale and code, open and locked until it is closed."""

    def __init__(self, results: Path, name: str, code: str) -> None:
        self.folder = results / "unfinished"
        self.path = self.folder / f"{name}.{code}.jsonl"
        self.kept: dict[int, Kept] = {}
        self._name = name
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._lock = _Lock(self.folder / f"{name}.lock", name)
            self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        except OSError as error:
            raise LabError(f"cannot keep results in {self.folder}: {error.strerror}") from error
        self._load()
        self.run = max((kept.run for kept in self.kept.values()), default=-1) + 1
        self._start = self._synced = time.monotonic()

    def __enter__(self) -> Checkpoint:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        os.close(self._file)
        if not self.kept:
            self.path.unlink(missing_ok=True)
        self._lock.unlock()

    def add(self, index: int, task: str, done: Done) -> None:
        """Keep what a task gave. If that fails, the file is as before."""
        kept = Kept(index, task, done, self.run, time.monotonic() - self._start)
        end = os.fstat(self._file).st_size
        try:
            self._append(_line(kept).encode())
        except OSError as error:
            os.ftruncate(self._file, end)
            raise LabError(
                f"cannot keep results in {self.path}: {error.strerror}",
                "what was kept before is safe: make room, then run the same command again",
            ) from error
        self.kept[index] = kept

    def others(self) -> list[Path]:
        """Files of the same experiment and scale, of other code."""
        return sorted(set(self.folder.glob(f"{self._name}.*.jsonl")) - {self.path})

    def forget(self) -> None:
        """Remove all that was kept of this experiment and scale, of any code."""
        for path in self.others():
            path.unlink()
        os.ftruncate(self._file, 0)
        self.kept.clear()

    def wall_seconds(self) -> float:
        """How long the runs took in all, each from the start of a task to the end of one."""
        runs: dict[int, list[Kept]] = {}
        for kept in self.kept.values():
            runs.setdefault(kept.run, []).append(kept)
        return sum(_span(run) for run in runs.values())

    def _append(self, line: bytes) -> None:
        while line:
            line = line[os.write(self._file, line) :]
        if time.monotonic() - self._synced > _SYNC_SECONDS:
            os.fsync(self._file)
            self._synced = time.monotonic()

    def _load(self) -> None:
        """Read the whole lines, and cut off what is no line."""
        end = 0
        with self.path.open("rb") as file:
            for line in file:
                if not line.endswith(b"\n"):
                    break
                end += len(line)
                self.kept.update((kept.index, kept) for kept in _parsed(line))
        os.ftruncate(self._file, end)


def _span(run: Sequence[Kept]) -> float:
    begin = min(kept.seconds - kept.done.wall_seconds for kept in run)
    return max(kept.seconds for kept in run) - begin


def _line(kept: Kept) -> str:
    """The value comes as JSON text, and is not read and written again."""
    head = {
        "index": kept.index,
        "task": kept.task,
        "run": kept.run,
        "seconds": round(kept.seconds, 3),
        "cpu_seconds": kept.done.cpu_seconds,
        "wall_seconds": kept.done.wall_seconds,
    }
    return f'{json.dumps(head)[:-1]}, "value": {kept.done.value}}}\n'


def _parsed(line: bytes) -> Iterator[Kept]:
    """One task, or none if the line is damaged: then the task is done again."""
    try:
        read: dict[str, Any] = json.loads(line)
        value = json.dumps(read["value"], separators=(",", ":"))
        done = Done(value, read["cpu_seconds"], read["wall_seconds"])
        yield Kept(read["index"], read["task"], done, read["run"], read["seconds"])
    except (ValueError, TypeError, KeyError):
        return


class _Lock:
    """A file that one process at a time holds; the system lets go of it when that process ends."""

    def __init__(self, path: Path, name: str) -> None:
        self._path = path
        self._file = self._open(name)

    def unlock(self) -> None:
        self._path.unlink(missing_ok=True)
        os.close(self._file)

    def _open(self, name: str) -> int:
        while True:
            file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o666)
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                os.close(file)
                raise LabError(
                    f"another run of {name} is at work in {self._path.parent.parent}",
                    "wait for it, or give this one a folder of its own: --results FOLDER",
                ) from error
            if self._is_there(file):
                return file
            os.close(file)  # its holder removed it between our two calls

    def _is_there(self, file: int) -> bool:
        try:
            return os.path.samestat(os.fstat(file), self._path.stat())
        except FileNotFoundError:
            return False
