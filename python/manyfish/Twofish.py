# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Twofish, a block cipher with blocks of 16 bytes and keys of 16, 24 or 32 bytes.

>>> from manyfish import Twofish
>>> key = bytes(32)
>>> cipher = Twofish.new(key, Twofish.MODE_OCB, nonce=b"never twice")
>>> ciphertext, tag = cipher.encrypt_and_digest(b"attack at dawn")
>>> cipher = Twofish.new(key, Twofish.MODE_OCB, nonce=b"never twice")
>>> cipher.decrypt_and_verify(ciphertext, tag)
b'attack at dawn'
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from . import _create
from ._manyfish import Key

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from ._types import New16

MODE_ECB: Final = 1
MODE_CBC: Final = 2
MODE_CFB: Final = 3
MODE_OFB: Final = 5
MODE_CTR: Final = 6
MODE_OPENPGP: Final = 7
MODE_CCM: Final = 8
MODE_EAX: Final = 9
MODE_SIV: Final = 10
MODE_GCM: Final = 11
MODE_OCB: Final = 12
MODE_XTS: Final = 1001  # PyCryptodome has no XTS and no such number

block_size: Final = 16
key_size: Final = (16, 24, 32)

_FACTORY = _create.Factory("Twofish", Key.twofish, block_size)

if TYPE_CHECKING:
    new: New16
else:

    def new(key: Buffer, mode: int, *args: Any, **kwargs: Any) -> Any:
        """Make a cipher object for one message.

        key: 16, 24 or 32 bytes; for SIV and XTS two of them in one, which must differ.
        mode: one of MODE_*.
        iv or IV (CBC, CFB, OFB, OPENPGP): 16 bytes; random if not given, and then an attribute.
        nonce (CTR and the authenticated modes): as the class of the mode says; random if not given,
        but none in SIV.
        segment_size (CFB): bits, a multiple of 8; 8 if not given.
        initial_value (CTR): a number, or the bytes that follow the nonce. counter (CTR) instead of
        both: what Crypto.Util.Counter.new() makes.
        mac_len (authenticated modes): bytes of the tag; 16 if not given.
        msg_len, assoc_len (CCM): bytes of the text and of the associated data.
        kernel: how to compute it, one of manyfish.kernels(); the default is the fastest that works
        in constant time here.

        ValueError for wrong lengths and values, TypeError for arguments that the mode lacks.
        """
        return _create.create(_FACTORY, key, mode, args, kwargs)
