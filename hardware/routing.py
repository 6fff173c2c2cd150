# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Routes a placed core by qrouter, and extracts the capacitances of its wires by Magic.

Magic takes them from the values that the package has for TSMC's 0.35 um, with what a wire has
towards the wires and cells beside, above and below it. A wire on a wrong net is found there, too.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cells
from placing import SITE, TRACK, UNITS, Placement, pads
from tools import HardwareError, run_tool, write

TECHNOLOGY = cells.FOLDER / "SCN4M_SUBM.20.tech"

# Of the LEF: direction and pitch of the tracks. Those of metal 4 are every second of metal 2.
TRACKS = {
    "metal1": ("Y", TRACK),
    "metal2": ("X", SITE),
    "metal3": ("Y", TRACK),
    "metal4": ("X", 2 * SITE),
}
# From the core to its ports.
BESIDE, ABOVE = 3 * SITE, 3 * TRACK

QROUTER = """\
read_lef {lef}
vdd vdd
gnd gnd
layers 4
read_def core.def
qrouter::standard_route routed.def false
puts "failing: [lindex [failing summary] 0]"
quit
"""

MAGIC = """\
drc off
lef read {lef}
def read routed.def
load {name}
select top cell
extract no all
extract do capacitance
extract do coupling
extract do adjust
extract all
quit -noprompt
"""


@dataclass(frozen=True)
class Routed:
    """Of each net: um of its wires, and their capacitance in pF."""

    um: dict[str, float]
    pf: dict[str, float]


# --- DEF ---------------------------------------------------------------------------------------


def _port_places(placement: Placement) -> Iterator[tuple[str, str, str, int, int]]:
    """Each port with its net, its layer, and a track of its own outside of the core."""
    taken: set[tuple[int, int]] = set()
    for pad in pads(placement.netlist):
        x, y = placement.ports[pad.name]
        beside = not 0 <= x <= placement.width
        if beside:
            x = -BESIDE if x < 0 else placement.width + BESIDE
        else:
            y = -ABOVE if y < 0 else placement.height + ABOVE
        x, y = x // SITE * SITE + SITE // 2, y // TRACK * TRACK + TRACK // 2
        while (x, y) in taken:
            x, y = (x, y + TRACK) if beside else (x + SITE, y)
        taken.add((x, y))
        yield pad.name, pad.net, "metal3" if beside else "metal2", x, y


def def_text(placement: Placement) -> str:
    """Cells, ports and nets, as qrouter takes them: it wants each pin of a net on its own line."""
    low, left = -2 * ABOVE, -2 * BESIDE
    right, high = placement.width - left, placement.height - low
    netlist = placement.netlist
    lines = [
        "VERSION 5.6 ;",
        "NAMESCASESENSITIVE ON ;",
        'DIVIDERCHAR "/" ;',
        'BUSBITCHARS "[]" ;',
        f"DESIGN {netlist.name} ;",
        f"UNITS DISTANCE MICRONS {UNITS} ;",
        f"DIEAREA ( {left} {low} ) ( {right} {high} ) ;",
    ]
    for layer, (axis, pitch) in TRACKS.items():
        begin, end = (left, right) if axis == "X" else (low, high)
        first = begin + (SITE if axis == "X" else TRACK) // 2
        count = (end - first) // pitch + 1
        lines.append(f"TRACKS {axis} {first} DO {count} STEP {pitch} LAYER {layer} ;")
    lines.append(f"COMPONENTS {len(placement.cells)} ;")
    for name, place in placement.cells.items():
        at = f"( {place.x} {place.y} ) {place.orientation}"
        lines.append(f"- {name} {netlist.cells[name].cell} + PLACED {at} ;")
    ports = list(_port_places(placement))
    lines += ["END COMPONENTS", f"PINS {len(ports)} ;"]
    for port, net, layer, x, y in ports:
        lines.append(f"- {port} + NET {net}")
        lines.append(f"  + LAYER {layer} ( 0 0 ) ( 1 1 )")
        lines.append(f"  + PLACED ( {x} {y} ) N ;")
    nets = placement.terminals()
    lines += ["END PINS", f"NETS {len(nets)} ;"]
    for net, pins in nets.items():
        lines += [f"- {net}", *(f"  ( {owner} {pin} )" for owner, pin, _ in pins), ";"]
    return "\n".join([*lines, "END NETS", "END DESIGN", ""])


