# SPDX-License-Identifier: Apache-2.0 OR MIT
"""libtomcrypt: its modes, through ctypes."""

from __future__ import annotations

import ctypes
from ctypes import byref, c_byte, c_int, c_ulong
from typing import Any

import bare
from harness import Case, Program, Refused, failure, package_version
from native import TAG, context, load, room, split

COUNTER_BIG_ENDIAN = 0x1000


def library() -> tuple[ctypes.CDLL, int]:
    """Return the library and its number of Twofish."""
    tomcrypt = load("libtomcrypt.so.1")
    # The descriptor is a structure of the library; only its address is of use here.
    number = tomcrypt.register_cipher(byref(c_byte.in_dll(tomcrypt, "twofish_desc")))
    if number < 0:
        raise failure("libtomcrypt", "does not know its own Twofish")
    return tomcrypt, number


def succeed(status: int) -> None:
    """Raise unless a call went well."""
    if status != 0:
        raise Refused(f"error {status}")


def crypt(mode: str, key: bytes, iv: bytes, aad: bytes, data: bytes, encrypting: bool) -> bytes:
    """Encrypt or decrypt one message."""
    tomcrypt, number = library()
    if mode == "cmac":
        return cmac(tomcrypt, number, key, data)
    if mode == "xts":
        return xts(tomcrypt, number, key, iv, data, encrypting)
    if bare.ALL[mode].authenticated:
        start: tuple[object, ...] = (number, *octets(key), *octets(iv), *octets(aad))
        if mode == "ccm":
            start = (number, *octets(key), None, *octets(iv), *octets(aad))
        text, tag = split(data, encrypting)
        if mode in ("gcm", "ccm"):
            return in_one_call(tomcrypt[f"{mode}_memory"], start, text, tag, encrypting)
        name = "ocb3" if mode == "ocb" else mode
        return sealed(tomcrypt, name, start, text, tag, encrypting)
    return plain(tomcrypt, number, (mode, key, iv), data, encrypting)


def octets(data: bytes) -> tuple[object, object]:
    """Return octets as this library takes them."""
    return data, c_ulong(len(data))


def plain(
    tomcrypt: ctypes.CDLL,
    number: int,
    given: tuple[str, bytes, bytes],
    data: bytes,
    encrypting: bool,
) -> bytes:
    """Encrypt or decrypt in a mode without a tag."""
    mode, key, iv = given
    state, out = context(), room(len(data))
    initial = () if mode == "ecb" else (iv,)
    counter = (COUNTER_BIG_ENDIAN,) if mode == "ctr" else ()
    start = (number, *initial, key, c_int(len(key)), 0, *counter, state)
    succeed(tomcrypt[f"{mode}_start"](*start))
    function = tomcrypt[f"{mode}_{'encrypt' if encrypting else 'decrypt'}"]
    if data:
        succeed(function(data, out, c_ulong(len(data)), state))
    tomcrypt[f"{mode}_done"](state)
    return out.raw[: len(data)]


def xts(
    tomcrypt: ctypes.CDLL, number: int, key: bytes, iv: bytes, data: bytes, encrypting: bool
) -> bytes:
    """Encrypt or decrypt one data unit."""
    half, state, out = len(key) // 2, context(), room(len(data))
    succeed(tomcrypt.xts_start(number, key[:half], key[half:], c_ulong(half), 0, state))
    function = tomcrypt.xts_encrypt if encrypting else tomcrypt.xts_decrypt
    tweak = ctypes.create_string_buffer(iv, 16)
    succeed(function(data, c_ulong(len(data)), out, tweak, state))
    tomcrypt.xts_done(state)
    return out.raw[: len(data)]


def in_one_call(
    function: Any, start: tuple[object, ...], text: bytes, tag: bytes, encrypting: bool
) -> bytes:
    """Encrypt or decrypt by a function whose first text is the plain one in both directions."""
    given, out = ctypes.create_string_buffer(text, max(len(text), 1)), room(len(text))
    found, n = ctypes.create_string_buffer(tag, TAG), c_ulong(TAG)
    plain_text, sealed_text = (given, out) if encrypting else (out, given)
    size = c_ulong(len(text))
    direction = 0 if encrypting else 1
    succeed(function(*start, plain_text, size, sealed_text, found, byref(n), direction))
    if encrypting:
        return out.raw[: len(text)] + found.raw
    # CCM compares the tags itself; GCM leaves that to the caller.
    if found.raw != tag:
        raise Refused("the tag differs")
    return out.raw[: len(text)]


def sealed(
    tomcrypt: ctypes.CDLL,
    name: str,
    start: tuple[object, ...],
    text: bytes,
    tag: bytes,
    encrypting: bool,
) -> bytes:
    """Encrypt or decrypt in OCB or EAX."""
    out = room(len(text))
    if encrypting:
        found, n = room(TAG), c_ulong(TAG)
        function = tomcrypt[f"{name}_encrypt_authenticate_memory"]
        succeed(function(*start, *octets(text), out, found, byref(n)))
        return out.raw[: len(text)] + found.raw
    good = c_int()
    function = tomcrypt[f"{name}_decrypt_verify_memory"]
    succeed(function(*start, *octets(text), out, *octets(tag), byref(good)))
    if not good.value:
        raise Refused("the tag differs")
    return out.raw[: len(text)]


def cmac(tomcrypt: ctypes.CDLL, number: int, key: bytes, data: bytes) -> bytes:
    """Return the tag of a message; the library calls CMAC by its older name OMAC."""
    tag, n = room(TAG), c_ulong(TAG)
    succeed(tomcrypt.omac_memory(number, *octets(key), *octets(data), tag, byref(n)))
    return tag.raw


def version() -> str:
    """Return the version of the package."""
    library()
    return package_version("libtomcrypt1")


def cases() -> list[Case]:
    """Return two cases a mode."""
    return bare.cases(crypt, "ecb cbc cfb ofb ctr xts ocb eax gcm ccm cmac")


PROGRAM = Program("libtomcrypt", "Debian: libtomcrypt1", version, cases)
