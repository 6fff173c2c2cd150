# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Key bytes of a column of h whose outputs cannot be told apart: `lab/native/key_collisions.c`."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from manyfish_lab import columns, native

_SIZE = ctypes.c_size_t
_collisions = native.checked(
    "lab_key_collisions",
    native.output(np.uint64),
    native.output(np.uint32),
    ctypes.POINTER(_SIZE),
    _SIZE,
    _SIZE,
    native.array(np.uint8),
    ctypes.c_uint,
    native.array(np.uint8),
    _SIZE,
)


@dataclass(frozen=True)
class Collisions:
    """The counts of the kernel in one column.

    pairs   [n] is how many pairs of inner key bytes agree in the first n outputs at least
    listed  rows of the inner key bytes l1, l2, .. of a pair that agrees in `wanted` outputs
    """

    pairs: list[int]
    listed: NDArray[np.uint8]

    @property
    def longest(self) -> int:
        """The number of outputs in which some pair agrees."""
        return max(n for n, count in enumerate(self.pairs) if count or n == 0)


def find(
    tables: list[NDArray[np.uint8]], x: NDArray[np.uint8], wanted: int, capacity: int = 1 << 16
) -> Collisions:
    """The collisions for the tables t1, t2, .. of a column and these inputs."""
    t, k = np.concatenate(tables), len(tables)
    pairs = np.zeros(len(x) + 1, np.uint64)
    found = np.zeros((capacity, 2), np.uint32)
    n_found = _SIZE()
    _collisions(pairs, found, ctypes.byref(n_found), capacity, wanted, t, k, x, len(x))
    if n_found.value > capacity:
        return find(tables, x, wanted, n_found.value)
    values = found[: n_found.value].astype("<u4").view(np.uint8).reshape(-1, 2, 4)
    return Collisions([int(n) for n in pairs], values[:, :, : k - 1].copy())


def of_position(position: int, k: int, first: int, count: int, wanted: int) -> Collisions:
    """The collisions of a position for the subkeys first, first + 1, .."""
    return find(columns.tables(position, k)[1:], columns.inputs(position, first, count), wanted)


def expected(k: int, outputs: int) -> float:
    """The number of pairs that would agree in this many outputs if the outputs were random."""
    values: int = 256 ** (k - 1)
    return values * (values - 1) / 2 * 2.0 ** (-8 * (outputs - 1))
