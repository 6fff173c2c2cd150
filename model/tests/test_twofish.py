# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Known answers, round trips, errors and variants of the cipher."""

from __future__ import annotations

import unittest

from c_tables import KEY_SIZES, table_chain
from twofish import MAX_KEY_BYTES, MAX_ROUNDS, FamilyKey, Twofish, h, pad_key, subkeys

ZERO = bytes(16)
LONG_KEY = bytes.fromhex("0123456789ABCDEFFEDCBA987654321000112233445566778899AABBCCDDEEFF")
FAMILY_KEY = bytes(range(32))

# Published values; the generated vectors cannot judge the model that made them.
ANSWERS = (
    (bytes(16), "9F589F5CF6122C32B6BFEC2F2AE8C35A"),
    (bytes(24), "EFA71F788965BD4453F860178FC19101"),
    (bytes(32), "57FF739D4DC92C1BD7FC01700CC8216F"),
    (LONG_KEY[:24], "CFD1D2E5A9BE9CDF501F13B892BD2248"),
    (LONG_KEY, "37527BE0052334B89F0CFCCAE87CFA20"),
)
CHAIN_ENDS = (
    "5D9D4EEFFA9151575524F115815A12E0",
    "E75449212BEEF9F4A390BD860A640941",
    "37FE26FF1CF66175F5DDF4C33B97A205",
)

# The variants have no official vectors. These were computed by other code from the same definition.
ROUNDS = (
    (2, "b4f035745d9a7764c10c39bb5206bb93", "07a3c9ebb82660e97a82b260337f3fd0"),
    (5, "86205e9d3849c19a0712d31fd214fa4d", "42b4a255fa3060882b7ac8e9551428cc"),
    (8, "b102b57a70b614de66d1c0462a2ac711", "2fe02b65dec49f4d5bf25f29c2daa567"),
    (10, "5c4f81cdc1b64789c843acef45c0b37c", "f1c1abc78595969e608306ab10be6c24"),
    (32, "241ab642478d2a413bb25f0e5a3a4bb9", "ad76300c77d0afb4c917d219e67ef482"),
    (124, "5532a703d6880487a688fea77b804037", "3720acb71bfc38ec0c75dae14aa10295"),
)
FAMILY_T = (
    FAMILY_KEY.hex(),
    "f8b47d350295223028b09e622315e001127f9fd601446670a829458766eeb432",
    "01309b66e5214b2c5f3b849c5f9d45f4",
    "69b2c8d963c9962f89dce1003efa96ea",
    "0d2be3ba41d335f3",
)
FAMILY = (
    (16, "aaad8f46ed4519227b04e0dd614c64b5"),
    (24, "cf045bd1f615c5104c296291efaf81fc"),
    (32, "013575c2acdb0afcf4698c3989f7a40f"),
)


class KnownAnswers(unittest.TestCase):
    def test_zero_plaintext(self) -> None:
        for key, answer in ANSWERS:
            with self.subTest(key=key.hex()):
                self.assertEqual(Twofish(key).encrypt(ZERO).hex().upper(), answer)
                self.assertEqual(Twofish(key).decrypt(bytes.fromhex(answer)), ZERO)

    def test_table_chains(self) -> None:
        for key_bytes, end in zip(KEY_SIZES, CHAIN_ENDS):
            *_, (_, _, ct) = table_chain(key_bytes)
            self.assertEqual(ct.hex().upper(), end)

    def test_subkeys_of_the_zero_key(self) -> None:
        K = subkeys(bytes(16), 40)
        self.assertEqual(K[:4], (0x52C54DDE, 0x11F0626D, 0x7CAC9D4A, 0x4D1B4AAA))
        self.assertEqual(K[38:], (0xF298311E, 0x696EA672))


class Keys(unittest.TestCase):
    def test_short_keys_are_padded_with_zeros(self) -> None:
        for n in range(MAX_KEY_BYTES + 1):
            padded = pad_key(LONG_KEY[:n])
            self.assertEqual(len(padded), min(size for size in KEY_SIZES if size >= n))
            self.assertEqual(padded, LONG_KEY[:n] + bytes(len(padded) - n))
            self.assertEqual(Twofish(LONG_KEY[:n]).encrypt(ZERO), Twofish(padded).encrypt(ZERO))

    def test_longer_keys_are_refused(self) -> None:
        with self.assertRaisesRegex(ValueError, "0 to 32 bytes, this one has 33"):
            Twofish(bytes(33))

    def test_blocks_of_other_sizes_are_refused(self) -> None:
        for n in (0, 15, 17):
            for crypt in (Twofish(b"").encrypt, Twofish(b"").decrypt):
                with self.assertRaisesRegex(ValueError, f"16 bytes, this one has {n}"):
                    crypt(bytes(n))


class Variants(unittest.TestCase):
    def test_rounds_and_whitening(self) -> None:
        for rounds, whitened, bare in ROUNDS:
            with self.subTest(rounds=rounds):
                self.assertEqual(Twofish(ZERO, rounds).encrypt(ZERO).hex(), whitened)
                cipher = Twofish(ZERO, rounds, whitening=False)
                self.assertEqual(cipher.encrypt(ZERO).hex(), bare)

    def test_rounds_out_of_range_are_refused(self) -> None:
        for rounds in (0, -1, MAX_ROUNDS + 1):
            with self.assertRaisesRegex(ValueError, f"1 to 124 rounds, not {rounds}"):
                Twofish(ZERO, rounds)

    def test_family_key(self) -> None:
        self.assertEqual(tuple(T.hex() for T in FamilyKey(FAMILY_KEY).T), FAMILY_T)
        for key_bytes, answer in FAMILY:
            cipher = Twofish(bytes(key_bytes), family_key=FAMILY_KEY)
            self.assertEqual(cipher.encrypt(ZERO).hex(), answer)

    def test_family_keys_of_other_sizes_are_refused(self) -> None:
        with self.assertRaisesRegex(ValueError, "32 bytes, this one has 16"):
            Twofish(ZERO, family_key=bytes(16))

    def test_every_variant_round_trips(self) -> None:
        block = LONG_KEY[3:19]
        for n, rounds in enumerate(range(1, MAX_ROUNDS + 1)):
            cipher = Twofish(LONG_KEY[: n % 33], rounds, bool(n % 2), (None, FAMILY_KEY)[n % 3 > 0])
            self.assertEqual(cipher.decrypt(cipher.encrypt(block)), block)


class Parts(unittest.TestCase):
    def test_g_is_h_with_the_list_s(self) -> None:
        cipher = Twofish(LONG_KEY)
        S = (0x8E4447F7, 0x45661061, 0xB255BC4B, 0xB89FF6F2)
        self.assertEqual(cipher.g(0x12345678), h(0x12345678, [s.to_bytes(4, "little") for s in S]))

    def test_inverse_round(self) -> None:
        cipher, R = Twofish(LONG_KEY), (1, 2**31, 0xFFFFFFFF, 0x01234567)
        for r in range(16):
            self.assertEqual(cipher.inverse_round(cipher.round(R, r), r), R)
