# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Many messages, from bench/peers with --many, and many keys, from `manyfish speed --keys`."""

from __future__ import annotations

import re
from typing import NamedTuple

from chart import Chart, number, svg
from comparison import OURS, Comparison, doubts, note
from curves import Curve, CurvePanel

CHART = "bench/many.svg"
TOGETHER = " many"  # at the end of the name of a kernel with the functions for many messages
# Beside the default kernel, the one that most processors of today run.
USUAL = OURS + "avx2"
MODES = ("cbc/encrypt", "eax/encrypt", "ocb/encrypt")
BLOCKS = "8192/ecb/encrypt"  # the measure of blocks that wait for nothing
LANES = 64  # the number of messages that the chart shows
KEYS_CHART = "bench/keys.svg"
KEYS_PANELS = (128, 256)  # bits

Rows = dict[tuple[str, str, int], dict[str, str]]


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
        if not measure.endswith(BLOCKS):
            values.setdefault(parsed(measure), {})[who] = value
    return values


def blocks(found: Comparison) -> dict[str, float]:
    """Of each implementation: a byte of blocks that wait for nothing."""
    return {who: value for (who, _, name), value in found.values.items() if name.endswith(BLOCKS)}


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
    base = blocks(found)
    titles = (
        f"`{who.removeprefix(OURS)}`, one by one | together | times ECB's {number(base[who])}"
        for who in kernels
    )
    lines = []
    for messages, values in measures(found).items():
        cells = (
            f"{number(values[who])} | **{number(values[who + TOGETHER])}** | "
            f"{values[who + TOGETHER] / base[who]:.2f}"
            for who in kernels
        )
        lines.append(f"| {messages.title} | {' | '.join(cells)} | {best_peer(values)} |")
    return [
        f"{note(found)}; commit {found.head['commit']}; {found.unit} a byte.{doubts(found)}",
        "",
        f"| messages | {' | '.join(titles)} | best of the others, one by one |",
        f"|---|{'--:|--:|--:|' * len(kernels)}--:|",
        *lines,
    ]


def chart(found: Comparison) -> str:
    """For each mode the default kernel, both ways, and the best of the others at each length."""
    who = found.head["default_kernel"]
    name = who.removeprefix(OURS)
    panels = []
    for mode in MODES:
        of_mode = {
            m: values for m, values in measures(found).items() if m.mode == mode and m.n == LANES
        }
        peers = [
            min(value for other, value in values.items() if not other.startswith(OURS))
            for values in of_mode.values()
        ]
        alone = [values[who] for values in of_mode.values()]
        together = [values[who + TOGETHER] for values in of_mode.values()]
        curves = [
            Curve(f"{name}, alone", "safe", alone, True),
            Curve("best other", "peer", peers),
            Curve(f"{name}, {LANES}", "safe", together),
        ]
        places = [size(messages.n_bytes).replace(" ", "").rstrip("iB") for messages in of_mode]
        title = f"{mode.split('/')[0].upper()}, {found.unit} a byte"
        panels.append(CurvePanel(title, "bytes of each message", places, curves))
    heading = f"Messages alone, and {LANES} under one key at a time: less is better"
    return svg(Chart(heading, note(found), panels))


def keys_chart(rows: Rows, machine: dict[str, str]) -> str:
    """For each size of keys the kernels; those by tables expand one key after the other."""
    panels = []
    for bits in KEYS_PANELS:
        curves, numbers = [], []
        for (_, kernel, key_bits), values in rows.items():
            found = {int(name[5:]): value for name, value in values.items() if name[:5] == "keys/"}
            if key_bits == bits and found:
                numbers = sorted(found)
                kind = "safe" if values["constant_time"] == "true" else "tables"
                curves.append(Curve(kernel, kind, [float(found[n]) for n in numbers]))
        title = f"{bits}-bit keys, cycles for a key and a block"
        panels.append(CurvePanel(title, "keys in a call", [str(n) for n in numbers], curves))
    heading = "A block under each of many keys: less is better"
    return svg(Chart(heading, f"{machine['cpu']}, {machine['date'][:10]}", panels))
