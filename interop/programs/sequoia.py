# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Sequoia 2.x: the module pysequoia reads, and rust/interop writes.

The module cannot choose a cipher. Both hold the Twofish of RustCrypto, none of ours.
"""

from __future__ import annotations

import importlib.metadata
import os
import re
from functools import partial

from harness import PASSPHRASE, ROOT, Case, NotRun, Program, Refused, run
from openpgp import RFC_4880, RFC_9580, they_read, we_read

WRITER = os.environ.get(
    "MANYFISH_INTEROP", str(ROOT / "rust/target/interop/debug/manyfish-interop")
)
WAYS = {
    f"{RFC_9580}": [["--argon2"], ["--argon2", "--armor"]],
    "RFC 9580: OCB, iterated S2K": [[], ["--pad"]],
    f"{RFC_4880}": [["--mode", "cfb"], ["--mode", "cfb", "--armor"]],
    f"{RFC_4880}, compressed by ZIP": [["--mode", "cfb", "--compress"]],
}


def read(message: bytes) -> bytes:
    """Return what it finds in a message."""
    import pysequoia

    try:
        return pysequoia.decrypt(message, passwords=[PASSPHRASE]).bytes or b""
    except Exception as error:  # the module raises its own and Python's
        raise Refused(str(error)) from error


def write(options: list[str], text: bytes) -> bytes:
    """Return a message."""
    return run(WRITER, "--password", PASSPHRASE, *options, data=text)


def cases() -> list[Case]:
    """Return its rows."""
    rows = they_read(RFC_9580, read) + they_read(RFC_4880, read)
    for way, options in WAYS.items():
        rows.append(we_read(way, [partial(write, each) for each in options]))
    return rows


def version() -> str:
    """Return the version of the library that writes; that of the module is in requirements.txt."""
    try:
        module = importlib.metadata.version("pysequoia")
    except importlib.metadata.PackageNotFoundError:
        raise NotRun("pysequoia is not installed") from None
    lock = (ROOT / "rust/beside/Cargo.lock").read_text(encoding="utf-8")
    found = re.search(r'name = "sequoia-openpgp"\nversion = "([^"]*)"', lock)
    assert found
    return f"{found[1]}, pysequoia {module}"


PROGRAM = Program("Sequoia", "crates.io: sequoia-openpgp; PyPI: pysequoia", version, cases)
