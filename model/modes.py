# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Modes of operation, written as their documents write them: CBC and CTR [SP800-38A, 6.2, 6.5] and
PKCS#7 padding [RFC5652, 6.3] over any block cipher, OCB [RFC7253] over one of 16-byte blocks.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from twofish import BLOCK_BYTES, xor

OCB_TAG_BYTES = 16


class BlockCipher(Protocol):
    block_bytes: int

    def encrypt(self, block: bytes) -> bytes: ...

    def decrypt(self, block: bytes) -> bytes: ...


class TagMismatchError(Exception):
    """The tag does not belong to this key, nonce, associated data and ciphertext."""


def blocks(data: bytes, n: int = BLOCK_BYTES) -> list[bytes]:
    """The data in blocks of n bytes, of which the last may be short."""
    return [data[i : i + n] for i in range(0, len(data), n)]


def _whole_blocks(data: bytes, n: int) -> list[bytes]:
    if len(data) % n:
        raise ValueError(f"CBC takes whole blocks of {n} bytes, not {len(data)} bytes")
    return blocks(data, n)


# --- CBC ---------------------------------------------------------------------------------------


def pad(data: bytes, block_bytes: int = BLOCK_BYTES) -> bytes:
    n = block_bytes - len(data) % block_bytes
    return data + bytes([n]) * n


def unpad(data: bytes, block_bytes: int = BLOCK_BYTES) -> bytes:
    n = data[-1] if data else 0
    if not 1 <= n <= block_bytes or not data.endswith(bytes([n]) * n):
        raise ValueError("the last block does not end in PKCS#7 padding")
    return data[:-n]


def cbc_encrypt(cipher: BlockCipher, iv: bytes, plaintext: bytes) -> bytes:
    C = [iv]
    for P in _whole_blocks(plaintext, cipher.block_bytes):
        C.append(cipher.encrypt(xor(P, C[-1])))
    return b"".join(C[1:])


def cbc_decrypt(cipher: BlockCipher, iv: bytes, ciphertext: bytes) -> bytes:
    C = [iv, *_whole_blocks(ciphertext, cipher.block_bytes)]
    return b"".join(xor(cipher.decrypt(C[j]), C[j - 1]) for j in range(1, len(C)))


# --- CTR ---------------------------------------------------------------------------------------


def counter_blocks(first: bytes, counter_bits: int) -> Iterator[bytes]:
    """T_1, T_2, ..: the last counter_bits of the block count up, modulo their power of two."""
    T = int.from_bytes(first, "big")
    modulus = 1 << counter_bits
    while True:
        yield T.to_bytes(len(first), "big")
        T = T - T % modulus + (T + 1) % modulus


def ctr_crypt(
    cipher: BlockCipher, iv: bytes, data: bytes, counter_bits: int | None = None
) -> bytes:
    """Encrypts or decrypts, which is the same. Without counter_bits the whole block counts."""
    n = cipher.block_bytes
    counters = counter_blocks(iv, counter_bits or 8 * n)
    return b"".join(xor(P, cipher.encrypt(T)) for P, T in zip(blocks(data, n), counters))


# --- OCB ---------------------------------------------------------------------------------------


def double(block: bytes) -> bytes:
    """The block times x in GF(2^128) [RFC7253, 2] or GF(2^64) [SP800-38B, 5.3]."""
    bits = 8 * len(block)
    number = int.from_bytes(block, "big") << 1
    if number >> bits:
        number ^= 1 << bits | {64: 0x1B, 128: 0x87}[bits]
    return number.to_bytes(len(block), "big")


def ntz(i: int) -> int:
    """The number of trailing zero bits of i > 0."""
    return (i & -i).bit_length() - 1


class Ocb:
    """AEAD_TWOFISH_OCB_TAGLEN128 in the words of [RFC7253, 4]."""

    def __init__(self, cipher: BlockCipher) -> None:
        self.cipher = cipher
        self.L_star = cipher.encrypt(bytes(BLOCK_BYTES))
        self.L_dollar = double(self.L_star)

    def L(self, i: int) -> bytes:
        result = double(self.L_dollar)
        for _ in range(i):
            result = double(result)
        return result

    def initial_offset(self, nonce: bytes) -> bytes:
        """Offset_0 [RFC7253, 4.2]"""
        if not 1 <= len(nonce) <= 15:
            raise ValueError(f"an OCB nonce has 1 to 15 bytes, this one has {len(nonce)}")
        tag_bits = 8 * OCB_TAG_BYTES % 128
        block = tag_bits << 121 | 1 << 8 * len(nonce) | int.from_bytes(nonce, "big")
        bottom = block % 64
        K_top = self.cipher.encrypt((block - bottom).to_bytes(BLOCK_BYTES, "big"))
        stretch = int.from_bytes(K_top + xor(K_top[:8], K_top[1:9]), "big")
        return (stretch >> (64 - bottom) & (1 << 128) - 1).to_bytes(BLOCK_BYTES, "big")

    def hash(self, associated_data: bytes) -> bytes:
        """HASH(K, A) [RFC7253, 4.1]"""
        total, offset = bytes(BLOCK_BYTES), bytes(BLOCK_BYTES)
        for i, A in enumerate(blocks(associated_data), 1):
            if len(A) == BLOCK_BYTES:
                offset = xor(offset, self.L(ntz(i)))
            else:
                offset = xor(offset, self.L_star)
                A = (A + b"\x80").ljust(BLOCK_BYTES, b"\0")
            total = xor(total, self.cipher.encrypt(xor(A, offset)))
        return total

    def _crypt(self, nonce: bytes, data: bytes, decrypting: bool) -> tuple[bytes, bytes]:
        """The other text, and the tag except the associated data [RFC7253, 4.2, 4.3]."""
        one_block = self.cipher.decrypt if decrypting else self.cipher.encrypt
        offset, checksum, out = self.initial_offset(nonce), bytes(BLOCK_BYTES), b""
        for i, X in enumerate(blocks(data), 1):
            if len(X) == BLOCK_BYTES:
                offset = xor(offset, self.L(ntz(i)))
                Y = xor(one_block(xor(X, offset)), offset)
                P = Y if decrypting else X
            else:
                offset = xor(offset, self.L_star)
                Y = xor(X, self.cipher.encrypt(offset))
                P = ((Y if decrypting else X) + b"\x80").ljust(BLOCK_BYTES, b"\0")
            checksum = xor(checksum, P)
            out += Y
        return out, self.cipher.encrypt(xor(xor(checksum, offset), self.L_dollar))

    def encrypt(
        self, nonce: bytes, associated_data: bytes, plaintext: bytes
    ) -> tuple[bytes, bytes]:
        """Ciphertext and tag [RFC7253, 4.2]."""
        ciphertext, tag = self._crypt(nonce, plaintext, decrypting=False)
        return ciphertext, xor(tag, self.hash(associated_data))

    def decrypt(self, nonce: bytes, associated_data: bytes, ciphertext: bytes, tag: bytes) -> bytes:
        """The plaintext, or TagMismatchError [RFC7253, 4.3]."""
        plaintext, expected = self._crypt(nonce, ciphertext, decrypting=True)
        if tag != xor(expected, self.hash(associated_data)):
            raise TagMismatchError
        return plaintext
