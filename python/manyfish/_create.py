# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What `new` of each cipher does: it finds the mode and sorts the arguments."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any, Callable, NamedTuple

from . import _classic

if TYPE_CHECKING:
    from ._manyfish import Key

# The numbers of PyCryptodome.
ECB, CBC, CFB, OFB, CTR, OPENPGP, CCM, EAX, SIV, GCM, OCB = 1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12


class Factory(NamedTuple):
    """A block cipher: its name, what expands a key, the bytes of a block."""

    name: str
    expand: Callable[..., Key]
    block_size: int


def create(
    factory: Factory, key: Any, mode: int, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """The cipher object of the mode."""
    expanded = factory.expand(key, kwargs.pop("kernel", None))
    if mode == ECB:
        return _classic.EcbMode(expanded)
    if mode == CBC:
        iv = args[0] if args else kwargs.pop("iv", None)
        if iv is None:
            iv = secrets.token_bytes(factory.block_size)
        return _classic.CbcMode(expanded, iv)
    if mode == CTR:
        nonce = kwargs.pop("nonce", None)
        if nonce is None:
            nonce = secrets.token_bytes(factory.block_size // 2)
        start = kwargs.pop("initial_value", 0)
        return _classic.CtrMode(
            expanded, bytes(nonce), start.to_bytes(factory.block_size - len(nonce), "big")
        )
    raise ValueError(f"{factory.name} has no mode {mode}")
