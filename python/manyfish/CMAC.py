# SPDX-License-Identifier: Apache-2.0 OR MIT
"""CMAC [SP800-38B]: authentication without secrecy, with the names of PyCryptodome.

>>> from manyfish import CMAC
>>> mac = CMAC.new(bytes(16), b"message")
>>> CMAC.new(bytes(16)).update(b"mess").update(b"age").verify(mac.digest())
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import Twofish
from ._calls import NoCopy
from ._errors import InvalidTag
from ._manyfish import Cmac

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import ModuleType

    from typing_extensions import Buffer, Self


class CMAC(NoCopy):
    """A message in work; see `new`."""

    def __init__(self, cmac: Cmac, mac_len: int, update_after_digest: bool) -> None:
        self.digest_size = mac_len
        self._cmac = cmac
        self._update_after_digest = update_after_digest
        self._over = False

    def update(self, msg: Buffer) -> Self:
        """Take the next piece. TypeError after digest() or verify(), unless that was allowed."""
        if self._over and not self._update_after_digest:
            raise TypeError("update() cannot be called after digest() or verify()")
        self._cmac.update(msg)
        return self

    def digest(self) -> bytes:
        """The tag of what came so far, mac_len bytes."""
        self._over = True
        return self._cmac.digest()

    def hexdigest(self) -> str:
        """The same, in hexadecimal."""
        return self.digest().hex()

    def verify(self, mac_tag: Buffer) -> None:
        """Check the tag; ValueError if it does not fit, in a time that does not tell where."""
        self._over = True
        if not self._cmac.verify(mac_tag):
            raise InvalidTag("MAC check failed")

    def hexverify(self, hex_mac_tag: str) -> None:
        """The same, in hexadecimal."""
        self.verify(bytes.fromhex(hex_mac_tag))

    def copy(self) -> CMAC:
        """An object that goes on with the same message independently."""
        other = CMAC(self._cmac.copy(), self.digest_size, self._update_after_digest)
        other._over = self._over
        return other


def new(
    key: Buffer,
    msg: Buffer | None = None,
    ciphermod: ModuleType = Twofish,
    cipher_params: Mapping[str, Any] | None = None,
    mac_len: int | None = None,
    update_after_digest: bool = False,
) -> CMAC:
    """Begin a message.

    key: as the cipher takes it.
    msg: its first piece.
    ciphermod: Twofish, DES or DES3 of this package.
    cipher_params: {"kernel": name}, or nothing.
    mac_len: bytes of the tag, 4 to a block, which is taken if not given.
    update_after_digest: allow update() after digest().

    ValueError for other lengths, TypeError for another module.
    """
    factory = getattr(ciphermod, "_FACTORY", None)
    if factory is None:
        raise TypeError("ciphermod must be Twofish, DES or DES3 of manyfish")
    params = dict(cipher_params or {})
    expanded = factory.expand(key, params.pop("kernel", None))
    if params:
        raise TypeError(f"cipher_params has no {', '.join(map(repr, params))}")
    if mac_len is None:
        mac_len = factory.block_size
    if not 4 <= mac_len <= factory.block_size:
        raise ValueError(f"mac_len must be 4 to {factory.block_size}, not {mac_len}")
    mac = CMAC(Cmac(expanded, mac_len), mac_len, update_after_digest)
    return mac if msg is None else mac.update(msg)
