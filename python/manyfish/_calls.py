# SPDX-License-Identifier: Apache-2.0 OR MIT
"""All cipher objects refuse copies, and methods that may not come next."""

from __future__ import annotations

from typing import NoReturn

UPDATE, ENCRYPT, DECRYPT, DIGEST, VERIFY = 1, 2, 4, 8, 16
ANY = UPDATE | ENCRYPT | DECRYPT | DIGEST | VERIFY

_NAMES = {
    UPDATE: "update",
    ENCRYPT: "encrypt",
    DECRYPT: "decrypt",
    DIGEST: "digest",
    VERIFY: "verify",
}


def refuse_copy(cipher: object) -> NoReturn:
    """TypeError: two copies would use one nonce twice, and a pickle would show the key."""
    name = type(cipher).__name__
    raise TypeError(f"{name} cannot be copied or pickled: make a new one from the key")


class NoCopy:
    """An object that copy.copy(), copy.deepcopy() and pickle refuse."""

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        """TypeError."""
        refuse_copy(self)


class Calls(NoCopy):
    """A cipher object whose methods have an order, which `_next` says."""

    _next = ANY

    def _call(self, method: int, then: int) -> None:
        """Note that `method` is called and what may follow. TypeError if it is not its turn."""
        if not self._next & method:
            allowed = " or ".join(f"{_NAMES[n]}()" for n in _NAMES if self._next & n)
            raise TypeError(f"{_NAMES[method]}() cannot be called now, only {allowed}")
        self._next = then
