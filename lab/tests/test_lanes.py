# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The native search for S behind sums of bits, against plain counting."""

from __future__ import annotations

import itertools
import unittest

import numpy as np

from manyfish_lab import lanes, twofish
from manyfish_lab.errors import LabError


class LanesTest(unittest.TestCase):
    """Sums of bits at full size."""

    def setUp(self) -> None:
        self.random = np.random.default_rng(12)
        self.key = self.random.bytes(16)
        self.S = twofish.sbox_key(self.key).tolist()

    def test_lanes_add_up_to_sums_of_g(self) -> None:
        """For any S and masks: four lanes against g of every text; 70 sets take two words."""
        halves = self.random.integers(0, 2**32, (70, 256, 2)).astype(np.uint32)
        masks = (0x80000002, 5)
        sums = lanes.lane_sums(lanes.odd_values(halves), masks)
        for _ in range(5):
            S = self.random.integers(0, 2**32, 2).tolist()
            R1 = halves[:, :, 1]
            T = (
                twofish.h(halves[:, :, 0], S),
                twofish.h(R1 << np.uint32(8) | R1 >> np.uint32(24), S),
            )
            bits = sum(np.bitwise_count(t & np.uint32(m)) for t, m in zip(T, masks))
            expected = lanes.packed((bits.sum(axis=1) & 1).astype(np.uint8))
            keys = lanes.lane_keys(S)
            self.assertEqual(lanes.joined_keys(keys), tuple(S))
            total = np.bitwise_xor.reduce([sums[lane, key] for lane, key in enumerate(keys)])
            np.testing.assert_array_equal(total, expected)

    def test_ciphertexts_show_the_sums_of_the_real_key(self) -> None:
        sets = lanes.four_rounds(self.key, self.random, 8)
        R1 = sets.halves[:, :, 1]
        T0 = twofish.h(sets.halves[:, :, 0], self.S)
        T1 = twofish.h(R1 << np.uint32(8) | R1 >> np.uint32(24), self.S)
        np.testing.assert_array_equal(((T0 ^ T1) & 1).sum(axis=1) & 1, sets.sums)

    def test_guess(self) -> None:
        sets = lanes.four_rounds(self.key, self.random, 40)
        joined = self.S[0] | self.S[1] << 32
        known = joined >> 8 << 8
        found, of_g = lanes.guess(sets, known, 0, 256)
        self.assertEqual(found, [joined])
        self.assertGreater(of_g, 256 * 512)
        place = joined & 255
        self.assertEqual(lanes.guess(sets, known, place, 1)[0], [joined])
        self.assertEqual(lanes.guess(sets, known, 0, place)[0], [])
        self.assertEqual(lanes.guess(sets, known ^ 1 << 40, 0, 256)[0], [])
        with self.assertRaises(ValueError):
            lanes.guess(lanes.Sets(sets.halves[:0], sets.sums[:0]), known, 0, 256)

    def test_a_round_more_shows_nothing(self) -> None:
        sets = lanes.four_rounds(self.key, self.random, 40, rounds=5)
        joined = self.S[0] | self.S[1] << 32
        self.assertEqual(lanes.guess(sets, joined >> 8 << 8, 0, 256)[0], [])


class JoinTest(unittest.TestCase):
    """lab_join against a search through all ways."""

    def setUp(self) -> None:
        self.random = np.random.default_rng(13)
        self.sums = self.random.integers(0, 2**64, (4, lanes.LANE_KEYS, 2), np.uint64)
        self.candidates = [np.array([7, 70, 700]), np.array([9, 90])]

    def wanted(self, keys: list[int]) -> lanes.Sums:
        """The sums of four lanes."""
        one = np.array([self.sums[lane, key] for lane, key in enumerate(keys)])
        return np.asarray(np.bitwise_xor.reduce(one))

    def join(self, wanted: lanes.Sums, first: int, count: int) -> list[tuple[int, int]]:
        """With the candidates of the test."""
        return lanes.join(self.sums, wanted, self.candidates, first, count)

    def test_what_is_planted_is_found(self) -> None:
        for keys in ([1, 7, 65535, 90], [65535, 700, 0, 9], [0, 70, 4, 9]):
            wanted = self.wanted(keys)
            low = int(self.sums[0, keys[0], 0] ^ self.sums[1, keys[1], 0]) & 65535
            self.assertEqual(self.join(wanted, low, 1), [lanes.joined_keys(keys)])
            start = max(0, low - 20)
            self.assertEqual(self.join(wanted, start, low - start), [])
            self.assertEqual(self.join(wanted, low + 1, min(20, 65535 - low)), [])

    def test_no_candidate_no_key(self) -> None:
        wanted, low = (
            self.wanted([1, 8, 2, 9]),
            int(self.sums[0, 1, 0] ^ self.sums[1, 8, 0]) & 65535,
        )
        self.assertEqual(self.join(wanted, low, 1), [])

    def test_the_second_word_rejects(self) -> None:
        wanted = self.wanted([1, 7, 2, 9])
        low = int(self.sums[0, 1, 0] ^ self.sums[1, 7, 0]) & 65535
        self.assertEqual(self.join(wanted, low, 1), [lanes.joined_keys([1, 7, 2, 9])])
        wanted[1] ^= np.uint64(1)
        self.assertEqual(self.join(wanted, low, 1), [])

    def test_all_ways_of_few_bits(self) -> None:
        """Sums of 32 bits: some chance matches, each of which a plain search finds too."""
        self.sums[:, :, 0] &= np.uint64(2**32 - 1)
        self.sums[:, :, 1] = 0
        wanted = self.wanted([5, 7, 6, 9])
        places: dict[int, list[int]] = {}
        for place, value in enumerate(self.sums[0, :, 0].tolist()):
            places.setdefault(value, []).append(place)
        plain = []
        for k1, k3 in itertools.product(*self.candidates):
            rest = self.sums[2, :, 0] ^ self.sums[1, k1, 0] ^ self.sums[3, k3, 0] ^ wanted[0]
            for k2, value in enumerate(rest.tolist()):
                for k0 in places.get(value, ()):
                    plain.append(lanes.joined_keys([k0, int(k1), k2, int(k3)]))
        self.assertGreater(len(plain), 1)
        self.assertEqual(sorted(self.join(wanted, 0, 65536)), sorted(plain))

    def test_sums_that_are_all_alike_are_refused(self) -> None:
        self.sums[:] = 0
        with self.assertRaisesRegex(LabError, "lab_join"):
            self.join(self.wanted([0, 7, 0, 9]), 0, 1)


if __name__ == "__main__":
    unittest.main()
