# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Netlists in simulation: the models of cells, and the smallest core."""

from __future__ import annotations

import re
import tempfile
import unittest
from pathlib import Path

import cells
import gates
from cores import CORES
from tools import LONG, HardwareError, run_tool

SMALLEST = CORES["quarter_h"]


def both_models(cell: str) -> str:
    """A program that compares the two models of a cell; its clock, if any, moves after its data."""
    ports = gates.pins(cell)
    outputs = [pin for pin in ports if pin in gates.functions(cell)]
    inputs = [pin for pin in ports if pin not in outputs]
    links = ", ".join(f".{pin}({pin})" for pin in inputs)
    ours = ", ".join(f".{pin}(our_{pin})" for pin in outputs)
    theirs = ", ".join(f".{pin}(their_{pin})" for pin in outputs)
    wires = ", ".join(f"our_{pin}, their_{pin}" for pin in outputs)
    differ = " || ".join(f"our_{pin} !== their_{pin}" for pin in outputs)
    return f"""\
module top;
  reg {", ".join(inputs)};
  wire {wires};
  integer i;
  our_{cell} ours ({links}, {ours});
  {cell} theirs ({links}, {theirs});
  initial begin
    {{{", ".join(inputs)}}} = 0;
    #10 {{{", ".join(inputs)}}} = ~0;
    #10 for (i = 0; i < 200; i = i + 1) begin
      {{{", ".join(inputs[1:] or inputs)}}} = i < 64 ? i >> 1 : $random;
      #10 {inputs[0]} = i < 64 ? i : $random;
      #10 if ({differ}) $display("differ: %b", {{{", ".join(inputs)}}});
    end
    $display("done");
  end
endmodule
"""


class Models(unittest.TestCase):
    """The models of cells that are made of the Liberty file."""

    def test_functions(self) -> None:
        for function, expected in {
            "(!((A B)+(C D)))": "(~((A & B) | (C & D)))",
            "(!((S A) + (!S B)))": "(~((S & A) | (~S & B)))",
            "((A^B)^C)": "((A^B)^C)",
        }.items():
            self.assertEqual(gates.verilog_of(function), expected)

    def test_beside_those_of_osu(self) -> None:
        theirs = "".join(text for _, text in gates.osu_models())
        for cell, ours in gates.models():
            with self.subTest(cell), tempfile.TemporaryDirectory() as name:
                self.assertEqual(self.said(Path(name), cell, ours, theirs), "done")

    def test_a_wrong_model_is_found(self) -> None:
        theirs = "".join(text for _, text in gates.osu_models())
        wrong = gates.model("AOI21X1").replace("(A & B)", "(A | B)")
        with tempfile.TemporaryDirectory() as name:
            self.assertIn("differ", self.said(Path(name), "AOI21X1", wrong, theirs))

    def said(self, folder: Path, cell: str, ours: str, theirs: str) -> str:
        renamed = re.sub(rf"module {cell}\b", f"module our_{cell}", ours)
        source, program = folder / "top.v", folder / "top"
        source.write_text(theirs + renamed + both_models(cell), encoding="utf-8")
        run_tool(["iverilog", "-g2005", "-s", "top", "-o", program, source], "iverilog")
        return run_tool(["vvp", "-N", program], "iverilog").strip()

    def test_no_model_without_a_cell(self) -> None:
        names = {name for name, _ in gates.models()}
        self.assertEqual(set(cells.cells()) - names, {"DFFSR"})


class Netlist(unittest.TestCase):
    """The netlist of the smallest core does what the core does."""

    def test_bench(self) -> None:
        found = gates.in_verilator(SMALLEST)
        self.assertEqual(found.clocks, SMALLEST.clocks)

    @unittest.skipUnless(LONG, "minutes in four-valued logic: scripts/test-hardware --long")
    def test_from_an_unknown_state(self) -> None:
        self.assertGreater(gates.in_icarus(SMALLEST, osu=False), 0)

    def test_a_fault_is_found(self) -> None:
        folder = gates.folder_of(SMALLEST, osu=False)
        path = folder / "XOR2X1.v"
        path.write_text(path.read_text().replace("A^B", "A|B"))
        with self.assertRaises(HardwareError):
            gates.bench_of(SMALLEST, folder)


if __name__ == "__main__":
    unittest.main()
