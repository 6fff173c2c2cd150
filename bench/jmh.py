#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Keeps what scripts/bench-java measures as CSV in bench/results/ and makes the table of it.

bench/jmh.py record   turn the JSON files of JMH, in the folder that standard input names, into a
                      CSV, print its name
bench/jmh.py tables   make the table between the markers in java/README.md again
bench/jmh.py check    exit 1 if that would change anything
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import commands
from commands import ROOT

DOCUMENT = ROOT / "java" / "README.md"
COLUMNS = ("operation", "program", "kernel", "unit", "value")
PEER = "Bouncy Castle"


def least(folder: Path) -> dict[tuple[str, str], tuple[float, int]]:
    """The shortest time of each operation and program in microseconds, and the bytes of a message.

    Other programs can only make a run slower.
    """
    found: dict[tuple[str, str], tuple[float, int]] = {}
    for path in sorted(folder.glob("*.json")):
        for run in json.loads(path.read_text(encoding="utf-8")):
            params, times = run["params"], run["primaryMetric"]["rawData"]
            name = (params["operation"], params["program"])
            time = min(min(each) for each in times)
            found[name] = min(found.get(name, (time, 0))[0], time), int(params["nBytes"])
    return found


def any_run(folder: Path) -> dict[str, Any]:
    run: dict[str, Any] = json.loads(next(folder.glob("*.json")).read_text(encoding="utf-8"))[0]
    return run


def record() -> int:
    folder = Path(sys.stdin.readline().strip())
    run = any_run(folder)
    java = f"{run['vmName']} {run['jdkVersion']}"
    default = commands.default_kernel()
    kernels = {"C library": default, "native": default, PEER: ""}
    rows: list[tuple[Any, ...]] = [COLUMNS]
    for (operation, program), (time, n_bytes) in least(folder).items():
        what = operation.replace("_", ", ").replace("CRYPT", "crypt").replace("EN", "en")
        what = f"{what.replace('DE', 'de')}, {n_bytes // 1024} KiB"
        kernel = kernels.get(program, program.split()[-1])
        rows.append((what, program, kernel, "MB/s", round(n_bytes / time, 1)))
    return commands.keep("java", {**commands.here(), "java": java}, rows)


def cell(value: float, peer: float) -> str:
    """The rate, and how many times that of the peer it is."""
    return f"{value:,.0f}" if value == peer else f"{value:,.0f} ({value / peer:.1f}x)"


def table_of(path: Path) -> list[str]:
    """A row for each program, a column for each operation."""
    notes, rows = commands.read(path)
    found: dict[str, dict[str, float]] = {}
    for row in rows:
        found.setdefault(row["program"], {})[row["operation"]] = float(row["value"])
    operations = list(found[PEER])
    return [
        f"{commands.machine(notes, rows)}; {notes['java']}; commit {notes['commit']}, "
        f"{notes['date']}. MB/s, keys of 256 bits. In brackets: how many times {PEER}.",
        "",
        f"| | {' | '.join(operations)} |",
        f"|---|{'--:|' * len(operations)}",
        *(
            f"| {program} | "
            + " | ".join(cell(values[name], found[PEER][name]) for name in operations)
            + " |"
            for program, values in found.items()
        ),
    ]


def main() -> int:
    return commands.of_documents(__doc__, record, (DOCUMENT,), {"java": table_of})


if __name__ == "__main__":
    sys.exit(main())
