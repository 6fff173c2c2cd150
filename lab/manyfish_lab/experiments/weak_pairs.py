# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The key pairs that the withdrawn attack on ten rounds needs do not exist [TR6]."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from manyfish_lab import collisions, columns, rs_words, weak
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
    within,
)

SEED = 6
NEEDED = 8  # successive rounds with equal subkeys that the attack needs [TR6]
# So few equal outputs are listed, to be put together to whole keys; of fewer there are too many.
LISTED = 6
# Numbers of 64-bit subkeys: those of rounds 0 to 15, as the first of at least LISTED rounds.
ROUNDS = range(columns.ROUNDS_FROM, columns.SUBKEY_PAIRS)
STARTS = ROUNDS[: len(ROUNDS) - LISTED + 1]
SHOWN = 3  # equal subkeys of the pair of keys that is found for real
TRIES = 4000

SEARCHES = [(p, start) for start in STARTS for p in columns.POSITIONS]
SMALL = [(0, ROUNDS[0]), (7, STARTS[-1])]


# --- tasks -------------------------------------------------------------------------------------


def tasks(scale: Scale) -> list[Task]:
    """Short keys at once, 256-bit keys by position and first round, and the pair of keys."""
    searches = SMALL if scale == "small" else SEARCHES
    tasks: list[Task] = [{"k": k} for k in (2, 3)]
    tasks += [{"k": 4, "position": p, "start": start} for p, start in searches]
    return [*tasks, {"pair": SHOWN, "seed": [SEED, SHOWN]}]


def search(k: int, position: int, start: int) -> dict[str, Any]:
    """Pairs of inner key bytes by equal outputs from a round on, and the words of the longest."""
    count = columns.SUBKEY_PAIRS - start
    found = collisions.of_position(position, k, start, count, LISTED)
    listed = [row_of(k, position, start, pair) for pair in found.listed]
    return {"position": position, "start": start, "pairs": found.pairs, "listed": listed}


def row_of(k: int, position: int, start: int, pair: NDArray[np.uint8]) -> list[int]:
    """In how many outputs a pair agrees, and the word by which its key bytes differ then."""
    x = columns.inputs(position, start, columns.SUBKEY_PAIRS - start)
    before = columns.inside(position, k, pair, x)
    difference = before[0] ^ before[1]
    unequal = np.flatnonzero(difference != difference[0])
    rounds = int(unequal[0]) if len(unequal) else len(x)
    return [rounds, int(difference[0]), *(int(byte) for byte in pair[0] ^ pair[1])]


def compute(task: Task) -> Json:
    """One search, all searches of short keys, or two keys."""
    if "pair" in task:
        keys = weak.find_pair(columns.ROUNDS_FROM, task["pair"], task["seed"], TRIES)
        same_S, subkeys = weak.shared_subkeys(*keys) if keys else (False, [])
        return {"keys": [key.hex() for key in keys or ()], "same_S": same_S, "subkeys": subkeys}
    k = task["k"]
    places = SEARCHES if k < 4 else [(task["position"], task["start"])]
    return {"k": k, "searches": [search(k, p, start) for p, start in places]}


# --- figures -----------------------------------------------------------------------------------


def by_start(searches: Sequence[Json], rounds: int) -> dict[int, list[Any]]:
    """For each start, the words of the eight positions that keep this many outputs equal."""
    lists: dict[int, list[Any]] = {}
    for found in searches:
        words = [word for equal, *word in found["listed"] if equal >= rounds]
        at = lists.setdefault(found["start"], [np.zeros((0, 4), np.uint8)] * 8)
        at[found["position"]] = np.array(words, np.uint8).reshape(-1, 4)
    return lists


def weak_words(searches: Sequence[Json], rounds: int) -> list[Any]:
    """All differences of keys that keep S and this many successive subkeys."""
    found = []
    for start, lists in by_start(searches, rounds).items():
        if sum(len(words) > 0 for words in lists) >= rs_words.LEAST_WEIGHT:
            found += [(start, word.tolist()) for word in weak.key_differences(lists)]
    return found


def short_cell(k: int, searches: Sequence[Json]) -> Cell:
    """Keys of 128 and 192 bits: no column has enough equal outputs."""
    longest = max(n for found in searches for n, count in enumerate(found["pairs"]) if count)
    return ours(
        f"{columns.KEY_BITS[k]}-bit keys: most successive equal outputs of any column",
        f"{longest}, so no two keys have {longest + 1} equal subkeys in a row",
    )


def weak_cell(searches: Sequence[Json]) -> Cell:
    """The figure that the report of the authors is about."""
    chosen = enough(searches, NEEDED)
    every = len(enough([{"start": start} for _, start in SEARCHES], NEEDED))
    words = weak_words(searches, NEEDED)
    equal = sum(found["pairs"][NEEDED] > 0 for found in chosen)
    found = f"{len(words)} differences of keys" if words else "none"
    if not equal:
        found += ", whatever S"
    return within(
        f"pairs of 256-bit keys with the same S and {NEEDED} equal subkeys in a row",
        "none exist",
        f"{found}: {equal} of {len(chosen)} columns have {NEEDED} equal outputs, counted for each "
        f"first round; a pair needs {rs_words.LEAST_WEIGHT} columns",
        not words,
        "" if len(chosen) == every else f"the scale paper searches all {every} columns",
    )


