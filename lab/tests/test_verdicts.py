# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The rules by which figures agree, and that no result of the repository bends them."""

from __future__ import annotations

import re
import unittest
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

from manyfish_lab import experiments, report, results, verdicts
from manyfish_lab.experiment import Cell, Kind
from manyfish_lab.verdicts import Judged

RESULTS = Path(__file__).resolve().parents[2] / "lab" / "results"


def cell(published: str, ours: str, agrees: bool | None = True) -> Cell:
    return Cell("a figure", published, ours, agrees, "a reason")


def moved(text: str, places: int) -> str:
    """The last number of a text, by some units of its last digit."""
    found = list(re.finditer(r"\d+(?:\.\d+)?", text))[-1]
    number = Decimal(found[0])
    exponent = number.as_tuple().exponent
    assert isinstance(exponent, int)
    other = number + places * Decimal(1).scaleb(exponent)
    return f"{text[: found.start()]}{other}{text[found.end() :]}"


class Rules(unittest.TestCase):
    def test_each_rule(self) -> None:
        for published, ours, verdict in (
            ("15.4", "15.4", "yes"),
            ("15.4", "15.42", "yes"),
            ("4.1", "4.0", "close"),
            ("4.1", "3.9", "no"),
            ("7", "8", "no"),  # a count
            ("7/1020", "8/1020", "no"),
            ("254/255", "0.999200", "no"),
            ("about 2^51", "2^50.25", "close"),
            ("2^77", "2^77.75", "close"),
            ("2^77", "2^78.10", "no"),
            ("2^77", "77", "no"),
            ("about 2^-57.3", "2^-57.24 (2^-57.26)", "close"),
            ("about 2^-57.3", "2^-57.31", "yes"),
            ("less than 117", "116.829", "yes"),
            ("less than 117", "117.000", "no"),
            ("22.0", "20.96 (20.14 to 21.77)", "no"),
            ("16.7", "16.48 (16.31 to 16.66)", "yes"),
            ("none", "none of 4 x 2^32 (9.1 %)", "in part"),
            ("none", "none of all", "yes"),
        ):
            for agrees in (True, False):
                if published != "none":
                    with self.subTest(published=published, ours=ours, agrees=agrees):
                        found = verdicts.of_cell(cell(published, ours, agrees))
                        self.assertEqual(found, verdict)
            if published == "none":
                self.assertEqual(verdicts.of_cell(cell(published, ours)), verdict)
                self.assertEqual(verdicts.of_cell(cell(published, ours, False)), "no")

    def test_another_attack_is_not_compared(self) -> None:
        same = cell("2^51", "2^51")
        self.assertEqual(verdicts.of_cell(same, "another attack"), "not comparable")
        self.assertEqual(verdicts.of_cell(cell("2^51", "-", None)), "not comparable")

    def test_chance_explains_a_rare_box_and_no_more(self) -> None:
        """One box of 2^22 where two are expected; not one where hundreds are."""
        ours = "20.96 (20.14 to 21.77)"
        cells = [cell("16.7", "16.48 (16.31 to 16.66)"), cell("22.0", ours, False)]
        found = verdicts.judged(cells, "sample")[1]
        self.assertEqual(found.verdict, "close")
        self.assertIn("1 of a sample of 2^22.0. At our rate 2.06 are expected", found.why)
        self.assertIn("chance gives 1 or fewer in 39 % of such samples", found.why)
        self.assertEqual(verdicts.judged(cells)[1].verdict, "no")
        often = [cell("22.0", "13.00 (12.90 to 13.10)", False)]
        self.assertEqual(verdicts.judged(often, "sample")[0].verdict, "no")

    def test_rules_have_words(self) -> None:
        self.assertEqual(set(verdicts.RULES), set(Verdicts))


Verdicts = ("yes", "close", "in part", "no", "not comparable", "no figure")


@unittest.skipUnless(RESULTS.is_dir(), "this is no checkout")
class Committed(unittest.TestCase):
    """The results of the repository, as the pages show them."""

    def tables(self) -> Iterator[tuple[Kind, list[Judged]]]:
        for result in report.largest(results.read_all(RESULTS)):
            experiment = experiments.find(result.experiment)
            titles = {table.title for table in result.findings.tables}
            self.assertLessEqual(set(experiment.kinds), titles, "a kind of no table")
            for table in result.findings.tables:
                kind = experiment.kinds.get(table.title, "figure")
                yield kind, verdicts.of_table(experiment, table)

    def test_what_is_counted(self) -> None:
        judged = [one for _, cells in self.tables() for one in cells if one.published]
        uncounted = Counter(one.kind for one in judged if not one.counts)
        self.assertEqual(uncounted, {"formula": 33, "definition": 17})
        attack = [one.verdict for one in judged if one.kind == "another attack"]
        self.assertEqual(attack, ["not comparable"] * 5)

    def test_no_verdict_is_kinder_than_the_experiment(self) -> None:
        for _, cells in self.tables():
            for one in cells:
                if one.verdict == "yes":
                    self.assertTrue(one.cell.agrees, one.cell)
                elif one.published:
                    self.assertTrue(one.why, one.cell)

    def test_agrees_cannot_be_loosened(self) -> None:
        """Each figure that agrees no longer does when the source had printed another digit."""
        tried = 0
        for kind, cells in self.tables():
            for one in cells:
                published = one.cell.published
                if one.verdict != "yes" or not published or not re.search(r"\d", published):
                    continue
                tried += 1
                self.assertNotEqual(self.after_a_move(one.cell, kind), "yes", one.cell)
        self.assertGreater(tried, 150)

    def after_a_move(self, one: Cell, kind: Kind) -> str:
        """The verdict if the source had printed another figure; just outside of an interval."""
        assert one.published
        number = verdicts.number(one.ours)
        if number and number.interval:
            printed = verdicts.number(one.published)
            assert printed
            outside = (number.interval[1] + 2 * printed.unit).quantize(printed.unit)
            return verdicts.of_cell(replace(one, published=str(outside)), kind)
        if one.published.startswith("less than "):
            return verdicts.of_cell(replace(one, published=moved(one.published, -1)), kind)
        return verdicts.of_cell(replace(one, published=moved(one.published, 1)), kind)


if __name__ == "__main__":
    unittest.main()
