# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Nothing is left of passphrases and keys that the caller has wiped."""

from __future__ import annotations

import hashlib
import sys
import tempfile
import unittest
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from manyfish.DES3 import adjust_key_parity

sys.path.append(str(Path(__file__).resolve().parents[2] / "scripts"))

from traced import Traced, places, refusal

PASSPHRASE = b"nineteen drowsy walruses juggle 47 turnips"

TEXT = "つるはしとかえると四十七"
KEY = adjust_key_parity(PASSPHRASE[:24])

# Bytes of Python's cannot be wiped, so the secret is read into an array.
READ = """
import os, sys, time, manyfish
from manyfish import DES3
from manyfish.compat.twofish import Twofish
form, path = sys.argv[1:]
secret = bytearray(os.stat(path).st_size)
with open(path, "rb", buffering=0) as file:
    file.readinto(secret)
"""
WORK = """
message = manyfish.encrypt_bytes(b"text", secret, format=form)
assert manyfish.decrypt_bytes(message, secret) == b"text"
if form == "rfc4880":
    sys.stdout.buffer.write(message)
    sys.stdout.flush()
"""
WIPE = """
secret[:] = bytes(len(secret))
"""
SLEEP = """
time.sleep(1000)
"""


def key(message: bytes) -> bytes:
    """The key that the passphrase gives in the older form [RFC9580, 3.7.1.3]."""
    salt, count = message[6:14], message[14]
    octets = (16 + (count & 15)) << ((count >> 4) + 6)
    once = salt + PASSPHRASE
    return hashlib.sha256((once * (octets // len(once) + 1))[:octets]).digest()


@contextmanager
def running(code: str, secret: bytes, form: str = "") -> Iterator[Traced]:
    """A program that has read a secret, does its work and sleeps then."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "secret"
        path.write_bytes(secret)
        with Traced([sys.executable, "-c", READ + code + SLEEP, form, path]) as program:
            program.run_until_blocked()
            yield program


@unittest.skipIf(refusal(), refusal())
class Memory(unittest.TestCase):
    def left_by(self, form: str, wipe: bool) -> tuple[list[str], list[str]]:
        """Where the passphrase is, and where its key is."""
        with running(WORK + WIPE * wipe, PASSPHRASE, form) as program:
            areas = program.memory()
            keys = places(areas, key(program.available())) if form == "rfc4880" else []
        return places(areas, PASSPHRASE), keys

    def test_nothing_is_left(self) -> None:
        for form in ["rfc9580", "rfc4880"]:
            self.assertEqual(self.left_by(form, wipe=True), ([], []), form)

    def test_the_search_finds_what_the_caller_has_not_wiped(self) -> None:
        passphrases, keys = self.left_by("rfc4880", wipe=False)
        self.assertEqual((len(passphrases), keys), (1, []))

    def test_nothing_is_left_of_keys_and_of_the_bytes_of_text(self) -> None:
        text = "manyfish.encrypt_bytes(b'', str(secret, 'utf-32'))"
        for work, given, wanted in (
            ("DES3.new(secret, DES3.MODE_ECB)", KEY, KEY),
            ("Twofish(secret)", KEY[:23], KEY[:23]),
            (text, TEXT.encode("utf-32"), TEXT.encode()),
        ):
            with self.subTest(work), running(work + WIPE, given) as program:
                self.assertEqual(places(program.memory(), wanted), [])


if __name__ == "__main__":
    unittest.main()
