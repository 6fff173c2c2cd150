# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Upper bounds of the probability of differences over rounds, proved by a SAT solver."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import floor

import numpy as np

from manyfish_lab import f_bounds, f_pairs, sat, trail_costs, trail_rounds
from manyfish_lab.errors import LabError
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
from manyfish_lab.trail_costs import BOX, LEAST
from manyfish_lab.trails import Model, Step

SEED = 1028
# [TR1], abstract: every characteristic of 12 rounds.
PUBLISHED = {12: "at most 2^-102.8"}
ROUNDS = range(2, 17)

# By pattern of active rounds, what trails cost at least: claims that the solver proves.
PROOFS: dict[str, float] = {"111": 37.81, "0110": 36.81, "1110": 46.47, "0111": 46.47}
# Patterns for which a trail below this cost is looked for and found.
TRAILS = {"101": 23.4, "111": 37.82, "0110": 36.82, "1110": 46.48, "0111": 46.48}
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
        *({"pattern": pattern, "cost": cost} for pattern, cost in PROOFS.items()),
        *({"trail": pattern} for pattern in TRAILS),
        *measured,
    ]


# --- what is run -------------------------------------------------------------------------------


def compute(task: Task) -> Json:
    """A part of F, a checked proof, a trail, or counts of pairs."""
    if "places" in task:
        return {**task, "found": _outputs(task["places"])}
    if "boxes" in task:
        return {**task, "proof": _proof(_few_boxes(task["boxes"], task["carries"]))}
    if "pattern" in task:
        return {**task, "proof": _proof(_below(task["pattern"], task["cost"]))}
    if "trail" in task:
        return {**task, "steps": _trail(_below(task["trail"], TRAILS[task["trail"]]))}
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
    trail_costs.few_boxes(model, boxes, carries)
    return model


def _below(pattern: str, cost: float) -> Model:
    model = Model(pattern)
    trail_costs.below(model, cost)
    return model


def _proof(model: Model) -> Json:
    proof = sat.solve(model.formula).proof
    if proof is None:
        raise LabError("the solver found differences that a claim says do not exist")
    size = {"variables": model.formula.variables, "clauses": len(model.formula.clauses)}
    return {**size, "bytes": proof.bytes, "formula": proof.formula, "sha256": proof.sha256}


def _trail(model: Model) -> Json:
    solution = sat.solve(model.formula).solution
    if solution is None:
        raise LabError("the solver found no trail")
    return [[step.R, step.T, step.F] for step in model.steps(solution)]


def _pairs(task: Task, index: int) -> Json:
    random = np.random.default_rng([*task["seed"], index])
    key = random.bytes(16)
    trail = f_pairs.best(key)
    followed = f_pairs.followed(key, trail, random, task["pairs"])
    return {"expected": trail.probability * task["pairs"], "found": followed}


# --- figures -----------------------------------------------------------------------------------


def _power(cost: float) -> str:
    """An upper bound, rounded to the safe side."""
    return f"at most 2^-{floor(10 * cost) / 10:.1f}"


def _F_table(done: Sequence[Json]) -> Table:
    cells = []
    for part in (each for each in done if "places" in each):
        n, found = part["places"], part["found"]
        for word in ("T0", "T1"):
            weight = min(each[word] for each in found)
            text = f"2^-{weight:.2f} behind the S-boxes, 2^-{weight + n * BOX:.2f} with them"
            cells.append(ours(f"{n} active S-boxes of {word}", text))
    return Table("F with few active S-boxes, all differences of F: at most", cells)


def _proof_cells(done: Sequence[Json]) -> Iterator[Cell]:
    for part in (each for each in done if "proof" in each):
        proof = part["proof"]
        text = (
            f"proved: {proof['clauses']:,} clauses, {proof['bytes']:,} bytes of proof, "
            f"SHA-256 {proof['sha256'][:16]}"
        )
        if "boxes" in part:
            what = f"at most {part['boxes']} active S-boxes: carries cost {part['carries']}"
        else:
            what = f"active rounds {part['pattern']}: at most 2^-{part['cost']}"
        yield ours(what, text)


def _known(done: Sequence[Json]) -> dict[str, float]:
    """Costs of patterns that were proved; none if LEAST was not."""
    if tuple(part["carries"] for part in done if "boxes" in part) != LEAST:
        return {}
    proved = {part["pattern"]: float(part["cost"]) for part in done if "pattern" in part}
    return {"1": trail_costs.least(), **proved}


def _rounds_table(bounds: Mapping[int, float]) -> Table:
    why = (
        "The report bounds characteristics, by a model of F that its abstract does not describe; a "
        "trail of ours fixes T0 and T1 too."
    )
    cells = [
        Cell(f"{n} rounds", PUBLISHED.get(n), _power(cost), None, why if n in PUBLISHED else "")
        for n, cost in bounds.items()
    ]
    return Table("Every trail over rounds", cells, "[TR1]")


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


def _plot(bounds: Mapping[int, float]) -> Plot:
    published = {n: float(text.rpartition("-")[2]) for n, text in PUBLISHED.items()}
    lines = {
        name: [(float(n), 2.0**-cost) for n, cost in of.items()]
        for name, of in (("ours, of trails", bounds), ("published", published))
    }
    title = "Upper bounds of the probability of a trail"
    return Plot("trail-bounds", title, "rounds", "probability", "lines", lines, log_y=True)


def combine(_: Scale, done: Sequence[Json]) -> Findings:
    """The bounds that follow from what was proved, and what was found beside them."""
    known = _known(done)
    bounds = {n: trail_rounds.bound(n, known)[0] for n in ROUNDS} if known else {}
    tables = [
        _rounds_table(bounds),
        Table("Claims with checked proofs", list(_proof_cells(done))),
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
        "The S-boxes are those of 128-bit keys, of which none has a difference above 18/256 "
        "([sboxes-128](sboxes-128.md)); every active one is taken as the worst.",
        "A proof shows that a formula has no solution. CaDiCaL writes it, and rate checks it, a "
        "program by other authors. Tests compare the formula with real pairs of texts.",
        "The solver takes seconds for four rounds. Bounds of more rounds are sums of these.",
    ]
    plots = [_plot(bounds)] if bounds else []
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
        "paper": f"{len(PROOFS) + 3} claims, {len(TRAILS)} trails, 2^23 pairs of 16 keys",
    },
    tasks=tasks,
    compute=compute,
    combine=combine,
    seed=SEED,
)
