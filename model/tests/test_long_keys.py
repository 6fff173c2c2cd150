# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The extension to keys of more than 256 bits."""

import random
import unittest

from long_keys import MAX_LONG_KEY_BYTES, LongKeyTwofish, q_order
from twofish import BLOCK_BYTES, Q_ORDER, Twofish


class TestLongKeys(unittest.TestCase):
    def setUp(self) -> None:
        self.random = random.Random("long keys")

    def test_up_to_256_bits_it_is_twofish(self) -> None:
        for key_bytes in (0, 5, 16, 17, 24, 31, 32):
            key, block = self.random.randbytes(key_bytes), self.random.randbytes(BLOCK_BYTES)
            for rounds in (1, 16, 17):
                with self.subTest(key_bytes=key_bytes, rounds=rounds):
                    expected = Twofish(key, rounds).encrypt(block)
                    self.assertEqual(LongKeyTwofish(key, rounds).encrypt(block), expected)

    def test_decryption_undoes_encryption(self) -> None:
        for key_bytes in (33, 40, 64, 100, MAX_LONG_KEY_BYTES):
            cipher = LongKeyTwofish(self.random.randbytes(key_bytes))
            block = self.random.randbytes(BLOCK_BYTES)
            self.assertEqual(cipher.decrypt(cipher.encrypt(block)), block)

    def test_each_key_byte_reaches_subkeys_and_s(self) -> None:
        key = self.random.randbytes(56)
        cipher = LongKeyTwofish(key)
        for i in range(len(key)):
            changed = bytearray(key)
            changed[i] ^= 1 << i % 8
            other = LongKeyTwofish(bytes(changed))
            with self.subTest(byte=i):
                self.assertNotEqual(other.K, cipher.K)
                self.assertNotEqual(other.S, cipher.S)

    def test_orders_repeat_after_level_4(self) -> None:
        self.assertEqual([q_order(n) for n in range(5)], list(Q_ORDER))
        self.assertEqual([q_order(n) for n in range(5, 9)], list(Q_ORDER[1:]))

    def test_refusals(self) -> None:
        with self.assertRaisesRegex(ValueError, "0 to 512 bytes, this one has 513"):
            LongKeyTwofish(bytes(MAX_LONG_KEY_BYTES + 1))
        with self.assertRaisesRegex(ValueError, "1 to 124 rounds"):
            LongKeyTwofish(bytes(40), 125)
