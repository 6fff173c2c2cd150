#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Counts code bytes and instructions for the processors of scripts/processors.txt.

bench/processors.py record   build for each, count, keep the counts as CSV in bench/results/
bench/processors.py tables   make the tables between the markers in docs/processors.md again
bench/processors.py check    exit 1 if that would change anything

The instructions are those of c/tests/instructions.c, which qemu runs one at a time and lists.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import commands
from commands import RESULTS, ROOT

BUILDS = ROOT / "build" / "processors"
TABLE_5_1 = ROOT / "bench" / "table-5.1.csv"
LIST = ROOT / "scripts" / "processors.txt"
DOCUMENT = ROOT / "docs" / "processors.md"

COLUMNS = ("processor", "kernel", "key_bits", "measure", "value")
KEY_BITS = (128, 192, 256)
# Code that several kernels need, beside their own: object, name, which sections of it.
SHARED = (
    ("schedule.c.o", "schedule", ".text"),
    ("tables.c.o", "tables", ".rodata"),
)
# The kernels of libmanyfish-study.
STUDY = ("full_big", "full_huge", "partial_big")


class Processor(NamedTuple):
    """A row of scripts/processors.txt."""

    name: str
    compiler: str
    package: str
    qemu: str
    must: str
    options: str
    title: str


class Row(NamedTuple):
    """A row of the CSV."""

    processor: str
    kernel: str
    key_bits: int
    measure: str
    value: float


def processors() -> list[Processor]:
    lines = LIST.read_text(encoding="utf-8").splitlines()
    return [Processor(*line.split(None, 6)) for line in lines if line and line[0] != "#"]


def output(*command: object, cwd: Path = ROOT) -> str:
    words = [str(word) for word in command]
    return subprocess.run(words, cwd=cwd, capture_output=True, text=True, check=True).stdout


# --- counting ----------------------------------------------------------------------------------


def build(processor: Processor) -> Path:
    folder = BUILDS / processor.name
    output(
        *("cmake", "-S", ROOT / "c", "-B", folder, "-DCMAKE_SYSTEM_NAME=Linux"),
        *(f"-DCMAKE_SYSTEM_PROCESSOR={processor.name}", f"-DCMAKE_C_FLAGS={processor.options}"),
        f"-DCMAKE_C_COMPILER={processor.compiler}-gcc",
    )
    output("cmake", "--build", folder, "--target", "instructions")
    return folder


def section_bytes(listing: str, start: str) -> int:
    """The bytes of all sections whose name starts so, from what `size -A` prints."""
    rows = (line.split() for line in listing.splitlines())
    return sum(int(row[1]) for row in rows if len(row) == 3 and row[0].startswith(start))


def code_rows(processor: Processor, folder: Path) -> Iterator[Row]:
    objects = folder / "CMakeFiles" / "manyfish.dir" / "src" / "twofish"
    study = folder / "study" / "CMakeFiles" / "manyfish_study.dir" / "src"
    size = f"{processor.compiler}-size"
    kernels = [*objects.glob("kernels/*.c.o"), *(study / f"{name}.c.o" for name in STUDY)]
    for path in sorted(kernels, key=lambda path: path.name):
        listing = output(size, "-A", path)
        name = path.name.split(".", 1)[0].replace("_", "-")
        if section_bytes(listing, ".text") > 0:  # else it is for another processor
            yield Row(processor.name, name, 0, "code bytes", section_bytes(listing, ".text"))
            yield Row(processor.name, name, 0, "constant bytes", section_bytes(listing, ".rodata"))
    for file, name, section in SHARED:
        listing = output(size, "-A", next(objects.rglob(file)))
        measure = "code bytes" if section == ".text" else "constant bytes"
        yield Row(processor.name, name, 0, measure, section_bytes(listing, section))


def segments(trace: Iterable[str]) -> Iterator[int]:
    """How many instructions stand between each count_begin and its count_end.

    Each line of a trace is an instruction; its last word is the function, where that is known.
    """
    counted = 0
    counting = False
    was = ""
    for line in trace:
        if not line.startswith("Trace "):
            continue
        function = line[line.rindex("]") + 1 :].strip()
        if function == "count_end":
            if counting:
                yield counted
            counting = False
        elif was == "count_begin" and function != "count_begin":
            counting = True
            counted = 1
        else:
            counted += 1
        was = function


