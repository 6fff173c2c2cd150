# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Twofish, DES and Triple-DES at every speed, with the names of PyCryptodome.

>>> from manyfish import Twofish
>>> cipher = Twofish.new(bytes(32), Twofish.MODE_CTR, nonce=b"8 bytes.")
>>> cipher.encrypt(b"attack at dawn").hex()
'00909f55fa39eb731c186ec643e6'
"""

from . import DES, DES3, Twofish
from .files import (
    DamagedMessageError,
    MessageError,
    UnsupportedMessageError,
    WrongPassphraseError,
    decrypt_bytes,
    decrypt_file,
    encrypt_bytes,
    encrypt_file,
)

__all__ = [
    "DES",
    "DES3",
    "DamagedMessageError",
    "MessageError",
    "Twofish",
    "UnsupportedMessageError",
    "WrongPassphraseError",
    "decrypt_bytes",
    "decrypt_file",
    "encrypt_bytes",
    "encrypt_file",
]
