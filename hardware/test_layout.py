# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Wires, routed files and netlists that can be checked by hand; layout.csv beside the sources."""

from __future__ import annotations

import json
import tempfile
import unittest
from dataclasses import replace
from pathlib import Path

import layout
import measured
import netlists
import placing
import routing
import stored
import wires
from cores import CORES
from netlists import Instance, Netlist
from placing import Place, Placement
from tools import HardwareError

# A NAND whose output goes to an inverter and to a flip-flop.
NETLIST = Netlist(
    "known",
    {"clk": ("input", "clk"), "a": ("input", "a"), "y": ("output", "y")},
    {
        "u0": Instance("NAND2X1", {"A": "a", "B": "1'b1", "Y": "n1"}),
        "u1": Instance("INVX1", {"A": "n1", "Y": "y"}),
        "u2": Instance("DFFPOSX1", {"CLK": "clk", "D": "n1", "Q": "n2"}),
    },
    {
        "NAND2X1": frozenset({"Y"}),
        "INVX1": frozenset({"Y"}),
        "DFFPOSX1": frozenset({"Q"}),
        "RAM_256X8": frozenset({"data"}),
    },
)
PLACED = Placement(
    NETLIST,
    {"u0": Place(0, 0, "N"), "u1": Place(1600, 0, "N"), "u2": Place(0, 2000, "FS")},
    {"a": (-80, 700), "y": (2080, 700)},
    2000,
    4000,
)


class Netlists(unittest.TestCase):
    """A netlist is read as yosys writes it, and written as Verilog."""

    def read(self, module: object) -> Netlist:
        modules = {"known": module, "RAM_256X8": {"ports": {"data": {"direction": "output"}}}}
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "netlist.json"
            path.write_text(json.dumps({"modules": modules}), encoding="utf-8")
            return netlists.read(path, "known")

    def test_buses_constants_and_ports_of_one_net(self) -> None:
        ports = {
            "x": {"direction": "input", "bits": [2]},
            "y": {"direction": "output", "bits": [2, 3]},
        }
        cells = {"$1": {"type": "RAM_256X8", "connections": {"data": [3, 4], "write": ["x"]}}}
        found = self.read({"ports": ports, "cells": cells})
        text = found.verilog()
        self.assertIn("module known (x, y_0_, y_1_);", text)
        self.assertIn("assign y_0_ = x;", text)
        self.assertIn("RAM_256X8 u0 (.data({n4, y_1_}), .write(1'b0));", text)
        self.assertTrue(found.drives("u0", "data[1]"))
        self.assertFalse(found.drives("u0", "write"))

    def test_clocks(self) -> None:
        self.assertEqual(NETLIST.clocks(), {"clk"})


class Placing(unittest.TestCase):
    """Pins are where a cell that is turned has them."""

    def test_turned_cells(self) -> None:
        macro = placing.Macro(480, 2000, {"A": (80, 660)})
        found = [Place(100, 0, turn).of(macro, "A") for turn in placing.ORIENTATIONS]
        self.assertEqual(found, [(180, 660), (180, 1340), (500, 660), (500, 1340)])

    def test_the_driver_stands_first(self) -> None:
        pins = {net: [name for name, *_ in found] for net, found in PLACED.terminals().items()}
        self.assertEqual(pins, {"a": ["PIN", "u0"], "n1": ["u0", "u1", "u2"], "y": ["u1", "PIN"]})

    def test_free_sites_are_spread(self) -> None:
        widths = dict(placing._widths(NETLIST))
        used = sum(placing.macros()[cell.cell].width for cell in NETLIST.cells.values())
        self.assertAlmostEqual(sum(widths.values()), used / placing.DENSITY, delta=placing.SITE)

    def test_by_graywolf(self) -> None:
        """A ring of 40 inverters comes back whole, each in a row and none on another."""
        cells = {f"u{i}": Instance("INVX1", {"A": f"n{i}", "Y": f"n{i + 1}"}) for i in range(40)}
        cells["u39"].pins["Y"] = "n0"
        ring = replace(NETLIST, name="ring", ports={"n0": ("output", "n0")}, cells=cells)
        found = placing.place(ring)
        self.assertEqual(set(found.cells), set(cells))
        places = {(each.x, each.y) for each in found.cells.values()}
        self.assertEqual((len(places), {y % placing.ROW for _, y in places}), (40, {0}))
        self.assertAlmostEqual(found.used, placing.DENSITY, delta=0.15)


