# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Makes the pages and pictures of docs/lab/ from what experiments found.

Equal results give equal bytes, so that a test can tell whether the pages are those that belong to
the results. Words that depend on no result are in words.py.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TypeVar

from manyfish_lab import experiments, pieces, results
from manyfish_lab.errors import LabError, writing
from manyfish_lab.experiment import SCALES, Experiment, Plot, Scale
from manyfish_lab.report import findings, plots, times, words
from manyfish_lab.report.page import Page
from manyfish_lab.report.section import file_of, page
from manyfish_lab.results import Result

T = TypeVar("T")

FOLDER = "lab"  # of pages and pictures, below docs/


def files(folder: Path) -> dict[str, str]:
    """The files that belong to the results in a folder: names below docs/, and their text."""
    if not folder.is_dir():
        raise LabError(f"there is no folder {folder}", "name that of the results with --results")
    if not any(folder.glob("*.json")):
        raise LabError(
            f"there are no results in {folder}", "run an experiment first, or name another folder"
        )
    every = results.read_all(folder)
    found = largest(every)
    of = {result.experiment: result for result in found}
    made = {
        "README.md": text(Page(found).lines()),
        "findings.md": text(findings.page(of)),
        "running.md": text([words.run(), *times.sections(folder, every)]),
        "adding.md": words.adding(),
    }
    for name in experiments.names():
        experiment = experiments.find(name)
        made[f"{name}.md"] = text(page(experiment, of.get(name), in_pieces(experiment, folder)))
    for result in found:
        for plot in result.findings.plots:
            made[file_of(result.experiment, plot)] = drawn(result.experiment, plot, plots.svg)
    return {f"{FOLDER}/{name}": content for name, content in made.items()}


def in_pieces(experiment: Experiment, folder: Path) -> dict[Scale, str]:
    """How far the scales are of which pieces are there."""
    there = {scale: len(pieces.found(experiment, scale, folder)) for scale in experiment.pieces}
    return {scale: pieces.how_far(experiment.pieces[scale], n) for scale, n in there.items() if n}


def text(lines: Iterable[str]) -> str:
    """A page, without lines that are empty twice."""
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).rstrip() + "\n"


def drawn(name: str, plot: Plot, draw: Callable[[Plot], T]) -> T:
    try:
        return draw(plot)
    except (ValueError, IndexError, KeyError) as error:
        raise LabError(
            f"{name}: the plot {plot.name} cannot be drawn: {error}",
            "mend it in the experiment, and run that again",
        ) from error


def largest(found: Sequence[Result]) -> list[Result]:
    """Of each experiment the result of its largest scale."""
    known = experiments.names()
    best: dict[str, Result] = {}
    for result in sorted(found, key=lambda each: SCALES.index(each.scale)):
        if result.experiment not in known:
            raise LabError(
                f"there is a result of {result.experiment}, which is no experiment",
                "delete its file from the results",
            )
        best[result.experiment] = result
    return [best[name] for name in known if name in best]


def present(out: Path) -> set[str]:
    """The names of what is there and is ours."""
    pages = [path for path in (out / FOLDER).glob("*.md") if words.MADE in read(path)]
    return {f"{FOLDER}/{path.name}" for path in (*pages, *(out / FOLDER).glob("*.svg"))}


def read(path: Path) -> str:
    """Its text; none if it has none."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""


def stale(folder: Path, out: Path) -> list[str]:
    """The files that `render` would change, add or delete, by their names below `out`."""
    made = files(folder)
    wrong = present(out) - set(made)
    for name, content in made.items():
        old = read(out / name)
        same = plots.same_picture(old, content) if name.endswith(".svg") else old == content
        if not same:
            wrong.add(name)
    return sorted(wrong)


def render(folder: Path, out: Path) -> list[Path]:
    """Writes pages and pictures, deletes those that no result has; says what it wrote."""
    made = files(folder)
    with writing(out / FOLDER):
        for name in present(out) - set(made):
            (out / name).unlink()
        for name, content in made.items():
            (out / name).write_text(content, encoding="utf-8", newline="\n")
    return [out / name for name in sorted(made)]


def picture(name: str, plot: Plot, kind: str, out: Path) -> Path:
    """Writes one plot of an experiment as "pdf", "png" or "svg"; says where."""
    path = (out / file_of(name, plot)).with_suffix(f".{kind}")

    def draw(plot: Plot) -> bytes:
        return plots.svg(plot).encode() if kind == "svg" else plots.printed(plot, kind)

    content = drawn(name, plot, draw)
    with writing(out):
        path.write_bytes(content)
    return path
