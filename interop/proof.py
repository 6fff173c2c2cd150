# SPDX-License-Identifier: Apache-2.0 OR MIT
"""rust/compat/proof: keepass-rs and rpgp, with the Twofish of RustCrypto or with ours."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from databases import Contents
from harness import PASSPHRASE, ROOT, run

FOLDER = ROOT / "rust/target/compat/debug"
THEIRS = FOLDER / "proof-unpatched"
OURS = FOLDER / "proof"
LOCK = ROOT / "rust/beside/Cargo.lock"
# The one entry of the databases that it writes.
ENTRY = {"from keepass-rs": ("eve", "fourth secret")}


def version(crate: str) -> str:
    """Return the version of a crate in it, if it is there."""
    run(THEIRS, "which")
    found = re.search(f'name = "{crate}"\nversion = "([^"]*)"', LOCK.read_text(encoding="utf-8"))
    assert found
    return found[1]


def open_database(command: Path, path: Path) -> Contents:
    """Return the entries of a database that have a user."""
    lines = run(command, "open-kdbx", path, PASSPHRASE).decode().splitlines()
    entries = (line.split("\t") for line in lines)
    return {path: (user, password) for path, user, password, *_ in entries if user}


def write_database(command: Path, path: Path, attachment: bytes) -> None:
    """Write a database with one entry and this attachment."""
    run(command, "write-kdbx", path, PASSPHRASE, data=attachment)


def open_message(command: Path, message: bytes) -> bytes:
    """Return what an OpenPGP message holds."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "message"
        path.write_bytes(message)
        return run(command, "open-pgp", path, PASSPHRASE)


def write_message(command: Path, text: bytes) -> bytes:
    """Return an OpenPGP message."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "message"
        run(command, "write-pgp", path, PASSPHRASE, data=text)
        return path.read_bytes()