def enough(searches: Sequence[Json], rounds: int) -> list[Json]:
    """The searches that leave room for this many rounds."""
    return [found for found in searches if found["start"] + rounds <= columns.SUBKEY_PAIRS]


def fewer_cells(searches: Sequence[Json], example: Json) -> list[Cell]:
    """The known facts about fewer equal subkeys."""
    cells = []
    if len(searches) == len(SEARCHES):
        for rounds in (7, LISTED):
            words = weak_words(searches, rounds)
            found = f"{len(words)} differences of keys" if words else "none"
            cells.append(
                ours(f"the same with {rounds} equal subkeys in a row, all searched", found)
            )
    for rounds in (5, 4):
        pairs = [found["pairs"][rounds] for found in searches]
        exponent = 8 * math.log2(sum(pairs) / len(pairs)) - 128
        cells.append(
            ours(
                f"the same with {rounds}, for one first round: expected differences of keys",
                f"2^{exponent:.1f}",
                "from the pairs found in columns, if RS meets them at random",
            )
        )
    first, count = columns.ROUNDS_FROM, len(example["subkeys"])
    if example["same_S"]:
        text = f"found: {' and '.join(example['keys'])} in rounds 0 to {count - 1}"
    else:
        text = f"none found in {TRIES} tries from subkey {first} on"
    cells.append(ours(f"the same with {SHOWN}", text))
    return cells


def calibration(searches: Sequence[Json]) -> list[Cell]:
    """How many pairs the search finds, beside random sequences."""
    cells = []
    for rounds in range(2, NEEDED + 1):
        chosen = enough(searches, rounds)
        found = sum(search["pairs"][rounds] for search in chosen)
        expected = len(chosen) * collisions.expected(4, rounds)
        cells.append(
            ours(
                f"pairs of inner key bytes with {rounds} equal outputs, {len(chosen)} searches",
                f"{found}; random sequences: {expected:.{1 if expected < 1000 else 0}f}",
            )
        )
    return cells


def picture(searches: Sequence[Json]) -> Plot:
    """Found and expected pairs."""
    found, random = [], []
    for rounds in range(2, NEEDED + 1):
        chosen = enough(searches, rounds)
        count = sum(search["pairs"][rounds] for search in chosen)
        if count:
            found.append((float(rounds), count / len(chosen)))
        random.append((float(rounds), collisions.expected(4, rounds)))
    return Plot(
        "collisions",
        "Pairs of inner key bytes with equal outputs, 256-bit keys, per column and first round",
        "successive equal outputs",
        "pairs",
        "lines",
        {"found": found, "random sequences": random},
        log_y=True,
    )


def kept(search: Json) -> Json:
    """A search without its many shortest words."""
    return {**search, "listed": [row for row in search["listed"] if row[0] > LISTED]}


def combine(scale: Scale, results: Sequence[Json]) -> Findings:
    """The verdict, what is known of fewer subkeys, and the calibration of the search."""
    of = {k: [s for r in results if r.get("k") == k for s in r["searches"]] for k in (2, 3, 4)}
    example = next(result for result in results if "keys" in result)
    cells = [weak_cell(of[4]), *(short_cell(k, of[k]) for k in (2, 3))]
    return Findings(
        [
            Table("Key pairs that the withdrawn attack needs", cells, "[TR6]"),
            Table("Fewer equal subkeys, 256-bit keys", fewer_cells(of[4], example)),
            Table("What the search finds, 256-bit keys", calibration(of[4])),
        ],
        [picture(of[4])],
        [
            "**The authors have withdrawn their attack on ten rounds with 256-bit keys, without "
            "whitening and with partially chosen or related keys [TR6].** It does not work, since "
            "the key pairs that it needs do not exist.",
            "Equal 64-bit subkeys in a row are equal bytes in a row in each of eight columns. RS "
            "has the distance 5, so different keys with the same S differ in at least five "
            "columns. Each of these columns must have a pair of key bytes with equal outputs in "
            "the same rounds, and the differences must fit RS at all four levels.",
            "The outer key byte of a column does not matter here, since it only adds a constant. "
            "So the search covers all pairs of 2^24 values of the other three key bytes.",
        ],
        {
            "searches": {str(columns.KEY_BITS[k]): [kept(s) for s in of[k]] for k in of},
            "example": example,
        },
    )


EXPERIMENT = Experiment(
    name="weak-pairs",
    question="Are there two 256-bit keys with the same S and eight equal round subkeys in a row?",
    method=(
        "For each of the eight columns and each first round, the program sorts all 2^24 values of "
        "the inner key bytes by their outputs, and counts all pairs with equal successive "
        "outputs. It combines those with six and more into differences of whole keys that RS "
        "takes to zero. The counts for few outputs show that the search works. The program also "
        "makes a pair of keys with three equal subkeys, and checks it by the key schedule."
    ),
    sources=["[TR6]", "[Twofish98, 8.7]"],
    covers={
        "small": f"all keys of 128, 192 bits; 256 bits: {len(SMALL)} of {len(SEARCHES)} searches",
        "paper": f"all {len(SEARCHES)} searches: 8 columns, first rounds 0 to {len(STARTS) - 1}",
    },
    tasks=tasks,
    compute=compute,
    combine=combine,
    seed=SEED,
)
