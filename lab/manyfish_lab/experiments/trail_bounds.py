# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Upper bounds of the probability of differences over rounds, proved by a SAT solver."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor

import numpy as np

from manyfish_lab import f_bounds, f_pairs, trail_claims, trail_costs, worst_boxes
from manyfish_lab.experiment import (
    Experiment,
    Findings,
    Json,
    Scale,
    Table,
    Task,
    ours,
)
from manyfish_lab.trails import Model, Step

SEED = 1028
# [TR1], abstract: every characteristic of 12 rounds.
PUBLISHED = {12: "at most 2^-102.8"}
COSTS = {key_bits: trail_costs.differences(key_bits) for key_bits in (128, 192, 256)}
BOX = COSTS[128].box
LEAST = COSTS[128].least

# By the pattern of active rounds, the S-boxes and units of a trail. The solver finds it; and it
# proves, for each length of keys, that trails of PROVED cost as much at least.
CHEAPEST = {"101": (4, 8), "111": (7, 11), "0110": (7, 10), "1110": (9, 12), "0111": (9, 12)}
PROVED = ("111", "0110", "1110", "0111")
CLAIMS = len(LEAST) + len(COSTS) * len(PROVED)
PAIRS: dict[Scale, tuple[int, int]] = {"small": (2, 1 << 16), "paper": (16, 1 << 19)}
KEYS = 4  # of a task
Z = 3.29  # 99.9 %


