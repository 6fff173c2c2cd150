# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Fixes the words of some rounds in a formula of trails, for tests of both kinds of them."""

from __future__ import annotations

from collections.abc import Sequence

from manyfish_lab.cnf import Formula
from manyfish_lab.trail_costs import Costs
from manyfish_lab.trails import Model, Step


def fixed(model: Model, costs: Costs, steps: Sequence[Step], cost: float) -> Formula:
    """Whether these rounds cost less."""
    costs.below(model, cost)
    for step, literals in zip(steps, model.rounds):
        for values, words in ((step.R, literals.R), (step.T, literals.T), (step.F, literals.F)):
            for value, word in zip(values, words):
                for i, bit in enumerate(word):
                    model.formula.add(bit if value >> i & 1 else -bit)
    return model.formula
