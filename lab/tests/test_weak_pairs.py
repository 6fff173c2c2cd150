# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Weak pairs of keys: the join against a plain one, planted solutions, and keys by the library."""

from __future__ import annotations

import unittest
from itertools import product

import numpy as np

from manyfish_lab import columns, rs_words, weak
from manyfish_lab.experiment import UnexplainedError
from manyfish_lab.experiments import weak_pairs
from manyfish_lab.experiments.weak_pairs import EXPERIMENT


def words_of_keys(count: int, seed: int) -> weak.Bytes:
    """Random differences of keys that keep S: eight positions by four levels each."""
    heads = np.random.default_rng(seed).integers(0, 256, (count, 4, 4), np.uint8)
    heads[0, :2] = 0  # a word with zeros among the first positions
    products, matrix = rs_words.products(), rs_words.completion()
    return np.stack([weak.completed(head, products, matrix) for head in heads])


class Join(unittest.TestCase):
    """`weak.key_differences`."""

    def test_planted(self) -> None:
        """Among random words, exactly those that were put there are found."""
        planted = words_of_keys(3, 1)
        random = np.random.default_rng(2)
        lists = [
            np.vstack([random.integers(0, 256, (25, 4), np.uint8), planted[:, position]])
            for position in columns.POSITIONS
        ]
        found = {word.tobytes() for word in weak.key_differences(lists)}
        self.assertEqual(found, {word.tobytes() for word in planted})

    def test_like_a_plain_join(self) -> None:
        """For words that are sums of few, all combinations of the first four positions."""
        a, b = words_of_keys(2, 7)
        lists = [np.unique([a[p], b[p], a[p] ^ b[p]], axis=0) for p in columns.POSITIONS]
        rows = [{bytes(4), *(word.tobytes() for word in words)} for words in lists]
        products, matrix = rs_words.products(), rs_words.completion()
        plain = set()
        for head in product(*rows[:4]):
            four = np.frombuffer(b"".join(head), np.uint8).reshape(4, 4)
            word = weak.completed(four, products, matrix)
            if word.any() and all(w.tobytes() in row for w, row in zip(word, rows)):
                plain.add(word.tobytes())
        self.assertEqual({word.tobytes() for word in weak.key_differences(lists)}, plain)
        self.assertGreaterEqual(len(plain), 3)

    def test_nothing_to_join(self) -> None:
        """Empty lists and the zero word alone give nothing."""
        self.assertEqual(list(weak.key_differences([np.zeros((0, 4), np.uint8)] * 8)), [])


class Keys(unittest.TestCase):
    """Pairs of keys for real."""

    def test_found(self) -> None:
        """The library's key schedule has the same S and the same subkeys for both."""
        for first, count in ((4, 1), (9, 2)):
            keys = weak.find_pair(first, count, [8, count], 4000)
            assert keys
            self.assertNotEqual(*keys)
            same_S, subkeys = weak.shared_subkeys(*keys)
            self.assertTrue(same_S)
            self.assertLessEqual(set(range(first, first + count)), set(subkeys))

    def test_not_found(self) -> None:
        """Eight equal subkeys are not found in some tries; other keys are no pair."""
        self.assertIsNone(weak.find_pair(4, 8, [1], 3))
        self.assertEqual(weak.shared_subkeys(bytes(32), bytes(31) + b"\1"), (False, []))


class WeakPairs(unittest.TestCase):
    """The experiment."""

    def test_rows_of_listed_pairs(self) -> None:
        """Each agrees in as many outputs as it says, by the outputs themselves."""
        found = weak_pairs.search(4, 1, 6)
        self.assertEqual(len(found["listed"]), found["pairs"][weak_pairs.LISTED])
        self.assertGreater(len(found["listed"]), 50)
        self.assertTrue(all(row[0] >= weak_pairs.LISTED for row in found["listed"]))
        rounds, *word = found["listed"][0]
        x = columns.inputs(1, 6, rounds)
        inner = weak.inner_bytes(1, np.array(word, np.uint8), x)
        assert inner is not None
        pair = np.array([[0, *inner], np.array([0, *inner]) ^ word], np.uint8)
        y = columns.outputs(1, 4, pair, x)
        np.testing.assert_array_equal(y[0], y[1])

    def test_small(self) -> None:
        """Short keys, one search of the others, a pair of keys: the verdict and its coverage."""
        tasks = [task for task in EXPERIMENT.tasks("small") if task.get("position") != 7]
        findings = EXPERIMENT.combine("small", [EXPERIMENT.compute(task) for task in tasks])
        verdict = findings.tables[0].cells[0]
        self.assertTrue(verdict.agrees)
        self.assertIn("0 of 1 columns", verdict.ours)
        self.assertIn("all 72", verdict.why)
        self.assertTrue(findings.data["example"]["same_S"])
        self.assertEqual(findings.data["example"]["subkeys"], [4, 5, 6])

    def test_a_planted_weak_pair_is_told(self) -> None:
        """Words that fit together contradict the source, and are found among others."""
        word = words_of_keys(1, 11)[0]
        searches = [
            {
                "position": p,
                "start": 4,
                "pairs": [0] + [9] * 16,
                "listed": [[8, *map(int, word[p])], [8, 1, 2, 3, 4], [7, 4, 3, 2, 1]],
            }
            for p in columns.POSITIONS
        ]
        self.assertEqual(weak_pairs.weak_words(searches, 8), [(4, word.tolist())])
        with self.assertRaises(UnexplainedError):
            weak_pairs.weak_cell(searches * 9)

    def test_searches(self) -> None:
        """All columns and all first rounds that leave six rounds."""
        tasks = EXPERIMENT.tasks("paper")
        places = [(task["position"], task["start"]) for task in tasks if task.get("k") == 4]
        self.assertEqual(sorted(places), sorted((p, s) for p in range(8) for s in range(4, 15)))


if __name__ == "__main__":
    unittest.main()
