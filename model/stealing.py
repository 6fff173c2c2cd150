# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The modes with ciphertext stealing: CBC-CS1, CBC-CS2 and CBC-CS3 [Dworkin10] over any block
cipher, and XTS [IEEE1619] over one of 16-byte blocks.
"""

from __future__ import annotations

from modes import BlockCipher, blocks, cbc_decrypt, cbc_encrypt
from twofish import BLOCK_BYTES, xor

CTS_VARIANTS = ("cs1", "cs2", "cs3")


def _at_least_a_block(data: bytes, n: int) -> None:
    if len(data) < n:
        raise ValueError(f"stealing takes {n} bytes or more, not {len(data)}")


# --- CBC ---------------------------------------------------------------------------------------


def _swaps(variant: str, n_blocks: int, is_whole: bool) -> bool:
    """Does C_n stand before C*_(n-1), the last plaintext block being whole or not?"""
    return n_blocks > 1 and (variant == "cs3" or (variant == "cs2" and not is_whole))


def cbc_cs_encrypt(cipher: BlockCipher, iv: bytes, plaintext: bytes, variant: str) -> bytes:
    n = cipher.block_bytes
    _at_least_a_block(plaintext, n)
    n_blocks = len(blocks(plaintext, n))
    d = len(blocks(plaintext, n)[-1])
    C = blocks(cbc_encrypt(cipher, iv, plaintext + bytes(n - d)), n)
    if n_blocks > 1:
        C[-2] = C[-2][:d]
    if _swaps(variant, n_blocks, d == n):
        C[-2:] = C[-1], C[-2]
    return b"".join(C)


def cbc_cs_decrypt(cipher: BlockCipher, iv: bytes, ciphertext: bytes, variant: str) -> bytes:
    n = cipher.block_bytes
    _at_least_a_block(ciphertext, n)
    n_blocks = len(blocks(ciphertext, n))
    d = len(blocks(ciphertext, n)[-1])
    if n_blocks == 1:
        return cbc_decrypt(cipher, iv, ciphertext)
    head, tail = ciphertext[: -n - d], ciphertext[-n - d :]
    if _swaps(variant, n_blocks, d == n):
        last, cut = tail[:n], tail[n:]
    else:
        cut, last = tail[:d], tail[d:]
    Z = cipher.decrypt(last)
    return cbc_decrypt(cipher, iv, head + cut + Z[d:]) + xor(cut, Z[:d])


# --- XTS ---------------------------------------------------------------------------------------


def times_alpha(block: bytes) -> bytes:
    """The block times the primitive element of GF(2^128), byte by byte [IEEE1619, 5.2]."""
    carry, out = 0, []
    for a in block:
        out.append(a << 1 & 0xFF | carry)
        carry = a >> 7
    out[0] ^= 135 * carry
    return bytes(out)


class Xts:
    """One key: Key1 for the data and Key2 for the tweaks."""

    def __init__(self, key_1: BlockCipher, key_2: BlockCipher) -> None:
        self.key_1 = key_1
        self.key_2 = key_2

    def tweaks(self, number: int, n_blocks: int) -> list[bytes]:
        """T of the blocks j = 0, 1, .. of the data unit with this number."""
        T = [self.key_2.encrypt(number.to_bytes(BLOCK_BYTES, "little"))]
        while len(T) < n_blocks:
            T.append(times_alpha(T[-1]))
        return T

    def _crypt(self, number: int, data: bytes, decrypting: bool) -> bytes:
        _at_least_a_block(data, BLOCK_BYTES)
        P = blocks(data)
        T = self.tweaks(number, len(P))

        def block(X: bytes, j: int) -> bytes:
            crypt = self.key_1.decrypt if decrypting else self.key_1.encrypt
            return xor(crypt(xor(X, T[j])), T[j])

        b = len(P[-1])
        if b == BLOCK_BYTES:
            return b"".join(block(X, j) for j, X in enumerate(P))
        m = len(P) - 1
        first, second = (m, m - 1) if decrypting else (m - 1, m)
        CC = block(P[m - 1], first)
        PP = P[m] + CC[b:]
        whole = b"".join(block(X, j) for j, X in enumerate(P[: m - 1]))
        return whole + block(PP, second) + CC[:b]

    def encrypt(self, number: int, plaintext: bytes) -> bytes:
        """The data unit with this number [IEEE1619, 5.3.2]."""
        return self._crypt(number, plaintext, decrypting=False)

    def decrypt(self, number: int, ciphertext: bytes) -> bytes:
        """[IEEE1619, 5.4.2]"""
        return self._crypt(number, ciphertext, decrypting=True)
