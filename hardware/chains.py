#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Measures CBC encryption of some messages at once, block by block in turn, in simulation.

hardware/chains.py    measures, and makes chains.csv

Each block is the cipher's input for the next one of its message. The cores alone run in the bench
of all cores, behind partners that offer the next block in the clock after the result; the cores in
the wrapper for AXI4-Stream run with real messages.

Exit status: 0 all is well, 1 a core is wrong or could not be built.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import simulate
from cores import CORES, Core
from handshakes import run_cocotb
from tools import BUILD, HARDWARE, HardwareError, run

STORED = HARDWARE / "chains.csv"
CORE, AXIS = "alone", "in AXI4-Stream"
# Those that twofish_axis_core can have, by their row, which do a round in a clock.
AXIS_ROWS = {"two_h": 4, "two_h_pipe2": 5, "two_h_pipe3": 6, "two_h_pipe4": 7}
MEASURED = (*AXIS_ROWS, "two_h_pipe12")


@dataclass(frozen=True)
class Chained:
    """A row of chains.csv: the clocks of a block with this many messages."""

    core: str
    where: str
    chains: int
    clocks: float


def rows(core: Core, where: str, found: Mapping[int, float]) -> Iterator[Chained]:
    for chains, clocks in found.items():
        yield Chained(core.name, where, chains, round(clocks, 4))


def alone(core: Core) -> list[Chained]:
    return list(rows(core, CORE, simulate.simulate(core).chained))


def in_axis(core: Core) -> list[Chained]:
    """Also runs the other tests of the core in the wrapper."""
    said = BUILD / "chains" / f"{core.name}.json"
    said.parent.mkdir(parents=True, exist_ok=True)
    said.unlink(missing_ok=True)
    streams = core.levels + 1
    parameters = {"ROW": AXIS_ROWS[core.name], "STREAMS": streams, "KEY_BITS": core.key_bits}
    environment = {
        "STREAMS": str(streams),
        "LEVELS": str(core.levels),
        "KEY_BITS": str(core.key_bits),
        "ENCRYPT": "1",
        "DECRYPT": "1",
        "CHAINS": str(said),
    }
    name = f"axis_chains_{core.name}"
    run_cocotb("axis_core_bench", "twofish_axis_core", parameters, name, environment)
    found = json.loads(said.read_text(encoding="utf-8"))
    return list(rows(core, AXIS, {int(count): clocks for count, clocks in found.items()}))


def measured() -> Iterator[Chained | HardwareError]:
    for name in MEASURED:
        for measure in (alone, in_axis) if name in AXIS_ROWS else (alone,):
            try:
                yield from measure(CORES[name])
            except HardwareError as error:
                yield error


def main() -> int:
    import report

    good = report.record_rows(STORED, Chained, measured())
    return report.tables() if good else 1


if __name__ == "__main__":
    sys.exit(run(main))
