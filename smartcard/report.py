#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Measures programs, keeps the figures in results.csv, and makes the pages of them.

smartcard/report.py record [PROGRAM...]   build, check and measure these programs, or all, and then
                                          leakage too; write results.csv and the pages
smartcard/report.py tables   make RESULTS.md, MACHINES.md, TIMES.md, and the tables in README.md,
                             masked.md and docs/firmware.md
smartcard/report.py check    exit 1 if that would change one of them

Exit status: 0 all is well, 1 a program is wrong or a file could not be written, 2 wrong usage.
"""

from __future__ import annotations

import csv
import io
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import leakage
from ciphers import CIPHERS
from machine import ROOT, ProgramError, made_by, timings
from measure import FULL, OTHER_TIMINGS, Figures, chosen, fault, in_parallel, run
from programs import PROGRAMS, Program
from twofish import BLOCK_BYTES

RESULTS = ROOT / "smartcard" / "results.csv"
DOCUMENT = ROOT / "smartcard" / "RESULTS.md"
OTHER_MACHINES = ROOT / "smartcard" / "MACHINES.md"
TIMES = ROOT / "smartcard" / "TIMES.md"
README = ROOT / "smartcard" / "README.md"
MASKED = ROOT / "smartcard" / "masked.md"
FIRMWARE = ROOT / "docs" / "firmware.md"
HOW = "smartcard/report.py tables, or make smartcard if a program has changed"

PARTS = ("cipher", "tables", "set_key")
ROUTINES = ("encrypt", "decrypt", "set_key")
COLUMNS = (
    *("program", "timing", "made_by"),
    *PARTS,
    *("key_ram", "work_ram", "set_ram", "stack", "return_bytes"),
    *(f"{routine}_{end}" for routine in ROUTINES for end in ("least", "most")),
)

# Their titles, in the order of the document; the 6805 has sections of its own.
MACHINES = {
    "avr": "AVR: ATmega328P, with the text in registers",
    "cortex_m0": "ARM Cortex-M0 and M0+",
    "m6502": "6502",
}

MHZ = 4
# [TR3, 3]: clocks to make S by RS, and what longer keys add to a block, by key bits.
PAPER_RS = {128: 1750, 192: 2550, 256: 3400}
PAPER_LONGER = {192: 2600, 256: 5200}
# [TR3, 3.2]: what stored subkeys add to the set-up of a key of 128 bits.
PAPER_SUBKEYS = 11000
# [TwofishSlides98]: bytes of ROM and kbit/s at 4 MHz of three rows.
SLIDES_OF_1998 = {
    "fly_2tables": (2200, 19.3),
    "fly_0tables": (2000, 14.6),
    "fly_small": (1760, 13.8),
}
# [TR3, 3.2]: what S-boxes in memory take off a block that makes its subkeys.
PAPER_SBOXES = 6000
SMALLEST_WITH_TABLES = "fly_small"
BESIDE_DES = "fly_2tables"


# --- results.csv -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Result:
    """A row of results.csv; a routine that the program does not have is not in clocks."""

    program: Program
    timing: str
    made_by: str
    rom: Mapping[str, int]
    key_ram: int
    work_ram: int
    set_ram: int
    stack: int
    return_bytes: int
    clocks: Mapping[str, tuple[int, int]]

    @property
    def rom_bytes(self) -> int:
        return sum(self.rom.values())

    @property
    def rom_without_set_key(self) -> int:
        return self.rom_bytes - self.rom["set_key"]

    @property
    def most(self) -> int:
        """Clocks of a block, in the direction that takes longer."""
        return max(self.clocks[name][1] for name in self.program.directions)

    @property
    def time(self) -> str:
        """Whether it depends on data, in words."""
        varying = {name for name, (least, most) in self.clocks.items() if least != most}
        if varying == {"set_key"}:
            return "of a block constant, **of set_key not**"
        return "**depends on data**" if varying else "constant"

    def misses(self) -> set[str]:
        """In what it does not reach its row of Table 3, and our aim."""
        paper, aim = self.program.paper, self.program.aim
        reached = {"aim": aim is None or self.clocks["encrypt"][1] <= aim}
        if paper:
            work_ram = self.work_ram - self.return_bytes
            reached |= {
                "ram": self.key_ram <= paper.key_ram and work_ram <= paper.work_ram,
                "rom": self.rom_bytes <= paper.rom,
                "clocks": self.most <= paper.clocks,
            }
        return {what for what, yes in reached.items() if not yes}


def result(figures: Figures) -> Result:
    program = PROGRAMS[figures.program]
    unknown = set(figures.rom) - set(PARTS)
    assert not unknown, f"{program.name}: unknown parts of ROM: {unknown}"
    return Result(
        program,
        figures.timing,
        made_by(program),
        {part: figures.rom.get(part, 0) for part in PARTS},
        sum(program.key_memory.values()),
        figures.work_ram,
        figures.set_ram,
        figures.stack,
        figures.return_bytes,
        figures.clocks,
    )


def row(found: Result) -> list[str]:
    ends = [end for name in ROUTINES for end in found.clocks.get(name, ("", ""))]
    cells = (
        *(found.program.name, found.timing, found.made_by),
        *found.rom.values(),
        *(found.key_ram, found.work_ram, found.set_ram, found.stack, found.return_bytes),
        *ends,
    )
    return [str(cell) for cell in cells]


def csv_text(results: Iterable[Result]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(map(row, results))
    return text.getvalue()


def read(path: Path = RESULTS) -> list[Result]:
    if not path.exists():
        raise ProgramError(f"{path.name} is not there", "run make smartcard")
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    unknown = {cells["program"] for cells in rows} - set(PROGRAMS)
    if unknown:
        raise ProgramError(
            f"{path.name} has unknown programs: {', '.join(sorted(unknown))}", "run make smartcard"
        )
    return [_parsed(cells) for cells in rows]


def _parsed(cells: Mapping[str, str]) -> Result:
    clocks = {
        name: (int(cells[f"{name}_least"]), int(cells[f"{name}_most"]))
        for name in ROUTINES
        if cells[f"{name}_least"]
    }
    numbers = ("key_ram", "work_ram", "set_ram", "stack", "return_bytes")
    return Result(
        PROGRAMS[cells["program"]],
        cells["timing"],
        cells["made_by"],
        {part: int(cells[part]) for part in PARTS},
        **{name: int(cells[name]) for name in numbers},
        clocks=clocks,
    )


# --- what the pages say --------------------------------------------------------------------------

Lines = Iterator[str]

HEAD = """\
# What the programs take

