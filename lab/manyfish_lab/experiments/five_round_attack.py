# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The cost of the published attack on five rounds, beside attacks that are run and find S."""

from __future__ import annotations

import time
from collections.abc import Sequence
from math import log2

import numpy as np

from manyfish_lab import lanes, scaled, scaled_attack, twofish
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

SEED = 19980615
SPEEDS, MODELS = 0, 1  # their own parts of it; guesses and joins have their bits
# [Twofish98, abstract]: chosen plaintexts (pairs, as the authors' slides have it) and work.
PAIRS_LOG2 = 22.5
WORK_LOG2 = 51
BESIDE = "Beside the published work"
S_BITS = 64  # of a 128-bit key
CORES = 1000
BLOCK_BYTES = 16
SETS = 80  # 64 bits of S, and 16 to reject wrong ones
SCALED_SETS = 48  # 32 bits of S, a carry, and 15 likewise
G_WORDS = 1 << 18
# A set of five rounds is a saturated word; as many of them as bits are sought, and some more.
FIVE_ROUND_SETS = S_BITS + 1 + 15

SIZES: dict[Scale, dict[str, Json]] = {
    "small": {"guess": (6, 8, 10, 12), "join": (2, 6), "scaled": 1},
    "paper": {"guess": (8, 10, 12, 14, 16, 18, 20), "join": (4, 8, 12, 16), "scaled": 32},
}
GUESSES = 1 << 20  # of a task
JOIN_BITS = 11  # a task joins all low bits of 2^11 keys of a lane


def _parts(scale: Scale, kind: str) -> list[Task]:
    """Tasks of a kind, each with the bits that are sought."""
    found: list[Task] = []
    for bits in SIZES[scale][kind]:
        whole = 1 << (bits if kind == "guess" else 16)
        part = min(whole, GUESSES) if kind == "guess" else whole >> max(0, bits - JOIN_BITS)
        found += [
            {"kind": kind, "seed": [SEED, bits], "bits": bits, "first": first, "count": part}
            for first in range(0, whole, part)
        ]
    return found


def tasks(scale: Scale) -> list[Task]:
    """The speed of g, guesses, joins, the scale model with one round more as control."""
    speed: Task = {"kind": "speed", "seed": [SEED, SPEEDS]}
    models: list[Task] = [
        {"kind": "scaled", "seed": [SEED, MODELS, index], "rounds": rounds}
        for index in range(SIZES[scale]["scaled"])
        for rounds in (5, 6)
    ]
    return [speed, *_parts(scale, "guess"), *_parts(scale, "join"), *models]


# --- what is run -------------------------------------------------------------------------------


def _speed(task: Task) -> Json:
    """g by the library's function h, in the seconds of the fastest of some runs."""
    random = np.random.default_rng(task["seed"])
    S, X = random.integers(0, 2**32, 2), random.integers(0, 2**32, G_WORDS).astype(np.uint32)
    seconds = []
    for _ in range(5):
        start = time.process_time()
        twofish.h(X, S)
        seconds.append(time.process_time() - start)
    return {"words": G_WORDS, "seconds": min(seconds)}


def _key(task: Task, rounds: int = 4) -> tuple[list[int], lanes.Sets]:
    """S of a random key, and what an attacker sees of it."""
    random = np.random.default_rng(task["seed"])
    key = random.bytes(16)
    return twofish.sbox_key(key).tolist(), lanes.four_rounds(key, random, SETS, rounds)


def _guess(task: Task) -> Json:
    """Low bits of S_0 are tried, all else of S is known."""
    S, sets = _key(task)
    joined = S[0] | S[1] << 32
    start = time.process_time()
    found, of_g = lanes.guess(
        sets, joined >> task["bits"] << task["bits"], task["first"], task["count"]
    )
    seconds = time.process_time() - start
    right = found.count(joined)
    return {"seconds": seconds, "g": of_g, "right": right, "wrong": len(found) - right}


def _join(task: Task) -> Json:
    """Two lanes are unknown, and this many bits of each of the others."""
    S, sets = _key(task)
    bits, keys = task["bits"], lanes.lane_keys(S)
    start = time.process_time()
    sums = lanes.lane_sums(lanes.odd_values(sets.halves), (1, 1))
    prepared = time.process_time()
    candidates = [np.arange(1 << bits) | keys[lane] >> bits << bits for lane in (1, 3)]
    found = lanes.join(sums, lanes.packed(sets.sums), candidates, task["first"], task["count"])
    seconds = time.process_time() - prepared
    right = found.count((S[0], S[1]))
    result = {"seconds": seconds, "right": right, "wrong": len(found) - right}
    return {**result, "prepare": prepared - start}