def trace(processor: Processor, folder: Path) -> Iterator[int]:
    """The segments of a run, which must be as many as the program names."""
    command = [f"qemu-{processor.qemu}", "-L", f"/usr/{processor.compiler}"]
    program = folder / "tests" / "instructions"
    watched = [*command, "-E", "LD_BIND_NOW=1", "-singlestep", "-d", "exec,nochain", str(program)]
    with subprocess.Popen(
        watched, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace"
    ) as run:
        assert run.stderr is not None
        yield from segments(run.stderr)
    if run.returncode != 0:
        raise RuntimeError(f"{' '.join(watched)} ended with {run.returncode}")


def step_rows(processor: Processor, folder: Path) -> Iterator[Row]:
    program = folder / "tests" / "instructions"
    names = output(f"qemu-{processor.qemu}", "-L", f"/usr/{processor.compiler}", program)
    counts = list(trace(processor, folder))
    lines = names.splitlines()
    if len(lines) != len(counts):
        raise RuntimeError(f"{len(lines)} operations, but {len(counts)} in the trace")
    for line, count in zip(lines[1:], counts[1:]):
        kernel, key_bits, operation, blocks = line.split()
        value = (count - counts[0]) / max(int(blocks), 1)
        measure = f"{operation} {blocks}" if int(blocks) else operation
        yield Row(processor.name, kernel, int(key_bits), measure, value)


def first_line(*command: object) -> str:
    return output(*command).splitlines()[0]


def record() -> int:
    head = {"commit": commands.commit(), "date": commands.today()}
    if status := commands.refused(head["commit"]):
        return status
    rows: list[Row] = []
    for processor in processors():
        print(processor.name, file=sys.stderr)
        compiler = first_line(f"{processor.compiler}-gcc", "--version")
        head[processor.name] = f"{compiler}, -O2 -fPIC {processor.options}"
        folder = build(processor)
        rows += [*code_rows(processor, folder), *step_rows(processor, folder)]
    head["emulator"] = first_line(f"qemu-{processors()[0].qemu}", "--version")
    rounded = (row._replace(value=round(row.value, 1)) for row in rows)
    path = RESULTS / f"processors-{head['date']}.csv"
    return commands.write(path, head.items(), [COLUMNS, *rounded])


# --- tables ------------------------------------------------------------------------------------


class Counts(NamedTuple):
    """A CSV: its notes, and its values by processor, kernel, key bits and measure."""

    notes: dict[str, str]
    values: dict[tuple[str, str, int, str], float]

    def show(self, processor: str, kernel: str, key_bits: int, measure: str) -> str:
        value = self.values.get((processor, kernel, key_bits, measure))
        return "-" if value is None else f"{value:,.0f}"

    def with_code(self) -> list[str]:
        """All kernels of which code was counted; first those of which instructions were, too."""
        shared = {name for _, name, _ in SHARED}
        counted = [k for _, k, bits, _ in self.values if bits]
        found = [k for _, k, _, measure in self.values if measure == "code bytes"]
        return [kernel for kernel in dict.fromkeys(counted + found) if kernel not in shared]


def read(path: Path) -> Counts:
    notes, rows = commands.read(path)
    return Counts(
        notes,
        {
            (row["processor"], row["kernel"], int(row["key_bits"]), row["measure"]): float(
                row["value"]
            )
            for row in rows
        },
    )


def header(names: list[str], n_left: int) -> list[str]:
    return [f"| {' | '.join(names)} |", f"|{'---|' * n_left}{'--:|' * (len(names) - n_left)}"]


def rows_of(cells: Iterable[list[str]]) -> list[str]:
    return [f"| {' | '.join(row)} |" for row in cells]


