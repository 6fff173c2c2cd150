# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Which methods of a cipher object may come next."""

from __future__ import annotations

UPDATE, ENCRYPT, DECRYPT, DIGEST, VERIFY = 1, 2, 4, 8, 16
ANY = UPDATE | ENCRYPT | DECRYPT | DIGEST | VERIFY

_NAMES = {
    UPDATE: "update",
    ENCRYPT: "encrypt",
    DECRYPT: "decrypt",
    DIGEST: "digest",
    VERIFY: "verify",
}


class Calls:
    """A cipher object whose methods have an order, which `_next` says."""

    _next = ANY

    def _call(self, method: int, then: int) -> None:
        """Note that `method` is called and what may follow. TypeError if it is not its turn."""
        if not self._next & method:
            allowed = " or ".join(f"{_NAMES[n]}()" for n in _NAMES if self._next & n)
            raise TypeError(f"{_NAMES[method]}() cannot be called now, only {allowed}")
        self._next = then
