# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Draws block diagrams as SVG: the same bytes for the same description, readable on light and dark.

A description gives boxes their places and says by which way wires go; `faults` finds what would
not be readable: boxes on each other, words that do not fit, wires through boxes or along others.

A wire is `from > step > ... > to | label`. An end is `box.side` or `box.side+offset`, the side one
of l, r, t, b, the offset from its middle. A step is `x=..` or `y=..`: as far as there. The last
corner before the end is found out. Everything is in units of 10 pixels.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from itertools import combinations

UNIT = 10
HEAD = 6.0  # above the drawing, for heading and note
LEGEND = 3.5  # below it
FONT, SMALL = 12, 10.5  # sizes of text
LINE = 1.5  # from line to line in a box

# The kinds of boxes, and their words in the legend.
KINDS = {
    "register": "register, clocked",
    "store": "latches, flip-flops or RAM",
    "logic": "gates only",
    "random": "fresh random bits",
    "port": "port",
}

STYLE = """
text {
  font: 12px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #1f2328; text-anchor: middle;
}
.heading { font-size: 16px; font-weight: 600; text-anchor: start; }
.note { fill: #59636e; text-anchor: start; }
.label { font-size: 10.5px; fill: #59636e; }
.sub { font-size: 9px; }
.background { fill: #ffffff; }
.logic { fill: #f6f8fa; stroke: #59636e; }
.register { fill: #ddf4ff; stroke: #0969da; }
.store { fill: #fbefff; stroke: #8250df; }
.random { fill: #fff8c5; stroke: #9a6700; }
.port { fill: none; stroke: #59636e; stroke-dasharray: 2 2; }
.clock { fill: none; stroke: #0969da; }
.wire { fill: none; stroke: #1f2328; stroke-width: 1.3; }
.head, .dot { fill: #1f2328; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3; }
  .note, .label { fill: #9198a1; }
  .background { fill: #0d1117; }
  .logic { fill: #161b22; stroke: #9198a1; }
  .register { fill: #0c2d6b; stroke: #4493f8; }
  .store { fill: #341a5c; stroke: #ab7df8; }
  .random { fill: #3b2a00; stroke: #d29922; }
  .port { stroke: #9198a1; }
  .clock { stroke: #4493f8; }
  .wire { stroke: #e6edf3; }
  .head, .dot { fill: #e6edf3; }
}
"""

# Widths in em, of a wide font, so that words fit in any.
_NARROW = {**dict.fromkeys("ijlI.,:;|'", 0.34), **dict.fromkeys("ftr()[]/ -", 0.41)}
_WIDE = {**dict.fromkeys("mwMW", 0.97), **dict.fromkeys("<>+=_", 0.84)}
# K_i, and K_{2i}: the paper's letters, not the names of signals.
_SUB = re.compile(r"(?<=\b[FKLMRS])_(?:(\w+)|\{([^}]*)\})")

Point = tuple[float, float]


def text_width(words: str, size: float = FONT) -> float:
    """Of a line, in units, not less than what any usual font takes."""
    bare = _SUB.sub("", words)
    subs = "".join(a or b for a, b in _SUB.findall(words))

    def em(line: str) -> float:
        return sum(_NARROW.get(c, _WIDE.get(c, 0.74 if c.isupper() else 0.63)) for c in line)

    return (em(bare) * size + em(subs) * 9) / UNIT


def _spans(words: str) -> str:
    """The words as SVG: K_i with its index below."""

    def sub(match: re.Match[str]) -> str:
        index = match[1] or match[2]
        return f'<tspan class="sub" dy="3">{index}</tspan><tspan dy="-3">&#8203;</tspan>'

    return _SUB.sub(sub, escape(words, quote=False))


