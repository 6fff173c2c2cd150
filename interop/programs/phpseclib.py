# SPDX-License-Identifier: Apache-2.0 OR MIT
"""phpseclib, the library of PHP for SSH and for ciphers that PHP lacks."""

from __future__ import annotations

from pathlib import Path

import bare
from harness import Case, Program, package_version
from peer import PEERS, Peer

AUTOLOAD = Path("/usr/share/php/phpseclib3/autoload.php")
PEER = Peer("php", PEERS / "phpseclib.php", needs=AUTOLOAD)


def crypt(mode: str, key: bytes, iv: bytes, aad: bytes, data: bytes, encrypting: bool) -> bytes:
    """Encrypt or decrypt one message."""
    return PEER.ask(f"{'encrypt' if encrypting else 'decrypt'}-{mode}", key, iv, aad, data)


def cases() -> list[Case]:
    """Return two cases a mode; in GCM version 3.0.19 does not come back from some messages."""
    return bare.cases(crypt, "ecb cbc cfb cfb8 ofb ctr")


def version() -> str:
    """Return the version of the package."""
    PEER.ask("version")
    return package_version("php-phpseclib3")


PROGRAM = Program("phpseclib", "Debian: php-phpseclib3", version, cases)
