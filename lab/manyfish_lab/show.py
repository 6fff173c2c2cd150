# SPDX-License-Identifier: Apache-2.0 OR MIT
"""An experiment and its findings, as text for a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from pathlib import Path

from manyfish_lab.experiment import SCALES, Experiment, Findings, Table
from manyfish_lab.progress import duration
from manyfish_lab.results import Cost, Result
from manyfish_lab.verdicts import Judged, of_table

_WIDTH = 96
_LOUD = {"no": "NO", "no figure": "-"}


def description(experiment: Experiment) -> Iterator[str]:
    """Name, question, and what each scale covers."""
    yield experiment.name
    yield from _wrapped(experiment.question, "    ")
    for scale in SCALES:
        if scale in experiment.covers:
            yield from _wrapped(experiment.covers[scale], f"    {scale + ':':8}")


def result(experiment: Experiment, found: Result, file: Path) -> Iterator[str]:
    """All that a run has to say, and the file where it is kept."""
    yield f"{experiment.name}, scale {found.scale}: {experiment.covers[found.scale]}"
    yield ""
    yield from _wrapped(experiment.question, "Question: ")
    yield from _wrapped(experiment.method, "Method:   ")
    yield from _wrapped("; ".join(experiment.sources) or "none", "Sources:  ")
    yield f"Command:  {found.command}"
    if found.commit:
        yield f"Commit:   {found.commit}"
    yield f"Seed:     {'none: nothing is random' if found.seed is None else found.seed}"
    yield from _findings(experiment, found.findings)
    yield ""
    yield from _wrapped(cost(found.cost), "Cost:     ")
    yield f"File:     {file}"


def cost(taken: Cost) -> str:
    """The cost of a run, in a sentence."""
    least, median, most = taken.task_seconds
    resumed = f" ({taken.resumed_tasks} of them in runs before)" if taken.resumed_tasks else ""
    return (
        f"{taken.tasks} tasks{resumed}, {duration(taken.cpu_seconds)} of CPU, "
        f"a task {least:.3g} to {most:.3g} s (median {median:.3g}); "
        f"{duration(taken.wall_seconds)} on {taken.workers} workers, {taken.processor}"
    )


def _findings(experiment: Experiment, found: Findings) -> Iterator[str]:
    for table in found.tables:
        yield ""
        yield from _table(table, of_table(experiment, table))
    for remark in found.remarks:
        yield ""
        yield from _wrapped(remark)


def _table(table: Table, judged: list[Judged]) -> Iterator[str]:
    yield from _wrapped(f"{table.title} {table.source}".rstrip())
    rows = [("", "published", "ours", "agrees"), *map(_row, judged)]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    for row in rows:
        cells = (f"{text:{width}}" for text, width in zip(row, widths))
        yield f"  {'  '.join(cells)}".rstrip()
    for one in judged:
        if one.why:
            yield from _wrapped(one.why, f"  {one.cell.what}: ")


def _row(one: Judged) -> tuple[str, str, str, str]:
    cell = one.cell
    return cell.what, cell.published or "-", cell.ours, _LOUD.get(one.verdict, one.verdict)


def _wrapped(text: str, head: str = "") -> list[str]:
    """Lines with a head; the following ones are set in by the length of a short head."""
    indent = " " * (len(head) if len(head) <= 16 else 4)
    return textwrap.wrap(
        text,
        _WIDTH,
        initial_indent=head,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
