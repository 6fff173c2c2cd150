# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The algebraic degree of the S-boxes of all keys."""

from __future__ import annotations

from collections.abc import Sequence
from math import log2, prod

import numpy as np

from manyfish_lab import sboxes
from manyfish_lab.experiment import Experiment, Findings, Json, Plot, Scale, Table, Task, ours
from manyfish_lab.sbox_tables import POSITIONS

KEY_BITS = {2: 128, 3: 192, 4: 256}  # by the bytes of key of a box
PER_TASK = 1 << 18  # keys of an inner box, each with 256 boxes
RANKS = range(9)


def tasks(scale: Scale) -> Sequence[Task]:
    """Ranges of the inner bytes of keys; the kernel takes all outer ones."""
    sizes = (2, 3) if scale == "small" else (2, 3, 4)
    return [
        {"k": k, "position": position, "first": first, "count": min(PER_TASK, 1 << 8 * (k - 1))}
        for k in sizes
        for position in range(len(POSITIONS))
        for first in range(0, 1 << 8 * (k - 1), PER_TASK)
    ]


def compute(task: Task) -> Json:
    """Position, bytes of key, and how many boxes have which rank."""
    keys = np.arange(task["first"], task["first"] + task["count"], dtype=np.uint32)
    counts = sboxes.ranks(keys, task["position"], task["k"])
    return {"k": task["k"], "position": task["position"], "ranks": counts.tolist()}


def random_share(rank: int) -> float:
    """Of all 8 x 8 matrices of bits, those of this rank."""
    found: float = prod((256 - 2.0**i) ** 2 / (2.0**rank - 2.0**i) for i in range(rank))
    return found / 2.0**64


def shown(count: int, total: int) -> str:
    return f"{-log2(count / total):.3f} ({count:,} boxes)" if count else "none"


def table(k: int, counts: Sequence[int]) -> Table:
    """A row for each rank that a box has or might have."""
    total = sum(counts)
    cells = []
    for rank in reversed(RANKS):
        expected = random_share(rank) * total
        if counts[rank] or expected >= 0.01:
            n = 2 ** (8 - rank) - 1
            sums = "no sum" if n == 0 else "1 sum" if n == 1 else f"{n} sums"
            chance = f"random matrices: {-log2(random_share(rank)):.3f} ({expected:,.1f})"
            cells.append(
                ours(f"{sums} with a degree below 7", f"{shown(counts[rank], total)}; {chance}")
            )
    title = f"{KEY_BITS[k]}-bit keys, all 4 x 2^{8 * k} S-boxes: -log2 of the share of boxes"
    return Table(title, cells)


def added(results: Sequence[Json], k: int, position: int | None = None) -> list[int]:
    """The counts of all tasks of a size of keys, of one position or of all."""
    chosen = [r for r in results if r["k"] == k and position in (None, r["position"])]
    return [sum(column) for column in zip(*(r["ranks"] for r in chosen), strict=True)]


def combine(scale: Scale, results: Sequence[Json]) -> Findings:
    sizes = sorted({result["k"] for result in results})
    counts = {k: added(results, k) for k in sizes}
    series = {
        f"{KEY_BITS[k]}-bit keys": [
            (float(rank), -log2(n / sum(counts[k]))) for rank, n in enumerate(counts[k]) if n
        ]
        for k in sizes
    }
    lowest = min(rank for k in sizes for rank, n in enumerate(counts[k]) if n)
    series["random matrices"] = [(float(r), -log2(random_share(r))) for r in range(lowest, 9)]
    plot = Plot(
        "ranks",
        "S-boxes by the rank of their coefficients of degree 7",
        "rank",
        "-log2 of the share of boxes",
        "lines",
        series,
    )
    by_position = {
        str(KEY_BITS[k]): {name: added(results, k, j) for j, name in enumerate(POSITIONS)}
        for k in sizes
    }
    return Findings([table(k, counts[k]) for k in sizes], [plot], data=by_position)


EXPERIMENT = Experiment(
    name="sboxes-degree",
    question="How many sums of output bits of an S-box have an algebraic degree below 7?",
    method=(
        "Permutations of a byte have at most the degree 7. The coefficients of the eight monomials "
        "of degree 7 are bytes. A sum of output bits has a lower degree if the same sum of bits is "
        "0 in each of them. So if these bytes have the rank r, there are 2^(8 - r) - 1 such sums. "
        "The program computes the rank for all S-boxes of all keys, and compares with random "
        "matrices of 8 x 8 bits."
    ),
    sources=("[Twofish98, 4.3.2]",),
    covers={
        "small": "all S-boxes of 128-bit and 192-bit keys",
        "paper": "all S-boxes: 4 x 2^16, 4 x 2^24 and 4 x 2^32",
    },
    tasks=tasks,
    compute=compute,
    combine=combine,
)
