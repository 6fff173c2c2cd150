# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The measurements of bench/peers: as CSV, as a table and as a chart."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import commands
from chart import Bar, BarPanel, Chart, number, svg

COLUMNS = ("implementation", "constant_time", "key_bits", "measure", "minimum", "median")
CHART = "bench/peers.svg"
OURS = "manyfish/"

# The measurements of the CSV that the documents show.
KEY_BITS = 256
DES, TRIPLE_DES = 64, 192


class Column(NamedTuple):
    """A measure, under keys of one size."""

    title: str
    measure: str
    key_bits: int = KEY_BITS


class Shown(NamedTuple):
    """The table of a cipher."""

    title: str
    columns: tuple[Column, ...]
    sorted_by: Column  # the rows, ours apart from the others


CTR = Column("CTR", "{unit}_per_byte/8192/ctr")
DES_BLOCKS = Column("DES: ECB", "{unit}_per_byte/8192/ecb/encrypt", DES)
TABLES = {
    "twofish": Shown(
        f"{KEY_BITS}-bit key",
        (
            Column("set-up", "setup_{unit}"),
            Column("one block", "block_{unit}/encrypt"),
            Column("CBC encrypt", "{unit}_per_byte/8192/cbc/encrypt"),
            Column("CBC decrypt", "{unit}_per_byte/8192/cbc/decrypt"),
            Column("ECB", "{unit}_per_byte/8192/ecb/encrypt"),
            CTR,
            Column("XTS", "{unit}_per_byte/8192/xts/encrypt"),
            Column("OCB", "{unit}_per_byte/8192/ocb/encrypt"),
        ),
        CTR,
    ),
    "des": Shown(
        "DES and 3DES",
        (
            Column("DES: set-up", "setup_{unit}", DES),
            Column("one block", "block_{unit}/encrypt", DES),
            DES_BLOCKS,
            Column("3DES: set-up", "setup_{unit}", TRIPLE_DES),
            Column("one block", "block_{unit}/encrypt", TRIPLE_DES),
            Column("ECB", "{unit}_per_byte/8192/ecb/encrypt", TRIPLE_DES),
            Column("CBC encrypt", "{unit}_per_byte/8192/cbc/encrypt", TRIPLE_DES),
            Column("CBC decrypt", "{unit}_per_byte/8192/cbc/decrypt", TRIPLE_DES),
            Column("CTR", "{unit}_per_byte/8192/ctr", TRIPLE_DES),
        ),
        DES_BLOCKS,
    ),
}
PANELS = (
    Column("Many blocks: CTR, 8 KiB, {unit} a byte", "{unit}_per_byte/8192/ctr"),
    Column("Authenticated: OCB, 8 KiB, {unit} a byte", "{unit}_per_byte/8192/ocb/encrypt"),
    Column("Key set-up, {unit}", "setup_{unit}"),
    Column("One block alone, {unit}", "block_{unit}/encrypt"),
)
# Kernels that the chart leaves out, because others are much like them.
UNCHARTED = ("avx2-gfni", "partial", "minimal", "zero")
# The columns of the short table.
BRIEF = (
    CTR,
    Column("OCB", "{unit}_per_byte/8192/ocb/encrypt"),
    Column("XTS", "{unit}_per_byte/8192/xts/encrypt"),
    Column("CBC encrypt", "{unit}_per_byte/8192/cbc/encrypt"),
    Column("one block", "block_{unit}/encrypt"),
    Column("key set-up", "setup_{unit}"),
)
# As in bench/peers/src/report.rs.
DRIFT_LIMIT, SPREAD_LIMIT = 0.02, 0.05


class Comparison(NamedTuple):
    """One run: its head, who is constant-time (known of ours only), and the minima."""

    head: dict[str, str]
    constant_time: dict[str, str]
    values: dict[tuple[str, int, str], float]

    @property
    def unit(self) -> str:
        return "cycles" if self.head["unit"] == "core cycles" else self.head["unit"]

    @property
    def cipher(self) -> str:
        """The files of Twofish began without a name."""
        return self.head.get("cipher", "twofish")

    @property
    def shown(self) -> Shown:
        return TABLES[self.cipher]

    def value(self, who: str, column: Column) -> float | None:
        """None where that was not measured."""
        return self.values.get((who, column.key_bits, column.measure.format(unit=self.unit)))

    def names(self, *, ours: bool) -> list[str]:
        """The fastest first; those who lack what is sorted by, last."""
        names = [who for who in self.constant_time if who.startswith(OURS) == ours]
        return sorted(names, key=lambda who: self.value(who, self.shown.sorted_by) or float("inf"))


def is_comparison(data: dict[str, Any]) -> bool:
    """Is this JSON that of bench/peers?"""
    return "versions" in data


def noise(quality: dict[str, float]) -> float:
    """Above 1 where the clock drifted or the figures spread by too much to be trusted."""
    return max(quality["clock_drift"] / DRIFT_LIMIT, quality["spread"] / SPREAD_LIMIT)


def quietest(runs: list[dict[str, Any]]) -> dict[str, Any]:
    """One run, and of how many."""
    return {**min(runs, key=lambda run: noise(run["quality"])), "runs": len(runs)}


