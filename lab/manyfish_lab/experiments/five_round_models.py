# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Attacks on five rounds that need too much work at real size, in a scale model."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb, log2

import numpy as np
from numpy.typing import NDArray

from manyfish_lab import lanes, scaled, scaled_attack, scaled_pairs
from manyfish_lab.experiment import Experiment, Findings, Json, Scale, Table, Task, ours

SEED = 20000914
PAIRS, LONGER = 0, 1  # their own parts of it
ROUNDS = (5, 6)
CELL_VALUES = 4  # of each cell of X, on either side of the pairs
SIDE = CELL_VALUES**scaled_attack.CELLS
PART = 64  # values of X of a task
SPARE = 16  # sets, to reject wrong keys; sums are a word, so there are none for 256 bits
JOINS = {2: 1, 3: 1, 4: 32}  # tasks of a join, by key cells

SIZES: dict[Scale, dict[str, Json]] = {
    "small": {"structures": {5: 1, 6: 1}, "planted": True, "longer": {}},
    "paper": {"structures": {5: 8, 6: 2}, "planted": False, "longer": {2: 4, 3: 2}},
    "full": {"structures": {5: 8, 6: 2}, "planted": False, "longer": {2: 4, 3: 2, 4: 1}},
}
SMALL = 4  # values of X where a right pair is planted


