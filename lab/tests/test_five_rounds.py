# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The native sums over five rounds, against the blocks of the variant."""

from __future__ import annotations

import unittest

import numpy as np
from numpy.typing import NDArray

from manyfish_lab import five_rounds, lanes, twofish


def rol(x: NDArray[np.uint32], n: int) -> NDArray[np.uint32]:
    return x << np.uint32(n) | x >> np.uint32(32 - n)


def mds_inverse(words: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """By a basis of products, one for each highest bit."""
    basis: dict[int, tuple[int, int]] = {}
    for i in range(32):
        product, x = twofish.mds(1 << i), 1 << i
        while product and product.bit_length() in basis:
            other = basis[product.bit_length()]
            product, x = product ^ other[0], x ^ other[1]
        basis[product.bit_length()] = product, x
    rest, result = words.copy(), np.zeros_like(words)
    for length in range(32, 0, -1):
        product, x = basis[length]
        on = rest >> np.uint32(length - 1) & 1
        rest ^= on * np.uint32(product)
        result ^= on * np.uint32(x)
    return result


class KernelTest(unittest.TestCase):
    """lab_five_rounds against the variant's blocks."""

    def test_sums(self) -> None:
        random = np.random.default_rng(15)
        for first, n in ((0, 3), (0xFFFFFE, 2), (0xFFFFFF, 3), (0x123456, 8), (0x7FFFFF, 2)):
            key, text = random.bytes(16), random.bytes(16)
            odd, bit = five_rounds.saturated_word(key, text, first, n)
            expected = self.plain(key, text, first, n)
            np.testing.assert_array_equal(odd, expected[0])
            self.assertEqual(bit, expected[1])

    def plain(self, key: bytes, text: bytes, first: int, n: int) -> tuple[lanes.Sums, int]:
        """The same from ciphertexts: the plaintexts are those of these values in round 2."""
        S, K = twofish.sbox_key(key), twofish.subkeys(key, 8, 4)
        R0, R1, _, R3 = np.frombuffer(text, "<u4").astype(np.uint32)[:, None]
        T0, T1 = twofish.h(R0, S), twofish.h(rol(R1, 8), S)
        L2_1 = rol(R3, 1) ^ (T0 + 2 * T1 + K[1])
        wanted = np.arange(256 * first, 256 * (first + n)).astype(np.uint32)
        T = wanted - (twofish.h(rol(L2_1, 8), S) + K[2])
        y, inverse = mds_inverse(T), np.argsort(twofish.boxes(S), axis=1).astype(np.uint32)
        L2_0 = sum(inverse[j, y >> np.uint32(8 * j) & 255] << np.uint32(8 * j) for j in range(4))
        np.testing.assert_array_equal(twofish.h(L2_0, S), T)
        blocks = np.tile(np.frombuffer(text, "<u4"), (len(T), 1))
        blocks[:, 2] = rol(np.asarray(L2_0, np.uint32), 1) ^ (T0 + T1 + K[0])
        cipher = twofish.Variant(key, 5, whitening=False)
        words = cipher.encrypt(blocks.view(np.uint8)).view("<u4").astype(np.uint32)
        odd = lanes.odd_values(words[None, :, :2])[:, 0]
        return odd, int((words[:, 3] >> np.uint32(1) & 1).sum() & 1)


if __name__ == "__main__":
    unittest.main()
