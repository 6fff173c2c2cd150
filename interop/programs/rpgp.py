# SPDX-License-Identifier: Apache-2.0 OR MIT
"""rpgp, OpenPGP in Rust, with the Twofish of RustCrypto, and itself with ours by [patch]."""

from __future__ import annotations

from functools import partial

import proof
from harness import BOTH, FIXTURES, INSIDE, Case, Program, same
from openpgp import RFC_4880, RFC_9580, they_read, we_read


def stored() -> None:
    """With our cipher it reads messages of GnuPG and RNP."""
    for file in sorted(FIXTURES.glob("*-plain-*.pgp")):
        text = FIXTURES / f"{file.stem.rsplit('-', 1)[1]}.bin"
        same(proof.open_message(proof.OURS, file.read_bytes()), text.read_bytes())


def across() -> None:
    """With our cipher it reads what it wrote with theirs, and the other way round."""
    text = (FIXTURES / "long.bin").read_bytes()
    for writer, reader in [(proof.OURS, proof.THEIRS), (proof.THEIRS, proof.OURS)]:
        same(proof.open_message(reader, proof.write_message(writer, text)), text)


def cases() -> list[Case]:
    """Return its rows."""
    read, write = (partial(f, proof.THEIRS) for f in (proof.open_message, proof.write_message))
    rows = they_read(RFC_4880, read) + they_read(RFC_9580, read, "missing key")
    rows.append(we_read(RFC_4880, [write]))
    what = "OpenPGP with our cipher by [patch]"
    rows.append(Case(INSIDE, f"{what}, messages of GnuPG and RNP", BOTH, stored))
    return [*rows, Case(INSIDE, f"{what}, and with its own", BOTH, across)]


def version() -> str:
    """Return the version of the crate."""
    return proof.version("pgp")


PROGRAM = Program("rpgp", "crates.io: pgp", version, cases)
