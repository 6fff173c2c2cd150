# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The fixed permutations q0 and q1."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from manyfish_lab import sboxes, twofish
from manyfish_lab.experiment import (
    Cell,
    Experiment,
    Findings,
    Json,
    Plot,
    Scale,
    Table,
    Task,
    ours,
    same,
)

NAMES = ("q0", "q1")
# [TwofishC98, TABLE.H]
DP_MAX = "10/256"
LP_MAX = "(64/256)^2"
FIXED = ("1", "2")
SHORT = 4
SHORT_CYCLES = ("1 1 1 0", "2 0 0 1")  # how many there are of the lengths 1 to SHORT

BLOCK = 4  # rows, and columns, in one cell of a picture

Table256 = NDArray[np.int64]  # of 256 by 256


def tasks(scale: Scale) -> Sequence[Task]:
    return [{"q": which} for which in range(len(NAMES))]


def compute(task: Task) -> Json:
    box = twofish.q()[task["q"]]
    _, lengths = sboxes.cycles(box[None])
    return {
        "table": box.tolist(),
        "dp": int(sboxes.dp(box[None])[0]),
        "lp": int(sboxes.lp(box[None])[0]),
        "fixed": np.flatnonzero(box == np.arange(256)).tolist(),
        "cycles": np.repeat(np.arange(257), lengths.astype(np.int64)).tolist(),
        "differences": blocks(differences(box)),
        "walsh": blocks(np.abs(walsh(box))),
    }


def differences(box: sboxes.Boxes) -> Table256:
    """How many x have s(x) ^ s(x ^ d) = e, by d and e."""
    x = np.arange(256)
    rows = [np.bincount(box ^ box[x ^ d], minlength=256) for d in range(256)]
    return np.array(rows, np.int64)


def walsh(box: sboxes.Boxes) -> Table256:
    """The sums over x of (-1)^(a.x + b.s(x)), by a and b."""
    x = np.arange(256)
    sign = 1 - 2 * (np.bitwise_count(x[:, None] & x[None, :]).astype(np.int64) & 1)
    return np.asarray(sign @ sign[box], np.int64)


def blocks(table: Table256) -> list[list[int]]:
    """The largest of each block, without the row and the column of 0."""
    inner = table.copy()
    inner[0], inner[:, 0] = 0, 0
    n = 256 // BLOCK
    return [[int(v) for v in row] for row in inner.reshape(n, BLOCK, n, BLOCK).max((1, 3))]


def combine(scale: Scale, results: Sequence[Json]) -> Findings:
    cells: list[Cell] = []
    for i, (name, one) in enumerate(zip(NAMES, results, strict=True)):
        cells += cells_of(name, one, FIXED[i], SHORT_CYCLES[i])
    return Findings(
        tables=[Table("q0 and q1", cells, "[TwofishC98, TABLE.H]")],
        plots=[
            plot for name, one in zip(NAMES, results, strict=True) for plot in plots_of(name, one)
        ],
        data={
            name: {key: one[key] for key in ("table", "dp", "lp", "fixed", "cycles")}
            for name, one in zip(NAMES, results, strict=True)
        },
    )


def cells_of(name: str, one: Json, fixed: str, short: str) -> list[Cell]:
    cycles = one["cycles"]
    counted = " ".join(str(cycles.count(length)) for length in range(1, SHORT + 1))
    return [
        same(f"{name}: DPmax", DP_MAX, f"{one['dp']}/256"),
        same(f"{name}: LPmax", LP_MAX, f"({one['lp']}/256)^2"),
        same(f"{name}: fixed points", fixed, str(len(one["fixed"]))),
        ours(f"{name}: which", ", ".join(map(str, one["fixed"]))),
        same(f"{name}: cycles of length 1 to {SHORT}", short, counted),
        ours(f"{name}: lengths of all cycles", " ".join(map(str, cycles))),
        ours(f"{name}: parity as a permutation", "odd" if len(cycles) % 2 else "even"),
    ]


def plots_of(name: str, one: Json) -> list[Plot]:
    return [
        Plot(
            f"{name}-differences",
            f"{name}: inputs with a difference of output",
            f"output difference / {BLOCK}",
            f"input difference / {BLOCK}",
            "heat",
            grid=one["differences"],
        ),
        Plot(
            f"{name}-walsh",
            f"{name}: magnitude of the Walsh transform",
            f"output mask / {BLOCK}",
            f"input mask / {BLOCK}",
            "heat",
            grid=one["walsh"],
        ),
    ]


EXPERIMENT = Experiment(
    name="q",
    question="What are the differential, linear and cycle figures of the permutations q0 and q1?",
    method=(
        "The lab's functions for S-boxes measure q0 and q1. The pictures show the whole tables: a "
        f"cell is the largest of {BLOCK} x {BLOCK} entries, without those of the difference or "
        "mask 0."
    ),
    sources=("[Twofish98, 7.2.2]", "[TwofishC98, TABLE.H]"),
    covers={"small": "q0 and q1"},
    tasks=tasks,
    compute=compute,
    combine=combine,
)
