# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The example of docs/lab/adding.md: a complete experiment, which is run by a test only."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from manyfish_lab import twofish
from manyfish_lab.experiment import Experiment, Findings, Json, Plot, Scale, Table, Task, within

SEED = 1998
KEYS = 500  # of a task
TASKS: dict[Scale, int] = {"small": 4, "paper": 200}
PUBLISHED = "1"  # fixed points of a random permutation, on average [Twofish99, 7.2.3]
Z = 2.576  # 99 % of a normal distribution lie within this many standard deviations


def tasks(scale: Scale) -> list[Task]:
    """Each has all that `compute` needs, its part of the seed too."""
    return [{"seed": [SEED, index], "keys": KEYS} for index in range(TASKS[scale])]


def compute(task: Task) -> Json:
    """How many S-boxes of random 128-bit keys have 0, 1, 2, .. fixed points."""
    random = np.random.default_rng(task["seed"])
    found = np.zeros(257, np.int64)
    for _ in range(task["keys"]):
        boxes = twofish.boxes(twofish.sbox_key(random.bytes(16)))
        fixed = np.count_nonzero(boxes == np.arange(256), axis=1)
        found += np.bincount(fixed, minlength=257)
    return found.tolist()


def combine(scale: Scale, done: Sequence[Json]) -> Findings:
    """The mean with its interval, and the counts themselves."""
    counts = np.sum(done, axis=0)
    n, boxes = np.arange(257), int(counts.sum())
    mean = float(counts @ n) / boxes
    half = Z * float(np.sqrt((counts @ (n - mean) ** 2) / boxes / (boxes - 1)))
    inside = abs(mean - float(PUBLISHED)) <= half
    why = "" if inside else "the interval misses one mean in a hundred"
    cell = within("fixed points of an S-box", PUBLISHED, f"{mean:.3f} ± {half:.3f}", inside, why)
    share = [(float(points), int(counts[points]) / boxes) for points in range(8)]
    return Findings(
        tables=[Table("Fixed points, mean with 99 % interval", [cell], "[Twofish99, 7.2.3]")],
        plots=[Plot("share", "Fixed points", "fixed points", "S-boxes", "bars", {"ours": share})],
        data={"counts": counts[:16].tolist()},
    )


EXPERIMENT = Experiment(
    name="example",
    question="How many fixed points has an S-box of Twofish?",
    method="S-boxes of random 128-bit keys are built, and inputs that are their outputs counted.",
    sources=["[Twofish99, 7.2.3]"],
    covers={scale: f"{4 * KEYS * count:,} S-boxes" for scale, count in TASKS.items()},
    tasks=tasks,
    compute=compute,
    combine=combine,
    seed=SEED,
)
