# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Tallies of S-boxes as tables and plots, beside what is printed and beside chance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from functools import cache
from math import exp, factorial, sqrt
from types import MappingProxyType

from manyfish_lab import sboxes
from manyfish_lab.experiment import Cell, Json, Plot, Table, ours, same, within

Printed = Mapping[int, str]  # -log2 of a share, by value

NONE: Mapping[int, str] = MappingProxyType({})
# An interval misses by chance in one of a thousand cells.
Z, CONFIDENCE = 3.2905, "99.9 %"

CHANCE_TITLE = "Fixed points beside e^-1/n!, -log2 of the share of boxes"
CHANCE = "[Twofish99, 7.2.3]"  # random permutations have n fixed points with probability e^-1/n!
NOT_RANDOM = "these permutations are not drawn at random from all"


@dataclass(frozen=True)
class Figure:
    """A figure of sboxes.FIGURES as tables name it; values of one class of `width` count as one."""

    key: str
    width: int
    label: str
    largest: str

    def named(self, value: int) -> str:
        return self.label.format(value, value + self.width - 1)


DP = Figure("dp", 2, "DPmax = {}/256", "{}/256")
LP = Figure("lp", 8, "LPmax = (x/256)^2, x = {}..{}", "({}/256)^2")
FIXED = Figure("fixed", 1, "fixed points: {}", "{}")


POSITIONS = ("s0", "s1", "s2", "s3")


def parts(results: Sequence[Json]) -> list[Json]:
    """The tally of each position."""
    each = len(results) // len(POSITIONS)
    return [sboxes.add(results[i * each : (i + 1) * each]) for i in range(len(POSITIONS))]


def exact(
    figure: Figure,
    tally: Json,
    row: Printed,
    digits: int,
    largest: str = "",
    whys: Mapping[int, str] = NONE,
) -> list[Cell]:
    """A printed distribution beside that of all boxes, to be the same digit for digit.

    whys says, by value, why a cell differs.
    """
    counts, total = sboxes.counts(tally, figure.key, figure.width), tally["boxes"]
    cells = []
    for value in sorted({*row, *counts}):
        text = sboxes.printed(counts.get(value, 0), total, digits)
        what = figure.named(value)
        if value in row:
            cells.append(same(what, row[value], text, whys.get(value, "")))
        else:
            cells.append(ours(what, text))
    return [*_largest(figure, tally, largest), *cells]


def rounded_twice(figure: Figure, tally: Json, row: Printed) -> dict[int, str]:
    """A reason for figures that would be right if they had been rounded to two digits first."""
    counts, total = sboxes.counts(tally, figure.key, figure.width), tally["boxes"]
    whys = {}
    for value in {*row} & {*counts}:
        one, two, exactly = (sboxes.printed(counts[value], total, digits) for digits in (1, 2, 4))
        again = str(Decimal(two).quantize(Decimal("0.1"), ROUND_HALF_UP))
        if one != row[value] == again:
            whys[value] = f"The figure is {exactly}; rounding {two} again would give {row[value]}"
    return whys


def sampled(figure: Figure, tally: Json, row: Printed, digits: int, why: str = "") -> list[Cell]:
    """A printed distribution beside an estimate of it.

    It agrees if some number that is printed so is in the interval of the estimate. why explains
    what the sample of the source can have done by chance, and no more.
    """
    counts, total = sboxes.counts(tally, figure.key, figure.width), tally["boxes"]
    cells = []
    for value in sorted({*row, *counts}):
        n = counts.get(value, 0)
        low, high = interval(n, total)
        text = estimate(n, total, digits + 1)
        what = figure.named(value)
        if value not in row:
            cells.append(ours(what, text))
            continue
        slack = 0.5 * 10.0**-digits
        inside = low - slack <= float(row[value]) <= high + slack
        explained = why if in_reach(row, value, low, high, slack) else ""
        cells.append(within(what, row[value], text, inside, "" if inside else explained))
    return cells


def beside_sample(figure: Figure, tally: Json, row: Printed, digits: int) -> list[Cell]:
    """A printed distribution of a sample beside that of all boxes."""
    counts, slack = sboxes.counts(tally, figure.key, figure.width), 0.5 * 10.0**-digits
    whys, rarest = {}, max(map(float, row.values()))
    for value in {*row} & {*counts}:
        exactly = sboxes.bits(counts[value], tally["boxes"])
        differs = sboxes.printed(counts[value], tally["boxes"], digits) != row[value]
        if differs and in_reach(row, value, exactly, exactly, slack):
            low, high = interval(2.0 ** (rarest - exactly), 2.0**rarest)
            whys[value] = (
                f"Printed of a sample, of 2^{rarest} S-boxes if its rarest share is one S-box; "
                f"such samples have {low:.2f} to {high:.2f}"
            )
    return exact(figure, tally, row, digits, whys=whys)


def remembered(
    figure: Figure, tally: Json, row: Printed, digits: int, exactly: bool = False
) -> list[Cell]:
    """Our distribution, with what is remembered of a source named beside it and not judged."""
    counts, total = sboxes.counts(tally, figure.key, figure.width), tally["boxes"]
    shown = sboxes.printed if exactly else estimate
    return [
        ours(
            figure.named(value) + (f" (from memory: {row[value]})" if value in row else ""),
            shown(counts.get(value, 0), total, digits),
        )
        for value in sorted({*row, *counts})
    ]


