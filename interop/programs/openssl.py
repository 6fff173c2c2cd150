# SPDX-License-Identifier: Apache-2.0 OR MIT
"""OpenSSL's command with our provider, against `manyfish raw`: its modes mean the same.

OpenSSL has no Twofish of its own. Its `enc` takes no authenticated mode and no XTS, for any cipher.
"""

from __future__ import annotations

import bare
from harness import INSIDE, Case, NotRun, Program, run, version_line
from peer import BUILD

MODULE = BUILD / "openssl" / "manyfish.so"
PROVIDERS = ["-provider-path", str(MODULE.parent), "-provider", "manyfish", "-provider", "default"]


def crypt(mode: str, key: bytes, iv: bytes, aad: bytes, data: bytes, encrypting: bool) -> bytes:
    """Encrypt or decrypt one message."""
    bits = 8 * len(key)
    if mode == "cmac":
        command = ["openssl", "mac", *PROVIDERS, "-cipher", f"twofish-{bits}-cbc", "-binary"]
        return run(*command, "-macopt", f"hexkey:{key.hex()}", "-in", "-", "CMAC", data=data)
    command = ["openssl", "enc", "-e" if encrypting else "-d", *PROVIDERS, "-nopad", "-nosalt"]
    initial = ["-iv", iv.hex()] if iv else []
    return run(*command, f"-twofish-{bits}-{mode}", "-K", key.hex(), *initial, data=data)


def cases() -> list[Case]:
    """Return its rows."""
    return bare.together(crypt, INSIDE, "ecb cbc cfb cfb8 ofb ctr cmac")


def version() -> str:
    """Return what openssl calls itself."""
    if not MODULE.exists():
        raise NotRun("the provider is not built")
    return version_line("openssl", "version")


PROGRAM = Program("OpenSSL with our provider", "Debian: openssl", version, cases)
