# SPDX-License-Identifier: Apache-2.0 OR MIT
"""DPmax of every S-box of 256-bit keys, in pieces; before all are done, of those that are."""

from __future__ import annotations

from collections.abc import Sequence

from manyfish_lab import sboxes
from manyfish_lab.experiment import Experiment, Findings, Json, Pieces, Scale, Table, Task, ours
from manyfish_lab.experiments.sboxes_256 import BOOK_DP, DP_SAMPLE, DP_SOURCE, K
from manyfish_lab.sbox_tables import DP, beside_sample, counts_table, dp_plot, exact, parts

ALL = sboxes.POSITIONS << 8 * K
PIECES = 256

SHARE = "DPmax, -log2 of the share of boxes"


def tasks(scale: Scale) -> Sequence[Task]:
    if scale == "small":
        every = sboxes.AllKeys(K, 1 << 11, dp_only=True)
        return every[:: len(every) // 8]
    return sboxes.AllKeys(K, 1 << 19, dp_only=True)


def combine(scale: Scale, results: Sequence[Json]) -> Findings:
    total = sboxes.add(results)
    return Findings(
        tables=[shares(total), counts(total, results)],
        plots=[dp_plot(total, "256-bit keys", BOOK_DP)],
        data=total,
    )


def shares(total: Json) -> Table:
    """Beside the printed ones as soon as they are exact."""
    if total["boxes"] < ALL:
        return Table(f"{SHARE}, of those counted", exact(DP, total, {}, 2))
    return Table(SHARE, beside_sample(DP, total, BOOK_DP, 1, DP_SAMPLE), DP_SOURCE)


def counts(total: Json, results: Sequence[Json]) -> Table:
    """By position, which the order of all results tells."""
    if total["boxes"] == ALL:
        return counts_table(parts(results), [DP])
    cells = [ours("counted", f"{total['boxes']:,} of {ALL:,}")]
    cells += [ours(DP.named(value), f"{n:,}") for value, n in sboxes.counts(total, "dp").items()]
    return Table("Numbers of boxes", cells)


EXPERIMENT = Experiment(
    name="sboxes-256-dp",
    question="How large is the differential probability of each S-box of 256-bit keys?",
    method=(
        "The program makes all S-boxes of a position in the order of their keys, and sorts the 128 "
        "differences of outputs for each of 255 differences of inputs; DPmax is the longest run of "
        "equal ones. The task is done in 256 pieces, whose counts are kept one by one."
    ),
    sources=("[Twofish98, 7.2.3]", DP_SOURCE),
    covers={
        "small": "2^14 S-boxes, 2048 in each of eight places",
        "full": "all 4 x 2^32 S-boxes; from the first piece on those that are counted",
    },
    tasks=tasks,
    compute=sboxes.compute,
    combine=combine,
    pieces={"full": Pieces(PIECES, ALL // PIECES, "S-boxes", sboxes.add, least=1)},
    kinds={SHARE: "sample"},
)
