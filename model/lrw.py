# SPDX-License-Identifier: Apache-2.0 OR MIT
"""LRW [LRW] over any 16-byte block cipher, with the tweaks of IEEE P1619's drafts: products of a
second key and the index of a block. XTS took its place.
"""

from __future__ import annotations

from collections.abc import Callable

from modes import BlockCipher, blocks
from twofish import BLOCK_BYTES, xor

BITS = 8 * BLOCK_BYTES
MODULUS = 1 << BITS | 1 << 7 | 1 << 2 | 1 << 1 | 1


def multiply(a: int, b: int) -> int:
    """The product in GF(2^128); bit i of a number is the coefficient of x^i."""
    product = 0
    for i in range(BITS):
        if b >> i & 1:
            product ^= a << i
    for i in reversed(range(BITS, 2 * BITS)):
        if product >> i & 1:
            product ^= MODULUS << (i - BITS)
    return product


class Lrw:
    """One key: Key1 of the cipher, and Key2 for the tweaks."""

    def __init__(self, key_1: BlockCipher, key_2: bytes) -> None:
        self.key_1 = key_1
        self.key_2 = int.from_bytes(key_2, "big")

    def tweak(self, index: int) -> bytes:
        """T of the block with this index, modulo 2^128."""
        return multiply(self.key_2, index % 2**BITS).to_bytes(BLOCK_BYTES, "big")

    def _masked(self, crypt: Callable[[bytes], bytes], index: int, data: bytes) -> bytes:
        if len(data) % BLOCK_BYTES:
            raise ValueError(f"LRW takes whole blocks, not {len(data)} bytes")
        tweaks = (self.tweak(index + i) for i in range(len(data) // BLOCK_BYTES))
        return b"".join(xor(crypt(xor(X, T)), T) for X, T in zip(blocks(data), tweaks))

    def encrypt(self, index: int, plaintext: bytes) -> bytes:
        """Blocks whose indices count up from this one."""
        return self._masked(self.key_1.encrypt, index, plaintext)

    def decrypt(self, index: int, ciphertext: bytes) -> bytes:
        return self._masked(self.key_1.decrypt, index, ciphertext)
