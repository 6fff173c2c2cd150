# SPDX-License-Identifier: Apache-2.0 OR MIT
"""nettle, the cipher library of GnuTLS and of Sequoia on Debian: its modes, through ctypes."""

from __future__ import annotations

import ctypes
from ctypes import c_size_t
from typing import Any

import bare
from harness import Case, Program, Refused, package_version
from native import TAG, context, load, room, split

BLOCK = c_size_t(16)


class Nettle:
    """The library with one key."""

    def __init__(self, key: bytes) -> None:
        """Expand the key."""
        self.functions = load("libnettle.so.8")
        self.context = context()
        self.call("twofish_set_key", self.context, c_size_t(len(key)), key)

    def call(self, name: str, *arguments: object) -> Any:
        """Call a function of the library."""
        return self.functions[f"nettle_{name}"](*arguments)

    def cipher(self, name: str) -> tuple[object, object]:
        """Return the arguments that every mode takes: the key and the block function."""
        return self.context, ctypes.cast(self.functions[f"nettle_twofish_{name}"], ctypes.c_void_p)


def crypt(mode: str, key: bytes, iv: bytes, aad: bytes, data: bytes, encrypting: bool) -> bytes:
    """Encrypt or decrypt one message."""
    verb = "encrypt" if encrypting else "decrypt"
    if mode == "xts":
        return xts(key, iv, data, verb)
    nettle = Nettle(key)
    if mode == "cmac":
        return cmac(nettle, data)
    if mode == "ccm":
        return ccm(nettle, iv, aad, data, verb)
    if mode in ("eax", "gcm"):
        return sealed(nettle, mode, iv, aad, split(data, encrypting), verb)
    return plain(nettle, mode, iv, data, verb)


def plain(nettle: Nettle, mode: str, iv: bytes, data: bytes, verb: str) -> bytes:
    """Encrypt or decrypt in a mode without a tag."""
    out = room(len(data))
    sizes = (c_size_t(len(data)), out, data)
    if mode == "ecb":
        nettle.call(f"twofish_{verb}", nettle.context, *sizes)
    else:
        function = "ctr_crypt" if mode == "ctr" else f"{mode}_{verb}"
        block_function = verb if mode == "cbc" else "encrypt"
        chain = ctypes.create_string_buffer(iv, 16)
        nettle.call(function, *nettle.cipher(block_function), BLOCK, chain, *sizes)
    return out.raw[: len(data)]


def xts(key: bytes, iv: bytes, data: bytes, verb: str) -> bytes:
    """Encrypt or decrypt one data unit."""
    half = len(key) // 2
    first, second = Nettle(key[:half]), Nettle(key[half:])
    out = room(len(data))
    (data_key, block), (tweak_key, encrypt) = first.cipher(verb), second.cipher("encrypt")
    functions = (block, encrypt) if verb == "decrypt" else (encrypt,)
    sizes = (c_size_t(len(data)), out, data)
    first.call(f"xts_{verb}_message", data_key, tweak_key, *functions, iv, *sizes)
    return out.raw[: len(data)]


def sealed(
    nettle: Nettle, mode: str, iv: bytes, aad: bytes, parts: tuple[bytes, bytes], verb: str
) -> bytes:
    """Encrypt or decrypt in EAX or GCM, whose functions have the same shape."""
    text, tag = parts
    key, state, cipher = context(), context(), nettle.cipher("encrypt")
    nettle.call(f"{mode}_set_key", key, *cipher)
    more = cipher if mode == "eax" else ()
    function = "eax_set_nonce" if mode == "eax" else "gcm_set_iv"
    nettle.call(function, state, key, *more, c_size_t(len(iv)), iv)
    nettle.call(f"{mode}_update", state, key, *more, c_size_t(len(aad)), aad)
    out, found = room(len(text)), room(TAG)
    nettle.call(f"{mode}_{verb}", state, key, *cipher, c_size_t(len(text)), out, text)
    nettle.call(f"{mode}_digest", state, key, *cipher, c_size_t(TAG), found)
    if verb == "encrypt":
        return out.raw[: len(text)] + found.raw
    if found.raw != tag:
        raise Refused("the tag differs")
    return out.raw[: len(text)]


def ccm(nettle: Nettle, iv: bytes, aad: bytes, data: bytes, verb: str) -> bytes:
    """Encrypt or decrypt in CCM."""
    n = len(data) + TAG if verb == "encrypt" else len(data) - TAG
    out = room(n)
    before = (c_size_t(len(iv)), iv, c_size_t(len(aad)), aad, c_size_t(TAG))
    # The length is that of the destination.
    arguments = (*nettle.cipher("encrypt"), *before, c_size_t(n), out, data)
    if nettle.call(f"ccm_{verb}_message", *arguments) == 0 and verb == "decrypt":
        raise Refused("the tag differs")
    return out.raw[:n]


def cmac(nettle: Nettle, data: bytes) -> bytes:
    """Return the tag of a message."""
    key, state, cipher, tag = context(), context(), nettle.cipher("encrypt"), room(TAG)
    nettle.call("cmac128_set_key", key, *cipher)
    nettle.call("cmac128_init", state)
    nettle.call("cmac128_update", state, *cipher, c_size_t(len(data)), data)
    nettle.call("cmac128_digest", state, key, *cipher, c_size_t(TAG), tag)
    return tag.raw


def cases() -> list[Case]:
    """Return two cases a mode."""
    return bare.cases(crypt, "ecb cbc cfb cfb8 ctr xts eax gcm ccm cmac")


def version() -> str:
    """Return the version of the package: the library does not tell the last part of it."""
    load("libnettle.so.8")
    return package_version("libnettle8")


PROGRAM = Program("nettle", "Debian: libnettle8", version, cases)
