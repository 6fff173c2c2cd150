# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Bounds of many rounds from bounds of a few.

A pattern says which rounds are active: 1 if F has a difference, else 0. Two neighbours are not both
inactive, since all later rounds would be too; and an active round is not alone between inactive
ones, since F is a permutation and its difference stays in the other half.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product


def patterns(rounds: int) -> list[str]:
    """All that a difference can have."""
    each = ("".join(bits) for bits in product("01", repeat=rounds))
    return [pattern for pattern in each if "00" not in pattern and "010" not in pattern]


def bound(rounds: int, of: Mapping[str, float]) -> tuple[float, str]:
    """The least cost of all patterns, and a pattern that has it.

    Each is cut into pieces whose costs are known, in the way that gives the most. Other rounds cost
    nothing, and two pieces may share an inactive round.
    """
    return min((_cut(pattern, of), pattern) for pattern in patterns(rounds))


def _cut(pattern: str, of: Mapping[str, float]) -> float:
    most = [0.0]
    for end in range(1, len(pattern) + 1):
        starts = ((first + (pattern[first] == "0"), first) for first in range(end))
        costs = (
            most[min(before, end - 1)] + of.get(pattern[first:end], 0.0) for before, first in starts
        )
        most.append(max(costs))
    return most[-1]
