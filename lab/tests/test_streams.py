# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The streams that are tested for randomness (native/streams.c), against variants of Twofish."""

from __future__ import annotations

import unittest

import numpy as np

from manyfish_lab import streams, twofish
from manyfish_lab.errors import LabError


def plan(number: int = 0, key_bytes: int = 16, rounds: int = 16) -> streams.Plan:
    return streams.Plan(np.random.default_rng([1, number]), number, key_bytes, rounds)


class Encrypt(unittest.TestCase):
    def setUp(self) -> None:
        self.rng = np.random.default_rng(2)

    def bytes(self, *shape: int) -> streams.Bytes:
        return self.rng.integers(0, 256, shape, np.uint8)

    def test_each_key_takes_its_share_of_blocks(self) -> None:
        for key_bytes, rounds, family in ((16, 16, False), (24, 3, False), (32, 1, True)):
            keys, blocks = self.bytes(3, key_bytes), self.bytes(6, 16)
            families = self.bytes(3, 32) if family else None
            found = streams.encrypt(keys, blocks, rounds, families)
            for i, key in enumerate(keys):
                family_key = families[i].tobytes() if families is not None else None
                variant = twofish.Variant(key.tobytes(), rounds, True, family_key)
                np.testing.assert_array_equal(
                    found[2 * i : 2 * i + 2], variant.encrypt(blocks[2 * i : 2 * i + 2])
                )

    def test_chain_feeds_each_block_back(self) -> None:
        key, first = self.bytes(1, 16), self.bytes(1, 16)
        found = streams.chain(key, first, 3, 5)
        expected = [streams.encrypt(key, first, 5)]
        for _ in range(2):
            expected.append(streams.encrypt(key, expected[-1], 5))
        np.testing.assert_array_equal(found, np.concatenate(expected))

    def test_what_does_not_fit_is_refused(self) -> None:
        with self.assertRaises(ValueError):
            streams.encrypt(self.bytes(2, 16), self.bytes(3, 16))
        with self.assertRaises(ValueError):
            streams.encrypt(self.bytes(2, 16), self.bytes(2, 16), 16, self.bytes(1, 32))
        with self.assertRaises(ValueError):
            streams.encrypt(self.bytes(1, 16), self.bytes(1, 15))
        with self.assertRaises(LabError):
            streams.encrypt(self.bytes(1, 17), self.bytes(1, 16))
        with self.assertRaises(LabError):
            streams.chain(self.bytes(1, 16), self.bytes(1, 16), 1, 0)


class Inputs(unittest.TestCase):
    def test_low_weight(self) -> None:
        found = streams.low_weight(128, 8192)
        weights = np.unpackbits(found, axis=1).sum(axis=1)
        self.assertEqual(list(np.bincount(weights)), [1, 128, 8192 - 129])
        self.assertEqual(len(np.unique(found, axis=0)), 8192)
        np.testing.assert_array_equal(
            streams.low_weight(192, 100), streams.low_weight(192, 101)[:-1]
        )
        self.assertEqual(streams.low_weight(128, 1).any(), False)

    def test_one_bit_flips(self) -> None:
        base = np.random.default_rng(3).integers(0, 256, (2, 24), np.uint8)
        one, other = streams.one_bit_flips(base, 300)
        weights = np.unpackbits(one ^ other, axis=1).sum(axis=1)
        self.assertEqual((len(one), set(weights)), (300, {1}))
        np.testing.assert_array_equal(one[191:193], base)
        self.assertEqual(len(np.unique((one ^ other)[:192], axis=0)), 192)

    def test_counters(self) -> None:
        found = streams.counters(300)
        self.assertEqual(
            [int.from_bytes(block.tobytes(), "big") for block in found], list(range(300))
        )


class Kinds(unittest.TestCase):
    def test_sizes_and_that_each_sequence_is_new(self) -> None:
        for kind, make in streams.KINDS.items():
            with self.subTest(kind):
                first, second = make(plan(0)), make(plan(1))
                self.assertEqual(first.shape, (8192, 16))
                self.assertFalse(np.array_equal(first, second))

    def test_first_blocks_are_what_the_kind_says(self) -> None:
        rng = np.random.default_rng([1, 0])
        key = rng.integers(0, 256, (1, 16), np.uint8)
        block = rng.integers(0, 256, (1, 16), np.uint8)
        zero = np.zeros((1, 16), np.uint8)
        under_key = {
            "counter mode": streams.encrypt(key, zero),
            "CBC of zero blocks": streams.encrypt(key, block),
            "plaintexts of low weight": streams.encrypt(key, zero),
            "plaintexts of high weight": streams.encrypt(key, ~zero),
        }
        # Where keys change it is the plaintext that is drawn first.
        over_plaintext = {
            "keys of low weight": streams.encrypt(zero, key),
            "keys of high weight": streams.encrypt(~zero, key),
        }
        for kind, expected in {**under_key, **over_plaintext}.items():
            with self.subTest(kind):
                np.testing.assert_array_equal(streams.KINDS[kind](plan())[:1], expected)

    def test_streams_are_made_of_sequences(self) -> None:
        whole = streams.stream("counter mode", 16, 3, 0, 3, 9)
        part = streams.stream("counter mode", 16, 3, 1, 2, 9)
        np.testing.assert_array_equal(whole[1 << 17 :], part)
        self.assertFalse(np.array_equal(part, streams.stream("counter mode", 16, 4, 1, 2, 9)))

    def test_bits_that_counters_leave_as_they_are(self) -> None:
        for rounds, expected in ((3, 1), (4, 0)):
            data = streams.stream("counter mode", 16, rounds, 0, 2, 9)
            self.assertEqual(streams.constant_bits(data), expected)
        self.assertEqual(streams.constant_bits(np.zeros(1 << 17, np.uint8)), 128)


if __name__ == "__main__":
    unittest.main()