def wire_lengths(text: str) -> dict[str, float]:
    """Um by net, of a routed DEF."""
    um: dict[str, float] = defaultdict(float)
    net = ""
    for line in text.splitlines():
        begun = re.match(r"- (\S+)", line)
        net = begun[1] if begun else net
        if re.search(r"(?:ROUTED|NEW) metal", line):
            um[net] += _length(re.findall(r"\( (\S+) (\S+) \)", line)) / UNITS
    return um


def _length(points: list[tuple[str, str]]) -> int:
    total, at = 0, None
    for x, y in points:
        assert at or "*" not in (x, y)
        here = (at[0] if x == "*" else int(x), at[1] if y == "*" else int(y))  # type: ignore[index]
        total += abs(here[0] - at[0]) + abs(here[1] - at[1]) if at else 0
        at = here
    return total


# --- what Magic extracts -----------------------------------------------------------------------


class _Nodes:
    """Names of the same piece of metal."""

    def __init__(self) -> None:
        self.parent: dict[str, str] = {}

    def of(self, name: str) -> str:
        while self.parent.setdefault(name, name) != name:
            self.parent[name] = name = self.parent[self.parent[name]]
        return name

    def join(self, one: str, other: str) -> None:
        self.parent[self.of(one)] = self.of(other)


def extracted(placement: Placement, text: str) -> dict[str, float]:
    """pF by net, of Magic's .ext: to the substrate, and to all other nets, which stand still."""
    nodes = _Nodes()
    alone: list[tuple[str, float]] = []
    between: list[tuple[str, str, float]] = []
    for line in text.splitlines():
        word, *rest = line.replace('"', "").split() or [""]
        if word == "node":
            alone.append((rest[0], float(rest[2])))
        elif word == "cap":
            between.append((rest[0], rest[1], float(rest[2])))
        elif word == "merge":
            nodes.join(rest[0], rest[1])
            alone += [(rest[0], float(rest[2]))] if len(rest) > 2 else []
    attofarads: dict[str, float] = defaultdict(float)
    for name, value in alone:
        attofarads[nodes.of(name)] += value
    for one, other, value in between:
        ends = {nodes.of(one), nodes.of(other)}
        for end in ends if len(ends) == 2 else ():
            attofarads[end] += value
    return {
        net: sum(attofarads[node] for node in there) / 1e6
        for net, there in _nodes_of_each(placement, nodes).items()
    }


def _nodes_of_each(placement: Placement, nodes: _Nodes) -> dict[str, set[str]]:
    """Pieces of a net that only the inside of a cell joins are several. None is another net's."""
    found = {
        net: {nodes.of(pin if name == "PIN" else f"{name}/{pin}") for name, pin, _ in pins}
        for net, pins in placement.terminals().items()
    }
    count = Counter(node for there in found.values() for node in there)
    twice = {node for node, number in count.items() if number > 1}
    touching = [net for net, there in found.items() if there & twice]
    if touching:
        raise HardwareError(f"nets touch each other: {', '.join(touching[:8])}")
    return found


def route(placement: Placement, folder: Path) -> Routed:
    """In this folder, or as it was done there before."""
    name = placement.netlist.name
    made, done = folder / f"{name}.ext", folder / "done"
    if not done.exists():
        write(folder / "core.def", def_text(placement))
        write(folder / "route.tcl", QROUTER.format(lef=cells.LEF))
        said = run_tool(["qrouter", "-nog", "-s", "route.tcl"], "qrouter", folder)
        failing = re.search(r"^failing: (\d+)", said, re.M)
        if not failing or failing[1] != "0":
            raise HardwareError(f"qrouter: {failing[1] if failing else 'all'} nets are not routed")
        write(folder / "extract.tcl", MAGIC.format(lef=cells.LEF, name=name))
        magic = ("magic", "-dnull", "-noconsole", "-rcfile", "/dev/null", "-T", TECHNOLOGY)
        run_tool([*magic, "extract.tcl"], "magic", folder)
        done.touch()
    um = wire_lengths((folder / "routed.def").read_text(encoding="utf-8"))
    return Routed(um, extracted(placement, made.read_text(encoding="utf-8")))