@dataclass(frozen=True)
class Box:
    """A part of the circuit; `words` has a line for each line."""

    x: float
    y: float
    w: float
    h: float
    words: str
    kind: str = "logic"

    @property
    def lines(self) -> list[str]:
        return self.words.split("\n") if self.words else []

    def side(self, name: str, offset: float) -> Point:
        middle = (self.x + self.w / 2, self.y + self.h / 2)
        return {
            "l": (self.x, middle[1] + offset),
            "r": (self.x + self.w, middle[1] + offset),
            "t": (middle[0] + offset, self.y),
            "b": (middle[0] + offset, self.y + self.h),
        }[name]

    def near(self, other: Box, gap: float) -> bool:
        return (
            self.x < other.x + other.w + gap
            and other.x < self.x + self.w + gap
            and self.y < other.y + other.h + gap
            and other.y < self.y + self.h + gap
        )


@dataclass(frozen=True)
class Wire:
    """A way and its label."""

    source: str
    points: tuple[Point, ...]
    label: str

    @property
    def segments(self) -> list[tuple[Point, Point]]:
        return list(zip(self.points, self.points[1:]))

    def label_places(self) -> Iterator[Box]:
        """Above a level stretch, the longest first, or right or left of an upright one."""
        w = text_width(self.label, SMALL)
        by_length = sorted(self.segments, key=_length, reverse=True)
        for (x0, y0), (x1, y1) in by_length:
            if y0 == y1 and abs(x1 - x0) >= w:
                for part in (0.5, 0.3, 0.7):
                    yield Box(x0 + part * (x1 - x0) - w / 2, y0 - 1.4, w, 1.2, self.label)
        for (x0, y0), (x1, y1) in by_length:
            if x0 == x1:
                yield Box(x0 + 0.4, (y0 + y1) / 2 - 0.6, w, 1.2, self.label)
                yield Box(x0 - 0.4 - w, (y0 + y1) / 2 - 0.6, w, 1.2, self.label)


def _length(segment: tuple[Point, Point]) -> float:
    (x0, y0), (x1, y1) = segment
    return abs(x1 - x0) + abs(y1 - y0)


