# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The experiment `randomness`: the program of tests, and what is made of its p-values."""

from __future__ import annotations

import hashlib
import json
import math
import os
import shutil
import statistics
import unittest
from unittest import mock

import numpy as np

from manyfish_lab import dieharder, second_level, streams
from manyfish_lab.errors import LabError
from manyfish_lab.experiment import Findings, Json
from manyfish_lab.experiments import randomness

SEQUENCE_BYTES = 1 << 17
MONOBIT, RUNS, SERIAL = dieharder.TESTS[:3]


def needs_dieharder(test: type[unittest.TestCase]) -> type[unittest.TestCase]:
    return unittest.skipUnless(shutil.which(dieharder.PROGRAM), "dieharder is not installed")(test)


def random_bytes(n_bytes: int, seed: bytes = b"test") -> streams.Bytes:
    return np.frombuffer(hashlib.shake_128(seed).digest(n_bytes), np.uint8)


def bits(data: streams.Bytes) -> streams.Bytes:
    """In the order in which Dieharder takes them: words as numbers, from their highest bit."""
    return np.unpackbits(data.view("<u4").astype(">u4").view(np.uint8))


def normal(z: float) -> float:
    return statistics.NormalDist().cdf(z)


@needs_dieharder
class Program(unittest.TestCase):
    """Dieharder against the formulas of [SP800-22, 2.1, 2.3, 2.11], on the same bits."""

    def setUp(self) -> None:
        self.data = random_bytes(SEQUENCE_BYTES)
        self.bits = bits(self.data).astype(np.int64)
        self.n = self.bits.size

    def test_monobit(self) -> None:
        z = (2 * int(self.bits.sum()) - self.n) / math.sqrt(self.n)
        (found,) = dieharder.p_values(MONOBIT, self.data)["sts_monobit 1"]
        self.assertAlmostEqual(found, normal(-z), places=6)

    def test_runs(self) -> None:
        share = self.bits.mean()
        # Dieharder closes the string to a ring.
        runs = int((self.bits != np.roll(self.bits, -1)).sum())
        expected = 2 * self.n * share * (1 - share)
        z = (runs - expected) / (2 * math.sqrt(self.n) * share * (1 - share))
        (found,) = dieharder.p_values(RUNS, self.data)["sts_runs 2"]
        self.assertAlmostEqual(found, normal(-z), places=6)

    def psi2(self, m: int) -> float:
        values = sum(np.roll(self.bits, -i) << (m - 1 - i) for i in range(m))
        counts = np.bincount(np.asarray(values), minlength=1 << m)
        return float((1 << m) / self.n * (counts.astype(float) ** 2).sum() - self.n)

    def test_serial(self) -> None:
        found = dieharder.p_values(SERIAL, self.data)
        self.assertEqual(len(found), 30)
        # Two degrees of freedom: the tail is an exponential function.
        self.assertAlmostEqual(
            found["sts_serial 2"][0], math.exp(-(self.psi2(2) - self.psi2(1)) / 2), places=6
        )
        second = self.psi2(3) - 2 * self.psi2(2) + self.psi2(1)
        self.assertAlmostEqual(found["sts_serial 3, second"][0], math.exp(-second / 2), places=6)

    def test_as_many_p_values_as_data_are_for(self) -> None:
        data = random_bytes(5 * SEQUENCE_BYTES // 2)
        self.assertEqual(len(dieharder.p_values(MONOBIT, data)["sts_monobit 1"]), 2)
        self.assertEqual(dieharder.p_values(MONOBIT, data[: SEQUENCE_BYTES - 1]), {})

    def test_sizes_of_all_tests(self) -> None:
        for test in dieharder.TESTS:
            with self.subTest(test):
                (values, *_) = dieharder.p_values(test, random_bytes(8 * test.words)).values()
                self.assertEqual(len(values), 2)
                with self.assertRaisesRegex(LabError, "EOF"):
                    wrong = dieharder.Test(test.number, test.samples, test.words - 1, test.ntuple)
                    dieharder.p_values(wrong, random_bytes(8 * (test.words - 1)))

    def test_constant_data_are_noticed_by_all(self) -> None:
        zeros = np.zeros(4 * 64001 * 4, np.uint8)
        for name, values in dieharder.all_p_values(zeros).items():
            with self.subTest(name):
                self.assertTrue(all(map(second_level.is_extreme, values)), values)

    def test_version(self) -> None:
        self.assertRegex(dieharder.version(), r"^\d+\.\d+")


class Missing(unittest.TestCase):
    def setUp(self) -> None:
        dieharder.program.cache_clear()
        self.addCleanup(dieharder.program.cache_clear)

    def test_a_machine_without_the_program_says_how_to_get_it(self) -> None:
        with (
            mock.patch.dict(os.environ, {"PATH": "/nonexistent"}),
            self.assertRaisesRegex(LabError, "not installed") as caught,
        ):
            randomness.compute(randomness.tasks("small")[0])
        self.assertIn("apt-get install dieharder", caught.exception.hint)


class SecondLevel(unittest.TestCase):
    def test_binomial_tail(self) -> None:
        for n, k in ((12, 3), (56, 0), (56, 1), (56, 56)):
            exact = sum(math.comb(n, i) * 0.01**i * 0.99 ** (n - i) for i in range(k, n + 1))
            self.assertAlmostEqual(second_level.binomial_tail(k, n, 0.01) / exact, 1, places=9)

    def test_uniformity(self) -> None:
        even = [(i + 0.5) / 60 for i in range(60)]
        self.assertAlmostEqual(second_level.uniformity(even) or 0, 1)
        self.assertIsNone(second_level.uniformity(even[:54]))
        skew = second_level.uniformity([p / 2 for p in even])
        assert skew is not None
        self.assertLess(skew, 1e-6)

    def test_both_ends_are_extreme(self) -> None:
        found = second_level.verdict([0.0, 0.0049, 0.0051, 0.5, 0.9949, 0.9951, 1.0])
        self.assertEqual((found.extreme, found.count, found.checks), (4, 7, 1))


@needs_dieharder
class Small(unittest.TestCase):
    results: list[Json]
    findings: Findings

    @classmethod
    def setUpClass(cls) -> None:
        tasks = [json.loads(json.dumps(task)) for task in randomness.tasks("small")]
        kinds = (streams.NO_CIPHER, "counter mode", "CBC of zero blocks")
        cls.results = [randomness.compute(task) for task in tasks if task["kind"] in kinds]
        cls.findings = randomness.combine("small", json.loads(json.dumps(cls.results)))

    def noticed(self, kind: str) -> str:
        (cell,) = [cell for cell in self.findings.tables[1].cells if cell.what == kind]
        return cell.ours

    def test_one_round_is_noticed_and_sixteen_are_not(self) -> None:
        self.assertRegex(self.noticed("CBC of zero blocks"), r"^1: \d\d of 40$")
        self.assertRegex(self.noticed("counter mode"), r"^1: \d\d of 40; 3: \d+ of 40$")
        for cell in self.findings.tables[0].cells:
            if "extreme" not in cell.what:
                self.assertEqual(cell.ours, randomness.PUBLISHED)

    def test_a_task_gives_the_same_again(self) -> None:
        task = self.results[0]["task"]
        self.assertEqual(randomness.compute(task), self.results[0])

    def test_a_cipher_with_few_rounds_in_place_of_all_is_reported(self) -> None:
        planted = json.loads(json.dumps(self.results))
        for result in planted:
            if result["task"]["kind"] != streams.NO_CIPHER and result["task"]["rounds"] == 1:
                result["task"] |= {"rounds": 16, "key_bits": 192}
        cells = randomness.combine("small", planted).tables[0].cells
        (cell,) = [cell for cell in cells if cell.what == "keys of 192 bits, 16 rounds"]
        self.assertEqual(cell.agrees, False)
        self.assertIn("counter mode: sts_monobit", cell.ours)


class Tasks(unittest.TestCase):
    def test_all_sequences_are_covered_once(self) -> None:
        for scale, size in randomness.SIZES.items():
            seen: dict[tuple[str, int, int], list[int]] = {}
            for task in randomness.tasks(scale):
                numbers = range(task["first"], task["first"] + task["count"])
                name = (task["kind"], task["key_bits"], task["rounds"])
                seen.setdefault(name, []).extend(numbers)
            for (_, _, rounds), numbers_seen in seen.items():
                expected = size.per_full if rounds == 16 else size.per_sweep
                self.assertEqual(numbers_seen, list(range(expected)))
            streams_of_kinds = 10 * (len(size.sweep) + len(size.key_bits)) + 1
            self.assertEqual(len(seen), streams_of_kinds)


if __name__ == "__main__":
    unittest.main()
