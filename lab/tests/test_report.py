# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The pages of the results: what they say, that they stay the same, and what they refuse."""

from __future__ import annotations

import csv
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any
from unittest import mock
from xml.etree import ElementTree

from manyfish_lab import cost, example, experiments, export, report, results, scaling
from manyfish_lab.errors import LabError
from manyfish_lab.experiment import (
    Cell,
    Experiment,
    Findings,
    Plot,
    Scale,
    Table,
    UnexplainedError,
    ours,
    same,
    within,
)
from manyfish_lab.report import explained, findings, markdown, plots, section, style, words

ROOT = Path(__file__).resolve().parents[2]
SVG = "{http://www.w3.org/2000/svg}"
KEY = re.compile(r"\[([A-Za-z0-9+-]+)(?:, [^\]]*)?\]")

COST = results.Cost(12, 0, 4000.0, (0.1, 0.2, 0.3), 75.0, 2, "a processor")
BARS = Plot(
    "bars",
    "Shares of 2^-8",
    "DPmax",
    "-log2 of the share",
    "bars",
    {"128 bits": [(8, 15.42), (10, 1.33)], "published, 128 bits": [(8, 15.42), (10, 1.33)]},
)
LINES = Plot(
    "lines", "Weights", "bits", "differences", "lines", {"ours": [(1, 0), (2, 5), (300, 1e9)]}
)
HEAT = Plot("heat", "Avalanche", "bit", "round", "heat", grid=[[0.0, 0.5, None], [0.25, 0.5, 0.5]])


def experiment(name: str) -> Experiment:
    return replace(
        example.EXPERIMENT,
        name=name,
        question=f"Is {name} so?",
        covers={"small": "a little", "paper": "more", "full": "all"},
    )


def result(name: str, scale: Scale, tables: Sequence[Table], *pictures: Plot) -> results.Result:
    found = Findings(list(tables), list(pictures), ["A *remark*."], {"raw": [1, 2]})
    return results.Result(name, scale, 7, "", "abc", "2026-11-22", {}, COST, found)


class Case(unittest.TestCase):
    """With a folder of results, a folder for the page, and three experiments."""

    def setUp(self) -> None:
        place = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.results, self.out = place / "results", place / "docs"
        self.results.mkdir()
        known = {name: experiment(name) for name in ("first-one", "second", "third")}
        self.enterContext(mock.patch.object(experiments, "names", lambda: list(known)))
        self.enterContext(mock.patch.object(experiments, "find", known.__getitem__))

    def keep(self, name: str, scale: Scale, tables: Sequence[Table], *pictures: Plot) -> Path:
        return results.write(self.results, result(name, scale, tables, *pictures))

    def page(self, name: str = "first-one") -> str:
        report.render(self.results, self.out)
        return (self.out / "lab" / f"{name}.md").read_text(encoding="utf-8")


def rows(page: str) -> list[list[str]]:
    """The cells of all rows of tables."""
    lines = [line for line in page.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]


