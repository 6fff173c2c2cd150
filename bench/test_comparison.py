# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The table and the chart of bench/peers, from a small CSV whose figures are made up."""

from __future__ import annotations

import unittest
import xml.etree.ElementTree as ET
from pathlib import Path

import comparison
from chart import Chart, number, svg
from curves import Curve, CurvePanel

FOUND = comparison.read(Path(__file__).with_suffix(".csv"))
SVG = "{http://www.w3.org/2000/svg}"


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")]


class Table(unittest.TestCase):
    def rows(self) -> list[list[str]]:
        return [cells(line) for line in comparison.table(FOUND) if line.startswith("|")]

    def test_each_column_has_the_figure_and_its_ratio_to_the_default(self) -> None:
        head, _, *rows = self.rows()
        self.assertEqual(head[0], "256-bit key")
        column = {
            name: [row[head.index(name)] for row in rows] for name in ("set-up", "CTR", "XTS")
        }
        self.assertEqual(
            column["CTR"],
            ["1.50 (1.00x)", "9.25 (6.17x)", "5.00 (3.33x)", "1,650 (1,100x)", "Quick 3.33x"],
        )
        self.assertEqual(
            column["set-up"],
            ["400 (1.00x)", "4,000 (10x)", "12,000 (30x)", "1,000 (2.50x)", "Slow 2.50x"],
        )
        self.assertEqual(column["XTS"], [""] * 5, "nobody has it")

    def test_ours_come_first_and_say_whether_they_are_constant_time(self) -> None:
        first = [row[:2] for row in self.rows()[2:]]
        self.assertEqual(
            first,
            [
                ["**Manyfish** `wide` (default)", "yes"],
                ["**Manyfish** `full`", "no"],
                ["Quick 3.1", ""],
                ["Slow 0.9", ""],
                ["best of the others", ""],
            ],
        )

    def test_des_has_columns_of_its_own(self) -> None:
        ecb, head = "cycles_per_byte/8192/ecb/encrypt", {**FOUND.head, "cipher": "des"}
        known = {
            ("manyfish/wide", 64, ecb): 2.0,
            ("Slow", 64, ecb): 30.0,
            ("Slow", 192, ecb): 90.0,
            ("Quick", 64, ecb): 20.0,
        }
        lines = comparison.table(FOUND._replace(head=head, values=known))
        rows = [cells(line) for line in lines if line.startswith("|")]
        self.assertEqual((rows[0][0], rows[0][4], rows[0][7]), ("DES and 3DES", "DES: ECB", "ECB"))
        self.assertEqual([row[0] for row in rows[4:6]], ["Quick 3.1", "Slow 0.9"])
        self.assertEqual((rows[5][4], rows[5][7]), ("30.0 (15x)", "90.0"))
        self.assertEqual((rows[-1][4], rows[-1][7]), ("Quick 10x", "Slow"))

    def test_what_was_not_measured_is_said(self) -> None:
        self.assertIn("Not measured: Absent is not installed", "".join(comparison.table(FOUND)))

    def test_a_busy_machine_is_told(self) -> None:
        self.assertNotIn("busy", "".join(comparison.table(FOUND)))
        busy = FOUND._replace(head={**FOUND.head, "spread": "0.105"})
        self.assertIn("busy**: the median of the runs is 10%", "".join(comparison.table(busy)))

    def test_a_clock_that_changed_is_told_and_is_no_busy_machine(self) -> None:
        changed = "".join(
            comparison.table(FOUND._replace(head={**FOUND.head, "clock_drift": "0.105"}))
        )
        self.assertIn("The clock changed by 10%", changed)
        self.assertNotIn("busy", changed)

    def test_the_short_table_has_our_best_kernels_and_the_others(self) -> None:
        lines = comparison.brief(FOUND)
        rows = [cells(line)[0] for line in lines if line.startswith("|")][2:]
        ours = ["**Manyfish** `wide` (default)", "**Manyfish** `full`"]
        self.assertEqual(rows, [*ours, "Quick 3.1", "Slow 0.9"])


