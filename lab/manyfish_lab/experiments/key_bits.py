# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Every key bit affects every round: each bit changed alone, in the S-boxes and in the subkeys.

For random keys this is measured. That it holds for all keys follows from three facts, which are
checked for all values: q0 and q1 are permutations, RS has no element 0, MDS can be inverted.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from manyfish_lab import twofish
from manyfish_lab.experiment import (
    Cell,
    Experiment,
    Findings,
    Json,
    Scale,
    Table,
    Task,
    ours,
    same,
)

SEED = 16
ROUNDS = 16
FIRST = 8  # the subkeys of round r are K_(2r+8) and K_(2r+9)
KEY_BITS = (128, 192, 256)
TASKS, KEYS = 4, 8  # for each length; keys of a task
PUBLISHED = "every"  # [TwofishSlides98]


def tasks(scale: Scale) -> list[Task]:
    """The three facts, then random keys of each length."""
    random: list[Task] = [
        {"bits": bits, "seed": [SEED, bits, index]} for bits in KEY_BITS for index in range(TASKS)
    ]
    return [{"bits": 0}, *random]


def facts() -> dict[str, bool]:
    """On which the argument for all keys stands."""
    unit = [1 << (8 * byte + bit) for byte in range(8) for bit in range(8)]
    products = [twofish.rs(word.to_bytes(8, "little")).to_bytes(4, "little") for word in unit]
    columns = [twofish.mds(1 << bit) for bit in range(32)]
    return {
        "q0 and q1 are permutations": all(len(set(row)) == 256 for row in twofish.q().tolist()),
        "each bit of eight key bytes changes all four bytes of RS": all(map(all, products)),
        "MDS can be inverted": rank(columns) == 32,
    }


def rank(words: Sequence[int]) -> int:
    """Of a matrix of bits, a word for each column."""
    rows: list[int] = []
    for word in words:
        for row in rows:
            word = min(word, word ^ row)
        if word:
            rows.append(word)
    return len(rows)


def changed(key: bytes, bit: int) -> tuple[bool, list[int]]:
    """Whether a bit changes all bytes of its word of S, and by what it changes the subkeys."""
    other = bytearray(key)
    other[bit // 8] ^= 1 << bit % 8
    S = twofish.sbox_key(key) ^ twofish.sbox_key(bytes(other))
    K = twofish.subkeys(key, FIRST, 2 * ROUNDS) ^ twofish.subkeys(bytes(other), FIRST, 2 * ROUNDS)
    all_boxes = any(all(int(word).to_bytes(4, "little")) for word in S)
    return all_boxes, [int(word) for word in K]


def compute(task: Task) -> Json:
    """The facts, or counts for random keys of one length."""
    if not task["bits"]:
        return {"bits": 0, "facts": facts()}
    random = np.random.default_rng(task["seed"])
    found = {"bits": task["bits"], "places": 0, "boxes": 0, "rounds": 0, "alone": 0, "changed": 0}
    least = 64
    for _ in range(KEYS):
        key = random.bytes(task["bits"] // 8)
        for bit in range(task["bits"]):
            boxes, words = changed(key, bit)
            counts = [word.bit_count() for word in words]
            pairs = list(zip(counts[::2], counts[1::2]))
            found["places"] += len(pairs)
            found["boxes"] += boxes * len(pairs)
            found["rounds"] += sum(any(pair) for pair in pairs)
            found["alone"] += sum(not all(pair) for pair in pairs)
            found["changed"] += sum(counts)
            least = min(least, *map(sum, pairs))
    return {**found, "least": least}


def total(results: Sequence[Json], bits: int) -> dict[str, int]:
    """The counts of one length."""
    of = [result for result in results if result["bits"] == bits]
    names = ("places", "boxes", "rounds", "alone", "changed")
    sums = {name: sum(one[name] for one in of) for name in names}
    return {**sums, "least": min(one["least"] for one in of)}


def claim(bits: int, found: dict[str, int], proved: bool) -> Cell:
    """The authors' statement for one length."""
    holds = proved and found["boxes"] == found["rounds"] == found["places"]
    missed = 2 * found["places"] - found["boxes"] - found["rounds"]
    text = PUBLISHED if holds else f"not every: {missed} of {2 * found['places']} do not"
    what = f"{bits}-bit keys: bits that change all four S-boxes, and the subkeys of each round"
    return same(what, PUBLISHED, text, "" if holds else "a bit was found without effect")


def more(bits: int, found: dict[str, int]) -> list[Cell]:
    """How much a bit changes."""
    places = found["places"]
    return [
        ours(
            f"{bits}-bit keys: changed bits of the 64 of a round, mean",
            f"{found['changed'] / places:.3f}",
        ),
        ours(f"{bits}-bit keys: the same, least", str(found["least"])),
        ours(
            f"{bits}-bit keys: one of the two words stays as it was",
            f"{found['alone']} of {places} times",
        ),
    ]


def combine(scale: Scale, results: Sequence[Json]) -> Findings:
    """The claim for each length, its premises, and how much changes."""
    premises = next(result["facts"] for result in results if not result["bits"])
    totals = {bits: total(results, bits) for bits in KEY_BITS}
    proved = all(premises.values())
    claims = [claim(bits, found, proved) for bits, found in totals.items()]
    facts_found = [ours(name, "yes" if holds else "no") for name, holds in premises.items()]
    return Findings(
        tables=[
            Table("Every key bit affects every round", claims, "[TwofishSlides98]"),
            Table("Why this holds for all keys", facts_found),
            Table(
                f"Changes of random keys, {TASKS * KEYS} of each length",
                [cell for bits, found in totals.items() for cell in more(bits, found)],
            ),
        ],
        remarks=[
            "For all keys: a key byte enters h after permutations of a byte and before others, so "
            "another value of it makes another byte, and MDS makes another word of that. A bit of "
            "an even word of the key changes A_i, one of an odd word B_i, and never both; so "
            "K_2i = A_i + B_i changes. RS makes each byte of a word of S from each bit of its "
            "eight bytes, and another byte of S makes another S-box.",
            "A bit of an odd word reaches K_2i+1 = ROL(A_i + 2 B_i, 9) unless it changes the "
            "highest bit of B_i alone: doubling drops that one.",
        ],
        data=list(results),
    )


EXPERIMENT = Experiment(
    name="key-bits",
    question="Does every bit of the key affect every round?",
    method=(
        "The program changes each bit of random keys alone, and compares S and the subkeys of all "
        "16 rounds. It also checks for all values the three facts by which the claim holds for "
        "all keys."
    ),
    sources=("[TwofishSlides98]", "[Twofish98, 4.3]"),
    covers={"small": f"each bit of {TASKS * KEYS} random keys of each length; the facts entirely"},
    tasks=tasks,
    compute=compute,
    combine=combine,
    seed=SEED,
)
