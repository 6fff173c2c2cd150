# SPDX-License-Identifier: Apache-2.0 OR MIT
"""How much entropy two 64-bit subkeys have, and keys that share one [TR4, MirzaMurphy99]."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from manyfish_lab import columns, rs_words, twofish
from manyfish_lab.experiment import (
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

LIMIT_BITS = 117  # pairs of 64-bit subkeys of 128-bit keys have less entropy than this [TR4]
PAIRS = list(combinations(range(columns.SUBKEY_PAIRS), 2))
# Numbers i of the 64-bit subkeys (K_2i, K_2i+1) that whiten [Twofish98, 4.3.4].
INPUT_WHITENING, OUTPUT_WHITENING = (0, 1), (2, 3)

Floats = NDArray[np.float64]


# --- distributions -----------------------------------------------------------------------------


@cache
def spread(column: int, k: int) -> Floats:
    """How a difference after tk is distributed before t0, as rows of shares, over all key bytes."""
    shares = np.eye(256)
    for table in columns.difference_tables(column, k)[k - 1 : 0 : -1]:
        shares = shares @ (table / 256)
    return shares


def distribution(position: int, k: int, pair: tuple[int, int]) -> Floats:
    """How the difference of two of a position's bytes is distributed over all keys.

    It is the difference before l0 and t0. The value there for one input is uniform and independent
    of it, since l0 is; so two bytes have 8 bits of entropy and those of this distribution.
    """
    a, b = columns.tables(position, k)[k][columns.inputs(position)[list(pair)]]
    row: Floats = spread(position % 4, k)[a ^ b]
    return row


def entropy(p: Floats) -> float:
    """The entropy in bits."""
    some = p[p > 0]
    return float(-(some * np.log2(some)).sum())


def of_pair(k: int, pair: tuple[int, int]) -> dict[str, float]:
    """Entropy, logarithm of how many values occur, and least entropy of two 64-bit subkeys."""
    parts = [distribution(position, k, pair) for position in columns.POSITIONS]
    return {
        "entropy": sum(8 + entropy(p) for p in parts),
        "values": sum(8 + math.log2(np.count_nonzero(p)) for p in parts),
        "min_entropy": sum(8 - math.log2(p.max()) for p in parts),
    }


# --- two keys with one subkey ------------------------------------------------------------------


def solutions(i: int) -> Iterator[tuple[NDArray[np.uint8], NDArray[np.uint8]]]:
    """Differences of l0 and of l1 at all positions that keep S and can keep subkey i (128 bits)."""
    ddt = [columns.difference_tables(position, 2)[1] for position in columns.POSITIONS]
    for support in combinations(columns.POSITIONS, rs_words.LEAST_WEIGHT):
        words = rs_words.multiples(rs_words.word(support))
        inner = words[0]
        possible = np.all([ddt[p][inner[p], words[:, p]] > 0 for p in support], axis=0)
        for outer in words[possible]:
            yield outer, inner


def two_keys(i: int) -> tuple[bytes, bytes]:
    """Two keys of 128 bits with the same S and the same subkey i, the first ones found."""
    outer, inner = next(solutions(i))
    parts = np.arange(16, dtype=np.uint8).reshape(2, 8).T.copy()  # key bytes 0, 1, .. where free
    for position in columns.POSITIONS:
        _, t1, t2 = columns.tables(position, 2)
        l1 = np.arange(256, dtype=np.uint8)
        z = t2[columns.inputs(position)[i]] ^ l1
        fits = t1[z] ^ t1[z ^ inner[position]] == outer[position]
        parts[position, 1] = l1[fits][0] if inner[position] else parts[position, 1]
    other = parts ^ np.stack([outer, inner], axis=1)
    return columns.key_of(parts), columns.key_of(other)


def shared(first: bytes, second: bytes) -> dict[str, Json]:
    """The common parts of two keys, by the key schedule of the library."""
    keys = (first, second)
    S = [twofish.sbox_key(key) for key in keys]
    K = [twofish.subkeys(key).reshape(-1, 2) for key in keys]
    equal = np.all(K[0] == K[1], axis=1)
    return {
        "keys": [key.hex() for key in keys],
        "same_S": bool(np.array_equal(S[0], S[1])),
        "equal_subkeys": [int(i) for i in np.flatnonzero(equal)],
        "subkey": [f"{int(word):08X}" for word in K[0][int(np.argmax(equal))]],
    }


# --- the experiment ----------------------------------------------------------------------------


def tasks(scale: Scale) -> list[Task]:
    """One task a key length, and one for the two keys."""
    return [{"k": k} for k in columns.KEY_BITS] + [{"two_keys_with_subkey": columns.ROUNDS_FROM}]


def compute(task: Task) -> Json:
    """The entropies of all pairs of subkeys, or the two keys."""
    if "k" not in task:
        return shared(*two_keys(task["two_keys_with_subkey"]))
    return {"k": task["k"], "pairs": [of_pair(task["k"], pair) for pair in PAIRS]}


def figure(value: float) -> str:
    """Bits, with enough digits to tell the largest entropy from its limit."""
    return f"{value:.3f}"


def summary(result: dict[str, Any], source: str) -> Table:
    """The figures of one key length."""
    k, pairs = result["k"], result["pairs"]
    entropies = [pair["entropy"] for pair in pairs]
    most = max(entropies)
    cells = [
        ours("input whitening K_0..K_3, bits", figure(entropies[PAIRS.index(INPUT_WHITENING)])),
        ours("output whitening K_4..K_7, bits", figure(entropies[PAIRS.index(OUTPUT_WHITENING)])),
        ours("least of all 190 pairs of 64-bit subkeys, bits", figure(min(entropies))),
        ours("least min-entropy of all pairs, bits", figure(min(p["min_entropy"] for p in pairs))),
    ]
    name = "most of all 190 pairs, bits"
    if k == 2:
        cells.append(within(name, f"less than {LIMIT_BITS}", figure(most), most < LIMIT_BITS))
    else:
        cells.append(ours(name, figure(most)))
    return Table(f"Entropy of two 64-bit subkeys, {columns.KEY_BITS[k]}-bit keys", cells, source)


def observations(result: dict[str, Any], example: dict[str, Any]) -> Table:
    """The observations of Mirza and Murphy on 128-bit keys."""
    values = [pair["values"] for pair in result["pairs"]]
    whitening = {
        name: values[PAIRS.index(pair)]
        for name, pair in (("input", INPUT_WHITENING), ("output", OUTPUT_WHITENING))
    }
    cells = [
        within(
            f"values of the 128-bit {name} whitening that some 128-bit key has",
            "not all equally often",
            f"2^{value:.2f} of 2^128",
            value < 128,
        )
        for name, value in whitening.items()
    ]
    found = example["same_S"] and bool(example["equal_subkeys"])
    cells.append(
        within(
            "two keys with the same S and the same subkey of round 0",
            "exist",
            f"{example['keys'][0]} and {example['keys'][1]}: {' '.join(example['subkey'])}",
            found,
        )
    )
    return Table("Observations of Mirza and Murphy", cells, "[MirzaMurphy99]")


def heat(result: dict[str, Any]) -> Plot:
    """The entropies of 128-bit keys as a picture; a subkey with itself has no place in it."""
    size = columns.SUBKEY_PAIRS
    grid: list[list[Any]] = [[None] * size for _ in range(size)]
    for (i, j), pair in zip(PAIRS, result["pairs"]):
        grid[i][j] = grid[j][i] = round(pair["entropy"], 4)
    return Plot(
        "pairs",
        "Entropy of the 64-bit subkeys i and j together, 128-bit keys, in bits",
        "64-bit subkey j (0 to 3 whiten)",
        "64-bit subkey i",
        "heat",
        grid=grid,
    )


def combine(scale: Scale, results: Sequence[Json]) -> Findings:
    """Tables of the entropies and of the observations."""
    by_k = {result["k"]: result for result in results if "k" in result}
    example = next(result for result in results if "keys" in result)
    tables = [summary(result, "[TR4]" if k == 2 else "") for k, result in by_k.items()]
    return Findings(
        [*tables, observations(by_k[2], example)],
        [heat(by_k[2])],
        [
            "Two subkeys of 64 bits would have 128 bits of entropy if they were uniform. With "
            "128-bit keys the difference of two bytes of a column passes only one permutation "
            "behind a key byte, so each of the eight columns loses about 1.5 bits; longer keys "
            "nearly close the gap.",
            "The example of two keys is our own; that of the source is for a cipher with keys of "
            "8 bytes.",
        ],
        {
            "pairs": PAIRS,
            "by_key_bits": {str(columns.KEY_BITS[k]): r["pairs"] for k, r in by_k.items()},
            "two_keys": example,
        },
    )


EXPERIMENT = Experiment(
    name="subkey-entropy",
    question="How much entropy do two 64-bit subkeys have together, whitening keys included?",
    method=(
        "A pair of subkeys is a bijective function of eight pairs of bytes, one for each column "
        "of the even and of the odd key words. The eight pairs are independent. Each pair has 8 "
        "bits of entropy, plus the entropy of the difference inside. The distribution of this "
        "difference is a row of the difference table of q0 or q1, or a product of such tables for "
        "longer keys. So the entropies are exact. To find two keys with one equal subkey, the "
        "program takes differences from the code of RS, which leave S unchanged."
    ),
    sources=["[TR4]", "[MirzaMurphy99]", "[Twofish98, 4.3.4]"],
    covers={"small": "all 190 pairs of the 20 subkeys, for keys of 128, 192 and 256 bits"},
    tasks=tasks,
    compute=compute,
    combine=combine,
)
