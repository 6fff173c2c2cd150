# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Lets pykeepass open and save Twofish databases at full speed.

pykeepass carries a Twofish in Python, whose rate falls with the size of the database. One call
replaces it:

    import manyfish.compat.pykeepass
    from pykeepass import PyKeePass

    manyfish.compat.pykeepass.install()
    database = PyKeePass("passwords.kdbx", password="...")

Databases under AES and ChaCha20 stay as they are.
"""

from __future__ import annotations

import importlib
from typing import Any

from manyfish import Twofish as _Twofish
from manyfish._calls import NoCopy

__all__ = ["Twofish", "install", "uninstall"]

_BLOCK_BYTES = 16
_COMMON = "pykeepass.kdbx_parsing.common"


class Twofish(NoCopy):
    """The class of that name inside pykeepass, with the modes that work there: CBC and ECB.

    Data come in pieces of any length; what does not fill a block waits for the next piece. An
    object encrypts or decrypts, not both: TypeError.
    """

    MODE_ECB = 1
    MODE_CBC = 2
    blocksize = _BLOCK_BYTES

    def __init__(self, key: bytes, mode: int, IV: bytes | None = None) -> None:
        """Expand a key of 16, 24 or 32 bytes; IV has 16 bytes, zeros without it.

        ValueError for other lengths and modes.
        """
        self.mode = mode
        if mode == self.MODE_ECB:
            self._cipher: Any = _Twofish.new(key, _Twofish.MODE_ECB)
        elif mode == self.MODE_CBC:
            iv = bytes(_BLOCK_BYTES) if IV is None else IV
            self._cipher = _Twofish.new(key, _Twofish.MODE_CBC, iv=iv)
        else:
            raise ValueError(f"unknown mode {mode}: expected MODE_ECB (1) or MODE_CBC (2)")
        self._waiting = b""
        self._decrypts: bool | None = None

    @classmethod
    def new(
        cls,
        key: bytes,
        mode: int = MODE_ECB,
        IV: bytes | None = None,
        counter: object = None,
        segment_size: object = None,
    ) -> Twofish:
        """Make an object; `counter` and `segment_size` belong to modes that are not here."""
        return cls(key, mode, IV)

    def encrypt(self, plaintext: bytes, n: object = "") -> bytes:
        """Encrypt the whole blocks of what came so far; `n` is ignored outside of XTS."""
        return self._update(plaintext, decrypts=False)

    def decrypt(self, ciphertext: bytes, n: object = "") -> bytes:
        """Decrypt the whole blocks of what came so far; `n` is ignored outside of XTS."""
        return self._update(ciphertext, decrypts=True)

    def _update(self, data: bytes, *, decrypts: bool) -> bytes:
        if self._decrypts not in (None, decrypts):
            raise TypeError("an object either encrypts or decrypts: expected a new object")
        self._decrypts = decrypts
        if self._waiting:
            data = self._waiting + data
        whole = len(data) - len(data) % _BLOCK_BYTES
        self._waiting = bytes(data[whole:])
        blocks = data if whole == len(data) else memoryview(data)[:whole]
        crypt = self._cipher.decrypt if decrypts else self._cipher.encrypt
        result: bytes = crypt(blocks)
        return result


_bundled: Any = None


def install() -> None:
    """Let pykeepass take this class from now on, in the whole process.

    ModuleNotFoundError without pykeepass, ImportError if it keeps its Twofish in another place than
    the versions 3.0 to 4.2 do. A second call does nothing.
    """
    global _bundled
    common = importlib.import_module(_COMMON)
    found = getattr(common, "Twofish", None)
    if found is None:
        raise ImportError(
            f"this pykeepass has no Twofish in {_COMMON}: expected pykeepass 3.0 to 4.2"
        )
    if found is not Twofish:
        _bundled = found
        common.Twofish = Twofish  # type: ignore[attr-defined]


def uninstall() -> None:
    """Give pykeepass its own class back, where `install` took it."""
    global _bundled
    if _bundled is not None:
        importlib.import_module(_COMMON).Twofish = _bundled  # type: ignore[attr-defined]
        _bundled = None
