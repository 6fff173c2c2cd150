#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Measures every core, keeps the figures in results.csv, and makes RESULTS.md of them.

hardware/report.py record   simulate, prove and synthesise all, write *.csv and what is made of it
hardware/report.py record CORE...   the rows of these cores in results.csv only
hardware/report.py fpga     build for FPGAs only: write fpga.csv and what is made of it
hardware/report.py tables   make RESULTS.md, and the table in README.md, of the *.csv again
hardware/report.py check    exit 1 if that would change one of them

Exit status: 0 all is well, 1 a core is wrong or a file could not be written, 2 wrong usage.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path

import cells
import chains
import covered
import faults
import fpga
import layout
import placing
import proofs
import simulate
import stored
import synthesis
import wires
from cores import CORES, Core
from tools import HARDWARE, ROOT, HardwareError, fault, run, write

RESULTS = HARDWARE / "results.csv"
FPGAS = HARDWARE / "fpga.csv"
PROOFS = HARDWARE / "proofs.csv"
RAMS = HARDWARE / "ram.csv"
OTHERS = HARDWARE / "others.csv"
DOCUMENT = HARDWARE / "RESULTS.md"
README = ROOT / "hardware" / "README.md"
HOW = "hardware/report.py tables, or make hardware if a core has changed"

# Gates that a bit of RAM is counted as: six transistors are 1.5 two-input gates; the row of 80,000
# gates of the paper implies 3.5, if the rest is that of the row of 23,000.
RAM_GATES = (1.5, 3.5)
# [slides]: gates, clocks, interleave level, MHz, Mbit/s. The other rows are those of the report.
SLIDE = (14000, 64, 1, 40, 80)
BLOCK_BITS = 128
# Of delays at the slow corner, to those at the typical one: see LAYOUTS.
SLOW = 1.85


# --- results.csv -------------------------------------------------------------------------------


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
class Proved:
    """A row of proofs.csv."""

    proof: str
    about: str
    seconds: float


@dataclass(frozen=True)
class LatchRam:
    """The row of ram.csv: a RAM of latches, its gate equivalents, and ns of its longest path."""

    bits: int
    gates: float
    ns: float

    @property
    def gates_of_a_bit(self) -> float:
        return self.gates / self.bits


@dataclass(frozen=True)
class Other:
    """A row of others.csv: a core on an ECP5, of this project or another.

    clocks    from a block to the next
    licence   "" if the project gives none
    checked   the directions in which it computes published vectors
    """

    core: str
    project: str
    licence: str
    commit: str
    checked: str
    clocks: int
    cells: int
    mhz: float

    @property
    def mbits(self) -> float:
        return BLOCK_BITS * self.mhz / self.clocks


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


def read(path: Path = RESULTS) -> list[Result]:
    if not path.exists():
        raise HardwareError(f"{path.name} is not there", "run make hardware")
    rows = stored.read(Result, path)
    unknown = {row.core for row in rows} - set(CORES)
    if unknown:
        names = ", ".join(sorted(unknown))
        raise HardwareError(f"{path.name} has unknown cores: {names}", "run make hardware")
    return rows


# --- what RESULTS.md says ----------------------------------------------------------------------

Lines = Iterator[str]

HEAD = """\
# What the cores take

Made by `make hardware` from [results.csv](results.csv) and the other tables here; do not edit.
[README.md](README.md) says what the cores are.

- **Gates** are gate equivalents: the area of the cells divided by the area of a NAND with two
  inputs. The cells are OSU's for 0.35 um CMOS. Areas come from its LEF, since the Liberty file has
  other areas for {wrong}. Clock trees, pads and tests are not counted.
- **MHz** come from static timing analysis at the typical corner, 3.3 V and 25 degrees. Inputs
  arrive at the clock edge, and outputs must be ready at the next one.
- **Placed** is with wires: those of the [layouts](#layouts) below, at the typical corner too.
- **Clocks** are counted in simulation: the clocks of a block in a full stream, times the blocks in
  work at once (levels). Mbit/s are 128 bits times MHz times levels, divided by clocks.
- **RAM** is a black box, whose bits are counted apart. We assume a 256 x 8 whose data come
  {read:g} ns after the clock, and whose inputs must be ready {setup:g} ns before it.
- The netlist of each core comes from {tools}.
"""

