#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Measures every core, keeps the figures in results.csv, and makes RESULTS.md of them.

hardware/report.py record   simulate, prove and synthesise all, write *.csv and what is made of it
hardware/report.py record CORE...   the rows of these cores in results.csv only
hardware/report.py tables   make RESULTS.md, and the table in README.md, of the *.csv again
hardware/report.py check    exit 1 if that would change one of them

The sections of RESULTS.md are made in report_*.py.

Exit status: 0 all is well, 1 a core is wrong or a file could not be written, 2 wrong usage.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, field
from pathlib import Path

import cells
import chains
import covered
import faults
import fpga
import layout
import measured
import proofs
import report_checks
import report_cores
import report_fpgas
import report_layouts
import stored
import synthesis
from cores import CORES
from markdown import Lines, cell, table
from measured import RAM_GATES, RAMS, LatchRam, Result, is_measured, is_variant
from report_fpgas import OTHERS, Other
from report_layouts import mbits, mhz
from tools import HARDWARE, ROOT, HardwareError, fault, run, write

DOCUMENT = HARDWARE / "RESULTS.md"
README = ROOT / "hardware" / "README.md"
HOW = "hardware/report.py tables, or make hardware if a core has changed"

# --- RESULTS.md --------------------------------------------------------------------------------

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


@dataclass(frozen=True)
class Report:
    """The rows of all *.csv."""

    results: Sequence[Result]
    fpgas: Sequence[fpga.Figures] = ()
    proved: Sequence[proofs.Proved] = ()
    latch_ram: LatchRam | None = None
    chained: Sequence[chains.Chained] = ()
    faulty: Sequence[faults.Faults] = ()
    reached: Sequence[covered.Coverage] = ()
    others: Sequence[Other] = ()
    layouts: Mapping[str, layout.Layout] = field(default_factory=dict)

    def document(self) -> str:
        sections = (
            self.head(),
            report_cores.table_4(self.results, self.layouts),
            report_cores.slides(self.results, self.layouts),
            report_layouts.section(self.layouts),
            report_cores.ram(self.results, self.latch_ram),
            report_cores.own(self.results, self.layouts),
            report_cores.variants(self.results),
            report_checks.chaining(self.chained, self.results),
            report_checks.failing(self.faulty),
            report_checks.coverage(self.reached),
            report_fpgas.devices(self.fpgas, self.results),
            report_fpgas.beside(self.others, self.fpgas, self.results),
            report_checks.proven(self.proved),
        )
        lines = [line for section in sections for line in section]
        return "\n".join(lines).rstrip("\n") + "\n"

    def head(self) -> Lines:
        yield HEAD.format(
            wrong=", ".join(sorted(cells.wrong_areas())),
            read=cells.RAM_READ_NS,
            setup=cells.RAM_SETUP_NS,
            tools="; ".join(sorted({found.made_by for found in self.results})),
        )


# --- the table in README.md --------------------------------------------------------------------

MARKED = re.compile(
    r"(<!-- hardware: made by hardware/report.py -->\n).*?(<!-- end of hardware -->)", re.S
)


def summary(report: Report) -> Lines:
    heads = ["core", "gates", "clocks a block", "MHz", "placed", "Mbit/s", "placed"]
    heads += ["paper: gates", "Mbit/s"]
    rows = (
        [
            f"{found.row.about} (`{found.core}`)",
            _gates_with_ram(found, report.latch_ram),
            cell(found.clocks / found.row.levels),
            cell(found.mhz),
            cell(mhz(found, report.layouts)),
            cell(found.mbits(found.mhz)),
            mbits(found, report.layouts),
            cell(found.row.paper.gates if found.row.paper else None),
            cell(found.row.paper.mbits if found.row.paper else None),
        ]
        for found in report.results
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


def readme(report: Report) -> str:
    """The README with its table again."""
    lines = "\n".join(summary(report)).rstrip("\n")
    return MARKED.sub(rf"\g<1>{lines}\n\g<2>", README.read_text(encoding="utf-8"))


# --- writing -----------------------------------------------------------------------------------


def record_some(names: Sequence[str]) -> int:
    """Replaces the rows of these cores, and leaves the others."""
    status = 0
    for found in measured.cores(synthesis.chosen(names)):
        if isinstance(found, HardwareError):
            status = fault(found)
        else:
            print(*astuple(found), flush=True)
            stored.record(measured.STORED, found, CORES)
    return status or tables()


def record() -> int:
    """A file is written again if all of it could be made."""
    status = 0
    cores = [core for core in CORES.values() if is_measured(core)]
    for path, kind, made in (
        (measured.STORED, Result, measured.cores(cores)),
        (proofs.STORED, proofs.Proved, proofs.measured()),
        (RAMS, LatchRam, measured.ram_of_latches()),
        (fpga.STORED, fpga.Figures, fpga.measured()),
        (chains.STORED, chains.Chained, chains.measured()),
        (faults.STORED, faults.Faults, faults.measured()),
    ):
        good = record_rows(path, kind, made)
        status = status or int(not good)
    return status or tables()


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
    report = Report(
        measured.read(),
        fpgas=stored.read(fpga.Figures, fpga.STORED),
        proved=stored.read(proofs.Proved, proofs.STORED),
        latch_ram=next(iter(stored.read(LatchRam, RAMS)), None),
        chained=stored.read(chains.Chained, chains.STORED),
        faulty=stored.read(faults.Faults, faults.STORED),
        reached=stored.read(covered.Coverage, covered.STORED),
        others=stored.read(Other, OTHERS),
        layouts=layout.read(),
    )
    return {DOCUMENT: report.document(), README: readme(report)}


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
    commands = {"record": record, "tables": tables, "check": check}
    if len(sys.argv) > 2 and sys.argv[1] == "record":
        return record_some(sys.argv[2:])
    if len(sys.argv) != 2 or sys.argv[1] not in commands:
        print(__doc__, file=sys.stderr)
        return 2
    return commands[sys.argv[1]]()


if __name__ == "__main__":
    sys.exit(run(main))
