# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The native counts of a saturated word, against the blocks of the variant."""

from __future__ import annotations

import unittest

import numpy as np

from manyfish_lab import twofish
from manyfish_lab.experiments import distinguisher as experiment


class KernelTest(unittest.TestCase):
    """lab_saturation against the variant's blocks."""

    def test_counts(self) -> None:
        random = np.random.default_rng(4)
        for first, n in ((0xFFFFFF00, 1500), (5, 1), (7, 512)):
            key, text = random.bytes(16), random.bytes(16)
            found = np.zeros(4, np.uint64)
            experiment._saturation(found, key, 4, text, first, n)
            blocks = np.tile(np.frombuffer(text, np.uint8), (n, 1))
            R2 = (first + np.arange(n)).astype("<u4")
            blocks[:, 8:12] = R2[:, None].view(np.uint8)
            C = twofish.Variant(key, 4, whitening=False).encrypt(blocks).view("<u4")
            F0 = (C[:, 0] << 1 | C[:, 0] >> 31) ^ (R2 >> 1 | R2 << 31)
            expected = [(word >> bit & 1).sum() for word in (F0, C[:, 1]) for bit in (0, 1)]
            self.assertEqual(found.tolist(), expected)


if __name__ == "__main__":
    unittest.main()
