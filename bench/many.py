# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The measurements of many messages: a table and a chart of what bench/peers wrote with --many."""

from __future__ import annotations

import re
from typing import NamedTuple

from chart import Bar, Chart, Panel, number, svg
from comparison import OURS, Comparison, doubts, kind, note

CHART = "bench/many.svg"
TOGETHER = " many"  # at the end of the name of a kernel with the functions for many messages
# Beside the default kernel, the one that most processors of today run.
USUAL = OURS + "avx2"
PANELS = ("64x64/cbc/encrypt", "64x1024/cbc/encrypt", "64x1024/eax/encrypt", "64x1024/ocb/encrypt")
# Kernels of the chart.
CHARTED = ("avx512", "avx2", "neon", "bitslice", "full")


class Messages(NamedTuple):
    """A measure: the number of messages, their bytes and the mode."""

    n: int
    n_bytes: int
    mode: str

    @property
    def title(self) -> str:
        return f"{self.mode.split('/')[0].upper()}, {self.n} of {size(self.n_bytes)}"


def size(n_bytes: int) -> str:
    return f"{n_bytes // 1024} KiB" if n_bytes % 1024 == 0 else f"{n_bytes} B"


def parsed(measure: str) -> Messages:
    found = re.fullmatch(r"\w+_per_byte/(\d+)x(\d+)/(.+)", measure)
    assert found, measure
    return Messages(int(found[1]), int(found[2]), found[3])


def measures(found: Comparison) -> dict[Messages, dict[str, float]]:
    """Of each implementation, in the order of the file."""
    values: dict[Messages, dict[str, float]] = {}
    for (who, _, measure), value in found.values.items():
        values.setdefault(parsed(measure), {})[who] = value
    return values


def best_peer(values: dict[str, float]) -> str:
    peers = [(value, who) for who, value in values.items() if not who.startswith(OURS)]
    if not peers:
        return ""
    value, who = min(peers)
    return f"{who} {number(value)}"


def shown(found: Comparison) -> list[str]:
    """The default kernel, and the usual one where that is another."""
    default = found.head["default_kernel"]
    usual = [USUAL] if USUAL in found.constant_time and default != USUAL else []
    return [default, *usual]


def table(found: Comparison) -> list[str]:
    """One message after the other and all together."""
    kernels = shown(found)
    titles = (f"`{who.removeprefix(OURS)}`, one by one | together" for who in kernels)
    lines = []
    for messages, values in measures(found).items():
        cells = (f"{number(values[who])} | **{number(values[who + TOGETHER])}**" for who in kernels)
        lines.append(f"| {messages.title} | {' | '.join(cells)} | {best_peer(values)} |")
    return [
        f"{note(found)}; commit {found.head['commit']}; {found.unit} a byte.{doubts(found)}",
        "",
        f"| messages | {' | '.join(titles)} | best of the others, one by one |",
        f"|---|{'--:|--:|' * len(kernels)}--:|",
        *lines,
    ]


def label(who: str) -> str:
    name = who.removeprefix(OURS)
    together = name.endswith(TOGETHER)
    return f"{name.removesuffix(TOGETHER)}, {'together' if together else 'one by one'}"


def is_charted(who: str) -> bool:
    return not who.startswith(OURS) or who.removeprefix(OURS).removesuffix(TOGETHER) in CHARTED


def chart(found: Comparison) -> str:
    panels = []
    for messages, values in measures(found).items():
        if f"{messages.n}x{messages.n_bytes}/{messages.mode}" in PANELS:
            bars = [
                Bar(label(who) if who.startswith(OURS) else who, value, kind(found, who))
                for who, value in values.items()
                if is_charted(who)
            ]
            title = f"{messages.title}, {found.unit} a byte"
            panels.append(Panel(title, sorted(bars, key=lambda bar: bar.value)))
    heading = "Many messages under one key: less is better"
    return svg(Chart(heading, note(found), panels))