class Wires(unittest.TestCase):
    """Trees and what stands in SPEF."""

    def test_tree(self) -> None:
        points = [(0, 0), (1000, 0), (1000, 300), (-200, 100)]
        found = sorted(wires.tree(points))
        self.assertEqual(found, [(0, 1, 1000), (0, 3, 300), (1, 2, 300)])
        self.assertEqual(wires.half_perimeter(points), 15.0)

    def test_spef(self) -> None:
        text = wires.spef(PLACED, wires.Wire(0.001, 10.0))
        length = wires.lengths(PLACED)["n1"]
        self.assertIn(f"*D_NET n1 {0.001 * length:.6f}\n", text)
        net = text[text.index("*D_NET n1") :]
        parts = [float(each.split()[2]) for each in net[net.index("*CAP") :].split("\n")[1:4]]
        self.assertAlmostEqual(sum(parts), 0.001 * length, places=5)
        self.assertNotIn("*D_NET clk", text)
        self.assertIn("*P a B", text)

    def test_what_was_extracted_is_taken(self) -> None:
        self.assertIn("*D_NET n1 0.500000", wires.spef(PLACED, wires.TYPICAL, {"n1": 0.5}))


EXT = """\
node "m1_0_0#" 0 1000 0 0 m1
node "a" 0 500 0 0 m1
node "y" 0 0 0 0 m1
merge "u0/Y" "u1/A" -100 0 0
merge "u1/A" "u2/D"
merge "u2/D" "m1_0_0#"
merge "u0/A" "a"
merge "u1/Y" "y"
cap "m1_0_0#" "a" 2000
"""


class Routing(unittest.TestCase):
    """The files of qrouter and Magic are read."""

    def test_lengths(self) -> None:
        text = (
            "- n1\n+ ROUTED metal1 ( 100 200 ) ( 400 * ) M2_M1 \n  NEW metal2 ( 400 200 ) ( * 900 )"
        )
        self.assertEqual(routing.wire_lengths(text), {"n1": 10.0})

    def test_capacitances(self) -> None:
        found = routing.extracted(PLACED, EXT)
        self.assertAlmostEqual(found["n1"], 0.0029)
        self.assertAlmostEqual(found["a"], 0.0025)

    def test_wires_that_touch(self) -> None:
        with self.assertRaisesRegex(HardwareError, "nets touch each other: a, n1"):
            routing.extracted(PLACED, EXT + 'merge "a" "m1_0_0#"\n')

    def test_ports_have_tracks_of_their_own(self) -> None:
        same = replace(PLACED, ports={"a": (-80, 700), "y": (-80, 700)})
        places = [(x, y) for *_, x, y in routing._port_places(same)]
        self.assertEqual(len(set(places)), 2)


class Stored(unittest.TestCase):
    """layout.csv is of the present sources, and pictures are there."""

    def test_that_it_is_of_these_sources(self) -> None:
        for name, row in layout.read().items():
            with self.subTest(name):
                again = f"hardware/layout.py {'--route ' if row.routed_mm else ''}{name}"
                self.assertEqual(row.made_of, layout.fingerprint(CORES[name]), f"run {again}")

    def test_that_pictures_are_shown_and_small(self) -> None:
        document = (layout.PICTURES.parent / "cores.md").read_text(encoding="utf-8")
        for name in layout.read():
            path = layout.picture(name)
            with self.subTest(path.name):
                self.assertIn(f"](hardware/{path.name})", document)
                self.assertLess(path.stat().st_size, 100_000)

    def test_that_a_row_below_the_clock_rate_of_the_paper_has_a_reason(self) -> None:
        for name, row in layout.read().items():
            core = CORES[name]
            misses = core.paper is not None and 1000 / row.best_ns < core.paper.mhz
            with self.subTest(name):
                self.assertEqual(misses, "placed" in core.exceptions)

    def test_that_wires_cost_something(self) -> None:
        without = {found.core: found.ns for found in measured.read()}
        for name, row in layout.read().items():
            self.assertLess(without[name], row.best_ns)
            self.assertLess(row.best_ns, row.ns_heavy)

    def test_that_typical_wires_are_those_extracted(self) -> None:
        routed = [row for row in layout.read().values() if row.routed_mm]
        self.assertTrue(routed)
        for row in routed:
            with self.subTest(row.core):
                pf_per_um = row.pf / row.tree_mm / 1000
                self.assertAlmostEqual(pf_per_um / wires.TYPICAL.pf, 1, delta=0.1)

    def test_there_and_back(self) -> None:
        rows = layout.read()
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "layout.csv"
            path.write_text(stored.text(layout.Layout, rows.values()), encoding="utf-8")
            self.assertEqual(layout.read(path), rows)


if __name__ == "__main__":
    unittest.main()
