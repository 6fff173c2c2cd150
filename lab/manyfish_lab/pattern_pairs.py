# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Pairs of texts with random differences through g, F and rounds, counted by their zero bytes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from manyfish_lab import twofish

Counts = NDArray[np.int64]
MEASURED_ROUNDS = (2, 3, 4)


def _differences(random: np.random.Generator, active: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Random bytes, not zero where active, else zero."""
    return np.where(active, random.integers(1, 256, active.shape, np.uint8), np.uint8(0))


def _active(random: np.random.Generator, pairs: int, n: int) -> NDArray[np.bool_]:
    """A random set of bytes, of a random size from 1 to n, for each pair."""
    order = random.random((pairs, n)).argsort(axis=1)
    return np.asarray(order < random.integers(1, n + 1, (pairs, 1)))


def _crossed(active: NDArray[np.bool_], zero: NDArray[np.bool_]) -> Counts:
    """Pairs by active bytes of the input and zero bytes of the output."""
    n, m = active.shape[1] + 1, zero.shape[1] + 1
    both = active.sum(axis=1) * m + zero.sum(axis=1)
    return np.bincount(both, minlength=n * m).reshape(n, m)


def measure_g(random: np.random.Generator, pairs: int) -> Counts:
    S = twofish.sbox_key(random.bytes(16))
    active = _active(random, pairs, 4)
    texts = random.integers(0, 256, (pairs, 4), np.uint8)
    others = texts ^ _differences(random, active)
    out, other = (twofish.h(x.view("<u4").ravel(), S).astype("<u4") for x in (texts, others))
    return _crossed(active, (out ^ other).view(np.uint8).reshape(-1, 4) == 0)


def _encrypted(key: bytes, rounds: int, texts: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return twofish.Variant(key, rounds, whitening=False).encrypt(texts)


def measure_F(random: np.random.Generator, pairs: int) -> Counts:
    """One round without whitening, right half zero: ROR(F0, 1) and F1 are what comes out."""
    key, active = random.bytes(16), _active(random, pairs, 8)
    texts = np.zeros((pairs, 16), np.uint8)
    texts[:, :8] = random.integers(0, 256, (pairs, 8), np.uint8)
    others = texts.copy()
    others[:, :8] ^= _differences(random, active)
    difference = (_encrypted(key, 1, texts) ^ _encrypted(key, 1, others))[:, 8:].copy().view("<u4")
    difference[:, 0] = difference[:, 0] << 1 | difference[:, 0] >> 31
    return _crossed(active, difference.view(np.uint8) == 0)


def measure_rounds(random: np.random.Generator, pairs: int) -> Counts:
    """One active byte of the right half; zero bytes after each number of rounds."""
    key = random.bytes(16)
    texts = random.integers(0, 256, (pairs, 16), np.uint8)
    others = texts.copy()
    where = random.integers(8, 16, pairs)
    others[np.arange(pairs), where] ^= random.integers(1, 256, pairs, np.uint8)
    found = []
    for rounds in MEASURED_ROUNDS:
        zero = _encrypted(key, rounds, texts) == _encrypted(key, rounds, others)
        found.append(np.bincount(zero.sum(axis=1), minlength=17))
    return np.array(found)
