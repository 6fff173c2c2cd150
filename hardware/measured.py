# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The rows of results.csv and ram.csv, and which cores have one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import simulate
import stored
import synthesis
from cores import CORES, Core
from tools import HARDWARE, HardwareError

STORED = HARDWARE / "results.csv"
RAMS = HARDWARE / "ram.csv"

# Gates that a bit of RAM is counted as: six transistors are 1.5 two-input gates; the row of 80,000
# gates of the paper implies 3.5, if the rest is that of the row of 23,000.
RAM_GATES = (1.5, 3.5)
BLOCK_BITS = 128


@dataclass(frozen=True)
class Result:
    """A row of results.csv: gate equivalents by kind, periods in ns without and with wires, which
    are an estimate that a test compares.

    made_of   the fingerprint of the sources, by which a test knows whether they have changed since
    """

    core: str
    made_by: str
    flip_flops: float
    latches: float
    rest: float
    ram_bits: int
    ns: float
    ns_wires: float
    clocks: float
    latency: int
    startup: int
    made_of: str = ""

    @property
    def row(self) -> Core:
        return CORES[self.core]

    @property
    def gates(self) -> float:
        return self.flip_flops + self.latches + self.rest

    def total(self, gates_of_a_bit: float) -> float:
        return self.gates + self.ram_bits * gates_of_a_bit

    @property
    def mhz(self) -> float:
        return 1000 / self.ns

    def mbits(self, mhz: float) -> float:
        return BLOCK_BITS * mhz * self.row.levels / self.clocks

    def misses(self) -> set[str]:
        """In what it does not reach its row of Table 4, and our aim."""
        paper, aim = self.row.paper, self.row.aim_gates
        assert paper
        reached = {
            "gates": self.total(RAM_GATES[1]) <= paper.gates,
            "clocks": self.clocks <= paper.clocks,
            "mhz": self.mhz >= paper.mhz,
            "aim": aim is None or self.gates <= aim,
        }
        return {what for what, yes in reached.items() if not yes}


@dataclass(frozen=True)
class LatchRam:
    """The row of ram.csv: a RAM of latches, its gate equivalents, and ns of its longest path."""

    bits: int
    gates: float
    ns: float

    @property
    def gates_of_a_bit(self) -> float:
        return self.gates / self.bits


def result(found: synthesis.Figures, counted: simulate.Figures) -> Result:
    return Result(
        counted.core,
        synthesis.tools(),
        round(found.ge["flip-flops"], 1),
        round(found.ge["latches"], 1),
        round(found.ge["the rest"], 1),
        found.ram_bits,
        round(found.ns["without"], 2),
        round(found.ns["with"], 2),
        counted.clocks,
        counted.latency,
        counted.startup,
        synthesis.fingerprint(synthesis.job_of(CORES[counted.core])),
    )


def read(path: Path = STORED) -> list[Result]:
    if not path.exists():
        raise HardwareError(f"{path.name} is not there", "run make hardware")
    rows = stored.read(Result, path)
    unknown = {row.core for row in rows} - set(CORES)
    if unknown:
        names = ", ".join(sorted(unknown))
        raise HardwareError(f"{path.name} has unknown cores: {names}", "run make hardware")
    return rows


def is_measured(core: Core) -> bool:
    """Every core, and the variants that tell what one costs; the others are only simulated."""
    if core.flow != "chip":
        return False
    variants = ("quarter_h", "two_h")
    longest = core.key_bits == 256 and core.encrypt and core.decrypt
    return not is_variant(core.name) or base_of(core.name) in variants or longest


def is_changed(core: Core) -> bool:
    """Whether its sources or tools are not those of its row in results.csv."""
    (row,) = (row for row in read() if row.core == core.name)
    return row.made_of != synthesis.fingerprint(synthesis.job_of(core))


def base_of(name: str) -> str:
    """The core that a row is a variant of: the first of its module."""
    return next(core.name for core in CORES.values() if core.module == CORES[name].module)


def is_variant(name: str) -> bool:
    return base_of(name) != name


def cores(chosen: Sequence[Core]) -> Iterator[Result | HardwareError]:
    """Each core, simulated and synthesised."""
    counted = [found for _, found in simulate.in_parallel(chosen)]
    jobs = map(synthesis.job_of, chosen)
    for clocks, (_, made) in zip(counted, synthesis.in_parallel(jobs)):
        if isinstance(clocks, HardwareError):
            yield clocks
        elif isinstance(made, HardwareError):
            yield made
        else:
            yield result(made, clocks)


def ram_of_latches() -> Iterator[LatchRam]:
    found = synthesis.latch_ram()
    yield LatchRam(256 * 8, round(found.gates, 1), round(found.ns["without"], 2))
