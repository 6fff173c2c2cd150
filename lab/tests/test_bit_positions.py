# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The experiment `bit-positions`: its single rounds against the model, and what it must notice."""

from __future__ import annotations

import json
import sys
import unittest
from pathlib import Path
from typing import Any

import numpy as np

from manyfish_lab.experiments import bit_positions
from manyfish_lab.experiments.bit_positions import State

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "model"))
import twofish as model

KEY = bytes(range(24))


def model_round(r: int, state: Any, rotations: bool = True) -> list[int]:
    """One round as the paper writes it [Twofish98, 4]; without rotations if asked."""
    r0, r1, r2, r3 = (int(x) for x in state)
    S, K = model.s_words(KEY), model.subkeys(KEY, 40)
    t0, t1 = model.h(r0, S), model.h(model.rol(r1, 8), S)
    f0 = model.add(t0, t1, K[2 * r + 8])
    f1 = model.add(t0, t1, t1, K[2 * r + 9])
    turn = 1 if rotations else 0
    return [model.ror(r2 ^ f0, turn), model.rol(r3, turn) ^ f1, r0, r1]


class SingleRounds(unittest.TestCase):
    def setUp(self) -> None:
        self.rounds = bit_positions.Rounds(KEY)
        self.states = bit_positions.random_states(np.random.default_rng(1), 4)

    def test_rounds_of_the_model(self) -> None:
        for r in (0, 1, 2, 7, 15):
            expected = [model_round(r, state) for state in self.states]
            self.assertEqual(self.rounds.apply(r, self.states).tolist(), expected)

    def test_g_of_the_model(self) -> None:
        S = model.s_words(KEY)
        for r in (0, 3):
            t0, t1 = self.rounds.g(r, self.states)
            self.assertEqual(t0.tolist(), [model.h(int(s[0]), S) for s in self.states])
            turned = [model.rol(int(s[1]), 8) for s in self.states]
            self.assertEqual(t1.tolist(), [model.h(x, S) for x in turned])


class Small(unittest.TestCase):
    results: list[Any]

    @classmethod
    def setUpClass(cls) -> None:
        tasks = bit_positions.tasks("small")[::2]
        cls.results = [json.loads(json.dumps(bit_positions.compute(task))) for task in tasks]

    def test_all_published_figures_agree(self) -> None:
        findings = bit_positions.combine("small", self.results)
        cells = [cell for table in findings.tables for cell in table.cells]
        self.assertEqual([cell for cell in cells if cell.agrees is False or cell.why], [])
        self.assertEqual(sum(cell.agrees is True for cell in cells), 6)

    def test_each_key_brings_all_bits_to_the_same_places(self) -> None:
        for one in self.results:
            self.assertEqual(one["routes"], self.results[0]["routes"])
            self.assertEqual(one["borders"], [[[0, 8, 16, 24]] * 2] * 16)

    def test_fewer_rounds_leave_positions_out(self) -> None:
        uses = [use for use in bit_positions.uses_of(self.results[0], 5) if use[0] < 14]
        self.assertFalse(bit_positions.is_once_in_each(uses))

    def test_a_wrong_route_is_noticed(self) -> None:
        wrong = json.loads(json.dumps(self.results))
        wrong[1]["routes"][3][7] ^= 1
        tables = bit_positions.combine("small", self.results).tables
        self.assertEqual([c.why for c in tables[2].cells if c.why], [])
        self.assertTrue(bit_positions.description_table(wrong).cells[2].why)


class Unrotated(bit_positions.Rounds):
    """A cipher without the rotations by one bit."""

    def apply(self, r: int, states: State) -> State:
        return np.array([model_round(r, state, rotations=False) for state in states], np.uint32)


class WithoutRotations(unittest.TestCase):
    def test_no_bit_moves(self) -> None:
        rng = np.random.default_rng(2)
        after = bit_positions.next_places(Unrotated(KEY), 0, rng)
        self.assertEqual(after, [(place + 64) % 128 for place in range(128)])

    def test_the_claim_fails(self) -> None:
        routes = [[(place + 64 * r) % 128 for place in range(128)] for r in range(17)]
        result = {"routes": routes, "borders": [[[0, 8, 16, 24]] * 2] * 16}
        self.assertFalse(bit_positions.is_once_in_each(bit_positions.uses_of(result, 5)))


class Places(unittest.TestCase):
    def test_a_bit_that_spreads_is_lost(self) -> None:
        bits = np.zeros((3, 8), np.uint8)
        self.assertEqual(bit_positions.only_place(bits), -1)
        bits[:, 2] = 1
        self.assertEqual(bit_positions.only_place(bits), 2)
        bits[1, 5] = 1
        self.assertEqual(bit_positions.only_place(bits), -1)

    def test_a_bit_that_changes_at_times_is_lost(self) -> None:
        bits = np.zeros((3, 8), np.uint8)
        bits[0, 2] = 1
        self.assertEqual(bit_positions.only_place(bits), -1)


if __name__ == "__main__":
    unittest.main()
