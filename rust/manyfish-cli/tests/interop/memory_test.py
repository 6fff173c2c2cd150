#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Which keys and passphrases are in the memory of manyfish, while it works and at its end.

While it works it needs one expanded key. All else is gone by then, and that at the end. Run by
scripts/test-interop.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
from collections.abc import Callable, Sequence
from pathlib import Path

sys.path.append(str(Path(__file__).parents[4] / "scripts"))
sys.path.append(str(Path(__file__).parents[4] / "model"))
sys.path.append(str(Path(__file__).parents[4] / "interop" / "fixtures"))

from openpgp_vectors import hkdf
from traced import Traced, places, refusal
from truecrypt43 import KEYS as VOLUME_KEYS
from truecrypt43 import OUTER_PASSPHRASE, outer_header_key
from twofish import Twofish, word_bytes
from volumes import KEY as VOLUME_KEY

FIXTURES = Path(__file__).parents[4] / "interop" / "fixtures"
PASSPHRASE = b"nineteen drowsy walruses juggle 47 turnips"
KEY = bytes(range(0x83, 0xA3))
TEXT = b"nothing secret " * 100_000  # more than any pipe holds
OTHER_KEY = bytes(range(0xC5, 0xE5))
IV = ["--iv", "a1" * 16]
NONCE = ["--nonce", "a1" * 12]
# With the options that each needs: one in pieces, one for sectors, and messages as a whole.
MODES = [
    ("cbc", 1, [*IV, "--pad"]),
    ("ctr", 1, IV),
    ("xts", 2, ["--sector-bytes", "500"]),
    ("ocb", 1, NONCE),
    ("gcm", 1, NONCE),
    ("siv", 2, NONCE),
]
Command = Sequence["str | Path"]
Secrets = Callable[[bytes], dict[str, bytes]]


def subkeys(key: bytes) -> bytes:
    """Some of the expanded key, as every kernel with the subkeys in words has them."""
    return word_bytes(*Twofish(key).K[8:24])


def known(secrets: dict[str, bytes]) -> Secrets:
    return lambda _: secrets