@dataclass(frozen=True)
class Drawing:
    """A description. `about` says all of it in words, for those who do not see it."""

    heading: str
    note: str
    about: str
    width: float
    height: float
    boxes: Mapping[str, Box]
    ways: Sequence[str]

    @cached_property
    def wires(self) -> list[Wire]:
        return [self._wire(way) for way in self.ways]

    def _end(self, text: str) -> tuple[Point, str]:
        match = re.fullmatch(r"(\w+)\.([lrtb])([+-][0-9.]+)?", text)
        if match is None or match[1] not in self.boxes:
            raise ValueError(f"{self.heading}: {text!r} is no end of a wire: box.side+offset")
        return self.boxes[match[1]].side(match[2], float(match[3] or 0)), match[2]

    def _wire(self, way: str) -> Wire:
        path, _, label = (part.strip() for part in way.partition("|"))
        first, *steps, last = (part.strip() for part in path.split(">"))
        point, side = self._end(first)
        end, end_side = self._end(last)
        points = [point]
        for axis, _, value in (step.partition("=") for step in steps):
            x, y = points[-1]
            points.append((float(value), y) if axis == "x" else (x, float(value)))
        points += _corners(points, side in "lr", end, end_side in "lr")
        return Wire(first, tuple(points), label)

    # --- what would not be readable -----------------------------------------------------------

    def faults(self) -> list[str]:
        """The texts that a reader could not read; an empty list if all is well."""
        return [
            *self._box_faults(),
            *self._wire_faults(),
            *self._label_faults(),
        ]

    def _box_faults(self) -> Iterator[str]:
        for name, box in self.boxes.items():
            if box.x < 1 or box.y < HEAD or box.x + box.w > self.width - 1:
                yield f"{name}: not inside the drawing"
            if box.y + box.h > self.height - LEGEND:
                yield f"{name}: below the drawing"
            if len(box.lines) * LINE > box.h:
                yield f"{name}: too many lines for its height"
            yield from (
                f"{name}: {line!r} needs a width of {text_width(line) + 0.6:.1f}"
                for line in box.lines
                if text_width(line) + 0.6 > box.w
            )
        for (a, first), (b, second) in combinations(self.boxes.items(), 2):
            if first.near(second, 0.9):
                yield f"{a} and {b}: too near"
        for words, size in ((self.heading, 16.0), (self.note, 12.0)):
            if text_width(words, size) > self.width - 3:
                yield f"{words!r}: longer than the drawing is wide"

    def _wire_faults(self) -> Iterator[str]:
        for wire, way in zip(self.wires, self.ways):
            for a, b in wire.segments:
                for name, box in self.boxes.items():
                    if _crosses((a, b), box):
                        yield f"{way!r}: goes through {name}"
            if _length(wire.segments[-1]) < 1:
                yield f"{way!r}: no room for its arrow"
        for (one, way), (two, other) in combinations(zip(self.wires, self.ways), 2):
            if one.source != two.source and any(
                _along(s, t) for s in one.segments for t in two.segments
            ):
                yield f"{way!r} and {other!r}: lie on each other"

    @cached_property
    def labels(self) -> dict[str, Box | None]:
        """For each way with a label the place of that, None if there is no room."""
        places: dict[str, Box | None] = {}
        for wire, way in zip(self.wires, self.ways):
            if wire.label:
                taken = [*self.boxes.values(), *(box for box in places.values() if box)]
                places[way] = next(
                    (box for box in wire.label_places() if self._is_free(box, taken)), None
                )
        return places

    def _is_free(self, place: Box, taken: Sequence[Box]) -> bool:
        return (
            0.5 < place.x < self.width - 0.5 - place.w
            and not any(place.near(box, 0) for box in taken)
            and not any(_crosses(s, place) for wire in self.wires for s in wire.segments)
        )

    def _label_faults(self) -> Iterator[str]:
        for way, place in self.labels.items():
            if place is None:
                yield f"{way!r}: no room for its label"

    # --- SVG ----------------------------------------------------------------------------------

    def svg(self) -> str:
        """The file; raises ValueError if something in it could not be read."""
        if faults := self.faults():
            raise ValueError(f"{self.heading}:\n  " + "\n  ".join(faults))
        width, height = self.width * UNIT, self.height * UNIT
        lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}"'
            ' role="img" aria-labelledby="title desc">',
            f'<title id="title">{escape(self.heading, quote=False)}</title>',
            f'<desc id="desc">{escape(" ".join(self.about.split()), quote=False)}</desc>',
            f"<style>{STYLE}</style>",
            '<rect class="background" width="100%" height="100%" rx="6"/>',
            _text(1.5, 2.6, self.heading, "heading"),
            _text(1.5, 4.6, self.note, "note"),
            *self._wire_lines(),
            *(line for box in self.boxes.values() for line in _box_lines(box)),
            *self._legend_lines(),
            "</svg>",
        ]
        return "\n".join(lines) + "\n"

    def _wire_lines(self) -> Iterator[str]:
        for wire in self.wires:
            yield f'<path class="wire" d="M{"L".join(_at(*p) for p in wire.points)}"/>'
            yield _arrow(*wire.segments[-1])
        for x, y in sorted(set(self._branches())):
            yield f'<circle class="dot" cx="{x * UNIT:g}" cy="{y * UNIT:g}" r="2.6"/>'
        for box in self.labels.values():
            if box:
                yield _text(box.x + box.w / 2, box.y + 1, box.words, "label")

    def _branches(self) -> Iterator[Point]:
        """Where wires from one end part."""
        for one, two in combinations(self.wires, 2):
            if one.source == two.source:
                point = _parting(one.points, two.points)
                if point != one.points[0]:
                    yield point

    def _legend_lines(self) -> Iterator[str]:
        x, y = 1.5, self.height - 2.2
        used = {box.kind for box in self.boxes.values()}
        for kind, words in KINDS.items():
            if kind in used:
                place = f'x="{x * UNIT:g}" y="{y * UNIT:g}"'
                yield f'<rect class="{kind}" {place} width="14" height="12"/>'
                yield _text(x + 2, y + 1, words, "note")
                x += text_width(words) + 4


