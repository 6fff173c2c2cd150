# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Five rounds at real size: the native sums against blocks, and each step from sums to the key."""

from __future__ import annotations

import unittest
from pathlib import Path
from unittest import mock

import numpy as np

from manyfish_lab import five_round_search, lanes, linear, pair_tests, pieces, results, twofish
from manyfish_lab import five_rounds as oracles
from manyfish_lab.experiments import five_rounds as experiment
from manyfish_lab.lanes import LANE_KEYS, LANES
from manyfish_lab.whole_key import G, first_subkeys, keys, rol

RESULTS = Path(__file__).resolve().parents[1] / "results"


def last_carry(key: bytes) -> int:
    """Bit 0 of K_17."""
    return int(twofish.subkeys(key, 16, 2)[1] & 1)


class KernelTest(unittest.TestCase):
    """lab_five_rounds against the variant's blocks."""

    def test_sums(self) -> None:
        random = np.random.default_rng(15)
        cases = [(0, 3), (0xFFFFFF, 3), (0x123456, 8), (0x7FFFFF, 2)]
        for first, n in [*cases, *((place << 20, 1) for place in range(12))]:
            key, text = random.bytes(16), random.bytes(16)
            odd, bit = oracles.saturated_word(key, text, first, n)
            expected = self.plain(key, text, first, n)
            np.testing.assert_array_equal(odd, expected[0])
            self.assertEqual(bit, expected[1])

    def plain(self, key: bytes, text: bytes, first: int, n: int) -> tuple[lanes.Sums, int]:
        """The same from ciphertexts: the plaintexts are those of these values in round 2."""
        S, K = twofish.sbox_key(key), twofish.subkeys(key, 8, 4)
        R0, R1, _, R3 = np.frombuffer(text, "<u4").astype(np.uint32)[:, None]
        T0, T1 = twofish.h(R0, S), twofish.h(rol(R1, 8), S)
        L2_1 = rol(R3, 1) ^ (T0 + 2 * T1 + K[1])
        wanted = np.arange(256 * first, 256 * (first + n)).astype(np.uint32)
        T = wanted - (twofish.h(rol(L2_1, 8), S) + K[2])
        L2_0 = G(tuple(S.tolist())).inverse(T)
        np.testing.assert_array_equal(twofish.h(L2_0, S), T)
        texts = np.tile(np.frombuffer(text, "<u4"), (len(T), 1))
        texts[:, 2] = rol(L2_0, 1) ^ (T0 + T1 + K[0])
        words = oracles.Oracle(key).encrypt(texts)
        odd = lanes.odd_values(words[None, :, :2])[:, 0]
        return odd, int((words[:, 3] >> np.uint32(1) & 1).sum() & 1)