def tasks(scale: Scale) -> list[Task]:
    """Claims about F, about rounds, trails, and pairs of texts."""
    count, pairs = PAIRS[scale]
    measured = [{"seed": [SEED, index], "pairs": pairs} for index in range(count // KEYS or 1)]
    if scale == "small":
        return [{"places": 1}, {"boxes": 3, "carries": LEAST[2]}, {"trail": "101"}, *measured]
    return [
        *({"places": count} for count in (1, 2, 3)),
        *({"boxes": n, "carries": carries} for n, carries in enumerate(LEAST, 1)),
        *(
            {"key_bits": key_bits, "pattern": pattern, "cost": claim(key_bits, pattern)}
            for key_bits in COSTS
            for pattern in PROVED
        ),
        *({"trail": pattern} for pattern in CHEAPEST),
        *measured,
    ]


def claim(key_bits: int, pattern: str) -> float:
    """The cost of the cheapest trail, rounded down to hundredths."""
    boxes, units = CHEAPEST[pattern]
    return floor(100 * (COSTS[key_bits].box * boxes + units)) / 100


# --- what is run -------------------------------------------------------------------------------


def compute(task: Task) -> Json:
    """A part of F, a checked proof, a trail, or counts of pairs."""
    if "places" in task:
        return {**task, "found": _outputs(task["places"])}
    if "boxes" in task:
        return {**task, "proof": trail_claims.prove(_few_boxes(task["boxes"], task["carries"]))}
    if "pattern" in task:
        model = _below(task["key_bits"], task["pattern"], task["cost"])
        return {**task, "proof": trail_claims.prove(model)}
    if "trail" in task:
        model = _below(128, task["trail"], claim(128, task["trail"]) + 0.01)
        return {**task, "steps": trail_claims.find(model)}
    return {"pairs": [_pairs(task, index) for index in range(KEYS)]}


def _outputs(count: int) -> Json:
    """For each set of S-boxes: bits of T at least, and weights of the best F0, F1."""
    if count == 3:
        first, second = f_bounds.three_boxes()
        return [{"T0": first, "T1": second}]
    found = []
    for places in f_bounds.of_places(count):
        words = f_bounds.products(places)
        first, second = f_bounds.weights(words)
        bits = int(f_bounds.sizes(words).min())
        found.append({"bits": bits, "T0": first, "T1": second})
    return found


def _few_boxes(boxes: int, carries: int) -> Model:
    model = Model("1")
    COSTS[128].few_boxes(model, boxes, carries)
    return model


def _below(key_bits: int, pattern: str, cost: float) -> Model:
    model = Model(pattern)
    COSTS[key_bits].below(model, cost)
    return model


def _pairs(task: Task, index: int) -> Json:
    random = np.random.default_rng([*task["seed"], index])
    key = random.bytes(16)
    trail = f_pairs.best(key)
    followed = f_pairs.followed(key, trail, random, task["pairs"])
    return {"expected": trail.probability * task["pairs"], "found": followed}


# --- figures -----------------------------------------------------------------------------------


def _F_table(done: Sequence[Json]) -> Table:
    cells = []
    for part in (each for each in done if "places" in each):
        n, found = part["places"], part["found"]
        for word in ("T0", "T1"):
            weight = min(each[word] for each in found)
            text = f"2^-{weight:.2f} behind the S-boxes, 2^-{weight + n * BOX:.2f} with them"
            cells.append(ours(f"{n} active S-boxes of {word}", text))
    return Table("F with few active S-boxes, all differences of F: at most", cells)


def _trails_table(done: Sequence[Json]) -> Table:
    cells = []
    for part in (each for each in done if "trail" in each):
        steps = [Step(*map(tuple, words)) for words in part["steps"]]
        weights = [step.weight() for step in steps]
        boxes = sum(step.boxes() for step in steps)
        carries = sum(step.carries() for step in steps)
        exact = (
            "none" if None in weights else f"2^-{sum(w or 0 for w in weights) + BOX * boxes:.2f}"
        )
        words = "; ".join(
            "R "
            + " ".join(f"{w:08X}" for w in step.R)
            + ", F "
            + " ".join(f"{w:08X}" for w in step.F)
            for step in steps
        )
        text = f"cost {BOX * boxes + carries:.2f}, exactly {exact} ({words})"
        cells.append(
            ours(f"active rounds {part['trail']}: {boxes} active S-boxes, carries {carries}", text)
        )
    return Table("Trails that the solver found", cells)


def _pairs_table(done: Sequence[Json]) -> Table:
    each = [pair for part in done if "pairs" in part for pair in part["pairs"]]
    found, expected = sum(p["found"] for p in each), sum(p["expected"] for p in each)
    half = Z * found**0.5
    inside = abs(found - expected) <= half
    cell = ours(
        f"pairs that follow the best trail with two active S-boxes of T0, {len(each)} keys",
        f"expected {expected:.1f}, found {found} ± {half:.1f}",
        "" if inside else "outside",
    )
    return Table("Real pairs through F; 99.9 % interval", [cell])


def _rounds_tables(done: Sequence[Json]) -> tuple[list[Table], dict[int, trail_claims.Bounds]]:
    why = (
        "The report bounds characteristics, by a model of F that its abstract does not describe; a "
        "trail of ours fixes T0 and T1 too."
    )
    least = [part["carries"] for part in done if "boxes" in part]
    bounds = {
        key_bits: trail_claims.bounds(costs, least, done, key_bits)
        for key_bits, costs in COSTS.items()
    }
    published = {128: (PUBLISHED, why, "[TR1]")}
    tables = [
        trail_claims.rounds_table(
            f"{key_bits}-bit keys: every trail over rounds", of, *published.get(key_bits, ())
        )
        for key_bits, of in bounds.items()
    ]
    return tables, bounds


def combine(_: Scale, done: Sequence[Json]) -> Findings:
    """The bounds that follow from what was proved, and what was found beside them."""
    rounds, bounds = _rounds_tables(done)
    tables = [
        *rounds,
        trail_claims.claims_table(done),
        _F_table(done),
        _trails_table(done),
        _pairs_table(done),
    ]
    remarks = [
        "**A bound of trails is no bound of differentials.** A trail fixes every difference on the "
        "way. Different trails between the same ends add up, and nobody has bounded the sum.",
        "The subkeys of all rounds are taken as uniform and independent, so that the probabilities "
        "of rounds multiply, and T0 and T1 as uniform where only their differences are given. Both "
        "are usual, and neither is true of one key.",
        "Every active S-box is taken as the worst of all keys: "
        f"{worst_boxes.DP[128]}/256 for 128 bits ([sboxes-128](sboxes-128.md)), "
        f"{worst_boxes.DP[192]}/256 for 192 ([sboxes-192](sboxes-192.md)), "
        f"{worst_boxes.DP[256]}/256 for 256 ([sboxes-256-dp](sboxes-256-dp.md)).",
        "A proof shows that a formula has no solution. CaDiCaL writes it, and rate checks it, a "
        "program by other authors. Tests compare the formula with real pairs of texts.",
        "The solver takes seconds for four rounds. Bounds of more rounds are sums of these.",
    ]
    published = {n: float(text.rpartition("-")[2]) for n, text in PUBLISHED.items()}
    lines = {f"{key_bits}-bit keys": of for key_bits, of in bounds.items()}
    lines["published"] = published
    plots = trail_claims.plots("trail-bounds", "probability", lines)
    return Findings(tables, plots, remarks, {"tasks": list(done)})


EXPERIMENT = Experiment(
    name="trail-bounds",
    question="How probable can a trail of differences over the rounds of Twofish be at most?",
    method=(
        "A formula describes the differences of some rounds: bits, the MDS matrix, carries as "
        "digits with signs; an active S-box takes any difference to any other. The program asks "
        "the SAT solver CaDiCaL for a trail that costs less than a bound. It has the proof that "
        "there is none checked by another program, rate. Of one to three active S-boxes of one g "
        "it also bounds the sum over T0 and T1, for all outputs of F."
    ),
    sources=["[TR1]", "[CaDiCaL]", "[rate]"],
    covers={
        "small": "one claim about F, one trail, 2^18 pairs",
        "paper": f"{CLAIMS} claims, {len(CHEAPEST)} trails, 2^23 pairs of 16 keys",
    },
    tasks=tasks,
    compute=compute,
    combine=combine,
    seed=SEED,
)