TABLE_4 = """\
## Table 4 of the paper: keys of 128 bits, encrypt and decrypt

The paper's estimates [TR3, Table 4] stand before ours. The ratio is Mbit/s of each gate, without
wires, to the paper's.
"""

SLIDES = """\
## The table of the slides

The authors' slides have the same rows except the first. For 14,000 gates they have 64 clocks,
without the eight h of the whitening; the report has 72. Ours includes them.
"""

LAYOUTS = """\
## Layouts

[layout.py](layout.py) places the cells by graywolf in rows that touch each other, from a fixed
seed. Cells cover {used:.0f} % of the rows, which leaves room for qrouter, with four metals. Ports
stand around the core, RAMs beside it. Clocks have no wires, for what drives them is a tree. A net
is a shortest spanning tree; the routed ones have routes by qrouter, and wires that Magic extracts
from these, with the values that come with the cells for TSMC's 0.35 um. No nets touch
there. Magic sees one net of `quarter_h` in two pieces, at a pin whose parts its cell joins inside,
as far as we can tell.

- **Typical** wires have {typical:.3f} fF a um, which Magic found in those that were routed.
- **Heavy** wires have {heavy:g} fF a um, as much as wires of 0.6 um have where others run beside,
  above and below them all the way.
- **Slow** is a guess of the slow corner, since these cells have a library for the typical one
  alone: heavy wires, and {slow:g} times as long. A NAND of the open cells for GlobalFoundries'
  0.18 um, at 3.3 V, takes so much longer with slow transistors, 3.0 V and 125 degrees.
- Each um has {ohms:.2f} ohm, of the LEF.
"""

RAM = """\
## RAM in gates

The gates of a bit of RAM depend on its builder: 1.5 are its six transistors, the paper's 80,000
gates imply 3.5, and the last column is for the same RAM built of latches and gates of these cells
([ram_of_latches.v](synth/ram_of_latches.v)).
"""

OWN = """\
## Cores that the paper does not have

"""

VARIANTS = """\
## Longer keys, one direction, and where subkeys are kept

The table compares each variant with the core for keys of 128 bits and both directions: its gates
and MHz, and how much more (or less) these are.
"""

FPGA = """\
## FPGAs

The core alone has more pins than these parts, so it stands behind a port of a byte, which adds some
registers. Adders, stores and clocks are those of [rtl/fpga](rtl/fpga), and `STORE` is left alone.
It is placed and routed with a fixed seed; other seeds give up to an eighth more or less.
"""

CHAINS = """\
## Chains

CBC encryption of some messages, a block of each in turn: clocks of a block, of whichever message,
as [chains.py](chains.py) counts them in simulation. The partners of a core alone offer a block in
the clock after the result that it needs; so does the wrapper for AXI4-Stream. With as many messages
as levels each turn costs that clock. One message more hides it. Mbit/s, without wires, are those
with as many messages as levels, and those of a full core.
"""

FAULTS = """\
## Faults

[faults.py](faults.py) changes single bits of registers in simulation, each in a random clock,
while a core takes a key and some blocks. *Wrong*: a wrong result left, or one too many.
*Silent*: results are missing. *Harmless*: all results are right.
"""

COVERAGE = """\
## Coverage

How much of a core the bench of all cores reaches, by [covered.py](covered.py): lines are runs of
statements and ways of branches, toggles are bits of signals. `assign`, of which most of a core
consists, has no lines, so toggles say more. Other cores were not measured. All that is left here is
constant: bits of `unused`, of padding, of numbers below a limit, and of counts for longer keys.
"""

OTHER = """\
## Beside public cores

A search of public repositories in November 2026 found these. They are measured on the ECP5 by the
same flow, for keys of 128 bits, behind the same port of a byte, with registers that hold key and
block. `encrypt_out` encrypts alone and makes the subkeys again for each block, so that a new key
costs nothing; `two_h` does both directions, and takes 21 clocks for a new key. Both are without
wide multiplexers. We let nextpnr ignore a combinational loop of `encrypt_out`. Sources of others
are not in this repository.
"""

