# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A small family of S-boxes in pieces: of keys of two bytes, every 32nd inner byte."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import tiny
from manyfish_lab import sboxes
from manyfish_lab.experiment import Findings, Json, Pieces, Scale, Task
from manyfish_lab.sbox_tables import DP, counts_table, parts


def tasks(scale: Scale) -> Sequence[Task]:
    return sboxes.AllKeys(2, 256, dp_only=True)[::32]


def combine(scale: Scale, given: Sequence[Json]) -> Findings:
    """The counts of each position, so that it matters which piece is which."""
    return Findings([counts_table(parts(given), [DP])])


BOXES = replace(
    tiny.SQUARES,
    name="boxes",
    tasks=tasks,
    compute=sboxes.compute,
    combine=combine,
    covers={"full": "4 x 8 x 256 S-boxes"},
    pieces={"full": Pieces(8, 1024, "S-boxes", sboxes.add)},
)
