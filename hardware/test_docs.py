# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The documents of the hardware: pictures are up to date and can be read, the example works."""

from __future__ import annotations

import re
import sys
import unittest
from dataclasses import replace
from xml.etree import ElementTree

import cipher_diagrams
import diagrams
import waves
from cores import CORES
from drawing import Box, Drawing
from tools import ROOT, RTL

sys.path.insert(0, str(ROOT / "model"))
import twofish

DOCUMENTS = (ROOT / "docs" / "hardware.md", ROOT / "docs" / "cores.md")

GOOD = Drawing(
    heading="A heading",
    note="a note",
    about="two boxes and a wire",
    width=40,
    height=24,
    boxes={
        "a": Box(2, 8, 8, 4, "R_0", "register"),
        "b": Box(2, 15, 8, 4, "PHT"),
        "c": Box(28, 8, 8, 4, "h"),
    },
    ways=["a.r > c.l | 32", "b.r > x=20 > y=17.5 > c.b"],
)


def documents() -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in DOCUMENTS)


class DrawingTest(unittest.TestCase):
    def test_that_nothing_is_found_in_a_good_one(self) -> None:
        self.assertEqual(GOOD.faults(), [])

    def test_that_planted_faults_are_found(self) -> None:
        def box(x: float, y: float, w: float, words: str = "") -> Drawing:
            return replace(GOOD, boxes={**GOOD.boxes, "d": Box(x, y, w, 3, words)})

        def way(text: str) -> Drawing:
            return replace(GOOD, ways=[*GOOD.ways, text])

        planted = {
            "too near": box(9, 9, 4),
            "needs a width of": box(14, 15, 4, "much too long"),
            "too many lines": box(22, 13, 4, "1\n2\n3"),
            "not inside": box(36, 16, 8),
            "below the drawing": box(14, 18.5, 4),
            "goes through": way("b.r > x=32 > y=7 > a.t"),
            "lie on each other": way("b.b > y=20 > x=20 > y=12 > c.l+1"),
            "no room for its label": way("a.b > b.t | words " + "that go on " * 4),
            "no room for its arrow": way("b.r > x=27.5 > c.l+1.5"),
            "longer than": replace(GOOD, note="a note " * 20),
        }
        for words, drawing in planted.items():
            with self.subTest(words):
                self.assertIn(words, "\n".join(drawing.faults()))
                self.assertRaises(ValueError, drawing.svg)

    def test_that_an_unknown_end_is_an_error(self) -> None:
        drawing = replace(GOOD, ways=["a.r > nobody.l"])
        self.assertRaisesRegex(ValueError, "'nobody.l' is no end", drawing.faults)


class PictureTest(unittest.TestCase):
    def test_that_all_are_up_to_date(self) -> None:
        made = dict(diagrams.pictures())
        for path, text in made.items():
            with self.subTest(path.name):
                self.assertEqual(path.read_text(encoding="utf-8"), text, "run hardware/diagrams.py")
        self.assertEqual(set(made), set(diagrams.FOLDER.glob("*.svg")))

    def test_that_each_is_xml_with_a_title_and_stands_in_the_document(self) -> None:
        document = documents()
        for path in diagrams.FOLDER.glob("*.svg"):
            with self.subTest(path.name):
                root = ElementTree.parse(path).getroot()
                for part in ("title", "desc"):
                    words = root.findtext(f"{{http://www.w3.org/2000/svg}}{part}")
                    self.assertTrue(words and len(words) > 1)
                self.assertIn(f"](hardware/{path.name})", document)

    def test_that_each_core_has_one(self) -> None:
        """A row of the table of cores in its plain form, with keys of 128 bits both ways."""
        drawn = {path.stem for path in diagrams.FOLDER.glob("*.svg")}
        plain = {core.module.removeprefix("twofish_") for core in CORES.values()}
        self.assertEqual(plain - drawn, set())

    def test_the_order_of_q(self) -> None:
        self.assertEqual(diagrams.Q_ORDER, twofish.Q_ORDER[2::-1])


