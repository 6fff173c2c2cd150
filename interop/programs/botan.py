# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Botan, the cipher library of RNP and KeePassXC: all its modes, through its C interface."""

from __future__ import annotations

import ctypes
from ctypes import byref, c_size_t, c_uint32, c_void_p

import bare
from harness import Case, Program, Refused, failure
from native import TAG, load, room

NAMES = {
    "cbc": "CBC/NoPadding",
    "cts": "CBC/CTS",
    "cfb": "CFB",
    "cfb8": "CFB(8)",
    "ofb": "OFB",
    "ctr": "CTR-BE",
    "xts": "XTS",
    "ocb": "OCB",
    "eax": "EAX",
    "gcm": "GCM",
    "ccm": "CCM",
    "siv": "SIV",
}
FINAL = 1
BAD_MAC = -2


def library() -> ctypes.CDLL:
    """Return the library."""
    return load("libbotan-3.so", "libbotan-2.so.19")


def version() -> str:
    """Return the version that the library tells."""
    botan = library()
    return ".".join(str(botan[f"botan_version_{part}"]()) for part in ("major", "minor", "patch"))


def succeed(status: int) -> None:
    """Raise unless a call went well."""
    if status == BAD_MAC:
        raise Refused("invalid authentication tag")
    if status != 0:
        raise failure("Botan", f"error {status}")


def crypt(mode: str, key: bytes, iv: bytes, aad: bytes, data: bytes, encrypting: bool) -> bytes:
    """Encrypt or decrypt one message."""
    if mode == "ecb":
        return blocks(key, data, encrypting)
    if mode == "cmac":
        return cmac(key, data)
    botan, handle = library(), c_void_p()
    name = f"Twofish/{NAMES[mode]}".encode()
    succeed(botan.botan_cipher_init(byref(handle), name, c_uint32(0 if encrypting else 1)))
    try:
        succeed(botan.botan_cipher_set_key(handle, key, c_size_t(len(key))))
        if bare.ALL[mode].authenticated:
            succeed(botan.botan_cipher_set_associated_data(handle, aad, c_size_t(len(aad))))
        succeed(botan.botan_cipher_start(handle, iv, c_size_t(len(iv))))
        out, written, taken = room(len(data) + 2 * TAG), c_size_t(), c_size_t()
        size = (c_size_t(len(out)), byref(written))
        text = (data, c_size_t(len(data)), byref(taken))
        succeed(botan.botan_cipher_update(handle, c_uint32(FINAL), out, *size, *text))
        return out.raw[: written.value]
    finally:
        botan.botan_cipher_destroy(handle)


def blocks(key: bytes, data: bytes, encrypting: bool) -> bytes:
    """Encrypt or decrypt blocks by themselves."""
    botan, handle = library(), c_void_p()
    succeed(botan.botan_block_cipher_init(byref(handle), b"Twofish"))
    try:
        succeed(botan.botan_block_cipher_set_key(handle, key, c_size_t(len(key))))
        verb = "encrypt" if encrypting else "decrypt"
        out = room(len(data))
        n = c_size_t(len(data) // 16)
        succeed(botan[f"botan_block_cipher_{verb}_blocks"](handle, data, out, n))
        return out.raw[: len(data)]
    finally:
        botan.botan_block_cipher_destroy(handle)


def cmac(key: bytes, data: bytes) -> bytes:
    """Return the tag of a message."""
    botan, handle = library(), c_void_p()
    succeed(botan.botan_mac_init(byref(handle), b"CMAC(Twofish)", c_uint32(0)))
    try:
        succeed(botan.botan_mac_set_key(handle, key, c_size_t(len(key))))
        succeed(botan.botan_mac_update(handle, data, c_size_t(len(data))))
        out = room(TAG)
        succeed(botan.botan_mac_final(handle, out))
        return out.raw
    finally:
        botan.botan_mac_destroy(handle)


def cases() -> list[Case]:
    """Return two cases a mode."""
    limits: dict[str, dict[str, object]] = {
        "cbc": {"least": 16},  # no empty text
        "ccm": {"ivs": (12,)},  # a length of three octets, unless asked otherwise
    }
    return bare.cases(crypt, " ".join(["ecb", *NAMES, "cmac"]), **limits)


PROGRAM = Program("Botan", "Debian: libbotan-2-19", version, cases)