OTHER_END = """\
Found, too, and not measured: germancq/twofish_block_cipher (GPL-3.0) computes both directions in 53
clocks, andre3barbosa/Twofish-zyboz7 (no licence) encrypts in 79: we checked both with published
vectors and did not place them. The core of OpenCores (Spyros Ninos, GPL) and Sworsus/TWOFISH_VHDL
are parts without a top; kallmi28/TWOFISH has its key in the source; the MDS of slomo/ske
multiplies integers, so it is not Twofish. Papers are missing, since we could not read them.
"""

PROOF = """\
## Proofs

`hardware/proofs.py` proves these for every input. It also plants a fault for each proof, and checks
that the proof then fails. Seconds are of the machine that made this file.
"""


def cell(number: int | float | None, digits: int = 0) -> str:
    return "" if number is None else f"{number:,.{digits}f}"


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], left: int = 1) -> Lines:
    """Lines of a table whose first columns are text and the others numbers."""
    yield f"| {' | '.join(heads)} |"
    yield "|" + "---|" * left + "--:|" * (len(heads) - left)
    for row in rows:
        yield f"| {' | '.join(row)} |"
    yield ""


def per_cent(new: float, old: float) -> str:
    return f"{100 * (new / old - 1):+.0f} %"


class Report:
    """Sections of RESULTS.md."""

    def __init__(
        self,
        results: Sequence[Result],
        fpgas: Sequence[fpga.Figures] = (),
        proved: Sequence[Proved] = (),
        ram: LatchRam | None = None,
        chained: Sequence[chains.Chained] = (),
        faulty: Sequence[faults.Faults] = (),
        reached: Sequence[covered.Coverage] = (),
        others: Sequence[Other] = (),
        layouts: Mapping[str, layout.Layout] | None = None,
    ) -> None:
        self.results = results
        self.fpgas = fpgas
        self.proved = proved
        self.latch_ram = ram
        self.chained = chained
        self.faulty = faulty
        self.reached = reached
        self.others = others
        self.layouts = layouts or {}
        self.by_name = {found.core: found for found in results}

    def document(self) -> str:
        sections = (self.head, self.table_4, self.slides, self.placed, self.ram, self.own)
        lines: list[str] = []
        for section in (
            *sections,
            self.variants,
            self.chaining,
            self.failing,
            self.coverage,
            self.devices,
            self.beside,
            self.proven,
        ):
            lines += section()
        return "\n".join(lines).rstrip("\n") + "\n"

    def head(self) -> Lines:
        yield HEAD.format(
            wrong=", ".join(sorted(cells.wrong_areas())),
            read=cells.RAM_READ_NS,
            setup=cells.RAM_SETUP_NS,
            tools="; ".join(sorted({found.made_by for found in self.results})),
        )

    def of_paper(self) -> list[Result]:
        return [found for found in self.results if found.row.paper]

    def table_4(self) -> Lines:
        yield TABLE_4
        heads = ["core", "gates", "ours", "clocks", "ours", "levels", "start-up", "ours"]
        heads += ["MHz", "ours", "placed", "Mbit/s", "ours", "placed", "ratio"]
        yield from table(heads, map(self._row_of_table_4, self.of_paper()))
        yield "What these gates are, and what `sbox_ram` has besides, in RAM:"
        yield ""
        heads = ["core", "what", "flip-flops", "latches", "the rest", "RAM bits", "latency"]
        yield from table(heads, map(self._kinds, self.of_paper()), 2)
        yield from self.exceptions()

    def _row_of_table_4(self, found: Result) -> list[str]:
        paper = found.row.paper
        assert paper
        ratio = (found.mbits(found.mhz) / found.total(RAM_GATES[1])) / (paper.mbits / paper.gates)
        return [
            f"`{found.core}`",
            cell(paper.gates),
            cell(found.gates) + " and RAM" * bool(found.ram_bits),
            cell(paper.clocks),
            cell(found.clocks),
            cell(found.row.levels),
            cell(paper.startup),
            cell(found.startup),
            cell(paper.mhz),
            cell(found.mhz, 1),
            cell(self.mhz_placed(found), 1),
            cell(paper.mbits),
            cell(found.mbits(found.mhz)),
            self.mbits_placed(found),
            cell(ratio, 2),
        ]

    def _kinds(self, found: Result) -> list[str]:
        gates = map(cell, (found.flip_flops, found.latches, found.rest))
        about = found.row.about
        return [f"`{found.core}`", about, *gates, cell(found.ram_bits), cell(found.latency)]

    def exceptions(self) -> Lines:
        told = [(each.core, *why) for each in self.results for why in each.row.exceptions.items()]
        if told:
            yield "What is not reached, and why:"
            yield ""
            for name, what, reason in told:
                yield f"- `{name}`, {what}: {reason}"
            yield ""

    def slides(self) -> Lines:
        yield SLIDES
        heads = ["core", "gates", "ours", "clocks", "ours", "MHz", "ours", "Mbit/s", "ours"]
        heads.append("placed")
        yield from table(heads, (self._row_of_slides(found) for found in self.of_paper()[1:]))

    def _row_of_slides(self, found: Result) -> list[str]:
        paper = found.row.paper
        assert paper
        slide = (paper.gates, paper.clocks, paper.levels, paper.mhz, paper.mbits)
        gates, clocks, _, mhz, mbits = SLIDE if paper.gates == SLIDE[0] else slide
        return [
            f"`{found.core}`",
            cell(gates),
            cell(found.gates) + " and RAM" * bool(found.ram_bits),
            cell(clocks),
            cell(found.clocks),
            cell(mhz),
            cell(found.mhz, 1),
            cell(mbits),
            cell(found.mbits(found.mhz)),
            self.mbits_placed(found),
        ]

    def mhz_placed(self, found: Result) -> float | None:
        """With the wires of its layout, if it has one."""
        made = self.layouts.get(found.core)
        return 1000 / made.best_ns if made else None

    def mbits_placed(self, found: Result) -> str:
        mhz = self.mhz_placed(found)
        return cell(found.mbits(mhz) if mhz else None)

    def placed(self) -> Lines:
        if not self.layouts:
            return
        yield LAYOUTS.format(
            used=100 * placing.DENSITY,
            typical=1000 * wires.TYPICAL.pf,
            heavy=1000 * wires.HEAVY.pf,
            slow=SLOW,
            ohms=wires.OHM_PER_UM,
        )
        heads = ["core", "um x um", "mm2", "wires, mm", "routed, mm", "pF", "MHz: typical"]
        heads += ["routed", "heavy", "slow"]
        yield from table(heads, map(self._row_of_layout, self.layouts.values()))
        yield f"Made by {'; '.join(sorted({each.made_by for each in self.layouts.values()}))}."
        yield ""

    def _row_of_layout(self, made: layout.Layout) -> list[str]:
        return [
            f"`{made.core}`",
            f"{made.width:,.0f} x {made.height:,.0f}",
            cell(made.mm2, 2),
            cell(made.tree_mm),
            cell(made.routed_mm or None),
            cell(made.pf or None, 1),
            cell(1000 / made.ns, 1),
            cell(1000 / made.ns_routed if made.ns_routed else None, 1),
            cell(1000 / made.ns_heavy, 1),
            cell(1000 / made.ns_heavy / SLOW, 1),
        ]

    def ram(self) -> Lines:
        found = [each for each in self.results if each.ram_bits and not is_variant(each.core)]
        if not found:
            return
        yield RAM
        built = self.latch_ram
        gates = [*RAM_GATES, *([built.gates_of_a_bit] if built else [])]
        heads = ["core", "without RAM", "RAM bits", *(f"at {each:.1f} a bit" for each in gates)]
        rows = (
            [f"`{each.core}`", cell(each.gates), cell(each.ram_bits)]
            + [cell(each.total(count)) for count in gates]
            for each in found
        )
        yield from table(heads, rows)
        for each in found:
            yield (
                f"With a RAM of x ns `{each.core}` has a period of {each.ns:.1f} - "
                f"{cells.RAM_READ_NS:g} + x ns, as long as the RAM is in its longest path."
            )
        if built:
            yield f"The longest path of the RAM of latches is {built.ns:.1f} ns, without wires."
        yield ""

    def own(self) -> Lines:
        found = [each for each in self.results if not each.row.paper and not is_variant(each.core)]
        if not found:
            return
        yield OWN
        heads = ["core", "what", "gates", "clocks", "levels", "start-up", "MHz", "placed"]
        heads += ["Mbit/s", "placed", "Mbit/s of 1,000 gates"]
        yield from table(heads, map(self._row_of_own, found), 2)

    def _row_of_own(self, found: Result) -> list[str]:
        return [
            f"`{found.core}`",
            found.row.about,
            cell(found.gates) + " and RAM" * bool(found.ram_bits),
            cell(found.clocks),
            cell(found.row.levels),
            cell(found.startup),
            cell(found.mhz, 1),
            cell(self.mhz_placed(found), 1),
            cell(found.mbits(found.mhz)),
            self.mbits_placed(found),
            cell(1000 * found.mbits(found.mhz) / found.gates, 1),
        ]

    def variants(self) -> Lines:
        found = [each for each in self.results if is_variant(each.core)]
        if not found:
            return
        yield VARIANTS
        heads = ["core", "key bits", "gates", "more", "RAM bits", "clocks", "start-up", "MHz"]
        heads.append("more")
        yield from table(heads, map(self._row_of_variant, found))

    def _row_of_variant(self, found: Result) -> list[str]:
        base = self.by_name[base_of(found.core)]
        return [
            f"`{found.core}`",
            cell(found.row.key_bits),
            cell(found.gates),
            per_cent(found.gates, base.gates),
            cell(found.ram_bits),
            cell(found.clocks),
            cell(found.startup),
            cell(found.mhz, 1),
            per_cent(found.mhz, base.mhz),
        ]

    def chaining(self) -> Lines:
        if not self.chained:
            return
        yield CHAINS
        heads = [
            "core",
            "where",
            "levels",
            "one message",
            "as many as levels",
            "one more",
            "Mbit/s",
        ]
        places = dict.fromkeys((each.core, each.where) for each in self.chained)
        yield from table(
            [*heads, "Mbit/s", "full"], (self._row_of_chains(*place) for place in places), 2
        )

    def _row_of_chains(self, core: str, where: str) -> list[str]:
        found = self.by_name[core]
        clocks = {
            each.chains: each.clocks
            for each in self.chained
            if (each.core, each.where) == (core, where)
        }
        levels = found.row.levels
        of_a_block = (clocks[1], clocks[levels], clocks[levels + 1])
        mbits = BLOCK_BITS * found.mhz / clocks[levels]
        return [
            f"`{core}`",
            where,
            cell(levels),
            *(f"{each:.2f}".removesuffix(".00") for each in of_a_block),
            cell(mbits),
            cell(found.mbits(found.mhz)),
        ]

    def failing(self) -> Lines:
        if not self.faulty:
            return
        yield FAULTS
        heads = ["core", "bits of registers", "runs", "alert", "harmless", "silent", "wrong"]
        yield from table(heads, map(self._row_of_faults, self.faulty))

    def _row_of_faults(self, found: faults.Faults) -> list[str]:
        counts = (found.alert, found.harmless, found.silent, found.wrong)
        return [f"`{found.core}`", cell(found.bits), cell(sum(counts)), *map(cell, counts)]

    def coverage(self) -> Lines:
        if not self.reached:
            return
        yield COVERAGE
        heads = ["core", "lines", "reached", "toggles", "reached"]
        yield from table(heads, map(self._row_of_coverage, self.reached))
        for each in self.reached:
            if each.left:
                yield f"- `{each.core}`, not reached: {each.left}"
        yield ""

    def _row_of_coverage(self, found: covered.Coverage) -> list[str]:
        shares = (
            f"{100 * part / whole:.1f} %"
            for part, whole in (
                (found.lines_reached, found.lines),
                (found.toggles_reached, found.toggles),
            )
        )
        lines, toggles = shares
        return [f"`{found.core}`", cell(found.lines), lines, cell(found.toggles), toggles]

    def devices(self) -> Lines:
        if not self.fpgas:
            return
        yield FPGA
        heads = ["core", "device", "cells", "flip-flops", "RAM blocks", "MHz", "Mbit/s"]
        yield from table(heads, map(self._row_of_fpga, self.fpgas), 2)
        yield f"Made by {'; '.join(sorted({each.made_by for each in self.fpgas}))}."
        yield ""

    def _row_of_fpga(self, found: fpga.Figures) -> list[str]:
        counted = self.by_name[found.core]
        counts = map(cell, (found.cells, found.flip_flops, found.ram_blocks))
        rates = (cell(found.mhz, 1), cell(counted.mbits(found.mhz)))
        return [f"`{found.core}`", found.device, *counts, *rates]

    def beside(self) -> Lines:
        if not self.others:
            return
        yield OTHER
        heads = ["core", "licence", "checked", "clocks", "cells", "MHz", "Mbit/s"]
        heads.append("Mbit/s of 1,000 cells")
        yield from table(heads, map(self._row_of_other, self.others), 3)
        yield OTHER_END

    def _row_of_other(self, found: Other) -> list[str]:
        place = f"{found.project} at {found.commit}" if found.commit else found.project
        return [
            f"`{found.core}`, {place}",
            found.licence or "none given",
            found.checked,
            cell(found.clocks),
            cell(found.cells),
            cell(found.mhz, 1),
            cell(found.mbits),
            cell(1000 * found.mbits / found.cells, 1),
        ]

    def proven(self) -> Lines:
        if not self.proved:
            return
        yield PROOF
        rows = ([f"`{each.proof}`", each.about, cell(each.seconds, 1)] for each in self.proved)
        yield from table(["proof", "says", "seconds"], rows, 2)


