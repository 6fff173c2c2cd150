#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The costs by which the library chooses a kernel: measured ones as CSV, and the C table of them.

bench/costs.py record   store what `manyfish tune --print` and then c/tests/set_ups.c wrote, from
                        standard input, as two files
bench/costs.py table    make c/src/twofish/tables/costs.c and c/study/src/compiled_costs.h again
bench/costs.py check    exit 1 if that would change them

Machines differ in speed, so figures are compared within a machine only: each is divided by what
`full` takes there for 64 blocks, and of several machines the geometric mean is taken. Kernels that
were measured nowhere have the figures of bench/predicted/, whose files say how they were found.

The constant-time set-up of a table kernel costs what the kernel that serves there makes it, the
best one that runs. So the library has figures for each that may serve: those of `manyfish tune` for
the best one of the machines measured, and for another one in the ratio of these two that
c/tests/set_ups.c measured; where nothing did, in the ratio of their own set-ups. (From avx2 to
ssse3 the second rule is within 20 % of the first. Between vector units and circuits it is not.)

Compiled keying is no kernel. Its costs are those of `full` and two differences to it, the means of
what `manyfish speed --paper` measured on each machine.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import commands
from commands import ROOT

SET_UPS_HEAD = "by,kernel,128,192,256"
MEASURED = ROOT / "bench" / "results"
PREDICTED = ROOT / "bench" / "predicted"
TABLE = ROOT / "c" / "src" / "twofish" / "tables" / "costs.c"
KERNELS = ROOT / "c" / "src" / "twofish" / "kernels.h"
STUDY = ROOT / "c" / "study" / "src"
COMPILED = STUDY / "compiled_costs.h"

CALLS = (1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 32, 33, 64, 128)
FIGURES = ("set_up", "ct_set_up", *map(str, CALLS))
KEY_BITS = (128, 192, 256)
# Names in the list that are no kernels, and kernels that run where nothing chooses: in WebAssembly.
NOT_CHOSEN = {"name", "simd128"}

# Kernels whose constant-time set-up is that of another: both keep what the schedule gives.
LIKE = {"small": "zero"}

# Of (kernel, key bits), each figure by its column; one that is not known is absent.
Rows = dict[tuple[str, int], dict[str, float]]


class Run(NamedTuple):
    """One machine, or one prediction."""

    head: dict[str, str]
    rows: Rows

    def unit(self) -> float:
        """The unit of comparison: it depends little on the compiler, and not on the key."""
        return self.rows["full", 128]["64"]


def read(path: Path) -> Run:
    head, stored = commands.read(path)
    rows = {}
    for row in stored:
        figures = {name: float(row[name]) for name in FIGURES if row[name]}
        rows[row["kernel"], int(row["key_bits"])] = figures
    return Run(head, rows)


def runs(folder: Path) -> dict[str, Run]:
    return {path.name: read(path) for path in sorted(folder.glob("costs-*.csv"))}


def read_set_ups(path: Path) -> dict[tuple[str, str, int], float]:
    """Of (who serves, kernel, key bits); for the ordinary set-up, tables serve."""
    return {
        (row["by"], row["kernel"], bits): float(row[str(bits)])
        for row in commands.read(path).rows
        for bits in KEY_BITS
    }


def all_set_ups() -> list[dict[tuple[str, str, int], float]]:
    return [read_set_ups(path) for path in sorted(MEASURED.glob("set-ups-*.csv"))]


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


def field(kernel: str, name: str) -> bool:
    """Whether a kernel's row (kernel.h) names something there."""
    file = f"{kernel.replace('-', '_')}.c"
    path = KERNELS.parent / "kernels" / file
    path = path if path.exists() else STUDY / file
    return re.search(rf"\.{name} = (?!NULL|false)", path.read_text(encoding="utf-8")) is not None


def servers() -> list[str]:
    """Kernels whose set-up serves others, best first."""
    return [kernel for kernel in order() if field(kernel, "setup")]


def server(run: Run) -> str:
    """The kernel that serves where a run was measured: the best of those measured."""
    return next(kernel for kernel in servers() if (kernel, 128) in run.rows)


def served() -> list[str]:
    return [kernel for kernel in order() if field(kernel, "set_key_ct")]


