# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Twofish, DES and Triple-DES at every speed.

Twofish, DES and DES3 are modules with the names of PyCryptodome; CMAC is one, too. The module aead
has authenticated encryption in one call, with the names of pyca/cryptography.

>>> from manyfish import Twofish
>>> cipher = Twofish.new(bytes(32), Twofish.MODE_CTR, nonce=b"8 bytes.")
>>> cipher.encrypt(b"attack at dawn").hex()
'00909f55fa39eb731c186ec643e6'

Data is any contiguous memory: bytes, bytearray, memoryview, array, or of numpy. It is read, and
`output` is written, without a copy. For 4096 bytes and more the GIL is released, so threads work in
parallel; memory that a call works on must not be written by others meanwhile.
"""

from . import CMAC, DES, DES3, Twofish, aead, many
from ._errors import InvalidTag, MessageTooLongError
from ._kernels import Kernel, kernels, selftest
from ._manyfish import __version__
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
    "CMAC",
    "DES",
    "DES3",
    "DamagedMessageError",
    "InvalidTag",
    "Kernel",
    "MessageError",
    "MessageTooLongError",
    "Twofish",
    "UnsupportedMessageError",
    "WrongPassphraseError",
    "__version__",
    "aead",
    "decrypt_bytes",
    "decrypt_file",
    "encrypt_bytes",
    "encrypt_file",
    "kernels",
    "many",
    "selftest",
]
