# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The native kernels about keys against plain counts, and with what they must find put there."""

from __future__ import annotations

import unittest
from itertools import combinations
from typing import Any

import numpy as np

from manyfish_lab import collisions, columns
from manyfish_lab.errors import LabError
from manyfish_lab.experiments import key_uniqueness, subkey_pairs
from manyfish_lab.experiments.subkey_pairs import LENGTH

IDENTITY = np.arange(256, dtype=np.uint8)


def sequences(k: int, tables: Any, x: Any) -> Any:
    """Differences of the outputs with the first one, before the outer key byte, as rows."""
    key = np.arange(256 ** (k - 1), dtype="<u4").view(np.uint8).reshape(-1, 4)
    y = np.broadcast_to(tables[-1][x], (len(key), len(x)))
    for level in range(k - 2, -1, -1):
        y = tables[level][y ^ key[:, level, None]]
    return y ^ y[:, :1]


def plain(k: int, tables: Any, x: Any) -> list[int]:
    """Pairs that agree in the first n outputs, by sorting whole rows."""
    rows = sequences(k, tables, x)
    pairs = [0]
    for n in range(1, len(x) + 1):
        _, count = np.unique(rows[:, :n], axis=0, return_counts=True)
        pairs.append(int((count * (count - 1) // 2).sum()))
    return pairs


def plain_differences(rows: subkey_pairs.Sequences, begin: int, end: int) -> list[list[int]]:
    """Pairs by equal and by zero differences, one by one."""
    pairs = [[0] * (LENGTH + 1) for _ in range(LENGTH + 1)]
    for a, b in combinations(range(len(rows)), 2):
        if begin <= a < end:
            count = np.bincount(rows[a] ^ rows[b], minlength=256)
            pairs[int(count.max())][int(count[0])] += 1
    return pairs


class Collisions(unittest.TestCase):
    """`lab_key_collisions`."""

    def test_like_a_plain_search(self) -> None:
        """For one and two inner key bytes, all counts."""
        for k, position, first, count in ((2, 0, 0, 20), (2, 5, 4, 8), (3, 2, 4, 7), (3, 7, 9, 6)):
            tables, x = columns.tables(position, k)[1:], columns.inputs(position, first, count)
            found = collisions.find(tables, x, 4)
            self.assertEqual(found.pairs, plain(k, tables, x))
            self.assertEqual(len(found.listed), found.pairs[4])

    def test_planted(self) -> None:
        """A linear table makes two key bytes one: 256 values for each sequence, all found."""
        tables = [columns.tables(0, 3)[1], IDENTITY, columns.tables(0, 3)[3]]
        found = collisions.find(tables, columns.inputs(0, 0, 16), 16)
        self.assertEqual(found.pairs[16], 256 * 256 * 255 // 2)
        self.assertEqual(found.pairs[1:], sorted(found.pairs[1:], reverse=True))

    def test_one_planted_pair(self) -> None:
        """Two key bytes that act alike on 16 inputs are the one pair found."""
        table, x = np.random.default_rng(2).permutation(256).astype(np.uint8), IDENTITY[:16] * 2
        table[x ^ 200] = table[x ^ 7] ^ 99
        found = collisions.find([table, IDENTITY], x, 16)
        self.assertIn([7, 200], [sorted(pair[:, 0]) for pair in found.listed])

    def test_arguments(self) -> None:
        """The inputs that the kernel refuses."""
        tables = columns.tables(0, 2)[1:]
        for count in (3, 33):
            with self.assertRaises(LabError):
                collisions.find(tables, np.arange(count, dtype=np.uint8), 4)
        with self.assertRaises(LabError):
            collisions.find(tables[:1], IDENTITY[:8], 4)


class Functions(unittest.TestCase):
    """`lab_bit_sequences`."""

    def test_like_a_plain_search(self) -> None:
        """The parts of a column have the right size, and no repeats, as all 256 bits show."""
        b, tables = key_uniqueness.low_bits(1), columns.tables(1, 2)[1:]
        bits = b[(columns.tables(1, 2)[1][tables[1][:, None] ^ IDENTITY])[:, :, None] ^ IDENTITY]
        bits = bits.reshape(256, -1).T ^ bits.reshape(256, -1).T[:, :1]
        self.assertEqual(len(np.unique(bits, axis=0)), 2**16)
        for part in (0, 5):
            size = int((bits[:, 1:4] == [part >> i & 1 for i in range(3)]).all(1).sum())
            self.assertEqual(key_uniqueness.bit_sequences(b, tables, part, 3), (size, 0))

    def test_planted(self) -> None:
        """With a linear t1 both key bytes are one, and so are complements."""
        b, t2 = key_uniqueness.low_bits(0), columns.tables(0, 2)[2]
        found = key_uniqueness.bit_sequences(b, [IDENTITY, t2], 0, 0)
        self.assertEqual(found, (2**16, 2**16 - 256))
        parity = np.array([bin(y).count("1") % 2 for y in range(256)], np.uint8)
        found = key_uniqueness.bit_sequences(parity, columns.tables(0, 2)[1:], 0, 0)
        self.assertEqual(found, (2**16, 2**16 - 256))  # l0 only complements the parity

    def test_arguments(self) -> None:
        """The inputs that the kernel refuses: 256-bit keys at once, and parts that are none."""
        b, tables = key_uniqueness.low_bits(0), columns.tables(0, 4)[1:]
        with self.assertRaises(LabError):
            key_uniqueness.bit_sequences(b, tables, 0, 0)
        with self.assertRaises(LabError):
            key_uniqueness.bit_sequences(b, tables[:2], 2, 1)


class Counting(unittest.TestCase):
    """`lab_pair_differences`."""

    def test_like_a_plain_count(self) -> None:
        """For bytes of few values, so that many differences are equal or zero, in any slice."""
        random = np.random.default_rng(4)
        for values, begin, end in ((256, 0, 96), (3, 0, 96), (1, 5, 70), (40, 31, 33), (9, 7, 7)):
            rows = random.integers(0, values, (96, LENGTH), np.uint8)
            found = subkey_pairs.counted(rows, begin, end)
            self.assertEqual(found.tolist(), plain_differences(rows, begin, end))

    def test_differences_themselves(self) -> None:
        """They are counted like the differences of their rows and of zeros."""
        differences = np.random.default_rng(5).integers(0, 9, (50, LENGTH), np.uint8)
        rows = np.vstack([np.zeros((1, LENGTH), np.uint8), differences])
        found = subkey_pairs.of_differences(differences)
        self.assertEqual(found.tolist(), plain_differences(rows, 0, 1))

    def test_arguments(self) -> None:
        """The inputs that the kernel refuses."""
        lanes, pairs = np.zeros(20 * 32, np.uint8), np.zeros(21 * 21, np.uint64)
        for n, begin, end in ((31, 0, 1), (32, 2, 1), (32, 0, 33)):
            with self.assertRaises(LabError):
                subkey_pairs._pair_differences(pairs, lanes, n, begin, end)


if __name__ == "__main__":
    unittest.main()
