#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""manyfish and GnuPG open each other's messages in the older form. Run by scripts/test-interop."""

from __future__ import annotations

import random
import subprocess
import tempfile
import unittest
from pathlib import Path

PASSPHRASE = "correct horse, Batterie, größer"
# Around blocks, parts and buffers of both programs.
SIZES = [0, 1, 15, 16, 17, 8191, 8192, 8193, 65_530, 65_536, 300_000, 2_500_000]
# Cheap, so that the many messages of this test take no time.
QUICK = ["--s2k-count", "65536"]


def random_file(size: int) -> bytes:
    return random.Random(size).randbytes(size)


class Interop(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.phrase = self.folder / "phrase"
        self.phrase.write_text(PASSPHRASE + "\n", encoding="utf-8")
        home = self.folder / "home"
        home.mkdir(mode=0o700)
        self.home = f"--homedir={home}"
        self.addCleanup(subprocess.run, ["gpgconf", self.home, "--kill", "all"], check=False)

    def run_program(self, *command: str | Path, data: bytes) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(command, input=data, capture_output=True, check=False)

    def manyfish(self, *options: str | Path, data: bytes = b"") -> bytes:
        command, *rest = options
        phrase: list[str | Path] = ["--passphrase-file", self.phrase]
        done = self.run_program("manyfish", command, *phrase, *rest, data=data)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        return done.stdout

    def gpg(self, *options: str | Path, data: bytes) -> subprocess.CompletedProcess[bytes]:
        fixed = ["--batch", "--quiet", "--no-tty", "--pinentry-mode=loopback", self.home]
        phrase: list[str | Path] = ["--passphrase-file", self.phrase]
        return self.run_program("gpg", *fixed, *phrase, *options, data=data)

    def gpg_writes(self, *options: str, data: bytes) -> bytes:
        cipher = ["--symmetric", "--cipher-algo", "TWOFISH", "--s2k-cipher-algo", "TWOFISH"]
        done = self.gpg(*cipher, *options, data=data)
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        return done.stdout

    def refused(self, message: bytes, words: str) -> None:
        """Nothing comes out, and the error says why."""
        command: list[str | Path] = ["manyfish", "decrypt", "--passphrase-file", self.phrase]
        done = self.run_program(*command, data=message)
        self.assertEqual((done.returncode, done.stdout), (1, b""))
        self.assertIn(words, done.stderr.decode())


class GnupgReads(Interop):
    def opens(self, message: bytes, data: bytes) -> None:
        done = self.gpg("--decrypt", data=message)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertTrue(done.stdout == data)

    def test_sizes_from_a_pipe_and_from_a_file(self) -> None:
        for size in SIZES:
            with self.subTest(size=size):
                data = random_file(size)
                older = ["encrypt", "--format", "rfc4880"]
                self.opens(self.manyfish(*older, data=data), data)
                path = self.folder / f"{size}"
                path.write_bytes(data)
                self.opens(self.manyfish(*older, path), data)

    def test_armor(self) -> None:
        for size in [0, 1, 2, 3, 100, 100_000]:
            with self.subTest(size=size):
                data = random_file(size)
                message = self.manyfish("encrypt", "--format", "rfc4880", "--armor", data=data)
                self.opens(message, data)

    def test_it_notices_changes(self) -> None:
        message = bytearray(self.manyfish("encrypt", "--format", "rfc4880", data=b"text"))
        message[-1] ^= 1
        self.assertNotEqual(self.gpg("--decrypt", data=bytes(message)).returncode, 0)


class GnupgWrites(Interop):
    def opens(self, message: bytes, data: bytes) -> None:
        """From a pipe, where the ciphertext is kept, and from a file, which is read twice."""
        self.assertTrue(self.manyfish("decrypt", data=message) == data)
        path = self.folder / "message"
        path.write_bytes(message)
        self.assertTrue(self.manyfish("decrypt", path) == data)

    def test_sizes(self) -> None:
        for size in SIZES:
            with self.subTest(size=size):
                data = random_file(size)
                self.opens(self.gpg_writes(*QUICK, data=data), data)

    def test_compression(self) -> None:
        texts = [b"the same line again\n" * 20_000, random_file(100_000), b""]
        for algorithm in ["none", "zip", "zlib", "bzip2"]:
            for level in ["1", "6", "9"]:
                for text in texts:
                    with self.subTest(algorithm=algorithm, level=level, size=len(text)):
                        options = [*QUICK, "--compress-algo", algorithm, "-z", level]
                        self.opens(self.gpg_writes(*options, data=text), text)

    def test_passphrase_to_key(self) -> None:
        data = random_file(1000)
        for mode in ["0", "1", "3"]:
            for digest in ["SHA1", "SHA224", "SHA256", "SHA384", "SHA512"]:
                with self.subTest(mode=mode, digest=digest):
                    options = ["--s2k-mode", mode, "--s2k-digest-algo", digest, *QUICK]
                    self.opens(self.gpg_writes(*options, data=data), data)
        self.opens(self.gpg_writes("--s2k-count", "65011712", data=data), data)

    def test_armor(self) -> None:
        for size in [0, 1, 2, 3, 100_000]:
            with self.subTest(size=size):
                data = random_file(size)
                self.opens(self.gpg_writes(*QUICK, "--armor", data=data), data)

    def test_altered_and_cut(self) -> None:
        for options in [["-z", "0"], []]:
            message = self.gpg_writes(*QUICK, *options, data=random_file(3000))
            for at in [-1, -10, -21, -22, -500, -2000]:
                altered = bytearray(message)
                altered[at] ^= 1
                with self.subTest(options=options, at=at):
                    self.refused(bytes(altered), "the message was altered")
                    self.refused(message[:at], "the message is truncated")

    def test_without_a_check_by_an_option_alone(self) -> None:
        for size in [0, 1, 17, 8193, 300_000]:
            for digest in ["SHA256", "RIPEMD160"]:
                data = random_file(size)
                # The first option takes back those before it.
                cipher = ["--cipher-algo", "TWOFISH", "--s2k-cipher-algo", "TWOFISH"]
                options = ["--rfc2440", *cipher, "--s2k-digest-algo", digest, *QUICK]
                message = self.gpg_writes(*options, data=data)
                with self.subTest(size=size, digest=digest):
                    self.refused(message, "--insecure-legacy")
                    command: list[str | Path] = ["manyfish", "decrypt", "--insecure-legacy"]
                    done = self.run_program(
                        *command, "--passphrase-file", self.phrase, data=message
                    )
                    self.assertEqual(done.returncode, 0, done.stderr.decode())
                    self.assertIn("may be altered or made up", done.stderr.decode())
                    self.assertTrue(done.stdout == data)

    def test_a_wrong_passphrase(self) -> None:
        message = self.gpg_writes(*QUICK, data=b"text")
        self.phrase.write_text("another\n", encoding="utf-8")
        self.refused(message, "wrong passphrase")

    def test_another_cipher_is_named(self) -> None:
        message = self.gpg_writes(*QUICK, "--cipher-algo", "AES256", data=b"text")
        self.refused(message, "encrypted with AES-256 (9), expected Twofish-256 (10)")


if __name__ == "__main__":
    unittest.main()