class Page(Case):
    def test_every_kind_of_cell(self) -> None:
        cells = [
            same("equal", "15.42", "15.42"),
            within("estimate", "1", "0.98 (0.95 to 1.01)", True, "an interval"),
            Cell("other", "2^-57.3", "2^-60", False, "a misprint"),
            Cell("another", "3", "4", False, "a misprint"),
            Cell("elsewhere", "2^51", "-", None, "out of reach"),
            ours("new", "116.83"),
        ]
        self.keep("first-one", "paper", [Table("Figures", cells, "[Twofish99, table 7.1]")])
        page = self.page()
        self.assertEqual(
            rows(page)[-6:],
            [
                ["equal", "15.42", "15.42", "yes"],
                ["estimate", "1", "0.98 (0.95 to 1.01)", "yes (1)"],
                ["other", "2<sup>-57.3</sup>", "2<sup>-60</sup>", "**no** (2)"],
                ["another", "3", "4", "**no** (2)"],
                ["elsewhere", "2<sup>51</sup>", "-", "not comparable (3)"],
                ["new", "", "116.83", "no figure"],
            ],
        )
        self.assertIn("\n1. an interval\n2. a misprint\n3. out of reach\n", page)
        self.assertIn("**Figures** [Twofish99, table 7.1]", page)
        self.assertIn("\n**5 published figures: 2 agree, 2 not, 1 not comparable.**\n", page)

    def test_index_counts_and_says_what_differs(self) -> None:
        wrong = [Cell("other", "2^-57.3", "2^-60", False, "a misprint")]
        wrong += [Cell("another", "3", "4", False, "a misprint")]
        cells = [same("a", "1", "1"), *wrong, Cell("b", "2^51", "-", None, "out of reach")]
        self.keep("first-one", "paper", [Table("Figures", cells)])
        page = " ".join(self.page("README").split())
        total = "Of 4 published figures and claims in these pages, 1 agree with ours. Of the others"
        self.assertIn(total, page)
        self.assertIn("2 differ, 1 cannot be compared. [What differs", page)
        self.assertIn("- *No*: [first-one](first-one.md), other: published 2<sup>-57.3", page)
        self.assertIn("- *Not comparable*: [first-one](first-one.md), b: published 2<sup>51", page)
        self.assertIn("ours 2<sup>-60</sup>; another: published 3, ours 4. a misprint", page)

    def test_claims_of_one_figure_of_many_and_of_none(self) -> None:
        many = [same(str(i), str(i), str(i)) for i in range(3)]
        wrong = Cell("x", "1", "2", False, "why")
        open_ = Cell("x", "1", "2", None, "why")
        self.keep("first-one", "paper", [Table("One", [same("a", "4", "4")], "[TR2]")])
        tables = [
            Table("Many", many),
            Table("Wrong", [*many, wrong, open_]),
            Table("Open", [*many, open_]),
            Table("Own", [ours("a", "9")]),
        ]
        self.keep("second", "small", tables)
        claims = rows(self.page("README"))[5:10]
        self.assertEqual(claims[0], ["[first-one](first-one.md)", "One", "TR2", "4", "4", "yes"])
        self.assertEqual(claims[1][3:], ["3 figures", "all agree", "yes"])
        self.assertEqual(claims[2][3:], ["5 figures", "3 agree, 1 not, 1 not comparable", "**no**"])
        self.assertEqual(
            claims[3][3:], ["4 figures", "3 agree, 1 not comparable", "not comparable"]
        )
        self.assertEqual(claims[4], ["[third](third.md)", "Is third so?", "", "", "not run", ""])

    def test_claims_without_published_figures(self) -> None:
        own = [Table("Own", [ours("a", "9")]), Table("More", [ours("a", "9"), ours("b", "9")])]
        self.keep("first-one", "paper", own)
        claims = rows(self.page("README"))[5:7]
        self.assertEqual(claims[0][1:], ["Own", "", "", "9", "no figure"])
        self.assertEqual(claims[1][1:], ["More", "", "", "2 figures", "no figure"])

    def test_facts_of_a_run(self) -> None:
        self.keep("first-one", "paper", [])
        page = self.page()
        self.assertIn("- Command: `manyfish-lab run first-one --scale paper`; seed 1998\n", page)
        self.assertIn("- Scale paper: more\n", page)
        self.assertIn("67 min of processor time in 12 tasks, 75 s with 2 workers on a proc", page)
        self.assertIn("- Scale full, which was not run: all\n", page)
        self.assertIn("- A *remark*.\n", page)
        self.assertNotIn("**Not run yet**", page)
        second = self.page("second")
        self.assertIn("## What was asked\n\nIs second so?\n", second)
        self.assertEqual(second.count("**Not run yet**"), 1)

    def test_scale_that_is_no_more(self) -> None:
        gone = replace(experiment("first-one"), covers={"small": "a little"})
        self.keep("first-one", "paper", [])
        with mock.patch.object(experiments, "find", lambda name: gone):
            self.assertIn("- Scale paper: of an earlier version\n", self.page())

    def test_largest_scale_counts(self) -> None:
        for scale in ("paper", "small"):
            self.keep("first-one", scale, [Table("T", [ours("a", scale)])])
        self.assertIn("| a      | paper |", self.page())

    def test_special_characters(self) -> None:
        text = r"a|b <c> d_e *f* `g` [h](i) j~k $l$ \m & n"
        plot = replace(BARS, title=text, x_label=text)
        self.keep("first-one", "paper", [Table(text, [same(text, text, text)])], plot)
        page = self.page()
        shown = r"a\|b &lt;c> d\_e \*f\* \`g\` [h]\(i) j\~k &#36;l&#36; \\m &amp; n"
        self.assertEqual(rows(page)[-1], [shown, shown, shown, "yes"])
        self.assertIn(f"**{shown}**", page)
        picture = re.search(r"^!\[([^]]*)\]\(first-one-bars.svg\)$", page, re.MULTILINE)
        self.assertIsNotNone(picture)
        drawn = ElementTree.parse(self.out / "lab" / "first-one-bars.svg")
        self.assertEqual(drawn.findtext(f"{SVG}title"), text)

    def test_long_tables_keep_what_is_published(self) -> None:
        known = [same(str(i), "7", "7") for i in range(section.LONG_TABLE)]
        self.keep("first-one", "paper", [Table("T", [*known, ours("x", "a figure of ours")])])
        self.assertNotIn("a figure of ours", self.page())
        self.assertIn("[first-one.paper.json](../../lab/results/first-one.paper.json)", self.page())
        self.assertEqual(len(rows(self.page())), 1 + section.LONG_TABLE)
        self.keep("first-one", "paper", [Table("T", [*known[1:], ours("x", "a figure of ours")])])
        self.assertIn("a figure of ours", self.page())

    def test_long_tables_of_ours_are_in_the_results(self) -> None:
        own = [ours(str(i), "1", "a reason") for i in range(section.LONG_TABLE + 1)]
        self.keep("first-one", "paper", [Table("Long", own)])
        self.assertIn("**Long**: 17 figures, in [first-one.paper.json]", self.page())
        self.assertEqual(rows(self.page()), [])
        self.keep("first-one", "paper", [Table("Short", own[1:])])
        self.assertEqual(rows(self.page())[0], ["figure", "ours"])
        self.assertEqual(rows(self.page())[1], ["1", "1 (1)"])
        self.assertIn("\n1. a reason\n", self.page())

    def test_numbers_stand_right(self) -> None:
        cells = [same("a", "4294967295", "4294967295"), same("b", "0123", "0123")]
        self.keep("first-one", "paper", [Table("T", cells)])
        self.assertEqual(rows(self.page())[-2][1:3], ["4,294,967,295", "4,294,967,295"])
        self.assertEqual(rows(self.page())[-1][1:3], ["0123", "0123"])
        cells = [same("a", "15.4", "15.4"), same("b", "1.3", "1.3")]
        self.keep("first-one", "paper", [Table("T", cells)])
        self.assertIn("| b      |       1.3 |  1.3 | yes    |\n", self.page())
        self.assertIn("|--------|----------:|-----:|--------|\n", self.page())

    def test_not_run(self) -> None:
        self.keep("second", "paper", [])
        self.assertIn("Nothing differs.", self.page("README"))
        self.assertIn("**Not run yet**", self.page())

    def test_lines_are_short(self) -> None:
        self.keep("first-one", "paper", [Table("T", [Cell("a", "1", "2", False, "why " * 90)])])
        for name in ("README", "running", "first-one"):
            prose = [line for line in self.page(name).splitlines() if line[:1] not in ("|", "!")]
            self.assertLessEqual(max(map(len, prose)), markdown.WIDTH)


