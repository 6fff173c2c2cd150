# SPDX-License-Identifier: Apache-2.0 OR MIT
"""How far a run is: a bar with the remaining time on a terminal, else a line from time to time."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any

_LINE_SECONDS = 30.0


def say(text: str) -> None:
    """A line for the user, beside what the program is asked to print."""
    print(text, file=sys.stderr, flush=True)


class Progress:
    """Counts the tasks of one experiment."""

    def __init__(self, title: str, total: int, kept: int) -> None:
        self._title = title
        self._total = total
        self._kept = self._count = kept
        self._start = self._said = time.monotonic()
        self._bar: Any = None
        if sys.stderr.isatty():
            from tqdm import tqdm

            self._bar = tqdm(
                desc=title, total=total, initial=kept, unit="task", dynamic_ncols=True, leave=False
            )

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.close()

    def say(self, text: str) -> None:
        """A line that leaves the bar whole."""
        if self._bar is not None:
            self._bar.clear()
        say(text)

    def show(self, count: int) -> None:
        """This many tasks are done now."""
        new, self._count = count - self._count, count
        if self._bar is not None:
            self._bar.update(new)
        elif time.monotonic() - self._said > _LINE_SECONDS:
            self._said = time.monotonic()
            say(f"{self._title}: {self._count} of {self._total} tasks{self._remaining()}")

    def _remaining(self) -> str:
        """Unknown before the first task is done."""
        done = self._count - self._kept
        if not done:
            return ""
        a_task = (time.monotonic() - self._start) / done
        return f", {duration(a_task * (self._total - self._count))} left"


def duration(seconds: float) -> str:
    """A length of time in the unit that suits it."""
    for unit, length in (("days", 86400.0), ("h", 3600.0), ("min", 60.0)):
        if seconds >= 2 * length:
            return f"{seconds / length:.1f} {unit}"
    return f"{seconds:.1f} s"
