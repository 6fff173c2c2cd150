# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Words that RS takes to zero, by the library's RS."""

from __future__ import annotations

import unittest

import numpy as np

from manyfish_lab import rs_words, twofish


class Words(unittest.TestCase):
    """All of them keep S."""

    def test_multiples(self) -> None:
        """A word of five bytes has 255 multiples, and RS takes all to zero."""
        words = rs_words.multiples(rs_words.word((0, 2, 3, 5, 7)))
        self.assertEqual({twofish.rs(word.tobytes()) for word in words}, {0})
        self.assertEqual({np.count_nonzero(word) for word in words}, {rs_words.LEAST_WEIGHT})
        self.assertEqual(len(np.unique(words, axis=0)), 255)

    def test_completion(self) -> None:
        """Any four bytes are completed to a word."""
        products, matrix = rs_words.products(), rs_words.completion()
        for head in np.random.default_rng(3).integers(0, 256, (20, 4), np.uint8):
            tail = np.bitwise_xor.reduce(products[matrix, head[None, :]], axis=1)
            self.assertEqual(twofish.rs(head.tobytes() + tail.tobytes()), 0)
            tail[0] ^= 1
            self.assertNotEqual(twofish.rs(head.tobytes() + tail.tobytes()), 0)


if __name__ == "__main__":
    unittest.main()
