# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The attack on five rounds at real size: all of a 128-bit key."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from manyfish_lab import five_rounds
from manyfish_lab.experiment import Experiment, Findings, Json, Pieces, Scale, Task

SEED = 20000402
SETS = 40
PARTS = 16  # tasks of a set
KEY, TEXT = 0, 1  # their own parts of the seed


def tasks(scale: Scale) -> list[Task]:
    """The parts of all sets."""
    blocks = five_rounds.BLOCKS // PARTS
    return [
        {"seed": SEED, "set": number, "first": first, "blocks": blocks}
        for number in range(SETS)
        for first in range(0, five_rounds.BLOCKS, blocks)
    ]


def compute(task: Task) -> Json:
    """What the ciphertexts of a part of a set add up to."""
    key = np.random.default_rng([task["seed"], KEY]).bytes(16)
    text = np.random.default_rng([task["seed"], TEXT, task["set"]]).bytes(16)
    odd, bit = five_rounds.saturated_word(key, text, task["first"], task["blocks"])
    return {"odd": odd.astype("<u8").tobytes().hex(), "bit": bit}


def add(parts: Sequence[Json]) -> Json:
    """The sums of a whole set."""
    odd = [np.frombuffer(bytes.fromhex(part["odd"]), np.uint8) for part in parts]
    total: bytes = np.bitwise_xor.reduce(odd).tobytes()
    return {"odd": total.hex(), "bit": sum(part["bit"] for part in parts) % 2}


def combine(scale: Scale, done: Sequence[Json]) -> Findings:
    """The key."""
    raise NotImplementedError


EXPERIMENT = Experiment(
    name="five-rounds",
    question="Can the key of five rounds of Twofish be found on one computer?",
    method="",
    sources=[],
    covers={"full": "40 sets of 2^32 texts"},
    tasks=tasks,
    compute=compute,
    combine=combine,
    seed=SEED,
    pieces={"full": Pieces(SETS, 1 << 32, "texts", add)},
)
