# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Places the cells of a netlist in rows, by graywolf.

A core fills density() of its rows, which touch each other, and its ports stand around it. Clocks
have no wires, since a layout adds trees there. RAMs would stand beside the core: their pins are
placed as ports are. Lengths are in units of 0.01 um.
"""

from __future__ import annotations

import functools
import hashlib
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import cells
from netlists import CONSTANTS, Netlist
from tools import BUILD, alone_in, run_tool, write

KEPT = BUILD / "placing"
PARAMETERS = cells.FOLDER / "osu035.par"

UNITS = 100  # of a micrometre
DENSITY = 0.75
# Where cells stand closer, qrouter finds no way for some nets of the first, and comes to no end
# with the second.
LOOSE = {"one_h_stored": 0.55, "two_h": 0.45}
SEED = 12345
SITE = 160
TRACK = 200
ROW = 2000
ORIENTATIONS = ("N", "FS", "FN", "S")

Point = tuple[int, int]


@dataclass(frozen=True)
class Macro:
    """The outline of a cell, and where its pins are."""

    width: int
    height: int
    pins: Mapping[str, Point]


@dataclass(frozen=True)
class Place:
    """The lower left corner of a cell, and how it is turned."""

    x: int
    y: int
    orientation: str

    def of(self, macro: Macro, pin: str) -> Point:
        x, y = macro.pins[pin]
        x = macro.width - x if self.orientation in ("FN", "S") else x
        y = macro.height - y if self.orientation in ("FS", "S") else y
        return self.x + x, self.y + y


@dataclass(frozen=True)
class Placement:
    """A core's netlist with the place of each cell and port; the core begins at (0, 0)."""

    netlist: Netlist
    cells: Mapping[str, Place]
    ports: Mapping[str, Point]
    width: int
    height: int

    def terminals(self) -> dict[str, list[tuple[str, str, Point]]]:
        """Of each net: the cell, or "PIN", its pin and where that is; the driver stands first."""
        found = defaultdict(list)
        for net, name, pin in self.netlist.pins():
            if name in self.cells:
                at = self.cells[name].of(macros()[self.netlist.cells[name].cell], pin)
                found[net].append((self.netlist.drives(name, pin), name, pin, at))
        for pad in pads(self.netlist):
            found[pad.net].append((pad.drives, "PIN", pad.name, self.ports[pad.name]))
        return {
            net: [each[1:] for each in sorted(pins, key=lambda each: not each[0])]
            for net, pins in found.items()
            if net != "clk" and len(pins) > 1
        }

    @property
    def used(self) -> float:
        """The part of the rows that has cells."""
        kinds = (self.netlist.cells[name].cell for name in self.cells)
        area = sum(macros()[kind].width * macros()[kind].height for kind in kinds)
        return area / (self.width * self.height)


# --- cells of the LEF --------------------------------------------------------------------------


def _units(text: str) -> int:
    return round(float(text) * UNITS)


def _macro(text: str) -> Macro:
    size = re.search(r"SIZE\s+(\S+)\s+BY\s+(\S+)", text)
    assert size
    pins = re.findall(r"^  PIN (\S+)$(.*?)^  END \1$", text, re.S | re.M)
    return Macro(_units(size[1]), _units(size[2]), {name: _middle(body) for name, body in pins})


def _middle(text: str) -> Point:
    """Of the last rectangle of a pin, where qflow takes it, too."""
    left, low, right, high = map(_units, re.findall(r"RECT (\S+) (\S+) (\S+) (\S+)", text)[-1])
    return (left + right) // 2, (low + high) // 2


@functools.cache
def macros() -> Mapping[str, Macro]:
    found = re.findall(r"^MACRO (\S+)$(.*?)^END \1$", cells._text(cells.LEF), re.S | re.M)
    return {name: _macro(body) for name, body in found}


# --- graywolf ----------------------------------------------------------------------------------


def is_wired(net: str) -> bool:
    return net != "clk" and net not in CONSTANTS.values()


@dataclass(frozen=True)
class Pad:
    """A port, or a pin of a RAM, beside the core; `of` is its name in the netlist."""

    name: str
    net: str
    drives: bool
    of: str