Made by `make smartcard` from [results.csv](results.csv); do not edit. [README.md](README.md) says
what the programs are and how they are built. This page has the 6805, the processor of the paper.
[MACHINES.md](MACHINES.md) has the other machines, and [TIMES.md](TIMES.md) says whether time
depends on data.

- **ROM** is every byte of code and tables in the image: both directions, and the routine that
  sets the key if the program has one, unless a column says otherwise.
- **RAM** has two numbers. The first is the key, S and all else that stays between blocks. The
  second adds every other byte that a block reads or writes: the text, working bytes, the stack. The
  text counts as 16 bytes on every machine, with DES as 8, also where it stays in registers. If the
  number includes the caller's return address, a number in brackets is without it. Registers do not
  count.
- **Clocks** are from the first instruction to the return, both included. They are the most of
  {count:,} random keys and blocks and of the 49 steps of the table vectors ({others} random ones by
  the second table of clocks, if a machine has two). DES has vectors of its own.
- Every program starts from RAM with random contents, passes the table vectors, agrees with the
  model on {count:,} random keys and blocks, and leaves its key memory as it was.
"""

TABLE_3 = """\
## Table 3 of the paper: keys of 128 bits on a 6805

The paper's figures [TR3, Table 3] stand before ours. The figure in brackets is ROM without the
routine that sets the key. Programs with the same number twice have no such routine: where S-boxes
are stored, a host prepares key memory, as in some of the paper's rows [TR3, 3.2]. Clocks are those
of the HC05, which the paper's table most likely uses; HMOS parts take longer. Each ratio says how
many times as fast ours is, in the slower direction.

{slower}
"""

SLIDES = """\
## The table of the slides

The slides [TwofishSlides98] show three of these rows with the throughput at 4 MHz.
"""

NIBBLES = """\
## q from tables of 4 bits

The paper expects to save perhaps 350 bytes of ROM, and a tenth of the speed or less [TR3, 3.3]. The
table has each program beside `{base}`, the smallest that has q in tables.
"""

KEYS = """\
## Setting the key on the 6805

