# SPDX-License-Identifier: Apache-2.0 OR MIT
"""cryptsetup: opens the header of a LUKS volume, if this kernel offers Twofish to programs.

Debian's build takes its ciphers from OpenSSL, which has no Twofish, and else from the kernel.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import luks
from harness import BOTH, DISK, Case, NotRun, Program, Refused, run, same, version_line
from programs import qemu


def volume_key() -> None:
    """cryptsetup finds the same volume key in an image of QEMU as we do."""
    try:
        qemu.version()
    except NotRun:
        raise NotRun("QEMU, which makes the image, is not installed") from None
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        image = qemu.create(folder, "twofish-256", "xts", bytes(luks.SECTOR * 8))
        command = ["cryptsetup", "luksDump", "--batch-mode", "--dump-volume-key"]
        try:
            out = run(*command, "--key-file", folder / "key", image).decode()
        except Refused as refusal:
            raise NotRun(f"needs the kernel's Twofish: {refusal}") from refusal
        dump = out.split("MK dump:")[1]
        same(bytes.fromhex("".join(dump.split())), luks.unlock(image, qemu.PASSPHRASE).key)


def cases() -> list[Case]:
    """Return the one row."""
    return [Case(DISK, "LUKS1, volume key of twofish-xts-plain64", BOTH, volume_key)]


def version() -> str:
    """Return what cryptsetup calls itself."""
    return version_line("cryptsetup", "--version")


PROGRAM = Program("cryptsetup", "Debian: cryptsetup-bin", version, cases)
