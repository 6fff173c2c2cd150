# SPDX-License-Identifier: Apache-2.0 OR MIT
"""sqop of Debian 12: Sequoia 1.x, as in the `sq` beside it, without questions at a terminal.

It chooses the cipher itself, and never Twofish, so it only reads.
"""

from __future__ import annotations

from harness import FIXTURES, Case, Program, run, version_line
from openpgp import RFC_4880, RFC_9580, they_read


def read(message: bytes) -> bytes:
    """Return what it finds in a message."""
    return run("sqop", "decrypt", "--with-password", FIXTURES / "passphrase", data=message)


def cases() -> list[Case]:
    """Return its rows."""
    return they_read(RFC_4880, read) + they_read(RFC_9580, read, "Invalid data type|Bad data")


def version() -> str:
    """Return what sqop calls itself."""
    return version_line("sqop", "version")


PROGRAM = Program("sqop (Sequoia 1.x)", "Debian: sqop", version, cases)
