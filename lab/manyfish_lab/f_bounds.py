# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The most probable differences through MDS, PHT and key addition, over all outputs of a few bytes.

A word T0 of the difference D has by subtraction each t in S(D) = {sum of +-2^i over the bits i of
D} with equal probability. If T1 has no difference, F0 and F1 get the differences c, e with
probability sum over t in S(D), S(c), S(e) of 2^-(s(D) + s(c) + s(e)), by pht_differences. By
Cauchy's inequality that is largest for c = e. If T0 has none, F1 has 2t, and the same inequality
leaves the geometric mean of what D and 2D have. So one automaton is enough, which subtracts the
digits of c from those of D.

With several D, and weights that are upper bounds of their probabilities, the sum is a bound for all
ways from the difference of an input to that of an output. `largest` finds it by branch and bound.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import combinations, product
from math import log2

import numpy as np
from numpy.typing import NDArray

from manyfish_lab import twofish
from manyfish_lab.gf256 import nonzero_bytes, sums
from manyfish_lab.linear import Map, apply, images, inverse
from manyfish_lab.pht_differences import BITS

Words = NDArray[np.uint32]
Shares = NDArray[np.float64]
Digits = Sequence[tuple[int, float]]  # digits with their weights
CARRIES = (-1, 0, 1)
ONE = np.uint32(1)
# A bit of the target is 0, or 1 with either sign for both words c = e; the highest bit is
# its own negative.
ZERO_BIT: Digits = ((0, 1.0),)
ONE_BIT: Digits = ((1, 1.0),)
BOTH_SIGNS: Digits = ((1, 0.25), (-1, 0.25))


def products(places: Sequence[int]) -> Words:
    """The products of MDS and all words whose bytes in these places are not 0, others are."""
    columns = [[twofish.mds(x << 8 * i) for x in range(1, 256)] for i in places]
    return sums(*(np.array(column, np.uint32) for column in columns)).ravel()


def sizes(words: Words) -> NDArray[np.int64]:
    """s: the bits below the highest."""
    counts: NDArray[np.int64] = np.bitwise_count(words & np.uint32(0x7FFFFFFF)).astype(np.int64)
    return counts


@dataclass(frozen=True)
class Sources:
    """Differences D with a weight each."""

    words: Words
    weights: Shares

    def options(self, i: int) -> tuple[Digits, Digits]:
        """The values of bit i of the target."""
        return ZERO_BIT, ONE_BIT if i == BITS - 1 else BOTH_SIGNS

    def step(self, mass: Shares, words: Words, i: int, bit: Digits) -> Shares:
        """[word, carry]: how much is left if this is bit i of the target."""
        after = np.zeros_like(mass)
        one = (words >> np.uint32(i) & np.uint32(1)).astype(bool)
        for is_one, digits in ((False, ZERO_BIT), (True, _source_digits(i))):
            for digit, share in digits:
                for target, weight in bit:
                    _carry(after, np.where(one == is_one, share * weight, 0), mass, digit - target)
        return after

    @cached_property
    def most(self) -> list[Shares]:
        """[bit][word, carry]: the most that can be left from this bit on.

        A target of t ones has 2^-2t, and 2^t choices of signs at most; each of the 2^s choices of
        the signs of D fits one of them. So 2^-max(2t, s + t) is left.
        """
        ones = np.zeros((len(self.words), len(CARRIES)))
        bounds = [np.ones_like(ones)]
        for i in reversed(range(BITS)):
            ones = self._fewest_ones(ones, i)
            signs = sizes(self.words >> np.uint32(i) << np.uint32(i))[:, None]
            bounds.append(2.0 ** -(ones + np.maximum(ones, signs)))
        return bounds[::-1]

    def _fewest_ones(self, after: Shares, i: int) -> Shares:
        """The ones of a target from bit i on that have a sign, from those after it."""
        before = np.full_like(after, np.inf)
        one = self.words >> np.uint32(i) & np.uint32(1)
        for is_one, digit in ((0, 0), (1, -1), (1, 1)):
            here = one == is_one
            for index, target in product(range(len(CARRIES)), (-1, 0, 1)):
                total = digit - target + CARRIES[index]
                if total % 2 == 0:
                    ones = after[here, total // 2 + 1] + (target != 0 and i < BITS - 1)
                    before[here, index] = np.minimum(before[here, index], ones)
        return before


def _source_digits(i: int) -> Digits:
    return ONE_BIT if i == BITS - 1 else ((1, 0.5), (-1, 0.5))


def _carry(after: Shares, share: Shares, mass: Shares, difference: int) -> None:
    for index, carry in enumerate(CARRIES):
        if (total := difference + carry) % 2 == 0:
            after[:, total // 2 + 1] += share * mass[:, index]


def largest(sources: Sources, above: float = 0.0) -> tuple[float, int]:
    """The largest sum over all targets, and a target that has it; `above` and 0 if none is above.

    Depth first, the more promising bit first.
    """
    best, found = above, 0
    mass = np.zeros((len(sources.words), len(CARRIES)))
    mass[:, 1] = sources.weights
    waiting = [(float((mass * sources.most[0]).sum()), 0, 0, np.arange(len(mass)), mass)]
    while waiting:
        bound, i, target, where, mass = waiting.pop()
        if bound <= best:
            continue
        if i == BITS:
            best, found = bound, target
            continue
        nodes = []
        for value, bit in enumerate(sources.options(i)):
            after = sources.step(mass, sources.words[where], i, bit)
            kept = after.any(axis=1)
            after, there = after[kept], where[kept]
            bound = float((after * sources.most[i + 1][there]).sum())
            nodes.append((bound, i + 1, target | value << i, there, after))
        waiting += sorted(nodes, key=lambda node: node[0])
    return best, found


def weights(words: Words) -> tuple[float, float]:
    """-log2 of the largest sums over these D in T0, or in T1, each D having the weight 1."""
    ones = np.ones(len(words))
    first, second = (-log2(largest(Sources(each, ones))[0]) for each in (words, words << ONE))
    return first, (first + second) / 2


def three_boxes() -> tuple[float, float]:
    """Lower bounds of what `weights` gives for three active S-boxes, without their 2^26 products.

    A target of two bits below the highest costs 2 already. With one, t is +-2^i, with or without
    2^31, so D is a run of ones up from bit i.
    """
    doubled = {w >> 1 | top for w in _runs() if w % 2 == 0 for top in (0, 1 << 31)}
    first, second = (
        weights(np.array([w for w in sorted(words) if _active_boxes(w) == 3], np.uint32))
        for words in (_runs(), doubled)
    )
    return min(2.0, first[0]), min(2.0, second[1])


def _runs() -> set[int]:
    """2^j - 2^i, i < j, with either highest bit."""
    ends = [(i, j) for j in range(1, BITS + 1) for i in range(j)]
    return {(2**j - 2**i) ^ top for i, j in ends for top in (0, 1 << 31)}


def _active_boxes(product: int) -> int:
    return int(nonzero_bytes(apply(_inverse(), np.array([product], np.uint32)))[0])


@cache
def _inverse() -> Map:
    return inverse(images(twofish.mds))


def of_places(count: int) -> list[tuple[int, ...]]:
    """The sets of this many of the four S-boxes."""
    return list(combinations(range(4), count))
