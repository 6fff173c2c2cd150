# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Twofish of three, four and five rounds told from a random permutation, and what that takes."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from math import exp, lgamma, log, log2

import numpy as np
from numpy.typing import NDArray

from manyfish_lab import native, scaled, twofish
from manyfish_lab.chi_square import wilson
from manyfish_lab.experiment import Experiment, Findings, Json, Plot, Scale, Table, Task, ours
from manyfish_lab.lanes import saturated_byte

SEED = 20010402
WORDS = 9  # the part of it that keys of a whole word have
CONTROL = 16  # rounds of the whole cipher
# Of a saturated byte: how many texts of the set the test uses.
BYTE_TEXTS = (8, 16, 32, 64, 256)
# Of a saturated word, real size: texts of a task.
PART = 1 << 26
WORD_TEXTS = 1 << 32
# The scale model of 32 bits: sets of a saturated word, and of a whole right half.
CELLS = 2
WORD_SETS = 8
HALF_SETS = 32

Sizes = dict[str, Json]
SIZES: dict[Scale, Sizes] = {
    "small": {"bytes": (4, 64), "words": {}, "word": (1, 64), "half": (2, 1)},
    "paper": {"bytes": (16, 256), "words": {4: 2, 5: 1}, "word": (8, 64), "half": (64, 1)},
    "full": {"bytes": (16, 256), "words": {4: 16, 16: 16}, "word": (8, 64), "half": (64, 1)},
}
ROUNDS = {"bytes": (3, 4, CONTROL), "word": (4, 5, CONTROL), "half": (5, 6, CONTROL)}

_saturation = native.checked(
    "lab_saturation",
    native.output(np.uint64),
    ctypes.c_char_p,
    ctypes.c_uint32,
    ctypes.c_char_p,
    ctypes.c_uint32,
    ctypes.c_size_t,
)


def tasks(scale: Scale) -> list[Task]:
    """Sets of keys by kind, and the parts of all 2^32 texts."""
    sizes = SIZES[scale]
    found: list[Task] = [
        {"kind": kind, "rounds": rounds, "seed": [SEED, place, index], "keys": sizes[kind][1]}
        for place, kind in enumerate(ROUNDS)
        for index in range(sizes[kind][0])
        for rounds in ROUNDS[kind]
    ]
    found += [
        {"kind": "words", "rounds": rounds, "seed": [SEED, WORDS, index], "first": first}
        for rounds, keys in sizes["words"].items()
        for index in range(keys)
        for first in range(0, WORD_TEXTS, PART)
    ]
    return found


# --- real size ---------------------------------------------------------------------------------


def byte_outputs(blocks: NDArray[np.uint8]) -> tuple[Json, Json]:
    """The low bytes of F0 and F1 in the last round but one, each up to a constant."""
    words = np.ascontiguousarray(blocks).view("<u4")
    rotated = words[:, 0] << np.uint32(1) | words[:, 0] >> np.uint32(31)
    return (rotated & 255).tolist(), (words[:, 1] & 255).tolist()


def _bytes(task: Task) -> Json:
    """For each number of texts: keys with no byte seen twice."""
    random = np.random.default_rng(task["seed"])
    fired = [0] * len(BYTE_TEXTS)
    for _ in range(task["keys"]):
        cipher = twofish.Variant(random.bytes(16), task["rounds"])
        low0, low1 = byte_outputs(cipher.encrypt(random.permutation(saturated_byte(random))))
        for i, n in enumerate(BYTE_TEXTS):
            fired[i] += len(set(low0[:n])) == n and len(set(low1[:n])) == n
    return {"fired": fired}


def _words(task: Task) -> Json:
    """A part of 2^32 texts; the key and the constant part come from the seed."""
    random = np.random.default_rng(task["seed"])
    key, text = random.bytes(16), random.bytes(16)
    found = np.zeros(4, np.uint64)
    _saturation(found, key, task["rounds"], text, task["first"], PART)
    return {"counts": found.tolist()}


