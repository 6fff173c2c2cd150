# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Sums over sets of texts: of Twofish where the sets are small, of the scale model over all texts.

Bits of a result: bit n is bit n % 32 of word n // 32 of the ciphertext. Twofish is without
whitening, which changes no sum.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from manyfish_lab import scaled, twofish
from manyfish_lab.whole_key import rol

Words = NDArray[np.uint32]
TOP = np.uint32(1 << 31)

# --- Twofish -----------------------------------------------------------------------------------


def bits(blocks: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The bits of words 0 and 1 of each block."""
    return np.unpackbits(blocks[..., :8], axis=-1, bitorder="little")


def byte_sum(random: np.random.Generator, rounds: int, first: int) -> NDArray[np.int64]:
    """The sum over all values of 8 bits of R2, for a random key and random other bits."""
    texts = np.tile(np.frombuffer(random.bytes(16), np.uint8), (256, 1))
    texts.view("<u4")[:, 2] ^= np.arange(256, dtype=np.uint32) << np.uint32(first)
    cipher = twofish.Variant(random.bytes(16), rounds, whitening=False)
    return bits(np.bitwise_xor.reduce(cipher.encrypt(texts), axis=0)).astype(np.int64)


def middle_sums(
    key: bytes, block: Words, values: Words, before: int, after: int
) -> NDArray[np.uint8]:
    """The sums over texts that have these values added to R2 after some rounds, for each bit.

    A row for the plaintexts, and one for the ciphertexts after all rounds.
    """
    texts = np.tile(block[[2, 3, 0, 1]].astype("<u4"), (len(values), 1))  # as a ciphertext
    texts[:, 0] ^= values
    first = twofish.Variant(key, before, whitening=False).decrypt(texts.view(np.uint8))
    last = twofish.Variant(key, before + after, whitening=False).encrypt(first)
    sums = [np.bitwise_xor.reduce(each.view("<u8"), axis=0) for each in (first, last)]
    return bits(np.array(sums).view(np.uint8))


def products_of_seven(key: bytes) -> NDArray[np.bool_]:
    """[box, bit, output]: whether the product of all inputs but this bit is in this output."""
    boxes, x = twofish.boxes(twofish.sbox_key(key)), np.arange(256)
    sums = [np.bitwise_xor.reduce(boxes[:, x >> bit & 1 == 0], axis=1) for bit in range(8)]
    found = np.unpackbits(np.array(sums)[..., None], axis=2).transpose(1, 0, 2)
    return found.astype(np.bool_)


def round_function(key: bytes, R0: Words, R1: Words) -> tuple[Words, Words]:
    """F of the first round."""
    S, K = twofish.sbox_key(key), twofish.subkeys(key, 8, 2)
    T0, T1 = twofish.h(R0, S), twofish.h(rol(R1, 8), S)
    return T0 + T1 + K[0], T0 + (T1 << np.uint32(1)) + K[1]


def before_mds(word: int) -> int:
    """The input of MDS with this output."""
    rows: dict[int, tuple[int, int]] = {}  # by their leading bits: outputs, with their inputs
    for bit in range(32):
        out, into = twofish.mds(1 << bit), 1 << bit
        while out and out.bit_length() in rows:
            other = rows[out.bit_length()]
            out, into = out ^ other[0], into ^ other[1]
        rows[out.bit_length()] = out, into
    found = 0
    while word:
        out, into = rows[word.bit_length()]
        word, found = word ^ out, found ^ into
    return found


def other_top(key: bytes, R1: Words) -> Words:
    """Words whose T1 = g(rol(R1, 8)) differs from that of R1 in the top bit alone."""
    boxes = twofish.boxes(twofish.sbox_key(key))
    inverse = np.argsort(boxes, axis=1).astype(np.uint8)
    change = before_mds(1 << 31).to_bytes(4, "little")
    x = np.ascontiguousarray(rol(R1, 8)).view(np.uint8).reshape(-1, 4)
    y = np.array([inverse[i][boxes[i][x[:, i]] ^ change[i]] for i in range(4)]).T
    return rol(np.ascontiguousarray(y).view("<u4")[:, 0], 24)


def partners(key: bytes, texts: Words) -> Words:
    """For each text, a row of four words, the one that the second round takes to the same half.

    T1 of the second round differs in its top bit, and so does R0 of the text.
    """
    R0, R1, R2, R3 = texts.T
    F0, F1 = round_function(key, R0, R1)
    first, second = R2 ^ F0, other_top(key, rol(R3, 1) ^ F1)
    F0, F1 = round_function(key, R0 ^ TOP, R1)
    return np.array([R0 ^ TOP, R1, first ^ F0, rol(second ^ F1, 31)]).T


def differing(key: bytes, rounds: int, one: Words, other: Words) -> NDArray[np.int64]:
    """For each bit the pairs of texts whose ciphertexts differ in it."""
    cipher = twofish.Variant(key, rounds, whitening=False)
    first, second = (
        cipher.encrypt(np.ascontiguousarray(texts, "<u4").view(np.uint8)) for texts in (one, other)
    )
    found: NDArray[np.int64] = bits(first ^ second).sum(axis=0, dtype=np.int64)
    return found


# --- the scale model ---------------------------------------------------------------------------


def rounds_of(cipher: scaled.Scaled) -> list[Words]:
    """For each round and left half: what is added to the right half, and it as a right half.

    A half is word 0 and 2^8 times word 1; the second one is in the high 16 bits, rotated.
    """
    word, rol = _halves(), cipher.rol
    moved = rol(word[0], 7) | rol(word[1], 1) << np.uint32(8)
    sums = (cipher.F(word, K) for K in cipher.K)
    return [rol(F0, 7) | F1 << np.uint32(8) | moved << np.uint32(16) for F0, F1 in sums]


def rounds_back(cipher: scaled.Scaled, rounds: int) -> list[Words]:
    """The same for decryption from after that round, where the right half goes into F."""
    word, rol = _halves(), cipher.rol
    moved = rol(word[0], 1) | rol(word[1], 7) << np.uint32(8)
    sums = (cipher.F(word, K) for K in cipher.K[:rounds][::-1])
    return [F0 | rol(F1, 7) << np.uint32(8) | moved << np.uint32(16) for F0, F1 in sums]


def _halves() -> tuple[Words, Words]:
    both = np.arange(2**16, dtype=np.uint32)
    return both & np.uint32(255), both >> np.uint32(8)


def half_sums(tables: Sequence[Words], other: int) -> list[int]:
    """The sums of what goes into F after 3, 4, .. of these rounds.

    Before the first it takes all values, and the other half has this one.
    """
    high = np.uint32(16)
    after, right, found = np.arange(2**16, dtype=np.uint32), tables[0][[other]] >> high, []
    for table in tables:
        both = table[after]
        after, right = (both ^ right) & np.uint32(0xFFFF), both >> high
        found.append(int(np.bitwise_xor.reduce(after)))
    return found[2:]
