# SPDX-License-Identifier: Apache-2.0 OR MIT
"""GCM over any 16-byte block cipher, in the words of [SP800-38D]. Blocks are numbers of 128 bits,
of which the highest is the leftmost bit of the block, x_0.
"""

from __future__ import annotations

from modes import BlockCipher, TagMismatchError, blocks, ctr_crypt
from twofish import BLOCK_BYTES, xor

TAG_SIZES = (4, 8, 12, 13, 14, 15, 16)
R = 0b11100001 << 120


def multiply(X: int, Y: int) -> int:
    """The product of two blocks [SP800-38D, 6.3]."""
    Z, V = 0, Y
    for i in range(128):
        if X >> (127 - i) & 1:
            Z ^= V
        V = V >> 1 ^ (R if V & 1 else 0)
    return Z


def ghash(H: bytes, data: bytes) -> bytes:
    """GHASH_H of whole blocks [SP800-38D, 6.4]."""
    if len(data) % BLOCK_BYTES:
        raise ValueError(f"GHASH takes whole blocks, not {len(data)} bytes")
    Y = 0
    for X in blocks(data):
        Y = multiply(Y ^ int.from_bytes(X, "big"), int.from_bytes(H, "big"))
    return Y.to_bytes(BLOCK_BYTES, "big")


def fill(data: bytes) -> bytes:
    """With zeros, as few as there can be, to whole blocks."""
    return data + bytes(-len(data) % BLOCK_BYTES)


def bit_length(data: bytes) -> bytes:
    """[len(X)]_64"""
    return (8 * len(data)).to_bytes(8, "big")


def inc32(block: bytes) -> bytes:
    """The last 32 bits count up, modulo 2^32 [SP800-38D, 6.2]."""
    return block[:12] + ((int.from_bytes(block[12:], "big") + 1) % 2**32).to_bytes(4, "big")


class Gcm:
    """GCM-AE and GCM-AD [SP800-38D, 7.1, 7.2]; GCTR [6.5] is CTR with 32 counter bits."""

    def __init__(self, cipher: BlockCipher, tag_bytes: int = BLOCK_BYTES) -> None:
        if tag_bytes not in TAG_SIZES:
            raise ValueError(f"a GCM tag has 4, 8, or 12 to 16 bytes, not {tag_bytes}")
        self.cipher, self.tag_bytes = cipher, tag_bytes
        self.H = cipher.encrypt(bytes(BLOCK_BYTES))

    def first_counter(self, iv: bytes) -> bytes:
        """J_0"""
        if not iv:
            raise ValueError("a GCM IV has at least one byte")
        if len(iv) == 12:
            return iv + bytes([0, 0, 0, 1])
        return ghash(self.H, fill(iv) + bytes(8) + bit_length(iv))

    def _tag(self, J0: bytes, A: bytes, C: bytes) -> bytes:
        S = ghash(self.H, fill(A) + fill(C) + bit_length(A) + bit_length(C))
        return xor(S, self.cipher.encrypt(J0))[: self.tag_bytes]

    def encrypt(self, iv: bytes, A: bytes, P: bytes) -> tuple[bytes, bytes]:
        """Ciphertext and tag."""
        J0 = self.first_counter(iv)
        C = ctr_crypt(self.cipher, inc32(J0), P, 32)
        return C, self._tag(J0, A, C)

    def decrypt(self, iv: bytes, A: bytes, C: bytes, T: bytes) -> bytes:
        """The plaintext, or TagMismatchError."""
        J0 = self.first_counter(iv)
        if self._tag(J0, A, C) != T:
            raise TagMismatchError
        return ctr_crypt(self.cipher, inc32(J0), C, 32)