class Memory(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.phrase = self.write("phrase", PASSPHRASE + b"\n")
        self.text = self.write("text", TEXT)

    def write(self, name: str, content: bytes) -> Path:
        path = self.folder / name
        path.write_bytes(content)
        return path

    def check(self, command: Command, find_secrets: Secrets, needed: Sequence[str]) -> bytes:
        """Searches twice, and gives the output, which `find_secrets` makes the secrets of.

        Of each needed key one expanded copy is there in the middle, and nothing else is anywhere.
        """
        with Traced(["manyfish", *command]) as program:
            program.run_until_blocked()
            middle = program.memory()
            self.assertGreater(program.locked_kib(), 0, "no memory is locked")
            program.run_to_exit()
            end = program.memory()
            output = program.output
        left = []
        for when, areas in [("in the middle", middle), ("at the end", end)]:
            self.assertTrue(places(areas, str(self.folder).encode()), "the search finds nothing")
            for name, secret in find_secrets(output).items():
                left += [f"{name}, {when}: {place}" for place in places(areas, secret)]
                if name in needed or len(secret) == len(KEY):
                    found = places(areas, subkeys(secret))
                    if len(found) != (when == "in the middle" and name in needed):
                        left.append(f"expanded {name}, {when}: {found}")
        self.assertEqual(left, [])
        return output

    def keys_of(self, message: bytes) -> dict[str, bytes]:
        """The secrets of a message in the form of RFC 9580, with the help of Sequoia."""
        ask = ["manyfish-interop", "--keys", "--password", PASSPHRASE.decode()]
        answer = subprocess.run(ask, input=message, capture_output=True, check=True).stdout
        stretched, session_key = map(bytes.fromhex, answer.decode().split())
        at = 2 + message[1]
        length = message[at + 1]
        at += 2 if length < 192 or 224 <= length < 255 else 3 if length < 224 else 6
        header, salt = message[at : at + 4], message[at + 4 : at + 36]
        return {
            "stretched passphrase": stretched,
            "key of the session key": hkdf(stretched, b"", b"\xc3\x06" + header[1:3], 32),
            "session key": session_key,
            "key of the message": hkdf(session_key, salt, b"\xd2" + header, 32),
        }

    def keys_of_older(self, message: bytes) -> dict[str, bytes]:
        """SHA-256 over 62 MiB [RFC9580, 3.7.1.3]."""
        salt, count = message[6:14], message[14]
        octets = (16 + (count & 15)) << ((count >> 4) + 6)
        once = salt + PASSPHRASE
        hashed = (once * (octets // len(once) + 1))[:octets]
        return {"session key": hashlib.sha256(hashed).digest()}

    def both_directions(self, form: str, find_secrets: Secrets, needed: str) -> None:
        phrase: Command = ["--passphrase-file", self.phrase]
        found = {}

        def secrets(output: bytes) -> dict[str, bytes]:
            found.update(find_secrets(output))
            return {"passphrase": PASSPHRASE, **found}

        encrypt: Command = ["encrypt", "--format", form, *phrase, self.text]
        message = self.write("message", self.check(encrypt, secrets, [needed]))
        decrypt: Command = ["decrypt", *phrase, message]
        text = self.check(decrypt, lambda _: {"passphrase": PASSPHRASE, **found}, [needed])
        self.assertEqual(text, TEXT)

    def test_a_message(self) -> None:
        self.both_directions("rfc9580", self.keys_of, "key of the message")

    def test_a_message_in_the_older_form(self) -> None:
        self.both_directions("rfc4880", self.keys_of_older, "session key")

    def test_bare_modes(self) -> None:
        for mode, n_keys, options in MODES:
            secrets = {"key": KEY, "other key": OTHER_KEY}
            key = b"".join([KEY, OTHER_KEY][:n_keys])
            secrets["digits"] = key.hex().encode()
            digits = self.write("digits", secrets["digits"] + b"\n")
            for file in [digits, self.write("octets", key)]:
                with self.subTest(mode=mode, file=file.name):
                    command: Command = ["--mode", mode, "--key-file", file, *options]
                    needed = list(secrets)[:n_keys]
                    encrypt: Command = ["raw", "encrypt", *command, self.text]
                    sealed = self.check(encrypt, known(secrets), needed)
                    decrypt: Command = ["raw", "decrypt", *command, self.write("sealed", sealed)]
                    text = self.check(decrypt, known(secrets), needed)
                    self.assertEqual(text, TEXT)

    def test_a_volume(self) -> None:
        image = gzip.decompress((FIXTURES / "luks1-cbc-essiv.img.gz").read_bytes())
        volume = self.write("volume", image + TEXT)
        passphrase = (FIXTURES / "passphrase").read_bytes().rstrip()
        key = VOLUME_KEY[:16]
        rounds, salt = struct.unpack_from(">4xI32s", image, 208)
        secrets = {
            "passphrase": passphrase,
            "key of the slot": hashlib.pbkdf2_hmac("sha256", passphrase, salt, rounds, len(key)),
            "volume key": key,
            "key of the IVs": hashlib.sha256(key).digest(),
        }
        options: Command = ["--passphrase-file", FIXTURES / "passphrase", volume]
        self.check(["open", *options], known(secrets), ["volume key", "key of the IVs"])

    def test_a_volume_that_is_found_by_trying(self) -> None:
        image = gzip.decompress((FIXTURES / "truecrypt43-lrw-hidden-cbc.tc.gz").read_bytes())
        volume = self.write("volume", image + TEXT[: len(TEXT) // 512 * 512])
        secrets = {
            "passphrase": OUTER_PASSPHRASE.encode(),
            "key of the header": outer_header_key()[32:],
            "volume key": VOLUME_KEYS[0][32:],
        }
        phrase: Command = ["--passphrase-file", self.write("outer", secrets["passphrase"])]
        self.check(["open", *phrase, volume], known(secrets), ["volume key"])

    def test_a_key_on_the_command_line_is_there_as_it_was_given_and_nowhere_else(self) -> None:
        options = ["--mode", "ctr", "--key", KEY.hex(), *IV]
        with Traced(["manyfish", "raw", "encrypt", *options, self.text]) as program:
            program.run_until_blocked()
            areas = program.memory()
        self.assertEqual(places(areas, KEY), [])
        self.assertTrue(places(areas, KEY.hex().encode()))

    def test_nobody_else_reads_the_memory_and_no_core_is_written(self) -> None:
        """Files in /proc that belong to root are shut to a user's other programs."""
        self.folder.chmod(0o755)
        user = os.getuid() or 65534
        with Traced(["sleep", "9"], prepare=lambda: os.setuid(user)) as other:
            self.assertEqual(other.owner(), user)
        options: Command = ["--mode", "ctr", "--key-file", self.write("octets", KEY), *IV]
        # Where the user can start it: the repository may be shut to others.
        manyfish = shutil.copy(shutil.which("manyfish") or "", self.folder)
        command = [manyfish, "raw", "encrypt", *options, self.text]
        with Traced(command, prepare=lambda: os.setuid(user)) as program:
            program.run_until_blocked()
            self.assertEqual(program.owner(), 0)
            self.assertRegex(program.limits(), r"(?m)^Max core file size +0 +0 ")

    def test_the_search_finds_copies_in_every_order_of_bytes(self) -> None:
        def swapped(n: int) -> bytes:
            return b"".join(KEY[i : i + n][::-1] for i in range(0, len(KEY), n))

        for copy, step in [(KEY, 1), (swapped(4), 4), (swapped(8), 8)]:
            for at in range(0, 24, step):
                content = (bytes(at) + copy).ljust(64, b"\0")
                self.assertEqual(len(places([("", content)], KEY)), 1, (copy, at))


if __name__ == "__main__":
    if reason := refusal():
        print(f"skipped: {reason}\n0 passed, 0 failed, 1 skipped")
    else:
        unittest.main()