def _scaled(task: Task) -> Json:
    """The whole of S in the scale model."""
    random = np.random.default_rng(task["seed"])
    cipher = scaled.random_key(random, scaled_attack.CELLS)
    halves, sums = scaled_attack.sets_of_texts(cipher, random, SCALED_SETS, task["rounds"])
    found = scaled_attack.recover(scaled_attack.odd_cells(cipher, halves), sums)
    truth = (cipher.S, int(cipher.K[task["rounds"] - 1, 1] & 1))
    right = found.count(truth)
    return {"rounds": task["rounds"], "right": right, "wrong": len(found) - right}


KINDS = {"speed": _speed, "guess": _guess, "join": _join, "scaled": _scaled}


def compute(task: Task) -> Json:
    """The finding and its time; times differ from run to run, the rest does not."""
    return {"kind": task["kind"], "bits": task.get("bits", 0), **KINDS[task["kind"]](task)}


# --- the figures -------------------------------------------------------------------------------


def _totals(done: Sequence[Json], kind: str) -> dict[int, dict[str, float]]:
    """By the bits that were sought, the sums of all parts."""
    totals: dict[int, dict[str, float]] = {}
    for part in done:
        if part["kind"] == kind:
            total = totals.setdefault(part["bits"], {})
            for name, value in part.items():
                if name not in ("kind", "bits"):
                    total[name] = total.get(name, 0) + value
    return totals


