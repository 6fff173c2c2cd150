# SPDX-License-Identifier: Apache-2.0 OR MIT
"""pykeepass with our Twofish reads what its own wrote, and the other way round."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import random
import re
import tempfile
import unittest
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from manyfish import Twofish as Reference
from manyfish.compat import pykeepass as ours

HAVE_PYKEEPASS = importlib.util.find_spec("pykeepass") is not None
needs_pykeepass = unittest.skipUnless(HAVE_PYKEEPASS, "pykeepass is not installed")
README = Path(__file__).resolve().parents[2] / "README.md"
FIXTURES = Path(__file__).resolve().parents[2] / "interop" / "fixtures"
NOTES = "a note that is longer than a block, and not a multiple of one" * 30
KEY = bytes(range(32))
IV = bytes(range(100, 116))


@contextlib.contextmanager
def installed() -> Iterator[None]:
    ours.install()
    try:
        yield
    finally:
        ours.uninstall()


class TheClass(unittest.TestCase):
    """In any pieces it does what the cipher of one call does."""

    def setUp(self) -> None:
        self.data = random.Random(7).randbytes(1000 * 16)

    def pieces(self, seed: int) -> Iterator[bytes]:
        choose, rest = random.Random(seed), self.data
        while rest:
            n_bytes = choose.choice((0, 1, 15, 16, 17, 40, 1000))
            yield rest[:n_bytes]
            rest = rest[n_bytes:]

    def test_pieces_of_any_length(self) -> None:
        whole = Reference.new(KEY, Reference.MODE_CBC, iv=IV).encrypt(self.data)
        for seed in range(5):
            cipher = ours.Twofish.new(KEY, mode=ours.Twofish.MODE_CBC, IV=IV)
            joined = b"".join(cipher.encrypt(piece) for piece in self.pieces(seed))
            self.assertEqual(joined, whole)

    def test_decryption_in_pieces(self) -> None:
        plain = Reference.new(KEY, Reference.MODE_CBC, iv=IV).decrypt(self.data)
        cipher = ours.Twofish.new(KEY, mode=ours.Twofish.MODE_CBC, IV=IV)
        self.assertEqual(b"".join(map(cipher.decrypt, self.pieces(3))), plain)

    def test_without_a_mode_it_is_ecb(self) -> None:
        whole = Reference.new(KEY, Reference.MODE_ECB).encrypt(self.data)
        self.assertEqual(ours.Twofish.new(KEY).encrypt(self.data), whole)

    def test_without_an_iv_it_is_zero(self) -> None:
        of_zeros = ours.Twofish.new(KEY, ours.Twofish.MODE_CBC, bytes(16)).encrypt(self.data)
        without = ours.Twofish.new(KEY, ours.Twofish.MODE_CBC).encrypt(self.data)
        self.assertEqual(without, of_zeros)

    def test_what_does_not_fill_a_block_waits(self) -> None:
        cipher = ours.Twofish.new(KEY, ours.Twofish.MODE_CBC, IV)
        self.assertEqual(cipher.decrypt(bytes(15)), b"")
        self.assertEqual(len(cipher.decrypt(bytes(18))), 32)

    def test_wrong_lengths_and_modes_are_refused(self) -> None:
        with self.assertRaises(ValueError):
            ours.Twofish.new(bytes(17), ours.Twofish.MODE_CBC, IV)
        for iv in (b"", bytes(15), bytes(17)):
            with self.assertRaises(ValueError):
                ours.Twofish.new(KEY, ours.Twofish.MODE_CBC, iv)
        with self.assertRaisesRegex(ValueError, "unknown mode 6: expected MODE_ECB"):
            ours.Twofish.new(KEY, 6, IV)

    def test_one_object_one_direction(self) -> None:
        cipher = ours.Twofish.new(KEY, ours.Twofish.MODE_CBC, IV)
        cipher.encrypt(bytes(16))
        with self.assertRaisesRegex(TypeError, "expected a new object"):
            cipher.decrypt(bytes(16))


@needs_pykeepass
class Databases(unittest.TestCase):
    """Each of those that pykeepass and KeePassXC wrote."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.copy = Path(folder.name) / "copy.kdbx"
        self.addCleanup(ours.uninstall)
        self.paths = sorted(FIXTURES.glob("*.kdbx"))
        self.assertTrue(self.paths)
        self.password = (FIXTURES / "passphrase").read_text(encoding="utf-8").rstrip("\n")

    def open(self, path: Path, password: str | None = None) -> Any:
        from pykeepass import PyKeePass

        return PyKeePass(str(path), password=password or self.password)

    def check(self, path: Path) -> Any:
        """All that the fixtures hold."""
        database = self.open(path)
        self.assertEqual(database.encryption_algorithm, "twofish")
        mail = database.find_entries(title="mail", first=True)
        self.assertEqual((mail.username, mail.password), ("ada", "first secret"))
        account = database.find_entries(title="account", first=True)
        self.assertEqual(account.password, "zweites Geheimnis ä€\U0001d11e")
        if "kdbx4" in path.name:
            octets = (FIXTURES / "long.bin").read_bytes()[:2000]
            self.assertEqual(account.attachments[0].data, octets)
        return database

    def check_copy(self, path: Path) -> None:
        entry = self.check(self.copy).find_entries(title="new", first=True)
        self.assertEqual((entry.password, entry.notes), ("pass word", NOTES), path.name)

    def add_and_save(self, path: Path) -> None:
        database = self.open(path)
        database.add_entry(database.root_group, "new", "user", "pass word", notes=NOTES)
        database.save(str(self.copy))

    def test_the_example_of_the_project_readme(self) -> None:
        text = README.read_text(encoding="utf-8")
        code = re.search(r"```python\n(.*?)```", text, re.DOTALL)
        assert code
        names = {"passwords.kdbx": self.paths[0], "correct horse battery staple": self.password}
        example = code[1]
        for shown, real in names.items():
            self.assertIn(shown, example)
            example = example.replace(shown, str(real))
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(example, {})
        self.assertIn("mail", printed.getvalue())

    def test_ours_opens_them(self) -> None:
        for path in self.paths:
            with self.subTest(path.name), installed():
                self.check(path)

    def test_the_bundled_one_opens_what_ours_saved(self) -> None:
        for path in self.paths:
            with self.subTest(path.name):
                with installed():
                    self.add_and_save(path)
                self.check_copy(path)

    def test_ours_opens_what_the_bundled_one_saved(self) -> None:
        for path in self.paths:
            with self.subTest(path.name):
                self.add_and_save(path)
                with installed():
                    self.check_copy(path)

    def test_ours_does_the_work_and_gives_the_place_back(self) -> None:
        from pykeepass.kdbx_parsing import common

        bundled = common.Twofish
        self.assertIsNot(bundled, ours.Twofish)
        with installed():
            ours.install()
            payload = common.TwoFishPayload(common.GreedyBytes)
            self.assertIsInstance(payload.get_cipher(KEY, IV), ours.Twofish)
        self.assertIs(common.Twofish, bundled)

    def test_a_wrong_password_is_pykeepass_own_error(self) -> None:
        from pykeepass.exceptions import CredentialsError

        for path in self.paths:
            with self.subTest(path.name), installed(), self.assertRaises(CredentialsError):
                self.open(path, "wrong")

    def test_a_damaged_payload_is_pykeepass_own_error(self) -> None:
        from pykeepass.exceptions import CredentialsError, PayloadChecksumError

        for path in self.paths:
            damaged = bytearray(path.read_bytes())
            damaged[-100] ^= 1
            self.copy.write_bytes(damaged)
            errors = (CredentialsError, PayloadChecksumError)
            with self.subTest(path.name), installed(), self.assertRaises(errors):
                self.open(self.copy)


class WithoutPykeepass(unittest.TestCase):
    @unittest.skipIf(HAVE_PYKEEPASS, "pykeepass is installed")
    def test_install_says_so(self) -> None:
        with self.assertRaises(ModuleNotFoundError):
            ours.install()


if __name__ == "__main__":
    unittest.main()