def ratio(to: str, of: str, kernel: str, bits: int, rows: Rows) -> float:
    """How much longer the set-up of a kernel takes if `to` serves and not `of`."""
    found = [
        run[to, kernel, bits] / run[of, kernel, bits]
        for run in all_set_ups()
        if (to, kernel, bits) in run and (of, kernel, bits) in run
    ]
    if found:
        return geometric_mean(found)
    return rows[to, bits]["set_up"] / rows[of, bits]["set_up"]


def ct_set_up(by: str, kernel: str, bits: int, rows: Rows, measured: Iterable[Run]) -> float:
    """In the unit of the rows. One server's own measurements come first."""
    unit = rows["full", 128]["64"]
    found: dict[bool, list[float]] = {True: [], False: []}
    for run in measured:
        figure = run.rows.get((kernel, bits), {}).get("ct_set_up")
        if figure is not None:
            of = server(run)
            scaled = unit * figure / run.unit()
            found[of == by].append(scaled * (ratio(by, of, kernel, bits, rows) if of != by else 1))
    values = found[True] or found[False]
    return geometric_mean(values) if values else 0.0


def shipped(by: str | None = None) -> Rows:
    """The costs that choices use; `by` serves constant-time set-ups of table kernels."""
    measured = list(runs(MEASURED).values())
    rows = merged(measured, runs(PREDICTED).values())
    for kernel, bits in rows:
        figures = rows[kernel, bits]
        figures.pop("ct_set_up", None)
        if by is not None and kernel in served():
            ct = ct_set_up(by, LIKE.get(kernel, kernel), bits, rows, measured)
            if ct:
                figures["ct_set_up"] = ct
    return rows


def order() -> list[str]:
    """The kernels that choices are made among, as the library lists them, best first."""
    lists = (KERNELS, STUDY / "twofish_kernels.c")
    text = "".join(path.read_text(encoding="utf-8") for path in lists)
    names = re.findall(r"\bX\((\w+)\)", text)
    return [name.replace("_", "-") for name in names if name not in NOT_CHOSEN]


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
        f"         {{{once('ct_set_up')}}},",
        "         {",
        *(f"{line}," for line in calls),
        "         }},",
    ]


def sources() -> list[str]:
    """Where the figures are from, as lines of a comment."""
    measured, predicted = runs(MEASURED), runs(PREDICTED)
    by_run = {kernel for run in measured.values() for kernel, _ in run.rows}
    by_set_ups = {by for run in all_set_ups() for by, _, _ in run}
    lines = [f" *   measured on {run.head['cpu']}, {run.head['date']}" for run in measured.values()]
    for run in predicted.values():
        names = {kernel: None for kernel, _ in run.rows if kernel not in by_run}
        if names:
            lines.append(f" *   predicted for {run.head['cpu']}: {', '.join(names)}")
    names = {by: None for by in servers() if by not in by_set_ups}
    if names:
        lines.append(f" *   predicted from its own set-up, as one that serves: {', '.join(names)}")
    return lines


def ct_table() -> list[str]:
    """The constant-time set-ups of table kernels, for each kernel that may serve them."""
    lines = ["const mf_twofish_ct_set_up_costs mf_twofish_ct_set_up_costs_shipped[] = {"]
    for by in servers():
        rows = shipped(by)
        lines += [f'    {{"{by}",', "     {"]
        for kernel in served():
            figures = [str(round(rows[kernel, bits].get("ct_set_up", 0))) for bits in KEY_BITS]
            lines.append(f'         {{"{kernel}", {{{", ".join(figures)}}}}},')
        lines.append("     }},")
    return [*lines, '    {"", {{"", {0, 0, 0}}}},', "};"]


def table() -> str:
    rows = shipped()
    kernels = {kernel for kernel, _ in rows}
    names = [kernel for kernel in order() if kernel in kernels]
    lines = [
        "/* SPDX-License-Identifier: Apache-2.0 OR MIT",
        " *",
        " * Generated by bench/costs.py, do not edit.",
        " *",
        " * The cost of each kernel, in cycles, scaled to one machine:",
        *sources(),
        " */",
        "/* clang-format off */",
        '#include "costs.h"',
        "",
        "const mf_twofish_costs mf_twofish_costs_shipped = {",
        "    sizeof(mf_twofish_costs),",
        f"    {len(names)},",
        "    {",
        *(line for kernel in names for line in c_row(kernel, rows)),
        "    },",
        "};",
        "",
        *ct_table(),
    ]
    return "".join(f"{line}\n" for line in lines)


