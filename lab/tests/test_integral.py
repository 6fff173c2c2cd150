# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Division trails against sums over all texts, and the experiment at its small scale."""

from __future__ import annotations

import itertools
import json
import unittest
from typing import ClassVar

import numpy as np

from manyfish_lab import division, integrals, scaled, twofish
from manyfish_lab.errors import LabError
from manyfish_lab.experiment import Json
from manyfish_lab.experiments import integral as experiment


class StepsTest(unittest.TestCase):
    """The tables of small functions against sums over sets of their inputs."""

    def test_transitions(self) -> None:
        """Of the products u that have an odd sum over some set with the bits k, the least ones."""
        key_steps = [division.key_step(0), division.key_step(1)]
        for functions, n, m in (([division.pht_step], 5, 5), (key_steps, 2, 2)):
            table, odd = division.transitions(functions, n, m), np.zeros((2**n, 2**m), np.bool_)
            for k, u in itertools.product(range(2**n), range(2**m)):
                sums = [
                    sum(f(x) & u == u for x in range(2**n) if x & ~k == others)
                    for f in functions
                    for others in range(2**n)
                    if others & k == 0
                ]
                odd[k, u] = any(each % 2 for each in sums)
            for k, u in itertools.product(range(2**n), range(2**m)):
                less = any(odd[k, v] for v in range(u) if v & u == v)
                self.assertEqual(table[k, u], odd[k, u] and not less, (k, u))

    def test_clauses(self) -> None:
        random = np.random.default_rng(6)
        for _ in range(20):
            allowed = random.random((4, 8)) < 0.5
            rule = division.clauses(allowed)
            for k, u in itertools.product(range(4), range(8)):
                bits = [(k | u << 2) >> i & 1 == 1 for i in range(5)]
                holds = all(any(bits[abs(at) - 1] == (at > 0) for at in each) for each in rule)
                self.assertEqual(holds, allowed[k, u])


def decrypt(
    cipher: scaled.Scaled, left: scaled.Half, right: scaled.Half, rounds: int
) -> tuple[scaled.Half, scaled.Half]:
    """The model's plaintexts."""
    for K in cipher.K[:rounds][::-1]:
        F0, F1 = cipher.F(right, K)
        before = cipher.rol(left[0], 1) ^ F0, cipher.rol(left[1] ^ F1, 7)
        left, right = right, before
    return left, right


def half_sum(half: scaled.Half) -> int:
    first, second = (int(np.bitwise_xor.reduce(word)) for word in half)
    return first | second << 8


class SumsTest(unittest.TestCase):
    """The same sums in another way."""

    def test_half_sums(self) -> None:
        """Both ways: after 5 and 6 rounds, and before 4 and 5 of them."""
        cipher = scaled.random_key(np.random.default_rng(7), 2)
        R2, R3 = (x.ravel().astype(np.uint32) for x in np.divmod(np.arange(2**16), 256))
        texts = (np.full_like(R2, 0x5A), np.full_like(R2, 0xC3)), (R2, R3)
        found = integrals.half_sums(integrals.rounds_of(cipher)[1:5], 0xC35A)
        for rounds, value in zip((5, 6), found, strict=True):
            self.assertEqual(value, half_sum(cipher.encrypt(*texts, rounds)[1]))
        for rounds in (4, 5):
            plain = decrypt(cipher, *texts, rounds)
            np.testing.assert_array_equal(cipher.encrypt(*plain, rounds), texts)
            tables = integrals.rounds_back(cipher, rounds)[: rounds - 1]
            self.assertEqual(integrals.half_sums(tables, 0xC35A)[-1], half_sum(plain[0]))

    def test_before_mds(self) -> None:
        for word in (1, 1 << 31, 0xDEADBEEF):
            self.assertEqual(twofish.mds(integrals.before_mds(word)), word)

    def test_partners(self) -> None:
        """They are other texts of the set; after two rounds three of four words are equal."""
        random = np.random.default_rng(8)
        key, texts = random.bytes(16), random.integers(0, 2**32, (50, 4), np.uint32)
        other = integrals.partners(key, texts)
        self.assertTrue((other[:, 0] == texts[:, 0] ^ integrals.TOP).all())
        self.assertTrue((other[:, 1] == texts[:, 1]).all())
        cipher = twofish.Variant(key, 2, whitening=False)
        one, two = (
            cipher.encrypt(np.ascontiguousarray(each, "<u4").view(np.uint8)).view("<u4")
            for each in (texts, other)
        )
        self.assertEqual((one == two).all(axis=0).tolist(), [True, False, True, True])


class ExperimentTest(unittest.TestCase):
    """The small scale, and claims that are wrong."""

    done: ClassVar[list[Json]]

    @classmethod
    def setUpClass(cls) -> None:
        tasks = experiment.tasks("small")
        cls.done = [json.loads(json.dumps(experiment.compute(task))) for task in tasks]

    def test_figures(self) -> None:
        tables = experiment.combine("small", self.done).tables
        found = {cell.what: cell.ours for table in tables for cell in table.cells}
        self.assertEqual(found["5 rounds: texts"], "2^65")
        self.assertEqual(found["6 rounds: texts"], "2^127")
        self.assertEqual(found["7 rounds"], "none found")

    def test_parts_of_all_texts(self) -> None:
        """Those of a key are added, and each key has its own say."""
        done = [
            {"kind": "codebook", "key": key, "sums": [sums] * 16}
            for key, sums in ((0, [1, 0]), (0, [1, 2]), (1, [4, 0]))
        ]
        six, seven = (experiment.of_half(done, rounds)[5] for rounds in (6, 7))
        self.assertEqual([six.keys, np.flatnonzero(six.odd).tolist()], [2, [2]])
        self.assertEqual(np.flatnonzero(seven.odd).tolist(), [1])
        self.assertEqual([six.ever_odd([1, 2]), six.constant([1, 2])], [1, 1])

    def test_always_odd(self) -> None:
        """A sum that is 1 for every key is as constant as one that is 0."""
        sums = experiment.Truth(3, np.array([0, 1, 2, 3]))
        self.assertEqual(sums.constant(range(4)), 2)

    def test_constant_sums(self) -> None:
        """Of the outputs with a trail; those with an odd sum for some keys are not constant."""
        ((search, _),) = experiment.truth(self.done, 5)
        balanced, others = search["balanced"], len(search["outputs"]) - len(search["balanced"])
        for odd, constant in ((4, others), (1, 0)):
            done: list[Json] = json.loads(json.dumps(self.done))
            (pairs,) = experiment.of_kind(done, "pairs")
            pairs.update(keys=4, odd=[0 if bit in balanced else odd for bit in range(16)])
            tables = experiment.combine("small", done).tables
            found = {cell.what: cell.ours for table in tables for cell in table.cells}
            what = "5 rounds: others, the same for all keys"
            self.assertEqual(found[what], f"{constant} of {others}")

    def test_planted_faults(self) -> None:
        """A sum that is odd where there is no trail is an error of the trails."""
        for kind, name in (("bytes", "odd"), ("partners", "differ"), ("pairs", "odd")):
            done: list[Json] = json.loads(json.dumps(self.done))
            for each in done:
                if each["kind"] == kind:
                    each[name] = [1] * len(each[name])
            self.assertRaises(LabError, experiment.combine, "small", done)


if __name__ == "__main__":
    unittest.main()
