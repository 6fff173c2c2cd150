# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The key schedule of 128-bit keys on arrays of numpy, forwards, backwards, and with a family key.

Backwards it goes column by column: without MDS, byte j of A_i or B_i depends on two bytes of the
key only [Twofish98, 4.3.4], so all 2^16 sequences of 20 such bytes can be listed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from . import native, streams, twofish

Bytes = NDArray[np.uint8]
Words = NDArray[np.uint32]
Long = NDArray[np.int64]

PAIRS = 20  # of subkeys; the first two whiten the input, the next two the output
ROUND_PAIRS = slice(4, PAIRS)
KEY_BYTES = 16
FAMILY_KEY_BYTES = 32
CHOICES = 1 << 16

_column_sequences = native.checked("lab_column_sequences", native.output(np.uint8))


@cache
def columns() -> Bytes:
    """[e][j][l0 + 256 * l1][i]: byte j of A_i (e = 0) or B_i (1) without MDS and rotation.

    l0 and l1 are byte j of M_0 and M_2 for A_i, of M_1 and M_3 for B_i.
    """
    table = np.empty((2, 4, CHOICES, PAIRS), np.uint8)
    _column_sequences(table)
    return table


# --- MDS and RS as sums of table entries ---------------------------------------------------------


def _inverse(images: list[int]) -> list[int]:
    """The inverse of a linear map of 32 bits, which is given by the image of each bit."""
    rows = [(image, 1 << bit) for bit, image in enumerate(images)]
    for bit in range(32):
        pivot = next(i for i in range(bit, 32) if rows[i][0] >> bit & 1)
        rows[bit], rows[pivot] = rows[pivot], rows[bit]
        image, source = rows[bit]
        for i, (other, other_source) in enumerate(rows):
            if i != bit and other >> bit & 1:
                rows[i] = (other ^ image, other_source ^ source)
    return [source for _, source in rows]


