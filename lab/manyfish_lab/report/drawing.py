# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Bars and lines: a figure with axes and a legend, of what an experiment calls a plot."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor, isfinite, log10

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, NullLocator

from manyfish_lab.experiment import Plot
from manyfish_lab.report import heat
from manyfish_lab.report.style import (
    BAR_ROW,
    BOTTOM,
    FEW,
    HEIGHT,
    LEFT,
    LEGEND_ROW,
    LETTER,
    MARKERS,
    NOTE,
    PAPER,
    PUBLISHED,
    RIGHT,
    SERIES,
    TEXT,
    TOP,
    WIDTH,
    is_published,
    number,
    raised,
)

MOST_POWERS = 8  # below a logarithmic axis
TALL_GRID = 32  # a heat map with more rows is higher


def partner(name: str, own: Sequence[str]) -> str | None:
    """Which of our series a published one stands beside: "published, X" beside "X"."""
    rest = name[len(PUBLISHED) :].lstrip(" ,:")
    if rest in own:
        return rest
    return own[0] if len(own) == 1 else None


def spacing(xs: Sequence[float]) -> float:
    """The least distance of two neighbours."""
    return min((b - a for a, b in zip(xs, xs[1:])), default=1.0)


class Drawing:
    """A figure with one pair of axes, and what is where in it."""

    def __init__(self, plot: Plot) -> None:
        self.plot = plot
        self.own = [name for name in plot.series if not is_published(name)]
        self.columns = self._columns()
        rows = -(-len(plot.series) // self.columns) if len(plot.series) > 1 else 0
        self.legend_height = LEGEND_ROW * rows
        self.lying = plot.kind == "bars" and self._names_are_long()
        self.left = LEFT
        height = HEIGHT + self.legend_height
        if len(plot.grid) > TALL_GRID:
            height += HEIGHT // 2
        if self.lying:
            self.left = int(LETTER * max(map(len, plot.x_names))) + 24
            bars = len(plot.x_names) * max(1, len(self._groups()))
            height = TOP + self.legend_height + BOTTOM + max(160, BAR_ROW * bars)
        self.figure = Figure(figsize=(WIDTH / 72, height / 72), dpi=72)
        self.height = height
        self.axes = self._axes(self.left, WIDTH - RIGHT - (76 if plot.kind == "heat" else 0))

    def _axes(self, left: float, right: float) -> Axes:
        low, high = BOTTOM / self.height, 1 - (TOP + self.legend_height) / self.height
        return self.figure.add_axes((left / WIDTH, low, (right - left) / WIDTH, high - low))

    def _columns(self) -> int:
        """Columns of the legend: as many as there is room for, filled evenly."""
        count = max(1, len(self.plot.series))
        longest = max(map(len, self.plot.series), default=1)
        room = max(1, int((WIDTH - LEFT) // (LETTER * longest + 52)))
        return -(-count // -(-count // room))

    def _names_are_long(self) -> bool:
        names = self.plot.x_names
        return LETTER * max(map(len, names), default=0) * len(names) > WIDTH - LEFT - RIGHT

    def _groups(self) -> list[str]:
        """The series that have bars of their own."""
        return [
            name
            for name in self.plot.series
            if not is_published(name) or partner(name, self.own) is None
        ]

    def colour(self, name: str) -> str:
        return NOTE if is_published(name) else SERIES[self.own.index(name) % len(SERIES)][0]

    def points(self, name: str) -> list[tuple[float, float]]:
        """Those that can be drawn: no logarithm of nothing."""
        plot = self.plot
        return [
            (x, y)
            for x, y in plot.series[name]
            if isfinite(x)
            and isfinite(y)
            and (y > 0 or not plot.log_y)
            and (x > 0 or not plot.log_x)
        ]

    def draw(self) -> None:
        if self.plot.kind == "heat":
            heat.draw(self.plot, self.axes, self._axes(WIDTH - RIGHT - 58, WIDTH - RIGHT - 44))
        else:
            {"bars": self.bars, "lines": self.lines}[self.plot.kind]()
        width = WIDTH * self.axes.get_position().width
        self.axes.yaxis.set_label_coords((18 - self.left) / width, 0.5)
        self.figure.text(
            14 / WIDTH, 1 - 20 / self.height, raised(self.plot.title), weight="bold", size=13
        )
        if len(self.plot.series) > 1:
            self.legend()

    # --- the kinds -----------------------------------------------------------------------

    def lines(self) -> None:
        for name in self.plot.series:
            xs, ys = zip(*self.points(name)) if self.points(name) else ((), ())
            marks = "" if len(xs) > 40 else "D" if is_published(name) else self._marker(name)
            self.axes.plot(
                xs,
                ys,
                label=name,
                color=self.colour(name),
                marker=marks,
                markersize=8 if is_published(name) else 5,
                markerfacecolor="none" if is_published(name) else None,
                linestyle="--" if is_published(name) else "-",
                linewidth=1.2 if is_published(name) else 1.8,
                zorder=3 if is_published(name) else 2,
            )
        self.scales(sorted({x for name in self.plot.series for x, _ in self.points(name)}))

    def _marker(self, name: str) -> str:
        return MARKERS[self.own.index(name) % len(MARKERS)]

    def bars(self) -> None:
        groups = self._groups()
        xs = sorted({x for name in self.plot.series for x, _ in self.plot.series[name]})
        wide = 0.8 * spacing(xs) / max(1, len(groups))
        for name in self.plot.series:
            beside = name if name in groups else partner(name, self.own)
            assert beside is not None
            shift = (groups.index(beside) - (len(groups) - 1) / 2) * wide
            places = [(x + shift, y) for x, y in self.points(name)]
            self._bars_of(name, places, wide, marks=name not in groups)
        self.scales(xs)

    def _bars_of(
        self, name: str, places: list[tuple[float, float]], wide: float, marks: bool
    ) -> None:
        at, lengths = [x for x, _ in places], [y for _, y in places]
        if marks:
            along, up = (lengths, at) if self.lying else (at, lengths)
            self.axes.plot(
                along,
                up,
                "D",
                label=name,
                color=TEXT,
                markerfacecolor=PAPER,
                markersize=6,
                zorder=4,
            )
            return
        colour, hollow = self.colour(name), is_published(name)
        face, wide = "none" if hollow else colour, 0.92 * wide
        if self.lying:
            self.axes.barh(at, lengths, wide, label=name, facecolor=face, edgecolor=colour)
        else:
            self.axes.bar(at, lengths, wide, label=name, facecolor=face, edgecolor=colour)

    # --- axes and legend -------------------------------------------------------------------------

    def scales(self, xs: Sequence[float] = ()) -> None:
        """Scales and labels; where the bars lie, x is what goes up."""
        plot, axes = self.plot, self.axes
        values, places = (axes.xaxis, axes.yaxis) if self.lying else (axes.yaxis, axes.xaxis)
        what, where = raised(plot.y_label), raised(plot.x_label)
        axes.set(xlabel=what if self.lying else where, ylabel=where if self.lying else what)
        axes.grid(axis="x" if self.lying else "y", linewidth=1)
        if plot.log_y:
            ys = [y for name in plot.series for _, y in self.points(name)]
            self._logarithmic("x" if self.lying else "y", ys)
        values.set_major_formatter(FuncFormatter(number))
        if plot.log_x:
            self._logarithmic("x", [x for name in plot.series for x, _ in self.points(name)])
        places.set_major_formatter(FuncFormatter(number))
        if plot.x_names:
            places.set_ticks(range(len(plot.x_names)), list(map(raised, plot.x_names)))
        elif xs and self._has_room(xs):
            places.set_ticks(list(xs), list(map(number, xs)))
        if plot.kind == "bars" and xs:
            room = 0.6 * spacing(xs)
            (axes.set_ylim if self.lying else axes.set_xlim)(xs[0] - room, xs[-1] + room)
        if self.lying:
            axes.invert_yaxis()
            axes.set_ylabel("")

    def _has_room(self, xs: Sequence[float]) -> bool:
        """Whether each place can have its number below it, with a letter between two of them."""
        letters = sum(len(number(x)) + 1.5 for x in xs)
        if self.plot.kind == "lines" and len(xs) > FEW // 2:
            return False
        return LETTER * letters <= WIDTH - RIGHT - self.left

    def _logarithmic(self, which: str, values: Sequence[float]) -> None:
        """A tick at some powers of ten, 1 among them; bars begin at the one below the least."""
        low = floor(log10(min(values, default=1.0)) - 1e-9 * (self.plot.kind == "bars"))
        high = max(low + 1, ceil(log10(max(values, default=1.0))))
        step = ceil((high - low) / MOST_POWERS)
        axis = self.axes.xaxis if which == "x" else self.axes.yaxis
        (self.axes.set_xscale if which == "x" else self.axes.set_yscale)("log")
        axis.set_ticks([10.0**e for e in range(low, high + 1) if e % step == 0])
        axis.set_minor_locator(NullLocator())
        if self.plot.kind == "bars" or high == low + 1:
            top = None if high > low + 1 else 10.0**high
            self.axes.set(**{f"{which}lim": (10.0**low, top)})

    def legend(self) -> None:
        handles, labels = self.axes.get_legend_handles_labels()
        order = [labels.index(name) for name in self.plot.series]
        self.figure.legend(
            [handles[i] for i in order],
            [raised(labels[i]) for i in order],
            loc="upper left",
            bbox_to_anchor=(10 / WIDTH, 1 - (TOP - 4) / self.height),
            ncols=self.columns,
            frameon=False,
            borderaxespad=0,
            handlelength=1.6,
            columnspacing=1.6,
        )
