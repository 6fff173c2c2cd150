# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Draws the handshakes of a core as SVG, of what a simulator wrote down (VCD): a column a clock.

The same trace gives the same bytes. Clocks in which nothing happens are left out, and counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

Clock = Mapping[str, str]  # what each signal is just before an edge, in binary


@dataclass(frozen=True)
class Port:
    """A row: a bit, or a bus that shows `bytes`, byte 0 first, or a `number`; without a name a gap.

    beside  bits without which it means nothing and is not drawn, or with ~ in front with which
    """

    name: str = ""
    kind: str = "bit"
    beside: tuple[str, ...] = ()

    def means(self, clock: Clock) -> bool:
        wanted = ((bit.lstrip("~"), "0" if bit[0] == "~" else "1") for bit in self.beside)
        return all(clock.get(bit, value) == value for bit, value in wanted)


# From the top, the clock first.
CORE = (
    *(Port("clk"), Port()),
    *(Port("key_valid"), Port("key_ready"), Port("key_data", "bytes", ("key_valid",)), Port()),
    *(Port("in_valid"), Port("in_ready"), Port("in_decrypt", beside=("in_valid",))),
    *(Port("in_data", "bytes", ("in_valid",)), Port()),
    *(Port("out_valid"), Port("out_ready"), Port("out_data", "bytes", ("out_valid",))),
)
APB = (
    *(Port("pclk"), Port()),
    *(Port("psel"), Port("penable"), Port("pwrite", beside=("psel",))),
    *(Port("paddr", "number", ("psel",)), Port("pwdata", "bytes", ("psel", "pwrite")), Port()),
    *(Port("pready", beside=("penable",)), Port("prdata", "bytes", ("penable", "~pwrite"))),
    *(Port(), Port("irq")),
)


def _axil() -> Iterator[Port]:
    yield Port("aclk")
    channels = (("aw", "addr", "number"), ("w", "data", "bytes"), ("b", "", ""))
    for channel, bus, kind in (*channels, ("ar", "addr", "number"), ("r", "data", "bytes")):
        name = f"s_axil_{channel}"
        yield from (Port(), Port(f"{name}valid"), Port(f"{name}ready"))
        if bus:
            yield Port(f"{name}{bus}", kind, (f"{name}valid",))
    yield from (Port(), Port("irq"))


AXIL = tuple(_axil())

# In pixels: widths of the names, of a column, of clocks left out, of a digit; heights.
NAMES, COLUMN, BREAK, DIGIT = 96, 34, 74, 6.4
ROW, GAP, TOP, HIGH, SLOPE = 24, 10, 56, 14, 3
PREFIX = "s_axil_"  # is left out of names
QUIET = 3  # at least this many like clocks in a row are left out

STYLE = """
text { font: 12px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #1f2328; }
.heading { font-size: 16px; font-weight: 600; }
.note { fill: #59636e; text-anchor: middle; }
.value { font: 10.5px ui-monospace, Menlo, Consolas, monospace; text-anchor: middle; }
.background { fill: #ffffff; }
.edge { stroke: #d1d9e0; }
.wave { fill: none; stroke: #0969da; stroke-width: 1.5; }
.bus { fill: #ddf4ff; stroke: #0969da; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3; }
  .note { fill: #9198a1; }
  .background { fill: #0d1117; }
  .edge { stroke: #3d444d; }
  .wave { stroke: #4493f8; }
  .bus { fill: #0c2d6b; stroke: #4493f8; }
}
"""


@dataclass(frozen=True)
class Column:
    """A clock, or if `left_out` is not 0 this many clocks that are not drawn."""

    values: Clock
    left_out: int = 0

    @property
    def width(self) -> int:
        return BREAK if self.left_out else COLUMN


def clocks(vcd: str, clk: str = "clk") -> Iterator[Clock]:
    """The signals of the only scope of a VCD file before each rising edge of clk."""
    names: dict[str, list[str]] = {}
    values: dict[str, str] = {}
    before: Clock = {}
    for line in vcd.splitlines():
        words = line.split()
        if words[:1] == ["$var"]:
            names.setdefault(words[3], []).append(words[4])
        elif line.startswith("#"):
            before = dict(values)  # all changes of one time belong together
        elif line[:1] in "01xzb" and words:
            value, code = (words[0][1:], words[1]) if line[0] == "b" else (line[0], line[1:])
            if clk in names.get(code, ()) and value == "1":
                yield before
            values.update(dict.fromkeys(names.get(code, ()), value))


def _drawn(clock: Clock, ports: Sequence[Port]) -> Clock:
    """The signals that mean something there."""
    values = ((port, clock.get(port.name, "x")) for port in ports)
    return {port.name: value for port, value in values if "x" not in value and port.means(clock)}


