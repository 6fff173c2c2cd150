# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Masks against small words and real correlations, the formula against both, the experiment."""

from __future__ import annotations

import itertools
import json
import unittest
from math import log2, pi
from pathlib import Path
from unittest import mock

import numpy as np
from numpy.typing import NDArray

import fixed_words
from manyfish_lab import mask_bounds, pht_masks, sat, twofish, worst_boxes
from manyfish_lab.cnf import Formula
from manyfish_lab.experiments import linear_trail_bounds as experiment
from manyfish_lab.mask_trails import MaskModel, MaskStep
from manyfish_lab.pht_masks import UNIT, units
from manyfish_lab.whole_key import word_of

RESULTS = Path(__file__).parents[1] / "results"
X = np.arange(8)
SIGNS = np.array([(-1) ** word.bit_count() for word in range(8)])


def counted(a: int, b: int, c: int, e: int) -> float:
    """LP of words of three bits, by all texts and subkeys."""
    T0, T1, K0, K1 = np.ix_(X, X, X, X)
    signs = SIGNS[a & T0] * SIGNS[b & T1] * SIGNS[c & T0 + T1 + K0 & 7]
    squares = (signs * SIGNS[e & T0 + 2 * T1 + K1 & 7]).mean(axis=(0, 1)) ** 2
    return float(squares.mean())


def shares(mask: int, bits: int) -> NDArray[np.float64]:
    """P of all frequencies, by the transform itself."""
    signs = [(-1) ** (mask & x).bit_count() for x in range(1 << bits)]
    found: NDArray[np.float64] = np.abs(np.fft.fft(signs) / (1 << bits)) ** 2
    return found


def cheapest(a: int, b: int, c: int, e: int) -> int | None:
    """The least units of all frequencies of words of three bits."""
    found = []
    for k, m in itertools.product(range(8), repeat=2):
        pairs = ((c, k), (e, m), (a, k + m & 7), (b, k + 2 * m & 7))
        each = [units(mask, of, 3) for mask, of in pairs]
        whole = [n for n in each if n is not None]
        if len(whole) == len(each):
            found.append(sum(whole) + (whole[0] if 0 in (a, b) else 0))
    return min(found, default=None)


def fixed(step: MaskStep, cost: float) -> Formula:
    """Whether one round with these masks costs less."""
    return fixed_words.fixed(MaskModel("1"), experiment.COSTS[128], [step], cost)


class Masks(unittest.TestCase):
    def test_small_words_by_all_texts(self) -> None:
        """Of every seventh quadruple; the bound holds, and no correlation means no frequency."""
        for a, b, c, e in list(itertools.product(range(8), repeat=4))[::7]:
            exact, least = counted(a, b, c, e), cheapest(a, b, c, e)
            self.assertAlmostEqual(pht_masks.mean(a, b, c, e, 3), exact, 12)
            if exact > 1e-12:
                assert least is not None
                self.assertLessEqual(least * UNIT / 2, -log2(exact) + 1e-9)

    def test_units_of_all_frequencies(self) -> None:
        for mask in range(256):
            for k, share in enumerate(shares(mask, 8)):
                if (found := units(mask, k, 8)) is None:
                    self.assertLess(share, 1e-20)
                else:
                    self.assertLessEqual(found * UNIT, -log2(share) + 1e-9)

    def test_a_planted_fault_is_seen(self) -> None:
        """If the first bit cost a unit more, a bound above would be wrong."""
        first = (1, 1, 0, 0, 0)
        dear = {**pht_masks.UNITS, first: pht_masks.UNITS[first] + 1}
        with mock.patch.object(pht_masks, "UNITS", dear):
            self.assertRaises(AssertionError, self.test_units_of_all_frequencies)

    def test_few_boxes_against_all_masks_of_F(self) -> None:
        """The bound of the best mask is above what c = e = b gives, and not by much."""
        mask = experiment.CHEAP[0]
        self.assertIn(mask, mask_bounds.masks((2,)))
        (bound,) = mask_bounds.cost(np.array([mask], np.uint32), 256)
        exact = -log2(pht_masks.mean(0, mask, mask, mask))
        self.assertLessEqual(bound, exact)
        self.assertLess(exact - bound, 0.3)

    def test_distances(self) -> None:
        """A half of a turn is lost at the highest bit of a mask alone."""
        self.assertAlmostEqual(-log2(shares(2, 8).max()), 1.0)
        self.assertAlmostEqual(-log2(shares(128, 8).max()), 2 * log2(pi / 2), 3)


class Rounds(unittest.TestCase):
    def test_real_masks_of_S_boxes(self) -> None:
        """The masks of g are those that bit 0 of F1 has under a key; MDS the wrong way is not."""
        sigma = mask_bounds.transposed([twofish.mds(1 << i) for i in range(32)])[0]
        R0 = sum(0x80 << 8 * i for i in range(4) if sigma >> 8 * i & 0xFF)
        step = MaskStep((R0, 0), (1, 0), (0, 1))
        cost = experiment.COSTS[128].box * step.boxes()
        self.assertIsNotNone(sat.solve(fixed(step, cost + 0.01)).solution)
        self.assertIsNotNone(sat.solve(fixed(step, cost)).proof)
        wrong = MaskStep((R0 & 0xFF, 0), (1, 0), (0, 1))
        self.assertIsNotNone(sat.solve(fixed(wrong, 200)).proof)

    def test_masks_of_a_half_cancel(self) -> None:
        """The same half is in F of a round, an input, and in F of the round after the next."""
        model = MaskModel("111")
        solution = sat.solve(model.formula).solution
        assert solution is not None
        before, here, after = model.steps(solution)
        self.assertNotIn((0, 0), (before.F, here.F, after.F))
        masks = (*here.R, *before.F, *after.F)
        for R in np.random.default_rng(4).integers(0, 1 << 32, (32, 2)).tolist():
            words = (*R, word_of(R[0], 1), R[1], R[0], word_of(R[1], 1))
            parity = sum((mask & word).bit_count() for mask, word in zip(masks, words)) % 2
            self.assertEqual(parity, 0)

    def test_worst_boxes_are_those_counted(self) -> None:
        names = {128: "sboxes-128.small", 192: "sboxes-192.paper", 256: "sboxes-256-dp.full"}
        for figure, worst in (("dp", worst_boxes.DP), ("lp", worst_boxes.LP)):
            for bits, largest in worst.items():
                result = json.loads((RESULTS / f"{names[bits]}.json").read_text())
                each = result["findings"]["data"]["positions"].values()
                self.assertEqual(largest, max(int(n) for one in each for n in one[figure]))


class ExperimentTest(unittest.TestCase):
    def test_small_scale(self) -> None:
        done = [
            json.loads(json.dumps(experiment.compute(task), allow_nan=False))
            for task in experiment.tasks("small")
        ]
        findings = experiment.combine("small", done)
        self.assertNotIn("outside", str(findings.tables))


if __name__ == "__main__":
    unittest.main()
