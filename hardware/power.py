#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Fixed-versus-random test of the masked core on simulated power: tb/power.cpp says what is done.

hardware/power.py              5000 traces of the core as it is; then 200 without random bits
hardware/power.py --traces N   N traces of the first

Power is the number of bits that change in a clock, of all registers and wires that Verilator keeps,
without noise and without glitches (probing.py is about these). |t| above 4.5 counts as a leak
[Goodwill11]; it must be found without random bits, or the test would say nothing.

Exit status: 0 all is well, 1 the core leaks, or the test finds nothing, 2 wrong usage.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass, replace
from pathlib import Path

from cores import CORES, Core
from simulate import (
    BENCH_SOURCES,
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
from tools import BUILD, RTL, run, run_tool

FOLDER = BUILD / "power"
THRESHOLD = 4.5
TRACES, FEW = 5000, 200
SEED = 1998


@dataclass(frozen=True)
class Power:
    """Of a number of traces, each of some clocks: the largest |t|, and the clock that has it."""

    traces: int
    clocks: int
    t: float
    clock: int

    @property
    def leaks(self) -> bool:
        return self.t > THRESHOLD

    def __str__(self) -> str:
        word = "leaks" if self.leaks else "no leak"
        return (
            f"{word}: |t| is at most {self.t:.2f}, in clock {self.clock} of {self.clocks}; "
            f"{self.traces} traces"
        )


def build(core: Core) -> Path:
    """The program that runs the core itself, not the top that joins its shares."""
    core = replace(core, bench="")
    folder = FOLDER / core.name
    folder.mkdir(parents=True, exist_ok=True)
    program, stamp, source = folder / "power", folder / "made.json", TB / "power.cpp"
    common = build_common()
    command = verilator(core.top, core.parameters, RTL, folder, core.flow)
    if is_made(stamp, command):
        return program
    verilate(command, folder)
    theirs = [path for path in objects(common) if f"{path.stem}.cpp" not in BENCH_SOURCES]
    key_words = f"-DKEY_WORDS={core.key_bits // 32}"
    words = compiler(key_words, "-isystem", folder, source, *theirs)
    run_tool([*words, "-pthread", "-o", str(program)], "g++")
    made_of = [*read_dependencies(folder), common / "made.json", source, program]
    mark_made(stamp, made_of, command)
    return program


def measure(
    core: Core, traces: int, masks: bool = True, random: bool = True, seed: int = SEED
) -> Power:
    words = [str(int(word)) for word in (traces, seed, masks, random)]
    count, clocks, t, clock = run_tool([build(core), *words], "g++").split()
    return Power(int(count), int(clocks), float(t), int(clock))


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--traces", type=int, default=TRACES, metavar="N", help=f"{TRACES}")
    parser.add_argument("--seed", type=int, default=SEED, metavar="N", help=f"{SEED}")
    asked = parser.parse_args()
    core = CORES["quarter_h_masked"]
    masked = measure(core, asked.traces, seed=asked.seed)
    print(f"masked: {masked}")
    unmasked = [
        ("random = 0", measure(core, FEW, random=False, seed=asked.seed)),
        ("random = 0, shares 1 = 0", measure(core, FEW, False, False, asked.seed)),
    ]
    for name, power in unmasked:
        print(f"{name}: {power}")
    return int(masked.leaks or not all(power.leaks for _, power in unmasked))


if __name__ == "__main__":
    sys.exit(run(main))
