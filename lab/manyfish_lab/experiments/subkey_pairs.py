# SPDX-License-Identifier: Apache-2.0 OR MIT
"""How alike the differences are that a pair of keys gives to the subkeys [Twofish99, 7.2.3]."""

from __future__ import annotations

import math
from collections.abc import Sequence
from ctypes import c_size_t
from typing import Any

import numpy as np
from numpy.typing import NDArray

from manyfish_lab import columns, native
from manyfish_lab.chi_square import wilson
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
    same,
    within,
)

SEED = 75
LENGTH = columns.SUBKEY_PAIRS

# -log2 of the share of pairs by the largest number of equal differences, and the most
# differences that are zero: the lines skDup and skXor of [TwofishC98, TABLE.H], for 128-bit keys.
PUBLISHED_ALIKE = ("---", "2.37", "0.44", "3.94", "8.36", "13.04", "17.99")
PUBLISHED_ZEROS = "0"
# This many equal differences are hard to get, says the text at [Twofish99, table 7.5].
HARD_FROM = 6
HARD_MEANS = 2**-16

# Tasks about any two keys: a slice and its mirror image have the same number of pairs together.
SLICES = {"small": 1, "paper": 16, "full": 16}
ROWS = 65536 // 32
RANDOM_TASKS = {"small": 1, "paper": 8, "full": 8}
RANDOM_PAIRS = 2**18

Sequences = NDArray[np.uint8]

_pair_differences = native.checked(
    "lab_pair_differences",
    native.output(np.uint64),
    native.array(np.uint8),
    c_size_t,
    c_size_t,
    c_size_t,
)


# --- counting ----------------------------------------------------------------------------------


def counted(sequences: Sequences, begin: int, end: int) -> NDArray[np.uint64]:
    """Pairs of rows, the first in begin <= a < end, by equal and by zero differences."""
    pairs = np.zeros((LENGTH + 1, LENGTH + 1), np.uint64)
    lanes = np.ascontiguousarray(sequences.reshape(-1, 32, LENGTH).transpose(0, 2, 1))
    _pair_differences(pairs, lanes, len(sequences), begin, end)
    return pairs


