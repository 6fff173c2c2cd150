# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The S-boxes of 256-bit keys."""

from __future__ import annotations

from collections.abc import Sequence

from manyfish_lab import sboxes
from manyfish_lab.experiment import Experiment, Findings, Json, Scale, Table, Task
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
    parts,
    remembered,
    sampled,
)

K = 4  # bytes of key of a box
SEED = 256

SHARE = f"-log2 of the share of boxes ({CONFIDENCE} interval)"
DP_TITLE = f"DPmax, {SHARE}"

# [Twofish99, table 7.1]: -log2 of the proportions, of a sample.
BOOK_DP = {
    **{8: "15.1", 10: "1.3", 12: "0.9", 14: "4.1", 16: "8.0", 18: "12.2"},
    **{20: "16.7", 22: "22.0"},
}
DP_SOURCE = "[Twofish99, table 7.1]"
DP_SAMPLE = "The published row comes from a sample too"
# [Twofish99, table 7.2] from memory; we do not have the text.
MEMORY_LP = {56: "9.3", 64: "1.0", 72: "1.2", 80: "4.3", 88: "8.1", 96: "12.1", 104: "17.6"}


def tasks(scale: Scale) -> Sequence[Task]:
    if scale == "small":
        return sboxes.sample(K, 1 << 17, 1 << 14, SEED)
    return sboxes.sample(K, 1 << 26, 1 << 18, SEED)


def combine(scale: Scale, results: Sequence[Json]) -> Findings:
    positions = parts(results)
    total = sboxes.add(positions)
    return Findings(
        tables=[
            Table(DP_TITLE, sampled(DP, total, BOOK_DP, 1, DP_SAMPLE), DP_SOURCE),
            Table(f"LPmax, {SHARE}", remembered(LP, total, MEMORY_LP, 2)),
            beside_chance(total),
            counts_table(positions),
            cycles_table(positions, POSITIONS),
        ],
        plots=[
            *distribution_plots(total, "256-bit keys", {"dp": BOOK_DP}),
            cycles_plot(positions, POSITIONS),
        ],
        data={"positions": dict(zip(POSITIONS, positions, strict=True))},
    )


EXPERIMENT = Experiment(
    name="sboxes-256",
    question="How good are the S-boxes of 256-bit keys against differential and linear attacks?",
    method=(
        "The program computes the same figures as for 128-bit keys, for S-boxes of random keys, a "
        f"quarter of them for each position. Intervals are Wilson's of {CONFIDENCE}. A published "
        "figure agrees if the interval has a number that rounds to it."
    ),
    sources=("[Twofish98, 7.2.3]", DP_SOURCE),
    covers={
        "small": "2^17 S-boxes of random keys",
        "paper": "2^26 S-boxes of random keys",
    },
    tasks=tasks,
    compute=sboxes.compute,
    combine=combine,
    seed=SEED,
    kinds={DP_TITLE: "sample", CHANCE_TITLE: "formula"},
)
