# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Files under a passphrase, in the format of the command `manyfish encrypt`: OpenPGP, RFC 9580.

>>> message = encrypt_bytes(b"attack at dawn", "correct horse battery staple")
>>> decrypt_bytes(message, "correct horse battery staple")
b'attack at dawn'

The passphrase goes through Argon2id, which takes some tenths of a second and 64 MiB; the data are
encrypted with Twofish-256 in OCB, by all cores, with the GIL released. docs/file-format.md of the
project shows the bytes, and who else can open them.

A faulty message raises `MessageError`, which is a `ValueError`; a refusal of the system raises
`OSError`.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Callable, Literal, Optional, Protocol, Union

from manyfish import _manyfish
from manyfish._manyfish import (
    DamagedMessageError,
    MessageError,
    UnsupportedMessageError,
    WrongPassphraseError,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from typing_extensions import Buffer

__all__ = [
    "DamagedMessageError",
    "MessageError",
    "UnsupportedMessageError",
    "WrongPassphraseError",
    "decrypt_bytes",
    "decrypt_file",
    "encrypt_bytes",
    "encrypt_file",
]


class Reader(Protocol):
    """A binary file object to read from."""

    def read(self, n_bytes: int, /) -> bytes:
        """Give that many bytes or fewer, none at the end."""


class Writer(Protocol):
    """A binary file object to write to."""

    def write(self, data: bytes, /) -> object:
        """Take data, and say how many bytes of them unless it is all."""


Source = Union[str, "os.PathLike[str]", Reader]
Target = Union[str, "os.PathLike[str]", Writer]
Progress = Callable[[int, Optional[int]], object]

_CHUNK_SIZE = 1 << 20


def encrypt_file(
    src: Source,
    dst: Target,
    passphrase: str | bytes,
    *,
    overwrite: bool = False,
    format: Literal["rfc9580", "rfc4880"] = "rfc9580",
    armor: bool = False,
    chunk_size: int | None = None,
    progress: Progress | None = None,
) -> None:
    """Encrypt a file under a passphrase.

    src, dst    paths, or binary file objects, which are read to their end and stay open. A file
                appears as dst when all of it is written, or not at all
    passphrase  text (its UTF-8 counts) or bytes, not empty
    overwrite   replace dst if it exists, with its permissions; else FileExistsError
    format      "rfc9580", with Argon2id and OCB; or "rfc4880", which GnuPG and nearly all open:
                passphrases are tried faster, and one SHA-1 at the end is all that shows changes
    armor       write text that survives e-mail instead of binary
    chunk_size  bytes that are authenticated at a time: a power of two from 64 to 4194304, 1 MiB if
                not given; not with "rfc4880", which has no chunks
    progress    called as progress(done, total) with bytes of src, some times a second, at last with
                all; total is None where it is not known. An exception in it ends the work

    ValueError for an empty passphrase, a wrong chunk_size or format, or one file as src and dst;
    OSError from reading and writing, and if src changes its length meanwhile.
    """
    options = _options(format, armor, chunk_size)
    with _passphrase(passphrase) as secret:
        _manyfish.encrypt_file(src, dst, secret, overwrite, options, progress)


def decrypt_file(
    src: Source,
    dst: Target,
    passphrase: str | bytes,
    *,
    overwrite: bool = False,
    max_memory: int | None = None,
    max_work: float | None = None,
    insecure_legacy: bool = False,
    progress: Progress | None = None,
) -> None:
    """Decrypt a message of either format, binary or armored; arguments as for `encrypt_file`.

    max_memory  bytes of memory that trying the passphrase may take: 256 MiB if not given
    max_work    work that it may take, in seconds of an ordinary core: 2 if not given. That is a
                unit and no measurement: 1,000,000 KiB of Argon2 (memory times passes), 250,000
                KiB hashed, 31,250 KiB decrypted
    insecure_legacy
                also open messages without any check (packet type 9), whose data anyone may
                have altered or made up, and passphrases hashed with RIPEMD-160

    A message that asks for more is an UnsupportedMessageError, before the passphrase is tried.
    Also opens messages of LibrePGP (packet 20) and compressed ones; a signature is not checked.

    A file appears as dst, for its owner alone, when all of it is verified, or not at all. A file
    object gets parts as they are verified: after an exception it holds the beginning of the true
    file, not all of it.

    WrongPassphraseError, DamagedMessageError (altered, cut, appended to, no message at all) and
    UnsupportedMessageError, which are MessageError and ValueError; OSError as for `encrypt_file`;
    MemoryError if Argon2 cannot have the memory that the message asks for.
    """
    allowed = _allowed(max_memory, max_work, insecure_legacy)
    with _passphrase(passphrase) as secret:
        _manyfish.decrypt_file(src, dst, secret, overwrite, allowed, progress)


def encrypt_bytes(
    data: Buffer,
    passphrase: str | bytes,
    *,
    format: Literal["rfc9580", "rfc4880"] = "rfc9580",
    armor: bool = False,
    chunk_size: int | None = None,
) -> bytes:
    """Encrypt bytes under a passphrase; arguments and errors as for `encrypt_file`."""
    options = _options(format, armor, chunk_size)
    with _passphrase(passphrase) as secret:
        return _manyfish.encrypt_bytes(data, secret, options)


def decrypt_bytes(
    message: Buffer,
    passphrase: str | bytes,
    *,
    max_memory: int | None = None,
    max_work: float | None = None,
    insecure_legacy: bool = False,
) -> bytes:
    """Decrypt a message, binary or armored; arguments and errors as for `decrypt_file`."""
    allowed = _allowed(max_memory, max_work, insecure_legacy)
    with _passphrase(passphrase) as secret:
        return _manyfish.decrypt_bytes(message, secret, allowed)


def _options(format: str, armor: bool, chunk_size: int | None) -> dict[str, object]:
    if chunk_size is None:
        chunk_size = _CHUNK_SIZE
    elif format == "rfc4880":
        raise ValueError('chunk_size must be left out: "rfc4880" has no chunks')
    return {"format": format, "armor": armor, "chunk_size": _clamped(chunk_size)}


def _allowed(
    max_memory: int | None, max_work: float | None, insecure_legacy: bool
) -> dict[str, object]:
    if max_memory is not None:
        max_memory = _clamped(max_memory)
    return {"max_memory": max_memory, "max_work": max_work, "insecure_legacy": insecure_legacy}


def _clamped(number: int) -> int:
    """The nearest number that fits 64 bits; -1 for all negative ones, which are refused."""
    return max(-1, min(number, (1 << 63) - 1))


@contextmanager
def _passphrase(passphrase: str | bytes) -> Iterator[Buffer]:
    """Lend its bytes; those of text, which are made here, are wiped."""
    if not isinstance(passphrase, (str, bytes, bytearray, memoryview)):
        raise TypeError(f"passphrase must be str or bytes, not {type(passphrase).__name__}")
    if not isinstance(passphrase, str):
        yield _not_empty(passphrase)
        return
    # Character by character: nobody could wipe the result of encode().
    secret = bytearray().join(map(str.encode, passphrase))
    try:
        yield _not_empty(secret)
    finally:
        secret[:] = bytes(len(secret))


def _not_empty(secret: Buffer) -> Buffer:
    if not memoryview(secret).nbytes:
        raise ValueError("the passphrase is empty")
    return secret
