# SPDX-License-Identifier: Apache-2.0 OR MIT
"""DES, for data that has it: anyone finds its keys of 56 bits by trying them. [FIPS46-3]

>>> from manyfish import DES
>>> DES.new(b"8 bytes!", DES.MODE_ECB).encrypt(b"a block.").hex()
'887a9d6815250a7a'
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from . import _create
from ._manyfish import Key

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from ._types import New8

MODE_ECB: Final = 1
MODE_CBC: Final = 2
MODE_CFB: Final = 3
MODE_OFB: Final = 5
MODE_CTR: Final = 6
MODE_OPENPGP: Final = 7
MODE_EAX: Final = 9

block_size: Final = 8
key_size: Final = 8


def _expand(key: Buffer, kernel: str | None) -> Key:
    found = memoryview(key).nbytes
    if found != key_size:
        raise ValueError(f"a DES key has {key_size} bytes, not {found}")
    return Key.des(key, kernel)


_FACTORY = _create.Factory("DES", _expand, block_size)

if TYPE_CHECKING:
    new: New8
else:

    def new(key: Buffer, mode: int, *args: Any, **kwargs: Any) -> Any:
        """Make a cipher object for one message.

        key: 8 bytes, whose last bits are ignored.
        mode: one of MODE_*.
        iv or IV (CBC, CFB, OFB, OPENPGP): 8 bytes; random if not given, and then an attribute.
        nonce (CTR: at most 7 bytes, and must be given; EAX: 1 or more, random if not given).
        segment_size (CFB): bits, a multiple of 8; 8 if not given.
        initial_value (CTR): a number, or the bytes that follow the nonce. counter (CTR) instead of
        both: what Crypto.Util.Counter.new() makes.
        mac_len (EAX): bytes of the tag, 2 to 8; 8 if not given.
        kernel: how to compute it, one of manyfish.kernels("DES").

        ValueError for wrong lengths and values, TypeError for arguments that the mode lacks.
        """
        return _create.create(_FACTORY, key, mode, args, kwargs)