`twofish_set_key` makes S by RS, and the subkeys where the program stores them. The paper has
slightly over {rs:,} clocks for RS; where subkeys are stored, the set-up grows by roughly {more:,}
[TR3, 3.2]. It does not say how much this is with longer keys. RAM is what the routine touches
besides key memory.

For RS we aimed at 1,400 clocks with keys of 128 bits. RS without branches, which takes the same
time for every key, takes more; with branches, or with two more tables (`fly_rs_tables`), it takes
less. `fly_one_h` also reverses S.

Stored subkeys take more clocks here than in the paper. `subkeys_2tables` has no room in its ROM for
a second h: it makes subkeys by the cipher's. `subkeys_fast_key` has an h for equal bytes, and RS
with tables. It comes nearest, and takes less than the 13,000 clocks that we aimed at. The rest pays
for faster blocks: memory holds a difference of subkeys in place of every second one, which takes 12
clocks for each of 16 pairs.
"""

LONGER = f"""\
## Longer keys on the 6805

The table shows how much more a block takes than with 128 bits. The paper says less than
{PAPER_LONGER[192]:,} clocks for 192 bits and about {PAPER_LONGER[256]:,} for 256 where nothing is
stored, and less than 100 and 200 bytes of ROM [TR3, 3]. Our programs take 9.5 clocks for each of
the 288 look-ups in a layer of h: index (2), q0 (4) or q1 (5), a byte of the key (3). Programs with
two rounds written out take more ROM. The last column adds the paper's clocks for longer keys to its
row in Table 3, for both directions.
"""

SBOXES = """\
## S-boxes that the card makes

These programs have q, and fill S-boxes or S-boxes times MDS when they set the key. With S-boxes in
memory and subkeys made in each round, the paper says, a block takes roughly {paper:,} clocks less
[TR3, 3.2]: {least:,} in its fastest row. `fly_sboxes` reaches this. It takes {less:,} less than
`fly_unrolled`, which differs in S-boxes alone: a look-up in memory saves 18.5 clocks, and a block
has 128. In the paper's Table 3, where subkeys are stored, S-boxes save 2,600.

The paper says that a card that makes its S-boxes has more code. `mds_oncard` has {more:,} bytes
more than `mds`, whose memory a host makes. Where memory is EEPROM, writing it takes time besides
`set_key`.
"""

ENCRYPTION = """\
## Encryption alone on the 6805

The paper expects to save about 150 bytes and a little time [TR3, 3].
"""

OTHERS = """\
## Other programs on the 6805
"""

DES = """\
## DES on the 6805

The report says what DES takes on a 6805 [TR3, 3]; ours stands below it, and then the Twofish of the
same kind. We count key and text in the report's 23 bytes of RAM, and clocks as above. HMOS parts
take 10 clocks to test a bit, where the HC05 takes 5, and a round tests more than 80 bits. So we
reach the report's clocks by the table of the HC05 only.
"""

MACHINES_HEAD = """\
# The programs on other machines

Made by `make smartcard` from [results.csv](results.csv); do not edit. [RESULTS.md](RESULTS.md) says
what we count, and has the 6805.
"""

DEPENDENCE = """\
# Whether time depends on data

Made by `make smartcard` from [results.csv](results.csv); do not edit.