def is_measured(core: Core) -> bool:
    """Every core, and the variants that tell what one costs; the others are only simulated."""
    if core.flow != "chip":
        return False
    variants = ("quarter_h", "two_h")
    longest = core.key_bits == 256 and core.encrypt and core.decrypt
    return not is_variant(core.name) or base_of(core.name) in variants or longest


def base_of(name: str) -> str:
    """The core that a row is a variant of: the first of its module."""
    return next(core.name for core in CORES.values() if core.module == CORES[name].module)


def is_variant(name: str) -> bool:
    return base_of(name) != name


# --- the table in README.md --------------------------------------------------------------------

MARKED = re.compile(
    r"(<!-- hardware: made by hardware/report.py -->\n).*?(<!-- end of hardware -->)", re.S
)


def summary(results: Sequence[Result], report: Report) -> Lines:
    heads = ["core", "gates", "clocks a block", "MHz", "placed", "Mbit/s", "placed"]
    heads += ["paper: gates", "Mbit/s"]
    rows = (
        [
            f"{found.row.about} (`{found.core}`)",
            _gates_with_ram(found, report.latch_ram),
            cell(found.clocks / found.row.levels),
            cell(found.mhz),
            cell(report.mhz_placed(found)),
            cell(found.mbits(found.mhz)),
            report.mbits_placed(found),
            cell(found.row.paper.gates if found.row.paper else None),
            cell(found.row.paper.mbits if found.row.paper else None),
        ]
        for found in results
        if not is_variant(found.core)
    )
    yield from table(heads, rows)


