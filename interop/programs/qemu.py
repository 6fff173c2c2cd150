# SPDX-License-Identifier: Apache-2.0 OR MIT
"""QEMU's own driver for LUKS: disk images under Twofish, without a kernel or root."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable
from pathlib import Path

import luks
from harness import (
    DISK,
    THEY_READ,
    WE_READ,
    Case,
    NotRun,
    Program,
    Refused,
    failure,
    manyfish,
    run,
    same,
    version_line,
)

# An ASCII one: QEMU takes a file of octets, other tools a terminal's encoding.
PASSPHRASE = "seven plain test words"
SECTORS = {"xts": 2048, "cbc": 64}


def create(folder: Path, cipher: str, mode: str, data: bytes) -> Path:
    """Let QEMU write an encrypted image with this content."""
    (folder / "key").write_text(PASSPHRASE, encoding="ascii")
    (folder / "plain").write_bytes(data)
    options = f"key-secret=s,cipher-alg={cipher},cipher-mode={mode},ivgen-alg=plain64"
    options += ",hash-alg=sha256,iter-time=10"
    command = ["qemu-img", "convert", "--object", f"secret,id=s,file={folder / 'key'}"]
    command += ["-f", "raw", "-O", "luks", "-o", options]
    for _ in range(20):
        try:
            run(*command, folder / "plain", folder / "image")
        except Refused as refusal:  # it times PBKDF2, and gives up where other programs run
            if "accurate CPU usage" not in str(refusal):
                raise
        else:
            return folder / "image"
    raise NotRun("QEMU cannot measure PBKDF2 beside other programs")


def read(folder: Path) -> bytes:
    """Let QEMU decrypt the image."""
    options = f"driver=luks,key-secret=s,file.filename={folder / 'image'}"
    command = ["qemu-img", "convert", "--object", f"secret,id=s,file={folder / 'key'}"]
    run(*command, "--image-opts", options, "-O", "raw", folder / "back")
    return (folder / "back").read_bytes()


def we_read(folder: Path, cipher: str, mode: str) -> None:
    """QEMU writes an image, we read it."""
    data = random.randbytes(SECTORS[mode] * luks.SECTOR)
    image = create(folder, cipher, mode, data)
    same(manyfish("open", "--passphrase-file", folder / "key", image), data)
    (folder / "key").write_text(PASSPHRASE + "?", encoding="ascii")
    try:
        manyfish("open", "--passphrase-file", folder / "key", image)
    except Refused:
        return
    raise failure("a wrong passphrase", "opens the image")


def they_read(folder: Path, cipher: str, mode: str) -> None:
    """QEMU makes an image, we write other sectors into it, QEMU reads them."""
    n = SECTORS[mode]
    image = create(folder, cipher, mode, bytes(n * luks.SECTOR))
    volume = luks.unlock(image, PASSPHRASE)
    first, data = n // 4, random.randbytes(n // 2 * luks.SECTOR)
    with image.open("r+b") as file:
        file.seek(volume.payload + first * luks.SECTOR)
        file.write(volume.crypt("encrypt", data, first))
    expected = bytearray(n * luks.SECTOR)
    expected[first * luks.SECTOR : first * luks.SECTOR + len(data)] = data
    same(read(folder), bytes(expected))


def in_folder(step: Callable[[Path, str, str], None], cipher: str, mode: str) -> Callable[[], None]:
    """Return the step, to be called with a folder of its own."""

    def call() -> None:
        with tempfile.TemporaryDirectory() as folder:
            step(Path(folder), cipher, mode)

    return call


def cases() -> list[Case]:
    """Return QEMU's rows."""
    forms = [("twofish-256", "xts"), ("twofish-128", "xts"), ("twofish-256", "cbc")]
    return [
        Case(DISK, f"LUKS1, {cipher}-{mode}-plain64", direction, in_folder(step, cipher, mode))
        for cipher, mode in forms
        for direction, step in [(THEY_READ, they_read), (WE_READ, we_read)]
    ]


def version() -> str:
    """Return what qemu-img calls itself."""
    return version_line("qemu-img", "--version")


PROGRAM = Program("QEMU", "Debian: qemu-utils", version, cases)
