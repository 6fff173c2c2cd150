#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Builds cores behind APB and AXI4-Lite with Verilator, and runs the driver and the bench on them.

hardware/buses.py               all of BUSES
hardware/buses.py NAME...       these
hardware/buses.py --seed N ...  other random keys, blocks and pauses

Exit status: 0 all is well, 1 one is wrong or could not be built, 2 wrong usage.
"""

from __future__ import annotations

import argparse
import functools
import itertools
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cores import Core
from simulate import (
    BENCH_SOURCES,
    SEED,
    TB,
    WARNINGS,
    build_common,
    compiler,
    directions,
    is_made,
    mark_made,
    objects,
    random_lines,
    read_dependencies,
    table_vectors,
    verilate,
    verilator,
    write_vectors,
)
from tools import BUILD, HARDWARE, RTL, HardwareError, alone_in, fault, run, run_tool

FOLDER = BUILD / "buses"
DRIVER = HARDWARE / "driver"
# The bench throws through the driver.
C_COMPILER = ("gcc", "-std=c11", "-O1", "-fexceptions")
C_SOURCES = ("twofish_hw.c", "example.c")
RANDOM_KEYS = 20


@dataclass(frozen=True)
class Bus:
    """A core behind a bus.

    kind     of the bus: twofish_KIND is the module, tb/KIND.cpp the master
    row      of Table 4, by which twofish_row takes the core
    longest  clocks for which a write waits at most
    """

    name: str
    kind: str
    core: Core
    row: int
    longest: int

    @property
    def module(self) -> str:
        return f"twofish_{self.kind}"

    @property
    def parameters(self) -> Mapping[str, int | str]:
        return {"ROW": self.row, **self.core.parameters}


# Both buses, each size of key, each direction alone, and cores of three kinds of control.
BUSES = {
    bus.name: bus
    for bus in (
        Bus("apb_128", "apb", Core("", ""), row=1, longest=18),
        Bus("apb_192_dec", "apb", Core("", "", key_bits=192, encrypt=False), row=2, longest=1),
        Bus("axil_128_enc", "axil", Core("", "", decrypt=False), row=1, longest=18),
        Bus("axil_256", "axil", Core("", "", key_bits=256, store="FLOPS"), row=4, longest=0),
    )
}


# --- building ------------------------------------------------------------------------------------


def build_bench(common: Path) -> Sequence[Path]:
    """The bench and the driver, which are the same for all."""
    with alone_in(FOLDER / "common") as folder:
        sources = [TB / "bus_bench.cpp", *(DRIVER / name for name in C_SOURCES)]
        made = [folder / f"{path.stem}.o" for path in sources]
        stamp = folder / "made.json"
        words = compiler(*WARNINGS, "-O0", f"-I{DRIVER}")  # the model takes the time
        if not is_made(stamp, words):
            for source, target in zip(sources, made):
                command = words if source.suffix == ".cpp" else [*C_COMPILER, *WARNINGS]
                run_tool([*command, "-c", source, "-o", target], command[0])
            mark_made(stamp, [*sources, *TB.glob("*.h"), *DRIVER.glob("*.h")], words)
    return [*made, *(path for path in objects(common) if f"{path.stem}.cpp" not in BENCH_SOURCES)]


def build(bus: Bus, rtl: Path = RTL, folder: Path | None = None) -> Path:
    """The program that tests it; with changed RTL in a place of its own."""
    common = build_common()
    parts = build_bench(common)
    with alone_in(folder or FOLDER / bus.name) as place:
        program, stamp, master = place / "bench", place / "made.json", TB / f"{bus.kind}.cpp"
        command = verilator(bus.module, bus.parameters, rtl, place)
        if not is_made(stamp, command):
            verilate(command, place)
            words = compiler(*WARNINGS, "-include", common / "headers.h", "-isystem", place)
            run_tool([*words, "-c", master, "-o", place / "master.o"], "g++")
            run_tool(["g++", "-o", program, place / "master.o", *parts, "-pthread"], "g++")
            made_of = [*read_dependencies(place), common / "made.json", *parts, master, program]
            mark_made(stamp, made_of, command)
    return program


# --- running -------------------------------------------------------------------------------------


@functools.cache
def vectors(key_bits: int, seed: int) -> Path:
    """Random keys, each with a block, and the steps of the table."""
    others = itertools.islice(random_lines(key_bits, seed), 4, 4 + 2 * RANDOM_KEYS, 2)
    path = write_vectors(FOLDER / f"vectors_{key_bits}_{seed}.txt", others)
    with path.open("a", encoding="ascii") as file:
        file.write(table_vectors(key_bits).read_text(encoding="ascii"))
    return path


def run_bench(bus: Bus, program: Path, seed: int) -> int:
    """The clocks for which a write waited at most."""
    bits = bus.core.key_bits
    which = (directions(bus.core), str(bits), vectors(bits, seed), str(seed))
    said = run_tool([program, *which], "verilator")
    return int(json.loads(said)["longest"])


def test(bus: Bus, seed: int = SEED) -> HardwareError | None:
    """The fault of it, if there is one."""
    try:
        longest = run_bench(bus, build(bus), seed)
        if longest != bus.longest:
            raise HardwareError(f"a write waits {longest} clocks, not {bus.longest}")
    except HardwareError as error:
        return HardwareError(f"{bus.name}: {error.error}", error.hint)
    return None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", metavar="NAME", nargs="*", choices=[[], *BUSES])
    parser.add_argument("--seed", type=int, default=SEED, help="of all that is random")
    arguments = parser.parse_args()
    found = [test(BUSES[name], arguments.seed) for name in arguments.names or BUSES]
    for error in filter(None, found):
        fault(error)
    return 1 if any(found) else 0


if __name__ == "__main__":
    sys.exit(run(main))
