# SPDX-License-Identifier: Apache-2.0 OR MIT
"""KeePassXC, by its command line: databases under Twofish. Its Twofish is Botan's."""

from __future__ import annotations

import json
import subprocess
from functools import partial
from pathlib import Path

from databases import ATTACHMENT, STORED, check, in_folder, our_cipher, pykeepass_reads
from harness import (
    FIXTURES,
    KEEPASS,
    PASSPHRASE,
    THEY_READ,
    WE_READ,
    Case,
    Program,
    Refused,
    failure,
    manyfish,
    run,
    same,
    telling_line,
    version_line,
)
from kdbx import FORMS, Form, write_with_keepassxc, write_with_pykeepass

PHRASE = ("--passphrase-file", FIXTURES / "passphrase")


def cli(verb: str, *arguments: str | Path, passphrase: str = PASSPHRASE) -> str:
    """Return what keepassxc-cli prints."""
    command = ["keepassxc-cli", verb, "-q", *arguments]
    return run(*command, data=f"{passphrase}\n".encode()).decode()


def read(path: Path) -> None:
    """Let KeePassXC read a database of the fixtures' shape."""
    entries = {}
    for entry in ["mail", "Bänke/account"]:
        shown = cli("show", "-s", "-a", "UserName", "-a", "Password", path, entry)
        user, password = shown.splitlines()
        entries[entry] = (user, password)
    check(path, entries)
    if path.name.startswith("kdbx4"):
        out = path.with_suffix(".attachment")
        cli("attachment-export", path, "Bänke/account", "octets.bin", out)
        same(out.read_bytes(), ATTACHMENT)


def they_read(form: Form, folder: Path) -> None:
    """pykeepass with our cipher writes, KeePassXC reads, with the right passphrase only."""
    path = folder / f"{form.name}.kdbx"
    with our_cipher():
        write_with_pykeepass(path, form, PASSPHRASE, ATTACHMENT)
    read(path)
    try:
        cli("ls", path, passphrase=PASSPHRASE + "?")
    except Refused:
        return
    raise failure("KeePassXC", "opens the database with a wrong passphrase")


def we_read(form: Form, folder: Path) -> None:
    """KeePassXC writes, pykeepass with our cipher reads."""
    path = folder / f"{form.name}-keepassxc.kdbx"
    source = FIXTURES / f"{form.name}-pykeepass.kdbx"
    try:
        write_with_keepassxc(path, source, PASSPHRASE)
    except subprocess.CalledProcessError as error:
        raise Refused(telling_line(error.stderr or b"")) from error
    with our_cipher():
        check(path, *pykeepass_reads(path, PASSPHRASE))


def moved(form: Form, folder: Path) -> None:
    """`manyfish move` writes under each cipher, KeePassXC reads."""
    source = FIXTURES / f"{form.name}-pykeepass.kdbx"
    for cipher in ["aes", "chacha20", "twofish"]:
        path = folder / f"{form.name}-{cipher}.kdbx"
        manyfish("move", *PHRASE, "--cipher", cipher, "-o", path, source)
        read(path)


def opened() -> None:
    """`manyfish open` reads the stored databases."""
    for name in STORED:
        entries = json.loads(manyfish("open", *PHRASE, "--export", "json", FIXTURES / name))
        found = {
            f"{entry['group']}/{entry['title']}".lstrip("/"): (entry["user"], entry["password"])
            for entry in entries
            if entry["user"]
        }
        attachments = [bytes.fromhex(data) for entry in entries for data in entry["other"].values()]
        check(FIXTURES / name, found, attachments)


def stored() -> None:
    """pykeepass with our cipher reads the stored databases."""
    with our_cipher():
        for name in STORED:
            check(FIXTURES / name, *pykeepass_reads(FIXTURES / name, PASSPHRASE))


def cases() -> list[Case]:
    """Return KeePassXC's rows."""
    rows = []
    for form in FORMS:
        for direction, step in [(THEY_READ, they_read), (WE_READ, we_read)]:
            what = f"{form.title}; our side: pykeepass with manyfish.compat"
            rows.append(Case(KEEPASS, what, direction, in_folder(partial(step, form))))
        what = f"{form.title}; our side: manyfish move"
        rows.append(Case(KEEPASS, what, THEY_READ, in_folder(partial(moved, form))))
    rows.append(Case(KEEPASS, "stored databases; our side: manyfish open", WE_READ, opened))
    what = "stored databases; our side: pykeepass with manyfish.compat"
    return [*rows, Case(KEEPASS, what, WE_READ, stored)]


def version() -> str:
    """Return what keepassxc-cli calls itself."""
    return version_line("keepassxc-cli", "--version")


PROGRAM = Program("KeePassXC", "Debian: keepassxc", version, cases)
