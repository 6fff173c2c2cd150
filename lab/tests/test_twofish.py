# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The parts of Twofish, as the lab calls them, against the model."""

from __future__ import annotations

import sys
import unittest
from pathlib import Path

import numpy as np

from manyfish_lab import twofish
from manyfish_lab.errors import LabError

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "model"))
import twofish as model

RANDOM = np.random.default_rng(9)
KEY_BYTES = (16, 24, 32)


class Parts(unittest.TestCase):
    """Each part by itself, on random input."""

    def test_q(self) -> None:
        """Both permutations, whole."""
        self.assertEqual([row.tobytes() for row in twofish.q()], list(model.Q))

    def test_matrices(self) -> None:
        """MDS and RS on unit vectors and random ones."""
        for y in [1 << i for i in range(32)] + RANDOM.integers(0, 1 << 32, 100).tolist():
            self.assertEqual(twofish.mds(y), model.word(model.mds_multiply(model.word_bytes(y))))
        for m in [(1 << i).to_bytes(8, "little") for i in range(64)] + [RANDOM.bytes(8)]:
            self.assertEqual(twofish.rs(m), model.word(model.rs_multiply(m)))

    def test_lists(self) -> None:
        """S-boxes and h of lists of each length."""
        for k in (2, 3, 4):
            L = RANDOM.integers(0, 1 << 32, k, dtype=np.uint32)
            strings = [model.word_bytes(int(word)) for word in L]
            box = twofish.boxes(L)
            for j in range(4):
                expected = [model.s_box(j, x, strings) for x in range(256)]
                self.assertEqual(box[j].tolist(), expected)
            X = RANDOM.integers(0, 1 << 32, 50, dtype=np.uint32)
            self.assertEqual(twofish.h(X, L).tolist(), [model.h(int(x), strings) for x in X])

    def test_schedule(self) -> None:
        """S and all 256 subkeys, whole and in parts."""
        for key in map(RANDOM.bytes, KEY_BYTES):
            S = [model.word(word) for word in model.s_words(key)]
            self.assertEqual(twofish.sbox_key(key).tolist(), S)
            K = list(model.subkeys(key, 256))
            self.assertEqual(twofish.subkeys(key, 0, 256).tolist(), K)
            self.assertEqual(twofish.subkeys(key, 38, 4).tolist(), K[38:42])
            self.assertEqual(twofish.subkeys(key).tolist(), K[:40])

    def test_refused(self) -> None:
        """An impossible input gives an error in the library's words."""
        self.assertRaisesRegex(LabError, "parts_boxes: ", twofish.boxes, [1])
        self.assertRaisesRegex(LabError, "parts_h: ", twofish.h, [0], [1, 2, 3, 4, 5])
        self.assertRaisesRegex(LabError, "parts_sbox_key: ", twofish.sbox_key, bytes(17))
        self.assertRaisesRegex(LabError, "parts_subkeys: ", twofish.subkeys, bytes(16), 1, 2)


class Variants(unittest.TestCase):
    """The structures of C are the ones that Python fills."""

    def test_against_the_model(self) -> None:
        """Rounds, whitening and family key, each key length, both directions."""
        blocks = RANDOM.integers(0, 256, (3, 16), dtype=np.uint8)
        for key in map(RANDOM.bytes, KEY_BYTES):
            for rounds, whitening, family in ((16, True, None), (5, False, None), (7, True, 1)):
                family_key = RANDOM.bytes(32) if family else None
                ours = twofish.Variant(key, rounds, whitening, family_key)
                theirs = model.Twofish(key, rounds, whitening, family_key)
                expected = [theirs.encrypt(block.tobytes()) for block in blocks]
                found = ours.encrypt(blocks)
                self.assertEqual([block.tobytes() for block in found], expected)
                self.assertEqual(ours.decrypt(found).tolist(), blocks.tolist())

    def test_refused(self) -> None:
        """Too many rounds, half a block, a short family key."""
        self.assertRaisesRegex(LabError, "rounds", twofish.Variant, bytes(16), 125)
        self.assertRaises(ValueError, twofish.Variant, bytes(16), 5, True, bytes(16))
        variant = twofish.Variant(bytes(16))
        self.assertRaisesRegex(ValueError, "8 bytes", variant.encrypt, np.zeros(8, np.uint8))


if __name__ == "__main__":
    unittest.main()
