# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The effect of a family key on the set of permutations that the keys of Twofish select."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from manyfish_lab.chi_square import binomial
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
from manyfish_lab.families import AVALANCHES, BLOCK_BITS, CASES, COMPUTE, COUNTS, NEAREST

SEED = 10
SOURCE = "[Twofish99, 10.8]"
# The authors' wish for a family key, in two words.
PUBLISHED = "another set"

# --- tasks ---------------------------------------------------------------------------------------

# Of each part: tasks, and how much a task does.
SIZES: dict[Scale, dict[str, tuple[int, int]]] = {
    "small": {
        "search": (1, 2000),
        "library": (1, 25),
        "nearest": (1, 10),
        "avalanche": (1, 20),
        "relation": (1, 1000),
    },
    "paper": {
        "search": (10, 20000),
        "library": (4, 250),
        "nearest": (8, 25),
        "avalanche": (10, 50),
        "relation": (1, 20000),
    },
}


def tasks(scale: Scale) -> Sequence[Task]:
    def parts(part: str, **more: str) -> Iterator[Task]:
        n_tasks, count = SIZES[scale][part]
        for index in range(n_tasks):
            yield {"part": part, **more, "index": index, "count": count, "seed": SEED}

    found: list[Task] = [
        {"part": part, "index": 0, "seed": SEED} for part in ("columns", "vectors")
    ]
    for name in CASES:
        found += parts("search", case=name)
    for what in AVALANCHES:
        found += parts("avalanche", what=what)
    for part in ("library", "nearest", "relation"):
        found += parts(part)
    return found


def compute(task: Task) -> Json:
    names = list(COMPUTE)
    rng = np.random.default_rng([task["seed"], names.index(task["part"]), task["index"]])
    return {"task": task, "found": COMPUTE[task["part"]](task, rng)}


# --- findings ------------------------------------------------------------------------------------


class Results:
    """The results of the tasks, by part."""

    def __init__(self, results: Sequence[Json]) -> None:
        self._results = results

    def of(self, part: str, **more: str) -> list[Json]:
        return [
            result["found"]
            for result in self._results
            if result["task"]["part"] == part
            and all(result["task"][key] == value for key, value in more.items())
        ]

    def sums(self, part: str, key: str, **more: str) -> int:
        return sum(found[key] for found in self.of(part, **more))

    def added(self, part: str, key: str, **more: str) -> NDArray[np.int64]:
        total: NDArray[np.int64] = np.array([x[key] for x in self.of(part, **more)]).sum(axis=0)
        return total


def _set_table(results: Results) -> Table:
    found, count = (results.sums("search", key, case="FK") for key in ("all", "count"))
    is_another = found < count
    claim = Cell(
        "the permutations of a family, beside those of Twofish",
        PUBLISHED,
        PUBLISHED if is_another else "the same set",
        is_another,
        "" if is_another else "each key of a family is some key of Twofish",
    )
    cells = [claim]
    for name, case in CASES.items():
        total = results.sums("search", "count", case=name)
        parts = {key: results.sums("search", key, case=name) for key in COUNTS}
        cells.append(
            ours(
                f"{case.what}: keys that have an equal",
                f"{parts['all']} of {total} (round subkeys alone {parts['rounds']}, with whitening "
                f"{parts['whitening']}, with S {parts['sbox']})",
            )
        )
    return Table("A family key changes the set of permutations", cells, SOURCE)


def _all_keys_cells(results: Results) -> Iterator[Cell]:
    (columns,) = results.of("columns")
    yield ours(
        "sequences of 16 round bytes that two choices of a column's key bytes have in common, of "
        "8 columns with 2^16 choices each",
        str(sum(columns["equal"])),
    )
    yield ours(
        "sequences that are those of another choice XORed with one constant, of all 255",
        str(sum(columns["constant"])),
        "if the additions were XORs, no key of a family with T_4 other than 0 would have the "
        "round subkeys of a key of Twofish; with additions this is exact where T_4 flips only the "
        "highest bits of the sums",
    )
    yield ours(
        "S-box keys that a family reaches, of 2^64",
        "all" if columns["rs_rank"] == 32 and columns["q0_values"] == 256 else "not all",
        "RS has rank 32 and q_0 is a permutation: the S-boxes themselves are those of Twofish",
    )
    (relation,) = results.of("relation")
    for name, what in (("T1", "without q_0"), ("FK", "with q_0")):
        K, S = relation["differences"][name]
        yield ours(
            f"keys k of a family beside k XOR T_0 of Twofish, {what}: different differences",
            f"of subkeys {K}, of S {S} for {relation['count']} keys",
        )
    yield ours(
        "blocks that the library encrypts as the subkeys and S looked for do",
        f"{results.sums('library', 'equal')} of {results.sums('library', 'count')}",
    )


def _avalanche_cells(results: Results) -> Iterator[Cell]:
    for what in AVALANCHES:
        histogram = results.added("avalanche", "histogram", what=what)
        total, values = int(histogram.sum()), np.arange(BLOCK_BITS + 1)
        mean = float((histogram * values).sum()) / total
        deviation = math.sqrt(float((histogram * (values - mean) ** 2).sum()) / total)
        used = values[histogram > 0]
        yield ours(
            f"{what}: ciphertext bits that change with one bit of it",
            f"{mean:.3f} of 128 (standard deviation {deviation:.3f}, {used[0]} to {used[-1]})",
            f"{BLOCK_BITS / 2:.0f} and {math.sqrt(BLOCK_BITS) / 2:.3f} for a random permutation; "
            f"the mean of {total} is good to {1.96 * math.sqrt(BLOCK_BITS / total) / 2:.3f} (95 %)",
        )


