# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Random messages against the model, the pure Python that judges all of this repository."""

from __future__ import annotations

import importlib
import random
import sys
import unittest
from pathlib import Path
from typing import Any

from manyfish import CMAC, Twofish

sys.path.append(str(Path(__file__).resolve().parents[2] / "model"))

RANDOM = random.Random(7)
LENGTHS = (0, 1, 15, 16, 17, 31, 64, 203)


def model(module: str, name: str) -> Any:
    return getattr(importlib.import_module(module), name)


class Model(unittest.TestCase):
    def setUp(self) -> None:
        self.key = RANDOM.randbytes(RANDOM.choice((16, 24, 32)))
        self.cipher = model("twofish", "Twofish")(self.key)
        self.iv, self.nonce = RANDOM.randbytes(16), RANDOM.randbytes(12)

    def new(self, mode: str, **kwargs: Any) -> Any:
        return Twofish.new(self.key, getattr(Twofish, f"MODE_{mode}"), **kwargs)

    def test_blocks(self) -> None:
        for _ in range(20):
            block = RANDOM.randbytes(16)
            self.assertEqual(self.new("ECB").encrypt(block), self.cipher.encrypt(block))
            self.assertEqual(self.new("ECB").decrypt(block), self.cipher.decrypt(block))

    def test_unauthenticated(self) -> None:
        for n_bytes in LENGTHS:
            data = RANDOM.randbytes(n_bytes)
            whole = data[: n_bytes // 16 * 16]
            wanted = model("modes", "cbc_encrypt")(self.cipher, self.iv, whole)
            self.assertEqual(self.new("CBC", iv=self.iv).encrypt(whole), wanted)
            for bits in (8, 128):
                wanted = model("feedback", "cfb_encrypt")(self.cipher, self.iv, data, bits)
                cfb = self.new("CFB", iv=self.iv, segment_size=bits)
                self.assertEqual(cfb.encrypt(data), wanted)
            wanted = model("feedback", "ofb_crypt")(self.cipher, self.iv, data)
            self.assertEqual(self.new("OFB", iv=self.iv).encrypt(data), wanted)
            wanted = model("modes", "ctr_crypt")(self.cipher, self.iv, data, 128)
            ctr = self.new("CTR", nonce=b"", initial_value=self.iv)
            self.assertEqual(ctr.encrypt(data), wanted)
            wanted = model("cbc_mac", "cmac")(self.cipher, data)
            self.assertEqual(CMAC.new(self.key, data).digest(), wanted)

    def test_openpgp(self) -> None:
        data = RANDOM.randbytes(100)
        encrypt = model("feedback", "cfb_encrypt")
        prefix = encrypt(self.cipher, bytes(16), self.iv + self.iv[-2:], 128)
        wanted = prefix + encrypt(self.cipher, prefix[2:], data, 128)
        self.assertEqual(self.new("OPENPGP", iv=self.iv).encrypt(data), wanted)
        decryptor = self.new("OPENPGP", iv=wanted[:18])
        self.assertEqual((decryptor.iv, decryptor.decrypt(wanted[18:])), (self.iv, data))

    def test_authenticated(self) -> None:
        modes: dict[str, Any] = {
            "OCB": model("modes", "Ocb")(self.cipher),
            "EAX": model("cbc_mac", "Eax")(self.cipher),
            "CCM": model("cbc_mac", "Ccm")(self.cipher),
            "GCM": model("gcm", "Gcm")(self.cipher),
        }
        for name, mode in modes.items():
            for n_bytes in LENGTHS:
                with self.subTest(mode=name, n_bytes=n_bytes):
                    data, aad = RANDOM.randbytes(n_bytes), RANDOM.randbytes(RANDOM.choice(LENGTHS))
                    sealed, tag = (
                        self.new(name, nonce=self.nonce).update(aad).encrypt_and_digest(data)
                    )
                    self.assertEqual((sealed, tag), mode.encrypt(self.nonce, aad, data))

    def test_siv(self) -> None:
        key = self.key + RANDOM.randbytes(len(self.key))
        other = model("twofish", "Twofish")(key[len(self.key) :])
        mode = model("cbc_mac", "Siv")(self.cipher, other)
        for n_bytes in LENGTHS:
            data = RANDOM.randbytes(n_bytes)
            siv = Twofish.new(key, Twofish.MODE_SIV, nonce=self.nonce).update(b"one").update(b"")
            sealed, tag = siv.encrypt_and_digest(data)
            self.assertEqual((sealed, tag), mode.encrypt([b"one", b"", self.nonce], data))
        for strings in ([b"one"], [b"one", b"two"], [b"", self.iv + self.iv]):
            siv = Twofish.new(key, Twofish.MODE_SIV)
            for string in strings:
                siv.update(string)
            self.assertEqual(siv.digest(), mode.s2v(*strings))


if __name__ == "__main__":
    unittest.main()
