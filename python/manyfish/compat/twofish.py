# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The package `twofish` 0.3 of PyPI: keys and single blocks.

>>> from manyfish.compat.twofish import Twofish
>>> cipher = Twofish(b"*secret*")
>>> cipher.decrypt(cipher.encrypt(b"YELLOWSUBMARINES"))
b'YELLOWSUBMARINES'

`install()` lets programs that say `from twofish import Twofish` run as they are.

A block cipher by itself protects nothing: equal blocks stay equal, and changes go unnoticed. New
programs take `manyfish.aead.TwofishOCB`.
"""

from __future__ import annotations

import sys

from manyfish import Twofish as _Twofish
from manyfish._calls import NoCopy

__all__ = ["Twofish", "install"]

_BLOCK_BYTES = 16
_KEY_BYTES = (16, 24, 32)


class Twofish(NoCopy):
    """A key of 1 to 32 bytes, zeros added at its end up to 16, 24 or 32 bytes.

    ValueError for other lengths, TypeError for text.
    """

    def __init__(self, key: bytes) -> None:
        if not 0 < len(key) <= _KEY_BYTES[-1]:
            raise ValueError(f"invalid key length: expected 1 to 32 bytes, found {len(key)}")
        _require_bytes("the key", key)
        full = bytearray(next(n for n in _KEY_BYTES if n >= len(key)))
        try:
            memoryview(full)[: len(key)] = key
            self._cipher = _Twofish.new(full, _Twofish.MODE_ECB)
        finally:
            full[:] = bytes(len(full))

    def encrypt(self, data: bytes) -> bytes:
        """Encrypt one block of 16 bytes.

        ValueError for other lengths, TypeError for text.
        """
        result: bytes = self._cipher.encrypt(_block(data))
        return result

    def decrypt(self, data: bytes) -> bytes:
        """Decrypt one block of 16 bytes.

        ValueError for other lengths, TypeError for text.
        """
        result: bytes = self._cipher.decrypt(_block(data))
        return result


def install() -> None:
    """Make `import twofish` mean this module, for the rest of the process.

    RuntimeError if the package `twofish` was imported before: who has it keeps it.
    """
    this = sys.modules[__name__]
    if sys.modules.setdefault("twofish", this) is not this:
        raise RuntimeError(
            "the package twofish is imported already: "
            "expected manyfish.compat.twofish.install() before that"
        )


def _block(data: bytes) -> bytes:
    if len(data) != _BLOCK_BYTES:
        raise ValueError(f"invalid block length: expected 16 bytes, found {len(data)}")
    _require_bytes("the block", data)
    return data


def _require_bytes(what: str, data: object) -> None:
    if isinstance(data, str):
        raise TypeError(f"{what} is text, expected bytes; encode() makes bytes of it")