The table has the least and the most clocks of the {count:,} random keys and blocks, and of the
table vectors; it has one number where all are the same. These machines have no cache, so every
table look-up takes the same time. Only branches make a difference.
"""


def joined(*sections: Iterable[str]) -> str:
    """A page of these sections."""
    return "\n".join(line for section in sections for line in section).rstrip("\n") + "\n"


def cell(number: int | float | None, digits: int = 0) -> str:
    return "" if number is None else f"{number:,.{digits}f}"


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], left: int = 1) -> Lines:
    """Lines of a table whose first columns are text and the others numbers."""
    yield f"| {' | '.join(heads)} |"
    yield "|" + "---|" * left + "--:|" * (len(heads) - left)
    for cells in rows:
        yield f"| {' | '.join(cells)} |"
    yield ""


def ram(found: Result) -> str:
    key = f"{found.key_ram:,}" + " EEPROM" * found.program.eeprom
    text = f"{key} + {found.work_ram}"
    return text + f" ({found.work_ram - found.return_bytes})" if found.return_bytes else text


def range_of(clocks: tuple[int, int] | None) -> str:
    """One number where least and most are one."""
    if clocks is None:
        return ""
    least, most = clocks
    return cell(least) if least == most else f"{least:,} to {most:,}"


def kbits(clocks: int) -> float:
    """kbit/s of blocks at MHZ."""
    return 8 * BLOCK_BYTES * MHZ * 1000 / clocks


def paper_set_up(program: Program) -> int | None:
    """Clocks that the paper has for this set-up, if it says any."""
    if program.sboxes:
        return None
    if not program.memory:
        return PAPER_RS[program.key_bits]
    if program.key_bits != 128:
        return None
    return PAPER_RS[128] + PAPER_SUBKEYS


class Report:
    """Pages of the results by program and timing."""

    def __init__(self, results: Sequence[Result]) -> None:
        self.results = results
        self.by_name = {(found.program.name, found.timing): found for found in results}

    def of(self, machine: str, cipher: str = "twofish") -> list[Result]:
        return [
            found
            for found in self.results
            if (found.program.machine, found.program.cipher) == (machine, cipher)
        ]

    def first(self, machine: str, cipher: str = "twofish") -> list[Result]:
        """Of each program of a machine, by the clocks that count."""
        return [
            found
            for found in self.of(machine, cipher)
            if found.timing == self.timings(found.program)[0]
        ]

    def timings(self, program: Program) -> list[str]:
        return [found.timing for found in self.results if found.program.name == program.name]

    def clocks(self, program: Program, timing: str, routine: str) -> int | None:
        found = self.by_name.get((program.name, timing))
        return found.clocks[routine][1] if found and routine in found.clocks else None

    def document(self) -> str:
        sections = (
            *(self.table_3(), self.slides(), self.keys(), self.sboxes(), self.longer()),
            *(self.encrypt_only(), self.nibbles(), self.others(), self.des()),
        )
        return joined([HEAD.format(count=FULL, others=OTHER_TIMINGS)], *sections)

    def other_machines(self) -> str:
        return joined([MACHINES_HEAD], *map(self.machine, MACHINES))

    def times(self) -> str:
        return joined(self.dependence())

    def table_3(self) -> Lines:
        found = [each for each in self.first("m6805") if each.program.paper]
        if not found:
            return
        yield TABLE_3.format(slower=self._slower_in_hmos(found))
        heads = ["program", "RAM", "ours", "ROM", "ours", "clocks", "encrypt", "decrypt", "ratio"]
        heads += [f"ms at {MHZ} MHz", "ours", "HMOS", "ratio"]
        yield from table(heads, map(self._row_of_table_3, found))
        for each in found:
            for what, reason in each.program.exceptions.items():
                yield f"- `{each.program.name}`, {what}: {reason}"
        if any(each.program.exceptions for each in found):
            yield ""

    def _slower_in_hmos(self, found: Sequence[Result]) -> str:
        slower = [
            f"`{each.program.name}`"
            for each in found
            if each.program.paper
            and self.by_name[each.program.name, "hmos"].most > each.program.paper.clocks
        ]
        if not slower:
            return "Every row is reached in both."
        return f"In HMOS clocks we miss the paper's figure with {' and '.join(slower)}."

    def slides(self) -> Lines:
        found = [each for each in self.first("m6805") if each.program.name in SLIDES_OF_1998]
        yield SLIDES
        heads = ["program", "ROM", "ours", f"kbit/s at {MHZ} MHz", "ours", "HMOS"]
        rows = []
        for each in found:
            rom, speed = SLIDES_OF_1998[each.program.name]
            ours = [each.most, self.by_name[each.program.name, "hmos"].most]
            speeds = [cell(kbits(clocks), 1) for clocks in ours]
            rows.append(
                [f"`{each.program.name}`", cell(rom), cell(each.rom_bytes), cell(speed, 1), *speeds]
            )
        yield from table(heads, rows)

    def nibbles(self) -> Lines:
        base = self.by_name.get((SMALLEST_WITH_TABLES, "hc05"))
        if not base:
            return
        yield NIBBLES.format(base=SMALLEST_WITH_TABLES)
        rows = [
            [
                f"`{each.program.name}`",
                cell(each.rom_bytes),
                cell(base.rom_bytes - each.rom_bytes),
                cell(each.most),
                cell(each.most / base.most, 1),
            ]
            for each in self.first("m6805")
            if each.rom["tables"] and each.rom["tables"] < 256
        ]
        yield from table(["program", "ROM", "less", "clocks", "times as many"], rows)

    def _row_of_table_3(self, found: Result) -> list[str]:
        program, paper = found.program, found.program.paper
        assert paper
        return [
            f"`{program.name}`",
            f"{paper.key_ram} + {paper.work_ram}",
            ram(found),
            cell(paper.rom),
            f"{found.rom_bytes:,} ({found.rom_without_set_key:,})",
            cell(paper.clocks),
            cell(self.clocks(program, found.timing, "encrypt")),
            cell(self.clocks(program, found.timing, "decrypt")),
            cell(paper.clocks / found.most, 2),
            cell(paper.milliseconds or paper.clocks / MHZ / 1000, 1),
            cell(found.most / MHZ / 1000, 1),
            cell(self.by_name[program.name, "hmos"].most),
            cell(paper.clocks / self.by_name[program.name, "hmos"].most, 2),
        ]

    def keys(self) -> Lines:
        found = [each for each in self.first("m6805") if "set_key" in each.clocks]
        yield KEYS.format(rs=PAPER_RS[128], more=PAPER_SUBKEYS)
        rows = (
            [
                f"`{each.program.name}`",
                cell(each.program.key_bits),
                cell(paper_set_up(each.program)),
                range_of(each.clocks["set_key"]),
                cell(self.clocks(each.program, "hmos", "set_key")),
                cell(each.rom["set_key"]),
                cell(each.set_ram),
            ]
            for each in found
        )
        yield from table(["program", "key bits", "paper", "clocks", "HMOS", "ROM", "RAM"], rows)

    def sboxes(self) -> Lines:
        fastest, paper = self.by_name.get(("fly_sboxes", "hc05")), PROGRAMS["fly_2tables"].paper
        assert paper
        if not fastest:
            return
        yield SBOXES.format(
            paper=PAPER_SBOXES,
            least=paper.clocks - PAPER_SBOXES,
            less=self.by_name["fly_unrolled", "hc05"].most - fastest.most,
            more=self.by_name["mds_oncard", "hc05"].rom_bytes
            - self.by_name["mds", "hc05"].rom_bytes,
        )
        yield from self.plain_table([f for f in self.first("m6805") if f.program.makes_sboxes])

    def longer(self) -> Lines:
        found = [each for each in self.first("m6805") if each.program.key_bits != 128]
        found.sort(key=lambda each: each.program.eeprom)
        yield LONGER
        heads = ["program", "key bits", "RAM", "ROM", "more", "encrypt", "more", "decrypt", "more"]
        heads.append("paper")
        yield from table(heads, map(self._row_of_longer, found))

    def _row_of_longer(self, found: Result) -> list[str]:
        base = self.by_name.get((found.program.name.rsplit("_", 1)[0], found.timing))
        cells = [f"`{found.program.name}`", cell(found.program.key_bits), ram(found)]
        cells += [cell(found.rom_bytes), cell(found.rom_bytes - base.rom_bytes if base else None)]
        for direction in ("encrypt", "decrypt"):
            if direction in found.clocks:
                most = found.clocks[direction][1]
                cells += [cell(most), cell(most - base.clocks[direction][1] if base else None)]
            else:
                cells += ["", ""]
        paper = base and not found.program.memory and base.program.paper
        more = PAPER_LONGER[found.program.key_bits]
        return [*cells, cell(paper.clocks + more if paper else None)]

    def encrypt_only(self) -> Lines:
        found = [each for each in self.first("m6805") if each.program.directions == ("encrypt",)]
        yield ENCRYPTION
        rows = []
        for each in found:
            base = self.by_name.get((each.program.name.removesuffix("_enc"), each.timing))
            clocks = each.clocks["encrypt"][1]
            rows.append(
                [
                    f"`{each.program.name}`",
                    ram(each),
                    cell(each.rom_bytes),
                    cell(base.rom_bytes - each.rom_bytes if base else None),
                    cell(clocks),
                    cell(base.clocks["encrypt"][1] - clocks if base else None),
                ]
            )
        yield from table(["program", "RAM", "ROM", "less", "encrypt", "less"], rows)

    def others(self) -> Lines:
        found = [
            each
            for each in self.first("m6805")
            if not each.program.paper
            and not each.program.makes_sboxes
            and each.program.key_bits == 128
            and len(each.program.directions) == 2
        ]
        yield OTHERS
        yield from self.plain_table(found)

    def des(self) -> Lines:
        found = self.first("m6805", "des")
        twofish = self.by_name.get((BESIDE_DES, "hc05"))
        if not found or not twofish:
            return
        yield DES
        heads = ["program", "RAM", "ROM", "encrypt", "decrypt", "a byte", "set_key", "HMOS"]
        paper = found[0].program.paper
        assert paper
        then = [f"{paper.key_ram + paper.work_ram}", cell(paper.rom), cell(paper.clocks), ""]
        then += [cell(paper.clocks / CIPHERS["des"].block_bytes), "", ""]
        rows = [["DES of the report", *then], *map(self._row_of_des, [*found, twofish])]
        yield from table(heads, rows)

    def _row_of_des(self, found: Result) -> list[str]:
        program = found.program
        encrypt, decrypt, set_key = (
            cell(self.clocks(program, found.timing, name)) for name in ROUTINES
        )
        a_byte = cell(found.most / CIPHERS[program.cipher].block_bytes)
        hmos = cell(self.by_name[program.name, "hmos"].most)
        cells = [f"`{program.name}`", ram(found), cell(found.rom_bytes), encrypt, decrypt]
        return [*cells, a_byte, set_key, hmos]

    def name(self, found: Result) -> str:
        """With its table of clocks where its machine has several, except the 6805."""
        several = found.program.machine != "m6805" and len(self.timings(found.program)) > 1
        return f"`{found.program.name}`" + f", {found.timing}" * several

    def plain_table(self, found: Sequence[Result]) -> Lines:
        heads = [
            "program",
            "what",
            "RAM",
            "ROM",
            "without set_key",
            "encrypt",
            "decrypt",
            "set_key",
        ]
        rows = (
            [
                self.name(each),
                each.program.about,
                ram(each),
                cell(each.rom_bytes),
                cell(each.rom_without_set_key),
                *(cell(self.clocks(each.program, each.timing, name)) for name in ROUTINES),
            ]
            for each in found
        )
        yield from table(heads, rows, 2)

    def machine(self, name: str) -> Lines:
        found = [*self.of(name), *self.of(name, "des")]
        if not found:
            return
        yield f"## {MACHINES[name]}"
        yield ""
        yield from self.plain_table(found)
        yield from self.compared([each for each in self.first(name) if each.program.compared])
        yield from self.beside([each for each in self.first(name) if each.program.beside])
        tools = sorted({each.made_by for each in found if each.made_by})
        if tools:
            yield f"Compiled by {', '.join(tools)}: another compiler makes other figures."
            yield ""

    def compared(self, found: Sequence[Result]) -> Lines:
        if not found:
            return
        yield "Beside [tinyTwofish], which encrypts only; ours is counted here as it counts:"
        yield ""
        rows = []
        for each in found:
            ours = [f"`{each.program.name}`", *map(cell, self._compared(each))]
            rows.append(ours)
            rows += [[who, *map(cell, figures)] for who, *figures in each.program.compared]
        yield from table(["who", "ROM", "RAM", "clocks"], rows)

    def beside(self, found: Sequence[Result]) -> Lines:
        """Each program, the one of the 6805 for the same class, and what the paper has there."""
        if not found:
            return
        yield "Beside the 6805, and what the paper has for it in the same row:"
        yield ""
        heads = [
            "program",
            "RAM",
            "ROM",
            "clocks",
            "6805",
            "RAM",
            "ROM",
            "clocks",
            "ratio",
            "paper",
        ]
        yield from table(heads, filter(None, map(self._row_beside, found)))

    def _row_beside(self, found: Result) -> list[str]:
        """Empty if the other program has no results."""
        program = PROGRAMS[found.program.beside]
        timings = self.timings(program)
        if not timings:
            return []
        other = self.by_name[program.name, timings[0]]
        row = []
        for each in (found, other):
            rom = f"{each.rom_bytes:,} ({each.rom_without_set_key:,})"
            row += [f"`{each.program.name}`", ram(each), rom, cell(each.most)]
        return [
            *row,
            cell(other.most / found.most, 2),
            cell(program.paper.clocks if program.paper else None),
        ]

    def _compared(self, found: Result) -> tuple[int, int, int]:
        """As [tinyTwofish] counts: with set_key, without the text, or a key that no block reads."""
        unused = BLOCK_BYTES + (found.program.key_bytes if found.program.memory else 0)
        return found.rom_bytes, found.key_ram + found.work_ram - unused, found.most

    def dependence(self) -> Lines:
        yield DEPENDENCE.format(count=FULL)
        found = [each for each in self.results if each.timing == self.timings(each.program)[0]]
        rows = (
            [
                f"`{each.program.name}`",
                each.time,
                *(range_of(each.clocks.get(name)) for name in ROUTINES),
            ]
            for each in found
        )
        yield from table(["program", "time", "encrypt", "decrypt", "set_key"], rows, 2)


# --- the tables in README.md and docs/firmware.md -----------------------------------------------

# The rows that a reader wants to see of each machine: the least memory, and the gain of more.
SUMMARY = {
    "fly_2tables": "6805, nothing stored",
    "fly_small": "6805, nothing stored, less ROM",
    "subkeys_2tables": "6805, subkeys stored",
    "mds": "6805, subkeys and S-boxes times MDS, which a host makes",
    "mds_oncard": "6805, the same, which the card makes",
    "6502_fly_2tables": "6502, nothing stored",
    "avr_fly": "AVR, nothing stored",
    "avr_sboxes": "AVR, subkeys and S-boxes stored",
    "cortex_m0_fly": "Cortex-M0, nothing stored",
    "cortex_m0_sboxes": "Cortex-M0, subkeys and S-boxes stored",
}
MARKED = re.compile(
    r"(<!-- smartcard: made by smartcard/report.py -->\n).*?(<!-- end of smartcard -->)", re.S
)


def summary(results: Sequence[Result]) -> Lines:
    first: dict[str, Result] = {}
    for found in results:
        first.setdefault(found.program.name, found)
    hmos = {found.program.name: found.most for found in results if found.timing == "hmos"}
    rows = (
        [
            *(what, cell(found.key_ram + found.work_ram), cell(found.rom_bytes), cell(found.most)),
            cell(hmos.get(name)),
        ]
        for name, what in SUMMARY.items()
        for found in [first[name]]
    )
    heads = ["with a key of 128 bits", "RAM", "ROM", "clocks for a block", "6805 in HMOS"]
    yield from table(heads, rows)


# Programs that C can call: those that no other of the machine beats in RAM, ROM and clocks at
# once, the one that reads no address from key or text, and the masked ones.
CALLED_BY_C = (
    *("avr_nibbles", "avr_fly_small", "avr_fly", "avr_stored_small", "avr_stored"),
    *("avr_stored_fast", "avr_sboxes", "avr_sboxes_fast", "avr_masked"),
    *("cortex_m0_fly_0tables", "cortex_m0_fly", "cortex_m0_constant_time"),
    *("cortex_m0_subkeys_0tables", "cortex_m0_subkeys", "cortex_m0_sboxes_0tables"),
    *("cortex_m0_sboxes", "cortex_m0_mds", "cortex_m0_masked"),
)


def choice(program: Program) -> str:
    """The options of a program that are not those by default, as its sources take them."""
    options = dict(program.options)
    if program.machine == "avr":
        words = [f"{options.pop('kept', 'fly')}.S"]
        words += [f"{name} = {value}" for name, value in options.items()]
    else:
        words = [f"KEEPS_{str(options['keeps']).upper()}=1"]
        words += ["MDS_TABLES=0"] * (options["mds_tables"] == 0)
    return ", ".join(f"`{word}`" for word in words)


def called_by_c(results: Sequence[Result]) -> Lines:
    report = Report(results)
    rows = (
        [
            *(f"`{name}`", choice(found.program), cell(found.key_ram), cell(found.work_ram)),
            *(cell(found.rom_bytes), cell(found.most), cell(found.clocks["set_key"][1])),
        ]
        for name in CALLED_BY_C
        for found in [report.by_name[name, report.timings(PROGRAMS[name])[0]]]
    )
    heads = ["program", "options", "RAM that stays", "RAM of a call", "ROM", "clocks for a block"]
    yield from table([*heads, "for a key"], rows, 2)


# The masked programs, and the one of the same kind that is not.
MASKED_BESIDE = {
    "avr_masked": "avr_stored_small",
    "avr_masked_192": "avr_stored_small_192",
    "avr_masked_256": "avr_stored_small_256",
    "cortex_m0_masked": "cortex_m0_subkeys_0tables",
}


def masks(results: Sequence[Result], leaks: Sequence[leakage.Leakage]) -> Lines:
    """The cost of masks, and whether they hide what they must."""
    report = Report(results)
    first = {name: report.by_name[name, report.timings(PROGRAMS[name])[0]] for name in PROGRAMS}
    heads = ["program", "RAM that stays", "RAM of a call", "ROM", "clocks for a block", "for a key"]
    rows = (row for pair in MASKED_BESIDE.items() for row in _rows_of_masks(*map(first.get, pair)))
    yield from table([*heads, "random bytes"], rows)
    yield "Traces of a key set-up, an encryption and a decryption:"
    yield ""
    heads = ["program", "fixed", "masks", "traces", "instructions", "samples", "leak", "t"]
    yield from table([*heads, "all traces"], leakage.rows(leaks), 3)


def _rows_of_masks(masked: Result | None, other: Result | None) -> Iterator[list[str]]:
    assert masked and other
    numbers = []
    for found in (masked, other):
        clocks = (found.most, found.clocks["set_key"][1])
        numbers.append((found.key_ram, found.work_ram, found.rom_bytes, *clocks))
    random = cell(leakage.random_bytes(masked.program))
    yield [f"`{masked.program.name}`", *map(cell, numbers[0]), random]
    yield [f"`{other.program.name}`", *map(cell, numbers[1]), ""]
    yield ["ratio", *(cell(ours / theirs, 1) for ours, theirs in zip(*numbers)), ""]


def with_table(page: Path, made: Iterable[str]) -> str:
    """The page with its table again."""
    lines = "\n".join(made).rstrip("\n")
    return MARKED.sub(rf"\g<1>{lines}\n\g<2>", page.read_text(encoding="utf-8"))


# --- writing -----------------------------------------------------------------------------------


def write(path: Path, text: str) -> None:
    """All of it or nothing."""
    new = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        new.write_text(text, encoding="utf-8")
        new.replace(path)
    finally:
        new.unlink(missing_ok=True)


def record(names: Sequence[str]) -> int:
    """Measures the programs, or all, and replaces their rows."""
    programs = chosen(names)
    results = {}
    status = 0
    for program, found in in_parallel(programs, FULL):
        if isinstance(found, ProgramError):
            status = fault(found)
        else:
            results[program.name, found.timing] = result(found)
            most = results[program.name, found.timing].most
            print(f"{program.name} ({found.timing}): {most:,} clocks", flush=True)
    if not names:
        status |= leakage.record()
    if status == 0:
        before = read() if names else []
        write(RESULTS, csv_text(merged(before, results)))
        tables()
    return status


def merged(before: Iterable[Result], measured: dict[tuple[str, str], Result]) -> Iterator[Result]:
    """Rows in the order of the programs, the measured ones in place of those before."""
    found = {(each.program.name, each.timing): each for each in before} | measured
    for program in PROGRAMS.values():
        for timing in timings(program):
            if row_found := found.get((program.name, timing)):
                yield row_found


def made_files() -> dict[Path, str]:
    """All that is made of results.csv, as it must be."""
    results = read()
    report = Report(results)
    return {
        DOCUMENT: report.document(),
        OTHER_MACHINES: report.other_machines(),
        TIMES: report.times(),
        README: with_table(README, summary(results)),
        MASKED: with_table(MASKED, masks(results, leakage.read())),
        FIRMWARE: with_table(FIRMWARE, called_by_c(results)),
    }


def tables() -> int:
    for path, text in made_files().items():
        write(path, text)
    return 0


def check() -> int:
    for path, text in made_files().items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            name = path.relative_to(ROOT)
            return fault(ProgramError(f"{name} is not that of results.csv", f"run {HOW}"))
    return 0


def main() -> int:
    commands = {"tables": tables, "check": check}
    command, *names = sys.argv[1:] or [""]
    if command == "record":
        return record(names)
    if names or command not in commands:
        print(__doc__, file=sys.stderr)
        return 2
    return commands[command]()


if __name__ == "__main__":
    sys.exit(run(main))