class Times(Case):
    """The gain of more workers, and the time of many cores."""

    def setUp(self) -> None:
        super().setUp()
        runs = [
            scaling.Run("first-one", "paper", replace(COST, workers=n, wall_seconds=wall))
            for n, wall in ((1, 4080.0), (2, 2060.0))
        ]
        scaling.write(self.results, scaling.Scaling("2026-11-22", {}, runs, 0.002))

    def sample(self, name: str, scale: Scale = "full") -> None:
        cost.write(self.results, cost.Sample(name, scale, 1 << 20, [2.0, 4.0], "a", "", {}))

    def test_workers(self) -> None:
        found = rows(self.page("running"))
        self.assertIn(
            ["first-one", "paper", "12", "1", "67 min", "68 min", "1.00 times", "98%"], found
        )
        self.assertIn(
            ["first-one", "paper", "12", "2", "67 min", "34 min", "1.98 times", "97%"], found
        )
        self.assertIn("A task that does nothing takes 2.0 ms", self.page("running"))

    def test_cost(self) -> None:
        self.assertNotIn("## What would need a cluster", self.page("running"))
        self.sample("first-one")
        page = self.page("running")
        self.assertIn("kept at work by tasks of 2.0 s or more", page)
        link = "[first-one](first-one.md), full"
        times = ["1,048,576", "3.0 s (2 samples)", "19 days", "54 min"]
        self.assertIn([link, "all", *times], rows(page))

    def test_cost_beside_a_run(self) -> None:
        self.sample("first-one", "paper")
        run = result("first-one", "paper", [])
        some = replace(COST, tasks=(1 << 20) - 1, wall_seconds=86400.0 * 10)
        results.write(self.results, replace(run, cost=some))
        self.assertNotIn("## The model and the runs", self.page("running"))
        results.write(self.results, replace(run, cost=replace(some, tasks=1 << 20)))
        page = self.page("running")
        self.assertNotIn("## What would need a cluster", page)
        times = ["1,048,576", "3.0 s (2 samples)", "2", "19 days", "10 days", "1.88"]
        self.assertIn(["[first-one](first-one.md), paper", *times], rows(page))

    def test_sample_of_no_experiment(self) -> None:
        self.sample("fourth")
        with self.assertRaisesRegex(LabError, "fourth"):
            self.page()

    def test_durations(self) -> None:
        for seconds, text in (
            (0.0042, "4.2 ms"), (0.25, "250 ms"), (1, "1.0 s"), (99, "99 s"), (100, "1.7 min"),
            (5999, "100 min"), (6000, "1.7 h"), (3600 * 47, "47 h"), (3600 * 48, "2.0 days"),
            (86400 * 700, "1.9 years"), (86400 * 365250, "1,000.0 years"),
        ):  # fmt: skip
            self.assertEqual(markdown.duration(seconds), text)


