# SPDX-License-Identifier: Apache-2.0 OR MIT
"""No object that holds a key is copied or pickled, neither ours nor a part of it."""

from __future__ import annotations

import copy
import pickle
import unittest
from collections.abc import Iterator
from typing import Any

from manyfish import CMAC, DES, DES3, Twofish, aead
from manyfish.compat import pykeepass
from manyfish.compat.twofish import Twofish as OfPackage

KEY = bytes(range(64))


def ciphers() -> Iterator[Any]:
    for module, key_bytes in ((Twofish, 32), (DES, 8), (DES3, 24)):
        modes = {name: mode for name, mode in vars(module).items() if name.startswith("MODE_")}
        for name, mode in modes.items():
            key = KEY[: 64 if name in ("MODE_SIV", "MODE_XTS") else key_bytes]
            nonce = {"nonce": b""} if name == "MODE_CTR" else {}
            yield module.new(key, mode, **nonce)
    for name in aead.__all__:
        if name.startswith("Twofish"):
            yield getattr(aead, name)(KEY if name == "TwofishSIV" else KEY[:32])
    yield CMAC.new(KEY[:16])
    yield OfPackage(KEY[:16])
    yield pykeepass.Twofish.new(KEY[:16])


def parts(cipher: Any) -> Iterator[Any]:
    """Those of its attributes that are of the extension module."""
    for part in getattr(cipher, "__dict__", {}).values():
        if type(part).__module__ == "manyfish._manyfish":
            yield part


class Copies(unittest.TestCase):
    def test_each_is_refused(self) -> None:
        for cipher in ciphers():
            name = type(cipher).__name__
            for copied in (copy.copy, copy.deepcopy, pickle.dumps):
                with self.subTest(name, by=copied.__name__):
                    with self.assertRaisesRegex(TypeError, f"{name} cannot be copied or pickled"):
                        copied(cipher)
                    for part in parts(cipher):
                        with self.assertRaises(TypeError):
                            copied(part)

    def test_a_mac_has_a_copy_of_its_own(self) -> None:
        mac = CMAC.new(KEY[:16], b"one")
        other = mac.copy().update(b"two")
        self.assertEqual(mac.digest(), CMAC.new(KEY[:16], b"one").digest())
        self.assertEqual(other.digest(), CMAC.new(KEY[:16], b"onetwo").digest())


if __name__ == "__main__":
    unittest.main()
