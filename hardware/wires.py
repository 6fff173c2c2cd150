# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The wires of a placed core: a tree for each net, with its resistance and capacitance as SPEF.

A net is its shortest spanning tree in right angles. Routed wires are as long within a few per cent,
which layout.csv has of those cores that were routed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from placing import UNITS, Placement, Point, pads

# Of wires of 0.6 um: the sheet resistance of the LEF.
OHM_PER_UM = 0.07 / 0.6


@dataclass(frozen=True)
class Wire:
    """Capacitance and resistance of a um of wire."""

    pf: float
    ohms: float = OHM_PER_UM


# Typical: as Magic extracts them of routed cores, with the package's values for this process.
# Heavy: a common figure for wires of 0.6 um with others beside, above and below them all the way.
TYPICAL = Wire(0.000066)
HEAVY = Wire(0.0002)


def distance(one: Point, other: Point) -> int:
    return abs(one[0] - other[0]) + abs(one[1] - other[1])


def tree(points: Sequence[Point]) -> list[tuple[int, int, int]]:
    """The shortest spanning tree from the first point, by Prim: near end, far end, length."""
    nearest = {i: (distance(points[0], points[i]), 0) for i in range(1, len(points))}
    edges = []
    while nearest:
        new = min(nearest, key=lambda i: nearest[i])
        length, near = nearest.pop(new)
        edges.append((near, new, length))
        for i, (known, _) in nearest.items():
            away = distance(points[new], points[i])
            if away < known:
                nearest[i] = away, new
    return edges


def half_perimeter(points: Sequence[Point]) -> float:
    """In um."""
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return (max(xs) - min(xs) + max(ys) - min(ys)) / UNITS


def lengths(placement: Placement) -> dict[str, float]:
    """Um of the tree of each net."""
    return {
        net: sum(length for _, _, length in tree([at for *_, at in pins])) / UNITS
        for net, pins in placement.terminals().items()
    }


HEAD = """\
*SPEF "IEEE 1481-1998"
*DESIGN "{name}"
*DATE ""
*VENDOR "Manyfish"
*PROGRAM "hardware/layout.py"
*VERSION ""
*DESIGN_FLOW ""
*DIVIDER /
*DELIMITER :
*BUS_DELIMITER []
*T_UNIT 1 NS
*C_UNIT 1 PF
*R_UNIT 1 OHM
*L_UNIT 1 HENRY
"""


def spef(placement: Placement, wire: Wire, known: Mapping[str, float] | None = None) -> str:
    """Of all nets but clocks; `known` has the capacitance of those that were extracted."""
    extracted = known or {}
    lines = [HEAD.format(name=placement.netlist.name)]
    clocks = placement.netlist.clocks()
    outside = {pad.name: pad.of for pad in pads(placement.netlist)}
    for net, pins in placement.terminals().items():
        if net in clocks:
            continue
        names = [outside[pin] if name == "PIN" else f"{name}:{pin}" for name, pin, _ in pins]
        edges = tree([at for *_, at in pins])
        total = wire.pf * sum(length for *_, length in edges) / UNITS
        lines += _net(net, names, edges, extracted.get(net, total), wire.ohms)
    return "\n".join([*lines, ""])


def _net(
    net: str,
    names: Sequence[str],
    edges: Sequence[tuple[int, int, int]],
    pf: float,
    ohms: float,
) -> Iterator[str]:
    """The capacitance of an edge stands at its ends, half and half."""
    whole = sum(length for *_, length in edges) or 1
    at = [0.0] * len(names)
    for near, far, length in edges:
        for end in (near, far):
            at[end] += pf * length / whole / 2
    yield f"*D_NET {net} {pf:.6f}"
    yield "*CONN"
    yield from (f"*{'I' if ':' in name else 'P'} {name} B" for name in names)
    yield "*CAP"
    yield from (f"{i} {name} {each:.6f}" for i, (name, each) in enumerate(zip(names, at), 1))
    yield "*RES"
    for i, (near, far, length) in enumerate(edges, 1):
        yield f"{i} {names[near]} {names[far]} {max(ohms * length / UNITS, 0.01):.3f}"
    yield "*END"
