# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The experiment `key-bits`: its changes against the model, and what it must notice."""

from __future__ import annotations

import json
import sys
import unittest
from pathlib import Path
from typing import Any, ClassVar
from unittest import mock

from manyfish_lab import twofish
from manyfish_lab.experiments import key_bits

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "model"))
import twofish as model

KEY = bytes(range(24))


class Changes(unittest.TestCase):
    def test_the_model_changes_the_same_bits(self) -> None:
        for bit in (0, 63, 130, 191):
            other = bytearray(KEY)
            other[bit // 8] ^= 1 << bit % 8
            K = [model.subkeys(key, 40)[key_bits.FIRST :] for key in (KEY, bytes(other))]
            expected = [one ^ two for one, two in zip(*K)]
            self.assertEqual(key_bits.changed(KEY, bit), (True, expected))

    def test_rank(self) -> None:
        self.assertEqual(key_bits.rank([1, 2, 3, 4]), 3)


class Small(unittest.TestCase):
    results: ClassVar[list[Any]]

    @classmethod
    def setUpClass(cls) -> None:
        some = [task for task in key_bits.tasks("small") if task.get("seed", [0, 0, 0])[2] == 0]
        cls.results = [json.loads(json.dumps(key_bits.compute(task))) for task in some]

    def verdicts(self, results: list[Any]) -> list[str]:
        return [cell.ours for cell in key_bits.combine("small", results).tables[0].cells]

    def test_every_bit(self) -> None:
        self.assertEqual(self.verdicts(self.results), ["every"] * 3)

    def test_a_false_premise_shows(self) -> None:
        first = {"bits": 0, "facts": {**self.results[0]["facts"], "MDS can be inverted": False}}
        found = self.verdicts([first, *self.results[1:]])
        self.assertTrue(all(text.startswith("not every") for text in found), found)

    def test_a_bit_without_effect_shows(self) -> None:
        """A key schedule that ignores the highest bit of the key."""
        own = twofish.subkeys

        def deaf(key: bytes, *more: int) -> twofish.Words:
            return own(bytes([*key[:-1], key[-1] & 0x7F]), *more)

        with mock.patch.object(twofish, "subkeys", deaf):
            found = json.loads(json.dumps(key_bits.compute(key_bits.tasks("small")[1])))
        self.assertEqual(found["places"] - found["rounds"], key_bits.KEYS * key_bits.ROUNDS)
        self.assertEqual(found["least"], 0)
        self.assertIn("not every", self.verdicts([found, *self.results])[0])


if __name__ == "__main__":
    unittest.main()
