# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The S-boxes of all 128-bit keys."""

from __future__ import annotations

from collections.abc import Sequence

from manyfish_lab import sboxes
from manyfish_lab.experiment import Experiment, Findings, Json, Scale, Table, Task
from manyfish_lab.sbox_tables import (
    DP,
    FIXED,
    LP,
    POSITIONS,
    counts_table,
    cycles_plot,
    cycles_table,
    distribution_plots,
    exact,
    parts,
)

K = 2  # bytes of key of a box

# [TwofishC98, TABLE.H]: -log2 of the proportions.
CODE_DP = {8: "15.42", 10: "1.33", 12: "0.89", 14: "4.05", 16: "7.98", 18: "12.05"}
CODE_LP = {56: "9.32", 64: "1.01", 72: "1.16", 80: "4.23", 88: "8.02", 96: "12.45"}
CODE_FIXED = dict(
    enumerate(("1.44", "1.44", "2.44", "4.06", "6.01", "8.21", "11.07", "14.09", "17.00"))
)
CODE_LP_MAX = "(100/256)^2"
PRINTED = {"dp": CODE_DP, "lp": CODE_LP, "fixed": CODE_FIXED}
# [Twofish99, table 7.1]
BOOK_DP = {8: "15.4", 10: "1.3", 12: "0.9", 14: "4.1", 16: "8.0", 18: "12.0"}
BOOK_DP_MAX = "18/256"
BOOK_WHYS = {
    14: "The figure is 4.0475, which rounds to 4.0; rounding the 4.05 of TABLE.H again would give "
    "4.1, though the book correctly has 12.0 for its 12.05"
}


def tasks(scale: Scale) -> Sequence[Task]:
    return sboxes.AllKeys(K, 1 << 14)


def combine(scale: Scale, results: Sequence[Json]) -> Findings:
    positions = parts(results)
    total = sboxes.add(positions)
    code, book = "[TwofishC98, TABLE.H]", "[Twofish99, table 7.1]"
    share = "-log2 of the share of boxes"
    return Findings(
        tables=[
            Table(f"DPmax, {share}", exact(DP, total, CODE_DP, 2), code),
            Table(f"LPmax, {share}", exact(LP, total, CODE_LP, 2, CODE_LP_MAX), code),
            Table(f"Fixed points, {share}", exact(FIXED, total, CODE_FIXED, 2), code),
            Table(f"DPmax, {share}", exact(DP, total, BOOK_DP, 1, BOOK_DP_MAX, BOOK_WHYS), book),
            counts_table(positions),
            cycles_table(positions, POSITIONS),
        ],
        plots=[
            *distribution_plots(total, "128-bit keys", PRINTED),
            cycles_plot(positions, POSITIONS),
        ],
        data={"positions": dict(zip(POSITIONS, positions, strict=True))},
    )


EXPERIMENT = Experiment(
    name="sboxes-128",
    question="How good are the S-boxes of 128-bit keys against differential and linear attacks?",
    method=(
        "The program makes all 4 x 2^16 key-dependent S-boxes. DPmax of an S-box is the largest "
        "share of inputs x with the same s(x) ^ s(x ^ d), over all differences d other than 0. "
        "LPmax is the square of the largest correlation of a sum of input bits with a sum of "
        "output bits. The program also counts fixed points and cycles."
    ),
    sources=("[Twofish98, 7.2.3]", "[Twofish99, table 7.1]", "[TwofishC98, TABLE.H]"),
    covers={"small": "all 4 x 2^16 S-boxes"},
    tasks=tasks,
    compute=sboxes.compute,
    combine=combine,
)
