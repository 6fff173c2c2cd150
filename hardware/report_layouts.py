# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The section of RESULTS.md about layouts."""

from __future__ import annotations

from collections.abc import Mapping

import placing
import wires
from layout import Layout
from markdown import Lines, cell, table
from measured import Result

Layouts = Mapping[str, Layout]  # by core

# Of delays at the slow corner, to those at the typical one: see LAYOUTS.
SLOW = 1.85

LAYOUTS = """\
## Layouts

[layout.py](layout.py) places the cells by graywolf in rows that touch each other, from a fixed
seed. Cells cover {used:.0f} % of the rows. Those of {loose} cover less: there are
four metals for qrouter, and at {used:.0f} % it found no way for 91 nets of `one_h_stored`. Ports
stand around the core, RAMs beside it. Clocks have no wires, for what drives them is a tree. A net
is a shortest spanning tree; the routed ones have routes by qrouter, and wires that Magic extracts
from these, with the values that come with the cells for TSMC's 0.35 um. No nets touch there. Magic
sees one net of `quarter_h` in two pieces, at a pin whose parts its cell joins inside, as far as we
can tell.

- **Typical** wires have {typical:.3f} fF a um, which Magic found in those that were routed.
- **Heavy** wires have {heavy:g} fF a um, as much as wires of 0.6 um have where others run beside,
  above and below them all the way.
- **Slow** is a guess of the slow corner, since these cells have a library for the typical one
  alone: heavy wires, and {slow:g} times as long. A NAND of the open cells for GlobalFoundries'
  0.18 um, at 3.3 V, takes so much longer with slow transistors, 3.0 V and 125 degrees.
- Each um has {ohms:.2f} ohm, of the LEF.
"""


def mhz(found: Result, layouts: Layouts) -> float | None:
    """With the wires of its layout, if it has one."""
    made = layouts.get(found.core)
    return 1000 / made.best_ns if made else None


def mbits(found: Result, layouts: Layouts) -> str:
    placed = mhz(found, layouts)
    return cell(found.mbits(placed) if placed else None)


def section(layouts: Layouts) -> Lines:
    if not layouts:
        return
    yield LAYOUTS.format(
        used=100 * placing.DENSITY,
        loose=" and ".join(f"`{core}`" for core in placing.LOOSE),
        typical=1000 * wires.TYPICAL.pf,
        heavy=1000 * wires.HEAVY.pf,
        slow=SLOW,
        ohms=wires.OHM_PER_UM,
    )
    heads = ["core", "um x um", "mm2", "% used", "wires, mm", "routed, mm", "pF", "MHz: typical"]
    heads += ["routed", "heavy", "slow"]
    yield from table(heads, map(_row_of_layout, layouts.values()))
    yield f"Made by {'; '.join(sorted({each.made_by for each in layouts.values()}))}."
    yield ""


def _row_of_layout(made: Layout) -> list[str]:
    return [
        f"`{made.core}`",
        f"{made.width:,.0f} x {made.height:,.0f}",
        cell(made.mm2, 2),
        cell(100 * made.used),
        cell(made.tree_mm),
        cell(made.routed_mm or None),
        cell(made.pf or None, 1),
        cell(1000 / made.ns, 1),
        cell(1000 / made.ns_routed if made.ns_routed else None, 1),
        cell(1000 / made.ns_heavy, 1),
        cell(1000 / made.ns_heavy / SLOW, 1),
    ]
