# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Different keys have different subkeys, and different S have different functions F [TR2]."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from manyfish_lab import collisions, columns, native, twofish
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

ROUNDS = 16  # the pairs of subkeys that do not whiten; the source takes these as well
# The S-boxes of 256-bit keys are gone through in parts of 2^24 on average.
PARTS = 256
PART_BITS = 8
PARTS_OF_SCALE = {"small": 0, "paper": 24, "full": PARTS}

_NUMBER = ctypes.POINTER(ctypes.c_uint64)
_bit_sequences = native.checked(
    "lab_bit_sequences",
    _NUMBER,
    _NUMBER,
    native.array(np.uint8),
    native.array(np.uint8),
    ctypes.c_uint,
    ctypes.c_uint,
    ctypes.c_uint,
)


# --- subkeys -----------------------------------------------------------------------------------


def subkey_task(k: int, positions: Sequence[int]) -> Json:
    """Of each position, how many pairs of inner key bytes agree in n outputs from round 0 on."""
    found = [collisions.of_position(p, k, columns.ROUNDS_FROM, ROUNDS, ROUNDS) for p in positions]
    return {"subkeys": k, "pairs": [collision.pairs for collision in found]}


def subkey_cells(k: int, pairs: Sequence[Sequence[int]]) -> list[Cell]:
    """The figures of one key length."""
    name, inner = f"{columns.KEY_BITS[k]}-bit keys", 8 * (k - 1)
    equal = sum(counts[ROUNDS] for counts in pairs)
    longest = max(n for counts in pairs for n, count in enumerate(counts) if count)
    verdict = f"{equal} pairs" if equal else f"none; all 8 x 2^{inner} sequences differ"
    return [
        within(
            f"{name}: different keys with the same subkeys in all rounds",
            "none",
            verdict,
            not equal,
        ),
        ours(f"{name}: outputs in which some pair of sequences agrees", f"{longest} of {ROUNDS}"),
        ours(
            f"{name}: equal pairs that random sequences would have",
            f"{len(pairs) * collisions.expected(k, ROUNDS):.0e}",
        ),
    ]


# --- the function F ----------------------------------------------------------------------------


def low_bits(column: int) -> NDArray[np.uint8]:
    """Bit 0 of MDS times a column with one byte, for each value before the last q of that byte."""
    t0 = columns.tables(column, 2)[0]
    return np.array([twofish.mds(int(y) << 8 * column) & 1 for y in t0], np.uint8)


def bit_sequences(
    b: NDArray[np.uint8], tables: Sequence[NDArray[np.uint8]], part: int, part_bits: int
) -> tuple[int, int]:
    """How many S-boxes a part has, and how many of them repeat the sequence of another."""
    boxes, repeats = ctypes.c_uint64(), ctypes.c_uint64()
    t, k = np.concatenate(tables), len(tables)
    _bit_sequences(ctypes.byref(boxes), ctypes.byref(repeats), b, t, k, part, part_bits)
    return boxes.value, repeats.value


def function_task(k: int, column: int, part: int, part_bits: int) -> Json:
    """The S-boxes of one column, or a part of them."""
    tables = columns.tables(column, k)[1:]
    boxes, repeats = bit_sequences(low_bits(column), tables, part, part_bits)
    return {"boxes_of": k, "boxes": boxes, "repeats": repeats}


def function_cell(k: int, results: Sequence[dict[str, Any]]) -> Cell:
    """The figure of one key length."""
    name = f"{columns.KEY_BITS[k]}-bit keys: different S with the same function F"
    boxes, repeats = (sum(result[what] for result in results) for what in ("boxes", "repeats"))
    possible = 4 * 256**k
    if boxes == possible:
        verdict, why = f"all 4 x 2^{8 * k} sequences", ""
    else:
        verdict = f"{boxes} of 4 x 2^{8 * k} sequences ({100 * boxes / possible:.1f} %)"
        why = "the scale full covers the others; equal ones would be in one part"
    found = f"{repeats} repeated" if repeats else "none repeated"
    return within(name, "none", f"{found} of {verdict}", not repeats, why)


# --- the experiment ----------------------------------------------------------------------------


def function_tasks(scale: Scale) -> list[Task]:
    """The tasks about F: one a column for short keys, one a column and part for 256 bits."""
    whole = [2] if scale == "small" else [2, 3]
    tasks = [
        {"boxes_of": k, "column": c, "part": 0, "part_bits": 0} for k in whole for c in range(4)
    ]
    return tasks + [
        {"boxes_of": 4, "column": c, "part": part, "part_bits": PART_BITS}
        for part in range(PARTS_OF_SCALE[scale])
        for c in range(4)
    ]


