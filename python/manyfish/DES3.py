# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Triple-DES, for data that has it; its short blocks leak after 2^32 of them. [FIPS46-3]

>>> from manyfish import DES3
>>> DES3.new(b"twenty-four bytes of key", DES3.MODE_ECB).encrypt(b"a block.").hex()
'029cd7c55d704c62'
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
key_size: Final = (16, 24)


def adjust_key_parity(key_in: Buffer) -> bytes:
    """Set the last bit of each byte so that the number of ones is odd.

    ValueError for a key that has not 16 or 24 bytes, and for one that makes Triple-DES single DES,
    because its first two or its last two keys are equal.
    """
    key = bytes(memoryview(key_in))
    if len(key) not in key_size:
        raise ValueError(f"a Triple-DES key has 16 or 24 bytes, not {len(key)}")
    key = bytes(byte & 0xFE | bin(byte >> 1).count("1") % 2 ^ 1 for byte in key)
    if key[:8] == key[8:16] or key[-16:-8] == key[-8:]:
        raise ValueError("two keys of this Triple-DES key are equal: it is a key of single DES")
    return key


def _expand(key: Buffer, kernel: str | None) -> Key:
    return Key.des3(key, kernel)


_FACTORY = _create.Factory("DES3", _expand, block_size)

if TYPE_CHECKING:
    new: New8
else:

    def new(key: Buffer, mode: int, *args: Any, **kwargs: Any) -> Any:
        """Make a cipher object for one message.

        key: 16 or 24 bytes, whose last bits are ignored; ValueError for one of single DES.
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
