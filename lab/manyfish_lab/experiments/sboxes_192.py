# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The S-boxes of 192-bit keys."""

from __future__ import annotations

from collections.abc import Sequence

from manyfish_lab import sboxes
from manyfish_lab.experiment import Cell, Experiment, Findings, Json, Scale, Table, Task
from manyfish_lab.sbox_tables import (
    CHANCE_TITLE,
    CONFIDENCE,
    DP,
    LP,
    POSITIONS,
    beside_chance,
    counts_table,
    cycles_plot,
    cycles_table,
    distribution_plots,
    exact,
    parts,
    remembered,
    rounded_twice,
    sampled,
)

K = 3  # bytes of key of a box
SEED = 192

# [Twofish99, table 7.1]: -log2 of the proportions, of all keys.
BOOK_DP = {
    **{8: "15.2", 10: "1.3", 12: "0.9", 14: "4.1", 16: "8.0", 18: "12.2"},
    **{20: "16.5", 22: "20.8", 24: "25.0"},
}
BOOK_DP_MAX = "24/256"
# [Twofish99, table 7.2] from memory; we do not have the text.
MEMORY_LP = {56: "9.3", 64: "1.0", 72: "1.2", 80: "4.3", 88: "8.1", 96: "12.3", 104: "17.0"}


def tasks(scale: Scale) -> Sequence[Task]:
    if scale == "small":
        return sboxes.sample(K, 1 << 17, 1 << 14, SEED)
    return sboxes.AllKeys(K, 1 << 18)


def combine(scale: Scale, results: Sequence[Json]) -> Findings:
    positions = parts(results)
    total = sboxes.add(positions)
    share = "-log2 of the share of boxes"
    if scale == "small":
        share += f" ({CONFIDENCE} interval)"
    return Findings(
        tables=[
            Table(f"DPmax, {share}", dp_cells(scale, total), "[Twofish99, table 7.1]"),
            Table(f"LPmax, {share}", lp_cells(scale, total)),
            beside_chance(total),
            counts_table(positions),
            cycles_table(positions, POSITIONS),
        ],
        plots=[
            *distribution_plots(total, "192-bit keys", {"dp": BOOK_DP}),
            cycles_plot(positions, POSITIONS),
        ],
        data={"positions": dict(zip(POSITIONS, positions, strict=True))},
    )


def dp_cells(scale: Scale, total: Json) -> list[Cell]:
    if scale == "small":
        return sampled(DP, total, BOOK_DP, 1)
    return exact(DP, total, BOOK_DP, 1, BOOK_DP_MAX, rounded_twice(DP, total, BOOK_DP))


def lp_cells(scale: Scale, total: Json) -> list[Cell]:
    return remembered(LP, total, MEMORY_LP, 2, exactly=scale != "small")


EXPERIMENT = Experiment(
    name="sboxes-192",
    question="How good are the S-boxes of 192-bit keys against differential and linear attacks?",
    method=(
        "The program computes the same figures as for 128-bit keys, for all 4 x 2^24 S-boxes. The "
        f"small scale takes S-boxes of random keys, with Wilson intervals of {CONFIDENCE}."
    ),
    sources=("[Twofish98, 7.2.3]", "[Twofish99, table 7.1]"),
    covers={"small": "2^17 S-boxes of random keys", "paper": "all 4 x 2^24 S-boxes"},
    tasks=tasks,
    compute=sboxes.compute,
    combine=combine,
    seed=SEED,
    kinds={CHANCE_TITLE: "formula"},
)