def tasks(scale: Scale) -> list[Task]:
    """All positions of short keys at once, of 256-bit keys one by one; then those about F."""
    every = list(columns.POSITIONS)
    subkeys = [{"subkeys": k, "positions": every} for k in (2, 3)]
    subkeys += [{"subkeys": 4, "positions": [position]} for position in every]
    return subkeys + function_tasks(scale)


def compute(task: Task) -> Json:
    """One of the two kinds of tasks."""
    if "subkeys" in task:
        return subkey_task(task["subkeys"], task["positions"])
    return function_task(task["boxes_of"], task["column"], task["part"], task["part_bits"])


def agreement(by_k: dict[int, list[list[int]]]) -> Plot:
    """How many pairs agree in n outputs: it falls by 2^8 an output, as with random sequences."""
    series: dict[str, list[tuple[float, float]]] = {}
    for k, pairs in by_k.items():
        total = [sum(counts) for counts in zip(*pairs)]
        series[f"{columns.KEY_BITS[k]}-bit keys"] = [
            (n, count) for n, count in enumerate(total) if n and count
        ]
    last = int(series["256-bit keys"][-1][0])
    series["random sequences, 256 bits"] = [
        (n, 8 * collisions.expected(4, n)) for n in range(1, last + 2)
    ]
    return Plot(
        "agreement",
        "Pairs of inner key bytes that agree in the first n outputs, all eight positions",
        "outputs n, from round 0 on",
        "pairs",
        "lines",
        series,
        log_y=True,
    )


def combine(scale: Scale, results: Sequence[Json]) -> Findings:
    """Both tables."""
    subkeys = [result for result in results if "subkeys" in result]
    boxes = [result for result in results if "boxes_of" in result]
    pairs = {
        k: [counts for r in subkeys if r["subkeys"] == k for counts in r["pairs"]]
        for k in columns.KEY_BITS
    }
    lengths = [k for k in columns.KEY_BITS if any(r["boxes_of"] == k for r in boxes)]
    cells = [function_cell(k, [r for r in boxes if r["boxes_of"] == k]) for k in lengths]
    return Findings(
        [
            Table(
                "Different keys, different subkeys",
                [cell for k in pairs for cell in subkey_cells(k, pairs[k])],
                "[TR2]",
            ),
            Table("Different S, different functions F", cells, "[TR2]"),
        ],
        [agreement(pairs)],
        [
            "The key schedule cuts a key into eight parts that meet only in MDS. MDS is a "
            "bijection, and so are the PHT and the rotations that turn its outputs into subkeys. "
            "So all keys have different subkeys if, in each part, different key bytes give "
            "different sequences.",
            "The sequences are those of an S-box at 16 inputs. So this also shows that different "
            "key bytes give different S-boxes.",
            "For F this is not enough, since the subkeys could cancel a difference. They can "
            "cancel only a constant difference of g modulo 2^32. Bit 0 of such a difference is "
            "constant, and it is a sum of one bit of each S-box. So all F differ if, in each "
            "column, no two S-boxes have equal or complementary sequences of that bit.",
        ],
        {
            "pairs": {str(columns.KEY_BITS[k]): counts for k, counts in pairs.items()},
            "boxes": boxes,
        },
    )


EXPERIMENT = Experiment(
    name="key-uniqueness",
    question="Does every key give other subkeys, and every S another function F?",
    method=(
        "For each column of the even and of the odd key words, the program takes all values of "
        "the inner key bytes: 2^8, 2^16 or 2^24. Like the source, it sorts them by the "
        "differences of their 16 outputs before the outer key byte, and counts every two with "
        "equal differences. For F it takes one bit of all S-boxes of a column, as sequences over "
        "the inputs: 2^16, 2^24 or 2^32 of them. It compares their first 65 or 73 bits; "
        "complements count as equal."
    ),
    sources=["[TR2]", "[Twofish99, 8.1.2]", "[Twofish99, 8.3]"],
    covers={
        "small": "subkeys: all keys of 128, 192 and 256 bits; F: all S of 128-bit keys",
        "paper": "also F for all S of 192-bit keys and 24 of 256 parts of those of 256 bits",
        "full": "all S of 256-bit keys as well",
    },
    tasks=tasks,
    compute=compute,
    combine=combine,
)
