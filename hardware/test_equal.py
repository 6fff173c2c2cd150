# SPDX-License-Identifier: Apache-2.0 OR MIT
"""That a netlist is its Verilog is proven in both ways, and that each way finds a wrong gate."""

from __future__ import annotations

import json
import tempfile
import unittest
from pathlib import Path

import equal
import synthesis
from cores import CORES
from tools import HardwareError

CORE = CORES["quarter_h"]
WAYS = (equal.equal_to_the_verilog, equal.equal_between_registers)


def with_another_gate(netlist: Path, folder: Path) -> Path:
    """A netlist with an OR for the NOR of key_ready, which shows in few clocks from reset."""
    design = json.loads(netlist.read_text(encoding="utf-8"))
    core = design["modules"][CORE.name]
    output = core["ports"]["key_ready"]["bits"]
    gates = (gate for gate in core["cells"].values() if gate["connections"].get("Y") == output)
    (gate,) = gates
    gate["type"] = {"NOR2X1": "OR2X2", "NAND2X1": "AND2X2", "INVX1": "BUFX2"}[gate["type"]]
    path = folder / "wrong.json"
    path.write_text(json.dumps(design), encoding="utf-8")
    return path


def without_a_register(netlist: Path, folder: Path) -> Path:
    design = json.loads(netlist.read_text(encoding="utf-8"))
    cells = design["modules"][CORE.name]["cells"]
    del cells[next(name for name, cell in cells.items() if cell["type"] == "DFFPOSX1")]
    path = folder / "wrong.json"
    path.write_text(json.dumps(design), encoding="utf-8")
    return path


class Equal(unittest.TestCase):
    def setUp(self) -> None:
        self.netlist = synthesis.netlist(CORE).with_suffix(".json")
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def test_a_netlist_is_its_verilog(self) -> None:
        for way in WAYS:
            with self.subTest(way=way.__name__):
                self.assertTrue(way(CORE, self.netlist, self.folder))

    def test_a_wrong_gate_is_found(self) -> None:
        wrong = with_another_gate(self.netlist, self.folder)
        for way in WAYS:
            with self.subTest(way=way.__name__):
                self.assertFalse(way(CORE, wrong, self.folder))

    def test_a_missing_register_is_found(self) -> None:
        wrong = without_a_register(self.netlist, self.folder)
        with self.assertRaisesRegex(HardwareError, "registers before and after abc"):
            equal.equal_between_registers(CORE, wrong, self.folder)

    def test_which_way_it_goes(self) -> None:
        self.assertTrue(equal.is_plain(self.netlist, CORE.name))


if __name__ == "__main__":
    unittest.main()
