#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Places cores in rows of cells, routes some, and tells their clock rates with these wires.

hardware/layout.py            the cores without variants, in layout.csv and as pictures; routes some
hardware/layout.py CORE...    these cores; a name may have * and ?
  --route   routes them too, and extracts their wires, in many minutes
  --show    prints the figures only

Cells are placed by graywolf from a fixed seed, routed by qrouter, extracted by Magic, and timed by
OpenSTA. Results of the same netlist are kept in build/hardware/placing and not made again.

Exit status: 0 all is well, 1 a core could not be placed or routed, 2 wrong usage.
"""

from __future__ import annotations

import argparse
import functools
import json
import re
import struct
import sys
import zlib
from collections.abc import Iterator
from dataclasses import astuple, dataclass
from pathlib import Path

import cells
import netlists
import placing
import routing
import stored
import synthesis
import wires
from cores import CORES, Core
from placing import SITE, UNITS, Placement
from tools import HARDWARE, ROOT, HardwareError, fault, run, run_tool, write

LAYOUTS = HARDWARE / "layout.csv"
PICTURES = ROOT / "docs" / "hardware"
# Those that are routed when all are made, and those made.
ROUTED = ("quarter_h", "one_h", "one_h_stored", "two_h")
ALL = (*ROUTED, "two_h_pipe2", "two_h_pipe3", "two_h_pipe4", "sbox_ram", "two_h_pipe12")
PACKAGES = ("graywolf", "qrouter", "magic", "qflow-tech-osu035")


@dataclass(frozen=True)
class Layout:
    """A row of layout.csv.

    width, height   um of the rows of cells
    used            the part of them that cells cover
    tree_mm         mm of wire, as nets are spanned
    routed_mm       as qrouter makes them, or 0
    pf              what Magic extracts, or 0
    ns              the shortest period with typical wires, and, if it is routed, ..
    ns_routed       .. with those that were extracted, or 0
    ns_heavy        with heavy wires
    made_of         the fingerprint of the sources
    """

    core: str
    made_by: str
    width: float
    height: float
    used: float
    tree_mm: float
    routed_mm: float
    pf: float
    ns: float
    ns_routed: float
    ns_heavy: float
    made_of: str = ""

    @property
    def mm2(self) -> float:
        return self.width * self.height / 1e6

    @property
    def best_ns(self) -> float:
        """With extracted wires, if there are some."""
        return self.ns_routed or self.ns


@functools.cache
def tools() -> str:
    versions = run_tool(["dpkg-query", "-W", "-f", "${Package} ${Version}, ", *PACKAGES], "dpkg")
    return versions.rstrip(", ")


def fingerprint(core: Core) -> str:
    """Of all that the figures depend on but the releases of tools."""
    made_of = synthesis.fingerprint(synthesis.job_of(core))
    given = [placing.density(core.name), placing.SEED, astuple(wires.TYPICAL), astuple(wires.HEAVY)]
    return synthesis.digest([], json.dumps([made_of, given]))


# --- placing and timing ------------------------------------------------------------------------


def placed(core: Core) -> Placement:
    netlist = synthesis.netlist(core).with_name("netlist.json")
    return placing.place(netlists.read(netlist, core.name))


def period(core: Core, placement: Placement, spef: str) -> float:
    """The shortest one, in ns, with these wires."""
    folder = placing.folder_of(placement.netlist)
    write(folder / "core.spef", spef)
    write(folder / "timed.v", placement.netlist.verilog())
    job = synthesis.job_of(core)
    told = synthesis.timing(job, folder, sequential=True, spef=str(folder / "core.spef"))
    found = re.search(r"^period with (\S+)", told, re.M)
    if not found:
        raise HardwareError(f"sta: {told.strip()}")
    return float(found[1])


def layout(core: Core, route: bool = False) -> Layout:
    placement = placed(core)
    routed = None
    if route:
        routed = routing.route(placement, placing.folder_of(placement.netlist))
    return Layout(
        core.name,
        tools(),
        placement.width / UNITS,
        placement.height / UNITS,
        round(placement.used, 3),
        round(sum(wires.lengths(placement).values()) / 1000, 1),
        round(sum(routed.um.values()) / 1000, 1) if routed else 0.0,
        round(sum(routed.pf.values()), 2) if routed else 0.0,
        round(period(core, placement, wires.spef(placement, wires.TYPICAL)), 2),
        round(period(core, placement, wires.spef(placement, wires.TYPICAL, routed.pf)), 2)
        if routed
        else 0.0,
        round(period(core, placement, wires.spef(placement, wires.HEAVY)), 2),
        fingerprint(core),
    )


# --- layout.csv --------------------------------------------------------------------------------


def read(path: Path = LAYOUTS) -> dict[str, Layout]:
    """By core."""
    return {row.core: row for row in stored.read(Layout, path)}


# --- pictures ----------------------------------------------------------------------------------

# Kinds of cells and their red, green and blue; the first is where no cell is.
COLOURS = (
    ("free", (255, 255, 255)),
    ("flip-flops", (9, 105, 218)),
    ("latches", (130, 80, 223)),
    ("exclusive ors and adders: MDS, sums, RS", (227, 116, 0)),
    ("other gates: q, choices, control", (174, 184, 194)),
)
EXCLUSIVE_OR = re.compile(r"X(N?)OR|FAX|HAX")
ROW_PIXELS = 12


def colour(cell: str) -> int:
    if cell in cells.FLIP_FLOPS:
        return 1
    if cell in cells.LATCHES:
        return 2
    return 3 if EXCLUSIVE_OR.match(cell) else 4


def pixels(placement: Placement) -> list[bytearray]:
    """A row of cells is ROW_PIXELS high with a white line on it; a pixel is a site wide."""
    width, height = placement.width // SITE, placement.height // placing.ROW
    rows = [bytearray(width) for _ in range(height)]
    for name, place in placement.cells.items():
        cell = placement.netlist.cells[name].cell
        begin = place.x // SITE
        end = begin + placing.macros()[cell].width // SITE
        row = rows[height - 1 - place.y // placing.ROW]
        row[begin + 1 : end] = bytes([colour(cell)]) * (end - begin - 1)
    return [line for row in rows for line in [bytearray(width), *[row] * (ROW_PIXELS - 1)]]


def _chunks(lines: list[bytearray]) -> Iterator[tuple[bytes, bytes]]:
    yield b"IHDR", struct.pack(">IIBBBBB", len(lines[0]), len(lines), 8, 3, 0, 0, 0)
    yield b"PLTE", b"".join(bytes(rgb) for _, rgb in COLOURS)
    yield b"IDAT", zlib.compress(b"".join(b"\0" + bytes(line) for line in lines), 9)
    yield b"IEND", b""


def png(lines: list[bytearray]) -> bytes:
    found = b"\x89PNG\r\n\x1a\n"
    for kind, data in _chunks(lines):
        check = struct.pack(">I", zlib.crc32(kind + data))
        found += struct.pack(">I", len(data)) + kind + data + check
    return found


def picture(core: str) -> Path:
    return PICTURES / f"{core}_layout.png"


# --- the program -------------------------------------------------------------------------------


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("cores", nargs="*", metavar="CORE")
    parser.add_argument("--route", action="store_true")
    parser.add_argument("--show", action="store_true")
    return parser.parse_args()


def line(found: Layout) -> str:
    rates = f"{1000 / found.best_ns:.1f} MHz, {1000 / found.ns_heavy:.1f} with heavy wires"
    size = f"{found.width:,.0f} x {found.height:,.0f} um, {100 * found.used:.0f} % used"
    routed = f", {found.routed_mm:,.0f} routed" if found.routed_mm else ""
    return f"{found.core}: {size}; {found.tree_mm:,.0f} mm of wires{routed}; {rates}"


def main() -> int:
    asked = arguments()
    try:
        cores = synthesis.chosen(asked.cores or ALL)
    except HardwareError as error:
        fault(error)
        return 2
    for core in cores:
        found = layout(core, asked.route or (not asked.cores and core.name in ROUTED))
        print(line(found), flush=True)
        if not asked.show:
            stored.record(LAYOUTS, found, CORES)
            picture(core.name).write_bytes(png(pixels(placed(core))))
    return 0


if __name__ == "__main__":
    sys.exit(run(main))
