# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Sums of bits of g over sets of texts, and the search for S behind them.

T0 and T1 are sums of four lanes, S-boxes with their columns of MDS, and with 128-bit keys each
lane depends on two bytes of S. So a sum of bits of T0 and T1 over a set of texts is a sum of four
parts of 2^16 possible values each, and S is found by matching two lanes with two.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from manyfish_lab import native, twofish

LANES = 4
LANE_KEYS = 1 << 16
ROOM = 64  # for keys that fit all sums

Sums = NDArray[np.uint64]
_READ, _WRITE = native.array, native.output

_lane_sums = native.checked(
    "lab_lane_sums",
    _WRITE(np.uint64),
    _READ(np.uint32),
    _READ(np.uint64),
    ctypes.c_size_t,
)
_join = native.checked(
    "lab_join",
    _WRITE(np.uint64),
    ctypes.c_size_t,
    ctypes.POINTER(ctypes.c_size_t),
    ctypes.POINTER(ctypes.c_void_p),
    ctypes.POINTER(ctypes.c_size_t),
    ctypes.c_uint32,
    ctypes.c_uint32,
)
_guess = native.checked(
    "lab_guess",
    _WRITE(np.uint64),
    ctypes.c_size_t,
    _WRITE(np.uint64),
    ctypes.c_uint64,
    ctypes.c_uint32,
    ctypes.c_uint32,
    _READ(np.uint32),
    _READ(np.uint8),
    ctypes.c_size_t,
)


@dataclass(frozen=True)
class Sets:
    """Sets of 256 texts after four rounds without whitening.

    halves   [set, text, (R0, R1)]: the inputs of F in the fourth round
    sums     for each set the sum of bit 0 of T0 + T1
    """

    halves: NDArray[np.uint32]
    sums: NDArray[np.uint8]


def saturated_byte(random: np.random.Generator) -> NDArray[np.uint8]:
    """256 plaintexts: a byte of L after the first round takes all values, all else is constant."""
    texts = np.tile(random.integers(0, 256, 16, np.uint8), (256, 1))
    byte = np.arange(256, dtype="<u4") << np.uint32(8 * random.integers(4))
    rotated = byte << np.uint32(1) | byte >> np.uint32(31)
    texts[:, 8:12] = rotated.astype("<u4")[:, None].view(np.uint8)
    return texts


def four_rounds(key: bytes, random: np.random.Generator, n_sets: int, rounds: int = 4) -> Sets:
    """The view of an attacker: the ciphertexts' right halves, and bit 31 of R0 summed.

    In the last round bit 0 of F0 = T0 + T1 + K is added to a bit whose sum is zero, and goes there.
    """
    texts = np.concatenate([saturated_byte(random) for _ in range(n_sets)])
    cipher = twofish.Variant(key, rounds, whitening=False)
    words = cipher.encrypt(texts).view("<u4").reshape(n_sets, 256, 4).astype(np.uint32)
    sums = (words[:, :, 2] >> np.uint32(31)).sum(axis=1) & 1
    return Sets(np.ascontiguousarray(words[:, :, :2]), sums.astype(np.uint8))


def odd_values(halves: NDArray[np.uint32]) -> Sums:
    """[lane, set, (T0, T1), 4]: which bytes come an odd number of times, as 256 bits."""
    R1 = halves[:, :, 1]
    inputs = (halves[:, :, 0], R1 << np.uint32(8) | R1 >> np.uint32(24))
    odd = np.zeros((LANES, len(halves), 2, 256), np.uint8)
    for lane in range(LANES):
        for which, words in enumerate(inputs):
            byte = (words >> np.uint32(8 * lane) & np.uint32(255)).astype(np.int64)
            for row, values in zip(odd[lane, :, which], byte):
                row[:] = np.bincount(values, minlength=256) & 1
    return np.packbits(odd, axis=-1, bitorder="little").view("<u8").astype(np.uint64)


def lane_sums(odd: Sums, masks: Sequence[int]) -> Sums:
    """[lane, key, 2]: what each lane adds to the sums, for all of its keys."""
    sums = np.empty((LANES, LANE_KEYS, 2), np.uint64)
    _lane_sums(sums, np.array(masks, np.uint32), np.ascontiguousarray(odd), odd.shape[1])
    return sums


def packed(bits: NDArray[np.uint8]) -> Sums:
    """Up to 128 sums as two words."""
    wide = np.zeros(128, np.uint8)
    wide[: len(bits)] = bits
    return np.packbits(wide, bitorder="little").view("<u8").astype(np.uint64)


def lane_keys(S: Sequence[int]) -> list[int]:
    """The two bytes of S that each lane depends on, that of S_1 above."""
    return [S[0] >> 8 * j & 255 | (S[1] >> 8 * j & 255) << 8 for j in range(LANES)]


def joined_keys(keys: Sequence[int]) -> tuple[int, int]:
    """S_0 and S_1 of four lanes."""
    words = [sum((key >> shift & 255) << 8 * j for j, key in enumerate(keys)) for shift in (0, 8)]
    return words[0], words[1]


def matches(
    sums: Sums,
    wanted: Sums,
    candidates: Sequence[NDArray[np.int64]],
    first: int,
    count: int,
    room: int = ROOM,
) -> NDArray[np.int64]:
    """Rows of the keys of four lanes that give these sums.

    Lanes 0 and 2 are free, `candidates` are the keys of lanes 1 and 3. Only keys for which the low
    16 sums of lanes 0 and 1 are first, first + 1, .. are looked for.
    """
    every = np.arange(sums.shape[1])
    keys = [every, candidates[0], every, candidates[1]]
    lists = [np.ascontiguousarray(sums[lane, of, 0]) for lane, of in enumerate(keys)]
    lists[3] = lists[3] ^ wanted[0]
    pointers = (ctypes.c_void_p * LANES)(*(a.ctypes.data for a in lists))
    sizes = (ctypes.c_size_t * LANES)(*(len(a) for a in lists))
    found, n = np.zeros(room, np.uint64), ctypes.c_size_t()
    _join(found, room, ctypes.byref(n), pointers, sizes, first, count)
    if n.value > room:
        raise ValueError(f"{n.value} keys fit all sums: too few sets")
    places = found[: n.value].astype(np.int64)
    chosen = np.array([of[places >> 16 * lane & 0xFFFF] for lane, of in enumerate(keys)])
    rest = [sums[lane, key, 1] for lane, key in enumerate(chosen)]
    found_keys: NDArray[np.int64] = chosen.T[np.bitwise_xor.reduce(rest) == wanted[1]]
    return found_keys


def join(
    sums: Sums, wanted: Sums, candidates: Sequence[NDArray[np.int64]], first: int, count: int
) -> list[tuple[int, int]]:
    """All S of these sums, of which there are few."""
    return [joined_keys(row) for row in matches(sums, wanted, candidates, first, count).tolist()]


def guess(sets: Sets, known: int, first: int, count: int) -> tuple[list[int], int]:
    """The S = known | guess that give all sums, and how often g was computed."""
    found, counts = np.zeros(ROOM, np.uint64), np.zeros(2, np.uint64)
    _guess(found, ROOM, counts, known, first, count, sets.halves, sets.sums, len(sets.sums))
    if counts[0] > ROOM:
        raise ValueError(f"{counts[0]} keys fit all sums: too few sets")
    return found[: int(counts[0])].tolist(), int(counts[1])
