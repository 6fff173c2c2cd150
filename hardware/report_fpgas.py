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


FPGA = """\
## FPGAs

The core alone has more pins than these parts, so it stands behind a port of a byte, which adds some
registers. Adders, stores and clocks are those of [rtl/fpga](rtl/fpga), and `STORE` is left alone.
It is placed and routed with a fixed seed; other seeds give up to an eighth more or less.
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


def devices(fpgas: Sequence[fpga.Figures], results: Sequence[Result]) -> Lines:
    if not fpgas:
        return
    yield FPGA
    heads = ["core", "device", "cells", "flip-flops", "RAM blocks", "MHz", "Mbit/s"]
    by_name = {each.core: each for each in results}
    yield from table(heads, (_row_of_fpga(each, by_name[each.core]) for each in fpgas), 2)
    yield f"Made by {'; '.join(sorted({each.made_by for each in fpgas}))}."
    yield ""


def _row_of_fpga(found: fpga.Figures, counted: Result) -> list[str]:
    counts = map(cell, (found.cells, found.flip_flops, found.ram_blocks))
    rates = (cell(found.mhz, 1), cell(counted.mbits(found.mhz)))
    return [f"`{found.core}`", found.device, *counts, *rates]


def beside(others: Sequence[Other]) -> Lines:
    if not others:
        return
    yield OTHER
    heads = ["core", "licence", "checked", "clocks", "cells", "MHz", "Mbit/s"]
    heads.append("Mbit/s of 1,000 cells")
    yield from table(heads, map(_row_of_other, others), 3)
    yield OTHER_END


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
        cell(1000 * found.mbits / found.cells, 1),
    ]
