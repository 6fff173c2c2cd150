# SPDX-License-Identifier: Apache-2.0 OR MIT
"""CBC with ciphertext stealing and XTS over AES against the vectors of their documents."""

from __future__ import annotations

import unittest

import modes
from stealing import CTS_VARIANTS, Xts, cbc_cs_decrypt, cbc_cs_encrypt
from tests.aes import Aes128

# [RFC3962, B]: the form of Kerberos, CS3.
KERBEROS_KEY = b"chicken teriyaki"
KERBEROS_PT = b"I would like the General Gau's Chicken, please, and wonton soup."
KERBEROS_CT = (
    "c6353568f2bf8cb4d8a580362da7ff7f97",
    "fc00783e0efdb2c1d445d4c8eff7ed2297687268d6ecccc0c07b25e25ecfe5",
    "39312523a78662d5be7fcbcc98ebf5a897687268d6ecccc0c07b25e25ecfe584",
    "97687268d6ecccc0c07b25e25ecfe584b3fffd940c16a18c1b5549d2f838029e"
    "39312523a78662d5be7fcbcc98ebf5",
    "97687268d6ecccc0c07b25e25ecfe5849dad8bbb96c4cdc03bc103e1a194bbd8"
    "39312523a78662d5be7fcbcc98ebf5a8",
    "97687268d6ecccc0c07b25e25ecfe58439312523a78662d5be7fcbcc98ebf5a8"
    "4807efe836ee89a526730dbc2f7bc8409dad8bbb96c4cdc03bc103e1a194bbd8",
)


class CbcCts(unittest.TestCase):
    def setUp(self) -> None:
        self.aes = Aes128(KERBEROS_KEY)
        self.iv = bytes(16)

    def test_rfc3962(self) -> None:
        for text in KERBEROS_CT:
            ct = bytes.fromhex(text)
            pt = KERBEROS_PT[: len(ct)]
            self.assertEqual(cbc_cs_encrypt(self.aes, self.iv, pt, "cs3").hex(), text)
            self.assertEqual(cbc_cs_decrypt(self.aes, self.iv, ct, "cs3"), pt)

    def test_the_variants_differ_in_order_only(self) -> None:
        for n in range(16, 65):
            pt = KERBEROS_PT[:n]
            d = n % 16 or 16
            cs1, cs2, cs3 = (cbc_cs_encrypt(self.aes, self.iv, pt, v) for v in CTS_VARIANTS)
            if n > 16:
                self.assertEqual(cs3, cs1[: -16 - d] + cs1[-16:] + cs1[-16 - d : -16])
            self.assertEqual(cs2, cs1 if d == 16 else cs3)
            if d == 16:
                self.assertEqual(cs1, modes.cbc_encrypt(self.aes, self.iv, pt))
            for variant, ct in zip(CTS_VARIANTS, (cs1, cs2, cs3)):
                self.assertEqual(cbc_cs_decrypt(self.aes, self.iv, ct, variant), pt)

    def test_less_than_a_block_is_refused(self) -> None:
        for crypt in (cbc_cs_encrypt, cbc_cs_decrypt):
            with self.assertRaisesRegex(ValueError, "16 bytes or more, not 15"):
                crypt(self.aes, self.iv, bytes(15), "cs1")


# [IEEE1619, B]: Key1, Key2, number, plaintext, ciphertext of the vectors 1 to 3 and 15 to 18.
ONES, TWOS, COUNT_DOWN = "11" * 16, "22" * 16, bytes(range(0xFF, 0xEF, -1)).hex()
OTHER = bytes(range(0xBF, 0xAF, -1)).hex()
XTS_VECTORS = (
    ("00" * 16, "00" * 16, 0, "00" * 32,
     "917cf69ebd68b2ec9b9fe9a3eadda692cd43d2f59598ed858c02c2652fbf922e"),
    (ONES, TWOS, 0x3333333333, "44" * 32,
     "c454185e6a16936e39334038acef838bfb186fff7480adc4289382ecd6d394f0"),
    (COUNT_DOWN, TWOS, 0x3333333333, "44" * 32,
     "af85336b597afc1a900b2eb21ec949d292df4c047e0b21532186a5971a227a89"),
    (COUNT_DOWN, OTHER, 0x123456789A, bytes(range(17)).hex(),
     "6c1625db4671522d3d7599601de7ca09ed"),
    (COUNT_DOWN, OTHER, 0x123456789A, bytes(range(18)).hex(),
     "d069444b7a7e0cab09e24447d24deb1fedbf"),
    (COUNT_DOWN, OTHER, 0x123456789A, bytes(range(19)).hex(),
     "e5df1351c0544ba1350b3363cd8ef4beedbf9d"),
    (COUNT_DOWN, OTHER, 0x123456789A, bytes(range(20)).hex(),
     "9d84c813f719aa2c7be3f66171c7c5c2edbf9dac"),
)  # fmt: skip


class XtsTest(unittest.TestCase):
    def test_ieee1619(self) -> None:
        for key_1, key_2, number, pt, ct in XTS_VECTORS:
            xts = Xts(Aes128(bytes.fromhex(key_1)), Aes128(bytes.fromhex(key_2)))
            self.assertEqual(xts.encrypt(number, bytes.fromhex(pt)).hex(), ct)
            self.assertEqual(xts.decrypt(number, bytes.fromhex(ct)).hex(), pt)

    def test_ieee1619_long(self) -> None:
        """The start and the end of vector 4, a data unit of 512 bytes."""
        key_1 = Aes128(bytes.fromhex("27182818284590452353602874713526"))
        key_2 = Aes128(bytes.fromhex("31415926535897932384626433832795"))
        first = "27a7479befa1d476489f308cd4cfa6e2a96e4bbe3208ff25287dd3819616e89c"
        last = "3ce3ff262735779a418f20a282df920147beabe421ee5319d0568"
        pt = bytes(range(256)) * 2
        ct = Xts(key_1, key_2).encrypt(0, pt)
        self.assertEqual(ct[:32].hex(), first)
        self.assertTrue(ct.hex().endswith(last))
        self.assertEqual(Xts(key_1, key_2).decrypt(0, ct), pt)

    def test_less_than_a_block_is_refused(self) -> None:
        xts = Xts(Aes128(bytes(16)), Aes128(bytes(16)))
        for crypt in (xts.encrypt, xts.decrypt):
            with self.assertRaisesRegex(ValueError, "16 bytes or more, not 15"):
                crypt(0, bytes(15))
