#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Keeps what scripts/bench-python measures as CSV in bench/results/ and makes the table of it.

bench/wheel.py record   turn the JSON of bench/python/measure.py on standard input into a CSV, print
                        its name
bench/wheel.py tables   make the tables between the markers in the documents again
bench/wheel.py check    exit 1 if that would change anything
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import commands
from commands import ROOT

DOCUMENTS = (
    ROOT / "python" / "README.md",
    ROOT / "README.md",
    ROOT / "docs" / "start" / "old-data.md",
)
COLUMNS = ("operation", "program", "kernel", "unit", "value")
OURS = "manyfish"
# Of bench/python/records.py; how the names of operations begin there, and two of the programs.
RECORDS = "records from CBC to OCB: "
WAYS = ("many at once", "one call each")


def record() -> int:
    data = json.load(sys.stdin)
    head = {**commands.here(), "python": data["python"]}
    rows = ([row[column] for column in COLUMNS] for row in data["rows"])
    return commands.keep("python", head, [COLUMNS, *rows])


def figure(value: float) -> str:
    return f"{value:,.0f}" if value >= 20 else f"{value:.1f}" if value >= 1 else f"{value:.2f}"


def cell(program: str, value: float, ours: float, unit: str) -> str:
    """The rate or the time, and how many times as fast ours is."""
    if program == OURS:
        return f"**{figure(value)}**"
    times = value / ours if unit == "s" else ours / value
    return f"{figure(value)} ({times:.2f}x)" if times < 2 else f"{figure(value)} ({figure(times)}x)"


def table_of(path: Path) -> list[str]:
    """A row for each operation, a column for each program."""
    notes, rows = commands.read(path)
    found: dict[tuple[str, str], dict[str, float]] = {}
    for row in rows:
        if row["operation"].startswith(RECORDS):
            continue
        values = found.setdefault((row["operation"], row["unit"]), {})
        values[row["program"]] = float(row["value"])
    names = dict.fromkeys(name for values in found.values() for name in values)
    programs = [OURS, *(name for name in names if name != OURS)]
    return [
        f"{commands.machine(notes, rows)}; {notes['python']}; commit {notes['commit']}, "
        f"{notes['date']}. Keys of 256 bits. In brackets: how many times as fast ours is.",
        "",
        f"| | unit | {' | '.join(programs)} |",
        f"|---|---|{'--:|' * len(programs)}",
        *(
            f"| {operation} | {unit} | "
            + " | ".join(
                cell(name, values[name], values[OURS], unit) if name in values else ""
                for name in programs
            )
            + " |"
            for (operation, unit), values in found.items()
        ),
    ]


def databases(path: Path) -> list[str]:
    """How long pykeepass takes to open a database, alone and with our cipher."""
    notes, rows = commands.read(path)
    found: dict[str, dict[bool, str]] = {}
    for row in rows:
        size = re.fullmatch("pykeepass opens a database of (.*), Argon2 included", row["operation"])
        if size:
            seconds = f"{float(row['value']):.2f} s"
            found.setdefault(size[1], {})[row["program"] == OURS] = seconds
    return [
        "| open a database of, Argon2 included | with Manyfish | pykeepass alone |",
        "|--:|--:|--:|",
        *(f"| {size} | {each[True]} | {each[False]} |" for size, each in found.items()),
        "",
        f"{notes['cpu']}; {notes['python']}; commit {notes['commit']}, {notes['date']}.",
    ]


def records(path: Path) -> list[str]:
    """Records a second."""
    notes, all_rows = commands.read(path)
    rows = [row for row in all_rows if row["operation"].startswith(RECORDS)]
    found: dict[str, dict[str, str]] = {}
    for row in rows:
        values = found.setdefault(row["operation"].removeprefix(RECORDS), {})
        values[row["program"]] = figure(float(f"{float(row['value']):.3g}"))
    return [
        f"| records a second | {' | '.join(WAYS)} | others |",
        "|---|--:|--:|---|",
        *(
            f"| {name} | "
            + " | ".join(values.pop(way, "") for way in WAYS)
            + f" | {'; '.join(f'{other}: {value}' for other, value in values.items())} |"
            for name, values in found.items()
        ),
        "",
        f"{commands.machine(notes, rows)}; commit {notes['commit']}, {notes['date']}. "
        "One thread; 10,000 records of 64 bytes of ciphertext, of Triple-DES 56.",
    ]


def main() -> int:
    tables = {"python": table_of, "KeePass": databases, "records": records}
    return commands.of_documents(__doc__, record, DOCUMENTS, tables)


if __name__ == "__main__":
    sys.exit(main())
