# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The first page: all experiments, all claims, and what differs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from manyfish_lab import experiments
from manyfish_lab.experiment import Cell
from manyfish_lab.report import explained, words
from manyfish_lab.report.figures import claim, differing, published, reasons, told
from manyfish_lab.report.markdown import Lines, count, paragraph, plain, table
from manyfish_lab.results import Result


class Page:
    """The first page of some results, of each experiment one."""

    def __init__(self, found: Sequence[Result]) -> None:
        self.of = {result.experiment: result for result in found}

    def lines(self) -> Lines:
        yield words.HEAD
        yield from self.totals()
        yield words.PAGES
        yield from self.contents()
        yield from self.summary()
        yield from self.differences()

    def contents(self) -> Lines:
        yield from ("## The experiments", "")
        rows = [
            [f"[{explained.of(each).title}]({each.name}.md)", f"`{each.name}`"]
            for each in map(experiments.find, experiments.names())
        ]
        yield from table(["experiment", "its name for the command"], rows)

    def cells(self) -> list[Cell]:
        return [
            cell
            for result in self.of.values()
            for each in result.findings.tables
            for cell in each.cells
        ]

    def totals(self) -> Lines:
        cells = self.cells()
        known, wrong = published(cells), len(differing(cells))
        agree = sum(cell.agrees is True for cell in known)
        said = [
            f"Of {count(len(known), 'published figure')} in these pages, {agree:,} agree with ours."
        ]
        if wrong:
            why = "[What differs, and why](#what-differs-and-why) has each of them"
            said.append(f"{wrong:,} {'does' if wrong == 1 else 'do'} not: {why}.")
        if left := len(known) - agree - wrong:
            said.append(f"{left:,} could not be compared, and a note says why.")
        more = count(len(cells) - len(known), "more figure")
        said.append(f"We computed {more} that we found in no source.")
        yield paragraph(" ".join(said))
        yield ""

    # --- all claims -----------------------------------------------------------------------------

    def summary(self) -> Lines:
        yield "## All claims"
        yield ""
        yield paragraph(words.CLAIMS)
        yield ""
        heads = ["experiment", "what is claimed", "source", "published", "ours", "agrees"]
        rows = list(chain.from_iterable(map(self._claims, experiments.names())))
        yield from table(heads, rows)

    def _claims(self, name: str) -> Iterator[list[str]]:
        link = f"[{name}]({name}.md)"
        if name not in self.of:
            yield [link, plain(experiments.find(name).question), "", "", "not run", ""]
            return
        tables = self.of[name].findings.tables
        for each in [one for one in tables if published(one.cells)] or tables:
            source = each.source.strip("[]").split(",")[0]
            yield [link, plain(each.title), plain(source), *claim(each.cells)]
            link = ""

    def differences(self) -> Lines:
        yield "## What differs, and why"
        yield ""
        none = True
        for name, result in self._in_order():
            for each in result.findings.tables:
                for why, cells in reasons(differing(each.cells)):
                    none = False
                    yield paragraph(f"[{name}]({name}.md), {told(cells)}. {plain(why)}", "- ", "  ")
        yield "Nothing differs." if none else ""
        yield ""

    def _in_order(self) -> list[tuple[str, Result]]:
        return [(name, self.of[name]) for name in experiments.names() if name in self.of]
