# SPDX-License-Identifier: Apache-2.0 OR MIT
"""GnuPG: messages under a passphrase."""

from __future__ import annotations

import subprocess
from functools import partial

from harness import PASSPHRASE, Case, Program, version_line
from openpgp import (
    RFC_4880,
    RFC_9580,
    in_home,
    they_read,
    we_read,
    we_read_fixtures,
    with_passphrases,
)

# Lines of gpg that say why it refuses.
WORDS = "unknown version|decryption failed|invalid packet"
WAYS = {
    "every S2K and hash": [
        ["--s2k-mode", "0"],
        ["--s2k-mode", "1"],
        ["--s2k-digest-algo", "SHA1"],
        ["--s2k-digest-algo", "SHA224"],
        ["--s2k-digest-algo", "SHA512", "--s2k-count", "65011712"],
    ],
    "uncompressed, armored": [["--compress-algo", "none"], ["--armor"]],
    "compressed by ZIP, ZLIB, BZip2": [
        ["-z", "9", "--compress-algo", each] for each in ("zip", "zlib", "bzip2")
    ],
}


def gpg(*arguments: str, data: bytes) -> bytes:
    """Return what gpg writes, with keys and settings of nobody."""

    def call(home: str) -> bytes:
        command = ["gpg", "--homedir", home, "--batch", "--quiet", "--no-tty"]
        command += ["--pinentry-mode", "loopback", "--passphrase-fd", "{fd}"]
        try:
            return with_passphrases([*command, *arguments], [PASSPHRASE], data, WORDS)
        finally:
            subprocess.run(["gpgconf", "--homedir", home, "--kill", "all"], check=False)

    return in_home(call)


def write(options: list[str], text: bytes) -> bytes:
    """Return a message of GnuPG."""
    cipher = ["--cipher-algo", "TWOFISH", "--s2k-cipher-algo", "TWOFISH"]
    return gpg("--symmetric", *cipher, *options, data=text)


def read(message: bytes) -> bytes:
    """Return what GnuPG finds in a message."""
    return gpg("--decrypt", data=message)


def cases() -> list[Case]:
    """Return GnuPG's rows."""
    rows = they_read(RFC_4880, read) + they_read(RFC_9580, read, "unknown version 6")
    for way, options in WAYS.items():
        rows.append(we_read(f"{RFC_4880}, {way}", [partial(write, each) for each in options]))
    return [*rows, we_read_fixtures(f"{RFC_4880}, stored messages", "gnupg-[!sl]*.pgp")]


def version() -> str:
    """Return what gpg calls itself."""
    return version_line("gpg", "--version")


PROGRAM = Program("GnuPG", "Debian: gnupg", version, cases)
