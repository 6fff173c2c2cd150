# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Twofish with keys of more than 256 bits: an extension of this project, not of the authors.

The paper says that longer keys are possible [Twofish98, 11.5] and leaves open how: the order of
q0 and q1 is given for four key words in a list. Here the orders of levels 1 to 4 are repeated. The
rest follows the paper as it stands: 64 bits of key give one word each to M_e, M_o and S, and a key
is padded with zeros to the next multiple of 64 bits. Up to 256 bits this is Twofish itself.
No other program knows longer keys; here the study library does, and all that is built on it.
"""

from __future__ import annotations

from collections.abc import Sequence

from twofish import (
    MAX_ROUNDS,
    Q_ORDER,
    RHO,
    ROUNDS,
    Q,
    Twofish,
    Words,
    mds_multiply,
    pht,
    rol,
    s_words,
    word,
    word_bytes,
)

MAX_LONG_KEY_BYTES = 512


def q_order(level: int) -> tuple[int, ...]:
    """The orders of levels 0 to 4, then those of levels 1 to 4 again and again."""
    return Q_ORDER[level] if level == 0 else Q_ORDER[1 + (level - 1) % 4]


def h(X: int, L: Sequence[bytes]) -> int:
    """h of [Twofish98, 4.3.2] with a list of any length."""
    y = list(word_bytes(X))
    for level in range(len(L), -1, -1):
        y = [Q[q][x] for q, x in zip(q_order(level), y)]
        if level > 0:
            y = [x ^ key for x, key in zip(y, L[level - 1])]
    return word(mds_multiply(y))


def pad_key(key: bytes) -> bytes:
    if len(key) > MAX_LONG_KEY_BYTES:
        raise ValueError(f"a long key has 0 to {MAX_LONG_KEY_BYTES} bytes, this one has {len(key)}")
    return key.ljust(max(16, -(-len(key) // 8) * 8), b"\0")


class LongKeyTwofish(Twofish):
    """One expanded key of any length; `rounds` as in Twofish.

    Whether 16 rounds make use of a longer key is not known.
    """

    def __init__(self, key: bytes, rounds: int = ROUNDS) -> None:
        if not 1 <= rounds <= MAX_ROUNDS:
            raise ValueError(f"Twofish can have 1 to {MAX_ROUNDS} rounds, not {rounds}")
        self.key = pad_key(key)
        self.rounds = rounds
        self.whitening = True
        self.S = s_words(self.key)
        self.K = self._long_subkeys()

    def _long_subkeys(self) -> Words:
        M = [self.key[i : i + 4] for i in range(0, len(self.key), 4)]
        K: list[int] = []
        for i in range(4 + self.rounds):
            A = h(2 * i * RHO, M[0::2])
            B = rol(h((2 * i + 1) * RHO, M[1::2]), 8)
            a, b = pht(A, B)
            K += (a, rol(b, 9))
        return tuple(K)

    def g(self, X: int) -> int:
        return h(X, self.S)
