# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The experiment `avalanche`: its native kernels against plain Python, and what it must find."""

from __future__ import annotations

import json
import unittest
from typing import Any

import numpy as np

from manyfish_lab import changes, twofish
from manyfish_lab.errors import LabError
from manyfish_lab.experiment import Findings, Task
from manyfish_lab.experiments import avalanche

Block = Any


def task(changed: str, keys: int, rounds: int = 2, key_bytes: int = 16, whitening: int = 1) -> Task:
    return {
        "changed": changed,
        "key_bytes": key_bytes,
        "whitening": whitening,
        "rounds": rounds,
        "keys": keys,
        "seed": [1, 2, 3],
    }


def flipped(data: Block, bit: int) -> Block:
    other = data.copy()
    other[..., bit // 8] ^= 1 << bit % 8
    return other


def count(one: Task) -> tuple[Any, Any, Any]:
    keys, blocks = avalanche.random_inputs(one)
    return changes.count(one["changed"], one["rounds"], one["whitening"], keys, blocks)


def plain_count(one: Task) -> tuple[Any, Any, Any]:
    """As the kernel counts, one encryption after the other."""
    keys, blocks = avalanche.random_inputs(one)
    bits = changes.input_bits(one["changed"], one["key_bytes"])
    counts, weights = np.zeros((bits, 128), int), np.zeros(129, int)
    per_key = np.zeros(one["keys"], int)

    def encrypt(key: Block, texts: Block) -> Block:
        variant = twofish.Variant(key.tobytes(), one["rounds"], bool(one["whitening"]))
        return variant.encrypt(texts)

    for n, (key, texts) in enumerate(zip(keys, blocks)):
        before = encrypt(key, texts)
        for bit in range(bits):
            if one["changed"] == "plaintext":
                after = encrypt(key, flipped(texts, bit))
            else:
                after = encrypt(flipped(key, bit), texts)
            changed = np.unpackbits(before ^ after, axis=1, bitorder="little")
            counts[bit] += changed.sum(axis=0, dtype=np.int64)
            weights += np.bincount(changed.sum(axis=1, dtype=np.int64), minlength=129)
            per_key[n] += int(changed.sum())
    return counts, weights, per_key


class Kernels(unittest.TestCase):
    def compare(self, one: Task) -> None:
        for found, expected in zip(count(one), plain_count(one)):
            np.testing.assert_array_equal(found, expected)

    def test_plaintext(self) -> None:
        """More samples than the planes hold."""
        self.compare(task("plaintext", keys=70, rounds=3))

    def test_plaintext_in_other_settings(self) -> None:
        self.compare(task("plaintext", keys=2, rounds=1, key_bytes=24, whitening=0))
        self.compare(task("plaintext", keys=2, rounds=16, key_bytes=32))

    def test_key(self) -> None:
        self.compare(task("key", keys=18))

    def test_key_in_other_settings(self) -> None:
        self.compare(task("key", keys=1, rounds=1, key_bytes=24, whitening=0))
        self.compare(task("key", keys=1, rounds=5, key_bytes=32))

    def test_wrong_arguments(self) -> None:
        with self.assertRaises(LabError):
            count(task("plaintext", keys=1, rounds=0))
        with self.assertRaises(LabError):
            count(task("key", keys=1, key_bytes=17))
        with self.assertRaises(LabError):
            count(task("key", keys=1, key_bytes=40))


class Structure(unittest.TestCase):
    def test_one_round(self) -> None:
        """A bit of the right half changes one bit, rotated; the left half is passed on."""
        can = changes.dependence(1)
        self.assertEqual(np.flatnonzero(can[64]).tolist(), [64 + 31])
        self.assertEqual(np.flatnonzero(can[96 + 31]).tolist(), [96])
        self.assertEqual(np.flatnonzero(can[5]).tolist(), [5, *range(64, 128)])
        self.assertEqual(np.flatnonzero(can[32]).tolist(), [32, *range(64, 96), *range(97, 128)])

    def test_four_rounds_are_complete(self) -> None:
        self.assertFalse(changes.dependence(3).all())
        self.assertTrue(changes.dependence(4).all())

    def test_the_pairs_themselves(self) -> None:
        for rounds in (1, 2, 3, 4):
            counts = count(task("plaintext", keys=8, rounds=rounds))[0]
            np.testing.assert_array_equal(counts > 0, changes.dependence(rounds))


class Small(unittest.TestCase):
    findings: Findings
    results: list[Any]

    @classmethod
    def setUpClass(cls) -> None:
        tasks = avalanche.tasks("small")
        cls.results = [json.loads(json.dumps(avalanche.compute(one))) for one in tasks]
        cls.findings = avalanche.combine("small", cls.results)

    def values(self) -> dict[str, str]:
        return {c.what: c.ours for table in self.findings.tables for c in table.cells}

    def test_complete_after(self) -> None:
        values = self.values()
        for changed, rounds in (("plaintext", "4"), ("key", "2")):
            for whitening in ("with", "no"):
                setting = f"{changed}, 128-bit key, {whitening} whitening"
                self.assertEqual(values[f"{setting}: complete after round"], rounds)
                self.assertEqual(values[f"{setting}: no deviation from round"], rounds)

    def test_pairs_that_never_change(self) -> None:
        for one, result in zip(avalanche.tasks("small"), self.results):
            keys = ("changed", "key_bytes", "whitening", "rounds")
            self.assertEqual(result["never"], changes.unreachable(*(one[k] for k in keys)))

    def test_mean_is_half_in_the_end(self) -> None:
        for setting in (("plaintext", 16, 1), ("key", 16, 0)):
            result = self.findings.data[avalanche.name(setting)]["16"]
            average, half = avalanche.mean(setting, result)
            self.assertLess(abs(average - 64), 2.5 * half)
            self.assertLess(half, 0.06)

    def test_tasks_do_not_share_random_numbers(self) -> None:
        seeds = {tuple(one["seed"]) for one in avalanche.tasks("paper")}
        self.assertEqual(len(seeds), len(avalanche.tasks("paper")))


class Blindness(unittest.TestCase):
    """Results that an ideal cipher cannot give must deviate."""

    def setUp(self) -> None:
        self.setting = ("plaintext", 16, 1)
        self.good = avalanche.compute(task("plaintext", keys=64, rounds=16))

    def test_good_does_not_deviate(self) -> None:
        self.assertFalse(avalanche.deviates(self.setting, self.good))

    def test_one_output_bit_that_is_stuck(self) -> None:
        samples = self.good["samples"]
        stuck = {**self.good, "deviation": self.good["deviation"] + 128 * samples**2}
        self.assertTrue(avalanche.deviates(self.setting, stuck))

    def test_weights_that_are_too_even(self) -> None:
        weights = [0] * 129
        weights[64] = sum(self.good["weights"])
        self.assertTrue(avalanche.deviates(self.setting, {**self.good, "weights": weights}))


if __name__ == "__main__":
    unittest.main()
