# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The contract between an experiment and what runs and reports it.

An experiment is a module of `manyfish_lab.experiments` with one `Experiment`. It says which tasks a
scale has, computes one task, and combines what all tasks gave into figures beside those of the
sources. Where tasks run, in which order, and what was kept from an earlier run, it does not know.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

Scale = Literal["small", "paper", "full"]
SCALES: tuple[Scale, ...] = ("small", "paper", "full")

# Kinds of published figures. Those of a "sample" are estimates as ours are; a
# "formula" or a "definition" is no measurement; "another attack" than ours cannot be compared.
Kind = Literal["figure", "sample", "formula", "definition", "another attack"]

# The values that JSON can hold: tasks and results travel between processes and are kept as text.
Json = Any
Task = dict[str, Json]


class UnexplainedError(ValueError):
    """A figure differs from its source, and nobody has said why."""


@dataclass(frozen=True)
class Cell:
    """One figure of a source beside ours.

    what       names the figure, within its table
    published  as the source prints it; None if the source has no such figure
    ours       what was computed, written alike
    agrees     None where nothing is published; whether a claim in words holds. Of figures
               verdicts.py decides by their texts
    why        why they differ, or cannot be compared; never empty where agrees is false
    """

    what: str
    published: str | None
    ours: str
    agrees: bool | None
    why: str = ""

    def __post_init__(self) -> None:
        if self.agrees is False and not self.why:
            raise UnexplainedError(
                f"{self.what}: the source has {self.published}, ours is {self.ours}, "
                "and nothing says why"
            )


def same(what: str, published: str, ours: str, why: str = "") -> Cell:
    """A figure that agrees if it is written alike, digit for digit."""
    return Cell(what, published, ours, published == ours, why)


def within(what: str, published: str, ours: str, inside: bool, why: str = "") -> Cell:
    """An estimate with its interval; it agrees if the published figure is inside."""
    return Cell(what, published, ours, inside, why)


def ours(what: str, value: str, why: str = "") -> Cell:
    """A figure that no source has."""
    return Cell(what, None, value, None, why)


@dataclass(frozen=True)
class Table:
    """Figures that belong together. `source` is a citation of docs/references.md, or empty."""

    title: str
    cells: Sequence[Cell]
    source: str = ""


@dataclass(frozen=True)
class Plot:
    """A picture, as the data that it is drawn from.

    name     of the file, without its ending; unique within the experiment
    kind     bars and lines draw each series over x; heat draws `grid`, rows from the top,
             None is left blank
    series   by name, points (x, y)
    x_names  what stands below the bars in place of numbers; a point's x is its index
    """

    name: str
    title: str
    x_label: str
    y_label: str
    kind: Literal["bars", "lines", "heat"]
    series: Mapping[str, Sequence[tuple[float, float]]] = field(default_factory=dict)
    grid: Sequence[Sequence[float | None]] = ()
    log_x: bool = False
    log_y: bool = False
    x_names: Sequence[str] = ()


@dataclass(frozen=True)
class Findings:
    """The findings of an experiment: remarks are sentences of Markdown, data is for programs."""

    tables: Sequence[Table]
    plots: Sequence[Plot] = ()
    remarks: Sequence[str] = ()
    data: Json = None


@dataclass(frozen=True)
class Pieces:
    """A scale in pieces, which several runs and machines may do.

    count  how many pieces there are; they have equally many tasks, in the order of the tasks
    each   how many things a piece covers
    what   the name of these things
    add    makes one value of those of a piece's tasks; `combine` takes the values of all pieces too
    least  how many of them `combine` needs to say something, 0: all
    """

    count: int
    each: int
    what: str
    add: Callable[[Sequence[Json]], Json]
    least: int = 0


@dataclass(frozen=True)
class Experiment:
    """One question and the way to its answer.

    name      as on the command line
    question  one sentence that ends in a question mark
    method    how it is answered, in a few sentences
    sources   citations of docs/references.md with their section: "[Twofish98, 7.2]"
    covers    what each scale covers; a scale that is missing is the largest smaller one
    tasks     the tasks of a scale; each takes 0.1 to 10 seconds, and equal tasks give equal results
    compute   does one task, on any worker: a function of the module, without state
    combine   takes what the tasks of a scale gave, in their order
    seed      what all random numbers come from, None if there are none
    pieces    the scales that may be run in pieces
    kinds     by the titles of tables, what their published figures are if they are no plain figures
    """

    name: str
    question: str
    method: str
    sources: Sequence[str]
    covers: Mapping[Scale, str]
    tasks: Callable[[Scale], Sequence[Task]]
    compute: Callable[[Task], Json]
    combine: Callable[[Scale, Sequence[Json]], Findings]
    seed: int | None = None
    pieces: Mapping[Scale, Pieces] = field(default_factory=dict)
    kinds: Mapping[str, Kind] = field(default_factory=dict)

    def scale_for(self, asked: Scale) -> Scale:
        """The scale that is run when `asked` is asked for."""
        wanted = SCALES[: SCALES.index(asked) + 1]
        return next(scale for scale in reversed(wanted) if scale in self.covers)
