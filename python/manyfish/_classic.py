# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Cipher objects of the modes without authentication."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._manyfish import Cbc, Ctr, Ecb, Key

if TYPE_CHECKING:
    from typing_extensions import Buffer


class EcbMode:
    """Each block by itself."""

    def __init__(self, key: Key) -> None:
        self.block_size = key.block_size
        self._ecb = Ecb(key)
        self.encrypt = self._ecb.encrypt
        self.decrypt = self._ecb.decrypt


class CbcMode:
    """Each block is mixed with the ciphertext before it."""

    def __init__(self, key: Key, iv: Buffer) -> None:
        self.block_size = key.block_size
        self.iv = self.IV = bytes(iv)
        self._cbc = Cbc(key, iv)
        self._forward: bool | None = None

    def encrypt(self, plaintext: Buffer, output: Buffer | None = None) -> bytes | None:
        """Encrypt whole blocks."""
        if self._forward is False:
            raise TypeError("encrypt() cannot be called after decrypt()")
        self._forward = True
        return self._cbc.encrypt(plaintext, output)

    def decrypt(self, ciphertext: Buffer, output: Buffer | None = None) -> bytes | None:
        """Decrypt whole blocks."""
        if self._forward is True:
            raise TypeError("decrypt() cannot be called after encrypt()")
        self._forward = False
        return self._cbc.decrypt(ciphertext, output)


class CtrMode:
    """A key stream from a counter."""

    def __init__(self, key: Key, nonce: bytes, counter: bytes) -> None:
        self.block_size = key.block_size
        self.nonce = nonce
        self._ctr = Ctr(key, nonce + counter)
        self.encrypt = self._ctr.crypt
        self.decrypt = self._ctr.crypt
