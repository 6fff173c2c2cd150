# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The quick proofs, and that each of them finds the fault that is planted for it."""

from __future__ import annotations

import unittest
from dataclasses import replace

import proofs
from proofs import PROOFS, Fault, Side
from tools import HardwareError

QUICK = [name for name, proof in PROOFS.items() if proof.quick]


class Proofs(unittest.TestCase):
    def test_they_hold(self) -> None:
        for name, _, answer in proofs.answers(QUICK, proofs.holds):
            with self.subTest(proof=name):
                self.assertIs(answer, True)

    def test_they_find_a_planted_fault(self) -> None:
        for name, _, answer in proofs.answers(QUICK, proofs.finds_fault):
            with self.subTest(proof=name):
                self.assertIs(answer, True)

    def test_each_long_one_is_like_a_quick_one(self) -> None:
        quick = {proof.fault for proof in PROOFS.values() if proof.quick}
        for name, proof in PROOFS.items():
            if proof.clocks:
                continue
            with self.subTest(proof=name):
                self.assertIn(proof.fault, quick)


class WhatCannotBeProved(unittest.TestCase):
    def test_ports_that_differ(self) -> None:
        proof = replace(PROOFS["mds"], other=Side("reference_rs"))
        with self.assertRaisesRegex(HardwareError, "ports of mds_of_column are not those of"):
            proofs.holds(proof)

    def test_a_fault_that_cannot_be_planted(self) -> None:
        proof = replace(PROOFS["mds"], fault=Fault("twofish_mds.v", "nowhere", ""))
        with self.assertRaisesRegex(HardwareError, "`nowhere` does not stand once"):
            proofs.finds_fault(proof)

    def test_a_module_that_is_not_there(self) -> None:
        proof = replace(PROOFS["mds"], one=Side("twofish_nothing"))
        with self.assertRaisesRegex(HardwareError, "twofish_nothing"):
            proofs.holds(proof)

    def test_names(self) -> None:
        self.assertEqual(proofs.chosen(["q?"], quick=True), ["q0", "q1"])
        self.assertNotIn("round_256", proofs.chosen([], quick=True))
        with self.assertRaisesRegex(HardwareError, "no proof 'q2'"):
            proofs.chosen(["q2"], quick=False)


if __name__ == "__main__":
    unittest.main()
