# SPDX-License-Identifier: Apache-2.0 OR MIT
"""RNP, the OpenPGP library of Thunderbird: messages under a passphrase."""

from __future__ import annotations

from functools import partial

from harness import PASSPHRASE, Case, Program, version_line
from openpgp import (
    LIBREPGP,
    RFC_4880,
    RFC_9580,
    in_home,
    they_read,
    we_read,
    we_read_fixtures,
    with_passphrases,
)

WAYS = {
    f"{RFC_4880}, uncompressed, armored": [["-z", "0"], ["--armor"]],
    f"{RFC_4880}, compressed by ZIP, ZLIB, BZip2": [["--zip"], ["--zlib"], ["--bzip"]],
    f"{RFC_4880}, two passphrases": [["--passwords", "2"]],
    f"{LIBREPGP}, OCB": [["--aead=OCB"], ["--aead=OCB", "--aead-chunk-bits", "0", "-z", "0"]],
    f"{LIBREPGP}, EAX": [["--aead=EAX"], ["--aead=EAX", "--aead-chunk-bits", "0", "-z", "0"]],
    f"{LIBREPGP}, OCB, two passphrases": [["--aead=OCB", "--passwords", "2"]],
}


def rnp(*arguments: str, passphrases: list[str], data: bytes) -> bytes:
    """Return what rnp writes, with keys and settings of nobody."""

    def call(home: str) -> bytes:
        command = ["rnp", "--homedir", home, "--notty", "--pass-fd", "{fd}", "--output", "-"]
        return with_passphrases([*command, *arguments], passphrases, data)

    return in_home(call)


def write(options: list[str], text: bytes) -> bytes:
    """Return a message of RNP; with two passphrases, ours is the second."""
    passphrases = ["another one", PASSPHRASE] if "--passwords" in options else [PASSPHRASE]
    command = ["--symmetric", "--cipher", "TWOFISH", *options]
    return rnp(*command, passphrases=passphrases, data=text)


def read(message: bytes) -> bytes:
    """Return what RNP finds in a message."""
    return rnp("--decrypt", passphrases=[PASSPHRASE], data=message)


def cases() -> list[Case]:
    """Return RNP's rows."""
    rows = they_read(RFC_4880, read) + they_read(RFC_9580, read, "unknown mdc ver: 2")
    for way, options in WAYS.items():
        rows.append(we_read(way, [partial(write, each) for each in options]))
    rows.append(we_read_fixtures(f"{RFC_4880}, stored messages", "rnp-[!oe]*.pgp"))
    rows.append(we_read_fixtures(f"{LIBREPGP}, stored messages", "rnp-[oe]*.pgp"))
    return rows


def version() -> str:
    """Return what rnp calls itself."""
    return version_line("rnp", "--version")


PROGRAM = Program("RNP", "Debian: rnp", version, cases)
