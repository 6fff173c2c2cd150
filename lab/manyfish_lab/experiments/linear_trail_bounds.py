# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Upper bounds of the squared correlation of linear trails over rounds, proved by a SAT solver."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from manyfish_lab import mask_bounds, pht_masks, trail_claims, trail_costs, twofish
from manyfish_lab.experiment import Cell, Experiment, Findings, Json, Scale, Table, Task, ours
from manyfish_lab.mask_trails import MaskModel, MaskStep

SEED = 2003
COSTS = {key_bits: trail_costs.masks(key_bits) for key_bits in (128, 192)}
LEAST = COSTS[128].least

# By pattern of active rounds, what trails cost at least: claims that the solver proves, by key
# length; and patterns for which a trail below a cost is looked for and found.
PROOFS: dict[int, dict[str, float]] = {128: {"0110": 23.0, "111": 26.0}, 192: {"0110": 17.0}}
CLAIMS = 1 + sum(map(len, PROOFS.values()))
TRAILS = {"1": 8.5}
# The masks of T0, T1, F0, F1 of the cheapest round that we know.
CHEAP = (0x01800181, 0, 0x00C000C0, 0x01800181)
SAMPLES: dict[Scale, tuple[int, int]] = {"small": (1, 1), "paper": (16, 32)}  # chunks of texts
CHUNK = 1 << 18
SUBKEYS, WORDS = 64, 1 << 12  # of a task
ORDER = ("expected", "found")
Z = 3.29  # 99.9 %


def tasks(scale: Scale) -> list[Task]:
    """Claims about rounds, a trail, and texts."""
    count, chunks = SAMPLES[scale]
    claims: list[Task] = [{"least": 1}, {"boxes": 3, "carries": LEAST[2]}]
    if scale != "small":
        claims += [{"least": 2}, *({"trail": pattern} for pattern in TRAILS)]
        claims += [
            {"key_bits": key_bits, "pattern": pattern, "cost": cost}
            for key_bits, of in PROOFS.items()
            for pattern, cost in of.items()
        ]
    return [*claims, *({"seed": [SEED, index], "chunks": chunks} for index in range(count))]


# --- what is run -------------------------------------------------------------------------------


def compute(task: Task) -> Json:
    """A bound of few S-boxes, a checked proof, a trail, or counts of texts."""
    if "least" in task:
        return {**task, "found": mask_bounds.least(task["least"])}
    if "boxes" in task:
        model = MaskModel("1")
        COSTS[128].few_boxes(model, task["boxes"], task["carries"])
        return {**task, "proof": trail_claims.prove(model)}
    if "pattern" in task:
        model = _below(task["key_bits"], task["pattern"], task["cost"])
        return {**task, "proof": trail_claims.prove(model)}
    if "trail" in task:
        model = _below(128, task["trail"], TRAILS[task["trail"]])
        return {**task, "steps": trail_claims.find(model)}
    random = np.random.default_rng(task["seed"])
    return {**task, "carries": _carries(random), "bit": _lowest_bit(random, task["chunks"])}


def _below(key_bits: int, pattern: str, cost: float) -> MaskModel:
    model = MaskModel(pattern)
    COSTS[key_bits].below(model, cost)
    return model


def _carries(random: np.random.Generator) -> list[float]:
    """For each pair of subkeys an estimate of the squared correlation of CHEAP, without bias."""
    found = []
    for _ in range(SUBKEYS):
        T0, T1 = random.integers(0, 1 << 32, (2, WORDS), np.uint32)
        K0, K1 = random.integers(0, 1 << 32, 2, np.uint32)
        words = (T0, T1, T0 + T1 + K0, T0 + (T1 << np.uint32(1)) + K1)
        total = _signs(words, CHEAP)
        found.append((total**2 - WORDS) / WORDS / (WORDS - 1))
    return found


def _lowest_bit(random: np.random.Generator, chunks: int) -> Json:
    """Bit 0 of F1 is that of T0 and of K1, so its correlation with four bytes of R0 is exact."""
    key = random.bytes(16)
    columns = [twofish.mds(1 << i) & 1 for i in range(32)]
    R0, expected = 0, 1.0 - 2 * (int(twofish.subkeys(key, 8, 2)[1]) & 1)
    for place, box in enumerate(twofish.boxes(twofish.sbox_key(key))):
        mask = sum(bit << i for i, bit in enumerate(columns[8 * place : 8 * place + 8]))
        walsh = [_signs((box, np.arange(256, dtype=np.uint8)), (mask, a)) for a in range(256)]
        best = int(np.argmax(np.abs(walsh)))
        R0, expected = R0 | best << 8 * place, expected * walsh[best] / 256
    cipher = twofish.Variant(key, 1, whitening=False)
    found = sum(_chunk(cipher, R0, random) for _ in range(chunks))
    return {"expected": expected, "found": found / chunks / CHUNK}


def _chunk(cipher: twofish.Variant, R0: int, random: np.random.Generator) -> int:
    plain = np.zeros((CHUNK, 16), np.uint8)
    plain[:, :8] = random.integers(0, 256, (CHUNK, 8), np.uint8)
    out = cipher.encrypt(plain).view("<u4")
    return _signs((plain.view("<u4")[:, 0], out[:, 3]), (R0, 1))


def _signs(words: Sequence[NDArray[Any]], masks: Sequence[int]) -> int:
    """The sum of the signs of all masked bits."""
    counts = sum(np.bitwise_count(word & word.dtype.type(m)) for word, m in zip(words, masks))
    return len(words[0]) - 2 * int(np.count_nonzero(counts & 1))


