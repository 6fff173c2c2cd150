# SPDX-License-Identifier: Apache-2.0 OR MIT
"""OpenPGP.js, for browsers and Node: messages under a passphrase."""

from __future__ import annotations

from harness import PASSPHRASE, Case, Program
from openpgp import RFC_4880, RFC_9580, they_read, we_read
from peer import BUILD, PEERS, Peer

FOLDER = BUILD / "npm"
PEER = Peer("node", PEERS / "openpgp.mjs", FOLDER, needs=FOLDER / "node_modules")


def read(message: bytes) -> bytes:
    """Return what it finds in a message."""
    return PEER.ask("read", PASSPHRASE.encode(), message)


def write(text: bytes) -> bytes:
    """Return a message, if it wants to write one."""
    return PEER.ask("write", PASSPHRASE.encode(), text)


def cases() -> list[Case]:
    """Return its rows."""
    rows = they_read(RFC_4880, read) + they_read(RFC_9580, read, "Session key decryption failed")
    return [*rows, we_read(RFC_4880, [write])]


def version() -> str:
    """Return the version of the package."""
    return PEER.ask("version").decode()


PROGRAM = Program("OpenPGP.js", "npm: openpgp", version, cases)