def head(data: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """The lines above the columns."""
    if data["cipher"] != "twofish":
        yield "cipher", data["cipher"]
    yield from data["machine"].items()
    yield "default_kernel", data["default_kernel"]
    if data.get("runs", 1) > 1:
        yield "chosen", f"the quietest of {data['runs']} runs"
    yield from data["quality"].items()
    for who, version in data["versions"].items():
        yield f"version of {who}", version
    if data["missing"]:
        yield "skipped", "; ".join(data["missing"])


def csv_rows(data: dict[str, Any]) -> Iterator[list[Any]]:
    words = {True: "true", False: "false", None: ""}
    for row in data["rows"]:
        known = {**row, "constant_time": words[row["constant_time"]]}
        yield [known[column] for column in COLUMNS]


def read(path: Path) -> Comparison:
    found, rows = commands.read(path)
    constant_time, values = {}, {}
    for row in rows:
        who = row["implementation"]
        constant_time[who] = row["constant_time"]
        values[who, int(row["key_bits"]), row["measure"]] = float(row["minimum"])
    return Comparison(found, constant_time, values)


def label(who: str) -> str:
    return who.replace(OURS, "Manyfish ")


def ratio(value: float | None, base: float | None) -> str:
    """How many times the base; "" where one of them is missing."""
    if not value or not base:
        return ""
    times = value / base
    return f"{times:,.{2 if times < 9.995 else 0}f}x"


def cell(found: Comparison, who: str, column: Column) -> str:
    value = found.value(who, column)
    if value is None:
        return ""
    times = ratio(value, found.value(found.head["default_kernel"], column))
    shown = number(value)
    return f"{shown} ({times})" if times else shown


def title(found: Comparison, who: str) -> str:
    if not who.startswith(OURS):
        return f"{who} {found.head[f'version of {who}']}"
    default = " (default)" if who == found.head["default_kernel"] else ""
    return f"**Manyfish** `{who.removeprefix(OURS)}`{default}"


def table_row(found: Comparison, who: str) -> str:
    safe = {"true": "yes", "false": "no", "": ""}[found.constant_time[who]]
    cells = (cell(found, who, column) for column in found.shown.columns)
    return f"| {title(found, who)} | {safe} | {' | '.join(cells)} |"


def best_peer(found: Comparison, column: Column) -> str:
    """The best of the others, and how many times our default kernel it takes."""
    peers = ((found.value(who, column), who) for who in found.names(ours=False))
    have = [(value, who) for value, who in peers if value is not None]
    if not have:
        return ""
    value, who = min(have)
    return f"{who} {ratio(value, found.value(found.head['default_kernel'], column))}".rstrip()


def brief(found: Comparison) -> list[str]:
    """The default, the best table kernel and the other libraries, without ratios."""
    default = found.head["default_kernel"]
    ours = [who for who in found.names(ours=True) if who in (default, f"{OURS}full")]
    names = [*ours, *found.names(ours=False)]
    titles = " | ".join(column.title for column in BRIEF)
    return [
        f"| 256-bit key, {found.unit} | {titles} |",
        f"|---|{'--:|' * len(BRIEF)}",
        *(
            f"| {title(found, who)} | {' | '.join(figure(found, who, each) for each in BRIEF)} |"
            for who in names
        ),
        "",
        f"{note(found)}, commit {found.head['commit']}; modes over 8 KiB.{doubts(found)}",
    ]


def figure(found: Comparison, who: str, column: Column) -> str:
    value = found.value(who, column)
    return "" if value is None else number(value)


def table(found: Comparison) -> list[str]:
    """Every implementation, and how it compares with our default kernel."""
    shown = found.shown
    titles = " | ".join(column.title for column in shown.columns)
    best = " | ".join(best_peer(found, column) for column in shown.columns)
    names = [*found.names(ours=True), *found.names(ours=False)]
    skipped = found.head.get("skipped")
    return [
        f"{note(found)}; {found.head['compiler']}; commit {found.head['commit']}. "
        f"Modes: 8 KiB, {found.unit} a byte. In brackets: how many times our default kernel."
        + (f" Not measured: {skipped}." if skipped else "")
        + doubts(found),
        "",
        f"| {shown.title} | constant time | {titles} |",
        f"|---|---|{'--:|' * len(shown.columns)}",
        *(table_row(found, who) for who in names),
        f"| best of the others | | {best} |",
    ]


def doubts(found: Comparison) -> str:
    """A warning, if the machine was busy; a note, if its clock changed, which each run measures."""
    drift, spread = float(found.head["clock_drift"]), float(found.head["spread"])
    text = ""
    if spread > SPREAD_LIMIT:
        text += " **The machine was busy**: the median of the runs is "
        text += f"{spread:.0%} above their minimum."
    if drift > DRIFT_LIMIT:
        text += f" The clock changed by {drift:.0%}; cycles are those of the clock beside each run."
    return text


def heading(found: Comparison) -> str:
    return f"Twofish with {KEY_BITS}-bit keys, in {found.head['unit']}: less is better"


def note(found: Comparison) -> str:
    return f"{found.head['cpu']}, {found.head['date'][:10]}"


def kind(found: Comparison, who: str) -> str:
    return {"true": "safe", "false": "tables", "": "peer"}[found.constant_time[who]]


def is_charted(who: str) -> bool:
    return who.removeprefix(OURS) not in UNCHARTED


def panel(found: Comparison, column: Column) -> BarPanel:
    bars = [
        Bar(label(who), value, kind(found, who))
        for who in found.constant_time
        if is_charted(who) and (value := found.value(who, column)) is not None
    ]
    bars.sort(key=lambda bar: bar.value)
    return BarPanel(column.title.format(unit=found.unit), bars)


def chart(found: Comparison) -> str:
    panels = [drawn for column in PANELS if (drawn := panel(found, column)).bars]
    return svg(Chart(heading(found), note(found), panels))
