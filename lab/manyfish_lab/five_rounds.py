# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Five rounds without whitening under a key that attacks do not see: their oracle."""

from __future__ import annotations

import ctypes

import numpy as np
from numpy.typing import NDArray

from manyfish_lab import native, twofish
from manyfish_lab.lanes import LANES, Sums

ROUNDS = 5
BLOCKS = 1 << 24  # of 256 texts, in a set of 2^32

_five_rounds = native.checked(
    "lab_five_rounds",
    native.output(np.uint64),
    ctypes.POINTER(ctypes.c_uint32),
    ctypes.c_char_p,
    ctypes.c_char_p,
    ctypes.c_uint32,
    ctypes.c_uint32,
)


def saturated_word(key: bytes, text: bytes, first: int, n_blocks: int) -> tuple[Sums, int]:
    """A part of the texts whose word R2 takes all values: [lane, (T0, T1), 4] and a sum of bits.

    The first has 256 bits for each byte at the input of g in the last round: which values come an
    odd number of times. The second is bit 1 of R1 of the ciphertexts.
    """
    odd, bit = np.empty((LANES, 2, 4), np.uint64), ctypes.c_uint32()
    _five_rounds(odd, ctypes.byref(bit), key, text, first, n_blocks)
    return odd, bit.value


def hidden_key(seed: int) -> bytes:
    """The key of an oracle, which only oracles know."""
    return np.random.default_rng([seed, 0]).bytes(16)


class Oracle:
    """Encrypts texts of an attacker's choice, and counts them."""

    def __init__(self, key: bytes, rounds: int = ROUNDS) -> None:
        self._cipher = twofish.Variant(key, rounds, whitening=False)
        self.texts = 0

    def encrypt(self, words: NDArray[np.uint32]) -> NDArray[np.uint32]:
        """Rows of R0 to R3, and of the four words of the ciphertexts."""
        self.texts += len(words)
        blocks = np.ascontiguousarray(words, "<u4").view(np.uint8)
        return self._cipher.encrypt(blocks).view("<u4").astype(np.uint32)
