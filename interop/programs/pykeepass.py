# SPDX-License-Identifier: Apache-2.0 OR MIT
"""pykeepass with the Twofish in Python that it carries, against itself with ours in its place."""

from __future__ import annotations

import importlib.metadata
from functools import partial
from pathlib import Path

from databases import ATTACHMENT, check, in_folder, our_cipher, pykeepass_reads
from harness import KEEPASS, PASSPHRASE, THEY_READ, WE_READ, Case, NotRun, Program
from kdbx import FORMS, Form, write_with_pykeepass


def they_read(form: Form, folder: Path) -> None:
    """Its own Twofish reads what ours wrote."""
    path = folder / f"{form.name}.kdbx"
    with our_cipher():
        write_with_pykeepass(path, form, PASSPHRASE, ATTACHMENT)
    check(path, *pykeepass_reads(path, PASSPHRASE))


def we_read(form: Form, folder: Path) -> None:
    """Ours reads what its own Twofish wrote."""
    path = folder / f"{form.name}.kdbx"
    write_with_pykeepass(path, form, PASSPHRASE, ATTACHMENT)
    with our_cipher():
        check(path, *pykeepass_reads(path, PASSPHRASE))


def cases() -> list[Case]:
    """Return its rows."""
    return [
        Case(
            KEEPASS,
            f"{form.title}; our side: manyfish.compat",
            direction,
            in_folder(partial(step, form)),
        )
        for form in FORMS
        for direction, step in [(THEY_READ, they_read), (WE_READ, we_read)]
    ]


def version() -> str:
    """Return the version of the package."""
    try:
        return importlib.metadata.version("pykeepass")
    except importlib.metadata.PackageNotFoundError:
        raise NotRun("pykeepass is not installed") from None


PROGRAM = Program("pykeepass", "PyPI: pykeepass", version, cases)
