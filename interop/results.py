# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The table results.csv: what came of each exchange, and on which day."""

from __future__ import annotations

import csv
from dataclasses import asdict, dataclass, fields
from pathlib import Path

OK = "ok"
REFUSES = "refuses"
NOT_RUN = "not run"
WRONG = "WRONG"
KINDS = (OK, REFUSES, NOT_RUN, WRONG)

PATH = Path(__file__).resolve().parent / "results.csv"


@dataclass(frozen=True)
class Row:
    """One exchange. `program` is a file in programs/, `name` what it is called."""

    area: str
    program: str
    name: str
    version: str
    source: str
    what: str
    direction: str
    result: str
    # The words of the reader when it refused, or why the case was not run.
    words: str
    date: str


def read(path: Path = PATH) -> list[Row]:
    """Return the rows of a table."""
    with path.open(encoding="utf-8", newline="") as file:
        return [Row(**row) for row in csv.DictReader(file)]


def write(rows: list[Row], path: Path = PATH) -> None:
    """Write a table."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, [field.name for field in fields(Row)], lineterminator="\n")
        writer.writeheader()
        writer.writerows(asdict(row) for row in rows)
