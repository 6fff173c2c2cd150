# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Random permutations, and what tells the key-dependent S-boxes from them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from manyfish_lab import sboxes, twofish
from manyfish_lab.experiment import (
    Cell,
    Experiment,
    Findings,
    Json,
    Plot,
    Scale,
    Table,
    Task,
    ours,
)
from manyfish_lab.experiments import q, sboxes_128, sboxes_192, sboxes_256
from manyfish_lab.sbox_tables import (
    CHANCE_TITLE,
    CONFIDENCE,
    DP,
    LP,
    POSITIONS,
    Figure,
    Printed,
    beside_chance,
    cycles_table,
    estimate,
)

SEED = 512
PER_TASK = 1 << 14
CHUNK = 1 << 11
DRAWS = {"small": 1 << 16, "paper": 1 << 20}
# By bytes of key: how many S-boxes s0 are looked at to tell them from random permutations.
LOOKS = {"small": {2: 1 << 6, 3: 1 << 11}, "paper": {2: 1 << 6, 3: 1 << 12, 4: 1 << 18}}
LOOKS_PER_TASK = 1 << 12

PRINTED: dict[str, dict[str, Printed]] = {
    "dp": {
        "128-bit keys": sboxes_128.BOOK_DP,
        "192-bit keys": sboxes_192.BOOK_DP,
        "256-bit keys": sboxes_256.BOOK_DP,
    },
    "lp": {"128-bit keys": sboxes_128.CODE_LP},
}

# By d and x: where the row of d begins in a table, and x ^ d.
ROW = 256 * np.arange(256)[:, None]
PARTNER = np.arange(256)[:, None] ^ np.arange(256)

Table255 = NDArray[np.int64]  # by differences or masks of input and output, without 0

# --- tasks -------------------------------------------------------------------------------------


