# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The page of an experiment: what was asked, what came out, what was published, what it took."""

from __future__ import annotations

from collections.abc import Mapping

from manyfish_lab.experiment import SCALES, Experiment, Plot, Scale, Table
from manyfish_lab.report import explained, words
from manyfish_lab.report.figures import (
    counted,
    noted,
    numbered,
    published,
    reasons,
    shares,
    uncounted,
)
from manyfish_lab.report.markdown import Lines, count, duration, paragraph, plain, table
from manyfish_lab.report.style import raised
from manyfish_lab.results import Result
from manyfish_lab.verdicts import Judged, of_table

RESULTS = "../../lab/results"  # seen from a page of an experiment
LONG_TABLE = 16  # longer tables have on the page only what is published


def page(experiment: Experiment, result: Result | None, done: Mapping[Scale, str]) -> Lines:
    """All of an experiment; None if it has not been run. done: how far scales in pieces are."""
    said = explained.of(experiment)
    yield f"# {said.title}"
    yield ""
    yield words.MADE
    yield ""
    yield f"[All experiments](README.md) / `{experiment.name}`"
    yield ""
    yield from _part("What was asked", said.asked)
    yield from _part("What came out", said.found)
    if result:
        yield from totals(experiment, result)
        for plot in result.findings.plots[:1]:
            yield from picture(experiment.name, plot)
    yield from _part("How it is computed", experiment.method)
    yield from facts(experiment, result, done)
    if result:
        yield from _results(experiment, result)


def _part(title: str, text: str) -> Lines:
    yield from (f"## {title}", "", paragraph(text), "")


def _results(experiment: Experiment, result: Result) -> Lines:
    tables = [(each, of_table(experiment, each)) for each in result.findings.tables]
    claims = [(each, cells) for each, cells in tables if published(cells)]
    own = [(each, cells) for each, cells in tables if not published(cells)]
    if claims:
        yield from ("## Published and ours", "")
    for each, cells in claims:
        yield from beside_published(each, cells)
    if own or result.findings.plots[1:]:
        yield from ("## More that we found", "")
    for each, cells in own:
        yield from found(each, cells, experiment, result)
    for plot in result.findings.plots[1:]:
        yield from picture(experiment.name, plot)
    if result.findings.remarks:
        yield from ("## Notes", "")
    yield from (paragraph(remark, "- ", "  ") for remark in result.findings.remarks)


def totals(experiment: Experiment, result: Result) -> Lines:
    """How many published figures agree."""
    cells = [cell for each in result.findings.tables for cell in of_table(experiment, each)]
    said = []
    if known := counted(cells):
        said.append(f"**{count(len(known), 'published figure')}: {shares(known)}.**")
    if also := uncounted(cells):
        said.append(f"Not counted: {', '.join(also)}.")
    if said:
        yield " ".join(said)
        yield ""


def facts(experiment: Experiment, result: Result | None, done: Mapping[Scale, str]) -> Lines:
    yield f"- Sources: {', '.join(experiment.sources) or 'none'}"
    scale = result.scale if result else scales(experiment)[-1]
    seed = "nothing is random" if experiment.seed is None else f"seed {experiment.seed}"
    covers = experiment.covers.get(scale, "of an earlier version")
    yield paragraph(f"Scale {scale}: {plain(covers)}", "- ", "  ")
    commit = f"; commit {result.commit}" if result and result.commit else ""
    yield f"- Command: `manyfish-lab run {experiment.name} --scale {scale}`; {seed}{commit}"
    yield paragraph(f"Cost: {spent(result)}" if result else "**Not run yet**", "- ", "  ")
    if result:
        yield f"- Every figure, with raw counts: {_file(experiment, result)}"
    for other in scales(experiment):
        if SCALES.index(other) > SCALES.index(scale):
            far = f"of which {done[other]} are done" if other in done else "which was not run"
            text = f"Scale {other}, {far}: {plain(experiment.covers[other])}"
            yield paragraph(text, "- ", "  ")
    yield ""


def beside_published(each: Table, judged: list[Judged]) -> Lines:
    """Published figures and ours; in a long table only those that are published."""
    cells = published(judged) if len(judged) > LONG_TABLE else judged
    yield f"**{plain(each.title)}** {each.source}".rstrip()
    yield ""
    notes = [why for why, _ in reasons(cells)]
    rows = [[*_names(one), plain(one.cell.ours), noted(one, notes)] for one in cells]
    yield from table(["figure", "published", "ours", "agrees"], rows)
    yield from numbered(notes)


def _names(one: Judged) -> list[str]:
    return [plain(one.cell.what), plain(one.cell.published or "")]


def found(each: Table, cells: list[Judged], experiment: Experiment, result: Result) -> Lines:
    """Figures that nobody has published; of a long table only where they are."""
    if len(each.cells) > LONG_TABLE:
        many = count(len(each.cells), "figure")
        yield f"**{plain(each.title)}**: {many}, in {_file(experiment, result)}."
        yield ""
        return
    yield f"**{plain(each.title)}** {each.source}".rstrip()
    yield ""
    notes = [why for why, _ in reasons(cells)]
    rows = [[plain(one.cell.what), plain(one.cell.ours) + _mark(one, notes)] for one in cells]
    yield from table(["figure", "ours"], rows)
    yield from numbered(notes)


def _mark(one: Judged, notes: list[str]) -> str:
    return f" ({notes.index(one.why) + 1})" if one.why else ""


def _file(experiment: Experiment, result: Result) -> str:
    name = f"{experiment.name}.{result.scale}.json"
    return f"[{name}]({RESULTS}/{name})"


def scales(experiment: Experiment) -> list[Scale]:
    return [scale for scale in SCALES if scale in experiment.covers]


def spent(result: Result) -> str:
    cost = result.cost
    return (
        f"{duration(cost.cpu_seconds)} of processor time in {count(cost.tasks, 'task')}, "
        f"{duration(cost.wall_seconds)} with {count(cost.workers, 'worker')} on {cost.processor}, "
        f"{result.date}"
    )


def picture(name: str, plot: Plot) -> Lines:
    yield f"![{alternative(plot)}]({file_of(name, plot)})"
    yield ""


def alternative(plot: Plot) -> str:
    """The text for readers without the picture, which itself has all of it in words."""
    series = f" ({', '.join(plot.series)})" if plot.series else ""
    text = raised(f"{plot.title}: {plot.y_label} by {plot.x_label}{series}")
    return plain(text).translate(str.maketrans("[]", "()"))


def file_of(name: str, plot: Plot) -> str:
    return f"{name}-{plot.name}.svg"
