# SPDX-License-Identifier: Apache-2.0 OR MIT
"""libmcrypt, which PHP had until version 7.1: data of old web applications.

Its "cfb" is CFB8; "ncfb" and "nofb" are the modes of whole blocks.
"""

from __future__ import annotations

import ctypes
from ctypes import c_int, c_void_p

import bare
from harness import Case, Program, failure, package_version
from native import load

NAMES = {"ecb": "ecb", "cbc": "cbc", "cfb": "ncfb", "cfb8": "cfb", "ofb": "nofb", "ctr": "ctr"}


def library() -> ctypes.CDLL:
    """Return the library."""
    mcrypt = load("libmcrypt.so.4")
    mcrypt.mcrypt_module_open.restype = c_void_p
    return mcrypt


def crypt(mode: str, key: bytes, iv: bytes, aad: bytes, data: bytes, encrypting: bool) -> bytes:
    """Encrypt or decrypt one message."""
    mcrypt = library()
    handle = c_void_p(mcrypt.mcrypt_module_open(b"twofish", None, NAMES[mode].encode(), None))
    if not handle:
        raise failure("libmcrypt", f"has no {mode}")
    if mcrypt.mcrypt_generic_init(handle, key, c_int(len(key)), iv or None) < 0:
        raise failure("libmcrypt", "takes no key")
    text = ctypes.create_string_buffer(data, max(len(data), 1))
    function = mcrypt.mcrypt_generic if encrypting else mcrypt.mdecrypt_generic
    if data and function(handle, text, c_int(len(data))) != 0:
        raise failure("libmcrypt", "refuses the text")
    mcrypt.mcrypt_generic_end(handle)
    return text.raw[: len(data)]


def cases() -> list[Case]:
    """Return two cases a mode."""
    return bare.cases(crypt, " ".join(NAMES))


def version() -> str:
    """Return the version of the package."""
    library()
    return package_version("libmcrypt4")


PROGRAM = Program("libmcrypt", "Debian: libmcrypt4", version, cases)
