# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The key schedule of `schedule` (with native/columns.c), against the parts of the library."""

from __future__ import annotations

import unittest

import numpy as np

from manyfish_lab import schedule, streams, twofish
from manyfish_lab.schedule import Steps

PLAIN = Steps(False, False, False, False, False)


def random(seed: int, *shape: int) -> schedule.Bytes:
    return np.random.default_rng(seed).integers(0, 256, shape, np.uint8)


class Forwards(unittest.TestCase):
    keys: schedule.Bytes

    @classmethod
    def setUpClass(cls) -> None:
        cls.keys = random(1, 50, 16)

    def test_columns_are_the_boxes_of_a_list(self) -> None:
        for l0, l1 in ((0, 0), (1, 254), (0x5A, 7)):
            box = twofish.boxes([0x01010101 * l0, 0x01010101 * l1])
            for e in range(2):
                np.testing.assert_array_equal(
                    schedule.columns()[e, :, l0 + 256 * l1], box[:, e : 2 * schedule.PAIRS : 2]
                )

    def test_subkeys_and_S(self) -> None:
        K, S = schedule.subkeys(self.keys), schedule.sbox_keys(self.keys)
        for i, key in enumerate(self.keys):
            np.testing.assert_array_equal(K[i], twofish.subkeys(key.tobytes()))
            np.testing.assert_array_equal(S[i], twofish.sbox_key(key.tobytes()))

    def test_choices_and_back(self) -> None:
        np.testing.assert_array_equal(schedule.keys_of(schedule.choices(self.keys)), self.keys)

    def test_a_family_encrypts_as_in_the_library(self) -> None:
        keys, family_keys, blocks = self.keys[:5], random(2, 5, 32), random(3, 5, 16)
        for steps, given in ((PLAIN, None), (Steps(), family_keys)):
            K, S = schedule.in_family(keys, family_keys, steps)
            expected = streams.encrypt(keys, blocks, 16, given)
            for i in range(5):
                found = schedule.encrypt_block(K[i], S[i], blocks[i].tobytes())
                self.assertEqual(found, expected[i].tobytes())


class Backwards(unittest.TestCase):
    keys: schedule.Bytes

    @classmethod
    def setUpClass(cls) -> None:
        cls.keys = random(4, 200, 16)

    def test_keys_are_found(self) -> None:
        found, fits = schedule.solve(schedule.subkeys(self.keys))
        self.assertTrue(fits.all())
        np.testing.assert_array_equal(schedule.keys_of(found), self.keys)

    def test_one_bit_of_one_subkey_is_noticed(self) -> None:
        rng = np.random.default_rng(5)
        K = schedule.subkeys(self.keys)
        K[np.arange(200), rng.integers(8, 40, 200)] ^= (1 << rng.integers(0, 32, 200)).astype(
            np.uint32
        )
        _, fits = schedule.solve(K)
        self.assertFalse(fits.all(axis=(1, 2)).any())

    def test_whitening_is_not_looked_at(self) -> None:
        K = schedule.subkeys(self.keys)
        K[:, :8] ^= np.uint32(1)
        self.assertTrue(schedule.solve(K)[1].all())

    def test_keys_are_found_in_their_family_only(self) -> None:
        family_keys = random(6, 200, 32)
        K, _ = schedule.in_family(self.keys, family_keys, Steps())
        found, fits = schedule.solve_in_family(K, family_keys, Steps())
        self.assertTrue(fits.all())
        np.testing.assert_array_equal(found, self.keys)
        self.assertFalse(schedule.solve_in_family(K, family_keys[::-1], Steps())[1].any())
        self.assertFalse(schedule.solve_in_family(K, family_keys, PLAIN)[1].any())


if __name__ == "__main__":
    unittest.main()
