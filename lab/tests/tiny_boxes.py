# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A small family of S-boxes, all of it in pieces: those of keys of one byte."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import tiny
from manyfish_lab import sboxes
from manyfish_lab.experiment import Findings, Json, Pieces, Scale, Task
from manyfish_lab.sbox_tables import DP, counts_table, parts


def tasks(scale: Scale) -> Sequence[Task]:
    return sboxes.AllKeys(1, 32, dp_only=True)


def combine(scale: Scale, given: Sequence[Json]) -> Findings:
    """The counts of each position, so that it matters which piece is which."""
    return Findings([counts_table(parts(given), [DP])])


BOXES = replace(
    tiny.SQUARES,
    name="boxes",
    tasks=tasks,
    compute=sboxes.compute,
    combine=combine,
    covers={"full": "4 x 256 S-boxes"},
    pieces={"full": Pieces(8, 128, "S-boxes", sboxes.add)},
)