def pads(netlist: Netlist) -> Iterator[Pad]:
    for port, (direction, net) in netlist.ports.items():
        if is_wired(net):
            yield Pad(port, net, direction == "input", port)
    for name, cell in netlist.cells.items():
        if cell.cell in cells.RAMS:
            for pin, net in cell.pins.items():
                if is_wired(net):
                    drives = netlist.drives(name, pin)
                    yield Pad(f"{name}_{re.sub(r'[][]', '_', pin)}", net, drives, f"{name}:{pin}")


def density(core: str) -> float:
    """The part of the rows that its cells cover."""
    return LOOSE.get(core, DENSITY)


def _widths(netlist: Netlist) -> Iterator[tuple[str, int]]:
    """Of each cell with the free sites beside it, which are spread evenly."""
    free, unused = 0.0, 1 / density(netlist.name) - 1
    for name, cell in netlist.cells.items():
        if cell.cell not in cells.RAMS:
            width = macros()[cell.cell].width
            free += width * unused
            sites = int(free / SITE) * SITE
            free -= sites
            yield name, width + sites


def _cell_lines(netlist: Netlist) -> Iterator[str]:
    for i, (name, width) in enumerate(_widths(netlist)):
        cell = netlist.cells[name]
        macro = macros()[cell.cell]
        left, low = -(width // 2), -(macro.height // 2)
        high = low + macro.height
        yield f"cell {i} {name}"
        yield f"left {left} right {left + width} bottom {low} top {high}"
        for k, x in enumerate(range(left + SITE // 2, left + width, SITE), 1):
            yield f"pin name twfeed{k} signal TW_PASS_THRU layer 1 {x} {low}"
            yield f"   equiv name twfeed{k} layer 1 {x} {high}"
        for pin, net in cell.pins.items():
            if is_wired(net):
                x, y = macro.pins[pin]
                yield f"pin name {pin} signal {net} layer 1 {x + left} {y + low}"


def _pad_lines(netlist: Netlist) -> Iterator[str]:
    x, y = SITE // 2, TRACK // 2
    for i, pad in enumerate(pads(netlist), 1):
        yield f"pad {i} name twpin_{pad.name}"
        yield f"corners 4 -{x} -{y} -{x} {y} {x} {y} {x} -{y}"
        yield f"pin name {pad.name} signal {pad.net} layer 1 0 0"
        yield ""


def _parameters() -> str:
    text = PARAMETERS.read_text(encoding="latin-1")
    return re.sub(r"(random\.seed\s*: )\d+", rf"\g<1>{SEED}", text)


def _given(netlist: Netlist) -> str:
    return "\n".join([*_cell_lines(netlist), *_pad_lines(netlist), ""])


def folder_of(netlist: Netlist) -> Path:
    state = hashlib.sha256((_given(netlist) + _parameters()).encode()).hexdigest()[:16]
    return KEPT / f"{netlist.name}-{state}"


def place(netlist: Netlist) -> Placement:
    """By graywolf, or as it did with the same netlist before."""
    with alone_in(folder_of(netlist)) as folder:
        made = folder / "core.pl1"
        if not made.exists():
            write(folder / "core.cel", _given(netlist))
            write(folder / "core.par", _parameters())
            said = run_tool(["graywolf", "-n", "core"], "graywolf", folder)
            write(folder / "graywolf.log", said)
        return _placement(netlist, made)


def _placement(netlist: Netlist, path: Path) -> Placement:
    lines = [line.split() for line in path.read_text(encoding="utf-8").splitlines()]
    boxes = {name: (*map(int, box), int(turn)) for name, *box, turn, _ in lines}
    rows = {name: box for name, box in boxes.items() if not name.startswith("twpin_")}
    left, low = (min(box[i] for box in rows.values()) for i in (0, 1))
    right, high = (max(box[i] for box in rows.values()) for i in (2, 3))
    placed = {}
    for name, (x, y, end, _, turn) in rows.items():
        width = macros()[netlist.cells[name].cell].width
        x = end - width if ORIENTATIONS[turn] in ("FN", "S") else x
        placed[name] = Place(x - left, y - low, ORIENTATIONS[turn])
    ports = {
        name[len("twpin_") :]: ((box[0] + box[2]) // 2 - left, (box[1] + box[3]) // 2 - low)
        for name, box in boxes.items()
        if name not in rows
    }
    return Placement(netlist, placed, ports, right - left, high - low)
