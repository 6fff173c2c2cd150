# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The columns of h against the library's h, S-boxes and subkeys."""

from __future__ import annotations

import unittest

import numpy as np

from manyfish_lab import columns, twofish


def subkeys(parts: np.ndarray[tuple[int, int], np.dtype[np.uint8]]) -> list[int]:
    """Subkeys K_0 to K_39 of the key with these bytes, from the columns [Twofish98, 4.3.4]."""
    k = parts.shape[1]
    rows = [
        columns.outputs(p, k, parts[p : p + 1], columns.inputs(p))[0] for p in columns.POSITIONS
    ]
    K = []
    for i in range(columns.SUBKEY_PAIRS):
        A, B = (
            twofish.mds(sum(int(rows[4 * odd + j][i]) << 8 * j for j in range(4))) for odd in (0, 1)
        )
        B = (B << 8 | B >> 24) % 2**32
        K.append((A + B) % 2**32)
        twice = (A + 2 * B) % 2**32
        K.append((twice << 9 | twice >> 23) % 2**32)
    return K


class Columns(unittest.TestCase):
    """The parts of experiments on keys."""

    def test_subkeys_are_made_of_columns(self) -> None:
        """For all key lengths, positions lie in the key as RS sees them."""
        random = np.random.default_rng(9)
        for k in columns.KEY_BITS:
            parts = random.integers(0, 256, (8, k), np.uint8)
            key = columns.key_of(parts)
            self.assertEqual(list(twofish.subkeys(key)), subkeys(parts))
            for level in range(k):
                S = twofish.sbox_key(key)[k - 1 - level]
                self.assertEqual(S, twofish.rs(parts[:, level].tobytes()))

    def test_s_boxes_are_columns(self) -> None:
        """The S-box of column j is position j at all inputs."""
        L = np.random.default_rng(10).integers(0, 2**32, 4, np.uint32)
        x = np.arange(256, dtype=np.uint8)
        for j in range(4):
            key = (L >> np.uint32(8 * j)).astype(np.uint8)[None]
            np.testing.assert_array_equal(columns.outputs(j, 4, key, x)[0], twofish.boxes(L)[j])

    def test_difference_tables_are_of_permutations(self) -> None:
        """Rows and columns add up, and the greatest entry is that of the source."""
        for which in (0, 1):
            table = columns.differences(which)
            self.assertEqual(table[0, 0], 256)
            self.assertTrue((table.sum(0) == 256).all() and (table.sum(1) == 256).all())
            self.assertEqual(table[1:].max(), 10)  # DPmax of q0 and q1 is 10/256 [Twofish98, 7.2.1]


if __name__ == "__main__":
    unittest.main()
