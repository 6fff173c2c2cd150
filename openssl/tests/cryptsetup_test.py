# SPDX-License-Identifier: Apache-2.0 OR MIT
"""cryptsetup with the provider: headers of LUKS for Twofish, without a kernel that knows it.

cryptsetup encrypts the key slots itself, by OpenSSL where OpenSSL has the cipher. It reads no
configuration of OpenSSL, but it asks for the provider "legacy": the test has the module under that
name.

Then `manyfish open` gives the data of volumes that cryptsetup encrypted, and cryptsetup those of
volumes that `manyfish move` made.

Usage: cryptsetup_test.py MODULE MANYFISH       the file manyfish.so, and the command
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

MODULE = Path()
MANYFISH = ""
# As cryptsetup writes them, with the length of the key in bits.
CIPHERS = (
    ("twofish-xts-plain64", 512),
    ("twofish-xts-plain64", 256),
    ("twofish-xts-plain", 384),
    ("twofish-xts-benbi", 512),
    ("twofish-xts-essiv:sha256", 512),
    ("twofish-cbc-essiv:sha256", 256),
    ("twofish-cbc-plain64", 192),
    ("twofish-cbc-plain", 128),
    ("twofish-ecb", 256),
    ("twofish-lrw-benbi", 256),
    ("twofish-lrw-benbi", 384),
)
FAST = ("--pbkdf", "pbkdf2", "--pbkdf-force-iterations", "1000")
HEADER_ROOM = 32 << 20
NO_PERMISSION = 2  # cryptsetup's status for a wrong passphrase


class Cryptsetup(unittest.TestCase):
    def setUp(self) -> None:
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.place = Path(place.name)
        (self.place / "legacy.so").symlink_to(MODULE)
        (self.place / "passphrase").write_text("seven plain test words", encoding="ascii")

    def cryptsetup(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = ["cryptsetup", "--batch-mode", "--key-file", "passphrase", *arguments]
        return subprocess.run(
            command,
            cwd=self.place,
            env=os.environ | {"OPENSSL_MODULES": str(self.place)},
            capture_output=True,
            text=True,
            check=False,
        )

    def done(self, *arguments: str) -> str:
        process = self.cryptsetup(*arguments)
        self.assertEqual(process.returncode, 0, process.stderr)
        return process.stdout

    def make_volume(self, kind: str, cipher: str, bits: int) -> bytes:
        """Its key, which cryptsetup is given."""
        key = os.urandom(bits // 8)
        (self.place / "key").write_bytes(key)
        (self.place / "image").write_bytes(b"")
        os.truncate(self.place / "image", 20 << 20)
        options = ["--pbkdf", "pbkdf2", "--pbkdf-force-iterations", "1000"]
        options += ["--type", kind, "--cipher", cipher, "--key-size", str(bits)]
        self.done("luksFormat", *options, "--volume-key-file", "key", "image")
        return key

    def unlocked_key(self) -> bytes:
        dump = self.done("luksDump", "--dump-volume-key", "image")
        return bytes.fromhex("".join(dump.split("MK dump:")[1].split()))

    def test_the_key_of_each_volume_comes_back(self) -> None:
        for kind in ("luks1", "luks2"):
            for cipher, bits in CIPHERS:
                with self.subTest(kind=kind, cipher=cipher, bits=bits):
                    key = self.make_volume(kind, cipher, bits)
                    self.assertEqual(self.unlocked_key(), key)

    def test_a_changed_passphrase_opens_the_volume_and_the_old_one_does_not(self) -> None:
        key = self.make_volume("luks2", *CIPHERS[0])
        (self.place / "new").write_text("another passphrase", encoding="ascii")
        fast = ("--pbkdf", "pbkdf2", "--pbkdf-force-iterations", "1000")
        self.done("luksChangeKey", *fast, "image", "new")
        process = self.cryptsetup("luksDump", "--dump-volume-key", "image")
        self.assertEqual(process.returncode, NO_PERMISSION, process.stderr)
        (self.place / "new").rename(self.place / "passphrase")
        self.assertEqual(self.unlocked_key(), key)

    def test_manyfish_opens_each_volume(self) -> None:
        plain = random.randbytes(5 << 20) + bytes(1 << 20) + random.randbytes(4096)
        for cipher, bits in CIPHERS:
            for size in (4096, 512):
                with self.subTest(kind="luks2", cipher=cipher, bits=bits, sector=size):
                    self.encrypt_in_place(plain, cipher, bits, size)
                    self.assertTrue(self.opened().startswith(plain))
            with self.subTest(kind="luks1", cipher=cipher, bits=bits):
                self.done("convert", "--type", "luks1", "image")
                self.assertTrue(self.opened().startswith(plain))

    def test_cryptsetup_decrypts_what_manyfish_moved(self) -> None:
        plain = random.randbytes(1 << 20)
        self.encrypt_in_place(plain, "twofish-cbc-essiv:sha256", 256, 512)
        old = self.opened()
        for cipher in ("aes", "twofish"):
            with self.subTest(cipher=cipher):
                phrase = ["--key-file", "passphrase"]
                command = [MANYFISH, "move", "--cipher", cipher, *phrase, "-o", cipher, "image"]
                subprocess.run(command, cwd=self.place, check=True)
                options = ["--force-offline-reencrypt", "--header", f"{cipher}.header"]
                self.done("reencrypt", "--decrypt", *options, cipher)
                moved = (self.place / cipher).read_bytes()
                self.assertEqual(moved[: len(old)], old)

    def encrypt_in_place(self, plain: bytes, cipher: str, bits: int, size: int) -> None:
        (self.place / "image").write_bytes(plain + bytes(HEADER_ROOM))
        options = ["--cipher", cipher, "--key-size", str(bits), "--sector-size", str(size), *FAST]
        options += ["--force-offline-reencrypt", "--reduce-device-size", f"{HEADER_ROOM}"]
        self.done("reencrypt", "--encrypt", "--type", "luks2", *options, "image")

    def opened(self) -> bytes:
        command = [MANYFISH, "open", "--key-file", "passphrase", "-o", "-", "image"]
        done = subprocess.run(command, cwd=self.place, capture_output=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        return done.stdout


if __name__ == "__main__":
    MANYFISH = str(Path(sys.argv.pop()).resolve())
    MODULE = Path(sys.argv.pop()).resolve()
    unittest.main()
