# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The entropies against a count over all keys of a column, and the two keys by the key schedule."""

from __future__ import annotations

import unittest

import numpy as np

from manyfish_lab import columns, twofish
from manyfish_lab.experiment import Findings
from manyfish_lab.experiments import subkey_entropy
from manyfish_lab.experiments.subkey_entropy import EXPERIMENT


def all_keys(k: int) -> np.ndarray[tuple[int, int], np.dtype[np.uint8]]:
    """All values of k key bytes, as rows."""
    return np.arange(256**k, dtype="<u4").view(np.uint8).reshape(-1, 4)[:, :k]


class Entropy(unittest.TestCase):
    """The distributions and what is made of them."""

    findings: Findings

    @classmethod
    def setUpClass(cls) -> None:
        """Runs the experiment once."""
        cls.findings = EXPERIMENT.combine(
            "small", [EXPERIMENT.compute(task) for task in EXPERIMENT.tasks("small")]
        )

    def test_all_keys_of_a_column(self) -> None:
        """The entropy of two bytes is that of their count over all key bytes."""
        for k, position, pair in ((2, 0, (0, 1)), (2, 7, (3, 19)), (3, 6, (2, 9))):
            y = columns.outputs(position, k, all_keys(k), columns.inputs(position)[list(pair)])
            count = np.bincount(y[:, 0].astype(int) << 8 | y[:, 1])
            counted = subkey_entropy.entropy(count / 256**k)
            p = subkey_entropy.distribution(position, k, pair)
            self.assertAlmostEqual(counted, 8 + subkey_entropy.entropy(p), places=9)

    def test_all_published_figures_agree(self) -> None:
        """No cell differs, and the greatest entropy is the known one."""
        cells = [cell for table in self.findings.tables for cell in table.cells]
        published = [cell for cell in cells if cell.published is not None]
        self.assertEqual([cell.agrees for cell in published], [True] * 4)
        self.assertIn("116.829", [cell.ours for cell in published])

    def test_the_two_keys(self) -> None:
        """They differ, and what they share is what the library says."""
        found = self.findings.data["two_keys"]
        keys = [bytes.fromhex(key) for key in found["keys"]]
        self.assertNotEqual(*keys)
        for of_key in (twofish.sbox_key, lambda key: twofish.subkeys(key, 8, 2)):
            np.testing.assert_array_equal(of_key(keys[0]), of_key(keys[1]))
        self.assertIn(4, found["equal_subkeys"])

    def test_two_keys_without_a_common_subkey_are_told(self) -> None:
        """The check of the example can fail."""
        found = subkey_entropy.shared(bytes(16), bytes(15) + b"\1")
        self.assertFalse(found["same_S"])
        self.assertEqual(found["equal_subkeys"], [])


if __name__ == "__main__":
    unittest.main()
