# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The cost of a trail, -log2 of an upper bound of its probability, in a formula.

An active S-box costs what the worst of all keys does. The carries of a round cost units: of
differences what `pht_differences.limits` says, of masks half of what the frequencies of `pht_masks`
do; both for uniform subkeys, which no key length changes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil

from manyfish_lab import pht_masks, worst_boxes
from manyfish_lab.cnf import Formula, Literals
from manyfish_lab.trails import Model, Round


@dataclass(frozen=True)
class Costs:
    """The cost of an S-box and of a unit; `carries` counts a round's units up to a number.

    `least` are the units of a round with 1, 2, .. active S-boxes, proved before.
    """

    box: float
    unit: float
    least: tuple[int, ...]
    carries: Callable[[Formula, Round, int], list[int]]

    def few_boxes(self, model: Model, boxes: int, carries: int) -> None:
        """Each round has at most this number of active S-boxes, and fewer units."""
        for step in model.rounds:
            model.formula.add(-_boxes(model.formula, step)[boxes])
            model.formula.add(-self.carries(model.formula, step, carries)[carries - 1])

    def below(self, model: Model, cost: float) -> None:
        """All rounds together cost less than this. `least` helps the solver."""
        formula, most = model.formula, ceil(cost / self.unit)
        boxes: Literals = []
        carries: Literals = []
        for step in model.rounds:
            here, there = _boxes(formula, step), self.carries(formula, step, most)
            self._known(formula, step, here, there)
            boxes = formula.sum_of(boxes, here, int(cost / self.box) + 1)
            carries = formula.sum_of(carries, there, most)
        for n in range(len(boxes) + 1):
            too_many = max(0, ceil((cost - self.box * n) / self.unit))
            if too_many <= len(carries):
                formula.add(*(-each[k - 1] for each, k in ((boxes, n), (carries, too_many)) if k))

    def cheapest(self) -> float:
        """The least cost of an active round."""
        units = enumerate((*self.least, 0), 1)
        return min(self.box * n + self.unit * carries for n, carries in units)

    def _known(self, formula: Formula, step: Round, boxes: Literals, carries: Literals) -> None:
        formula.lower(carries)
        for n, least in enumerate(self.least, 1):
            for active in (*step.active[0], *step.active[1]):
                formula.add(-active, boxes[n], *carries[least - 1 : least])


def _boxes(formula: Formula, step: Round) -> list[int]:
    active = [*step.active[0], *step.active[1]]
    return formula.at_least(active, len(active))


def of_differences(formula: Formula, step: Round, most: int) -> list[int]:
    """The largest of the sums of two words' bits."""
    s, u, v = (formula.at_least(word[:-1], most) for word in (step.T[0], *step.F))
    doubled = formula.at_least(step.T[1][:-2], most)
    t = formula.sum_of(doubled, [step.T[1][-2]], most)
    pairs = ((s, t), (s, u), (s, v), (t, v), (doubled, u), (u, v))
    return formula.largest_of([formula.sum_of(x, y, most) for x, y in pairs])


def of_masks(formula: Formula, step: Round, most: int) -> list[int]:
    """The units of all four frequencies."""
    return formula.total(step.units, most)


def differences(key_bits: int) -> Costs:
    """For keys of a length."""
    return Costs(worst_boxes.difference_cost(key_bits), 1, (12, 4, 2), of_differences)


def masks(key_bits: int) -> Costs:
    """The same; the first two of the least units are by `mask_bounds`."""
    return Costs(worst_boxes.mask_cost(key_bits), pht_masks.UNIT / 2, (39, 26, 14), of_masks)