class Refused(Case):
    """The cases that end in a sentence and not in a page."""

    def assert_says(self, *words: str) -> None:
        with self.assertRaises(LabError) as caught:
            report.render(self.results, self.out)
        for word in words:
            self.assertIn(word, str(caught.exception))
        self.assertTrue(caught.exception.hint)

    def test_difference_without_a_reason(self) -> None:
        with self.assertRaises(UnexplainedError):
            same("a", "1", "2")
        path = self.keep("first-one", "paper", [Table("T", [same("a", "1", "2", "why")])])
        path.write_text(path.read_text().replace('"why": "why"', '"why": ""'))
        self.assert_says("first-one.paper.json", "nothing says why")

    def test_broken_json(self) -> None:
        path = self.keep("first-one", "paper", [])
        whole = path.read_text()
        for broken in (
            "",
            "{",
            "[]",
            "{}",
            whole[: len(whole) // 2],
            whole.replace("cost", "coat"),
        ):
            with self.subTest(broken[:20]):
                path.write_text(broken)
                self.assert_says("first-one.paper.json")

    def test_no_folder(self) -> None:
        self.results = self.results / "missing"
        self.assert_says("missing")

    def test_no_results(self) -> None:
        self.assert_says("there are no results in")
        self.assertFalse(self.out.exists())

    def test_unknown_experiment(self) -> None:
        self.keep("fourth", "paper", [])
        self.assert_says("fourth")

    def test_page_that_cannot_be_written(self) -> None:
        self.keep("first-one", "paper", [])
        self.out.write_text("a file where the folder should be")
        self.assert_says(str(self.out))
        self.out.unlink()
        (self.out / "lab" / "README.md").mkdir(parents=True)
        self.assert_says("README.md")

    def test_grid_without_values(self) -> None:
        large: list[list[float | None]] = [[0.0] * 129] * 128
        wrong: list[list[list[float | None]]] = [[], [[]], [[None]], [[1.0], [1.0, 2.0]], large]
        for grid in wrong:
            with self.subTest(rows=len(grid)):
                self.keep("first-one", "paper", [], replace(HEAT, grid=grid))
                self.assert_says("first-one", "heat")


class Stale(Case):
    def setUp(self) -> None:
        super().setUp()
        self.keep("first-one", "paper", [Table("T", [same("a", "1", "1")])], BARS, LINES, HEAT)
        report.render(self.results, self.out)
        self.bars = self.out / "lab" / "first-one-bars.svg"

    def stale(self) -> list[str]:
        return report.stale(self.results, self.out)

    def test_fresh(self) -> None:
        self.assertEqual(self.stale(), [])

    def test_page_changed_by_hand(self) -> None:
        page = self.out / "lab" / "first-one.md"
        page.write_text(page.read_text().replace(" 1 |", " 2 |"))
        self.assertEqual(self.stale(), ["lab/first-one.md"])

    def test_new_result(self) -> None:
        self.keep("second", "paper", [], BARS)
        self.assertEqual(self.stale(), ["lab/README.md", "lab/second-bars.svg", "lab/second.md"])

    def test_pictures_missing_and_left_over(self) -> None:
        self.bars.rename(self.bars.with_name("old.svg"))
        self.assertEqual(self.stale(), ["lab/first-one-bars.svg", "lab/old.svg"])
        report.render(self.results, self.out)
        self.assertEqual(self.stale(), [])
        self.assertFalse(self.bars.with_name("old.svg").exists())

    def test_pages_left_over_and_pages_of_others(self) -> None:
        folder = self.bars.parent
        (folder / "first-one.md").rename(folder / "gone.md")
        (folder / "notes.md").write_text("mine")
        self.assertEqual(self.stale(), ["lab/first-one.md", "lab/gone.md"])
        report.render(self.results, self.out)
        self.assertFalse((folder / "gone.md").exists())
        self.assertTrue((folder / "notes.md").exists())

    def test_picture_changed_by_hand(self) -> None:
        text = self.bars.read_text()
        moved = re.sub(
            r"(\d+\.)(\d\d)(?= L)", lambda match: f"{match[1]}{(int(match[2]) + 50) % 100:02}", text
        )
        for changed in (moved, text.replace("15.42", "15.43"), text[:-10], ""):
            self.assertNotEqual(changed, text)
            self.bars.write_text(changed)
            self.assertEqual(self.stale(), ["lab/first-one-bars.svg"])

    def test_other_rounding_is_the_same_picture(self) -> None:
        text = self.bars.read_text()
        place = re.search(r"\d+\.\d[1-8](?= L)", text)
        assert place
        near = f"{float(place[0]) + 0.01:.2f}"
        self.bars.write_text(text[: place.start()] + near + text[place.end() :])
        self.assertEqual(self.stale(), [])

    def test_other_version_of_matplotlib(self) -> None:
        text = re.sub(r"matplotlib [\d.]+", "matplotlib 3.9.9", self.bars.read_text())
        self.bars.write_text(text.replace("px", "em"))
        self.assertEqual(self.stale(), [])
        self.keep("first-one", "paper", [], replace(BARS, title="Another"), LINES, HEAT)
        self.assertIn("lab/first-one-bars.svg", self.stale())


PARSERS: dict[str, Callable[[str], object]] = {
    "string": str,
    "integer": int,
    "number": float,
    "date": date.fromisoformat,
}


class Export(Case):
    """Results as CSV, and pictures for papers."""

    def setUp(self) -> None:
        super().setUp()
        cells = [same("a", "1", "1"), within("b, c", "2", "3", False, 'a "reason"')]
        table = Table("Figures", [*cells, ours("d", "4")], "[Twofish98]")
        self.keep("first-one", "paper", [table], BARS, HEAT)

    def package(self) -> dict[str, list[dict[str, object]]]:
        """Each file by the types of its schema."""
        export.write(self.results, self.out)
        package = json.loads((self.out / "datapackage.json").read_text(encoding="utf-8"))
        return {each["name"]: self.parsed(each) for each in package["resources"]}

    def parsed(self, resource: dict[str, Any]) -> list[dict[str, object]]:
        fields = resource["schema"]["fields"]
        with (self.out / resource["path"]).open(encoding="utf-8", newline="") as file:
            rows = csv.DictReader(file)
            self.assertEqual(rows.fieldnames, [field["name"] for field in fields])
            return [{field["name"]: self.value(field, row) for field in fields} for row in rows]

    def value(self, field: dict[str, Any], row: dict[str, str]) -> object:
        text = row[field["name"]]
        self.assertIn(text, field.get("constraints", {}).get("enum", [text]))
        return PARSERS[field["type"]](text) if text else None

    def test_every_figure_and_point(self) -> None:
        package = self.package()
        (run,) = package["runs"]
        self.assertEqual((run["seed"], run["tasks"], run["cpu_seconds"]), (7, 12, 4000.0))
        figures = [(row["figure"], row["agrees"], row["why"]) for row in package["figures"]]
        self.assertEqual(
            figures, [("a", "yes", None), ("b, c", "no", 'a "reason"'), ("d", "no figure", None)]
        )
        points = [(row["x"], row["y"]) for row in package["points"]]
        self.assertEqual(points, [point for line in BARS.series.values() for point in line])
        self.assertEqual([row["value"] for row in package["cells"]], [*HEAT.grid[0], *HEAT.grid[1]])

    def test_refused(self) -> None:
        self.out.write_text("a file where the folder should be")
        with self.assertRaisesRegex(LabError, "docs"):
            export.write(self.results, self.out)
        with self.assertRaisesRegex(LabError, "docs"):
            report.picture("first-one", BARS, "png", self.out)

    def test_pictures_for_papers(self) -> None:
        for kind, head in (("pdf", b"%PDF"), ("png", b"\x89PNG"), ("svg", b"<svg")):
            path = report.picture("first-one", BARS, kind, self.out)
            self.assertEqual(path.name, f"first-one-bars.{kind}")
            once = path.read_bytes()
            self.assertTrue(once.startswith(head))
            report.picture("first-one", BARS, kind, self.out)
            self.assertEqual(path.read_bytes(), once)


class Pictures(unittest.TestCase):
    def drawn(self, plot: Plot) -> ElementTree.Element:
        return ElementTree.fromstring(plots.svg(plot))

    def words(self, plot: Plot) -> list[str]:
        return [element.text or "" for element in self.drawn(plot).iter(f"{SVG}text")]

    def test_words_for_those_who_do_not_see(self) -> None:
        for plot, said in (
            (BARS, "128 bits: 8: 15.42, 10: 1.33."),
            (LINES, "ours: 1: 0, 2: 5, 300: 10⁹."),
            (HEAT, "2 rows of 3 values from 0 to 0.5."),
        ):
            with self.subTest(plot.kind):
                drawn = self.drawn(plot)
                self.assertEqual(drawn.findtext(f"{SVG}title"), style.raised(plot.title))
                self.assertIn(said, drawn.findtext(f"{SVG}desc") or "")

    def test_every_colour_has_one_for_dark_pages(self) -> None:
        everything = {f"series {i}": [(x, 1 + x * i) for x in range(3)] for i in range(6)}
        for plot in (BARS, LINES, replace(LINES, series=everything)):
            text = plots.svg(plot)
            used = set(re.findall("#[0-9a-f]{6}", text[text.index("</style>") :]))
            self.assertLessEqual(used, set(style.DARK))
        self.assertEqual(len(style.DARK), len(set(style.DARK.values())))

    def test_published_series_are_marked(self) -> None:
        self.assertIn("published, 128 bits", self.words(BARS))
        self.assertNotIn(f"stroke: {style.SERIES[1][0]}", plots.svg(BARS).partition("</style>")[2])
        # Where it is the partner of none of ours it has hollow bars.
        alone = replace(BARS, series={"a": [(8, 1)], "b": [(8, 2)], "published": [(8, 3)]})
        self.assertRegex(plots.svg(alone), f'style="fill: none; stroke: {style.NOTE}')

    def test_logarithmic_axes(self) -> None:
        for kind in ("bars", "lines"):
            drawn = self.words(replace(LINES, kind=kind, log_y=True, log_x=True))
            self.assertIn("10⁸", drawn)
            self.assertIn("300", drawn)
            small = replace(LINES, kind=kind, log_y=True, series={"ours": [(1, 0.001), (2, 1)]})
            self.assertIn("0.001", self.words(small))
            self.assertNotIn("0", drawn)

    def test_names_below_bars_and_beside_them(self) -> None:
        values = [(float(i), i + 1.0) for i in range(3)]
        for names in (["a", "b", "c"], [f"a long name, the {i}." * 3 for i in range(3)]):
            plot = replace(BARS, series={"ours": values}, x_names=names)
            self.assertEqual([word for word in self.words(plot) if word in names], names)
            self.assertIn(f"{names[1]}: 2", self.drawn(plot).findtext(f"{SVG}desc") or "")

    def test_grid(self) -> None:
        self.assertIn("round", self.words(HEAT))
        blank = HEAT.grid[0]
        whole = replace(HEAT, grid=[[0.0, 0.5, 0.1], HEAT.grid[1]])
        self.assertIsNone(blank[2])
        self.assertNotEqual(plots.svg(HEAT), plots.svg(whole))
        plots.svg(replace(HEAT, grid=[[3.0]]))

    def test_empty_series(self) -> None:
        for kind in ("bars", "lines"):
            self.drawn(replace(BARS, kind=kind, series={"ours": []}))

    def test_same_bytes_in_another_process_and_under_other_settings(self) -> None:
        made = "from test_report import *; import sys; sys.stdout.write(plots.svg(BARS))"
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "matplotlibrc").write_text("font.size: 20\naxes.grid: True\n")
            path = os.pathsep.join([str(Path(__file__).parent), *sys.path])
            settings = {"MPLCONFIGDIR": folder, "PYTHONHASHSEED": "7", "PYTHONPATH": path}
            there = subprocess.check_output(
                [sys.executable, "-c", made], env={**os.environ, **settings}, encoding="utf-8"
            )
        self.assertEqual(there, plots.svg(BARS))

    def test_numbers(self) -> None:
        for value, text in (
            (0, "0"), (0.5, "0.5"), (1234.0, "1,234"), (1e6, "10⁶"), (1e-5, "10⁻⁵"),
            (2.5e9, "2.5·10⁹"), (-3.0, "-3"),
        ):  # fmt: skip
            self.assertEqual(style.number(value), text)
        self.assertEqual(style.raised("2^-8, 2^22.5"), "2⁻⁸, 2^22.5")


