# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The changes that follow one bit of the plaintext or of the key: counted, and what a round allows.

Bit n of a block or of a key is bit n % 8 of byte n / 8.
"""

from __future__ import annotations

import ctypes

import numpy as np
import numpy.typing as npt

from manyfish_lab import native

BLOCK_BITS = 128

_ARGUMENTS = (
    native.output(np.uint32),
    native.output(np.uint64),
    native.output(np.uint64),
    ctypes.c_uint,
    ctypes.c_uint,
    native.array(np.uint8),
    ctypes.c_size_t,
    ctypes.c_size_t,
    native.array(np.uint8),
    ctypes.c_size_t,
)
_KERNELS = {
    "plaintext": native.checked("lab_avalanche_of_blocks", *_ARGUMENTS),
    "key": native.checked("lab_avalanche_of_keys", *_ARGUMENTS),
}

Bytes = npt.NDArray[np.uint8]
Counts = npt.NDArray[np.int64]


def input_bits(changed: str, key_bytes: int) -> int:
    return BLOCK_BITS if changed == "plaintext" else 8 * key_bytes


def count(
    changed: str, rounds: int, whitening: int, keys: Bytes, blocks: Bytes
) -> tuple[Counts, Counts, Counts]:
    """How often each pair of an input and an output bit changed, and each number of output bits.

    The third is how many output bits changed under each key. A row of `keys` is a key, of `blocks`
    the blocks of 16 bytes that are encrypted under it.
    """
    n_keys, key_bytes = keys.shape
    counts = np.zeros((input_bits(changed, key_bytes), BLOCK_BITS), np.uint32)
    weights = np.zeros(BLOCK_BITS + 1, np.uint64)
    per_key = np.zeros(n_keys, np.uint64)
    outputs = (counts, weights, per_key)
    n_blocks = blocks.shape[1]
    _KERNELS[changed](*outputs, rounds, whitening, keys, key_bytes, n_keys, blocks, n_blocks)
    return counts.astype(np.int64), weights.astype(np.int64), per_key.astype(np.int64)


def dependence(rounds: int) -> npt.NDArray[np.bool_]:
    """Row i, column j: whether output bit j can change with plaintext bit i at all.

    An S-box and MDS spread a change over all 32 bits of T_0 or T_1. Additions carry it upwards; but
    bit 0 of F_1 = T_0 + 2 T_1 + K has nothing of T_1.
    """
    words = [np.eye(BLOCK_BITS, dtype=bool)[:, 32 * i : 32 * i + 32] for i in range(4)]
    for _ in range(rounds):
        r0, r1, r2, r3 = words
        f0 = np.zeros_like(r0)
        f0 |= np.any(r0 | r1, axis=1)[:, None]
        f1 = f0.copy()
        f1[:, 0] = np.any(r0, axis=1)
        words = [np.roll(r2 | f0, -1, axis=1), np.roll(r3, 1, axis=1) | f1, r0, r1]
    return np.concatenate([*words[2:], *words[:2]], axis=1)


def unreachable(changed: str, key_bytes: int, whitening: int, rounds: int) -> int:
    """How many pairs cannot change.

    Of the key: without whitening one round leaves half of the block alone. With it, bit 9 of C_1 is
    bit 9 of P_1 ^ K_1 ^ K_5, where bit 0 of A + 2B stands, which has nothing of half of the key.
    """
    if changed == "plaintext":
        return int(np.count_nonzero(~dependence(rounds)))
    if rounds > 1:
        return 0
    return 4 * key_bytes if whitening else 8 * key_bytes * BLOCK_BITS // 2
