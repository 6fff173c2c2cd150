# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Heat maps: a grid of numbers as colours, and the scale that says which."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import floor, log10

import matplotlib
from matplotlib.axes import Axes
from matplotlib.patches import PathPatch
from matplotlib.path import Path as Outline
from matplotlib.ticker import MaxNLocator, NullLocator

from manyfish_lab.experiment import Plot
from manyfish_lab.report.style import FEW, number, raised

MAX_CELLS = 128 * 128
LEVELS = 32  # colours
TICKS = 16

Place = tuple[int, int, int]  # column, row, columns


def draw(plot: Plot, axes: Axes, scale: Axes) -> None:
    """The grid, its first row above, and beside it the scale."""
    grid = plot.grid
    rows, columns = len(grid), len(grid[0]) if grid else 0
    if not 0 < rows * columns <= MAX_CELLS or any(len(row) != columns for row in grid):
        raise ValueError(f"a grid has 1 to {MAX_CELLS:,} cells, and rows of one length")
    low, high = extremes(plot)
    levels = [[None if value is None else level(value, low, high) for value in row] for row in grid]
    colour_in(axes, levels, "grid")
    axes.set(xlim=(-0.5, columns - 0.5), ylim=(rows - 0.5, -0.5))
    axes.set(xlabel=raised(plot.x_label), ylabel=raised(plot.y_label))
    for axis, count in ((axes.xaxis, columns), (axes.yaxis, rows)):
        axis.set_major_locator(MaxNLocator(nbins=min(count, TICKS), integer=True))
    if 0 < len(plot.x_names) <= FEW:
        axes.set_xticks(range(columns), list(map(raised, plot.x_names)))
    draw_scale(scale, low, high)


def draw_scale(axes: Axes, low: float, high: float) -> None:
    colour_in(axes, [[LEVELS - 1 - row] for row in range(LEVELS)], "scale")
    axes.set(xlim=(-0.5, 0.5), ylim=(LEVELS - 0.5, -0.5))
    axes.xaxis.set_major_locator(NullLocator())
    axes.yaxis.tick_right()
    marks = [0.0, 0.25, 0.5, 0.75, 1.0] if high > low else [1.0]
    digits = 2 - floor(log10(high - low or abs(high) or 1))
    labels = [number(round(high - part * (high - low), digits)) for part in marks]
    axes.set_yticks([part * LEVELS - 0.5 for part in marks], labels)


def extremes(plot: Plot) -> tuple[float, float]:
    """The least and the greatest value of a grid."""
    values = [value for row in plot.grid for value in row if value is not None]
    return min(values), max(values)


def level(value: float, low: float, high: float) -> int:
    """The colour of a value, from 0 to LEVELS - 1."""
    part = (value - low) / (high - low) if high > low else 0.0
    return min(LEVELS - 1, int(part * LEVELS))


def colour_in(axes: Axes, levels: Sequence[Sequence[int | None]], name: str) -> None:
    """Squares of unit size, one path for each colour, neighbours in a row joined; None is none.

    A path has the id squares-NAME-LEVEL, for the sake of the style sheet.
    """
    found: dict[int, list[Place]] = {}
    for y, row in enumerate(levels):
        for x, length, value in runs(row):
            if value is not None:
                found.setdefault(value, []).append((x, y, length))
    colours = matplotlib.colormaps["cividis"]
    for value, places in sorted(found.items()):
        colour = colours(value / (LEVELS - 1))
        squares = PathPatch(outline(places), facecolor=colour, edgecolor="none")
        squares.set_gid(f"squares-{name}-{value}")
        axes.add_artist(squares)  # without a look for its limits, which takes long


def outline(places: Sequence[Place]) -> Outline:
    """The rectangles at these places, as one path."""
    vertices = [
        (x + right - 0.5, y + down - 0.5)
        for x, y, length in places
        for right, down in ((0, 0), (length, 0), (length, 1), (0, 1), (0, 0))
    ]
    kinds = (Outline.MOVETO, Outline.LINETO, Outline.LINETO, Outline.LINETO, Outline.CLOSEPOLY)
    return Outline(vertices, kinds * len(places))


def runs(row: Sequence[int | None]) -> Iterator[tuple[int, int, int | None]]:
    """Place, length and value of each run of equal values."""
    start = 0
    for x in range(1, len(row) + 1):
        if x == len(row) or row[x] != row[start]:
            yield start, x - start, row[start]
            start = x
