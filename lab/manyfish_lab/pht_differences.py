# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Differences through the PHT and the addition of the subkeys, exactly.

F0 = T0 + T1 + K and F1 = T0 + 2 T1 + K' [Twofish98, 4.2]; a difference is an exclusive or. Let a
difference of a word be t = sum of d_i 2^i modulo 2^n, with digits d_i of -1, 0, 1 that are not zero
where its bits differ. The subkeys are uniform, so a pair of T0, T1 with the differences t, u by
subtraction gives F0, F1 with t + u, t + 2u by subtraction, at a uniform and independent F0, F1.
Therefore

  Pr(c, e | a, b) = N / 2^(s(a) + s(b) + s(c) + s(e)),

where s counts the bits below the highest and N the ways to choose the digits of a, b, c, e so that
c = a + b and e = a + 2b. Any two of the four words determine the others (nearly, see `limits`).
So N is at most 2^(s(x) + s(y)), and Pr at most 2^-(s(v) + s(w)), for each pair v, w of words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product
from math import log2

BITS = 32


def size(word: int, bits: int = BITS) -> int:
    """The digits that have a sign: the highest bit is its own negative."""
    return (word & ((1 << bits - 1) - 1)).bit_count()


def _digits(bit: int, signed: bool) -> tuple[int, ...]:
    if not bit:
        return (0,)
    return (-1, 1) if signed else (1,)


def _choices(bits: tuple[int, ...], signed: bool) -> Iterator[tuple[int, ...]]:
    return product(*(_digits(bit, signed) for bit in bits))


def ways(a: int, b: int, c: int, e: int, bits: int = BITS) -> int:
    """N, by an automaton over both carries and the last digit of b."""
    states = Counter({(0, 0, 0): 1})
    for i in range(bits):
        following: Counter[tuple[int, int, int]] = Counter()
        here = tuple(word >> i & 1 for word in (a, b, c, e))
        for t, u, v, w in _choices(here, i < bits - 1):
            for (first, second, before), count in states.items():
                x, y = first + t + u - v, second + t + before - w
                if x % 2 == 0 and y % 2 == 0:
                    following[x // 2, y // 2, u] += count
        states = following
    return states.total()


def weight(a: int, b: int, c: int, e: int, bits: int = BITS) -> float | None:
    """-log2 of the probability; None if it is 0."""
    found = ways(a, b, c, e, bits)
    return sum(size(word, bits) for word in (a, b, c, e)) - log2(found) if found else None


def limits(a: int, b: int, c: int, e: int, bits: int = BITS) -> int:
    """A lower bound of the weight: the largest s(v) + s(w).

    Of a and e only 2u is determined, so the pair b, c counts without the bit of b that 2u lacks.
    """
    s, t, u, v = (size(word, bits) for word in (a, b, c, e))
    doubled = size(b << 1 & ((1 << bits) - 1), bits)
    return max(s + t, s + u, s + v, t + v, doubled + u, u + v)
