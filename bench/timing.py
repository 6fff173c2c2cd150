#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Keeps the results of `make timing` as CSV in bench/results/ and makes the table of them.

bench/timing.py record   take what c/tests/timing.c prints from standard input, print the CSV's name
bench/timing.py tables   make the table between the markers in docs/checks.md again
bench/timing.py check    exit 1 if that would change anything
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path
from typing import Any

import commands
from commands import ROOT

DOCUMENT = ROOT / "docs" / "checks.md"

# |t| of Welch's test: below the first nothing was found, above the second it is a leak.
SUSPICIOUS = 4.5
LEAK = 10.0


def store(head: dict[str, Any], lines: list[str]) -> int:
    """Keeps the output of the test, which is a table, below a head."""
    head = head | commands.notes_of(lines)
    if skipped := dict.fromkeys(line[9:] for line in lines if line.startswith("skipped: ")):
        head["skipped"] = "; ".join(skipped)
    return commands.keep("timing", head, csv.reader(rows_of(lines)))


def rows_of(lines: list[str]) -> list[str]:
    return [line for line in lines if line.count(",") == 6]


def record() -> int:
    lines = sys.stdin.read().splitlines()
    rows = rows_of(lines)
    if len(rows) < 2 or not rows[0].startswith("kernel,"):
        print("timing.py: error: that is not the output of the timing test", file=sys.stderr)
        return 1
    return store(commands.here(), lines)


def verdict(t: float) -> str:
    if t >= LEAK:
        return "**leaks**"
    return "suspicious" if t >= SUSPICIOUS else "nothing found"


def table_of(path: Path) -> list[str]:
    """A row for each kernel; of the runs the middle one."""
    notes, rows = commands.read(path)
    found: dict[str, dict[str, float]] = {}
    constant_time: dict[str, str] = {}
    samples = 0
    for row in rows:
        found.setdefault(row["kernel"], {})[row["operation"]] = float(row["t_middle"])
        constant_time[row["kernel"]] = "yes" if row["constant_time"] == "true" else "no"
        samples = int(row["samples"])
    operations = list(dict.fromkeys(name for values in found.values() for name in values))
    skipped = notes.get("skipped")
    return [
        f"{notes['cpu']}; {notes['compiler']}; commit {notes['commit']}, {notes['date']}; "
        f"three runs of {samples:,} samples for each figure.",
        "",
        f"| kernel | constant-time | {' | '.join(operations)} | verdict |",
        f"|---|---|{'--:|' * len(operations)}---|",
        *(
            f"| `{kernel}` | {constant_time[kernel]} | "
            f"{' | '.join(f'{values[name]:.1f}' for name in operations)} | "
            f"{verdict(max(values.values()))} |"
            for kernel, values in found.items()
        ),
        *(["", f"Skipped: {skipped}."] if skipped else []),
    ]


def main() -> int:
    return commands.of_documents(__doc__, record, (DOCUMENT,), {"timing": table_of})


if __name__ == "__main__":
    sys.exit(main())
