#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Changes single bits of registers in simulation, and tells what became of it.

hardware/faults.py             many runs of the core that watches itself, and of a plain one
hardware/faults.py --runs N    N runs
hardware/faults.py --seed N    other keys, blocks, bits and clocks

Makes faults.csv. tb/faults.cpp says what a run is, and how it can end.

Exit status: 0 no wrong result left the core that watches itself, and the plain one had some;
1 otherwise, or a core could not be built.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cores import CORES, Core
from simulate import (
    BENCH_SOURCES,
    SEED,
    TB,
    build_common,
    compiler,
    is_made,
    mark_made,
    objects,
    read_dependencies,
    verilate,
    verilator,
)
from tools import BUILD, HARDWARE, RTL, HardwareError, fault, run, run_tool

FOLDER = BUILD / "faulty"
STORED = HARDWARE / "faults.csv"
WATCHED, PLAIN = "lockstep", "quarter_h"
RUNS = 5_000


@dataclass(frozen=True)
class Faults:
    """A row of faults.csv: the bits that registers have, and how many runs ended how."""

    core: str
    bits: int
    alert: int
    harmless: int
    wrong: int
    silent: int

    @property
    def sound(self) -> bool:
        return self.wrong == 0 and self.silent == 0 and self.alert > 0


def signals(header: str) -> Iterator[str]:
    """The signals that Verilator keeps, and how many bits each has."""
    for high, name in re.findall(r"/\*(\d+):0\*/ (\w+__DOT__\w+);", header):
        if not name.startswith("__V"):
            yield f"SIGNAL({name}, {int(high) + 1})\n"


def build(core: Core, rtl: Path = RTL, folder: Path | None = None) -> Path:
    folder = folder or FOLDER / core.name
    folder.mkdir(parents=True, exist_ok=True)
    program, stamp, source = folder / "faults", folder / "made.json", TB / "faults.cpp"
    common = build_common()
    command = verilator(core.top, core.parameters, rtl, folder, core.flow, ["--public-flat-rw"])
    if is_made(stamp, command):
        return program
    verilate(command, folder)
    header = (folder / "Vcore___024root.h").read_text(encoding="utf-8")
    (folder / "signals.inc").write_text("".join(signals(header)), encoding="utf-8")
    theirs = [path for path in objects(common) if f"{path.stem}.cpp" not in BENCH_SOURCES]
    options = [f"-DKEY_WORDS={core.key_bits // 32}", *(["-DALERT"] if core.name == WATCHED else [])]
    words = compiler(*options, "-isystem", folder, source, *theirs)
    run_tool([*words, "-pthread", "-o", str(program)], "g++")
    made_of = [*read_dependencies(folder), common / "made.json", source, program]
    mark_made(stamp, made_of, command)
    return program


def measure(core: Core, runs: int, seed: int = SEED, program: Path | None = None) -> Faults:
    said = run_tool([program or build(core), str(runs), str(seed)], "verilator")
    return Faults(core.name, **json.loads(said))


def measured(runs: int = RUNS, seed: int = SEED) -> Iterator[Faults]:
    return (measure(CORES[name], runs, seed) for name in (WATCHED, PLAIN))


def main() -> int:
    import report

    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--runs", type=int, default=RUNS, metavar="N", help=f"{RUNS:,}")
    parser.add_argument("--seed", type=int, default=SEED, metavar="N", help=f"{SEED}")
    asked = parser.parse_args()
    watched, plain = found = list(measured(asked.runs, asked.seed))
    report.record_rows(STORED, Faults, found)
    if not watched.sound or plain.sound:
        return fault(HardwareError("a wrong result left, or no change had any effect"))
    return report.tables()


if __name__ == "__main__":
    sys.exit(run(main))