def in_reach(row: Printed, value: int, low: float, high: float, slack: float) -> bool:
    """Whether chance can have given a printed figure, if it is of a sample and low to high is true.

    The sample had at least as many boxes as its rarest value tells. slack: what rounding takes off.
    """
    total = 2.0 ** max(map(float, row.values()))
    least, most = interval(total * 2.0 ** -float(row[value]), total)
    return least - slack <= high and low <= most + slack


def interval(n: float, total: float) -> tuple[float, float]:
    """Wilson's interval of n of total, as -log2 of its ends."""
    p, z2 = n / total, Z * Z
    middle = (p + z2 / (2 * total)) / (1 + z2 / total)
    half = Z / (1 + z2 / total) * sqrt(p * (1 - p) / total + z2 / (4 * total * total))
    lower = middle - half if n else 0
    return sboxes.bits(min(1, middle + half), 1), sboxes.bits(lower, 1)


def estimate(n: int, total: int, digits: int) -> str:
    """A share of a sample and its interval."""
    low, high = interval(n, total)
    ends = f"{low:.{digits}f} to {high:.{digits}f}" if n else f"over {low:.{digits}f}"
    return f"{sboxes.printed(n, total, digits)} ({ends})"


def _largest(figure: Figure, tally: Json, printed: str) -> Iterator[Cell]:
    found = figure.largest.format(max(map(int, tally[figure.key])))
    yield same("largest", printed, found) if printed else ours("largest", found)


def beside_chance(tally: Json) -> Table:
    """Fixed points beside those of random permutations."""
    total = tally["boxes"]
    cells = []
    for n, count in sboxes.counts(tally, "fixed").items():
        low, high = interval(count, total)
        text = estimate(count, total, 3)
        chance = sboxes.bits(exp(-1) / factorial(n), 1)
        inside = low <= chance <= high
        cells.append(
            within(FIXED.named(n), f"{chance:.3f}", text, inside, "" if inside else NOT_RANDOM)
        )
    return Table(CHANCE_TITLE, cells, CHANCE)


def counts_table(positions: Sequence[Json], figures: Sequence[Figure] = (DP, LP, FIXED)) -> Table:
    """The counts themselves, for each position."""
    title = f"Numbers of boxes: {' / '.join(POSITIONS)}"
    cells = []
    for figure in figures:
        counted = [sboxes.counts(one, figure.key, figure.width) for one in positions]
        for value in sorted(set().union(*counted)):
            text = " / ".join(f"{counts.get(value, 0):,}" for counts in counted)
            cells.append(ours(figure.named(value), text))
    return Table(title, cells)


def cycles_table(positions: Sequence[Json], names: Sequence[str]) -> Table:
    """Cycles beside those of random permutations."""
    cells = [
        ours("random permutations: mean number of cycles", f"{harmonic(256):.4f}"),
        ours("random permutations: mean length of the longest cycle", f"{mean_longest(256):.3f}"),
    ]
    for name, one in zip(names, positions, strict=True):
        n, odd = one["boxes"], sboxes.odd(one)
        kind = "all even" if odd == 0 else "all odd" if odd == n else f"{odd / n:.4f} odd"
        cells += [
            ours(f"{name}: mean number of cycles", f"{sboxes.mean(one, 'cycles'):.4f}"),
            ours(f"{name}: mean length of the longest cycle", f"{sboxes.mean(one, 'longest'):.3f}"),
            ours(f"{name}: numbers of cycles", kind),
        ]
    return Table("Cycles", cells)


@cache
def harmonic(n: int) -> float:
    """1 + 1/2 + ... + 1/n: the mean number of cycles of a random permutation of n."""
    return sum(1 / i for i in range(1, n + 1))


@cache
def mean_longest(n: int) -> float:
    """The mean length of the longest cycle of a random permutation of n."""
    return sum(1 - _all_at_most(m, n) for m in range(n))


def _all_at_most(m: int, n: int) -> float:
    """The probability that no cycle is longer than m.

    All lengths are alike likely for the cycle of the first thing; the rest is a random permutation.
    """
    p = [1.0]
    for size in range(1, n + 1):
        p.append(sum(p[max(0, size - m) :]) / size)
    return p[n]


def distribution_plots(tally: Json, name: str, rows: Mapping[str, Printed]) -> list[Plot]:
    """DPmax, LPmax and fixed points as bars, each beside what is printed."""
    return [
        _bars(tally, name, DP, "Largest differential probability", "DPmax times 256", rows),
        _bars(tally, name, LP, "Largest linear correlation", "root of LPmax, times 256", rows),
        _bars(tally, name, FIXED, "Fixed points", "fixed points", rows),
    ]


def dp_plot(tally: Json, name: str, title: str, row: Printed) -> Plot:
    """DPmax alone."""
    return _bars(tally, name, DP, title, "DPmax times 256", {DP.key: row})


def _bars(
    tally: Json, name: str, figure: Figure, title: str, x: str, rows: Mapping[str, Printed]
) -> Plot:
    counts = sboxes.counts(tally, figure.key, figure.width)
    series = {name: sboxes.points(counts, tally["boxes"])}
    if figure.key in rows:
        series[f"published, {name}"] = sboxes.published_points(rows[figure.key])
    return Plot(figure.key, title, x, "-log2 of the share of boxes", "bars", series)


def cycles_plot(positions: Sequence[Json], names: Sequence[str]) -> Plot:
    """How many cycles of each length there are, beside one in l of random permutations."""
    series = {
        name: [(length, length * one["lengths"][length] / one["boxes"]) for length in range(1, 33)]
        for name, one in zip(names, positions, strict=True)
    }
    return Plot(
        "cycles",
        "Cycles of each length, of which random permutations have 1/length on average",
        "length",
        "mean number of cycles, times length",
        "lines",
        series,
    )
