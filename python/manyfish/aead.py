# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Authenticated encryption in one call, with the names of pyca/cryptography.

>>> from manyfish.aead import TwofishOCB
>>> key = TwofishOCB.generate_key(256)
>>> ocb = TwofishOCB(key)
>>> sealed = ocb.encrypt(b"never twice", b"secret", b"public")
>>> len(sealed) - len(b"secret")
16
>>> ocb.decrypt(b"never twice", sealed, b"public")
b'secret'

A nonce must never be used for two messages under one key. With SIV such a mistake shows no more
than whether two messages are equal. InvalidTag, a ValueError, if anything was changed: then nothing
of the plaintext is released, and a buffer to decrypt into is wiped. ValueError for wrong lengths,
MessageTooLongError for more than the mode allows.

Each object holds a key, which any number of threads may use at once.
"""

import copyreg

from ._calls import refuse_copy
from ._errors import InvalidTag, MessageTooLongError
from ._manyfish import TwofishCCM, TwofishEAX, TwofishGCM, TwofishOCB, TwofishSIV

__all__ = [
    "InvalidTag",
    "MessageTooLongError",
    "TwofishCCM",
    "TwofishEAX",
    "TwofishGCM",
    "TwofishOCB",
    "TwofishSIV",
]

for _class in (TwofishCCM, TwofishEAX, TwofishGCM, TwofishOCB, TwofishSIV):
    copyreg.pickle(_class, refuse_copy)
