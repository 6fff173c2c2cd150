# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Sections of RESULTS.md: FPGAs, and public cores of others on one of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import fpga
from markdown import Lines, cell, table
from measured import BLOCK_BITS, Result
from tools import HARDWARE

OTHERS = HARDWARE / "others.csv"


@dataclass(frozen=True)
class Other:
    """A core on an ECP5: a row of others.csv, or one of ours.

    clocks    from a block to the next, of a full core
    licence   "" if the project gives none
    checked   the directions in which it computes published vectors
    """

    core: str
    project: str
    licence: str
    commit: str
    checked: str
    clocks: float
    cells: int
    mhz: float

    @property
    def mbits(self) -> float:
        return BLOCK_BITS * self.mhz / self.clocks

    @property
    def mbits_of_1000_cells(self) -> float:
        return 1000 * self.mbits / self.cells


FPGA = """\
## FPGAs

The core alone has more pins than these parts, so it stands behind a port of a byte, which adds some
registers. Adders, stores and clocks are those of [rtl/fpga](rtl/fpga), and `STORE` is left alone.
It is placed and routed with a fixed seed; other seeds give up to an eighth more or less. A cell of
the iCE40 is a LUT, a flip-flop or both; cells of the ECP5 are its LUTs alone.
"""

OTHER = """\
## Beside public cores

A search of public repositories in November 2026 found these. They are measured on the ECP5 by the
same flow, for keys of 128 bits, behind the same port of a byte, with registers that hold key and
block, and without wide multiplexers. Clocks are from a block to the next, of a core that is full.
`encrypt_out` encrypts alone. It makes the subkeys again for each block, as our `quarter_h` and
`one_h` do, so a new key costs little; the start-up in Table 4 above is what it costs our other
cores. We let nextpnr ignore a combinational loop of `encrypt_out`. Sources of others are not in
this repository.
"""

OTHER_END = """\
Found, too, and not measured: germancq/twofish_block_cipher (GPL-3.0) computes both directions in 53
clocks, andre3barbosa/Twofish-zyboz7 (no licence) encrypts in 79: we checked both with published
vectors and did not place them. The core of OpenCores (Spyros Ninos, GPL) and Sworsus/TWOFISH_VHDL
are parts without a top; kallmi28/TWOFISH has its key in the source; the MDS of slomo/ske
multiplies integers, so it is not Twofish. Papers are missing, since we could not read them.
"""


def devices(fpgas: Sequence[fpga.Figures], results: Sequence[Result]) -> Lines:
    if not fpgas:
        return
    yield FPGA
    heads = ["core", "device", "cells", "flip-flops", "RAM blocks", "MHz", "Mbit/s"]
    heads.append("Mbit/s of 1,000 cells")
    by_name = {each.core: each for each in results}
    yield from table(heads, (_row_of_fpga(each, by_name[each.core]) for each in fpgas), 2)
    yield f"Made by {'; '.join(sorted({each.made_by for each in fpgas}))}."
    yield ""


def _row_of_fpga(found: fpga.Figures, counted: Result) -> list[str]:
    counts = map(cell, (found.cells, found.flip_flops, found.ram_blocks))
    mbits = counted.mbits(found.mhz)
    rates = (cell(found.mhz, 1), cell(mbits), cell(1000 * mbits / found.cells, 1))
    return [f"`{found.core}`", found.device, *counts, *rates]


def beside(
    others: Sequence[Other], fpgas: Sequence[fpga.Figures], results: Sequence[Result]
) -> Lines:
    if not others:
        return
    yield OTHER
    heads = ["core", "licence", "checked", "clocks", "cells", "MHz", "Mbit/s"]
    heads.append("Mbit/s of 1,000 cells")
    by_name = {each.core: each for each in results}
    ours = [_ours(each, by_name[each.core]) for each in fpgas if each.device.startswith("ECP5")]
    best_first = sorted([*others, *ours], key=lambda each: -each.mbits_of_1000_cells)
    yield from table(heads, map(_row_of_other, best_first), 3)
    yield OTHER_END


def _ours(found: fpga.Figures, counted: Result) -> Other:
    clocks = counted.clocks / counted.row.levels
    words = ("this project", "Apache-2.0 or MIT", "", "both directions")
    return Other(found.core, *words, clocks, found.cells, found.mhz)


def _row_of_other(found: Other) -> list[str]:
    place = f"{found.project} at {found.commit}" if found.commit else found.project
    return [
        f"`{found.core}`, {place}",
        found.licence or "none given",
        found.checked,
        cell(found.clocks),
        cell(found.cells),
        cell(found.mhz, 1),
        cell(found.mbits),
        cell(found.mbits_of_1000_cells, 1),
    ]
