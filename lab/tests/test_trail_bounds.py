# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The formula of trails against real pairs of texts, its bounds, damaged proofs, the experiment."""

from __future__ import annotations

import itertools
import json
import tempfile
import unittest
from pathlib import Path

import numpy as np

import fixed_words
from manyfish_lab import f_bounds, sat, trail_rounds, twofish
from manyfish_lab.cnf import Formula
from manyfish_lab.errors import LabError
from manyfish_lab.experiments import trail_bounds as experiment
from manyfish_lab.experiments.trail_bounds import BOX, COSTS
from manyfish_lab.pht_differences import size
from manyfish_lab.trails import Model, Step
from manyfish_lab.whole_key import MASK, word_of


def real_pair(random: np.random.Generator, rounds: int) -> list[Step]:
    """The differences of two texts with one changed bit, through rounds with random subkeys."""
    S = twofish.sbox_key(random.bytes(16))
    texts = [random.integers(0, 1 << 32, 4).tolist()] * 2
    texts[1] = [*texts[0][:3], texts[0][3] ^ 1 << int(random.integers(32))]
    steps = []
    for _ in range(rounds):
        keys = random.integers(0, 1 << 32, 2).tolist()
        T = [twofish.h([text[0], word_of(text[1], 8)], S).tolist() for text in texts]
        F = [[(t + u + keys[0]) & MASK, (t + 2 * u + keys[1]) & MASK] for t, u in T]
        steps.append(Step(*(_changed(*pair) for pair in ([t[:2] for t in texts], T, F))))
        texts = [
            [word_of(R[2] ^ f[0], 31), word_of(R[3], 1) ^ f[1], R[0], R[1]]
            for R, f in zip(texts, F)
        ]
    return steps


def _changed(x: list[int], y: list[int]) -> tuple[int, int]:
    return x[0] ^ y[0], x[1] ^ y[1]


def signed(word: int) -> set[int]:
    """S(word), by all choices of signs."""
    bits = [1 << i for i in range(32) if word >> i & 1]
    signs = itertools.product((1, -1), repeat=len(bits))
    return {sum(sign * bit for sign, bit in zip(each, bits)) & MASK for each in signs}


def fixed(steps: list[Step], cost: float) -> Formula:
    """Whether these differences cost less."""
    model = Model("".join("1" if any(step.R) else "0" for step in steps))
    return fixed_words.fixed(model, COSTS[128], steps, cost)


class RealPairs(unittest.TestCase):
    def test_have_their_cost_and_no_less(self) -> None:
        steps = real_pair(np.random.default_rng(98), 2)
        cost = sum(BOX * step.boxes() + step.carries() for step in steps)
        self.assertIsNotNone(sat.solve(fixed(steps, cost + 0.01)).solution)
        self.assertIsNotNone(sat.solve(fixed(steps, cost)).proof)
        self.assertNotIn(None, [step.weight() for step in steps])

    def test_an_impossible_round_is_none(self) -> None:
        (step,) = real_pair(np.random.default_rng(99), 2)[1:]
        for wrong in (
            Step(step.R, step.T, (step.F[0] ^ 1, step.F[1])),
            Step(step.R, (1, 0), (1, 1)),
        ):
            self.assertIsNotNone(sat.solve(fixed([wrong], 200)).proof)


class Bounds(unittest.TestCase):
    def test_outputs_against_all_signs(self) -> None:
        """Of differences in the highest byte, whose outputs are there, too."""
        words = [0x86000000, 0x0E000000, 0x71000000]
        sums = {
            F: sum(len(signed(D) & signed(F)) / 2 ** (size(D) + 2 * size(F)) for D in words)
            for F in range(0, 1 << 32, 1 << 24)
        }
        sources = f_bounds.Sources(np.array(words, np.uint32), np.ones(3))
        share, F = f_bounds.largest(sources)
        self.assertEqual(share, max(sums.values()))
        self.assertEqual(share, sums[F])

    def test_patterns(self) -> None:
        self.assertEqual(trail_rounds.patterns(3), ["011", "101", "110", "111"])
        known = {"1": 2.0, "0110": 7.0, "111": 6.5}
        self.assertEqual(trail_rounds.bound(4, known), (6.0, "1011"))
        shared = trail_rounds.bound(10, {"0110": 7.0, "111": 50.0})
        self.assertEqual(shared, (14.0, "1011011011"))
        self.assertEqual(trail_rounds.bound(6, {"1": 2.0, "0110": 7.0})[0], 8.0)


class Proofs(unittest.TestCase):
    def test_a_damaged_proof_is_not_accepted(self) -> None:
        formula = Formula()
        x, y, z = formula.word(3)
        for signs in itertools.product((1, -1), repeat=3):
            formula.add(*(sign * bit for sign, bit in zip(signs, (x, y, z))))
        with tempfile.TemporaryDirectory() as folder:
            cnf, proof = Path(folder, "cnf"), Path(folder, "proof")
            cnf.write_text(formula.dimacs())
            proof.write_text("1 2 0\n1 0\n2 0\n0\n")
            sat.check(cnf, proof)
            formula.clauses.pop()
            cnf.write_text(formula.dimacs())
            self.assertRaises(LabError, sat.check, cnf, proof)


class ExperimentTest(unittest.TestCase):
    def test_small_scale(self) -> None:
        """The claim holds, and the trail costs what its claim says."""
        done = [
            json.loads(json.dumps(experiment.compute(task), allow_nan=False))
            for task in experiment.tasks("small")
        ]
        findings = experiment.combine("small", done)
        cells = {cell.what: cell for table in findings.tables for cell in table.cells}
        self.assertIn("cost 23.32, exactly 2^-23.32", str(cells))
        self.assertNotIn("outside", str(cells))


if __name__ == "__main__":
    unittest.main()
