# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The first page: all experiments, all claims, and what differs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain

from manyfish_lab import experiments
from manyfish_lab.experiment import Table
from manyfish_lab.report import explained, words
from manyfish_lab.report.figures import (
    claim,
    counted,
    differing,
    published,
    reasons,
    told,
    uncounted,
)
from manyfish_lab.report.markdown import Lines, count, paragraph, plain, table
from manyfish_lab.results import Result
from manyfish_lab.verdicts import Judged, Verdict, of_table

# The words of the total for one figure and for several that do not simply agree.
SAID: dict[Verdict, tuple[str, str]] = {
    "close": ("is close", "are close"),
    "in part": ("holds in part", "hold in part"),
    "no": ("differs", "differ"),
    "not comparable": ("cannot be compared", "cannot be compared"),
}


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

    def tables(self, name: str) -> list[tuple[Table, list[Judged]]]:
        """The tables of an experiment that was run, with their verdicts."""
        experiment = experiments.find(name)
        return [(each, of_table(experiment, each)) for each in self.of[name].findings.tables]

    def cells(self) -> list[Judged]:
        return [cell for name in self.of for _, cells in self.tables(name) for cell in cells]

    def totals(self) -> Lines:
        cells = self.cells()
        known = counted(cells)
        agree = sum(cell.verdict == "yes" for cell in known)
        said = [
            f"Of {count(len(known), 'published figure')} and claims in these pages, {agree:,} "
            "agree with ours."
        ]
        of = Counter(cell.verdict for cell in known)
        others = [f"{of[each]:,} {SAID[each][of[each] > 1]}" for each in SAID if of[each]]
        if others:
            why = "[What differs, and why](#what-differs-and-why) has each of them"
            said.append(f"Of the others, {', '.join(others)}. {why}.")
        if also := uncounted(cells):
            said.append(
                f"We do not count {' and '.join(also)}: these are printed figures, "
                "but nobody measured them."
            )
        more = count(sum(not cell.published for cell in cells), "more figure")
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
        tables = self.tables(name)
        for each, cells in [one for one in tables if published(one[1])] or tables:
            source = each.source.strip("[]").split(",")[0]
            yield [link, plain(each.title), plain(source), *claim(cells)]
            link = ""

    def differences(self) -> Lines:
        yield "## What differs, and why"
        yield ""
        none = True
        for name in (each for each in experiments.names() if each in self.of):
            for _, judged in self.tables(name):
                for why, cells in reasons(differing(judged)):
                    none = False
                    verdict = cells[0].verdict
                    yield paragraph(
                        f"*{verdict.capitalize()}*: [{name}]({name}.md), {told(cells)}. "
                        f"{plain(why)}",
                        "- ",
                        "  ",
                    )
        yield "Nothing differs." if none else ""
        yield ""
