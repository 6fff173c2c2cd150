#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Keeps the results of `make timing` as CSV in bench/results/ and makes the table of them.

bench/timing.py record   take what c/tests/timing.c prints from standard input, print the CSV's name
bench/timing.py tables   make the table between the markers in docs/security.md anew
bench/timing.py check    exit 1 if that would change anything
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import commands
from commands import ROOT

DOCUMENT = ROOT / "docs" / "security.md"

# |t| of Welch's test: below the first nothing was found, above the second it is a leak.
SUSPICIOUS = 4.5
LEAK = 10.0


def record() -> int:
    lines = sys.stdin.read().splitlines()
    rows = [line for line in lines if line.count(",") == 6]
    if len(rows) < 2 or not rows[0].startswith("kernel,"):
        print("timing.py: error: that is not the output of the timing test", file=sys.stderr)
        return 1
    at = commands.commit()
    if commands.refused(at):
        return 1
    cpu, date = commands.cpu_name(), commands.today()
    path = commands.csv_path("timing", date, cpu=cpu)
    notes = [line for line in lines if line.startswith(("# ", "skipped: "))]
    head = [f"# cpu: {cpu}", f"# commit: {at}", f"# date: {date}"]
    head += [line if line.startswith("#") else f"# {line}" for line in dict.fromkeys(notes)]
    path.write_text("\n".join([*head, *rows]) + "\n", encoding="utf-8")
    print(path.relative_to(ROOT))
    return 0


def verdict(t: float) -> str:
    if t >= LEAK:
        return "**leaks**"
    return "suspicious" if t >= SUSPICIOUS else "nothing found"


def table_of(path: Path) -> list[str]:
    """A row for each kernel; of the runs the middle one."""
    lines = path.read_text(encoding="utf-8").splitlines()
    notes = commands.notes_of(lines)
    found: dict[str, dict[str, float]] = {}
    constant_time: dict[str, str] = {}
    samples = 0
    for row in csv.DictReader(line for line in lines if not line.startswith("#")):
        found.setdefault(row["kernel"], {})[row["operation"]] = float(row["t_middle"])
        constant_time[row["kernel"]] = "yes" if row["constant_time"] == "true" else "no"
        samples = int(row["samples"])
    operations = list(dict.fromkeys(name for values in found.values() for name in values))
    skipped = [line[2:] for line in lines if line.startswith("# skipped: ")]
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
        *([""] if skipped else []),
        *(f"{line[0].upper()}{line[1:]}.  " for line in skipped),
    ]


def main() -> int:
    return commands.of_document(__doc__, record, DOCUMENT, {"timing": table_of})


if __name__ == "__main__":
    sys.exit(main())