def span(seconds: float) -> str:
    """Seconds in words of a fitting size."""
    for unit, size in (("years", 31557600), ("days", 86400), ("hours", 3600), ("minutes", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:,.3g} {unit}"
    return f"{seconds:.3g} s"


def _published_table(per_second: float) -> Table:
    texts = 2 ** (PAIRS_LOG2 + 1)
    data = texts * 2 * BLOCK_BYTES
    seconds = 2**WORK_LOG2 / per_second
    rows = {
        "chosen plaintexts of 2^22.5 pairs": f"2^{PAIRS_LOG2 + 1}",
        "plaintexts and ciphertexts, to be kept": f"{data / 2**20:,.0f} MiB",
        "g on one core, measured in this run": f"{per_second / 1e6:,.0f} million a second",
        "2^51 g on one core": span(seconds),
        f"2^51 g on {CORES:,} cores": span(seconds / CORES),
        f"2^51 encryptions of five rounds (10 g) on {CORES:,} cores": span(10 * seconds / CORES),
    }
    cells = [ours(what, value) for what, value in rows.items()]
    return Table("What follows from the published totals", cells, "[Twofish98, abstract]")


def _found(total: dict[str, float]) -> str:
    return f"S found, {int(total['wrong'])} wrong" if total["right"] == 1 else "S not found"


def _guess_table(totals: dict[int, dict[str, float]]) -> Table:
    cells = [
        ours(
            f"{bits} unknown bits",
            f"{total['seconds']:.3g} s, 2^{log2(total['g']):.1f} g, {_found(total)}",
        )
        for bits, total in totals.items()
    ]
    return Table("Twofish, 4 rounds: unknown bits of S guessed (CPU seconds of one core)", cells)


def _join_table(totals: dict[int, dict[str, float]]) -> Table:
    cells = [
        ours(f"{32 + 2 * bits} unknown bits", f"{total['seconds']:.3g} s, {_found(total)}")
        for bits, total in totals.items()
    ]
    return Table("Twofish, 4 rounds: lanes matched two by two (CPU seconds of one core)", cells)


def _scaled_table(done: Sequence[Json]) -> Table:
    cells = []
    for rounds in (5, 6):
        parts = [part for part in done if part["kind"] == "scaled" and part["rounds"] == rounds]
        right, wrong = (sum(part[name] for part in parts) for name in ("right", "wrong"))
        text = f"S found for {right} of {len(parts)} keys, {wrong} wrong ones"
        cells.append(ours(f"{rounds} rounds, 2^{16 + log2(SCALED_SETS):.1f} texts", text))
    return Table("Scale model of 64 bits: all 32 bits of S and a subkey bit", cells)


def _each(totals: dict[int, dict[str, float]], width: int) -> float:
    """Seconds of one unit of work, from the largest run."""
    bits = max(totals)
    return totals[bits]["seconds"] / 2.0 ** (bits + width)


WHY_WORK = (
    "Ours is another attack: it takes 2^38.3 texts instead of 2^22.5 pairs. So it can use sums of "
    "bits to which each S-box adds its own part, and finds S by matching 2^32 values with 2^32."
)
WHY_GUESS = (
    "Ours guesses all 64 bits of S at once, with about 2^10 g for each guess. Over five rounds "
    "each guess needs a set of 2^32 texts instead of 2^8. No text that we have describes the "
    "authors' steps."
)


def _beside_table(guess: float, join: float, of_g: float, per_second: float) -> Table:
    texts = f"2^{32 + log2(FIVE_ROUND_SETS):.1f}"
    cells = [
        Cell(
            "5 rounds, lanes matched: chosen plaintexts",
            f"2^{PAIRS_LOG2} (the slides: pairs)",
            texts,
            False,
            WHY_WORK,
        ),
        Cell("5 rounds, lanes matched: joins", f"2^{WORK_LOG2}", "2 * 2^32", False, WHY_WORK),
        Cell(
            "4 rounds, S guessed: g evaluations",
            f"2^{WORK_LOG2}",
            f"2^{S_BITS + log2(of_g):.1f}",
            False,
            WHY_GUESS,
        ),
        ours("4 rounds, S guessed: extrapolated, 1,000 cores", span(guess * 2.0**S_BITS / CORES)),
        ours("2^51 g, 1,000 cores", span(2**WORK_LOG2 / per_second / CORES)),
        ours("4 rounds, lanes matched: extrapolated or run, one core", span(join * 2.0**32)),
    ]
    return Table(BESIDE, cells, "[Twofish98, abstract]")


def _plot(guess: Json, join: Json, each: tuple[float, float], per_second: float) -> Plot:
    series = {
        "guessed": [(float(b), t["seconds"]) for b, t in guess.items()],
        "lanes matched": [(32.0 + 2 * b, t["seconds"]) for b, t in join.items()],
        "guessed, extrapolated": [(float(b), each[0] * 2.0**b) for b in (max(guess), S_BITS)],
        "published 2^51 as g on one core": [(float(S_BITS), 2**WORK_LOG2 / per_second)],
    }
    title = "Time to find the unknown bits of S"
    return Plot("attack-time", title, "unknown bits", "CPU seconds", "lines", series, log_y=True)


REMARKS = (
    "No text that we have describes the steps of the authors' attack. Its totals are 2^22.5 "
    "chosen plaintexts (the abstract; their slides say pairs) and 2^51 work, for five rounds "
    "without whitening.",
    "Our attack on four rounds: in a set of 256 plaintexts a byte of L takes all values after the "
    "first round. Then bit 1 of F0 in the second round sums to zero over the set. It moves to bit "
    "0, and the fourth round adds bit 0 of F0 = T0 + T1 + K to it. No carry enters bit 0, and K "
    "cancels, so the ciphertexts show the sum of bit 0 of T0 + T1. This is a sum of four lanes, "
    "each of which depends on two bytes of S. So 80 sets (2^14.3 texts) single out one S of 2^64.",
    "*Guessed* means: the attack completes S, computes the sums with g, and rejects S at the "
    "first wrong sum. *Matched* means: it takes all 2^16 parts of each lane, and joins lanes 0 "
    "and 1 with lanes 2 and 3.",
    "Five rounds at real size take 80 sets of all 2^32 values of a word (see `distinguisher`) for "
    "all of S: 2^38.3 texts; `five-rounds` runs this attack with fewer. Here it runs in the scale "
    "model, whose words have four cells of 4 bits, with a sixth round as control.",
    "Times are CPU seconds of the machine that ran the attacks, and differ from run to run.",
)


def combine(scale: Scale, done: Sequence[Json]) -> Findings:
    """Published totals as time and data, attacks that were run, and what they extrapolate to."""
    speed = next(part for part in done if part["kind"] == "speed")
    guess, join = _totals(done, "guess"), _totals(done, "join")
    most = guess[max(guess)]
    per_second, of_g = most["g"] / most["seconds"], most["g"] / 2.0 ** max(guess)
    each = _each(guess, 0), _each(join, 16)
    published = _published_table(per_second)
    by_h = ours(
        "g by the library's h", f"{speed['words'] / speed['seconds'] / 1e6:.0f} million a second"
    )
    tables = [
        Table(published.title, [*published.cells, by_h], published.source),
        _guess_table(guess),
        _join_table(join),
        _scaled_table(done),
        _beside_table(*each, of_g, per_second),
    ]
    return Findings(tables, [_plot(guess, join, each, per_second)], REMARKS, list(done))


EXPERIMENT = Experiment(
    name="five-round-attack",
    question="What does the attack on five rounds cost, and how much of it can be run?",
    method=(
        "The program measures the speed of g, and turns the published totals into data and time. "
        "Attacks of our own find S: against four rounds at real size, with a part of S known or "
        "none of it, and against five rounds in a scale model."
    ),
    sources=["[Twofish98, abstract]", "[TwofishSlides98]", "[Lucks01]"],
    covers={
        "small": "4 rounds: 6 to 12 bits guessed, 36 to 44 matched; a key of the scale model",
        "paper": "4 rounds: 8 to 20 bits guessed, 40 to all 64 matched; 32 keys of the scale model",
    },
    tasks=tasks,
    compute=compute,
    combine=combine,
    seed=SEED,
    kinds={BESIDE: "another attack"},
)
