# SPDX-License-Identifier: Apache-2.0 OR MIT
"""cryptsetup with our provider for OpenSSL: opens the header of a LUKS volume.

It asks for the provider "legacy", so the module has that name here: openssl/cryptsetup.md.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import luks
from harness import BOTH, DISK, Case, NotRun, Program, run, same, version_line
from programs import qemu
from programs.openssl import MODULE


def volume_key() -> None:
    """cryptsetup finds the same volume key in an image of QEMU as we do."""
    try:
        qemu.version()
    except NotRun:
        raise NotRun("QEMU, which makes the image, is not installed") from None
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        image = qemu.create(folder, "twofish-256", "xts", bytes(luks.SECTOR * 8))
        (folder / "legacy.so").symlink_to(MODULE)
        command = ["env", f"OPENSSL_MODULES={folder}", "cryptsetup", "luksDump", "--batch-mode"]
        out = run(*command, "--dump-volume-key", "--key-file", folder / "key", image).decode()
        dump = out.split("MK dump:")[1]
        same(bytes.fromhex("".join(dump.split())), luks.unlock(image, qemu.PASSPHRASE).key)


def cases() -> list[Case]:
    """Return the one row."""
    return [Case(DISK, "LUKS1, volume key of twofish-xts-plain64", BOTH, volume_key)]


def version() -> str:
    """Return what cryptsetup calls itself."""
    if not MODULE.exists():
        raise NotRun("the provider is not built")
    return version_line("cryptsetup", "--version")


PROGRAM = Program("cryptsetup with our provider", "Debian: cryptsetup-bin", version, cases)
