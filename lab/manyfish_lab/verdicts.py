# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Verdicts on published figures, by rules that no experiment can loosen.

A figure is judged as it is printed: the source's text beside ours. The experiment's own word counts
only for claims without a figure, such as "none". RULES says in words what the functions do.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from math import exp, factorial
from typing import Literal

from manyfish_lab.experiment import Cell, Experiment, Kind, Table
from manyfish_lab.sbox_tables import in_reach

Verdict = Literal["yes", "close", "in part", "no", "not comparable", "no figure"]

RULES: dict[Verdict, str] = {
    "yes": (
        "our figure equals the published one to the last digit printed. For an estimate the "
        "published figure is within the interval beside ours. For a claim that something does not "
        "exist, a search of all found none"
    ),
    "close": (
        "the figures differ by one in the last digit printed, or by rounding, on a scale of "
        "logarithms; or the source drew a sample, and chance explains the difference"
    ),
    "in part": "what we computed agrees, and is a part of what is claimed",
    "no": "the figures differ",
    "not comparable": "our figure is of something else, and stands there for its size",
    "no figure": "we found none in a source",
}

# Kinds of published cells that are no measurements: they are shown, and not counted.
UNCOUNTED: dict[Kind, str] = {
    "formula": "of a formula",
    "definition": "that define a matrix",
}

NUMBER = re.compile(
    r"(?P<word>about |less than )?(?P<power>2\^)?(?P<value>-?\d+(?:\.\d+)?)(?: \((?P<rest>.+)\))?"
)
INTERVAL = re.compile(r"(-?\d+\.\d+) to (-?\d+\.\d+)")
SHARE = re.compile(r"\((\d+(?:\.\d+)?) %\)")


@dataclass(frozen=True)
class Number:
    """A printed number; logarithms of base 2 are printed as powers or with decimals."""

    value: Decimal
    power: bool
    bound: bool
    interval: tuple[Decimal, Decimal] | None

    @property
    def unit(self) -> Decimal:
        """One in the last digit."""
        exponent = self.value.as_tuple().exponent
        assert isinstance(exponent, int)
        return Decimal(1).scaleb(exponent)

    @property
    def logarithmic(self) -> bool:
        return self.power or self.unit < 1


@dataclass(frozen=True)
class Judged:
    """A cell with its verdict; `why` is the reason for one that is not "yes", or a remark."""

    cell: Cell
    kind: Kind
    verdict: Verdict
    why: str

    @property
    def published(self) -> bool:
        return self.cell.published is not None

    @property
    def counts(self) -> bool:
        """Whether it is a published measurement or claim."""
        return self.published and self.kind not in UNCOUNTED


def of_table(experiment: Experiment, table: Table) -> list[Judged]:
    return judged(table.cells, experiment.kinds.get(table.title, "figure"))


def judged(cells: Sequence[Cell], kind: Kind = "figure") -> list[Judged]:
    """All cells of a table, whose published figures are of one kind."""
    found = []
    for cell in cells:
        verdict, why = of_cell(cell, kind), cell.why
        if kind == "sample" and verdict == "no" and (chance := by_chance(cell, cells)):
            verdict, why = "close", chance
        found.append(Judged(cell, kind, verdict, why))
    return found


def of_cell(cell: Cell, kind: Kind = "figure") -> Verdict:
    """The verdict, as far as it depends on one cell."""
    if cell.published is None:
        return "no figure"
    if kind == "another attack" or cell.agrees is None:
        return "not comparable"
    if cell.published == cell.ours:
        return "yes"
    if not re.search(r"\d", cell.published):
        return of_words(cell)
    published, ours = number(cell.published), number(cell.ours)
    if published is None or ours is None or published.power != ours.power:
        return "no"
    return of_numbers(published, ours)


def of_words(cell: Cell) -> Verdict:
    """A claim without a figure: the experiment knows whether it holds, and of how much."""
    if not cell.agrees:
        return "no"
    share = SHARE.search(cell.ours)
    return "in part" if share and Decimal(share[1]) < 100 else "yes"


def of_numbers(published: Number, ours: Number) -> Verdict:
    if published.bound:
        return "yes" if ours.value < published.value else "no"
    if ours.interval:
        low, high = ours.interval
        half = published.unit / 2
        return "yes" if low - half <= published.value <= high + half else "no"
    if ours.value.quantize(published.unit, ROUND_HALF_UP) == published.value:
        return "yes"
    near = abs(ours.value - published.value) <= published.unit
    return "close" if published.logarithmic and near else "no"


def number(text: str) -> Number | None:
    """A number as cells print it; none where the text says more than that."""
    found = NUMBER.fullmatch(text)
    if not found:
        return None
    ends = INTERVAL.fullmatch(found["rest"] or "")
    return Number(
        value=Decimal(found["value"]),
        power=bool(found["power"]),
        bound=found["word"] == "less than ",
        interval=(Decimal(ends[1]), Decimal(ends[2])) if ends else None,
    )


def by_chance(cell: Cell, cells: Sequence[Cell]) -> str:
    """How chance explains a share that is published of a sample; empty where it does not.

    The sample had at least as many boxes as its rarest share tells.
    """
    published, ours = number(cell.published or ""), number(cell.ours)
    if not published or not ours or not ours.interval:
        return ""
    row = {at: each.published for at, each in enumerate(cells) if each.published}
    at = next(at for at, each in enumerate(cells) if each is cell)
    low, high = map(float, ours.interval)
    if not in_reach(row, at, low, high, float(published.unit) / 2):
        return ""
    total = 2.0 ** max(map(float, row.values()))
    count = round(total * 2.0 ** -float(published.value))
    expected = total * 2.0 ** -float(ours.value)
    likely = 100 * sum(exp(-expected) * expected**n / factorial(n) for n in range(count + 1))
    return (
        f"The published share is {count} of a sample of 2^{max(row.values(), key=float)}. At our "
        f"rate {expected:.2f} are expected, and chance gives {count} or fewer in {likely:.0f} % "
        "of such samples: the figures are compatible"
    )
