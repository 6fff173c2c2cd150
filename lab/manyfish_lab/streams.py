# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Sequences of ciphertext in which tests of randomness may find what a cipher leaves behind.

The kinds are those that NIST is said to have used for the candidates of the AES, and counter mode.
Random plaintexts alone are not among them: any permutation makes random blocks of random blocks.
"""

from __future__ import annotations

import ctypes
import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from . import native

Bytes = NDArray[np.uint8]

SEQUENCE_BLOCKS = 8192  # 2^20 bits
BLOCK_BYTES = 16

_READ, _WRITE = native.array(np.uint8), native.output(np.uint8)
_SIZE, _UNSIGNED = ctypes.c_size_t, ctypes.c_uint
_encrypt = native.checked(
    "lab_encrypt", _WRITE, _READ, _SIZE, _READ, _SIZE, ctypes.c_void_p, _SIZE, _UNSIGNED
)
_encrypt_families = native.checked(
    "lab_encrypt", _WRITE, _READ, _SIZE, _READ, _SIZE, _READ, _SIZE, _UNSIGNED
)
_chain = native.checked("lab_chain", _WRITE, _SIZE, _READ, _READ, _SIZE, _UNSIGNED)


def encrypt(
    keys: Bytes, blocks: Bytes, rounds: int = 16, family_keys: Bytes | None = None
) -> Bytes:
    """Encrypts blocks, rows of 16 bytes, equally many in order under each key, a row of `keys`.

    `family_keys` has a row of 32 bytes for each key.
    """
    if len(blocks) % len(keys):
        raise ValueError(f"{len(blocks)} blocks are no equal shares for {len(keys)} keys")
    if family_keys is not None and family_keys.shape != (len(keys), 32):
        raise ValueError(f"family keys of shape {family_keys.shape} for {len(keys)} keys")
    if blocks.shape[1:] != (BLOCK_BYTES,):
        raise ValueError(f"blocks of shape {blocks.shape}, not rows of {BLOCK_BYTES} bytes")
    blocks, keys = np.ascontiguousarray(blocks), np.ascontiguousarray(keys)
    out = np.empty_like(blocks)
    share, (count, key_bytes) = len(blocks) // len(keys), keys.shape
    if family_keys is None:
        _encrypt(out, blocks, share, keys, key_bytes, None, count, rounds)
    else:
        of = np.ascontiguousarray(family_keys)
        _encrypt_families(out, blocks, share, keys, key_bytes, of, count, rounds)
    return out


def chain(key: Bytes, first: Bytes, n_blocks: int, rounds: int = 16) -> Bytes:
    """Encrypts the first block, then what this gave, and so on."""
    out = np.empty((n_blocks, BLOCK_BYTES), np.uint8)
    _chain(out, n_blocks, first, key, key.size, rounds)
    return out


# --- inputs --------------------------------------------------------------------------------------


def low_weight(n_bits: int, count: int) -> Bytes:
    """The strings with no bit, one bit and two bits set, in this order, until there are enough."""
    bits = np.zeros((count, n_bits), np.uint8)
    single = np.arange(n_bits)[: count - 1]
    bits[1 + single, single] = 1
    pairs = np.array(list(combinations(range(n_bits), 2)))[: max(0, count - 1 - n_bits)]
    rows = 1 + n_bits + np.arange(len(pairs))
    for column in pairs.T:
        bits[rows, column] = 1
    return np.packbits(bits, axis=1, bitorder="little")


def one_bit_flips(base: Bytes, count: int) -> tuple[Bytes, Bytes]:
    """Each row as often as it has bits, and the same with one bit after the other flipped."""
    n_bits = 8 * base.shape[1]
    flips = np.packbits(np.eye(n_bits, dtype=np.uint8), axis=1, bitorder="little")
    plain = np.repeat(base, n_bits, axis=0)[:count]
    return plain, plain ^ np.tile(flips, (len(base), 1))[:count]


def counters(count: int) -> Bytes:
    """Counter blocks from zero, the last byte fastest, as in CTR mode."""
    blocks = np.zeros((count, BLOCK_BYTES), np.uint8)
    blocks[:, 8:] = np.arange(count, dtype=">u8").view(np.uint8).reshape(-1, 8)
    return blocks


# --- kinds of sequences --------------------------------------------------------------------------


@dataclass(frozen=True)
class Plan:
    """The input of a sequence: `number` counts the sequences of a stream."""

    rng: Generator
    number: int
    key_bytes: int
    rounds: int

    def random(self, count: int, n_bytes: int) -> Bytes:
        return self.rng.integers(0, 256, (count, n_bytes), np.uint8)

    def key(self) -> Bytes:
        return self.random(1, self.key_bytes)

    def same_plaintext(self) -> Bytes:
        return np.repeat(self.random(1, BLOCK_BYTES), SEQUENCE_BLOCKS, axis=0)


def _counter_mode(plan: Plan) -> Bytes:
    return encrypt(plan.key(), counters(SEQUENCE_BLOCKS), plan.rounds)


def _counter_mode_low_keys(plan: Plan) -> Bytes:
    key = low_weight(8 * plan.key_bytes, plan.number + 1)[-1:]
    return encrypt(key, counters(SEQUENCE_BLOCKS), plan.rounds)


def _cbc(plan: Plan) -> Bytes:
    return chain(plan.key(), plan.random(1, BLOCK_BYTES), SEQUENCE_BLOCKS, plan.rounds)


def _correlation(plan: Plan) -> Bytes:
    key, plaintexts = plan.key(), plan.random(SEQUENCE_BLOCKS, BLOCK_BYTES)
    return plaintexts ^ encrypt(key, plaintexts, plan.rounds)


def _plaintext_avalanche(plan: Plan) -> Bytes:
    key, base = plan.key(), plan.random(SEQUENCE_BLOCKS // (8 * BLOCK_BYTES), BLOCK_BYTES)
    one, other = one_bit_flips(base, SEQUENCE_BLOCKS)
    return encrypt(key, one, plan.rounds) ^ encrypt(key, other, plan.rounds)


def _key_avalanche(plan: Plan) -> Bytes:
    plaintexts = plan.same_plaintext()
    base = plan.random(-(-SEQUENCE_BLOCKS // (8 * plan.key_bytes)), plan.key_bytes)
    one, other = one_bit_flips(base, SEQUENCE_BLOCKS)
    return encrypt(one, plaintexts, plan.rounds) ^ encrypt(other, plaintexts, plan.rounds)


def _low_plaintexts(plan: Plan) -> Bytes:
    return encrypt(plan.key(), low_weight(8 * BLOCK_BYTES, SEQUENCE_BLOCKS), plan.rounds)


def _high_plaintexts(plan: Plan) -> Bytes:
    return encrypt(plan.key(), ~low_weight(8 * BLOCK_BYTES, SEQUENCE_BLOCKS), plan.rounds)


def _low_keys(plan: Plan) -> Bytes:
    keys = low_weight(8 * plan.key_bytes, SEQUENCE_BLOCKS)
    return encrypt(keys, plan.same_plaintext(), plan.rounds)


def _high_keys(plan: Plan) -> Bytes:
    keys = ~low_weight(8 * plan.key_bytes, SEQUENCE_BLOCKS)
    return encrypt(keys, plan.same_plaintext(), plan.rounds)


def _no_cipher(plan: Plan) -> Bytes:
    digest = hashlib.shake_128(plan.random(1, 32).tobytes()).digest(SEQUENCE_BLOCKS * BLOCK_BYTES)
    return np.frombuffer(digest, np.uint8).reshape(-1, BLOCK_BYTES)


NO_CIPHER = "SHAKE128, no cipher"

KINDS: dict[str, Callable[[Plan], Bytes]] = {
    "counter mode": _counter_mode,
    "counter mode, keys of low weight": _counter_mode_low_keys,
    "CBC of zero blocks": _cbc,
    "plaintext xor ciphertext": _correlation,
    "one plaintext bit changes": _plaintext_avalanche,
    "one key bit changes": _key_avalanche,
    "plaintexts of low weight": _low_plaintexts,
    "plaintexts of high weight": _high_plaintexts,
    "keys of low weight": _low_keys,
    "keys of high weight": _high_keys,
    NO_CIPHER: _no_cipher,
}


def stream(kind: str, key_bytes: int, rounds: int, first: int, count: int, seed: int) -> Bytes:
    """Sequences number `first` and following of a stream, 2^17 bytes each.

    The same numbers make the same keys and plaintexts for each number of rounds.
    """
    which = list(KINDS).index(kind)
    parts = [
        KINDS[kind](
            Plan(np.random.default_rng([seed, which, key_bytes, number]), number, key_bytes, rounds)
        )
        for number in range(first, first + count)
    ]
    return np.concatenate(parts).reshape(-1)


def constant_bits(data: Bytes) -> int:
    """How many of the 128 bits of a block all blocks of the first sequence have alike."""
    blocks = data.reshape(-1, BLOCK_BYTES)[:SEQUENCE_BLOCKS]
    changing = np.bitwise_or.reduce(blocks ^ blocks[0], axis=0)
    return 8 * BLOCK_BYTES - int(np.unpackbits(changing).sum())
