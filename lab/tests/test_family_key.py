# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The experiment `family-key`, small, and that each of its checks can fail."""

from __future__ import annotations

import json
import re
import unittest
from pathlib import Path

import numpy as np

from manyfish_lab import families, schedule, twofish
from manyfish_lab.experiment import Findings, Json
from manyfish_lab.experiments import family_key

VECTORS = Path(__file__).resolve().parents[2] / "vectors" / "twofish_variants.rsp"


class Small(unittest.TestCase):
    results: list[Json]
    findings: Findings

    @classmethod
    def setUpClass(cls) -> None:
        tasks = [json.loads(json.dumps(task)) for task in family_key.tasks("small")]
        cls.results = json.loads(json.dumps([family_key.compute(task) for task in tasks]))
        cls.findings = family_key.combine("small", cls.results)

    def counts(self, case: str) -> Json:
        (found,) = family_key.Results(self.results).of("search", case=case)
        return found

    def test_only_what_reorders_has_equals(self) -> None:
        for case in families.CASES:
            found = self.counts(case)
            expected = found["count"] if case in ("control", "T0", "own") else 0
            self.assertEqual(found["all"], expected, case)

    def test_each_step_breaks_its_part(self) -> None:
        parts = {"T1": "sbox", "q0": "sbox", "T2": "whitening", "T4": "rounds"}
        for case, broken in parts.items():
            found = self.counts(case)
            self.assertEqual(found[broken], 0, case)
            if broken != "rounds":
                self.assertEqual(found["rounds"], found["count"], case)

    def test_the_claim_agrees_and_would_not_if_keys_were_found(self) -> None:
        claim = self.findings.tables[0].cells[0]
        self.assertEqual((claim.published, claim.agrees), ("another set", True))
        planted = json.loads(json.dumps(self.results))
        for result in planted:
            if result["task"].get("case") == "FK":
                result["found"]["all"] = result["found"]["count"]
        claim = family_key.combine("small", planted).tables[0].cells[0]
        self.assertEqual((claim.ours, claim.agrees), ("the same set", False))

    def test_what_holds_of_all_keys(self) -> None:
        results = family_key.Results(self.results)
        (columns,) = results.of("columns")
        self.assertEqual(sum(columns["equal"]) + sum(columns["constant"]), 0)
        self.assertEqual((columns["rs_rank"], columns["q0_values"]), (32, 256))
        (relation,) = results.of("relation")
        count = relation["count"]
        self.assertEqual(relation["differences"], {"T1": [1, 1], "FK": [1, count]})
        self.assertEqual(results.sums("library", "equal"), results.sums("library", "count"))

    def test_families_are_no_nearer_to_keys_than_random_bytes(self) -> None:
        results = family_key.Results(self.results)
        near = {name: results.added("nearest", name) for name in ("Twofish", "Twofish-FK")}
        self.assertEqual(near["Twofish"][:16].sum(), 0)
        self.assertEqual(near["Twofish-FK"][8:].sum(), 0)

    def test_avalanche(self) -> None:
        for what in families.AVALANCHES:
            histogram = family_key.Results(self.results).added("avalanche", "histogram", what=what)
            mean = float((histogram * np.arange(129)).sum()) / int(histogram.sum())
            self.assertLess(abs(mean - 64), 0.6, what)

    def test_vectors_are_those_of_the_project(self) -> None:
        text = VECTORS.read_text(encoding="utf-8")
        family = "".join(f"{i:02X}" for i in range(32))
        published = dict(
            re.findall(rf"FAMILY_KEY = {family}\nKEY = (0+)\nPT = 0+\nCT = (\w+)", text)
        )
        (found,) = family_key.Results(self.results).of("vectors")
        self.assertEqual(
            {str(4 * len(key)): ciphertext.lower() for key, ciphertext in published.items()}, found
        )

    def test_a_task_gives_the_same_again(self) -> None:
        again = family_key.compute(self.results[2]["task"])
        self.assertEqual(json.loads(json.dumps(again)), self.results[2])


class Checks(unittest.TestCase):
    def test_constant_differences_are_found(self) -> None:
        rows = schedule.columns()[0, 0, :100, schedule.ROUND_PAIRS]
        self.assertEqual(families.constant_differences(rows), 0)
        planted = np.concatenate([rows, rows[:3] ^ np.uint8(0x1D), rows[5:6]])
        self.assertEqual(families.constant_differences(planted), 4)

    def test_rank(self) -> None:
        self.assertEqual(families._rank([1, 2, 3, 0, 8]), 3)
        self.assertEqual(families._rank([twofish.mds(1 << i) for i in range(32)]), 32)

    def test_nearest(self) -> None:
        wanted = schedule.column_bytes(schedule.subkeys(np.arange(16, dtype=np.uint8)[None]))
        self.assertEqual(families.nearest(wanted), [16] * 8)
        wanted[0, 0, 0, 7] ^= 1
        self.assertEqual(families.nearest(wanted), [15] + [16] * 7)


if __name__ == "__main__":
    unittest.main()