def _gates_with_ram(found: Result, ram: LatchRam | None) -> str:
    """A RAM counts as one of latches, which is the largest."""
    if not found.ram_bits:
        return cell(found.gates)
    most = found.total(max(*RAM_GATES, ram.gates_of_a_bit if ram else 0))
    least = found.total(min(RAM_GATES))
    return f"{cell(found.gates)} and RAM: {cell(least)} to {cell(most)}"


def readme(results: Sequence[Result], report: Report) -> str:
    """The README with its table again."""
    lines = "\n".join(summary(results, report)).rstrip("\n")
    return MARKED.sub(rf"\g<1>{lines}\n\g<2>", README.read_text(encoding="utf-8"))


# --- writing -----------------------------------------------------------------------------------


def measured(cores: Sequence[Core]) -> Iterator[Result | HardwareError]:
    """Each core, simulated and synthesised."""
    counted = [found for _, found in simulate.in_parallel(cores)]
    jobs = map(synthesis.job_of, cores)
    for clocks, (_, made) in zip(counted, synthesis.in_parallel(jobs)):
        if isinstance(clocks, HardwareError):
            yield clocks
        elif isinstance(made, HardwareError):
            yield made
        else:
            yield result(made, clocks)


def proved() -> Iterator[Proved | HardwareError]:
    for name, seconds, answer in proofs.answers(list(proofs.PROOFS), proofs.holds):
        if isinstance(answer, HardwareError):
            yield answer
        elif not answer:
            yield HardwareError(f"the proof {name} fails")
        else:
            yield Proved(name, proofs.PROOFS[name].about, round(seconds, 1))


