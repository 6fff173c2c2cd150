# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The page as a whole: all claims, what differs, and a section for each experiment."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain

from manyfish_lab import experiments
from manyfish_lab.experiment import Cell
from manyfish_lab.report import words
from manyfish_lab.report.figures import claim, differing, published, reasons, told
from manyfish_lab.report.markdown import Lines, count, paragraph, plain, table
from manyfish_lab.report.section import section
from manyfish_lab.results import Result


class Page:
    """The page of some results, of each experiment one."""

    def __init__(self, found: Sequence[Result], times: Sequence[str] = ()) -> None:
        self.of = {result.experiment: result for result in found}
        self.times = times

    def text(self) -> str:
        parts = (
            [words.HEAD],
            self.totals(),
            [words.RUN],
            self.summary(),
            self.differences(),
            ["## The experiments", ""],
            *(section(experiments.find(name), self.of.get(name)) for name in experiments.names()),
            self.times,
        )
        text = re.sub(r"\n{3,}", "\n\n", "\n".join(chain.from_iterable(parts)))
        return f"{text.rstrip()}\n\n{words.adding()}"

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
            f"Of {count(len(known), 'published figure')} on this page, {agree:,} agree with ours."
        ]
        if wrong:
            why = "[What differs, and why](#what-differs-and-why) has each of them"
            said.append(f"{wrong:,} {'does' if wrong == 1 else 'do'} not: {why}.")
        if left := len(known) - agree - wrong:
            said.append(f"{left:,} could not be compared, and a note says why.")
        said.append(f"{count(len(cells) - len(known), 'figure')} of ours no source at hand has.")
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
        link = f"[{name}](#{name})"
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
                    yield paragraph(f"[{name}](#{name}), {told(cells)}. {plain(why)}", "- ", "  ")
        yield "Nothing differs." if none else ""
        yield ""

    def _in_order(self) -> list[tuple[str, Result]]:
        return [(name, self.of[name]) for name in experiments.names() if name in self.of]