def of_differences(differences: Sequences) -> NDArray[np.uint64]:
    """The same for differences themselves, which are those of their rows and of zeros."""
    rows = np.zeros((len(differences) // 32 * 32 + 32, LENGTH), np.uint8)
    rows[1 : 1 + len(differences)] = differences
    pairs = counted(rows, 0, 1)
    pairs[LENGTH, LENGTH] -= np.uint64(len(rows) - 1 - len(differences))
    return pairs


def byte_keys(k: int) -> NDArray[np.uint8]:
    """All values of k key bytes, l0 fastest."""
    return np.arange(256**k, dtype="<u4").view(np.uint8).reshape(-1, 4)[:, :k]


def every(position: int) -> Sequences:
    """The 20 outputs for all 2^16 values of l0 and l1, before MDS; row 256 l1 + l0."""
    return columns.outputs(position, 2, byte_keys(2), columns.inputs(position))


# --- the sets of pairs -------------------------------------------------------------------------


def inner_pairs(position: int) -> NDArray[np.uint64]:
    """Two values of l1: differences before the outer key byte."""
    return counted(columns.inside(position, 2, byte_keys(1), columns.inputs(position)), 0, 256)


def inner_outputs(position: int) -> NDArray[np.uint64]:
    """Two values of l1 and one of l0: differences of the outputs."""
    rows = every(position).reshape(256, 256, LENGTH)
    return sum_of(counted(rows[:, outer], 0, 256) for outer in range(256))


def outer_outputs(position: int) -> NDArray[np.uint64]:
    """Two values of l0 and one of l1: differences of the outputs."""
    rows = every(position).reshape(256, 256, LENGTH)
    return sum_of(counted(rows[inner], 0, 256) for inner in range(256))


SETS = {"inner": inner_pairs, "inner outputs": inner_outputs, "outer outputs": outer_outputs}


def sum_of(parts: Any) -> NDArray[np.uint64]:
    """The sum of counts."""
    total = np.zeros((LENGTH + 1, LENGTH + 1), np.uint64)
    for part in parts:
        total += part
    return total


def any_pairs(position: int, number: int) -> NDArray[np.uint64]:
    """Any two keys of the column, the first one in a slice or in its mirror image."""
    rows = every(position)
    begins = (number * ROWS, 65536 - (number + 1) * ROWS)
    return sum_of(counted(rows, begin, begin + ROWS) for begin in begins)


def random_pairs(position: int, k: int, seed: Sequence[int]) -> NDArray[np.uint64]:
    """Random pairs of different inner key bytes: differences before the outer key byte."""
    random = np.random.default_rng(seed)
    inner = random.integers(0, 256, (2, RANDOM_PAIRS, k - 1), np.uint8)
    differ = (inner[0] != inner[1]).any(1)
    x = columns.inputs(position)
    a, b = (columns.inside(position, k, keys[differ], x) for keys in inner)
    return of_differences(a ^ b)


# --- the experiment ----------------------------------------------------------------------------


def tasks(scale: Scale) -> list[Task]:
    """Sets of pairs at all positions; slices of all pairs; random pairs."""
    positions = list(columns.POSITIONS)
    sets: list[Task] = [{"set": name, "position": p} for name in SETS for p in positions]
    where = positions[:1] if scale == "small" else positions
    every_pair = [
        {"set": "any", "position": p, "slice": number}
        for p in where
        for number in range(SLICES[scale])
    ]
    return (
        sets
        + every_pair
        + [
            {"set": f"random {k}", "position": p, "k": k, "seed": [SEED, k, p, i]}
            for k in (3, 4)
            for p in positions
            for i in range(RANDOM_TASKS[scale])
        ]
    )


def compute(task: Task) -> Json:
    """The counts of one set of pairs at one position."""
    kind, position = task["set"], task["position"]
    if kind in SETS:
        pairs = SETS[kind](position)
    elif kind == "any":
        pairs = any_pairs(position, task["slice"])
    else:
        pairs = random_pairs(position, task["k"], task["seed"])
    alike, zeros = pairs.sum(1), pairs.sum(0)
    return {"set": kind, "alike": [int(n) for n in alike], "zeros": [int(n) for n in zeros]}


def totals(results: Sequence[Json], kind: str) -> tuple[list[int], list[int]]:
    """The counts of all tasks of a set."""
    chosen = [result for result in results if result["set"] == kind]
    alike, zeros = (np.array([r[what] for r in chosen]).sum(0) for what in ("alike", "zeros"))
    return [int(n) for n in alike], [int(n) for n in zeros]


def log_share(count: int, total: int) -> str:
    """-log2 of a share as the source prints it."""
    return f"{-math.log2(count / total):.2f}" if count else "---"


def row(counts: Sequence[int]) -> list[str]:
    """A row of the source's table, from 0 on, as far as it has pairs."""
    last = max(n for n, count in enumerate(counts) if count)
    return [log_share(count, sum(counts)) for count in counts[: max(last + 1, 7)]]


def published_table(results: Sequence[Json]) -> Table:
    """The rows of the authors' code."""
    alike, zeros = totals(results, "inner")
    found = row(alike)
    cells = [
        same(f"skDup[{n}]", published, found[n]) for n, published in enumerate(PUBLISHED_ALIKE)
    ]
    most_alike, most_zeros = (
        max(n for n, c in enumerate(counts) if c) for counts in (alike, zeros)
    )
    cells.append(same("largest n with pairs", str(len(PUBLISHED_ALIKE) - 1), str(most_alike)))
    cells.append(same("skXor, maximum", PUBLISHED_ZEROS, str(most_zeros)))
    return Table(
        f"-log2 of the share of pairs in which n of 20 differences are equal, {sum(alike)} pairs",
        cells,
        "[TwofishC98, TABLE.H]",
    )


def other_table(results: Sequence[Json]) -> Table:
    """The figures of other sets of pairs."""
    names = {
        "inner outputs": "two l1 with one l0, outputs",
        "outer outputs": "two l0 with one l1, outputs",
        "any": "any two keys of a column, outputs",
    }
    cells = []
    for kind, name in names.items():
        alike, _ = totals(results, kind)
        found = ", ".join(f"{n}: {share}" for n, share in enumerate(row(alike)) if share != "---")
        cells.append(ours(f"{name} ({sum(alike)} pairs)", found))
    return Table("The same for other pairs of 128-bit keys: n, and -log2 of the share", cells)


def longer_table(results: Sequence[Json]) -> Table:
    """The definition that fits, for longer keys."""
    cells: list[Cell] = []
    for k in (3, 4):
        alike, _ = totals(results, f"random {k}")
        total = sum(alike)
        for n, count in enumerate(alike):
            if count:
                low, high = wilson(count, total)
                bounds = f"{-math.log2(high):.2f} to {-math.log2(low):.2f}"
                name = f"{columns.KEY_BITS[k]}-bit keys, {n} equal differences"
                cells.append(ours(name, f"{log_share(count, total)} ({bounds})"))
    return Table("The same for random pairs of longer keys, with 95 % intervals of Wilson", cells)


def hard_table(results: Sequence[Json]) -> Table:
    """The text's words on many equal differences."""
    alike, _ = totals(results, "any")
    total, many = sum(alike), sum(alike[HARD_FROM + 1 :])
    most = max(n for n, count in enumerate(alike) if count)
    found = f"{many} of {total} pairs (2^-{log_share(many, total)})" if many else "none"
    return Table(
        "Any two 128-bit keys of a column",
        [
            within(
                f"pairs with more than {HARD_FROM} equal differences",
                "extremely difficult to get",
                f"{found}; at most {most}",
                many / total < HARD_MEANS,
            )
        ],
        "[Twofish99, table 7.5]",
    )


def picture(results: Sequence[Json]) -> Plot:
    """The rows side by side."""
    names = {
        "inner": "128-bit keys, two l1",
        "any": "128-bit keys, any two of a column",
        "random 3": "192-bit keys, random",
        "random 4": "256-bit keys, random",
    }
    series: dict[str, list[tuple[float, float]]] = {
        "published, 128-bit keys": [
            (n, 2.0 ** -float(text)) for n, text in enumerate(PUBLISHED_ALIKE) if text != "---"
        ]
    }
    for kind, name in names.items():
        alike, _ = totals(results, kind)
        series[name] = [(n, count / sum(alike)) for n, count in enumerate(alike) if count]
    return Plot(
        "alike",
        "Most frequent difference among 20 outputs, by pairs of keys",
        "times that the most frequent difference occurs",
        "share of pairs",
        "lines",
        series,
        log_y=True,
    )


def combine(scale: Scale, results: Sequence[Json]) -> Findings:
    """The published row, those of other definitions, and longer keys."""
    kinds = list(dict.fromkeys(result["set"] for result in results))
    return Findings(
        [
            published_table(results),
            hard_table(results),
            other_table(results),
            longer_table(results),
        ],
        [picture(results)],
        [
            "No source that we have defines the two rows. This definition gives them digit for "
            "digit: for all pairs of the inner key byte l1, in each of the eight columns, count "
            "how often the most frequent of the 20 differences occurs. The differences are those "
            "just before the outer key byte, which both keys have in common, so that byte and the "
            "last q do not matter. These are 8 x 32,640 pairs, and 17.99 stands for a single one "
            "of them.",
            "No difference is zero there, since two values of l1 never give equal bytes. So we "
            "understand the 0 of skXor, though other definitions would give the same row.",
        ],
        {kind: dict(zip(("alike", "zeros"), totals(results, kind))) for kind in kinds},
    )


EXPERIMENT = Experiment(
    name="subkey-pairs",
    question="How many of the 20 differences that two keys give to the subkeys can be equal?",
    method=(
        "The program takes two keys that differ in one column of the even or of the odd key "
        "words, and compares the 20 bytes of that column: how often the most frequent difference "
        "occurs, and how many differences are zero. It counts all pairs of 128-bit keys, and "
        "random pairs of longer keys."
    ),
    sources=["[TwofishC98, TABLE.H]", "[Twofish99, 7.2.3]", "[Twofish99, table 7.5]"],
    covers={
        "small": "the published rows; 1/128 of all pairs of 128-bit keys; 2^21 of longer keys",
        "paper": "all 8 x 2^31 pairs of 128-bit keys of a column; 2^24 of longer keys",
    },
    tasks=tasks,
    compute=compute,
    combine=combine,
    seed=SEED,
)