def ram_of_latches() -> Iterator[LatchRam]:
    found = synthesis.latch_ram()
    yield LatchRam(256 * 8, round(found.gates, 1), round(found.ns["without"], 2))


def record_some(names: Sequence[str]) -> int:
    """Replaces the rows of these cores, and leaves the others."""
    old = {found.core: found for found in read()} if RESULTS.exists() else {}
    status = 0
    for found in measured(synthesis.chosen(names)):
        if isinstance(found, HardwareError):
            status = fault(found)
        else:
            print(*astuple(found), flush=True)
            old[found.core] = found
    write(RESULTS, stored.text(Result, (old[name] for name in CORES if name in old)))
    return status or tables()


def record() -> int:
    """A file is written again if all of it could be made."""
    status = 0
    cores = [core for core in CORES.values() if is_measured(core)]
    for path, kind, made in (
        (RESULTS, Result, measured(cores)),
        (PROOFS, Proved, proved()),
        (RAMS, LatchRam, ram_of_latches()),
        (FPGAS, fpga.Figures, fpga.all_figures()),
        (chains.STORED, chains.Chained, chains.measured()),
        (faults.STORED, faults.Faults, faults.measured()),
    ):
        good = record_rows(path, kind, made)
        status = status or int(not good)
    return status or tables()


