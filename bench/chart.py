# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Draws charts as SVG, and panels of bars: plain text, light and dark, always the same bytes.

Not by matplotlib, which the lab has: make lint compares the chart with its CSV where nothing but
Python is, and an SVG of matplotlib has one colour scheme and letters as outlines.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from statistics import median
from typing import NamedTuple, Protocol

WIDTH, COLUMNS, MARGIN = 880, 2, 16
LABEL, VALUE = 140, 62  # widths left and right of the bars
HEAD, TITLE, ROW, GAP = 66, 26, 20, 18
BAR = 13  # height
# A bar longer than this many times the median is cut; otherwise it would hide all others.
CUT = 3.0

STYLE = """
text { font: 12px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #1f2328; }
.heading { font-size: 16px; font-weight: 600; }
.title, .ours { font-weight: 600; }
.note { fill: #59636e; }
.background { fill: #ffffff; }
.axis { stroke: #d1d9e0; }
.peer { fill: #8c959f; }
.safe { fill: #0969da; }
.tables { fill: #ddf4ff; stroke: #0969da; }
.cut { fill: none; stroke: #ffffff; stroke-width: 4; }
.curve { fill: none; stroke-width: 2; }
.curve.safe { stroke: #0969da; }
.curve.tables { stroke: #54aeff; }
.curve.peer { stroke: #8c959f; }
.dashed { stroke-dasharray: 5 4; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3; }
  .note { fill: #9198a1; }
  .background { fill: #0d1117; }
  .axis { stroke: #3d444d; }
  .peer { fill: #6e7681; }
  .safe { fill: #4493f8; }
  .tables { fill: #0c2d6b; stroke: #4493f8; }
  .cut { stroke: #0d1117; }
  .curve.safe { stroke: #4493f8; }
  .curve.tables { stroke: #79c0ff; }
  .curve.peer { stroke: #9198a1; }
}
"""


class Bar(NamedTuple):
    """`kind` is "peer", or of ours "safe" (constant-time) or "tables"."""

    label: str
    value: float
    kind: str


class Panel(Protocol):
    """Part of a chart: how high it is, what it shows in words, and how, at a place of a width."""

    @property
    def height(self) -> float: ...
    def words(self) -> str: ...
    def drawn(self, x: float, y: float, width: float) -> list[str]: ...


class BarPanel(NamedTuple):
    """Bars on one scale."""

    title: str
    bars: list[Bar]

    @property
    def height(self) -> float:
        return TITLE + ROW * len(self.bars) + GAP

    def words(self) -> str:
        bars = (f"{bar.label} {number(bar.value)}" for bar in self.bars)
        return f"{self.title}: {', '.join(bars)}"

    def drawn(self, x: float, y: float, width: float) -> list[str]:
        left, room = x + LABEL, width - LABEL - VALUE
        limit = CUT * median(bar.value for bar in self.bars)
        limit = max(bar.value for bar in self.bars if bar.value <= limit)
        top = y + TITLE
        lines = [text(x, y + 14, self.title, "title")]
        for i, bar in enumerate(self.bars):
            lines += bar_lines(bar, left, top + ROW * i, room, limit)
        bottom = top + ROW * len(self.bars)
        lines.append(f'<path class="axis" d="M{left:g} {top:g}V{bottom:g}"/>')
        return lines


class Chart(NamedTuple):
    """A heading, a line below it, and panels side by side."""

    heading: str
    note: str
    panels: Sequence[Panel]


def number(value: float) -> str:
    """Three digits or more, thousands apart."""
    decimals = 2 if value < 9.995 else int(value < 99.95)
    return f"{value:,.{decimals}f}"


def text(x: float, y: float, words: str, style: str = "", anchor: str = "start") -> str:
    kind = f' class="{style}"' if style else ""
    where = f' text-anchor="{anchor}"' if anchor != "start" else ""
    return f'<text x="{x:g}" y="{y:g}"{kind}{where}>{escape(words)}</text>'


def bar_lines(bar: Bar, x: float, y: float, room: float, limit: float) -> list[str]:
    """A bar between its name and its value; `limit` is what fills the room."""
    length = room * min(bar.value / limit, 1)
    top, base = y + (ROW - BAR) / 2, y + ROW / 2 + 4
    name_style = "" if bar.kind == "peer" else "ours"
    lines = [
        text(x - 8, base, bar.label, name_style, "end"),
        f'<rect class="{bar.kind}" x="{x:g}" y="{top:g}" width="{length:.1f}" height="{BAR}"/>',
        text(x + length + 6, base, number(bar.value), name_style),
    ]
    if bar.value > limit:
        step = (BAR + 2) / 4
        zigzag = f"l4 {step:g}l-4 {step:g}l4 {step:g}l-4 {step:g}"
        lines.append(f'<path class="cut" d="M{x + room * 0.9:g} {top - 1:g}{zigzag}"/>')
    return lines


def legend(y: float) -> list[str]:
    kinds = (("safe", "ours, constant time"), ("tables", "ours, tables"), ("peer", "others"))
    lines, x = [], float(MARGIN)
    for kind, words in kinds:
        lines.append(f'<rect class="{kind}" x="{x:g}" y="{y - 10:g}" width="12" height="12"/>')
        lines.append(text(x + 18, y, words, "note"))
        x += 36 + 6.5 * len(words)
    return lines


def description(chart: Chart) -> str:
    """All of it in words, for those who do not see it."""
    return f"{chart.note}. {'. '.join(panel.words() for panel in chart.panels)}."


def svg(chart: Chart) -> str:
    width = (WIDTH - MARGIN * (COLUMNS + 1)) / COLUMNS
    body: list[str] = []
    y = float(HEAD + GAP)
    for row in range(0, len(chart.panels), COLUMNS):
        beside = chart.panels[row : row + COLUMNS]
        for i, panel in enumerate(beside):
            body += panel.drawn(MARGIN + i * (width + MARGIN), y, width)
        y += max(panel.height for panel in beside)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y:g}" role="img"'
        ' aria-labelledby="title desc">',
        f'<title id="title">{escape(chart.heading)}</title>',
        f'<desc id="desc">{escape(description(chart))}</desc>',
        f"<style>{STYLE}</style>",
        '<rect class="background" width="100%" height="100%" rx="6"/>',
        text(MARGIN, 28, chart.heading, "heading"),
        text(MARGIN, 47, chart.note, "note"),
        *legend(HEAD),
        *body,
        "</svg>",
    ]
    return "\n".join(lines) + "\n"
