#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""manyfish and Sequoia open each other's messages. Run by scripts/test-interop.

Sequoia is here twice: as the module pysequoia, which reads, and as the program manyfish-interop,
which writes with Twofish. Both hold Twofish and OCB of RustCrypto, none of ours.
"""

from __future__ import annotations

import random
import subprocess
import tempfile
import unittest
from pathlib import Path

import pysequoia

PASSPHRASE = "correct horse, Batterie, größer"
CHUNKS = ["64", "4K", "64K", "1M", "4M"]


def run(*command: str | Path, data: bytes = b"") -> bytes:
    """The output of the command; it must succeed."""
    done = subprocess.run(command, input=data, capture_output=True, check=False)
    if done.returncode != 0:
        raise AssertionError(f"{command}: {done.stderr.decode()}")
    return done.stdout


def random_file(size: int) -> bytes:
    return random.Random(size).randbytes(size)


class Interop(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.phrase = self.folder / "phrase"
        self.phrase.write_text(PASSPHRASE + "\n", encoding="utf-8")

    def encrypt(self, *options: str | Path, data: bytes = b"") -> bytes:
        return run("manyfish", "encrypt", "--passphrase-file", self.phrase, *options, data=data)

    def decrypt(self, message: bytes) -> bytes:
        return run("manyfish", "decrypt", "--passphrase-file", self.phrase, data=message)

    def sequoia_opens(self, message: bytes, data: bytes) -> None:
        opened = pysequoia.decrypt(message, passwords=[PASSPHRASE]).bytes
        self.assertTrue(opened == data)


class SequoiaReads(Interop):
    def test_chunk_sizes_from_a_pipe(self) -> None:
        for chunk in CHUNKS:
            for size in [0, 1, 1000, 70_000]:
                with self.subTest(chunk=chunk, size=size):
                    data = random_file(size)
                    self.sequoia_opens(self.encrypt("--chunk", chunk, data=data), data)

    def test_files_of_known_length_around_chunk_borders(self) -> None:
        # The literal packet takes 12 octets of the first chunk, or 9 below 8384.
        for size in [0, 4096 - 9, 4096 - 8, 3 * 4096, (1 << 20) + 1]:
            with self.subTest(size=size):
                data = random_file(size)
                path = self.folder / f"{size}"
                path.write_bytes(data)
                self.sequoia_opens(self.encrypt("--chunk", "4K", path), data)

    def test_armor(self) -> None:
        for size in [0, 1, 2, 3, 100, 100_000]:
            with self.subTest(size=size):
                data = random_file(size)
                self.sequoia_opens(self.encrypt("--armor", data=data), data)

    def test_the_older_form(self) -> None:
        for options in [[], ["--armor"]]:
            for size in [0, 1, 2, 3, 1000, 70_000, 300_000]:
                with self.subTest(options=options, size=size):
                    data = random_file(size)
                    message = self.encrypt("--format", "rfc4880", *options, data=data)
                    self.sequoia_opens(message, data)

    def test_several_chunks_of_the_default_size(self) -> None:
        data = random_file(3_000_000)
        self.sequoia_opens(self.encrypt(data=data), data)

    def test_it_notices_changes(self) -> None:
        message = bytearray(self.encrypt(data=random_file(1000)))
        message[-1] ^= 1
        with self.assertRaises(Exception):  # noqa: B017  pysequoia has no type of its own for it
            pysequoia.decrypt(bytes(message), passwords=[PASSPHRASE])


class SequoiaWrites(Interop):
    def sequoia(self, *options: str, data: bytes) -> bytes:
        return run("manyfish-interop", "--password", PASSPHRASE, *options, data=data)

    def test_sizes(self) -> None:
        # Sequoia's chunks have 4096 octets, its first parts 16 of them and more.
        for size in [0, 1, 4000, 4090, 4096, 65_536, 300_000]:
            with self.subTest(size=size):
                data = random_file(size)
                self.assertTrue(self.decrypt(self.sequoia(data=data)) == data)

    def test_forms(self) -> None:
        data = random_file(50_000)
        for options in [
            ["--argon2"],
            ["--armor"],
            ["--pad"],
            ["--compress"],
            ["--argon2", "--pad", "--armor"],
        ]:
            with self.subTest(options=options):
                self.assertTrue(self.decrypt(self.sequoia(*options, data=data)) == data)

    def test_several_passphrases(self) -> None:
        others = ["--password", "first", "--argon2", "--password", "second"]
        self.assertEqual(self.decrypt(self.sequoia(*others, data=b"text")), b"text")

    def test_what_cannot_be_opened_is_named(self) -> None:
        cases = {
            ("--cipher", "aes256"): "encrypted with AES-256 (9)",
            ("--mode", "eax"): "mode EAX (1)",
        }
        for options, words in cases.items():
            with self.subTest(options=options):
                self.refused(self.sequoia(*options, data=b"text"), words)

    def test_what_pysequoia_writes_by_default_is_named(self) -> None:
        message = pysequoia.encrypt(b"text", passwords=[PASSPHRASE])
        self.refused(bytes(message), "encrypted with AES-256 (9)")

    def refused(self, message: bytes, words: str) -> None:
        command = ["manyfish", "decrypt", "--passphrase-file", str(self.phrase)]
        done = subprocess.run(command, input=message, capture_output=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (1, b""))
        self.assertIn(words, done.stderr.decode())


if __name__ == "__main__":
    unittest.main()
