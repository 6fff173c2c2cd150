#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Keeps what scripts/bench-java measures as CSV in bench/results/ and makes the tables of it.

bench/jmh.py record   turn the JSON files of JMH, in the folder that standard input names, into a
                      CSV for each benchmark, print their names
bench/jmh.py tables   make the tables between the markers in the documents again
bench/jmh.py check    exit 1 if that would change anything
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import commands
from commands import ROOT

DOCUMENTS = (ROOT / "java" / "README.md", ROOT / "docs" / "java.md")
COLUMNS = ("operation", "program", "kernel", "unit", "value")
PEER = "Bouncy Castle"
# Of many messages: the program that batches are compared with, and how many messages there are, by
# their bytes in all.
ONE_BY_ONE = "init and doFinal"
BATCHES = (ONE_BY_ONE, "arrays", "packed")
N_MESSAGES = {65536: 64, 6400000: 100000}
# The benchmarks by the names of their classes: what their files begin with.
FILES = {"MessageBenchmark": "java", "BatchBenchmark": "java-batch"}

Run = dict[str, Any]


def runs_of(folder: Path) -> list[Run]:
    paths = sorted(folder.glob("*.json"))
    return [run for path in paths for run in json.loads(path.read_text(encoding="utf-8"))]


def operation_of(params: dict[str, str]) -> str:
    """As in "CTR, 64 KiB", or in "EAX, encrypt, 64 times 1024 bytes"."""
    what = params["operation"].replace("_", ", ").replace("CRYPT", "crypt").replace("EN", "en")
    n_bytes = int(params["nBytes"])
    size = f"{n_bytes // 1024} KiB"
    if params["program"] in BATCHES:
        n_messages = N_MESSAGES[n_bytes]
        size = f"{n_messages:,} times {n_bytes // n_messages} bytes"
    return f"{what.replace('DE', 'de')}, {size}"


def rates(runs: list[Run]) -> dict[tuple[str, str], float]:
    """MB/s of each operation and program by the shortest time in microseconds.

    Other programs can only make a run slower.
    """
    found: dict[tuple[str, str], float] = {}
    for run in runs:
        params = run["params"]
        name = operation_of(params), params["program"]
        time = min(min(each) for each in run["primaryMetric"]["rawData"])
        found[name] = max(found.get(name, 0), int(params["nBytes"]) / time)
    return found


def kernel_of(program: str, default: str) -> str:
    if program == PEER:
        return ""
    words = program.split()
    return words[1] if words[0] in ("java", "native") and len(words) > 1 else default


def record() -> int:
    runs = runs_of(Path(sys.stdin.readline().strip()))
    default = commands.default_kernel()
    status = 0
    for benchmark, what in FILES.items():
        own = [run for run in runs if f".{benchmark}." in run["benchmark"]]
        if own:
            java = f"{own[0]['vmName']} {own[0]['jdkVersion']}"
            rows = [
                (operation, program, kernel_of(program, default), "MB/s", round(rate, 1))
                for (operation, program), rate in rates(own).items()
            ]
            head = {**commands.here(), "java": java}
            status = max(status, commands.keep(what, head, [COLUMNS, *rows]))
    return status


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


def batches_of(path: Path) -> list[str]:
    """A row for each operation: how many times as fast as one message after the other."""
    notes, rows = commands.read(path)
    found: dict[str, dict[str, dict[str, float]]] = {}
    for row in rows:
        operation, messages = row["operation"].rsplit(", ", 1)
        of_messages = found.setdefault(operation, {}).setdefault(messages, {})
        of_messages[row["program"]] = float(row["value"])
    shapes = list(dict.fromkeys(messages for each in found.values() for messages in each))
    columns = [(messages, way) for messages in shapes for way in BATCHES[1:]]
    return [
        "| | " + " | ".join(f"{messages}, {way}" for messages, way in columns) + " |",
        f"|---|{'--:|' * len(columns)}",
        *(
            f"| {operation} | "
            + " | ".join(times(each[messages], way) for messages, way in columns)
            + " |"
            for operation, each in found.items()
        ),
        "",
        f"{commands.machine(notes, rows)}; {notes['java']}; commit {notes['commit']}, "
        f"{notes['date']}.",
    ]


def times(rates: dict[str, float], way: str) -> str:
    return f"{rates[way] / rates[ONE_BY_ONE]:.1f} ({rates[way]:,.0f} MB/s)"


def main() -> int:
    tables = {"java": table_of, "java batches": batches_of}
    return commands.of_documents(__doc__, record, DOCUMENTS, tables)


if __name__ == "__main__":
    sys.exit(main())
