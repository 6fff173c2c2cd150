# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The section of an experiment: its question, what it took, its tables and pictures."""

from __future__ import annotations

from manyfish_lab.experiment import SCALES, Experiment, Plot, Scale, Table
from manyfish_lab.report.figures import noted, published, reasons, shares
from manyfish_lab.report.markdown import Lines, count, duration, paragraph, plain, table
from manyfish_lab.report.style import raised
from manyfish_lab.results import Result

FOLDER = "lab"  # of the pictures, beside the page
LONG_TABLE = 16  # a table with more rows can be unfolded


def section(experiment: Experiment, result: Result | None) -> Lines:
    """All of an experiment; None if it has not been run."""
    yield f"### {experiment.name}"
    yield ""
    yield paragraph(f"**{experiment.question}** {experiment.method}")
    yield ""
    yield from facts(experiment, result)
    if result:
        for each in result.findings.tables:
            yield from figures_of(each)
        for plot in result.findings.plots:
            yield picture(experiment.name, plot)
            yield ""
        yield from (paragraph(remark, "- ", "  ") for remark in result.findings.remarks)
        yield ""


def facts(experiment: Experiment, result: Result | None) -> Lines:
    yield f"- Sources: {', '.join(experiment.sources) or 'none'}"
    scale = result.scale if result else scales(experiment)[-1]
    seed = "nothing is random" if experiment.seed is None else f"seed {experiment.seed}"
    covers = experiment.covers.get(scale, "of an earlier version")
    yield paragraph(f"Scale {scale}: {covers}", "- ", "  ")
    yield f"- Command: `manyfish-lab run {experiment.name} --scale {scale}`; {seed}"
    yield paragraph(f"Cost: {spent(result)}" if result else "**Not run yet**", "- ", "  ")
    for other in scales(experiment):
        if SCALES.index(other) > SCALES.index(scale):
            text = f"Scale {other}, which was not run: {experiment.covers[other]}"
            yield paragraph(text, "- ", "  ")
    yield ""


def figures_of(each: Table) -> Lines:
    long = len(each.cells) > LONG_TABLE
    title = f"**{plain(each.title)}** {each.source}".rstrip()
    yield f"<details><summary>{folded(each)}</summary>" if long else title
    yield ""
    notes = [why for why, _ in reasons(each.cells)]
    rows = [
        [plain(cell.what), plain(cell.published or ""), plain(cell.ours), noted(cell, notes)]
        for cell in each.cells
    ]
    yield from table(["figure", "published", "ours", "agrees"], rows)
    for place, why in enumerate(notes, 1):
        yield paragraph(plain(why), f"{place}. ", "   ")
    yield ""
    if long:
        yield "</details>"
        yield ""


def folded(each: Table) -> str:
    """What is seen of a long table before it is unfolded."""
    known = published(each.cells)
    said = f"{len(known):,} published, {shares(known)}" if known else "none published"
    if len(known) == len(each.cells):
        said = shares(known)
    source = f" {each.source}" if each.source else ""
    return f"<b>{plain(each.title)}</b>{source}: {count(len(each.cells), 'figure')}, {said}"


def scales(experiment: Experiment) -> list[Scale]:
    return [scale for scale in SCALES if scale in experiment.covers]


def spent(result: Result) -> str:
    cost = result.cost
    return (
        f"{duration(cost.cpu_seconds)} of processor time in {count(cost.tasks, 'task')}, "
        f"{duration(cost.wall_seconds)} with {count(cost.workers, 'worker')} on {cost.processor}, "
        f"{result.date}"
    )


def picture(name: str, plot: Plot) -> str:
    return f"![{alternative(plot)}]({FOLDER}/{file_of(name, plot)})"


def alternative(plot: Plot) -> str:
    """What to read in place of the picture, which itself has all of it in words."""
    series = f" ({', '.join(plot.series)})" if plot.series else ""
    text = raised(f"{plot.title}: {plot.y_label} by {plot.x_label}{series}")
    return plain(text).translate(str.maketrans("[]", "()"))


def file_of(name: str, plot: Plot) -> str:
    return f"{name}-{plot.name}.svg"
