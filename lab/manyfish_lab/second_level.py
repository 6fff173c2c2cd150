# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The joint result of many p-values: how many are extreme, and whether they are uniform.

The two questions are those of [SP800-22, 4.2].
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from manyfish_lab.chi_square import upper_tail

# A p-value is extreme if it is in the lowest or highest half of this share.
ALPHA = 0.01
# Fewer p-values than these are not asked whether they are uniform: five or six a bin are expected.
LEAST_FOR_UNIFORMITY = 55
BINS = 10


def is_extreme(p: float) -> bool:
    """Whether a test on random data gives such a p-value, at either end, once in 100 times."""
    return p < ALPHA / 2 or p > 1 - ALPHA / 2


def binomial_tail(successes: int, trials: int, p: float) -> float:
    """The probability of at least this many successes."""
    if successes <= 0:
        return 1.0
    logs = [
        math.lgamma(trials + 1)
        - math.lgamma(k + 1)
        - math.lgamma(trials - k + 1)
        + k * math.log(p)
        + (trials - k) * math.log1p(-p)
        for k in range(successes, trials + 1)
    ]
    return min(1.0, math.fsum(map(math.exp, logs)))


def uniformity(p_values: Sequence[float]) -> float | None:
    """The p-value of p-values, by chi-square over ten bins; None if they are too few."""
    if len(p_values) < LEAST_FOR_UNIFORMITY:
        return None
    bins = [0] * BINS
    for p in p_values:
        bins[min(int(p * BINS), BINS - 1)] += 1
    expected = len(p_values) / BINS
    return upper_tail(sum((n - expected) ** 2 / expected for n in bins), BINS - 1)


def most_extreme(count: int) -> float:
    """How many extreme p-values are inside of the range of proportions of [SP800-22, 4.2.1]."""
    return ALPHA * count + 3 * math.sqrt(ALPHA * (1 - ALPHA) * count)


@dataclass(frozen=True)
class Verdict:
    """On the p-values of one statistic over one stream."""

    extreme: int
    count: int
    uniform: float | None

    @property
    def checks(self) -> int:
        return 1 if self.uniform is None else 2

    @property
    def least(self) -> float:
        """The less probable of what was found, were the stream random."""
        tail = binomial_tail(self.extreme, self.count, ALPHA)
        return tail if self.uniform is None else min(tail, self.uniform)


def verdict(p_values: Sequence[float]) -> Verdict:
    return Verdict(sum(map(is_extreme, p_values)), len(p_values), uniformity(p_values))


# --- streams ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Stream:
    """All p-values of one kind, key length and number of rounds, by statistic."""

    kind: str
    key_bits: int
    rounds: int
    p_values: Mapping[str, Sequence[float]]

    @cached_property
    def verdicts(self) -> dict[str, Verdict]:
        return {name: verdict(values) for name, values in self.p_values.items()}

    @property
    def count(self) -> int:
        return sum(v.count for v in self.verdicts.values())

    @property
    def extreme(self) -> int:
        return sum(v.extreme for v in self.verdicts.values())

    @property
    def passed(self) -> float:
        return 1 - self.extreme / self.count

    @property
    def checks(self) -> int:
        return sum(v.checks for v in self.verdicts.values())

    def noticing(self, threshold: float) -> list[str]:
        """The statistics that tell this stream from random data."""
        return [name for name, v in self.verdicts.items() if v.least < threshold]


def gathered(results: Sequence[Mapping[str, Any]]) -> list[Stream]:
    """The streams, each from the tasks of `randomness` that made a part of it."""
    found: dict[tuple[str, int, int], dict[str, list[float]]] = {}
    for result in results:
        task = result["task"]
        p_values = found.setdefault((task["kind"], task["key_bits"], task["rounds"]), {})
        for name, values in result["p_values"].items():
            p_values.setdefault(name, []).extend(values)
    return [Stream(*name, p_values) for name, p_values in found.items()]
