# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The program examples/reencrypt.py, on small tables."""

from __future__ import annotations

import base64
import os
import random
import sqlite3
import subprocess
import sys
import tempfile
import unittest
from contextlib import closing
from pathlib import Path
from typing import Any

from manyfish import DES3, Twofish
from manyfish.aead import TwofishOCB

PROGRAM = Path(__file__).resolve().parents[1] / "examples" / "reencrypt.py"
RANDOM = random.Random(8)
NEW_KEY = RANDOM.randbytes(32)


class Reencrypt(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "new.key").write_bytes(NEW_KEY)

    def make(self, module: Any, key: bytes, texts: dict[int, bytes], *, is_base64: bool) -> None:
        (self.folder / "old.key").write_bytes(key)
        with closing(sqlite3.connect(self.folder / "table.db")) as db, db:
            db.execute("CREATE TABLE records (id INTEGER PRIMARY KEY, data BLOB)")
            for number, text in texts.items():
                iv = RANDOM.randbytes(module.block_size)
                padded = text + bytes(-len(text) % module.block_size)
                data = iv + module.new(key, module.MODE_CBC, iv=iv).encrypt(padded)
                data = base64.b64encode(data) if is_base64 else data
                db.execute("INSERT INTO records VALUES (?, ?)", (number, data))

    def run_program(self, *options: str) -> subprocess.CompletedProcess[str]:
        names = ("table.db", "old.key", "new.key")
        command = [sys.executable, str(PROGRAM), *options]
        command += [str(self.folder / name) for name in names]
        return subprocess.run(command, text=True, capture_output=True, check=False)

    def rows(self) -> dict[int, bytes]:
        with closing(sqlite3.connect(self.folder / "table.db")) as db:
            return dict(db.execute("SELECT id, sealed FROM records ORDER BY id").fetchall())

    def change(self, statement: str) -> None:
        with closing(sqlite3.connect(self.folder / "table.db")) as db, db:
            db.execute(statement)

    def check(self, texts: dict[int, bytes]) -> None:
        ocb = TwofishOCB(NEW_KEY)
        found = {}
        for number, sealed in self.rows().items():
            aad = number.to_bytes(8, "big", signed=True)
            found[number] = ocb.decrypt(sealed[:12], sealed[12:], aad)
        self.assertEqual(found, texts)

    def test_twofish_in_base64(self) -> None:
        texts = {number: b"record %d" % (number**3) for number in range(-3, 20000, 7)}
        self.make(Twofish, bytes(range(32)), texts, is_base64=True)
        self.change("UPDATE records SET data = 'AAA' WHERE id = -3")
        done = self.run_program("--base64")
        self.assertEqual((done.returncode, done.stdout), (1, ""), done.stderr)
        self.assertIn("no CBC: -3", done.stderr)
        self.assertIn("2,858 of 2,858 records", done.stderr)
        self.change("DELETE FROM records WHERE id = -3")
        del texts[-3]
        self.check(texts)
        sealed = self.rows()
        self.assertEqual(self.run_program("--base64").returncode, 0)
        self.assertEqual(self.rows(), sealed, "the second run has nothing to do")

    def test_triple_des_with_a_record_that_is_wrong(self) -> None:
        texts = {number: os.urandom(number % 40) + b"." for number in range(100)}
        self.make(DES3, bytes(range(24)), texts, is_base64=False)
        self.change("UPDATE records SET data = x'00112233445566778899' WHERE id = 42")
        done = self.run_program("--cipher", "tripledes")
        self.assertEqual(done.returncode, 1)
        self.assertIn("no CBC: 42", done.stderr)
        self.assertIsNone(self.rows()[42])
        self.change("DELETE FROM records WHERE id = 42")
        del texts[42]
        self.check(texts)


if __name__ == "__main__":
    unittest.main()
