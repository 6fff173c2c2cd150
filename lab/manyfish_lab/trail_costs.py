# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The cost of a trail, -log2 of an upper bound of its probability, in a formula.

An active S-box costs BOX, since its probability is 18/256 at most, for every 128-bit key. The
carries of a round cost what `pht_differences.limits` says: whole bits, for uniform T0, T1 and
subkeys.
"""

from __future__ import annotations

from math import ceil, log2

from manyfish_lab.cnf import Formula, Literals
from manyfish_lab.trails import Model, Round

BOX = 8 - log2(18)
# The least carries of a round with 1, 2, 3 active S-boxes, by proofs of `few_boxes`.
LEAST = (12, 4, 2)


def few_boxes(model: Model, boxes: int, carries: int) -> None:
    """Each round has at most this number of active S-boxes, and its carries cost less."""
    for step in model.rounds:
        model.formula.add(-_boxes(model.formula, step)[boxes])
        model.formula.add(-_carries(model.formula, step, carries)[carries - 1])


def below(model: Model, cost: float) -> None:
    """All rounds together cost less than this. LEAST helps the solver."""
    formula, most = model.formula, ceil(cost)
    boxes: Literals = []
    carries: Literals = []
    for step in model.rounds:
        here, there = _boxes(formula, step), _carries(formula, step, most)
        _known(formula, step, here, there)
        boxes = formula.sum_of(boxes, here, int(cost / BOX) + 1)
        carries = formula.sum_of(carries, there, most)
    for n in range(len(boxes) + 1):
        too_many = ceil(cost - BOX * n)
        if too_many <= len(carries):
            formula.add(*(-each[k - 1] for each, k in ((boxes, n), (carries, too_many)) if k > 0))


def least() -> float:
    """The least cost of an active round."""
    return min(BOX * n + carries for n, carries in enumerate((*LEAST, 0), 1))


def _boxes(formula: Formula, step: Round) -> list[int]:
    active = [*step.active[0], *step.active[1]]
    return formula.at_least(active, len(active))


def _carries(formula: Formula, step: Round, most: int) -> list[int]:
    """The largest of the sums of two words' bits."""
    s, u, v = (formula.at_least(word[:-1], most) for word in (step.T[0], *step.F))
    doubled = formula.at_least(step.T[1][:-2], most)
    t = formula.sum_of(doubled, [step.T[1][-2]], most)
    pairs = ((s, t), (s, u), (s, v), (t, v), (doubled, u), (u, v))
    return formula.largest_of([formula.sum_of(x, y, most) for x, y in pairs])


def _known(formula: Formula, step: Round, boxes: Literals, carries: Literals) -> None:
    formula.lower(carries)
    for n, least_carries in enumerate(LEAST, 1):
        for active in (*step.active[0], *step.active[1]):
            formula.add(-active, boxes[n], *carries[least_carries - 1 : least_carries])
