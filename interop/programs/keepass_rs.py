# SPDX-License-Identifier: Apache-2.0 OR MIT
"""keepass-rs with the Twofish of RustCrypto, and itself with ours by `[patch.crates-io]`."""

from __future__ import annotations

from pathlib import Path

import proof
from databases import ATTACHMENT, STORED, check, in_folder, our_cipher, pykeepass_reads
from harness import FIXTURES, KEEPASS, PASSPHRASE, THEY_READ, WE_READ, Case, Program, failure, same

PATCHED = "our side: keepass-rs with our cipher by [patch]"


def compare(found: object) -> None:
    """Raise unless this is the entry that it writes."""
    if found != proof.ENTRY:
        raise failure("the database", f"holds {found}")


def they_read(folder: Path) -> None:
    """With our cipher it writes, with theirs it reads."""
    proof.write_database(proof.OURS, folder / "file.kdbx", ATTACHMENT)
    compare(proof.open_database(proof.THEIRS, folder / "file.kdbx"))


def we_read(folder: Path) -> None:
    """With their cipher it writes, with ours it reads."""
    proof.write_database(proof.THEIRS, folder / "file.kdbx", ATTACHMENT)
    compare(proof.open_database(proof.OURS, folder / "file.kdbx"))


def pykeepass_opens(folder: Path) -> None:
    """With their cipher it writes, pykeepass with ours reads."""
    proof.write_database(proof.THEIRS, folder / "file.kdbx", ATTACHMENT)
    with our_cipher():
        entries, attachments = pykeepass_reads(folder / "file.kdbx", PASSPHRASE)
    compare(entries)
    same(b"".join(attachments), ATTACHMENT)


def stored() -> None:
    """With our cipher it reads what KeePassXC and pykeepass wrote."""
    for name in STORED:
        check(FIXTURES / name, proof.open_database(proof.OURS, FIXTURES / name))


def cases() -> list[Case]:
    """Return its rows; it writes KDBX 4 only."""
    return [
        Case(KEEPASS, f"KDBX 4.0, AES-KDF; {PATCHED}", THEY_READ, in_folder(they_read)),
        Case(KEEPASS, f"KDBX 4.0, AES-KDF; {PATCHED}", WE_READ, in_folder(we_read)),
        Case(
            KEEPASS,
            "KDBX 4.0, AES-KDF; our side: pykeepass with manyfish.compat",
            WE_READ,
            in_folder(pykeepass_opens),
        ),
        Case(KEEPASS, f"databases of KeePassXC and pykeepass; {PATCHED}", WE_READ, stored),
    ]


def version() -> str:
    """Return the version of the crate."""
    return proof.version("keepass")


PROGRAM = Program("keepass-rs", "crates.io: keepass", version, cases)