class StepTest(unittest.TestCase):
    """From candidates for S to the key."""

    def setUp(self) -> None:
        self.random = np.random.default_rng(16)
        self.key = self.random.bytes(16)
        self.S = tuple(twofish.sbox_key(self.key).tolist())
        self.oracle = oracles.Oracle(self.key)

    def test_pairs_leave_the_right_candidate(self) -> None:
        """S-boxes of the few keys that occur; those of the others stay zero."""
        right = lanes.lane_keys(self.S)
        rows = np.array([[right[j] ^ (n & 1 << j) for j in range(LANES)] for n in range(16)])

        def few() -> np.ndarray:
            boxes = np.zeros((LANES, LANE_KEYS, 256), np.uint8)
            for key in set(rows.ravel().tolist()):
                S = [(key & 255) * 0x01010101, (key >> 8) * 0x01010101]
                boxes[:, key] = twofish.boxes(S)
            return boxes

        with mock.patch.object(pair_tests, "_all_boxes", few):
            tests = pair_tests.PairTests(self.oracle, last_carry(self.key), self.random)
        passed = np.array([tests.agree(rows) for _ in range(12)])
        self.assertTrue(passed[:, 0].all())
        self.assertFalse(passed[:, 1:].all(axis=0).any())
        self.assertTrue(passed[:, 1:].any())

    def test_S_gives_the_subkeys_of_the_first_round(self) -> None:
        carry, K = last_carry(self.key), tuple(twofish.subkeys(self.key, 8, 2).tolist())
        found = first_subkeys(self.oracle, G(self.S), carry, self.random)
        self.assertIn(K, found)
        self.assertEqual(len(set(found)), 8)
        self.assertEqual(first_subkeys(self.oracle, G(self.S), 1 - carry, self.random), [])
        six = oracles.Oracle(self.key, rounds=6)
        self.assertEqual(first_subkeys(six, G(self.S), carry, self.random), [])

    def test_these_give_the_key(self) -> None:
        """Of all 2^32 keys those with the right byte 12, which are 2^24."""
        K = twofish.subkeys(self.key, 8, 2).tolist()
        found = keys(self.S, K[0], K[1], [self.key[12]])
        self.assertIn(self.key, found)
        for key in found:
            self.assertEqual(tuple(twofish.sbox_key(key).tolist()), self.S)
            self.assertEqual(twofish.subkeys(key, 8, 2).tolist(), K)
        self.assertEqual(keys(self.S, K[0], K[1], [self.key[12] ^ 1]), [])

    def test_hints_have_the_right_keys(self) -> None:
        right = lanes.lane_keys(self.S)
        for given in (0, 1, 8, 31):
            one, three = five_round_search.hints(self.S, given)
            self.assertTrue(right[1] in one and right[3] in three)
            self.assertEqual(len(one) * len(three), 1 << (32 - given))

    def test_linear_maps(self) -> None:
        of = linear.images(twofish.mds)
        words = self.random.integers(0, 2**32, 50).astype(np.uint32)
        products = np.array([twofish.mds(word) for word in words.tolist()], np.uint32)
        np.testing.assert_array_equal(linear.apply(of, words), products)
        np.testing.assert_array_equal(linear.apply(linear.inverse(of), products), words)
        with self.assertRaises(ValueError):
            linear.inverse([*of[:31], of[1]])


class StoredTest(unittest.TestCase):
    """The sets that the repository keeps, and the key that was found."""

    def setUp(self) -> None:
        found = pieces.found(experiment.EXPERIMENT, "full", RESULTS)
        self.evidence = experiment.evidence([piece.value for piece in found.values()])
        self.data = results.read(RESULTS / "five-rounds.full.json").findings.data

    def explained(self, S: list[int], carry: int) -> int:
        """How many sums this S explains, by g of all bytes that come an odd number of times."""
        box = twofish.boxes(S)
        odd = np.unpackbits(self.evidence.odd.view(np.uint8), axis=-1, bitorder="little")
        columns = np.array([[twofish.mds(y << 8 * j) for y in range(256)] for j in range(LANES)])
        g = np.array([columns[j][box[j]] for j in range(LANES)])
        T0, T1 = (g >> 1 ^ (g & carry)) & 1, g & 1
        total = (odd[:, :, 0] * T0[:, None]).sum(axis=(0, 2))
        total += (odd[:, :, 1] * T1[:, None]).sum(axis=(0, 2))
        return int((total % 2 == self.evidence.sums).sum())

    def test_S_explains_every_set_and_no_other_does(self) -> None:
        S, carry, n = self.data["S"], self.data["carry"], len(self.evidence.sums)
        self.assertGreaterEqual(n, experiment.LEAST)
        self.assertEqual(self.explained(S, carry), n)
        for other in ([S[0] ^ 1, S[1]], [S[0], S[1] ^ 0x80000000], [S[1], S[0]]):
            self.assertLess(self.explained(other, carry), n)
        self.assertLess(self.explained(S, 1 - carry), n)

    def test_the_key_is_that_of_the_oracle(self) -> None:
        key = bytes.fromhex(self.data["key"])
        self.assertEqual(twofish.sbox_key(key).tolist(), self.data["S"])
        self.assertEqual(key, oracles.hidden_key(experiment.SEED))

    def test_sets_that_are_missing_are_made_up_for_by_bits(self) -> None:
        self.assertEqual([experiment.given_bits(n) for n in (10, 16, 39, 40)], [32, 28, 5, 0])


if __name__ == "__main__":
    unittest.main()
