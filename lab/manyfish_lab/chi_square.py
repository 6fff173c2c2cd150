# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Tests of counts and intervals of shares, from textbooks: no more than the experiments need."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb, erfc, exp, lgamma, log, sqrt

CONFIDENCE_95 = 1.959963984540054  # of the normal distribution, two-sided
SMALLEST_SHOWN = -100  # power of ten, beyond which nothing is learnt


def normal_tail(z: float) -> float:
    """The probability that a normal deviate is above z."""
    return erfc(z / sqrt(2)) / 2


def log_upper_tail(x: float, degrees: int) -> float:
    """The natural logarithm of the probability that chi-square is above x; -inf is never returned.

    The incomplete gamma function Q(degrees / 2, x / 2): its series below the mean, its continued
    fraction above.
    """
    a, half = degrees / 2, x / 2
    if half <= 0:
        return 0.0
    scale = a * log(half) - half - lgamma(a)
    if half < a + 1:
        return log(max(1 - exp(scale) * _series(a, half), 1e-300))
    return scale + log(_fraction(a, half))


def upper_tail(x: float, degrees: int) -> float:
    """The probability that chi-square is above x; 0 where a float can hold no less."""
    return exp(log_upper_tail(x, degrees))


def _series(a: float, x: float) -> float:
    """The lower incomplete gamma function of a and x, without x^a e^-x."""
    term = total = 1 / a
    n = a
    while abs(term) > 1e-17 * abs(total):
        n += 1
        term *= x / n
        total += term
    return total


def _fraction(a: float, x: float) -> float:
    """The upper one likewise, by the method of Lentz."""
    tiny = 1e-300
    b = x + 1 - a
    c, d = 1 / tiny, 1 / b
    total = d
    for n in range(1, 1_000_000):
        step = -n * (n - a)
        b += 2
        d = 1 / (step * d + b or tiny)
        c = b + step / c or tiny
        total *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return total


def of_counts(
    observed: Sequence[float], expected: Sequence[float], least: float = 5
) -> tuple[float, int]:
    """Chi-square and its degrees of freedom; neighbours are joined until each expects `least`.

    The totals are taken as equal by design, which costs one degree.
    """
    bins = joined(observed, expected, least)
    return sum((o - e) ** 2 / e for o, e in bins), len(bins) - 1


def joined(
    observed: Sequence[float], expected: Sequence[float], least: float
) -> list[tuple[float, float]]:
    """Pairs of observed and expected numbers; what is left at the end goes to the last one."""
    bins: list[tuple[float, float]] = []
    o_sum = e_sum = 0.0
    for o, e in zip(observed, expected):
        o_sum, e_sum = o_sum + o, e_sum + e
        if e_sum >= least:
            bins.append((o_sum, e_sum))
            o_sum = e_sum = 0.0
    if bins:
        last_o, last_e = bins[-1]
        bins[-1] = (last_o + o_sum, last_e + e_sum)
    return bins


def binomial(n: int, total: float) -> list[float]:
    """How many of `total` fair n-bit strings have weight 0, 1, .. n, on average."""
    return [total * comb(n, k) / 2**n for k in range(n + 1)]


def wilson(successes: int, trials: int, z: float = CONFIDENCE_95) -> tuple[float, float]:
    """The interval of Wilson for a share."""
    share = successes / trials
    middle = share + z * z / (2 * trials)
    width = z * sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    scale = 1 + z * z / trials
    return max(0.0, (middle - width) / scale), min(1.0, (middle + width) / scale)


def shown(x: float, degrees: int) -> str:
    """The probability that chi-square is above x, for a table."""
    exponent = log_upper_tail(x, degrees) / log(10)
    if exponent < SMALLEST_SHOWN:
        return f"p < 10^{SMALLEST_SHOWN}"
    return f"p = {10**exponent:.4f}" if exponent > -4 else f"p = 10^{exponent:.0f}"
