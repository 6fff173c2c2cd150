# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Go: Twofish of golang.org/x/crypto in the modes of the standard library."""

from __future__ import annotations

import bare
from harness import Case, Program
from peer import BUILD, Peer

PROGRAM_FILE = BUILD / "go-peer"
PEER = Peer(PROGRAM_FILE, needs=PROGRAM_FILE)


def crypt(mode: str, key: bytes, iv: bytes, aad: bytes, data: bytes, encrypting: bool) -> bytes:
    """Encrypt or decrypt one message."""
    return PEER.ask(f"{'encrypt' if encrypting else 'decrypt'}-{mode}", key, iv, aad, data)


def cases() -> list[Case]:
    """Return two cases a mode."""
    return bare.cases(crypt, "ecb cbc cfb ofb ctr gcm")


def version() -> str:
    """Return the version of the module."""
    return PEER.ask("version").decode()


PROGRAM = Program("Go x/crypto", "Go: golang.org/x/crypto", version, cases)
