# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Curves on a logarithmic scale, as panels of a chart."""

from __future__ import annotations

from collections.abc import Iterator
from math import log
from typing import NamedTuple

from chart import TITLE, number, text

LABELS, PLOT, FOOT = 124, 230, 54  # width of the names, heights of the plot and of what is below
APART = 14  # between two names
TICKS = (1, 2, 5)


class Curve(NamedTuple):
    """`kind` is that of a bar; `dashed` tells two of a kind apart. A value for each place."""

    label: str
    kind: str
    values: list[float]
    dashed: bool = False


class CurvePanel(NamedTuple):
    """Curves over the same places, at equal distances; less is better."""

    title: str
    across: str
    places: list[str]
    curves: list[Curve]

    @property
    def height(self) -> float:
        return TITLE + PLOT + FOOT

    def words(self) -> str:
        """The ends of each curve."""
        ends = (
            f"{curve.label} {number(curve.values[0])} to {number(curve.values[-1])}"
            for curve in self.curves
        )
        return f"{self.title}, from {self.places[0]} to {self.places[-1]}: {', '.join(ends)}"

    def drawn(self, x: float, y: float, width: float) -> list[str]:
        left, top, room = x + 36, y + TITLE, width - LABELS - 36
        scale = Scale([value for curve in self.curves for value in curve.values], top)
        lines = [text(x, y + 14, self.title, "title")]
        for value in scale.ticks():
            at = scale.at(value)
            lines.append(f'<path class="axis" d="M{left:g} {at:.1f}H{left + room:g}"/>')
            lines.append(text(left - 6, at + 4, f"{value:,g}", "note", "end"))
        across = [left + room * i / (len(self.places) - 1) for i in range(len(self.places))]
        for at, place in zip(across, self.places):
            lines.append(text(at, top + PLOT + 16, place, "note", "middle"))
        lines.append(text(left + room / 2, top + PLOT + 31, self.across, "note", "middle"))
        return lines + list(self._curves(scale, across))

    def _curves(self, scale: Scale, across: list[float]) -> Iterator[str]:
        below = float("-inf")
        for curve in sorted(self.curves, key=lambda curve: -curve.values[-1]):
            points = " ".join(
                f"{at:.1f},{scale.at(value):.1f}" for at, value in zip(across, curve.values)
            )
            style = f"curve {curve.kind}{' dashed' if curve.dashed else ''}"
            yield f'<polyline class="{style}" points="{points}"/>'
            below = max(scale.at(curve.values[-1]) + 4, below + APART)
            name = f"{curve.label}, {number(curve.values[-1])}"
            yield text(across[-1] + 8, below, name, "" if curve.kind == "peer" else "ours")


class Scale:
    """From values to heights, the greatest on top."""

    def __init__(self, values: list[float], top: float) -> None:
        self.least, self.most, self.top = min(values) * 0.9, max(values) * 1.1, top

    def at(self, value: float) -> float:
        return self.top + PLOT * log(self.most / value) / log(self.most / self.least)

    def ticks(self) -> list[float]:
        """Round numbers between the ends; fewer where there are many."""
        numbers = [step * 10.0**power for power in range(-1, 7) for step in TICKS]
        inside = [value for value in numbers if self.least < value < self.most]
        return inside if len(inside) <= 7 else [value for value in inside if f"{value:g}"[0] == "1"]
