# SPDX-License-Identifier: Apache-2.0 OR MIT
"""libgcrypt, the cipher library of GnuPG and cryptsetup: all its modes, through ctypes."""

from __future__ import annotations

import ctypes
from ctypes import c_char_p, c_int, c_size_t, c_uint, c_uint64, c_void_p

import bare
from harness import Case, NotRun, Program, Refused, failure

# Numbers of gcrypt.h. The library has keys of 128 and of 256 bits.
ALGORITHM = {16: 303, 32: 10}
CMAC_TWOFISH = 206
MODE = {"ecb": 1, "cfb": 2, "cbc": 3, "cts": 3, "ofb": 5, "ctr": 6, "ccm": 8, "gcm": 9}
MODE |= {"ocb": 11, "cfb8": 12, "xts": 13, "eax": 14, "siv": 15}
FLAG_CTS = 4
FINALIZE, SET_CCM_LENGTHS, SET_DECRYPTION_TAG = 5, 69, 80
TAG = 16


def load() -> ctypes.CDLL:
    """Return the library, ready for use."""
    try:
        library = ctypes.CDLL("libgcrypt.so.20")
    except OSError:
        raise NotRun("libgcrypt.so.20 is not installed") from None
    library.gcry_check_version.restype = c_char_p
    library.gcry_check_version(None)
    return library


def version() -> str:
    """Return what the library calls itself."""
    return str(load().gcry_check_version(None).decode())


def succeed(status: int) -> None:
    """Raise unless a call went well; a wrong tag is error 10."""
    if status & 0xFFFF == 10:
        raise Refused("checksum error")
    if status:
        raise failure("libgcrypt", f"error {status & 0xFFFF}")


def crypt(mode: str, key: bytes, iv: bytes, aad: bytes, data: bytes, encrypting: bool) -> bytes:
    """Encrypt or decrypt one message."""
    library = load()
    if mode == "cmac":
        return cmac(library, key, data)
    handle = c_void_p()
    algorithm = ALGORITHM[len(key) // bare.ALL[mode].keys]
    flags = FLAG_CTS if mode == "cts" else 0
    succeed(library.gcry_cipher_open(ctypes.byref(handle), algorithm, MODE[mode], c_uint(flags)))
    try:
        return with_handle(Cipher(library, handle), mode, (key, iv, aad), data, encrypting)
    finally:
        library.gcry_cipher_close(handle)


class Cipher:
    """The calls of one handle."""

    def __init__(self, library: ctypes.CDLL, handle: c_void_p) -> None:
        """Take a handle, which the caller closes."""
        self.functions, self.handle = library, handle

    def give(self, name: str, data: bytes) -> None:
        """Call a function that takes octets."""
        succeed(
            getattr(self.functions, f"gcry_cipher_{name}")(self.handle, data, c_size_t(len(data)))
        )

    def control(self, command: int, data: object, n: int) -> None:
        """Call gcry_cipher_ctl."""
        succeed(self.functions.gcry_cipher_ctl(self.handle, c_int(command), data, c_size_t(n)))

    def pass_through(self, data: bytes, encrypting: bool) -> bytes:
        """Encrypt or decrypt."""
        function = self.functions[f"gcry_cipher_{'encrypt' if encrypting else 'decrypt'}"]
        out = ctypes.create_string_buffer(max(len(data), 1))
        succeed(function(self.handle, out, c_size_t(len(out)), data, c_size_t(len(data))))
        return out.raw[: len(data)]

    def tag(self) -> bytes:
        """Return the tag of the message."""
        out = ctypes.create_string_buffer(TAG)
        succeed(self.functions.gcry_cipher_gettag(self.handle, out, c_size_t(TAG)))
        return out.raw


def with_handle(
    cipher: Cipher, mode: str, given: tuple[bytes, bytes, bytes], data: bytes, encrypting: bool
) -> bytes:
    """Do the steps that the library asks for, in its order."""
    key, iv, aad = given
    authenticated = bare.ALL[mode].authenticated
    text, tag = data, b""
    if authenticated and not encrypting:
        text, tag = (data[TAG:], data[:TAG]) if mode == "siv" else (data[:-TAG], data[-TAG:])
    cipher.give("setkey", key)
    if mode == "siv":
        # S2V wants the nonce last.
        cipher.give("authenticate", aad)
    if iv:
        cipher.give("setctr" if mode == "ctr" else "setiv", iv)
    if mode == "siv" and not encrypting:
        cipher.control(SET_DECRYPTION_TAG, tag, TAG)
    if mode == "ccm":
        lengths = (c_uint64 * 3)(len(text), len(aad), TAG)
        cipher.control(SET_CCM_LENGTHS, lengths, ctypes.sizeof(lengths))
    if authenticated and mode != "siv":
        cipher.give("authenticate", aad)
    if mode == "ocb":
        cipher.control(FINALIZE, None, 0)
    out = cipher.pass_through(text, encrypting)
    if not authenticated:
        return out
    if encrypting:
        return cipher.tag() + out if mode == "siv" else out + cipher.tag()
    cipher.give("checktag", tag)
    return out


def cmac(library: ctypes.CDLL, key: bytes, data: bytes) -> bytes:
    """Return the tag of a message."""
    handle = c_void_p()
    succeed(library.gcry_mac_open(ctypes.byref(handle), CMAC_TWOFISH, 0, None))
    try:
        succeed(library.gcry_mac_setkey(handle, key, c_size_t(len(key))))
        succeed(library.gcry_mac_write(handle, data, c_size_t(len(data))))
        out, n = ctypes.create_string_buffer(TAG), c_size_t(TAG)
        succeed(library.gcry_mac_read(handle, out, ctypes.byref(n)))
        return out.raw
    finally:
        library.gcry_mac_close(handle)


def cases() -> list[Case]:
    """Return two cases a mode."""
    limits: dict[str, dict[str, object]] = {name: {"key_bytes": (16, 32)} for name in MODE}
    limits["cmac"] = {"key_bytes": (16, 32)}
    limits["ocb"]["ivs"] = (12, 8, 15)  # below 8 octets it refuses
    return bare.cases(crypt, " ".join([*MODE, "cmac"]), **limits)


PROGRAM = Program("libgcrypt", "Debian: libgcrypt20", version, cases)
