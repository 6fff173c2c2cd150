# SPDX-License-Identifier: Apache-2.0 OR MIT
"""All results as CSV, for other programs: a Tabular Data Package [DataPackage].

Its `datapackage.json` says for each file which columns it has, of which type, and what they mean.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from manyfish_lab import experiments, machine, results
from manyfish_lab.errors import LabError, writing
from manyfish_lab.results import Result
from manyfish_lab.verdicts import RULES, of_table

DESCRIPTION = "datapackage.json"

Value = str | int | float | None
Row = Iterable[Value]
Field = dict[str, object]


@dataclass(frozen=True)
class File:
    """A file of the package: `rows` gives those of one result."""

    name: str
    title: str
    fields: tuple[Field, ...]
    rows: Callable[[Result], Iterator[Row]]

    def text(self, found: Iterable[Result]) -> str:
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(field["name"] for field in self.fields)
        for result in found:
            writer.writerows(self.rows(result))
        return out.getvalue()

    def described(self) -> Mapping[str, object]:
        return {
            "name": self.name,
            "path": f"{self.name}.csv",
            "title": self.title,
            "profile": "tabular-data-resource",
            "encoding": "utf-8",
            "schema": {"fields": self.fields},
        }


def field(name: str, kind: str, description: str, values: Iterable[str] = ()) -> Field:
    constraints = {"constraints": {"enum": list(values)}} if values else {}
    return {"name": name, "type": kind, "description": description, **constraints}


def runs(result: Result) -> Iterator[Row]:
    cost = result.cost
    yield (
        *(result.experiment, result.scale, result.seed, result.command, result.commit),
        *(result.date, cost.tasks, cost.cpu_seconds, cost.wall_seconds, cost.workers),
        cost.processor,
    )


def figures(result: Result) -> Iterator[Row]:
    experiment = experiments.find(result.experiment)
    for table in result.findings.tables:
        for one in of_table(experiment, table):
            cell = one.cell
            yield (
                *(result.experiment, result.scale, table.title, table.source, cell.what),
                *(cell.published, cell.ours, one.verdict, one.kind, one.why),
            )


def points(result: Result) -> Iterator[Row]:
    for plot in result.findings.plots:
        for series, places in plot.series.items():
            for x, y in places:
                name = plot.x_names[int(x)] if plot.x_names else None
                yield (result.experiment, result.scale, plot.name, series, x, name, y)


def cells(result: Result) -> Iterator[Row]:
    for plot in result.findings.plots:
        for row, values in enumerate(plot.grid):
            for column, value in enumerate(values):
                yield (result.experiment, result.scale, plot.name, row, column, value)


EXPERIMENT = field("experiment", "string", "its name for the command")
SCALE = field("scale", "string", "how much was computed")
PLOT = field("plot", "string", "the name of the picture, within the experiment")

FILES = (
    File(
        "runs",
        "The runs that gave the results",
        (
            EXPERIMENT,
            SCALE,
            field("seed", "integer", "what all random numbers come from; empty if none are"),
            field("command", "string", "repeats the run"),
            field("commit", "string", "of the sources"),
            field("date", "date", "when it ended"),
            field("tasks", "integer", "how many there were"),
            field("cpu_seconds", "number", "of all tasks"),
            field("wall_seconds", "number", "from the first task to the last"),
            field("workers", "integer", "how many tasks ran at a time"),
            field("processor", "string", "of the workers"),
        ),
        runs,
    ),
    File(
        "figures",
        "Every figure, with that of the source",
        (
            EXPERIMENT,
            SCALE,
            field("table", "string", "its title"),
            field("source", "string", "the citation, of docs/references.md"),
            field("figure", "string", "what it counts or measures, within its table"),
            field("published", "string", "as the source prints it; empty if no source has it"),
            field("ours", "string", "written alike"),
            field("agrees", "string", "docs/lab/running.md has the rules", RULES),
            field("kind", "string", "what the published figure is"),
            field("why", "string", "why they differ, or a remark"),
        ),
        figures,
    ),
    File(
        "points",
        "What the bars and lines of the pictures show",
        (
            EXPERIMENT,
            SCALE,
            PLOT,
            field("series", "string", "the line or the kind of bar"),
            field("x", "number", "its place"),
            field("x_name", "string", "what stands there in place of a number"),
            field("y", "number", "its height"),
        ),
        points,
    ),
    File(
        "cells",
        "What the pictures with coloured squares show",
        (
            EXPERIMENT,
            SCALE,
            PLOT,
            field("row", "integer", "from the top, from 0"),
            field("column", "integer", "from the left, from 0"),
            field("value", "number", "empty where the picture is blank"),
        ),
        cells,
    ),
)


def description() -> str:
    """The names, types and meanings of all columns."""
    package = {
        "profile": "tabular-data-package",
        "name": "manyfish-lab",
        "title": "Published claims about Twofish, computed again",
        "version": machine.versions()["manyfish_lab"],
        "licenses": [{"name": "Apache-2.0"}, {"name": "MIT"}],
        "resources": [file.described() for file in FILES],
    }
    return json.dumps(package, indent=1) + "\n"


def write(folder: Path, out: Path) -> list[Path]:
    """Write the package of all results of a folder; says which files."""
    found = results.read_all(folder)
    if not found:
        raise LabError(f"there are no results in {folder}", "name another folder with --results")
    made = {f"{file.name}.csv": file.text(found) for file in FILES} | {DESCRIPTION: description()}
    with writing(out):
        for name, text in made.items():
            (out / name).write_text(text, encoding="utf-8", newline="")
    return [out / name for name in made]
