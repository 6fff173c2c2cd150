# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Node's crypto module with our OpenSSL provider, against `manyfish raw`."""

from __future__ import annotations

import bare
from harness import INSIDE, Case, Program
from peer import BUILD, PEERS, Peer
from programs.openssl import MODULE

SETTINGS = f"""\
nodejs_conf = init
[init]
providers = providers
[providers]
default = default_provider
manyfish = manyfish_provider
[default_provider]
activate = 1
[manyfish_provider]
module = {MODULE}
activate = 1
"""
FILE = BUILD / "node.cnf"
PEER = Peer("node", f"--openssl-config={FILE}", PEERS / "node.mjs", needs=MODULE)


def crypt(mode: str, key: bytes, iv: bytes, aad: bytes, data: bytes, encrypting: bool) -> bytes:
    """Encrypt or decrypt one message."""
    return PEER.ask(f"{'encrypt' if encrypting else 'decrypt'}-{mode}", key, iv, aad, data)


def cases() -> list[Case]:
    """Return its rows."""
    return [
        *bare.together(crypt, INSIDE, "ecb cbc cfb cfb8 ofb ctr"),
        *bare.together(crypt, INSIDE, "ocb gcm ccm"),
    ]


def version() -> str:
    """Return what node calls itself."""
    FILE.parent.mkdir(parents=True, exist_ok=True)
    FILE.write_text(SETTINGS, encoding="utf-8")
    return PEER.ask("version").decode()


PROGRAM = Program("Node with our provider", "Debian: nodejs", version, cases)
