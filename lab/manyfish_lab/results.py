# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Results as files: `NAME.SCALE.json` in the folder of results, one for an experiment and a scale.

They hold the figures, not the texts of the experiment: these can be mended without a new run.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from manyfish_lab.errors import LabError
from manyfish_lab.experiment import SCALES, Cell, Findings, Json, Plot, Scale, Table

FORMAT = 1
_LINE_LENGTH = 100

T = TypeVar("T")


@dataclass(frozen=True)
class Cost:
    """The cost of a run.

    tasks          how many there were; `resumed_tasks` of them were kept from runs before the last
    cpu_seconds    of all tasks; `task_seconds` is the least, the median, and the most of one task
    wall_seconds   from the start of the first task to the end of the last, of all runs that added
    workers        how many tasks ran at a time
    processor      of the workers; with several kinds all are named
    """

    tasks: int
    resumed_tasks: int
    cpu_seconds: float
    task_seconds: tuple[float, float, float]
    wall_seconds: float
    workers: int
    processor: str


@dataclass(frozen=True)
class Result:
    """One run of an experiment, and what it found."""

    experiment: str
    scale: Scale
    seed: int | None
    command: str
    code: str
    date: str
    versions: dict[str, str]
    cost: Cost
    findings: Findings
    commit: str = ""  # of the sources, if they were in a repository


def file_name(experiment: str, scale: Scale) -> str:
    """The file of an experiment and a scale, in the folder of results."""
    return f"{experiment}.{scale}.json"


def write(folder: Path, result: Result) -> Path:
    """Write a result in place of an earlier one, whole or not at all."""
    path = folder / file_name(result.experiment, result.scale)
    replace(path, {"format": FORMAT, **vars(result)})
    return path


def read(path: Path) -> Result:
    """One result; a figure that differs from its source needs its reason here too."""
    return parsed(path, _result, "remove it and run its experiment again")


def parsed(path: Path, make: Callable[[dict[str, Json]], T], hint: str) -> T:
    """The content of a file of this folder; `make` may raise any error for wrong fields."""
    try:
        fields = json.loads(path.read_text(encoding="utf-8"))
        if fields.pop("format") != FORMAT:
            raise ValueError("another format")
        return make(fields)
    except OSError as error:
        raise LabError(f"cannot read {path}: {error.strerror}", hint) from error
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise LabError(f"{path}: not what this version can read: {error!r}", hint) from error


def read_all(folder: Path) -> list[Result]:
    """All results of a folder, by name, the smaller scales first."""
    paths = [path for scale in SCALES for path in folder.glob(f"*.{scale}.json")]
    found = [read(path) for path in paths]
    return sorted(found, key=lambda result: (result.experiment, SCALES.index(result.scale)))


def differing(one: Path, other: Path) -> tuple[list[str], int]:
    """Results in both folders whose findings differ, and the number of results in both."""
    theirs = {(result.experiment, result.scale): result for result in read_all(other)}
    both = [
        (result, theirs[result.experiment, result.scale])
        for result in read_all(one)
        if (result.experiment, result.scale) in theirs
    ]
    names = [file_name(a.experiment, a.scale) for a, b in both if a.findings != b.findings]
    return names, len(both)


def replace(path: Path, document: Json) -> None:
    """Write JSON beside the file, and put it in its place."""
    # Classes become objects, and keys strings; asdict would break counters.
    text = laid_out(json.loads(json.dumps(document, allow_nan=False, default=vars)))
    new = path.with_name(f".{path.name}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with new.open("w", encoding="utf-8") as file:
            file.write(text + "\n")
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    except OSError as error:
        new.unlink(missing_ok=True)
        raise LabError(
            f"cannot write {path}: {error.strerror}",
            "make room, or name another folder with --results; the tasks' results are kept",
        ) from error


def laid_out(value: Json, indent: int = 0) -> str:
    """JSON for diffs: a line for each record, which is what holds no list or object of its own.

    Shorter lines that fit are joined.
    """
    flat = json.dumps(value, ensure_ascii=False, allow_nan=False)
    if _is_record(value) or len(flat) + indent <= _LINE_LENGTH:
        return flat
    space = " " * (indent + 1)
    if isinstance(value, dict):
        rows = [f"{json.dumps(k)}: {laid_out(v, indent + 1)}" for k, v in value.items()]
    else:
        rows = [laid_out(item, indent + 1) for item in value]
    return flat[0] + "\n" + ",\n".join(space + row for row in rows) + f"\n{space[1:]}{flat[-1]}"


def _is_record(value: Json) -> bool:
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return not any(isinstance(item, (dict, list)) for item in items)


def _result(fields: dict[str, Json]) -> Result:
    fields["cost"] = Cost(**fields["cost"])
    fields["findings"] = _findings(fields["findings"])
    return Result(**fields)


def _findings(fields: dict[str, Json]) -> Findings:
    tables = [
        Table(table["title"], [Cell(**cell) for cell in table["cells"]], table["source"])
        for table in fields["tables"]
    ]
    remarks = fields["remarks"]
    if not isinstance(remarks, list):
        raise TypeError("remarks are no list")
    return Findings(tables, [_plot(plot) for plot in fields["plots"]], remarks, fields["data"])


def _plot(fields: dict[str, Json]) -> Plot:
    series = {name: [(x, y) for x, y in points] for name, points in fields["series"].items()}
    return Plot(**{**fields, "series": series})
