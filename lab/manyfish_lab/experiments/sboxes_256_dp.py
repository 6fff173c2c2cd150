# SPDX-License-Identifier: Apache-2.0 OR MIT
"""DPmax of every S-box of 256-bit keys, in pieces; before all are done, of those that are."""

from __future__ import annotations

from collections.abc import Sequence

from manyfish_lab import sboxes
from manyfish_lab.experiment import Experiment, Findings, Json, Pieces, Scale, Table, Task, ours
from manyfish_lab.experiments.sboxes_256 import BOOK_DP, DP_SOURCE, K
from manyfish_lab.sbox_tables import (
    DP,
    POSITIONS,
    beside_sample,
    counts_table,
    dp_plot,
    exact,
)

EACH = 1 << 8 * K  # S-boxes of a position
ALL = sboxes.POSITIONS * EACH
PIECES = 256

# S-boxes with the largest DPmax: the position, the key, with the byte of L_0 lowest, and the
# changes of x and s(x).
REACHED = 28
REACHING = ((2, 0xF8A05241, 0x8F, 0x84),)

PLOT = "Largest differential probability of the S-boxes that are counted"
SHARE = "DPmax, -log2 of the share of the boxes counted"


def tasks(scale: Scale) -> Sequence[Task]:
    if scale == "small":
        every = sboxes.AllKeys(K, 1 << 11, dp_only=True)
        return every[:: len(every) // 8]
    return sboxes.AllKeys(K, 1 << 19, dp_only=True)


def compute(task: Task) -> Json:
    """The tally, with its position."""
    return {"position": task["position"], **sboxes.compute(task)}


def add(tallies: Sequence[Json]) -> Json:
    """The tally of one position."""
    (position,) = {tally["position"] for tally in tallies}
    return {"position": position, **sboxes.add(tallies)}


def combine(scale: Scale, results: Sequence[Json]) -> Findings:
    total = sboxes.add(results)
    positions = [
        sboxes.add(one for one in results if one["position"] == position)
        for position in range(sboxes.POSITIONS)
    ]
    return Findings(
        tables=[shares(total), counted(positions), counts_table(positions, [DP])],
        plots=[dp_plot(total, "256-bit keys", PLOT, BOOK_DP)],
        remarks=[reaching(*each) for each in REACHING],
        data={"positions": dict(zip(POSITIONS, positions, strict=True))},
    )


def shares(total: Json) -> Table:
    """Beside the printed ones as soon as they are exact."""
    if total["boxes"] < ALL:
        return Table(SHARE, exact(DP, total, {}, 2))
    return Table(SHARE, beside_sample(DP, total, BOOK_DP, 1), DP_SOURCE)


def counted(positions: Sequence[Json]) -> Table:
    total = sum(one["boxes"] for one in positions)
    cells = [ours("all", f"{total:,} of {ALL:,}")]
    for name, one in zip(POSITIONS, positions, strict=True):
        cells.append(ours(name, f"{one['boxes']:,} of {EACH:,}"))
    return Table("S-boxes counted", cells)


def reaching(position: int, key: int, change: int, changed: int) -> str:
    """A remark of an S-box of REACHING."""
    L = " ".join(f"{byte:02X}" for byte in key.to_bytes(K, "little"))
    return (
        f"The S-box s = {POSITIONS[position]} of the key bytes {L} (L_0 to L_3) has DPmax = "
        f"{REACHED}/256: for {REACHED} of the 256 x, s(x) and s(x ^ {change:02X}) differ by "
        f"{changed:02X}."
    )


EXPERIMENT = Experiment(
    name="sboxes-256-dp",
    question="How large is the differential probability of each S-box of 256-bit keys?",
    method=(
        "The program makes all S-boxes of a position in the order of their keys, and sorts the 128 "
        "differences of outputs for each of 255 differences of inputs. The longest run of equal "
        "ones, as a share of the 128, is DPmax. The work is done in 256 pieces, whose counts are "
        "kept one by one: 64 pieces of s0, 64 of s1, and so on."
    ),
    sources=("[Twofish98, 7.2.3]", DP_SOURCE),
    covers={
        "small": "2^14 S-boxes, 2048 in each of eight places",
        "full": "4 x 2^32 S-boxes in 256 pieces; the page has the pieces that are done",
    },
    tasks=tasks,
    compute=compute,
    combine=combine,
    pieces={"full": Pieces(PIECES, ALL // PIECES, "S-boxes", add, least=1)},
    kinds={SHARE: "sample"},
)
