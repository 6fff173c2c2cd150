# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Bouncy Castle, for Java: its modes through the Java interface of ciphers, and its OpenPGP."""

from __future__ import annotations

from functools import partial

import bare
from harness import PASSPHRASE, Case, Program
from openpgp import RFC_4880, RFC_9580, they_read, we_read
from peer import BUILD, PEERS, Peer

PEER = Peer("java", "-cp", f"{BUILD}/jars/*", PEERS / "BouncyCastle.java", needs=BUILD / "jars")
WAYS = {
    "uncompressed, armored": ["plain", "armor"],
    "compressed by ZIP, ZLIB, BZip2": ["1", "2", "3"],
}


def crypt(mode: str, key: bytes, iv: bytes, aad: bytes, data: bytes, encrypting: bool) -> bytes:
    """Encrypt or decrypt one message."""
    return PEER.ask(f"{'encrypt' if encrypting else 'decrypt'}-{mode}", key, iv, aad, data)


def read(message: bytes) -> bytes:
    """Return what it finds in a message."""
    return PEER.ask("read", PASSPHRASE.encode(), message)


def write(way: str, text: bytes) -> bytes:
    """Return a message."""
    return PEER.ask(f"write-{way}", PASSPHRASE.encode(), text)


def cases() -> list[Case]:
    """Return its rows."""
    rows = bare.cases(crypt, "ecb cbc cts cfb cfb8 ofb ctr ocb eax gcm ccm cmac")
    rows += they_read(RFC_4880, read) + they_read(
        RFC_9580, read, "only supported for AES and Camellia"
    )
    for way, names in WAYS.items():
        rows.append(we_read(f"{RFC_4880}, {way}", [partial(write, each) for each in names]))
    return rows


def version() -> str:
    """Return the version that the provider tells."""
    return PEER.ask("version").decode()


PROGRAM = Program("Bouncy Castle", "Maven: org.bouncycastle:bcprov-jdk18on", version, cases)
