# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Measurements that stand beside the sources: dataclasses as rows of CSV."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable
from dataclasses import astuple, fields
from operator import attrgetter
from pathlib import Path
from typing import TypeVar

from tools import write

T = TypeVar("T")


def read(kind: type[T], path: Path) -> list[T]:
    """All rows, none without a file; numbers as they were written, with a point or without."""
    if not path.exists():
        return []
    texts = {each.name for each in fields(kind) if each.type == "str"}  # type: ignore[arg-type]
    with path.open(encoding="utf-8", newline="") as file:
        return [
            kind(**{name: row[name] if name in texts else json.loads(row[name]) for name in row})
            for row in csv.DictReader(file)
        ]


def text(kind: type, rows: Iterable[object]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(each.name for each in fields(kind))
    writer.writerows(astuple(row) for row in rows)  # type: ignore[call-overload]
    return out.getvalue()


def record(
    path: Path, new: T, order: Iterable[object], key: Callable[[T], object] = attrgetter("core")
) -> None:
    """Adds a row or replaces the one with its key; keys stand in this order."""
    rows = {key(row): row for row in [*read(type(new), path), new]}
    write(path, text(type(new), (rows[each] for each in order if each in rows)))
