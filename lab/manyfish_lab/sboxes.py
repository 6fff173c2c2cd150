# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Figures of S-boxes of 8 by 8 bits, by the kernels `sbox_*.c`, and how often many boxes have them.

A tally is what JSON can hold: the number of boxes, for each figure how many boxes have which value,
and for each length the number of cycles of that length in all boxes together. A tally of DPmax
alone has no other figures and no lengths.
"""

from __future__ import annotations

import ctypes
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import overload

import numpy as np
from numpy.typing import NDArray

from manyfish_lab import native, twofish
from manyfish_lab.experiment import Json, Task

Boxes = NDArray[np.uint8]  # a row of 256 for each box
Keys = NDArray[np.uint32]
Figures = NDArray[np.uint16]
Counts = NDArray[np.uint64]

POSITIONS = 4
# Which q stands before L_0, between L_0 and L_1, ..., for bytes 0 to 3 [Twofish98, figure 2].
ORDER = ((1, 0, 1, 0), (0, 0, 1, 1), (0, 1, 0, 1), (1, 1, 0, 0), (1, 0, 0, 1))
# dp is 256 DPmax, lp the square root of 256^2 LPmax, longest the length of the longest cycle.
FIGURES = ("dp", "lp", "fixed", "cycles", "longest")

_CHUNK = 2048  # boxes of 256 bytes, so that all of them stay in the cache of a core

_READ, _WRITE = native.array, native.output
_OF_INNER = None, _WRITE(np.uint64), _READ(np.uint8), ctypes.c_size_t, _READ(np.uint8)
_make = native.function(
    "lab_sbox_make",
    None,
    _WRITE(np.uint8),
    _READ(np.uint32),
    ctypes.c_size_t,
    _READ(np.uint8),
    ctypes.c_uint,
)
_dp = native.function("lab_sbox_dp", None, _WRITE(np.uint16), _READ(np.uint8), ctypes.c_size_t)
_dp_of = native.function("lab_sbox_dp_of", *_OF_INNER)
_lp = native.function("lab_sbox_lp", None, _WRITE(np.uint16), _READ(np.uint8), ctypes.c_size_t)
_cycles = native.function(
    "lab_sbox_cycles", None, _WRITE(np.uint16), _WRITE(np.uint64), _READ(np.uint8), ctypes.c_size_t
)
_ranks = native.function("lab_sbox_ranks", *_OF_INNER)


def layers(position: int, k: int) -> list[int]:
    """Which q each layer of s_position has, from the outermost."""
    return [order[position] for order in ORDER[: k + 1]]


def make(keys: Keys, position: int, k: int) -> Boxes:
    """The S-boxes s_position of keys of k bytes each; bits 8i..8i+7 are the byte of L_i."""
    return _of_layers(keys, layers(position, k))


def _of_layers(keys: Keys, order: Sequence[int]) -> Boxes:
    boxes = np.empty((len(keys), 256), np.uint8)
    _make(boxes, keys, len(keys), twofish.q()[order], len(order) - 1)
    return boxes


def ranks(keys: Keys, position: int, k: int) -> Counts:
    """How many S-boxes of these keys have a rank of 0, .., 8; keys are without the byte of L_0.

    The rank is that of the eight coefficients of degree 7: 2^(8 - rank) - 1 sums of output bits
    have a lower degree. For each key all 256 bytes of L_0 are counted.
    """
    return _with_outer(ranks_of, keys, position, k)


def ranks_of(inner: Boxes, outer: Boxes) -> Counts:
    """The same for the boxes outer(key ^ inner(x)) of some inner ones, and all 256 keys."""
    counts = np.zeros(9, np.uint64)
    _ranks(counts, inner, len(inner), outer)
    return counts


def dp_of(inner: Boxes, outer: Boxes) -> Counts:
    """How many of such boxes have 256 DPmax = 0, .., 256."""
    counts = np.zeros(257, np.uint64)
    _dp_of(counts, inner, len(inner), outer)
    return counts


def _with_outer(
    count: Callable[[Boxes, Boxes], Counts], keys: Keys, position: int, k: int
) -> Counts:
    """The counts of all keys, at least one."""
    outer, *inner = layers(position, k)
    parts = [count(_of_layers(part, inner), twofish.q()[outer]) for part in _parts(keys)]
    counts: Counts = np.sum(parts, axis=0, dtype=np.uint64)
    return counts


def dp(boxes: Boxes) -> Figures:
    """256 DPmax of each box."""
    out = np.empty(len(boxes), np.uint16)
    _dp(out, boxes, len(boxes))
    return out


def lp(boxes: Boxes) -> Figures:
    """The largest |W| of each box, W a sum of 256 signs: 256 times the root of LPmax."""
    out = np.empty(len(boxes), np.uint16)
    _lp(out, boxes, len(boxes))
    return out


def cycles(boxes: Boxes) -> tuple[Figures, NDArray[np.uint64]]:
    """Fixed points, cycles and longest cycle of each box; cycles of each length of all of them."""
    out = np.empty((len(boxes), 3), np.uint16)
    lengths = np.zeros(257, np.uint64)
    _cycles(out, lengths, boxes, len(boxes))
    return out, lengths


def tally(chunks: Iterable[Boxes]) -> Json:
    """The tally of all boxes of some chunks."""
    counted = np.zeros((len(FIGURES), 257), np.int64)
    lengths, boxes = np.zeros(257, np.uint64), 0
    for chunk in chunks:
        walked, of_chunk = cycles(chunk)
        for row, column in zip(counted, (dp(chunk), lp(chunk), *walked.T), strict=True):
            row += np.bincount(column, minlength=257)
        lengths += of_chunk
        boxes += len(chunk)
    by_figure = dict(zip(FIGURES, map(_by_text, counted), strict=True))
    return {"boxes": boxes, **by_figure, "lengths": lengths.tolist()}


class AllKeys(Sequence[Task]):
    """The tasks of all S-boxes of keys of k bytes, position after position, made when asked for."""

    def __init__(self, k: int, per_task: int, **more: Json) -> None:
        """more: further fields of each task."""
        self.k, self.per_task, self.more = k, per_task, more
        self.per_position = (1 << 8 * k) // per_task

    def __len__(self) -> int:
        return POSITIONS * self.per_position

    @overload
    def __getitem__(self, index: int) -> Task: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Task]: ...

    def __getitem__(self, index: int | slice) -> Task | Sequence[Task]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        if not -len(self) <= index < len(self):
            raise IndexError(index)
        position, part = divmod(index % len(self), self.per_position)
        first = part * self.per_task
        own = {"k": self.k, "position": position, "first": first, "count": self.per_task}
        return {**own, **self.more}


def sample(k: int, boxes: int, per_task: int, seed: int) -> Sequence[Task]:
    """The tasks of as many S-boxes of random keys, a quarter of them for each position."""
    n = boxes // per_task
    return [
        {"k": k, "position": POSITIONS * i // n, "seed": seed, "index": i, "count": per_task}
        for i in range(n)
    ]


def compute(task: Task) -> Json:
    """The tally of a task of AllKeys or of sample; of DPmax alone if AllKeys says "dp_only"."""
    return _tally_dp(task) if task.get("dp_only") else tally(of(task))


def _tally_dp(task: Task) -> Json:
    """The same with DPmax alone, of keys with all bytes of L_0."""
    if (task["first"] | task["count"]) & 255:
        raise ValueError("DPmax alone is counted for multiples of 256 keys")
    first, end = (key >> 8 for key in (task["first"], task["first"] + task["count"]))
    keys = np.arange(first, end, dtype=np.uint32)
    counts = _with_outer(dp_of, keys, task["position"], task["k"])
    return {"boxes": int(counts.sum()), "dp": _by_text(counts)}


def of(task: Task) -> Iterator[Boxes]:
    """The S-boxes of a task, some at a time."""
    count = task["count"]
    if "seed" in task:
        random = np.random.default_rng([task["seed"], task["index"]])
        keys = random.integers(0, 1 << 8 * task["k"], count, np.uint32)
    else:
        keys = (np.arange(count, dtype=np.uint64) + task["first"]).astype(np.uint32)
    return (make(part, task["position"], task["k"]) for part in _parts(keys))


def add(tallies: Iterable[Json]) -> Json:
    """The tally of the boxes of all tallies, with the figures that all of them have."""
    all_of_them = list(tallies)
    total: Json = {"boxes": sum(one["boxes"] for one in all_of_them)}
    for figure in FIGURES:
        if all(figure in one for one in all_of_them):
            sums: Counter[str] = Counter()
            for one in all_of_them:
                sums.update(one[figure])
            total[figure] = dict(sorted(sums.items(), key=_by_value))
    if all("lengths" in one for one in all_of_them):
        total["lengths"] = [sum(n) for n in zip(*(one["lengths"] for one in all_of_them))]
    return total


def counts(one: Json, figure: str, width: int = 1) -> dict[int, int]:
    """How many boxes have which value; values are rounded down to a multiple of width."""
    result: Counter[int] = Counter()
    for value, n in one[figure].items():
        result[int(value) // width * width] += n
    return dict(sorted(result.items()))


def bits(count: float, total: int) -> float:
    """-log2 of a proportion, infinite for nothing."""
    return -math.log2(count / total) if count else math.inf


def printed(count: int, total: int, digits: int) -> str:
    """The same as the sources print it."""
    return f"{bits(count, total):.{digits}f}" if count else "none"


def mean(one: Json, figure: str) -> float:
    """Of a figure, over all boxes."""
    total: int = sum(int(value) * n for value, n in one[figure].items())
    return total / int(one["boxes"])


def odd(one: Json) -> int:
    """How many boxes have an odd number of cycles: the odd permutations of 256 things."""
    return sum(n for value, n in one["cycles"].items() if int(value) % 2)


def points(counted: Mapping[int, int], total: int) -> list[tuple[float, float]]:
    """-log2 of the proportions, for a plot."""
    return [(value, bits(n, total)) for value, n in counted.items() if n]


def published_points(row: Mapping[int, str]) -> list[tuple[float, float]]:
    """The same of a printed row."""
    return [(value, float(text)) for value, text in row.items()]


def _parts(keys: Keys) -> Iterator[Keys]:
    for first in range(0, len(keys), _CHUNK):
        yield keys[first : first + _CHUNK]


def _by_text(row: NDArray[np.int64] | Counts) -> dict[str, int]:
    """The counts that are not zero, by their values."""
    return {str(value): int(row[value]) for value in np.flatnonzero(row)}


def _by_value(item: tuple[str, int]) -> int:
    return int(item[0])