def paper_runs() -> Iterator[tuple[str, dict[tuple[str, int, str], float]]]:
    """The results of `manyfish speed --paper` on each machine, of (kernel, key bits, measure)."""
    for path in sorted(MEASURED.glob("paper-*.csv")):
        head, rows = commands.read(path)
        found = {
            (row["kernel"], int(row["key_bits"]), row["measure"]): float(row["value"])
            for row in rows
            if row["kernel"] in ("full", "compiled")
        }
        if any(kernel == "compiled" for kernel, _, _ in found):
            yield f"{head['cpu']}, {head['date']}", found


def compiled_differences(
    found: list[dict[tuple[str, int, str], float]],
) -> tuple[list[int], list[int]]:
    """Of each key size, in thousandths of what `full` takes for a block alone: what a set-up takes
    more, and a block less. 0 if it takes no less.
    """
    more, less = [], []
    for bits in KEY_BITS:
        set_ups, blocks = [], []
        for run in found:
            block = run["full", bits, "block_cycles/encrypt"]
            compiled = run["compiled", bits, "block_cycles/encrypt"]
            extra = run["compiled", bits, "setup_cycles"] - run["full", bits, "setup_cycles"]
            set_ups.append(extra / block)
            blocks.append(1 - compiled / block)
        more.append(round(1000 * sum(set_ups) / len(set_ups)))
        less.append(max(0, round(1000 * sum(blocks) / len(blocks))))
    return more, less


def compiled_table() -> str:
    machines, found = zip(*paper_runs(), strict=True)
    more, less = compiled_differences(list(found))
    lines = [
        "/* SPDX-License-Identifier: Apache-2.0 OR MIT",
        " *",
        " * Generated by bench/costs.py, do not edit.",
        " *",
        " * Compiled keying beside kernel `full`, keys of 128, 192 and 256 bits: thousandths of",
        " * what `full` takes for a block alone, the means of",
        *(f" *   {name}" for name in machines),
        " */",
        "#ifndef MF_STUDY_COMPILED_COSTS_H",
        "#define MF_STUDY_COMPILED_COSTS_H",
        "",
        "#include <stdint.h>",
        "",
        f"static const uint64_t mf_compiled_set_up_more[3] = {{{', '.join(map(str, more))}}};",
        f"static const uint64_t mf_compiled_block_less[3] = {{{', '.join(map(str, less))}}};",
        "",
        "#endif",
    ]
    return "".join(f"{line}\n" for line in lines)


def make_table(*, check: bool) -> int:
    for path, made in ((TABLE, table()), (COMPILED, compiled_table())):
        if not check:
            path.write_text(made, encoding="utf-8")
        elif path.read_text(encoding="utf-8") != made:
            name = path.relative_to(ROOT)
            return commands.fault(
                f"{name} is not the one of the CSV files", "run bench/costs.py table"
            )
    return 0


def store(what: str, head: dict[str, str], text: str) -> None:
    path = commands.csv_path(what, head["date"], cpu=head["cpu"])
    path.write_text(text, encoding="utf-8")
    print(path.relative_to(ROOT))


def store_all(head: dict[str, str], costs: str, set_ups: str, built: str) -> None:
    """Both files; the set-ups have no head of their own, and may be absent."""
    store("costs", head, costs)
    if set_ups:
        kept = ("cpu", "architecture", "commit", "date")
        lines = "".join(f"# {name}: {head[name]}\n" for name in kept)
        lines += f"# unit: ticks of the clock, the least of many runs; {built}\n"
        store("set-ups", head, lines + set_ups)


def record() -> int:
    text = sys.stdin.read()
    head = commands.notes_of(text.splitlines())
    if commands.refused(head["commit"]):
        return 1
    costs, found, set_ups = text.partition(SET_UPS_HEAD)
    store_all(head, costs, found + set_ups, "built by CMake")
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