def record_fpgas() -> int:
    return int(not record_rows(FPGAS, fpga.Figures, fpga.all_figures())) or tables()


def record_rows(path: Path, kind: type, made: Iterable[object]) -> bool:
    """Whether all could be made."""
    rows = []
    good = True
    for found in made:
        if isinstance(found, HardwareError):
            fault(found)
            good = False
        else:
            print(*astuple(found), flush=True)  # type: ignore[call-overload]
            rows.append(found)
    if good:
        write(path, stored.text(kind, rows))
    return good


def made_files() -> dict[Path, str]:
    """All that is made of the *.csv, as it must be."""
    results = read()
    report = Report(
        results,
        fpgas=stored.read(fpga.Figures, FPGAS),
        proved=stored.read(Proved, PROOFS),
        ram=next(iter(stored.read(LatchRam, RAMS)), None),
        chained=stored.read(chains.Chained, chains.STORED),
        faulty=stored.read(faults.Faults, faults.STORED),
        reached=stored.read(covered.Coverage, covered.STORED),
        others=stored.read(Other, OTHERS),
        layouts=layout.read(),
    )
    return {DOCUMENT: report.document(), README: readme(results, report)}


def tables() -> int:
    for path, text in made_files().items():
        write(path, text)
    return 0


def check() -> int:
    for path, text in made_files().items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            name = path.relative_to(ROOT)
            return fault(HardwareError(f"{name} is not that of results.csv", f"run {HOW}"))
    return 0


def main() -> int:
    commands = {"record": record, "fpga": record_fpgas, "tables": tables, "check": check}
    if len(sys.argv) > 2 and sys.argv[1] == "record":
        return record_some(sys.argv[2:])
    if len(sys.argv) != 2 or sys.argv[1] not in commands:
        print(__doc__, file=sys.stderr)
        return 2
    return commands[sys.argv[1]]()


if __name__ == "__main__":
    sys.exit(run(main))
