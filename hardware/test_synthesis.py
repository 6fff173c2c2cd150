# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The cells, what synthesis tells of known modules, and the cores beside results.csv."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
import tempfile
import unittest
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from unittest import mock

import cells
import measured
import synthesis
from cores import CORES
from synthesis import Figures, Job
from tools import HARDWARE, LONG, HardwareError

KNOWN = """
module known (input wire clk, input wire write, input wire [3:0] d, output wire [3:0] q);
  reg [3:0] word;
  reg [3:0] latched;
  always @(posedge clk) word <= d;
  always @* if (write) latched = word;
  assign q = ~(latched & d);
endmodule
"""


class Cells(unittest.TestCase):
    """The Liberty file that is made of the package's."""

    def test_areas(self) -> None:
        self.assertEqual(set(cells.wrong_areas()), {"LATCH", "NAND3X1", "OAI21X1"})
        self.assertEqual(cells.gate_equivalents("DFFPOSX1"), 4)
        self.assertAlmostEqual(cells.gate_equivalents("LATCH"), 224 / 96)

    def test_made_file_has_areas_of_the_lef(self) -> None:
        made = cells.liberty()[0].read_text(encoding="utf-8")
        for name, body in cells._CELL.findall(made):
            told = cells._AREA.search(body)
            assert told
            self.assertEqual(float(told[1]), cells.areas()[name], name)

    def test_setup_times_that_stand_out(self) -> None:
        self.assertEqual(cells._interpolated("0.3, 5.3, 5.1, 0.6"), "0.3, 0.4, 0.5, 0.6")
        self.assertEqual(cells._interpolated("0.3, 0.2, 0.1, 0.6"), "0.3, 0.2, 0.1, 0.6")
        self.assertIn('"0.28125, 0.31875, 0.30625, 5.3', cells.cells()["LATCH"])
        self.assertNotIn(" 5.3,", cells.liberty_text())

    def test_missing_package(self) -> None:
        with self.assertRaisesRegex(HardwareError, "is not installed"):
            cells._text(Path("/planted/osu035.lib"))


