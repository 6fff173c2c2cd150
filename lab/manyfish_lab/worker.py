# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The work of a worker: one task of an experiment."""

from __future__ import annotations

import json
import logging
import os
import signal
import time
from dataclasses import dataclass
from importlib import import_module

from manyfish_lab import fingerprint


class OtherCodeError(Exception):
    """The code of this worker is not that of who asks."""


@dataclass(frozen=True)
class Done:
    """The result of a task, as JSON text, and its cost."""

    value: str
    cpu_seconds: float
    wall_seconds: float


def dask_setup(worker: object) -> None:
    """Called in each process of a local cluster: its owner does the talking, and ends it.

    A signal that a terminal sends to all processes is for the owner too.
    """
    logging.disable(logging.ERROR)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)


def work(modules: tuple[str, ...], code: str, module: str, function: str, task: str) -> Done:
    """Do one task. A worker that joined late is checked here, as the others were at the start."""
    here = fingerprint.of_modules(modules)
    if here != code:
        raise OtherCodeError(f"this worker has code {here}, the task is for {code}")
    compute = getattr(import_module(module), function)
    given = json.loads(task)
    cpu, wall = _cpu_seconds(), time.perf_counter()
    value = compute(given)
    took = _cpu_seconds() - cpu, time.perf_counter() - wall
    return Done(json.dumps(value, allow_nan=False, separators=(",", ":")), *took)


def _cpu_seconds() -> float:
    """Of this thread, and of programs that tasks of this process have run."""
    times = os.times()
    return time.thread_time() + times.children_user + times.children_system