def tasks(scale: Scale) -> Sequence[Task]:
    looks: list[Task] = [
        {"look": kind, "k": k, "index": i, "boxes": min(boxes, LOOKS_PER_TASK)}
        for kind in ("s0", "random")
        for k, boxes in LOOKS[scale].items()
        for i in range(max(1, boxes // LOOKS_PER_TASK))
    ]
    means: list[Task] = [{"mean": k, "position": j} for k in (2, 3, 4) for j in range(4)]
    return [*means, *looks, *({"draw": i} for i in range(DRAWS[scale] // PER_TASK))]


def compute(task: Task) -> Json:
    if "draw" in task:
        random = np.random.default_rng([SEED, 0, task["draw"]])
        return sboxes.tally(permutations(random, CHUNK) for _ in range(PER_TASK // CHUNK))
    return means(task) if "mean" in task else look(task)


def permutations(random: np.random.Generator, n: int) -> sboxes.Boxes:
    same = np.tile(np.arange(256, dtype=np.uint8), (n, 1))
    return np.asarray(random.permuted(same, axis=1), np.uint8)


@cache
def layer_table(figure: str, which: int) -> NDArray[np.float64]:
    """The table of q0 or q1. Walsh sums of permutations are multiples of 4: a quarter is enough."""
    box = twofish.q()[which]
    table = q.differences(box) if figure == "dp" else (q.walsh(box) // 4) ** 2
    return table[1:, 1:].astype(np.float64)


@cache
def mean_table(figure: str, position: int, k: int) -> Table255:
    """The mean over all keys of the differences, or of squared Walsh sums, up to a factor.

    The bytes of key between two layers are independent and uniform, so it is the product of the
    tables of the layers. Doubles are exact here: nothing is negative, all is below 2^53.
    """
    product = np.eye(255)
    for which in reversed(sboxes.layers(position, k)):
        product = product @ layer_table(figure, which)
    assert product.max() < 1 << 53
    return product.astype(np.int64)


def means(task: Task) -> Json:
    """How uneven the mean tables of one position are. All rows have the same sum."""
    k, position = task["mean"], task["position"]
    result: dict[str, Json] = {"k": k, "position": position}
    for figure in ("dp", "lp"):
        table = mean_table(figure, position, k)
        square = sum(int(v) ** 2 for v in table.flat)
        result[figure] = {
            "sum": int(table[0].sum()),
            "least": int(table.min()),
            "most": int(table.max()),
            "square": str(square),
        }
    return result


def look(task: Task) -> Json:
    """A score of boxes: for each pair of inputs, how much more often s0 has its differences.

    It is 0 on average for random permutations. Whole numbers, so that sums are exact.
    """
    k, n = task["k"], task["boxes"]
    random = np.random.default_rng([SEED, 1 if task["look"] == "s0" else 2, k, task["index"]])
    if task["look"] == "s0":
        boxes = sboxes.make(random.integers(0, 1 << 8 * k, n, np.uint32), 0, k)
    else:
        boxes = permutations(random, n)
    scores = [score(box, weights(k)) for box in boxes]
    return {"sum": sum(scores), "square": str(sum(v * v for v in scores)), "boxes": n}


@cache
def weights(k: int) -> NDArray[np.int64]:
    """The weight of a pair of differences, by 256 d + e."""
    table = mean_table("dp", 0, k)
    weight = np.zeros((256, 256), np.int64)
    weight[1:, 1:] = 255 * table - table[0].sum()
    return weight.reshape(-1)


def score(box: sboxes.Boxes, weight: NDArray[np.int64]) -> int:
    return int(weight[ROW + (box[PARTNER] ^ box)].sum())


# --- findings ----------------------------------------------------------------------------------


def combine(scale: Scale, results: Sequence[Json]) -> Findings:
    by_kind = {
        kind: [
            (task, result)
            for task, result in zip(tasks(scale), results, strict=True)
            if kind in task
        ]
        for kind in ("mean", "look", "draw")
    }
    total = sboxes.add(result for _, result in by_kind["draw"])
    uneven = [result for _, result in by_kind["mean"]]
    told = scores(by_kind["look"])
    return Findings(
        tables=[
            Table(f"DPmax, {SHARE}", beside_twofish(DP, total)),
            Table(f"LPmax, {SHARE}", beside_twofish(LP, total)),
            beside_chance(total),
            cycles_table([total], ["random"]),
            Table(
                "Means over all keys, times 255: 1 for random permutations", uneven_cells(uneven)
            ),
            Table("Distance of a score from 0, in standard deviations", told_cells(told)),
        ],
        plots=[plot(DP, total), plot(LP, total)],
        remarks=REMARKS,
        data={"random": total, "means": uneven, "scores": told},
    )


SHARE = f"-log2 of the share of boxes ({CONFIDENCE} interval)"
REMARKS = (
    "By DPmax, LPmax, fixed points and cycles the S-boxes look like random permutations, but two "
    "things tell them apart. First, every S-box is an even permutation, since q0, q1 and the "
    "addition of a constant are. Only half of all permutations are even.",
    "Second, over all keys some pairs of differences, and of masks, are more frequent than "
    "others. [Macchetti05] says so: the S-boxes of many keys can be told from random "
    "permutations. Fewer layers of q make this easier. The score adds up the excesses; its "
    "distance from 0 grows with the root of the number of boxes. An attacker sees the S-boxes of "
    "one key only, and not directly.",
)


def beside_twofish(figure: Figure, total: Json) -> list[Cell]:
    counts, n = sboxes.counts(total, figure.key, figure.width), total["boxes"]
    cells = []
    for value in sorted({*counts, *PRINTED[figure.key]["128-bit keys"]}):
        of_twofish = [
            f"{name} {row[value]}" for name, row in PRINTED[figure.key].items() if value in row
        ]
        note = f"S-boxes as printed: {', '.join(of_twofish)}" if of_twofish else ""
        cells.append(ours(figure.named(value), estimate(counts.get(value, 0), n, 2), note))
    return cells


def uneven_cells(uneven: Sequence[Json]) -> list[Cell]:
    cells = []
    for one in uneven:
        for figure, name in (("dp", "differences"), ("lp", "squared Walsh sums")):
            table = one[figure]
            least, most = (255 * table[end] / table["sum"] for end in ("least", "most"))
            text = f"{least:.5f} to {most:.5f}, root mean square of the excess {excess(table):.6f}"
            what = f"{64 * one['k']}-bit keys, {POSITIONS[one['position']]}: {name}"
            cells.append(ours(what, text))
    return cells


def excess(table: Json) -> float:
    """The root of the mean of (255 p - 1)^2 over 255 x 255 entries p, of mean 1/255."""
    return sqrt(int(table["square"]) / table["sum"] ** 2 - 1)


def scores(looks: Sequence[tuple[Task, Json]]) -> list[Json]:
    """Of each kind of boxes and number of key bytes: the mean score over its standard error."""
    found = []
    for kind, k in dict.fromkeys((task["look"], task["k"]) for task, _ in looks):
        mine = [result for task, result in looks if (task["look"], task["k"]) == (kind, k)]
        n = sum(one["boxes"] for one in mine)
        mean = sum(one["sum"] for one in mine) / n
        variance = sum(int(one["square"]) for one in mine) / n - mean * mean
        found.append({"kind": kind, "k": k, "boxes": n, "distance": mean / sqrt(variance / n)})
    return found


def told_cells(told: Sequence[Json]) -> list[Cell]:
    return [
        ours(
            f"{one['boxes']:,} {'S-boxes s0' if one['kind'] == 's0' else 'random permutations'}, "
            f"score of {64 * one['k']}-bit keys",
            f"{one['distance']:.1f}",
        )
        for one in told
    ]


def plot(figure: Figure, total: Json) -> Plot:
    counts = sboxes.counts(total, figure.key, figure.width)
    series = {"random permutations": sboxes.points(counts, total["boxes"])}
    for name, row in PRINTED[figure.key].items():
        series[f"S-boxes as printed, {name}"] = sboxes.published_points(row)
    title = "Largest differential probability" if figure is DP else "Largest linear correlation"
    label = "DPmax times 256" if figure is DP else "root of LPmax, times 256"
    return Plot(figure.key, title, label, "-log2 of the share of boxes", "bars", series)


EXPERIMENT = Experiment(
    name="sboxes-random",
    question="Can the key-dependent S-boxes be told from random permutations?",
    method=(
        "The program draws random permutations and measures them like the S-boxes. Then it "
        "computes the mean tables of differences and of squared Walsh sums over all keys, as "
        "products of those of q0 and q1. With the mean table of differences it scores S-boxes of "
        "random keys, and random permutations."
    ),
    sources=("[Twofish99, 7.2.3]", "[Macchetti05]"),
    covers={
        "small": "2^16 permutations; scores of 2^6 and 2^11 S-boxes of 128- and 192-bit keys",
        "paper": "2^20 permutations; scores also of 2^12 S-boxes of 192-bit keys and 2^18 of 256",
    },
    tasks=tasks,
    compute=compute,
    combine=combine,
    seed=SEED,
    kinds={CHANCE_TITLE: "formula"},
)