def columns(trace: Sequence[Clock], ports: Sequence[Port] = CORE) -> list[Column]:
    """Without what is quiet: like clocks except the first and the last of them."""
    shown = [_drawn(clock, ports) for clock in trace]
    result: list[Column] = []
    at = 0
    while at < len(shown):
        end = at
        while end < len(shown) and shown[end] == shown[at]:
            end += 1
        like = end - at
        if like > QUIET:
            middle = Column(shown[at], like - 2)
            result += [Column(shown[at]), middle, Column(shown[at])]
        else:
            result += [Column(shown[at])] * like
        at = end
    return result


def word(value: str) -> str:
    """A bus in hexadecimal, byte 0 first as the paper writes it, cut after five bytes."""
    bits = value.zfill(32 if len(value) <= 32 else 128)
    data = int(bits, 2).to_bytes(len(bits) // 8, "little").hex()
    return data if len(data) <= 10 else data[:10] + ".."


def number(value: str) -> str:
    return f"{int(value, 2):02x}"


def _clock_lines(shown: Sequence[Column], y: float) -> Iterator[str]:
    """The clock, rising at the right end of each column."""
    path, x = f"M{NAMES} {y + HIGH}", float(NAMES)
    for column in shown:
        if column.left_out:
            path += f"M{x + BREAK:g} {y + HIGH}"
        else:
            path += f"h{COLUMN / 2:g}v{-HIGH}h{COLUMN / 2:g}v{HIGH}"
        x += column.width
    yield f'<path class="wave" d="{path}"/>'


def _level_lines(shown: Sequence[Column], name: str, y: float) -> Iterator[str]:
    """A signal of one bit; where it means nothing there is no line."""
    path, x, last = "", float(NAMES), ""
    for column in shown:
        value = column.values.get(name, "")
        level = y + (0 if value == "1" else HIGH)
        if not value or column.left_out:
            path += f"M{x + column.width:g} {level:g}" if value else ""
        else:
            path += (f"L{x:g} {level:g}" if last else f"M{x:g} {level:g}") + f"h{column.width}"
        last = value
        x += column.width
    yield f'<path class="wave" d="{path}"/>'


def _bus_lines(shown: Sequence[Column], port: Port, y: float) -> Iterator[str]:
    """Values in boxes; one box for a value, however long it lasts."""
    words = word if port.kind == "bytes" else number
    x, start, last = float(NAMES), 0.0, ""
    for column in (*shown, Column({})):
        value = column.values.get(port.name, "")
        if value != last:
            if last:
                yield from _bus_box(start, x, y, words(last))
            start, last = x, value
        x += column.width


def _bus_box(x0: float, x1: float, y: float, words: str) -> Iterator[str]:
    points = (
        f"{x0 + SLOPE:g} {y:g}H{x1 - SLOPE:g}L{x1:g} {y + HIGH / 2:g}L{x1 - SLOPE:g} {y + HIGH:g}"
    )
    yield f'<path class="bus" d="M{points}H{x0 + SLOPE:g}L{x0:g} {y + HIGH / 2:g}z"/>'
    room = int((x1 - x0 - 2 * SLOPE) / DIGIT)
    if len(words) > room:
        words = words[: (room - 2) // 2 * 2] + ".."
    if words != "..":
        yield f'<text class="value" x="{(x0 + x1) / 2:g}" y="{y + 11:g}">{words}</text>'


def _rows(shown: Sequence[Column], ports: Sequence[Port]) -> Iterator[str]:
    y = float(TOP + 4)
    for port in ports:
        if port.name:
            draw = _bus_lines(shown, port, y) if port.kind != "bit" else None
            draw = draw or _level_lines(shown, port.name, y)
            lines = _clock_lines(shown, y) if port == ports[0] else draw
            yield f'<text x="16" y="{y + 11:g}">{port.name.removeprefix(PREFIX)}</text>'
            yield from lines
        y += ROW if port.name else GAP


def svg(heading: str, about: str, trace: Sequence[Clock], ports: Sequence[Port] = CORE) -> str:
    """The file. A rising edge is at the right end of its column."""
    shown = columns(trace, ports)
    width = NAMES + sum(column.width for column in shown) + 16
    height = TOP + sum(ROW if port.name else GAP for port in ports) + 12
    body: list[str] = []
    x = float(NAMES)
    for column in shown:
        x += column.width
        if column.left_out:
            middle = f'x="{x - BREAK / 2:g}" y="{TOP - 8}"'
            body.append(f'<text class="note" {middle}>{column.left_out} clocks</text>')
        else:
            body.append(f'<path class="edge" d="M{x:g} {TOP}V{height - 8}"/>')
    body += _rows(shown, ports)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}"'
            ' role="img" aria-labelledby="title desc">',
            f'<title id="title">{escape(heading, quote=False)}</title>',
            f'<desc id="desc">{escape(about, quote=False)}</desc>',
            f"<style>{STYLE}</style>",
            '<rect class="background" width="100%" height="100%" rx="6"/>',
            f'<text x="16" y="28" class="heading">{escape(heading, quote=False)}</text>',
            *body,
            "</svg>\n",
        ]
    )
