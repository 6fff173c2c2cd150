# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The search for a 128-bit key behind sums over five rounds.

The sums leave some million candidates for S, which pairs of texts single out; S gives the key.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from manyfish_lab import lanes, whole_key
from manyfish_lab.five_rounds import Oracle
from manyfish_lab.pair_tests import PairTests, Rows

S_BITS = 64
SPARE_BITS = 24  # of S, which pairs find
PARTS = 32  # of a join
CHECKED = 64  # blocks that a key must encrypt as the oracle does


@dataclass
class Found:
    """A key, and how it was found: bit 0 of the last subkey, candidates for either, texts."""

    S: tuple[int, int]
    carry: int
    key: bytes
    candidates: int
    texts: int


@dataclass(frozen=True)
class Evidence:
    """Of each set [lane, set, (T0, T1), 4] as in lanes.py, and the sum of bits."""

    odd: lanes.Sums
    sums: NDArray[np.uint8]

    def masks(self, carry: int) -> tuple[int, int]:
        """The bits of T0 and T1 that bit 1 of F1 = T0 + 2 T1 + K is the sum of."""
        return 2 | carry, 1

    def candidates(self, carry: int, hint: Sequence[NDArray[np.int64]]) -> Rows:
        """The keys of the four lanes that give all sums; hint has those of lanes 1 and 3."""
        sums = lanes.lane_sums(self.odd, self.masks(carry))
        wanted, count = lanes.packed(self.sums), lanes.LANE_KEYS // PARTS
        ways = lanes.LANE_KEYS**2 * len(hint[0]) * len(hint[1])
        room = max(lanes.ROOM, 2 * ways >> len(self.sums))
        rows = [
            lanes.matches(sums, wanted, hint, first, count, room).astype(np.uint16)
            for first in range(0, lanes.LANE_KEYS, count)
        ]
        return np.concatenate(rows)


def hints(S: tuple[int, int], given: int) -> list[NDArray[np.int64]]:
    """The keys that lanes 1 and 3 can have if this many bits of them are known."""
    parts = []
    for lane, known in ((1, (given + 1) // 2), (3, given // 2)):
        free = 16 - known
        key = lanes.lane_keys(S)[lane]
        parts.append(np.arange(1 << free) | key >> free << free)
    return parts


def search(
    evidence: Evidence,
    hint: Sequence[NDArray[np.int64]],
    oracle: Oracle,
    random: np.random.Generator,
    say: Callable[[str], None] = print,
) -> Found | None:
    """The key, if the sums and the oracle are of one and its lanes 1 and 3 are in the hint."""
    candidates = 0
    for carry in (0, 1):
        rows = evidence.candidates(carry, hint)
        candidates += len(rows)
        say(f"carry {carry}: {len(rows)} candidates for S")
        left = PairTests(oracle, carry, random).survivors(rows)
        for row in left.tolist():
            S = lanes.joined_keys(row)
            say(f"carry {carry}: S may be {S[0]:08x} {S[1]:08x}")
            if key := whole(S, carry, oracle, random):
                return Found(S, carry, key, candidates, oracle.texts)
    return None


def whole(
    S: tuple[int, int], carry: int, oracle: Oracle, random: np.random.Generator
) -> bytes | None:
    """The key with this S, if there is one that encrypts as the oracle does."""
    texts = random.integers(0, 2**32, (CHECKED, 4)).astype(np.uint32)
    ciphertexts = oracle.encrypt(texts)
    for K8, K9 in whole_key.first_subkeys(oracle, whole_key.G(S), carry, random):
        for key in whole_key.keys(S, K8, K9):
            if np.array_equal(Oracle(key).encrypt(texts), ciphertexts):
                return key
    return None