def code_table(counts: Counts) -> list[str]:
    """Code by processor and kernel; what is shared at the end."""
    kernels = counts.with_code()
    names = ["for", "as", *(f"`{kernel}`" for kernel in kernels), "key schedule", "tables"]
    return header(names, 2) + rows_of(
        [
            f"`{p.name}`",
            p.title,
            *(counts.show(p.name, kernel, 0, "code bytes") for kernel in kernels),
            counts.show(p.name, "schedule", 0, "code bytes"),
            counts.show(p.name, "tables", 0, "constant bytes"),
        ]
        for p in processors()
    )


def three(counts: Counts, processor: str, kernel: str, measure: str) -> str:
    """The values of the three key sizes, or one if they are equal."""
    values = [counts.show(processor, kernel, bits, measure) for bits in KEY_BITS]
    return values[0] if len(set(values)) == 1 else " / ".join(values)


def steps_table(counts: Counts) -> list[str]:
    """The default without a vector unit beside the fastest of tables; the CSV has all kernels."""
    shown = [("bitslice", "encrypt 64"), ("full", "encrypt 64"), ("bitslice", "encrypt 1")]
    shown += [("full", "encrypt 1"), ("bitslice", "set-up"), ("full", "set-up")]
    words = {"encrypt 64": "one of 64 blocks", "encrypt 1": "a block alone"}
    names = ["for", *(f"`{kernel}`: {words.get(measure, measure)}" for kernel, measure in shown)]
    return header(names, 1) + rows_of(
        [f"`{p.name}`", *(counts.show(p.name, kernel, 256, measure) for kernel, measure in shown)]
        for p in processors()
    )


def thousands(text: str) -> str:
    return f"{int(text):,}" if text else "-"


def then(row: dict[str, str], measure: str) -> str:
    values = [thousands(row[f"{measure}_{bits}"]) for bits in KEY_BITS]
    return values[0] if len(set(values)) == 1 else " / ".join(values)


def table_of_1998() -> list[dict[str, str]]:
    return commands.read(TABLE_5_1).rows


def rows_of_1998() -> list[dict[str, str]]:
    """Those for which there is something to compare them with."""
    return [row for row in table_of_1998() if row["name"]]


def comparison_table(counts: Counts) -> list[str]:
    """The figures of 1998 and ours, row by row."""
    names = ["processor", "kernel", "1998 by", "set-up, clocks", "set-up, instructions"]
    names += ["block, clocks", "block, instructions", "code bytes, 1998", "code bytes"]
    return header(names, 3) + rows_of(
        [
            row["processor"],
            f"`{row['kernel']}`",
            row["language"],
            then(row, "setup"),
            three(counts, row["name"], row["kernel"], "set-up"),
            then(row, "block"),
            three(counts, row["name"], row["kernel"], "encrypt 1"),
            thousands(row["code_bytes"]),
            whole_code(counts, row["name"], row["kernel"]),
        ]
        for row in rows_of_1998()
    )


def whole_code(counts: Counts, processor: str, kernel: str) -> str:
    """The parts that the paper counts: encryption, decryption and key set-up."""
    parts = [counts.values.get((processor, name, 0, "code bytes")) for name in (kernel, "schedule")]
    return "-" if None in parts else f"{sum(filter(None, parts)):,.0f}"


TABLES: dict[str, Callable[[Counts], list[str]]] = {
    "code": code_table,
    "steps": steps_table,
    "table-5.1": comparison_table,
}


def origin(counts: Counts) -> list[str]:
    """The tools that made all of it."""
    known = {processor.name for processor in processors()}
    compilers = (note for name, note in counts.notes.items() if name in known)
    versions = {compiler.split(", -O2")[0].split(" ", 1)[1] for compiler in compilers}
    emulator = re.sub(r"-\w+ version", "", counts.notes["emulator"])
    made_by = f"gcc {', '.join(sorted(versions))}; {emulator}"
    return [f"{made_by}; commit {counts.notes['commit']}, {counts.notes['date']}.", ""]


def lines_of(table: Callable[[Counts], list[str]], path: Path) -> list[str]:
    counts = read(path)
    return [*origin(counts), *table(counts)]


def main() -> int:
    tables = {kind: partial(lines_of, table) for kind, table in TABLES.items()}
    return commands.of_documents(__doc__, record, (DOCUMENT,), tables)


if __name__ == "__main__":
    sys.exit(main())
