# SPDX-License-Identifier: Apache-2.0 OR MIT
"""CFB and OFB over AES against the vectors of their document."""

from __future__ import annotations

import unittest

from feedback import cfb_decrypt, cfb_encrypt, ofb_crypt
from tests.aes import Aes128

KEY = bytes.fromhex("2b7e151628aed2a6abf7158809cf4f3c")
IV = bytes(range(16))
PT = bytes.fromhex(
    "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
    "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710"
)


class Cfb(unittest.TestCase):
    """[SP800-38A, F.3.1, F.3.7, F.3.13], and the decryptions after each."""

    def check(self, segment_bits: int, expected: str) -> None:
        ct = bytes.fromhex(expected)
        pt = PT[: len(ct)]
        self.assertEqual(cfb_encrypt(Aes128(KEY), IV, pt, segment_bits).hex(), expected)
        self.assertEqual(cfb_decrypt(Aes128(KEY), IV, ct, segment_bits), pt)

    def test_1_bit(self) -> None:
        self.check(1, "68b3")

    def test_8_bits(self) -> None:
        self.check(8, "3b79424c9c0dd436bace9e0ed4586a4f32b9")

    def test_whole_blocks(self) -> None:
        self.check(
            128,
            "3b3fd92eb72dad20333449f8e83cfb4ac8a64537a0b3a93fcde3cdad9f1ce58b"
            "26751f67a3cbb140b1808cf187a4f4dfc04b05357c5d1c0eeac4c66f9ff7f2e6",
        )

    def test_a_short_last_block_is_the_start_of_a_long_one(self) -> None:
        long = cfb_encrypt(Aes128(KEY), IV, PT, 128)
        for n in range(len(PT)):
            self.assertEqual(cfb_encrypt(Aes128(KEY), IV, PT[:n], 128), long[:n])
            self.assertEqual(cfb_decrypt(Aes128(KEY), IV, long[:n], 128), PT[:n])


class Ofb(unittest.TestCase):
    def test_sp800_38a(self) -> None:
        """F.4.1, F.4.2"""
        ct = bytes.fromhex(
            "3b3fd92eb72dad20333449f8e83cfb4a7789508d16918f03f53c52dac54ed825"
            "9740051e9c5fecf64344f7a82260edcc304c6528f659c77866a510d9c1d6ae5e"
        )
        self.assertEqual(ofb_crypt(Aes128(KEY), IV, PT), ct)
        for n in range(len(PT)):
            self.assertEqual(ofb_crypt(Aes128(KEY), IV, ct[:n]), PT[:n])