# --- figures -----------------------------------------------------------------------------------


def _few_boxes_table(done: Sequence[Json]) -> Table:
    cells = [
        ours(f"{part['least']} active S-boxes: carries", f"at most 2^-{part['found']:.3f}")
        for part in done
        if "least" in part
    ]
    return Table("F with few active S-boxes, all masks of F: at most", cells)


def _trails_table(done: Sequence[Json]) -> Table:
    cells = []
    for part in (each for each in done if "trail" in each):
        steps = [MaskStep(*map(tuple, words)) for words in part["steps"]]
        boxes = sum(step.boxes() for step in steps)
        cells += [
            ours(
                f"active rounds {part['trail']}: {boxes} active S-boxes, round {i}",
                "masks "
                + ", ".join(
                    f"{name} {words[0]:08X} {words[1]:08X}"
                    for name, words in (("R", step.R), ("T", step.T), ("F", step.F))
                )
                + f"; carries exactly 2^-{step.weight() or 0:.2f}",
            )
            for i, step in enumerate(steps, 1)
        ]
    return Table("Trails that the solver found", cells)


def _texts_table(done: Sequence[Json]) -> Table:
    each = [part for part in done if "bit" in part]
    samples = np.array([square for part in each for square in part["carries"]])
    mean, half = samples.mean(), Z * samples.std() / len(samples) ** 0.5
    expected = pht_masks.mean(*CHEAP)
    cells = [
        ours(
            f"carries of the cheapest round, {len(samples)} pairs of subkeys: mean square",
            f"expected {expected:.5f}, found {mean:.5f} ± {half:.5f}",
            "" if abs(mean - expected) <= half else "outside",
        ),
        _bits_cell(each),
    ]
    return Table("Correlations counted; 99.9 % interval", cells)


def _bits_cell(each: Sequence[Json]) -> Cell:
    """Found by expected, as a straight line through 0."""
    texts = each[0]["chunks"] * CHUNK
    expected, found = (np.array([part["bit"][name] for part in each]) for name in ORDER)
    square = float(expected @ expected)
    ratio, half = float(expected @ found) / square, Z / (texts * square) ** 0.5
    return ours(
        f"bit 0 of F1 and four bytes of R0, {len(each)} keys, {texts:,} texts each: found by "
        "expected",
        f"{ratio:.3f} ± {half:.3f}",
        "" if abs(ratio - 1) <= half else "outside",
    )


def combine(_: Scale, done: Sequence[Json]) -> Findings:
    """The bounds that follow from what was proved, and what was found beside them."""
    least = [
        *(floor(part["found"] / pht_masks.UNIT * 2) for part in done if "least" in part),
        *(part["carries"] for part in done if "boxes" in part),
    ]
    bounds = {
        key_bits: trail_claims.bounds(costs, least, done, key_bits)
        for key_bits, costs in COSTS.items()
    }
    title = "{}-bit keys: every linear trail over rounds"
    tables = [
        *(trail_claims.rounds_table(title.format(key_bits), of) for key_bits, of in bounds.items()),
        trail_claims.claims_table(done),
        _few_boxes_table(done),
        _trails_table(done),
        _texts_table(done),
    ]
    remarks = [
        "**A bound of trails is no bound of hulls.** A trail fixes the masks on the way. Trails "
        "between the same ends add up, and nobody has bounded the sum.",
        "It is the mean over uniform and independent subkeys of the squared correlation. Between T "
        "and F it is that of all ways together; a single subkey can have more, up to 1 for the "
        "carries. The S-boxes alone hold for each key, with the worst of its length: "
        "(100/256)^2 for 128 bits ([sboxes-128](sboxes-128.md)), (116/256)^2 for 192 "
        "([sboxes-192](sboxes-192.md)). For 256 bits the worst is known of a sample only.",
        "These simplifications only raise the bound: an active S-box takes each mask to each; "
        "frequencies cost half, and whole units of "
        f"{pht_masks.UNIT}, at most {pht_masks.MOST} a bit; with one or two active S-boxes the "
        "masks of F are free.",
        "The carries with one or two S-boxes come from a sum over all masks of T in floating-point "
        "numbers, rounded down by 0.05 bits at least. All else has checked proofs. A claim about "
        "one round takes seconds; one about more rounds takes minutes, and as long again to check. "
        "For 128-bit keys the model has a trail of two neighbours below 24, and one of three below "
        "27, so these two claims are almost as large as it allows.",
    ]
    lines = {f"{key_bits}-bit keys": of for key_bits, of in bounds.items()}
    plots = trail_claims.plots("linear-trail-bounds", "squared correlation", lines)
    return Findings(tables, plots, remarks, {"tasks": list(done)})


EXPERIMENT = Experiment(
    name="linear-trail-bounds",
    question="How large can the squared correlation of a linear trail of Twofish be at most?",
    method=(
        "A formula describes the masks of some rounds: bits, the transposed MDS matrix, and for "
        "the PHT and the subkeys a frequency of each word, whose cost bounds the mean squared "
        "correlation. CaDiCaL proves that no trail costs less than a bound, and rate checks it. "
        "With one or two active S-boxes a sum over all masks of F gives more."
    ),
    sources=["[Wallen03]", "[CaDiCaL]", "[rate]"],
    covers={
        "small": "one claim about F, masks of one S-box, 2^18 texts",
        "paper": f"{CLAIMS} claims, {len(TRAILS)} trail, 2^23 texts of each of 16 keys",
    },
    tasks=tasks,
    compute=compute,
    combine=combine,
    seed=SEED,
)
