#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""`manyfish mount`: what the file shows and takes, and what ends it. Run by scripts/test-interop.

A file system in it is not mounted: a test changes nothing of the machine beyond its own folder.
"""

from __future__ import annotations

import gzip
import os
import random
import shutil
import signal
import subprocess
import tempfile
import threading
import unittest
from pathlib import Path

FIXTURES = Path(__file__).parents[4] / "interop" / "fixtures"
PATIENCE_SECONDS = 120


def refusal() -> str:
    """Return why no folder can be mounted here."""
    if not os.access("/dev/fuse", os.R_OK | os.W_OK):
        return "mount: there is no /dev/fuse"
    if os.getuid() != 0:
        return "" if shutil.which("fusermount3") else "mount: no fusermount3"
    with tempfile.TemporaryDirectory() as folder:
        mount = subprocess.run(["mount", "-t", "tmpfs", "none", folder], capture_output=True)
        if mount.returncode == 0:
            subprocess.run(["umount", folder], check=True)
    return "" if mount.returncode == 0 else "mount: this machine lets nobody mount"


class Mount(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.dir = self.folder / "dir"
        self.dir.mkdir()
        packed = (FIXTURES / "luks1-cbc-essiv.img.gz").read_bytes()
        noise = random.randbytes(5 << 20)
        (self.folder / "volume").write_bytes(gzip.decompress(packed) + noise)

    def start(self, *options: str, place: str = "dir") -> subprocess.Popen[bytes]:
        """Return it when it has mounted, or ended; what it said is in `said`."""
        phrase = ("--passphrase-file", FIXTURES / "passphrase")
        command: list[str | Path] = [
            "manyfish",
            "mount",
            *phrase,
            *options,
            self.folder / "volume",
            self.folder / place,
        ]
        process = subprocess.Popen(command, stderr=subprocess.PIPE)
        self.addCleanup(self.stop, process)
        assert process.stderr
        self.said = b""
        patience = threading.Timer(PATIENCE_SECONDS, process.kill)
        patience.start()
        for line in process.stderr:
            self.said += line
            if b"has the plain data" in line:
                break
        patience.cancel()
        return process

    def stop(self, process: subprocess.Popen[bytes]) -> None:
        process.terminate()
        process.communicate(timeout=PATIENCE_SECONDS)

    def test_the_file_is_what_open_gives(self) -> None:
        process = self.start()
        opened = self.opened()
        disk = self.dir / "disk"
        self.assertEqual([path.name for path in self.dir.iterdir()], ["disk"])
        self.assertEqual(disk.read_bytes(), opened)
        with disk.open("rb") as file:
            for _ in range(50):
                start, n_bytes = random.randrange(len(opened)), random.randrange(100_000)
                file.seek(start)
                self.assertEqual(file.read(n_bytes), opened[start : start + n_bytes])
        with self.assertRaisesRegex(OSError, "Read-only"):
            (self.dir / "new").touch()
        with self.assertRaisesRegex(OSError, "Read-only"):
            disk.open("r+b")
        self.assertIsNone(process.poll())

    def unmount(self) -> None:
        unmount = ["umount"] if os.getuid() == 0 else ["fusermount3", "-u"]
        subprocess.run([*unmount, self.dir], check=True)

    def opened(self) -> bytes:
        """Return the plain data by the other command."""
        phrase = FIXTURES / "passphrase"
        command: list[str | Path] = ["manyfish", "open", "--passphrase-file", phrase, "-o", "-"]
        return subprocess.run(
            [*command, self.folder / "volume"], capture_output=True, check=True
        ).stdout

    def test_what_is_written_outlives_a_kill(self) -> None:
        """A file system, then pieces of any length: what was answered is in the volume."""
        process = self.start("--write")
        disk = self.dir / "disk"
        tools = os.environ | {"PATH": os.environ["PATH"] + ":/usr/sbin:/sbin"}
        subprocess.run(["mkfs.ext4", "-q", "-F", disk], env=tools, check=True)
        subprocess.run(["e2fsck", "-fn", disk], env=tools, check=True, capture_output=True)
        expected = bytearray(disk.read_bytes())
        with disk.open("r+b", buffering=0) as file:
            for _ in range(200):
                start, piece = random.randrange(len(expected)), random.randbytes(9000)
                file.seek(start)
                n_bytes = file.write(piece[: random.randrange(1, 9000)])
                expected[start : start + n_bytes] = piece[:n_bytes]
            os.fsync(file.fileno())
            with self.assertRaisesRegex(OSError, "No space"):
                file.truncate(len(expected) + 1)
            file.seek(len(expected))
            with self.assertRaisesRegex(OSError, "No space"):
                file.write(b"beyond")
        self.assertEqual(disk.read_bytes(), expected)
        (self.folder / "other").mkdir()
        other = self.start("--write", place="other")
        self.assertEqual(other.wait(PATIENCE_SECONDS), 1)
        self.assertIn(b"is in use", self.said)
        process.kill()
        process.wait(PATIENCE_SECONDS)
        self.unmount()
        self.assertEqual(self.opened(), expected)

    def test_a_signal_unmounts(self) -> None:
        process = self.start()
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(PATIENCE_SECONDS), -signal.SIGTERM)
        self.assertFalse(os.path.ismount(self.dir))

    def test_unmounting_ends_it(self) -> None:
        process = self.start()
        self.unmount()
        self.assertEqual(process.wait(PATIENCE_SECONDS), 0)

    def test_what_is_no_volume_is_refused(self) -> None:
        shutil.copy(FIXTURES / "safe.psafe3", self.folder / "volume")
        process = self.start()
        self.assertEqual(process.wait(PATIENCE_SECONDS), 1)
        self.assertIn(b"is no volume", self.said)


if __name__ == "__main__":
    if reason := refusal():
        print(f"skipped: {reason}\n0 passed, 0 failed, 1 skipped")
    else:
        unittest.main()
