#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Measures how much of a core the bench of all cores reaches, by Verilator.

hardware/covered.py            the cores of the paper and of our own
hardware/covered.py CORE...    these cores; a name may have * and ?

A line stands for the statements between two branches, and counts if they ran; so does each way of
a branch. A toggle is a bit of a signal in one instance of its module, and counts if it changed.
Registers begin with zeros here, since what comes up at random would look reached. Makes the rows
of coverage.csv, and prints what the bench does not reach.

Exit status: 0 all is well, 1 a core could not be built, 2 wrong usage.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import simulate
import stored
from cores import CORES, Core, named
from measured import is_variant
from synthesis import digest, modules_in, used_by
from tools import BUILD, HARDWARE, RTL, HardwareError, fault, run, run_tool

FOLDER = BUILD / "coverage"
STORED = HARDWARE / "coverage.csv"
COVERAGE = ("--coverage-line", "--coverage-toggle")


@dataclass(frozen=True)
class Point:
    """Something that can be reached: its kind, "line", "branch" or "toggle", and where it is."""

    kind: str
    instance: str
    file: str
    line: int
    name: str


@dataclass(frozen=True)
class Coverage:
    """A row of coverage.csv: how many there are, and how many of them the bench reaches.

    left     the signals and lines that it does not reach, or not in all bits, with their modules
    made_of  the fingerprint of its modules
    """

    core: str
    lines: int
    lines_reached: int
    toggles: int
    toggles_reached: int
    left: str
    made_of: str = ""


def fingerprint(core: Core) -> str:
    """Of the modules, and not of the bench, of which more would only reach more."""
    files = modules_in(simulate.sources_in(RTL, core.flow))
    return digest(used_by(core.top, files), json.dumps(core.parameters))


def build(core: Core) -> Path:
    """The bench with a core that counts."""
    folder = FOLDER / core.name
    folder.mkdir(parents=True, exist_ok=True)
    program, stamp = folder / "bench", folder / "made.json"
    common = simulate.build_common()
    command = simulate.verilator(core.top, core.parameters, RTL, folder, core.flow, COVERAGE)
    if simulate.is_made(stamp, command):
        return program
    simulate.verilate(command, folder)
    counts = simulate.verilator_root() / "include" / "verilated_cov.cpp"
    source = simulate.TB / "core.cpp"
    words = simulate.compiler("-DVM_COVERAGE=1", "-isystem", folder, source, counts)
    parts = simulate.objects(common)
    run_tool([*words, *map(str, parts), "-pthread", "-o", str(program)], "g++")
    read = simulate.read_dependencies(folder)
    made_of = [*read, common / "made.json", source, program]
    simulate.mark_made(stamp, made_of, command)
    return program


def counted(path: Path) -> Iterator[tuple[Point, int]]:
    """The points of a file of Verilator's: C 'key value ..' count, with control characters."""
    for text in path.read_text(encoding="utf-8").splitlines():
        if not text.startswith("C '"):
            continue
        keys, count = text[3:].rsplit("' ", 1)
        found = dict(part.split("\2", 1) for part in keys.split("\1")[1:])
        kind = found["page"].partition("/")[0].removeprefix("v_")
        point = Point(kind, found["h"], Path(found["f"]).name, int(found["l"]), found["o"])
        yield point, int(count)


def points(core: Core) -> Counter[Point]:
    """How often the bench reaches each."""
    program = build(core)
    for old in program.parent.glob("*.dat"):
        old.unlink()
    table = simulate.table_vectors(core.key_bits)
    others = simulate.random_vectors(core.key_bits, simulate.SEED)
    which = [simulate.directions(core), str(core.levels), str(table), str(others)]
    run_tool([program, *which, str(simulate.SEED)], "verilator", folder=program.parent)
    found: Counter[Point] = Counter()
    for path in program.parent.glob("*.dat"):
        for point, count in counted(path):
            found[point] += count
    return found


def place(point: Point) -> str:
    """Of something that is not reached: a signal without its bit, or a line."""
    module = point.file.removesuffix(".v")
    name = point.name.partition("[")[0] if point.kind == "toggle" else f"line {point.line}"
    return f"{module}: {name}"


def coverage(core: Core, found: Counter[Point]) -> Coverage:
    toggles = {point: count for point, count in found.items() if point.kind == "toggle"}
    lines = {point: count for point, count in found.items() if point.kind != "toggle"}
    reached = [sum(map(bool, some.values())) for some in (lines, toggles)]
    left = sorted({place(point) for point, count in found.items() if not count})
    counts = len(lines), reached[0], len(toggles), reached[1]
    return Coverage(core.name, *counts, "; ".join(left), fingerprint(core))


def measured(cores: Iterable[Core]) -> Iterator[Coverage | HardwareError]:
    for core in cores:
        try:
            yield coverage(core, points(core))
        except HardwareError as error:
            yield error


def main() -> int:
    import report

    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", metavar="CORE", nargs="*")
    names = parser.parse_args().names
    cores = named(names) if names else [c for c in CORES.values() if not is_variant(c.name)]
    status = 0
    for found in measured(cores):
        if isinstance(found, HardwareError):
            status = fault(found)
        else:
            print(found, flush=True)
            stored.record(STORED, found, CORES)
    return status or report.tables()


if __name__ == "__main__":
    sys.exit(run(main))