class CipherPictureTest(unittest.TestCase):
    def test_that_all_are_up_to_date_and_stand_in_the_page(self) -> None:
        made = cipher_diagrams.pictures()
        page = (ROOT / "docs" / "twofish.md").read_text(encoding="utf-8")
        for path, text in made.items():
            with self.subTest(path.name):
                said = "run hardware/cipher_diagrams.py"
                self.assertEqual(path.read_text(encoding="utf-8"), text, said)
                self.assertIn(f"](twofish/{path.name})", page)
        self.assertEqual(set(made), set(cipher_diagrams.FOLDER.iterdir()))


class WavesTest(unittest.TestCase):
    VCD = (
        "$var reg 1 ! clk $end\n$var reg 32 # key_data [31:0] $end\n"
        "#0\n0!\nb0 #\n#5\n1!\nb10011111 #\n#10\n0!\n#15\n1!\n#20\n"
    )

    def test_that_an_edge_sees_what_was_before_it(self) -> None:
        seen = [clock["key_data"] for clock in waves.clocks(self.VCD)]
        self.assertEqual(seen, ["0", "10011111"])

    def test_that_byte_0_comes_first(self) -> None:
        self.assertEqual(waves.word("10011111"), "9f000000")
        self.assertEqual(waves.word("1" * 33), "ffffffff01..")

    def test_that_quiet_clocks_are_counted(self) -> None:
        trace = [{"in_valid": value} for value in "0001111110"]
        widths = [column.left_out for column in waves.columns(trace)]
        self.assertEqual(widths, [0, 0, 0, 0, 4, 0, 0])


class DocumentTest(unittest.TestCase):
    def test_that_the_example_prints_what_is_said(self) -> None:
        said, _ = diagrams.run_example()
        document = documents()
        printed = [line for line in said.splitlines() if not line.startswith("VCD")]
        self.assertEqual(len(printed), 2)
        self.assertIn("\n".join(["```", *printed, "```"]), document)

    def test_that_the_examples_of_buses_print_the_same(self) -> None:
        printed = diagrams.run_example()[0].splitlines()
        for name in diagrams.BUSES:
            with self.subTest(name):
                said, _ = diagrams.run_example(f"example_{name}")
                (encrypted,) = (line for line in said.splitlines() if not line.startswith("VCD"))
                self.assertIn(encrypted, printed)

    def test_the_arithmetic_of_the_clocks(self) -> None:
        """The sums are right, and are what cores.py states and the bench finds."""
        document = documents()
        line = r"^`twofish_(\w+)`: `([0-9x+() ]+) = (\d+)` clocks, start-up (\d+)$"
        found = re.findall(line, document, re.M)
        rows = {core.name for core in CORES.values() if core.paper}
        self.assertLessEqual(rows, {name for name, *_ in found})
        for name, terms, clocks, startup in found:
            with self.subTest(name):
                self.assertEqual(_value(terms), int(clocks))
                self.assertEqual(CORES[name].clocks, int(clocks))
                self.assertEqual(CORES[name].startup, int(startup))

    def test_that_each_core_is_named(self) -> None:
        document = documents()
        for path in RTL.glob("twofish_*.v"):
            if "key_valid," in path.read_text(encoding="utf-8"):
                with self.subTest(path.stem):
                    self.assertTrue(re.search(rf"\b{path.stem}\b", document))


def _value(terms: str) -> int:
    """Of a sum of products with brackets."""
    while match := re.search(r"\(([^()]*)\)", terms):
        terms = terms.replace(match[0], str(_value(match[1])))
    total = 0
    for term in terms.split("+"):
        product = 1
        for factor in term.split("x"):
            product *= int(factor)
        total += product
    return total


if __name__ == "__main__":
    unittest.main()