def _vector_cells(results: Results) -> Iterator[Cell]:
    (vectors,) = results.of("vectors")
    for bits, ciphertext in vectors.items():
        yield ours(f"key of {bits} zero bits", ciphertext)


def _avalanche_series(results: Results) -> dict[str, list[tuple[float, float]]]:
    drawn = range(BLOCK_BITS // 2 - 24, BLOCK_BITS // 2 + 25)
    fair = binomial(BLOCK_BITS, 1)
    series = {"binomial distribution": [(float(n), fair[n]) for n in drawn]}
    for what in AVALANCHES:
        histogram = results.added("avalanche", "histogram", what=what)
        series[what] = [(float(n), float(histogram[n] / histogram.sum())) for n in drawn]
    return series


def _plots(results: Results) -> list[Plot]:
    near = {name: results.added("nearest", name) for name in NEAREST}
    return [
        Plot(
            "nearest",
            "Bytes of a column in 16 rounds that the best key bytes explain",
            "bytes explained, of 16",
            "share of columns",
            "bars",
            {
                name: [(n, x / int(counts.sum())) for n, x in enumerate(counts.tolist())]
                for name, counts in near.items()
            },
        ),
        Plot(
            "avalanche",
            "Ciphertext bits that change with one bit of an input of Twofish-FK",
            "bits that change",
            "share of flips",
            "lines",
            _avalanche_series(results),
        ),
    ]


def _remarks(results: Results) -> list[str]:
    count = results.sums("search", "count", case="FK")
    found = results.sums("search", "all", case="FK")
    bound = (
        f"{found} of {count} random pairs of family key and key have an equal among the 2^128 "
        "keys of Twofish; the search is exact for each pair."
    )
    if not found:
        bound += (
            f"So at most {3 / count:.1e} of all pairs have one (95 %). If the columns were "
            "random, one would expect 2^(128+128-1024) = 2^-768 equals among the 2^128 keys of a "
            "family."
        )
    return [
        bound,
        "How the search decides: round subkeys give A_i and B_i, the inverse of MDS gives the "
        "bytes of the columns, and each column has only 2^16 sequences of bytes, all different. "
        "If a key fits, the search finds it, as the controls show. If a column has no sequence "
        "that fits, no key fits.",
        "Which step changes the set: T_0 alone only reorders it, since a key XOR T_0 is a key. "
        "T_1 makes S belong to another key than the subkeys: with q_0 one expects about 2^64 of "
        "the 2^128 keys of a family to have an equal, without it none or all. T_4 alone gives "
        "round subkeys that no key of Twofish has. The set of S-boxes stays the same.",
        "Limits: the program compares subkeys and S, not the permutations that they make. Nobody "
        "has proven that different subkeys and S always make different permutations; [TR2] shows "
        "it for single rounds.",
        "For an attacker who knows the family key, the 40 subkeys of a key differ by constants "
        "from those of a related key of Twofish. Without q_0 S would differ by a constant too.",
        "No source has test vectors for family keys. Ours (`vectors/twofish_variants.rsp`) follow "
        "our reading of the paper; another reader may differ.",
    ]


def _data(results: Results) -> Json:
    """The counts, summed over tasks."""
    data = {part: results.of(part)[0] for part in ("columns", "relation", "vectors")}
    return data | {
        "search": {
            name: {key: results.sums("search", key, case=name) for key in ("count", *COUNTS)}
            for name in CASES
        },
        "library": {key: results.sums("library", key) for key in ("count", "equal")},
        "nearest": {name: results.added("nearest", name).tolist() for name in NEAREST},
        "avalanche": {
            what: {
                key: results.added("avalanche", key, what=what).tolist()
                for key in ("total", "histogram")
            }
            for what in AVALANCHES
        },
    }


def combine(scale: Scale, results: Sequence[Json]) -> Findings:
    of = Results(results)
    tables = [
        _set_table(of),
        Table("What holds of all keys", [*_all_keys_cells(of)]),
        Table("Neighbouring families are as far apart as random ones", [*_avalanche_cells(of)]),
        Table("Vectors of this project: family key 00 01 .. 1F, zero block", [*_vector_cells(of)]),
    ]
    return Findings(tables, _plots(of), _remarks(of), _data(of))


EXPERIMENT = Experiment(
    name="family-key",
    question="Does a family key change the set of permutations that keys select, or only their "
    "order?",
    method="The program takes random keys under random family keys, computes their subkeys and S, "
    "and looks for the same among all 2^128 keys of Twofish. It undoes the key schedule column by "
    "column, with all of Twofish-FK and with each of its steps alone. Statements about all keys "
    "come from an exhaustive search of the 2^16 sequences of each column. To see how far families "
    "lie apart, the program flips one bit of family key, key and plaintext.",
    sources=("[Twofish98, 11.8]", SOURCE, "[TR2]"),
    covers={
        "small": "2,000 keys for each set of steps, exhaustive columns",
        "paper": "200,000 keys for each set of steps, exhaustive columns",
    },
    tasks=tasks,
    compute=compute,
    combine=combine,
    seed=SEED,
)
