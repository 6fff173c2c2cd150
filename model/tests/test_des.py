# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The model of DES against properties that the standards and papers state, and the tables for C."""

from __future__ import annotations

import unittest

import des
import des_c_tables
from des import POSSIBLY_WEAK, SEMI_WEAK, WEAK, Des, permute

KEY = bytes.fromhex("133457799BBCDFF1")
BLOCK = bytes.fromhex("0123456789ABCDEF")


class Standard(unittest.TestCase):
    def test_permutations(self) -> None:
        everything = list(range(1, 65))
        self.assertEqual(sorted(des.IP), everything)
        self.assertEqual([des.INVERSE_IP[i - 1] for i in des.IP], everything)
        self.assertEqual(sorted(des.P), list(range(1, 33)))
        self.assertEqual(sorted(des.PC_1), [i for i in everything if i % 8])
        self.assertEqual(len(set(des.PC_2)), 48)
        self.assertEqual(sum(des.LEFT_SHIFTS), 28)

    def test_rows_of_s_boxes_are_permutations(self) -> None:
        for box in des.S:
            for row in box:
                self.assertEqual(sorted(row), list(range(16)))

    def test_complement(self) -> None:
        """The complements of key and plaintext give the complement of the ciphertext."""

        def complement(data: bytes) -> bytes:
            return bytes(255 - byte for byte in data)

        for key in (KEY, KEY[::-1] + KEY, KEY + BLOCK + KEY[::-1]):
            self.assertEqual(
                Des(complement(key)).encrypt(complement(BLOCK)), complement(Des(key).encrypt(BLOCK))
            )

    def test_decryption(self) -> None:
        for key in (KEY, KEY + BLOCK, KEY + BLOCK + KEY[::-1]):
            self.assertEqual(Des(key).decrypt(Des(key).encrypt(BLOCK)), BLOCK)

    def test_two_keys_are_three(self) -> None:
        self.assertEqual(Des(KEY + BLOCK).encrypt(BLOCK), Des(KEY + BLOCK + KEY).encrypt(BLOCK))

    def test_equal_keys_are_one(self) -> None:
        for key in (KEY + KEY + BLOCK, BLOCK + KEY + KEY):
            self.assertEqual(Des(key).encrypt(KEY), Des(BLOCK).encrypt(KEY))

    def test_sizes(self) -> None:
        for n_bytes in (0, 7, 9, 15, 17, 23, 25, 32):
            with self.assertRaisesRegex(ValueError, f"this one has {n_bytes}"):
                Des(bytes(n_bytes))
        with self.assertRaisesRegex(ValueError, "a block has 8 bytes, this one has 16"):
            Des(KEY).encrypt(bytes(16))


class Keys(unittest.TestCase):
    def test_parity(self) -> None:
        self.assertTrue(des.has_odd_parity(KEY))
        self.assertFalse(des.has_odd_parity(bytes(8)))
        self.assertEqual(des.with_odd_parity(bytes(range(4))), bytes((1, 1, 2, 2)))
        self.assertEqual(Des(bytes(8)).encrypt(BLOCK), Des(b"\x01" * 8).encrypt(BLOCK))

    def test_weak_keys(self) -> None:
        kinds = list(des.weak_keys().values())
        self.assertEqual(
            [kinds.count(kind) for kind in (WEAK, SEMI_WEAK, POSSIBLY_WEAK)], [4, 12, 48]
        )
        for key, kind in des.weak_keys().items():
            self.assertTrue(des.has_odd_parity(key))
            twice = Des(key).encrypt(Des(key).encrypt(BLOCK))
            self.assertEqual(twice == BLOCK, kind == WEAK)

    def test_semi_weak_keys_have_partners(self) -> None:
        keys = [key for key, kind in des.weak_keys().items() if kind == SEMI_WEAK]
        for key in keys:
            ct = Des(key).encrypt(BLOCK)
            partners = [other for other in keys if Des(other).encrypt(ct) == BLOCK]
            self.assertEqual(len(partners), 1)

    def test_other_keys_of_four_subkeys(self) -> None:
        """C and D that repeat any four bits give no more: 256 keys, of which NIST lists 64."""
        for C in range(16):
            for D in range(16):
                key = 0
                bits = 7 * f"{C:04b}" + 7 * f"{D:04b}"
                for position, bit in zip(des.PC_1, bits):
                    key |= int(bit) << (64 - position)
                n_subkeys = len(set(des.subkeys(key.to_bytes(8, "big"))))
                self.assertIn(n_subkeys, (1, 2, 4))


class Tables(unittest.TestCase):
    """The tables for C, put together as the C code does it, give the model."""

    def test_f(self) -> None:
        for n, K in enumerate(des.subkeys(KEY)):
            R = (0x01234567 * (n + 1)) % 2**32
            r = des_c_tables.rol32(R, des_c_tables.ROTATION)
            even, odd = des_c_tables.subkey_words(K)
            result = 0
            halves = (
                (des_c_tables.EVEN, r, even),
                (des_c_tables.ODD, des_c_tables.rol32(r, 28), odd),
            )
            for boxes, half, k in halves:
                offsets = (half ^ k) & 0xFCFCFCFC
                for box, offset in zip(boxes, offsets.to_bytes(4, "big")):
                    result ^= des_c_tables.sp_table(box - 1)[offset // 4]
            self.assertEqual(result, des_c_tables.rol32(des.f(R, K), des_c_tables.ROTATION))

    def test_f_spread(self) -> None:
        """The sum of the tables is f as E spreads it."""
        for n, K in enumerate(des.subkeys(KEY)):
            R = (0x01234567 * (n + 1)) % 2**32
            even, odd = des_c_tables.subkey_words(K)
            x = des_c_tables.spread(des_c_tables.rol32(R, des_c_tables.ROTATION))
            result = 0
            for byte, offset in enumerate((x ^ odd << 32 ^ even).to_bytes(8, "little")):
                result ^= des_c_tables.sp_spread_table(byte)[offset // 4]
            expected = des_c_tables.subkey_words(des.permute(des.f(R, K), 32, des.E))
            self.assertEqual((result % 2**32, result >> 32), expected)

    def test_pc_2(self) -> None:
        CD = permute(int.from_bytes(KEY, "big"), 64, des.PC_1)
        words = [0, 0]
        for half, bits in enumerate((CD >> 28, CD & des.MASK_28)):
            for chunk in range(4):
                words[half] |= des_c_tables.pc_2_table(half, chunk)[bits >> (21 - 7 * chunk) & 127]
        even = (words[0] & 0xFFFF0000) | words[1] >> 16
        odd = (words[0] << 16 | words[1] & 0xFFFF) % 2**32
        expected = des_c_tables.subkey_words(permute(CD, 56, des.PC_2))
        self.assertEqual((even, odd), expected)

    def test_known_answers_use_every_entry(self) -> None:
        used: set[tuple[int, int]] = set()
        for key, pt, _ in des_c_tables.known_answer_chain(8):
            LR = permute(int.from_bytes(pt, "big"), 64, des.IP)
            L, R = LR >> 32, LR & 2**32 - 1
            for K in des.subkeys(key):
                B = permute(R, 32, des.E) ^ K
                used |= {(n, B >> (42 - 6 * n) & 63) for n in range(8)}
                L, R = R, L ^ des.f(R, K)
        self.assertEqual(len(used), 8 * 64)
