# SPDX-License-Identifier: Apache-2.0 OR MIT
"""OpenPGP: the forms of a message under a passphrase, and the cases that all its programs share."""

from __future__ import annotations

import hashlib
import os
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from harness import (
    FIXTURES,
    OPENPGP,
    THEY_READ,
    WE_READ,
    Case,
    Refused,
    decrypt,
    encrypt,
    failure,
    same,
    telling_line,
)

# The forms, by what they are called on the page, with our options for them.
RFC_9580 = "RFC 9580: OCB, Argon2"
RFC_4880 = "RFC 4880: CFB with MDC"
LIBREPGP = "LibrePGP: packet 20"
OPTIONS = {RFC_9580: ["--chunk", "4K"], RFC_4880: ["--format", "rfc4880"]}

# Empty, short, of many chunks and partial lengths; the long ones cannot be compressed.
TEXTS = [
    b"",
    b"Gr\xc3\xbc\xc3\x9fe\n",
    *(hashlib.shake_128(b"x").digest(n) for n in (9000, 300_000)),
]

Reader = Callable[[bytes], bytes]
Writer = Callable[[bytes], bytes]


def they_read(form: str, reader: Reader, refusal: str | None = None) -> list[Case]:
    """Let a program read what we write in this form, binary and armored, and refuse the altered."""

    def all_texts(*options: str) -> None:
        for text in TEXTS:
            same(reader(encrypt(text, *OPTIONS[form], *options)), text)
        refuses(reader, encrypt(TEXTS[2], *OPTIONS[form]))

    return [
        Case(OPENPGP, form, THEY_READ, all_texts, refusal),
        Case(OPENPGP, f"{form}, armored", THEY_READ, lambda: all_texts("--armor"), refusal),
    ]


def we_read(what: str, writers: Sequence[Writer], refusal: str | None = None) -> Case:
    """Read what a program writes, in each of its ways, and refuse it when altered."""

    def all_texts() -> None:
        for writer in writers:
            for text in TEXTS:
                same(decrypt(writer(text)), text)
        refuses(decrypt, writers[0](TEXTS[2]))

    return Case(OPENPGP, what, WE_READ, all_texts, refusal)


def we_read_fixtures(what: str, pattern: str, refusal: str | None = None) -> Case:
    """Read the stored messages whose names match."""

    def all_files() -> None:
        files = sorted(FIXTURES.glob(pattern))
        if not files:
            raise failure(pattern, "no such fixture")
        for file in files:
            text = FIXTURES / f"{file.stem.rsplit('-', 1)[1]}.bin"
            same(decrypt(file.read_bytes()), text.read_bytes())

    return Case(OPENPGP, what, WE_READ, all_files, refusal)


def refuses(reader: Reader, message: bytes) -> None:
    """Raise unless the reader refuses the message with one bit in its middle flipped."""
    middle = len(message) // 2
    try:
        reader(message[:middle] + bytes([message[middle] ^ 1]) + message[middle + 1 :])
    except Refused:
        return
    raise failure("the reader", "took an altered message")


def with_passphrases(
    command: Sequence[str | Path], passphrases: Sequence[str], data: bytes, words: str = ""
) -> bytes:
    """Return what a command writes; {fd} in it becomes a descriptor with the passphrases."""
    reader, writer = os.pipe()
    with os.fdopen(writer, "w", encoding="utf-8") as pipe:
        pipe.writelines(f"{each}\n" for each in passphrases)
    try:
        arguments = [str(each).replace("{fd}", str(reader)) for each in command]
        done = subprocess.run(
            arguments, input=data, capture_output=True, pass_fds=[reader], check=False
        )
    finally:
        os.close(reader)
    if done.returncode != 0:
        raise Refused(telling_line(done.stderr, words))
    return done.stdout


def in_home(action: Callable[[str], bytes]) -> bytes:
    """Call the action with an empty folder for its program's keys and settings."""
    with tempfile.TemporaryDirectory() as home:
        return action(home)
