# SPDX-License-Identifier: Apache-2.0 OR MIT
"""LRW over AES against the vectors of IEEE P1619's drafts."""

from __future__ import annotations

import unittest

from lrw import Lrw, multiply
from tests.aes import Aes128

PT = b"0123456789ABCDEF"
# Key1, Key2, index, ciphertext.
VECTORS = (
    ("4562ac25f828176d4c268414b5680185", "258e2a05e73e9d03ee5a830ccc094c87", 1,
     "f1b273cd65a3df5fe95d489254634eb8"),
    ("59704714f557478cd779e80f54887944", "0d48f0b7b15a53ea1caa6b29c2cafbaf", 2,
     "00c82bae95bbcde5274f0769b260e136"),
    ("d82a9134b26a565030fe69e2377f9847", "cdf90b160c648fb6b00d0d1bae85871f", 1 << 33,
     "76322183ed8ff182f9596203690e5e01"),
)  # fmt: skip


class LrwTest(unittest.TestCase):
    def test_p1619(self) -> None:
        for key_1, key_2, index, ct in VECTORS:
            lrw = Lrw(Aes128(bytes.fromhex(key_1)), bytes.fromhex(key_2))
            self.assertEqual(lrw.encrypt(index, PT).hex(), ct)
            self.assertEqual(lrw.decrypt(index, bytes.fromhex(ct)), PT)

    def test_products(self) -> None:
        self.assertEqual(multiply(1 << 127, 2), 0x87)
        for a, b, c in ((3, 5, 7), (1 << 127, (1 << 128) - 1, 0x87 << 120)):
            self.assertEqual(multiply(a, 1), a)
            self.assertEqual(multiply(a, b), multiply(b, a))
            self.assertEqual(multiply(multiply(a, b), c), multiply(a, multiply(b, c)))
            self.assertEqual(multiply(a, b ^ c), multiply(a, b) ^ multiply(a, c))

    def test_indices_wrap(self) -> None:
        lrw = Lrw(Aes128(bytes(16)), bytes(range(16)))
        ct = lrw.encrypt(2**128 - 1, PT * 2)
        self.assertEqual(ct, lrw.encrypt(2**128 - 1, PT) + lrw.encrypt(0, PT))

    def test_parts_of_blocks_are_refused(self) -> None:
        lrw = Lrw(Aes128(bytes(16)), bytes(16))
        for crypt in (lrw.encrypt, lrw.decrypt):
            with self.assertRaisesRegex(ValueError, "whole blocks, not 15 bytes"):
                crypt(0, bytes(15))