class Known(unittest.TestCase):
    """Figures of a module that can be counted by hand."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.rtl = Path(folder.name)
        patches = mock.patch.multiple(synthesis, RTL=self.rtl, KEPT=self.rtl / "kept")
        patches.start()
        self.addCleanup(patches.stop)

    def figures(self, text: str = KNOWN) -> Figures:
        (self.rtl / "known.v").write_text(text, encoding="ascii")
        return synthesis.figures(Job("known", "known"))

    def test_kinds(self) -> None:
        found = self.figures()
        self.assertEqual((found.count["DFFPOSX1"], found.count["LATCH"]), (4, 4))
        self.assertEqual(found.ge["flip-flops"], 16)
        self.assertAlmostEqual(found.ge["latches"], 4 * 224 / 96)
        self.assertAlmostEqual(found.gates, sum(found.ge.values()))
        self.assertTrue(found.sequential)
        self.assertGreater(found.ns["with"], found.ns["without"])

    def test_kept_until_the_source_changes(self) -> None:
        first = self.figures()
        with mock.patch.object(synthesis, "measure", side_effect=AssertionError):
            self.assertEqual(self.figures(), first)
        self.assertLess(self.figures(KNOWN.replace("~(latched & d)", "latched")).gates, first.gates)

    def test_wrong_source(self) -> None:
        with self.assertRaisesRegex(HardwareError, "yosys: "):
            self.figures(KNOWN.replace("endmodule", ""))

    def test_no_such_module(self) -> None:
        with self.assertRaisesRegex(HardwareError, "there is no module planted"):
            synthesis.figures(Job("planted", "planted"))

    def test_a_full_disk(self) -> None:
        folder = self.rtl / "empty"
        folder.mkdir()
        (folder / "netlist.json").write_text("")
        with self.assertRaisesRegex(HardwareError, "is not what yosys writes"):
            synthesis.cell_counts(folder, "known")


class Rams(unittest.TestCase):
    """RAMs are counted in bits, and have their times."""

    def test_bits(self) -> None:
        job = Job("ram", "twofish_ram", {"ADDRESS_BITS": 8, "WIDTH": 8})
        found = synthesis.figures(job)
        self.assertEqual((found.ram_bits, found.gates), (2048, 0))
        self.assertAlmostEqual(found.ns["without"], cells.RAM_READ_NS, delta=0.2)

    def test_unknown_size(self) -> None:
        with self.assertRaisesRegex(HardwareError, "no_such_ram"):
            synthesis.figures(Job("ram", "twofish_ram", {"ADDRESS_BITS": 3, "WIDTH": 5}))


# Other tests need its netlist. Synthesis of another takes up to half a minute.
ALWAYS = "quarter_h"
OTHERS = [name for name in CORES if not measured.is_variant(name) and name != ALWAYS]


class Cores(unittest.TestCase):
    """No core has grown or become slower by more than 2 % since results.csv was made."""

    def beside_results(self, names: Sequence[str]) -> None:
        committed = {found.core: found for found in measured.read()}
        other = {committed[name].made_by for name in names} - {synthesis.tools()}
        if other:
            self.skipTest(f"results.csv was made by {', '.join(other)}")
        jobs = [synthesis.job_of(CORES[name]) for name in names]
        for job, found in synthesis.in_parallel(jobs):
            with self.subTest(job.name):
                self.assertIsInstance(found, Figures, found)
                assert isinstance(found, Figures)
                self.assertEqual(synthesis.worse(found, committed[job.name]), [])

    def test_that_all_are_in_results(self) -> None:
        named = {core.name for core in CORES.values() if measured.is_measured(core)}
        self.assertEqual({found.core for found in measured.read()}, named)

    def test_one_and_what_has_changed(self) -> None:
        """The second are those whose sources are not those of results.csv."""
        self.beside_results([ALWAYS, *(n for n in OTHERS if measured.is_changed(CORES[n]))])

    @unittest.skipUnless(LONG, f"unchanged ones of {', '.join(OTHERS)}: test-hardware --long")
    def test_the_others(self) -> None:
        self.beside_results(OTHERS)


class Worse(unittest.TestCase):
    """The check finds what it must find, and nothing else."""

    FOUND = Figures(
        {"flip-flops": 1000.0, "latches": 0.0, "the rest": 5000.0},
        {},
        2048,
        {"without": 10.0, "with": 14.0},
        0.1,
        True,
        1.0,
    )
    OLD = measured.Result("quarter_h", "", 1000.0, 0.0, 5000.0, 2048, 10.0, 14.0, 324, 324, 4)

    def worse(self, **changed: object) -> list[str]:
        return synthesis.worse(replace(self.FOUND, **changed), self.OLD)  # type: ignore[arg-type]

    def test_a_little(self) -> None:
        self.assertEqual(self.worse(), [])
        self.assertEqual(self.worse(ns={"without": 10.15, "with": 14.2}), [])
        self.assertEqual(self.worse(ge={"the rest": 6100.0}), [])

    def test_each(self) -> None:
        ge: Mapping[str, float] = {"the rest": 6121.0}
        self.assertRegex("".join(self.worse(ge=ge)), "6,121 gates, not 6,000")
        self.assertRegex("".join(self.worse(ns={"without": 10.3, "with": 14.0})), "without")
        self.assertRegex("".join(self.worse(ns={"without": 10.0, "with": 14.3})), "with wires")
        self.assertRegex("".join(self.worse(ram_bits=4096)), "4,096 bits of RAM")


class Paper(unittest.TestCase):
    """What is not reached has a reason in cores.py, and what has a reason is not reached."""

    def test_misses(self) -> None:
        for found in measured.read():
            if found.row.paper:
                with self.subTest(found.core):
                    self.assertEqual(found.misses(), set(found.row.exceptions) - {"placed"})


class WrongInput(unittest.TestCase):
    """Ends with a sentence and a status."""

    def run_program(self, *arguments: str) -> tuple[int, str]:
        command = [sys.executable, "synthesis.py", *arguments]
        done = subprocess.run(command, cwd=HARDWARE, capture_output=True, text=True, env=os.environ)
        return done.returncode, done.stderr

    def test_unknown_core(self) -> None:
        status, said = self.run_program("planted")
        self.assertEqual(status, 2)
        self.assertIn("synthesis.py: error: no core is called planted\nsynthesis.py: hint: ", said)

    def test_unknown_module(self) -> None:
        status, said = self.run_program("--module", "planted")
        self.assertEqual((status, "there is no module planted" in said), (1, True))

    def test_no_value(self) -> None:
        self.assertEqual(self.run_program("--module", "twofish_q", "-P", "WHICH")[0], 2)

    def test_what_is_wrong_is_told_of_each(self) -> None:
        jobs = [Job("planted", "planted"), Job("q", "twofish_q")]
        errors, said = io.StringIO(), io.StringIO()
        with contextlib.redirect_stderr(errors), contextlib.redirect_stdout(said):
            self.assertEqual(synthesis.show(jobs, ""), 1)
        self.assertIn("planted: there is no module planted", errors.getvalue())
        self.assertRegex(said.getvalue(), r"q \(area\): 1\d\d GE \(.*\); \d\.\d\d ns")


if __name__ == "__main__":
    unittest.main()
