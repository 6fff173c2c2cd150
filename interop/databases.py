# SPDX-License-Identifier: Apache-2.0 OR MIT
"""KeePass databases: reading and writing them with our cipher, and checking what is in them."""

from __future__ import annotations

import contextlib
import importlib
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from harness import FIXTURES, NotRun, same

ATTACHMENT = (FIXTURES / "long.bin").read_bytes()[:2000]
# The entries in fixtures/README.md: path, user, password.
ENTRIES = {
    "mail": ("ada", "first secret"),
    "Bänke/account": ("ada", "zweites Geheimnis ä€𝄞"),
}
NEW_ENTRY = {"from KeePassXC": ("bob", "third secret")}
STORED = sorted(path.name for path in FIXTURES.glob("*.kdbx"))

Contents = dict[str, tuple[str, str]]


@contextlib.contextmanager
def our_cipher() -> Iterator[None]:
    """Let pykeepass have our Twofish for a while."""
    try:
        compat = importlib.import_module("manyfish.compat.pykeepass")
        compat.install()
    except ImportError as error:
        raise NotRun(f"the Python package manyfish is not installed: {error}") from None
    try:
        yield
    finally:
        compat.uninstall()


def pykeepass_reads(path: Path, passphrase: str) -> tuple[Contents, list[bytes]]:
    """Return the entries that have a user, and the attachments, of a database under Twofish."""
    try:
        from pykeepass import PyKeePass
    except ImportError:
        raise NotRun("pykeepass is not installed") from None
    database = PyKeePass(str(path), password=passphrase)
    if database.encryption_algorithm != "twofish":
        raise AssertionError(f"{path.name} is under {database.encryption_algorithm}")
    entries = {"/".join(e.path): (e.username, e.password) for e in database.entries if e.username}
    return entries, [attachment.binary for attachment in database.attachments]


def check(path: Path, found: Contents, attachments: list[bytes] | None = None) -> None:
    """Raise unless a database of the fixtures' shape has been read in full."""
    wanted = ENTRIES | (NEW_ENTRY if "keepassxc" in path.name else {})
    if found != wanted:
        raise AssertionError(f"{path.name}: {found} in place of {wanted}")
    if attachments is not None and path.name.startswith("kdbx4"):
        same(b"".join(attachments), ATTACHMENT)


def in_folder(action: Callable[[Path], None]) -> Callable[[], None]:
    """Return the action, to be called with a new folder."""

    def call() -> None:
        with tempfile.TemporaryDirectory() as folder:
            action(Path(folder))

    return call