class Example(unittest.TestCase):
    """What the page shows as a complete experiment is one."""

    def test_it_runs(self) -> None:
        own = example.EXPERIMENT
        done = [json.loads(json.dumps(own.compute(task))) for task in own.tasks("small")]
        found = own.combine("small", done)
        self.assertEqual([cell.agrees for table in found.tables for cell in table.cells], [True])
        self.assertEqual(sum(found.data["counts"]), 4 * example.KEYS * len(done))
        with self.assertRaises(AssertionError):  # a fault that its figure shows
            more = [[0, *counts] for counts in done]
            self.assertTrue(
                own.combine("small", [row[:-1] for row in more]).tables[0].cells[0].agrees
            )

    def test_the_page_shows_it(self) -> None:
        text = words.adding()
        self.assertIn("EXPERIMENT = Experiment(", text)
        code = text[text.index("```python\n") + 10 : text.rindex("```")]
        self.assertTrue(Path(example.__file__).read_text(encoding="utf-8").endswith(code))


class Explained(unittest.TestCase):
    def test_every_experiment_has_words(self) -> None:
        self.assertEqual(set(explained.EXPLAINED), set(experiments.names()))


class Committed(unittest.TestCase):
    """The pages, the pictures and the results that are in the repository."""

    def setUp(self) -> None:
        if not (ROOT / "docs" / "references.md").exists():
            self.skipTest("this is no checkout")

    def test_every_claim_has_its_figures(self) -> None:
        of = {each.experiment: each for each in results.read_all(ROOT / "lab" / "results")}
        page = list(findings.page(of))
        heads = [line for line in page if line.startswith("## ")]
        self.assertEqual(len(heads), len(findings.FINDINGS))
        self.assertNotIn("{", "".join(page))
        with self.assertRaisesRegex(LabError, "mds . How often . byte, which 8 figures"):
            findings.figure(of, "mds", "How often", "byte")

    def test_pages_are_those_of_the_results(self) -> None:
        if not (ROOT / "lab" / "results").is_dir():
            self.skipTest("nothing has been run yet")
        self.assertEqual(report.stale(ROOT / "lab" / "results", ROOT / "docs"), [])

    def test_sources_are_known(self) -> None:
        text = (ROOT / "docs" / "references.md").read_text(encoding="utf-8")
        known = set(re.findall(r"\*\*\[(.+?)\]\*\*", text))
        cited = {
            source for name in experiments.names() for source in experiments.find(name).sources
        }
        for each in results.read_all(ROOT / "lab" / "results"):
            cited |= {table.source for table in each.findings.tables if table.source}
        cited |= {each.known for each in findings.FINDINGS if "[" in each.known}
        for source in sorted(cited):
            with self.subTest(source):
                keys = KEY.findall(source)
                self.assertTrue(keys)
                self.assertLessEqual(set(keys), known)


if __name__ == "__main__":
    unittest.main()