def _corners(points: list[Point], level: bool, end: Point, end_level: bool) -> list[Point]:
    """From the last point to the end: whether the way begins and ends level is given."""
    (x, y), (to_x, to_y) = points[-1], end
    if len(points) > 1:
        level = points[-2][0] == points[-1][0]  # after an upright stretch comes a level one
    if (level and end_level and y == to_y) or (not level and not end_level and x == to_x):
        return [end]
    if level and end_level:
        middle = (x + to_x) / 2
        return [(middle, y), (middle, to_y), end]
    if level:
        return [(to_x, y), end]
    if end_level:
        return [(x, to_y), end]
    middle = (y + to_y) / 2
    return [(x, middle), (to_x, middle), end]


def _crosses(segment: tuple[Point, Point], box: Box) -> bool:
    """Whether it touches the inside of the box."""
    (x0, y0), (x1, y1) = segment
    return (
        min(x0, x1) < box.x + box.w - 0.01
        and max(x0, x1) > box.x + 0.01
        and min(y0, y1) < box.y + box.h - 0.01
        and max(y0, y1) > box.y + 0.01
    )


def _along(a: tuple[Point, Point], b: tuple[Point, Point]) -> bool:
    """Whether two stretches lie on each other for some length, or too near side by side."""
    for axis in (0, 1):
        same = abs(a[0][axis] - b[0][axis]) < 0.5
        if same and a[0][axis] == a[1][axis] and b[0][axis] == b[1][axis]:
            other = 1 - axis
            low = max(min(a[0][other], a[1][other]), min(b[0][other], b[1][other]))
            high = min(max(a[0][other], a[1][other]), max(b[0][other], b[1][other]))
            if high > low + 0.01:
                return True
    return False


def _parting(one: Sequence[Point], two: Sequence[Point]) -> Point:
    """The last point that two ways from one place have in common."""
    for (a, b), (_, c) in zip(zip(one, one[1:]), zip(two, two[1:])):
        if b == c:
            continue
        axis = 0 if a[1] == b[1] else 1
        if a[1 - axis] != c[1 - axis] or (b[axis] - a[axis]) * (c[axis] - a[axis]) < 0:
            return a
        return b if abs(b[axis] - a[axis]) < abs(c[axis] - a[axis]) else c
    return one[-1] if len(one) <= len(two) else two[-1]


def _at(x: float, y: float) -> str:
    return f"{x * UNIT:g} {y * UNIT:g}"


def _text(x: float, y: float, words: str, style: str = "") -> str:
    kind = f' class="{style}"' if style else ""
    return f'<text x="{x * UNIT:g}" y="{y * UNIT:g}"{kind}>{_spans(words)}</text>'


def _arrow(start: Point, end: Point) -> str:
    dx = (end[0] > start[0]) - (end[0] < start[0])
    dy = (end[1] > start[1]) - (end[1] < start[1])
    x, y = end[0] * UNIT, end[1] * UNIT
    back = (x - 7 * dx, y - 7 * dy)
    left = (back[0] - 3.5 * dy, back[1] + 3.5 * dx)
    right = (back[0] + 3.5 * dy, back[1] - 3.5 * dx)
    return (
        f'<path class="head" d="M{x:g} {y:g}L{left[0]:g} {left[1]:g}L{right[0]:g} {right[1]:g}z"/>'
    )


def _box_lines(box: Box) -> Iterator[str]:
    x, y, w, h = (value * UNIT for value in (box.x, box.y, box.w, box.h))
    yield f'<rect class="{box.kind}" x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}" rx="3"/>'
    if box.kind == "register":
        yield f'<path class="clock" d="M{x + 3:g} {y + h:g}l4 -6l4 6"/>'
    top = box.y + box.h / 2 - len(box.lines) * LINE / 2 + 1.1
    for i, line in enumerate(box.lines):
        yield _text(box.x + box.w / 2, top + i * LINE, line)