def checks(counts: Sequence[int], texts: int) -> int:
    """How many of four hold.

    F0 and F1 add up to 0 modulo 4, so bit 0 is even and with bit 1 right modulo 4. Bit 0 of
    F1 = T0 + 2 T1 + K is that of T0, up to a constant, so it is set in just half of the texts.
    A constant that is XORed complements counts of an even number of texts, which changes nothing.
    """
    bit0_of_F0, bit1_of_F0, bit0_of_F1, bit1_of_F1 = counts
    even, half = bit0_of_F0 % 2 == 0, 2 * bit0_of_F1 == texts
    first = even and (bit0_of_F0 // 2 + bit1_of_F0) % 2 == 0
    second = half and (bit0_of_F1 // 2 + bit1_of_F1) % 2 == 0
    return sum((even, first, half, second))


# --- the scale model ---------------------------------------------------------------------------


def word_counts(cipher: scaled.Scaled, random: np.random.Generator, rounds: int) -> list[int]:
    """The same counts of the scale model, for a set of a saturated word."""
    size = 2**cipher.bits
    R2 = np.arange(size, dtype=np.uint32)
    constant = random.integers(0, size, (3, 1)).astype(np.uint32)
    R0, R1, R3 = (np.repeat(c, size) for c in constant)
    _, (C0, C1) = cipher.encrypt((R0, R1), (R2, R3), rounds)
    F0 = cipher.rol(C0, 1) ^ cipher.rol(R2, cipher.bits - 1)
    return [int((word >> np.uint32(bit) & 1).sum()) for word in (F0, C1) for bit in (0, 1)]


def _word(task: Task) -> Json:
    """Keys whose sets all hold all checks; and the checks held."""
    random = np.random.default_rng(task["seed"])
    fired = held = 0
    for _ in range(task["keys"]):
        cipher = scaled.random_key(random, CELLS)
        sums = [
            checks(word_counts(cipher, random, task["rounds"]), 2**cipher.bits)
            for _ in range(WORD_SETS)
        ]
        fired += sum(sums) == 4 * WORD_SETS
        held += sum(sums)
    return {"fired": [fired], "held": held}


def half_collisions(cipher: scaled.Scaled, random: np.random.Generator, rounds: int) -> int:
    """Pairs with difference (0, a) in the plaintexts and, up to rotations, in the ciphertexts.

    For five rounds there are none: F is a bijection.
    """
    size = 2**cipher.bits
    R2, R3 = (x.ravel().astype(np.uint32) for x in np.divmod(np.arange(size * size), size))
    R0, R1 = (np.repeat(c, size * size) for c in random.integers(0, size, (2, 1)).astype(np.uint32))
    left, right = cipher.encrypt((R0, R1), (R2, R3), rounds)
    turns = (rounds + 1) // 2
    same = [right[0], right[1], cipher.rol(left[0], turns) ^ R2]
    same.append(cipher.rol(left[1], -turns) ^ R3)
    joined = np.zeros(size * size, np.uint64)
    for word in same:
        joined = joined << np.uint64(cipher.bits) | word
    repeats = np.unique(joined, return_counts=True)[1]
    return int((repeats * (repeats - 1) // 2).sum())


def _half(task: Task) -> Json:
    """Keys for which no such pair is in any set; and the pairs."""
    random = np.random.default_rng(task["seed"])
    fired = pairs = 0
    for _ in range(task["keys"]):
        cipher = scaled.random_key(random, CELLS)
        found = sum(half_collisions(cipher, random, task["rounds"]) for _ in range(HALF_SETS))
        fired += found == 0
        pairs += found
    return {"fired": [fired], "pairs": pairs}


KINDS = {"bytes": _bytes, "words": _words, "word": _word, "half": _half}


def compute(task: Task) -> Json:
    """The results of one task's keys, with their kind."""
    about = {name: task[name] for name in ("kind", "rounds", "seed")}
    return {**about, "keys": task.get("keys", 1), **KINDS[task["kind"]](task)}


# --- the figures -------------------------------------------------------------------------------


def false_alarm(texts: int) -> float:
    """A random permutation has no repeat in two bytes."""
    return exp(2 * (lgamma(257) - lgamma(257 - texts) - texts * log(256)))


def _sum(done: Sequence[Json], kind: str, rounds: int, name: str) -> Json:
    parts = [part[name] for part in done if part["kind"] == kind and part["rounds"] == rounds]
    return np.sum(parts, axis=0).tolist()


def _rate(fired: int, keys: int) -> str:
    low, high = wilson(fired, keys)
    return f"{fired} of {keys} keys ({low:.3f} to {high:.3f})"


def _bytes_table(done: Sequence[Json]) -> Table:
    cells = []
    for rounds in ROUNDS["bytes"]:
        keys = _sum(done, "bytes", rounds, "keys")
        fired = _sum(done, "bytes", rounds, "fired")
        for n, count in zip(BYTE_TEXTS, fired):
            why = f"false alarm {false_alarm(n):.2g}"
            cells.append(ours(f"{rounds} rounds, {n} texts", _rate(count, keys), why))
    return Table("Twofish: a saturated byte; keys called Twofish, 95 % intervals (Wilson)", cells)


def _word_results(done: Sequence[Json]) -> list[Json]:
    """Of each key and number of rounds, the counts of all its parts and the checks held."""
    sums: dict[tuple[int, str], list[int]] = {}
    for part in done:
        if part["kind"] == "words":
            name = (part["rounds"], str(part["seed"]))
            before = sums.setdefault(name, [0] * 4)
            sums[name] = [a + b for a, b in zip(before, part["counts"])]
    return [
        {"rounds": rounds, "seed": seed, "counts": counts, "held": checks(counts, WORD_TEXTS)}
        for (rounds, seed), counts in sums.items()
    ]


def _words_table(results: Sequence[Json]) -> Table:
    cells = []
    for rounds in sorted({r["rounds"] for r in results}):
        held = [r["held"] for r in results if r["rounds"] == rounds]
        text = f"{sum(h == 4 for h in held)} of {len(held)} keys"
        cells.append(ours(f"{rounds} rounds, 2^32 texts", text, f"checks of 4 held: {held}"))
    return Table("Twofish: a saturated word; keys for which all four checks hold", cells)


def _scaled_table(done: Sequence[Json]) -> Table:
    cells = []
    for rounds in ROUNDS["word"]:
        keys, held = (_sum(done, "word", rounds, name) for name in ("keys", "held"))
        share = held / (4 * WORD_SETS * keys)
        text = _rate(_sum(done, "word", rounds, "fired")[0], keys)
        what = f"{rounds} rounds, saturated word, 2^11 texts"
        cells.append(ours(what, text, f"{share:.3f} of all checks hold"))
    for rounds in ROUNDS["half"]:
        keys, pairs = (_sum(done, "half", rounds, name) for name in ("keys", "pairs"))
        expected = keys * HALF_SETS * (2**16 - 1) / 2**17
        text = _rate(_sum(done, "half", rounds, "fired")[0], keys)
        what = f"{rounds} rounds, impossible differential, 2^21 texts"
        cells.append(ours(what, text, f"{pairs} pairs; by chance {expected:.0f}"))
    return Table("The scale model of 32 bits; keys called Twofish, 95 % intervals (Wilson)", cells)


# log2 of the texts, by rounds, at real size and in the scale model.
NEEDS = {
    "Twofish": {3: 6.0, 4: 32.0, 5: 64 + log2(HALF_SETS)},
    "scale model, 32 bits": {4: 8 + log2(WORD_SETS), 5: 16 + log2(HALF_SETS)},
}


def _plot() -> Plot:
    series = {name: [(float(r), 2.0**n) for r, n in by.items()] for name, by in NEEDS.items()}
    title = "Chosen plaintexts of a distinguisher"
    return Plot("distinguisher-data", title, "rounds", "plaintexts", "lines", series, log_y=True)


REMARKS = (
    "Three rounds: the attacker chooses R2 so that a byte of L takes all 256 values. Then each "
    "byte of T0 of the next round takes each value once. F0 and F1 only add constants, so their "
    "low bytes do so too. The third round only moves them to the right half.",
    "Four rounds: R2 takes all 2^32 values, so T0 takes each word once. Both inputs of g in the "
    "third round then do the same, and F0 and F1 add up to 0 modulo 2^32. The right half shows "
    "both sums, up to constants: bit 0 is set an even number of times, and half that number plus "
    "the number of bit 1 is even. Bit 0 of F1 is that of T0, which is set in exactly half of the "
    "texts. By chance all of this holds for one key of some 2^19. The source has key-independent "
    "distinguishers for up to six rounds [Lucks01]; we have read only its abstract.",
    "Five rounds: a pair with the difference (0, a) never has this difference again after five "
    "rounds, since F is a bijection [TR5]. A set of all 2^64 right halves has half such a pair by "
    "chance, so the attack needs some 32 sets: 2^69 texts. It runs in the scale model of 32 bits "
    "(2^21 texts). By the model of `truncated-differentials`, byte patterns would need 2^62.7 "
    "texts for one standard deviation.",
    "The scale model is ours. Its words have two cells of 4 bits. It has S-boxes of fixed "
    "permutations and two key cells, an MDS matrix, a PHT, rotations by one bit and by one cell, "
    "and independent subkeys.",
)


def combine(scale: Scale, done: Sequence[Json]) -> Findings:
    """How often each distinguisher fires, for reduced rounds and for more."""
    results = _word_results(done)
    tables = [_bytes_table(done), _scaled_table(done)]
    if results:
        tables.insert(1, _words_table(results))
    data = {
        kind: {
            str(rounds): {name: _sum(done, kind, rounds, name) for name in names}
            for rounds in ROUNDS[kind]
        }
        for kind, names in (
            ("bytes", ("keys", "fired")),
            ("word", ("keys", "fired", "held")),
            ("half", ("keys", "fired", "pairs")),
        )
    }
    return Findings(tables, [_plot()], REMARKS, {**data, "words": results})


EXPERIMENT = Experiment(
    name="distinguisher",
    question="With how many chosen plaintexts is Twofish of few rounds told from chance?",
    method=(
        "The program encrypts sets of plaintexts in which a byte, a word or a half takes all "
        "values, under random keys. Each test says whether the cipher is Twofish; with more "
        "rounds, and with 16, it must say no. Five rounds run in a scale model."
    ),
    sources=["[TR5]", "[Lucks01]", "[MoriaiYin00]"],
    covers={
        "small": "3 rounds: 256 keys; scale model: 64 keys for 4 rounds, 2 for 5",
        "paper": "3 rounds: 4,096 keys; 4 rounds: 2 keys with 2^32 texts, 5 rounds as control;"
        " scale model: 512 keys for 4 rounds, 64 for 5",
        "full": "the same with 16 keys of 2^32 texts for 4 and for 16 rounds",
    },
    tasks=tasks,
    compute=compute,
    combine=combine,
    seed=SEED,
)