def _byte_tables(images: list[int]) -> Words:
    """The images of the 256 values of each byte of the input."""
    tables = np.zeros((len(images) // 8, 256), np.uint32)
    values = np.arange(256)
    for bit, image in enumerate(images):
        tables[bit // 8] ^= np.where(values >> bit % 8 & 1, image, 0).astype(np.uint32)
    return tables


@cache
def _mds() -> tuple[Words, Words]:
    """MDS and its inverse."""
    images = [twofish.mds(1 << bit) for bit in range(32)]
    return _byte_tables(images), _byte_tables(_inverse(images))


@cache
def rs_images() -> list[int]:
    """RS times each bit of eight bytes."""
    return [twofish.rs((1 << bit).to_bytes(8, "little")) for bit in range(64)]


def _sum(tables: Words, parts: Bytes) -> Words:
    """Of the table entries that the last axis selects."""
    total = np.zeros(parts.shape[:-1], np.uint32)
    for j, table in enumerate(tables):
        total ^= table[parts[..., j]]
    return total


def _bytes(words: Words) -> Bytes:
    return np.ascontiguousarray(words).astype("<u4").view(np.uint8).reshape(*words.shape, 4)


def _rotated(words: Words, left: int) -> Words:
    n = left % 32
    return words if n == 0 else words << np.uint32(n) | words >> np.uint32(32 - n)


# --- forwards ------------------------------------------------------------------------------------


def choices(keys: Bytes) -> Long:
    """[n][e][j]: which sequence of `columns` each column has, for rows of 16 key bytes."""
    M = keys.astype(np.int64).reshape(-1, 4, 4)
    return np.stack([M[:, 0] + 256 * M[:, 2], M[:, 1] + 256 * M[:, 3]], axis=1)


def keys_of(chosen: Long) -> Bytes:
    """The keys of such choices."""
    M = np.stack(
        [chosen[:, 0] & 255, chosen[:, 1] & 255, chosen[:, 0] >> 8, chosen[:, 1] >> 8], axis=1
    )
    return M.reshape(-1, KEY_BYTES).astype(np.uint8)


def subkeys(keys: Bytes) -> Words:
    """[n][40]: K_0 to K_39 of each key [Twofish98, 4.3.4]."""
    chosen = choices(keys)
    halves = []
    for e in range(2):
        parts = np.stack([columns()[e, j, chosen[:, e, j]] for j in range(4)], axis=-1)
        halves.append(_sum(_mds()[0], parts))
    A, B = halves[0], _rotated(halves[1], 8)
    K = np.empty((len(keys), 2 * PAIRS), np.uint32)
    K[:, 0::2] = A + B
    K[:, 1::2] = _rotated(A + B + B, 9)
    return K


def sbox_keys(keys: Bytes) -> Words:
    """[n][2]: the list S of each key, the word that h applies last first [Twofish98, 4.3]."""
    tables = _byte_tables(rs_images())
    return np.stack([_sum(tables, keys[:, 8:]), _sum(tables, keys[:, :8])], axis=1)


# --- backwards -----------------------------------------------------------------------------------


def column_bytes(K: Words) -> Bytes:
    """[n][e][j][i]: what the columns must have given for these subkeys."""
    B = _rotated(K[:, 1::2], -9) - K[:, 0::2]
    A = K[:, 0::2] - B
    halves = np.stack([A, _rotated(B, -8)], axis=1)
    return np.moveaxis(_bytes(_sum(_mds()[1], _bytes(halves))), -1, 2)


def _packed(eight: Bytes) -> NDArray[np.uint64]:
    return np.ascontiguousarray(eight).view("<u8")[..., 0]


@cache
def _sorted_columns() -> list[tuple[NDArray[np.uint64], Long]]:
    """For each column: its sequences over the first eight rounds in order, and whose they are."""
    found = []
    for sequences in columns().reshape(8, CHOICES, PAIRS):
        packed = _packed(sequences[:, 4:12])
        order = np.argsort(packed, kind="stable")
        values = packed[order]
        if (values[1:] == values[:-1]).any():
            raise ValueError("two keys give a column the same bytes in eight rounds")
        found.append((values, order.astype(np.int64)))
    return found


def solve(K: Words) -> tuple[Long, NDArray[np.bool_]]:
    """Which key bytes give the round subkeys K_8 to K_39, column by column.

    The choices, [n][e][j], and where there is one: no other choice gives the 16 bytes of a column,
    and none at all where the answer is false.
    """
    wanted = column_bytes(K).reshape(-1, 8, PAIRS)
    found = np.empty((len(K), 8), np.int64)
    fits = np.empty((len(K), 8), np.bool_)
    for c, (values, order) in enumerate(_sorted_columns()):
        place = np.searchsorted(values, _packed(wanted[:, c, 4:12]))
        found[:, c] = order[np.minimum(place, CHOICES - 1)]
        sequences = columns().reshape(8, CHOICES, PAIRS)[c, found[:, c]]
        fits[:, c] = (sequences[:, ROUND_PAIRS] == wanted[:, c, ROUND_PAIRS]).all(axis=1)
    return found.reshape(-1, 2, 4), fits.reshape(-1, 2, 4)


# --- family keys ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Steps:
    """Which steps of Twofish-FK are taken [Twofish98, 11.8]; all of them are Twofish-FK.

    subkey_key  T_0 is XORed into the key before the subkeys are made
    sbox_key    T_1 as well before S is made, which takes T_0 out again
    q0          and each byte of that then passes through q0
    whitening   T_2 and T_3 are XORed into K_0 to K_7
    rounds      T_4 is XORed into each round's two subkeys
    """

    subkey_key: bool = True
    sbox_key: bool = True
    q0: bool = True
    whitening: bool = True
    rounds: bool = True


def family_blocks(family_keys: Bytes) -> Bytes:
    """[n][5][16]: E_FK(0) to E_FK(4), from which T_1 to T_4 are made."""
    counts = np.zeros((len(family_keys), 5, 16), np.uint8)
    counts[:, :, 0] = np.arange(5)
    return streams.encrypt(family_keys, counts.reshape(-1, 16)).reshape(-1, 5, 16)


def _sbox_material(keys: Bytes, family_keys: Bytes, E: Bytes, steps: Steps) -> Bytes:
    T0 = family_keys[:, :KEY_BYTES]
    material = keys ^ T0 if steps.subkey_key else keys
    if steps.sbox_key:
        material = material ^ E[:, 0] ^ T0
    return twofish.q()[0][material] if steps.q0 else material


def _constants(E: Bytes, steps: Steps) -> Words:
    """[n][40]: what is XORed into K_0 to K_39."""
    T = np.ascontiguousarray(E[:, 2:]).view("<u4").reshape(-1, 12).astype(np.uint32)
    constants = np.concatenate([T[:, :8], np.tile(T[:, 8:10], PAIRS - 4)], axis=1)
    constants[:, :8] *= steps.whitening
    constants[:, 8:] *= steps.rounds
    return constants


def in_family(keys: Bytes, family_keys: Bytes, steps: Steps) -> tuple[Words, Words]:
    """The subkeys, [n][40], and S, [n][2], of each key under the family key of the same row."""
    E = family_blocks(family_keys)
    K = subkeys(keys ^ family_keys[:, :KEY_BYTES] if steps.subkey_key else keys)
    return K ^ _constants(E, steps), sbox_keys(_sbox_material(keys, family_keys, E, steps))


def solve_in_family(K: Words, family_keys: Bytes, steps: Steps) -> tuple[Bytes, NDArray[np.bool_]]:
    """Which keys have these round subkeys under the family key of the same row, and whether any."""
    chosen, fits = solve(K ^ _constants(family_blocks(family_keys), steps))
    T0 = family_keys[:, :KEY_BYTES] * np.uint8(steps.subkey_key)
    return keys_of(chosen) ^ T0, np.asarray(fits.all(axis=(1, 2)))


def encrypt_block(K: Words, S: Words, block: bytes) -> bytes:
    """One block with given subkeys and S [Twofish98, 4]."""
    mask = 0xFFFFFFFF
    k = [int(x) for x in K]
    P = [int.from_bytes(block[i : i + 4], "little") for i in range(0, 16, 4)]
    R = [x ^ k[i] for i, x in enumerate(P)]
    for r in range(16):
        T0, T1 = (int(x) for x in twofish.h([R[0], (R[1] << 8 | R[1] >> 24) & mask], S))
        F0, F1 = (T0 + T1 + k[2 * r + 8]) & mask, (T0 + 2 * T1 + k[2 * r + 9]) & mask
        x, y = R[2] ^ F0, (R[3] << 1 | R[3] >> 31) & mask
        R = [(x >> 1 | x << 31) & mask, y ^ F1, R[0], R[1]]
    return b"".join((R[(i + 2) % 4] ^ k[i + 4]).to_bytes(4, "little") for i in range(4))
