# SPDX-License-Identifier: Apache-2.0 OR MIT
"""encrypt_bytes and decrypt_bytes leave nothing of a passphrase that the caller has wiped."""

from __future__ import annotations

import hashlib
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "scripts"))

from traced import Traced, places, refusal

PASSPHRASE = b"nineteen drowsy walruses juggle 47 turnips"

# Bytes of Python's cannot be wiped, so the passphrase is read into an array.
WORK = """
import sys, time, manyfish
form, path = sys.argv[1:]
secret = bytearray({size})
with open(path, "rb", buffering=0) as file:
    file.readinto(secret)
message = manyfish.encrypt_bytes(b"text", secret, format=form)
assert manyfish.decrypt_bytes(message, secret) == b"text"
if form == "rfc4880":
    sys.stdout.buffer.write(message)
    sys.stdout.flush()
if {wipe}:
    secret[:] = bytes(len(secret))
time.sleep(1000)
"""


def key(message: bytes) -> bytes:
    """The key that the passphrase gives in the older form [RFC9580, 3.7.1.3]."""
    salt, count = message[6:14], message[14]
    octets = (16 + (count & 15)) << ((count >> 4) + 6)
    once = salt + PASSPHRASE
    return hashlib.sha256((once * (octets // len(once) + 1))[:octets]).digest()


@unittest.skipIf(refusal(), refusal())
class Memory(unittest.TestCase):
    def left_by(self, form: str, wipe: bool) -> tuple[list[str], list[str]]:
        """Where the passphrase is, and where its key is."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "phrase"
            path.write_bytes(PASSPHRASE)
            code = WORK.format(size=len(PASSPHRASE), wipe=wipe)
            with Traced([sys.executable, "-c", code, form, path]) as program:
                program.run_until_blocked()
                areas = program.memory()
                keys = places(areas, key(program.available())) if form == "rfc4880" else []
        return places(areas, PASSPHRASE), keys

    def test_nothing_is_left(self) -> None:
        for form in ["rfc9580", "rfc4880"]:
            self.assertEqual(self.left_by(form, wipe=True), ([], []), form)

    def test_the_search_finds_what_the_caller_has_not_wiped(self) -> None:
        passphrases, keys = self.left_by("rfc4880", wipe=False)
        self.assertEqual((len(passphrases), keys), (1, []))


if __name__ == "__main__":
    unittest.main()
