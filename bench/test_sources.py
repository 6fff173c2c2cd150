# SPDX-License-Identifier: Apache-2.0 OR MIT
"""docs/sources.md is that of the results, and faults in its data are noticed."""

from __future__ import annotations

import unittest
from unittest import mock

import commands
import sources


class Page(unittest.TestCase):
    def test_it_is_that_of_the_results(self) -> None:
        text = sources.PAGE.read_text(encoding="utf-8")
        self.assertTrue(sources.page(text) == text, "run bench/sources.py tables")

    def test_every_row_of_every_table_is_there(self) -> None:
        found = [row["statement"] for row in sources.statements()]
        for start, count in (("Table 5.1, ", 38), ("Table 5.2, ", 4), ("Slide, ", 9)):
            self.assertEqual(sum(each.startswith(start) for each in found), count, start)
        for start, count in (("Table 1, ", 10), ("Table 2, ", 4), ("Table 3, ", 11)):
            self.assertEqual(sum(each.startswith(start) for each in found), count, start)
        self.assertEqual(sum(each.startswith("Table 4, ") for each in found), 8)
        self.assertGreater(len(found), 150)

    def test_another_result_makes_another_page(self) -> None:
        """The figures are looked up: a result that changes shows."""
        text = sources.PAGE.read_text(encoding="utf-8")
        own = sources.paper
        with mock.patch.object(sources, "paper", lambda place: own(place) + 1000):
            self.assertTrue(sources.page(text) != text)
        for kind in ("message", "des", "processors", "lab", "card", "gates", "text"):
            with mock.patch.dict(sources.LOOKUPS, {kind: lambda place: 7.0}):
                self.assertTrue(sources.page(text) != text, kind)


class Figures(unittest.TestCase):
    def test_arithmetic(self) -> None:
        for expression, text in (
            ("full/128/setup_cycles", "2,000"),
            ("full/128/setup_cycles - zero/128/setup_cycles", "1,400"),
            ("full/128/setup_cycles + zero/128/setup_cycles", "2,600"),
            ("full/128/setup_cycles / zero/128/setup_cycles", "3.3"),
            ("zero/128/setup_cycles / 16", "38"),
        ):
            costs = {"full/128/setup_cycles": 2000.0, "zero/128/setup_cycles": 600.0}
            with mock.patch.object(sources, "paper", costs.__getitem__):
                self.assertEqual(sources.figure(expression), text)

    def test_smart_cards_gates_and_the_lab(self) -> None:
        self.assertEqual(sources.figure("card:fly_eeprom/work"), "36")
        self.assertEqual(sources.figure("gates:two_h_pipe2/clocks"), "16")
        self.assertEqual(sources.figure("lab:q/q0: DPmax"), "10/256")

    def test_a_figure_that_no_result_has(self) -> None:
        for expression in ("fuller/128/setup_cycles", "card:none/rom", "lab:q/none", "lab:none/x"):
            with self.subTest(expression), self.assertRaises(sources.SourcesError):
                sources.figure(expression)


class Faults(unittest.TestCase):
    def refused(self, **cells: str) -> None:
        empty = dict.fromkeys(("section", "where", "command", "published", "ours", "counted"), "")
        with self.assertRaises(sources.SourcesError):
            sources.line({**empty, "statement": "planted", **cells})

    def test_paths_and_commands_that_are_none(self) -> None:
        self.refused(where="c/src/twofish/kernels/fuller.c")
        for words in (
            "make test-nothing",
            "manyfish spede --paper",
            "manyfish speed --papers",
            "manyfish-lab run mdss",
            "smartcard/measure.py flies",
            "hardware/synthesis.py three_h",
            "another program",
        ):
            with self.subTest(words):
                self.refused(command=words)

    def test_commands_that_are_some(self) -> None:
        for words in ("make test-c", "make lab", "manyfish speed --cipher des", "manyfish kernels"):
            self.assertEqual(sources.command(words), f"`{words}`")

    def test_an_option_that_a_language_has_after_all(self) -> None:
        with self.assertRaises(sources.SourcesError):
            sources.in_language("-c/src/twofish/kernels/full.c")
        self.assertEqual(sources.in_language("-c/src/twofish/kernels/fuller.c"), "")

    def test_a_page_without_marks(self) -> None:
        with self.assertRaises(sources.SourcesError):
            sources.page("# A page\n")


class Mark(unittest.TestCase):
    def test_the_pages_name_their_results(self) -> None:
        for page, mark in (
            ("keying-options.md", "speed --paper"),
            ("des.md", "speed --cipher des"),
            ("processors.md", "table-5.1"),
        ):
            self.assertTrue(sources.shown(page, mark))
        with self.assertRaises(sources.SourcesError):
            sources.shown("keying-options.md", "nothing")
        self.assertTrue(commands.RESULTS.is_dir())


if __name__ == "__main__":
    unittest.main()
