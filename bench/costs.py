#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The costs by which the library chooses a kernel: measured ones as CSV, and the C table of them.

bench/costs.py record   store what `manyfish tune --print` wrote, from standard input
bench/costs.py table    make c/src/twofish/tables/costs.c anew
bench/costs.py check    exit 1 if that would change it

Machines differ in speed, so figures are compared within a machine only: each is divided by what
`full` takes there for 64 blocks, and of several machines the geometric mean is taken. Kernels that
were measured nowhere have the figures of bench/predicted/, whose files say how they were found.
"""

from __future__ import annotations

import csv
import math
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import commands

ROOT = Path(__file__).resolve().parent.parent
MEASURED = ROOT / "bench" / "results"
PREDICTED = ROOT / "bench" / "predicted"
TABLE = ROOT / "c" / "src" / "twofish" / "tables" / "costs.c"
KERNELS = ROOT / "c" / "src" / "twofish" / "kernels.c"

CALLS = (1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 32, 33, 64, 128)
FIGURES = ("set_up", "quiet_set_up", *map(str, CALLS))
KEY_BITS = (128, 192, 256)

# Of (kernel, key bits), each figure by its column; one that is not known is absent.
Rows = dict[tuple[str, int], dict[str, float]]


class Run(NamedTuple):
    """One machine, or one prediction."""

    head: dict[str, str]
    rows: Rows

    def unit(self) -> float:
        """What everything is compared with: it depends little on the compiler, not on the key."""
        return self.rows["full", 128]["64"]


def read(path: Path) -> Run:
    lines = path.read_text(encoding="utf-8").splitlines()
    head = dict(line[2:].split(": ", 1) for line in lines if line.startswith("# "))
    rows = {}
    for row in csv.DictReader(line for line in lines if not line.startswith("#")):
        figures = {name: float(row[name]) for name in FIGURES if row[name]}
        rows[row["kernel"], int(row["key_bits"])] = figures
    return Run(head, rows)


def runs(folder: Path) -> dict[str, Run]:
    return {path.name: read(path) for path in sorted(folder.glob("costs-*.csv"))}


def geometric_mean(values: Iterable[float]) -> float:
    logarithms = [math.log(value) for value in values]
    return math.exp(sum(logarithms) / len(logarithms))


def mean_rows(of: Iterable[Run], wanted: Iterable[tuple[str, int]], unit: float) -> Rows:
    """Each figure in terms of the unit, as the mean of the runs that have it."""
    rows: Rows = {}
    of = list(of)
    for key in wanted:
        found: dict[str, list[float]] = {}
        for run in of:
            for name, value in run.rows.get(key, {}).items():
                found.setdefault(name, []).append(value / run.unit())
        rows[key] = {name: unit * geometric_mean(values) for name, values in found.items()}
    return rows


def merged(measured: Iterable[Run], predicted: Iterable[Run]) -> Rows:
    """Measured where anything is, else predicted."""
    measured, predicted = list(measured), list(predicted)
    unit = geometric_mean(run.unit() for run in measured)
    known = {key: None for run in measured for key in run.rows}
    kernels = {kernel for kernel, _ in known}
    missing = {key: None for run in predicted for key in run.rows if key[0] not in kernels}
    return mean_rows(measured, known, unit) | mean_rows(predicted, missing, unit)


def shipped() -> Rows:
    return merged(runs(MEASURED).values(), runs(PREDICTED).values())


def order() -> list[str]:
    """The kernels as the library lists them, best first."""
    names = re.findall(r"\bX\((\w+)\)", KERNELS.read_text(encoding="utf-8"))
    return [name.replace("_", "-") for name in names if name != "name"]


def c_row(kernel: str, rows: Rows) -> list[str]:
    """One kernel as an initialiser; what is not known is 0."""

    def figures(bits: int, names: Iterable[str]) -> list[str]:
        known = rows.get((kernel, bits), {})
        return [str(round(known.get(name, 0))) for name in names]

    def once(name: str) -> str:
        return ", ".join(figures(bits, [name])[0] for bits in KEY_BITS)

    calls = [f"          {{{', '.join(figures(bits, map(str, CALLS)))}}}" for bits in KEY_BITS]
    return [
        f'        {{"{kernel}",',
        f"         {{{once('set_up')}}},",
        f"         {{{once('quiet_set_up')}}},",
        "         {",
        *(f"{line}," for line in calls),
        "         }},",
    ]


def sources() -> list[str]:
    """Where the figures are from, as lines of a comment."""
    measured, predicted = runs(MEASURED), runs(PREDICTED)
    by_run = {kernel for run in measured.values() for kernel, _ in run.rows}
    lines = [f" *   measured on {run.head['cpu']}, {run.head['date']}" for run in measured.values()]
    for run in predicted.values():
        names = {kernel: None for kernel, _ in run.rows if kernel not in by_run}
        if names:
            lines.append(f" *   predicted for {run.head['cpu']}: {', '.join(names)}")
    return lines


def table() -> str:
    rows = shipped()
    kernels = {kernel for kernel, _ in rows}
    names = [kernel for kernel in order() if kernel in kernels]
    lines = [
        "/* SPDX-License-Identifier: Apache-2.0 OR MIT",
        " *",
        " * Generated by bench/costs.py, do not edit.",
        " *",
        " * What each kernel costs, in cycles, scaled to one machine:",
        *sources(),
        " */",
        "/* clang-format off */",
        '#include "costs.h"',
        "",
        "const mf_twofish_costs mf_twofish_costs_shipped = {",
        f"    {len(names)},",
        "    {",
        *(line for kernel in names for line in c_row(kernel, rows)),
        "    },",
        "};",
    ]
    return "".join(f"{line}\n" for line in lines)


def make_table(*, check: bool) -> int:
    made = table()
    if not check:
        TABLE.write_text(made, encoding="utf-8")
    elif TABLE.read_text(encoding="utf-8") != made:
        name = TABLE.relative_to(ROOT)
        print(f"costs.py: error: {name} is not the one of the CSV files", file=sys.stderr)
        print("costs.py: hint: run bench/costs.py table", file=sys.stderr)
        return 1
    return 0


def csv_name(head: dict[str, str]) -> str:
    """Date and processor, as a file name."""
    cpu = re.sub(r"\(R\)|\(TM\)|\bCPU\b|@.*", " ", head["cpu"])
    return "-".join(["costs", head["date"], *re.findall(r"[a-z0-9]+", cpu.lower())]) + ".csv"


def record() -> int:
    text = sys.stdin.read()
    head = dict(line[2:].split(": ", 1) for line in text.splitlines() if line.startswith("# "))
    if head["commit"] == "unknown" or head["commit"].endswith("-dirty"):
        print(f"costs.py: error: {head['commit']} is a tree that no commit has", file=sys.stderr)
        print("costs.py: hint: commit, build and measure again", file=sys.stderr)
        return 1
    path = MEASURED / csv_name(head)
    path.write_text(text, encoding="utf-8")
    print(path.relative_to(ROOT))
    return 0


def main() -> int:
    return commands.run(
        __doc__,
        {
            "record": record,
            "table": lambda: make_table(check=False),
            "check": lambda: make_table(check=True),
        },
    )


if __name__ == "__main__":
    sys.exit(main())