class Drawing(unittest.TestCase):
    def setUp(self) -> None:
        self.text = comparison.chart(FOUND)
        self.root = ET.fromstring(self.text)

    def bars(self, kind: str) -> list[float]:
        """Lengths, without the legend's."""
        found = self.root.findall(f"{SVG}rect[@class='{kind}']")[1:]
        return [float(bar.get("width", "0")) for bar in found]

    def test_ours_look_different(self) -> None:
        self.assertEqual([len(self.bars(kind)) for kind in ("safe", "tables", "peer")], [3, 2, 4])

    def test_lengths_are_in_proportion_and_the_longest_is_cut(self) -> None:
        wide = self.bars("safe")[0]
        full = self.bars("tables")[0]
        self.assertAlmostEqual(full / wide, 9.25 / 1.5, delta=0.05)
        self.assertEqual(max(self.bars("peer")), full, "as long as the longest that is not cut")
        cut = self.root.findall(f"{SVG}path[@class='cut']")
        self.assertEqual(len(cut), 2, "the slowest of CTR, and of the set-up")

    def test_it_says_in_words_what_it_shows(self) -> None:
        self.assertEqual(self.root.get("role"), "img")
        description = self.root.findtext(f"{SVG}desc") or ""
        self.assertIn(
            "CTR, 8 KiB, cycles a byte: "
            "Manyfish wide 1.50, Quick 5.00, Manyfish full 9.25, Slow 1,650.",
            description,
        )
        self.assertIn("Planted CPU <&>", description)
        self.assertIn("Twofish with 256-bit keys", self.root.findtext(f"{SVG}title") or "")

    def test_all_of_it_is_inside(self) -> None:
        _, _, width, height = map(float, (self.root.get("viewBox") or "").split())
        for place in self.root.iter(f"{SVG}text"):
            self.assertLess(float(place.get("x", "inf")), width)
            self.assertLess(float(place.get("y", "inf")), height)
        for bar in self.root.findall(f"{SVG}rect[@class]")[1:]:
            self.assertLess(float(bar.get("x", "inf")) + float(bar.get("width", "inf")), width)

    def test_it_has_colours_for_the_dark(self) -> None:
        light, dark = self.text.split("@media (prefers-color-scheme: dark)")
        for name in ("background", "safe", "tables", "peer", "note", "cut", "axis", "curve.safe"):
            self.assertRegex(light, rf"\.{name} ")
            self.assertRegex(dark, rf"\.{name} ")

    def test_a_panel_without_bars_is_left_out(self) -> None:
        self.assertNotIn("One block alone", self.text)


class Curves(unittest.TestCase):
    def setUp(self) -> None:
        curves = [
            Curve("slow", "peer", [400.0, 100.0, 25.0]),
            Curve("quick", "safe", [24.0, 24.0, 24.0], dashed=True),
        ]
        panel = CurvePanel("A panel", "across", ["1", "2", "4"], curves)
        self.text = svg(Chart("heading", "note", [panel]))
        self.root = ET.fromstring(self.text)

    def test_equal_ratios_are_equal_heights(self) -> None:
        slow = self.root.find(f"{SVG}polyline[@class='curve peer']")
        assert slow is not None
        a, b, c = (float(point.split(",")[1]) for point in slow.get("points", "").split())
        self.assertLess(a, b)
        self.assertAlmostEqual(b - a, c - b, delta=0.2)

    def test_names_do_not_hide_each_other(self) -> None:
        names = [each for each in self.root.iter(f"{SVG}text") if "2" in (each.text or "")[4:]]
        self.assertEqual([each.text for each in names], ["slow, 25.0", "quick, 24.0"])
        upper, lower = (float(each.get("y", "0")) for each in names)
        self.assertGreaterEqual(lower - upper, 14)

    def test_it_says_in_words_what_it_shows(self) -> None:
        words = "A panel, from 1 to 4: slow 400 to 25.0, quick 24.0 to 24.0."
        self.assertIn(words, self.root.findtext(f"{SVG}desc") or "")


class Numbers(unittest.TestCase):
    def test_three_digits(self) -> None:
        shown = [number(value) for value in (1.499, 9.994, 9.996, 42.04, 99.96, 1234.5)]
        self.assertEqual(shown, ["1.50", "9.99", "10.0", "42.0", "100", "1,234"])


class Recording(unittest.TestCase):
    def test_the_csv_is_read_as_it_was_measured(self) -> None:
        row = {"implementation": "A", "constant_time": None, "key_bits": 128, "measure": "m"}
        data = {
            "cipher": "twofish",
            "machine": {"cpu": "x", "unit": "core cycles"},
            "versions": {"A": "1"},
            "missing": ["B is not installed", "C is not installed"],
            "default_kernel": "manyfish/full",
            "quality": {"spread": 0.01},
            "rows": [{**row, "minimum": 1.5, "median": 2.0}],
        }
        self.assertTrue(comparison.is_comparison(data))
        self.assertEqual(list(comparison.csv_rows(data)), [["A", "", 128, "m", 1.5, 2.0]])
        head = dict(comparison.head(data))
        self.assertEqual(head["version of A"], "1")
        self.assertEqual(head["skipped"], "B is not installed; C is not installed")
        self.assertNotIn("cipher", head)
        self.assertEqual(dict(comparison.head({**data, "cipher": "des"}))["cipher"], "des")


if __name__ == "__main__":
    unittest.main()