def tasks(scale: Scale) -> list[Task]:
    """Structures of pairs, and keys of each length, with one round more as control."""
    sizes = SIZES[scale]
    side = SMALL if sizes["planted"] else SIDE
    pairs: list[Task] = [
        {"kind": "pairs", "seed": [SEED, PAIRS, index], "rounds": rounds, "first": first,
         "count": min(PART, side), "planted": sizes["planted"]}
        for rounds, structures in sizes["structures"].items()
        for index in range(structures)
        for first in range(0, side, PART)
    ]  # fmt: skip
    longer: list[Task] = [
        {"kind": "longer", "seed": [SEED, LONGER, k, index], "k": k, "rounds": rounds,
         "first": part * (lanes.LANE_KEYS // JOINS[k]), "count": lanes.LANE_KEYS // JOINS[k]}
        for k, keys in sizes["longer"].items()
        for index in range(keys)
        for rounds in ROUNDS
        for part in range(JOINS[k])
    ]  # fmt: skip
    return pairs + longer


# --- what is run -------------------------------------------------------------------------------


def _sides(
    cipher: scaled.Scaled, task: Task, random: np.random.Generator
) -> list[NDArray[np.uint32]]:
    """The values of X on both sides; a planted pair is the first of either."""
    sides = [
        scaled_pairs.values(np.array([random.permutation(16)[:CELL_VALUES] for _ in range(4)]))
        for _ in range(2)
    ]
    if task["planted"]:
        partner = np.flatnonzero(cipher.g == (cipher.g[sides[0][0]] ^ scaled_pairs.TOP))
        sides[1][0] = partner[0]
        sides = [side[:SMALL] for side in sides]
    return sides


def _pairs(task: Task) -> Json:
    """Right pairs in a part of a structure, and the keys that are found."""
    random = np.random.default_rng(task["seed"])
    cipher = scaled.random_key(random, scaled_attack.CELLS)
    a, b = _sides(cipher, task, random)
    a = a[task["first"] : task["first"] + task["count"]]
    constant = random.integers(0, 2**cipher.bits, (3, scaled_pairs.TEXTS)).astype(np.uint32)
    structures = [
        scaled_pairs.encrypt(cipher, X, constant, flip, task["rounds"])
        for X, flip in ((a, np.uint32(0)), (b, scaled_pairs.TOP))
    ]
    box, found = scaled_pairs.boxes(), []
    for carry in (0, 1):
        one, other = (scaled_pairs.side(cipher, each, carry, box) for each in structures)
        found += scaled_pairs.recover(one, other, box, carry)
    truth = (cipher.S, int(cipher.K[task["rounds"] - 1, 1] & 1))
    right = found.count(truth)
    pairs = scaled_pairs.right_pairs(cipher, a, b)
    return {"pairs": pairs, "right": right, "wrong": len(found) - right}


def sets_of(k: int) -> int:
    """As many as S has bits, and some more as far as there is room."""
    return min(64, 16 * k + SPARE)


def _longer(task: Task) -> Json:
    """All of S by sets of a saturated word."""
    random, k = np.random.default_rng(task["seed"]), task["k"]
    cipher = scaled.random_key(random, scaled_attack.CELLS, k=k)
    halves, sums = scaled_attack.sets_of_texts(cipher, random, sets_of(k), task["rounds"])
    odd = scaled_attack.odd_cells(cipher, halves)
    every, found = np.arange(16**k), []
    for carry in (0, 1):
        parts = np.zeros((scaled_attack.CELLS, 16**k, 2), np.uint64)
        parts[:, :, 0] = scaled_attack.parts(odd, (2 | carry, 1), k)
        wanted = np.array([sums, 0], np.uint64)
        rows = lanes.matches(parts, wanted, [every] * 2, task["first"], task["count"])
        found += [(tuple(row), carry) for row in rows.tolist()]
    right = found.count((cipher.S, int(cipher.K[task["rounds"] - 1, 1] & 1)))
    return {"k": k, "right": right, "wrong": len(found) - right}


KINDS = {"pairs": _pairs, "longer": _longer}


def compute(task: Task) -> Json:
    """The findings of one task."""
    about = {name: task[name] for name in ("kind", "seed", "rounds")}
    return {**about, **KINDS[task["kind"]](task)}


# --- the figures -------------------------------------------------------------------------------


def _merged(done: Sequence[Json], kind: str, rounds: int) -> list[Json]:
    """The sums of all tasks of a structure or key."""
    merged: dict[str, Json] = {}
    for part in done:
        if (part["kind"], part["rounds"]) == (kind, rounds):
            total = merged.setdefault(
                str(part["seed"]), {**part, "right": 0, "wrong": 0, "pairs": 0}
            )
            for name in ("right", "wrong", "pairs"):
                total[name] += part.get(name, 0)
    return list(merged.values())


def _found(parts: Sequence[Json], of: int) -> str:
    right = sum(part["right"] > 0 for part in parts)
    return f"S found for {right} of {of}, {sum(part['wrong'] for part in parts)} wrong"


def _pairs_table(done: Sequence[Json]) -> Table:
    cells = []
    for rounds in ROUNDS:
        parts = _merged(done, "pairs", rounds)
        with_pair = [part for part in parts if part["pairs"]]
        text = f"{_found(with_pair, len(with_pair))}"
        cells.append(ours(f"{rounds} rounds, structures with a right pair", text))
        others = [part for part in parts if not part["pairs"]]
        cells.append(ours(f"{rounds} rounds, the others", _found(others, len(others))))
    texts = log2(2 * SIDE * scaled_pairs.TEXTS)
    return Table(f"The model, 32 bits of S: pairs, 2^{texts:.1f} texts a structure", cells)


def _longer_table(done: Sequence[Json]) -> Table:
    cells = []
    for rounds in ROUNDS:
        parts = _merged(done, "longer", rounds)
        for k in sorted({part["k"] for part in parts}):
            of = [part for part in parts if part["k"] == k]
            what = f"{rounds} rounds, model of {64 * k}-bit keys ({16 * k} bits of S)"
            cells.append(ours(f"{what}, {sets_of(k)} sets", _found(of, len(of))))
    return Table("The model: saturated words", cells)


def chance() -> float:
    """Of a structure at real size to have a right pair: 16 of 256 values of each byte a side."""
    return (1 - comb(240, 16) / comb(256, 16)) ** 4


def _paper_table() -> Table:
    """At real size, with as many texts for each value of X as bits that are sought, and 8 more."""
    cells = []
    for k in (2, 3, 4):
        unknown = 32 * k + 1
        texts = log2(2 * 16**4 * (unknown + 8) / chance())
        work = log2(2 * 2 ** (32 + 16 * (k - 1)) / chance())
        cells.append(
            ours(f"{64 * k}-bit keys", f"2^{texts:.1f} texts, 2^{work:.1f} pairs of lanes")
        )
    return Table("What the attack by pairs costs at real size, on paper", cells)


REMARKS = (
    "Pairs: X is R1 rotated, so T1 = g(X) in the first round. If T1 of two texts differs in bit "
    "31 only, so does F0, and F1 does not. If R2 differs there too, the right halves after the "
    "first round are equal, and bit 0 of L4_1 is the same for both (see `five-rounds`). This is "
    "so for all R0, R2 and R3. The four S-boxes of a right pair have known differences, the bytes "
    "of the inverse of MDS, so 2^8 of the 2^16 keys of each lane are left.",
    "A structure has 16 values of each byte of X on either side, in the model 4 of each cell, "
    "each with the same (R0, R2, R3). So it has one right pair on average, but none in most "
    f"cases: at real size some are in {100 * chance():.0f} % of structures, and the table has the "
    "costs of as many as are needed on average. The attack guesses a pair, joins the lanes that "
    "are left, and goes on to the next if no S explains all sums.",
    "The published attack takes 2^22.5 pairs and work of 2^51 [Twofish98]. It is another one: by "
    "an excerpt of [Twofish99, 8] its pairs differ in one byte at both g, whose outputs differ in "
    "the same eight bits, and batches of 256 pairs are made of each that may be right.",
    "Longer keys: cells of the model have three or four key cells in place of two, and one or two "
    "more permutations, in the order of Twofish. With four there are 2^16 keys of each cell, as "
    "many as Twofish has with 128-bit keys, so this takes as long as at real size.",
    "With a sixth round nothing is found, as should be.",
)


def combine(scale: Scale, done: Sequence[Json]) -> Findings:
    """How often S is found, and what it would cost at real size."""
    tables = [_pairs_table(done), _longer_table(done), _paper_table()]
    return Findings(tables, (), REMARKS, list(done))


EXPERIMENT = Experiment(
    name="five-round-models",
    question="Can five rounds be attacked with few texts, or with longer keys?",
    method=(
        "Two attacks run in a scale model of 64 bits: one with pairs of texts that are guessed, "
        "and that of `five-rounds` with models of longer keys. The program counts how often they "
        "find S, and says what they would cost at real size."
    ),
    sources=["[Twofish98, abstract]", "[Twofish99, 8]", "[Lucks01]"],
    covers={
        "small": "a structure of 4 by 4 values with a right pair",
        "paper": "8 structures of 256 by 256 values; models of 128- and 192-bit keys",
        "full": "a model of 256-bit keys as well",
    },
    tasks=tasks,
    compute=compute,
    combine=combine,
    seed=SEED,
)
