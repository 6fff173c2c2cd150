# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Twofish, a block cipher with blocks of 16 bytes and keys of 16, 24 or 32 bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import _create
from ._manyfish import Key

if TYPE_CHECKING:
    from typing_extensions import Buffer

MODE_ECB = _create.ECB
MODE_CBC = _create.CBC
MODE_CTR = _create.CTR

block_size = 16
key_size = (16, 24, 32)


def new(key: Buffer, mode: int, *args: Any, **kwargs: Any) -> Any:
    """Make a cipher object for one message."""
    return _create.create(_create.Factory("Twofish", Key.twofish, 16), key, mode, args, kwargs)
