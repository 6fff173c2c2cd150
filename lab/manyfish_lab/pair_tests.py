# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Each candidate for S is tested by pairs of texts of five rounds that it predicts something of.

R1 of the two texts is such that by the candidate T1 differs in bit 31 only. Then F0 of the first
round differs in this bit, which R2 makes up for, and F1 does not: the right halves after this round
are equal, and bit 0 of L4_1, which the candidate reads off the ciphertexts, is the same for both.
By chance it is so for every second candidate.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from manyfish_lab import linear, twofish
from manyfish_lab.five_rounds import Oracle
from manyfish_lab.lanes import LANE_KEYS, LANES
from manyfish_lab.whole_key import UNMIX, Words, rol, split

Rows = NDArray[np.int64]  # of the keys of the four lanes

TOP = np.uint32(1 << 31)
TESTS = 48  # pairs, after which a wrong one of 2^26 is left once in 2^22
PART = 1 << 18  # candidates at a time


class PairTests:
    """For one value of bit 0 of the last subkey, the carry."""

    def __init__(self, oracle: Oracle, carry: int, random: np.random.Generator) -> None:
        self.oracle, self.random = oracle, random
        self.boxes = _all_boxes()
        difference = split(linear.apply(UNMIX, np.array([TOP])))[:, 0]
        self.difference = difference.astype(np.uint8)
        self.share = _shares(self.boxes, 2 | carry, 1)

    def survivors(self, rows: Rows) -> Rows:
        """Those that pass all tests."""
        for _ in range(TESTS):
            if len(rows) == 0:
                break
            rows = rows[self.agree(rows)]
        return rows

    def agree(self, rows: Rows) -> NDArray[np.bool_]:
        """Whether each passes one test: all have the first text in common."""
        text = self.random.integers(0, 2**32, (1, 4)).astype(np.uint32)
        x = split(rol(text[:, 1], 8))[:, 0]
        partners = np.array([self._partners(lane, int(x[lane])) for lane in range(LANES)])
        first = self.oracle.encrypt(text)
        parts = range(0, len(rows), PART)
        return np.concatenate(
            [self._agree(rows[i : i + PART], text, first, partners) for i in parts]
        )

    def _partners(self, lane: int, x: int) -> NDArray[np.uint8]:
        """For each key of a lane the other byte, with which its S-box differs as it should."""
        boxes = self.boxes[lane]
        wanted = boxes[:, x] ^ self.difference[lane]
        found: NDArray[np.uint8] = np.argmax(boxes == wanted[:, None], axis=1).astype(np.uint8)
        return found

    def _agree(
        self, rows: Rows, text: Words, first: Words, partners: NDArray[np.uint8]
    ) -> NDArray[np.bool_]:
        R1 = np.zeros(len(rows), np.uint32)
        for lane in range(LANES):
            R1 |= partners[lane, rows[:, lane]].astype(np.uint32) << np.uint32(8 * lane)
        texts = np.repeat(text, len(rows), axis=0)
        texts[:, 1] = rol(R1, 24)
        texts[:, 2] ^= TOP
        second = self.oracle.encrypt(texts)
        same: NDArray[np.bool_] = self._bits(rows, first) == self._bits(rows, second)
        return same

    def _bits(self, rows: Rows, C: Words) -> NDArray[np.uint8]:
        """Bit 0 of L4_1 by each candidate, up to a constant."""
        T0, T1 = split(C[:, 0]), split(rol(C[:, 1], 8))
        bits = (C[:, 3] >> np.uint32(1) & np.uint32(1)).astype(np.uint8)
        for lane in range(LANES):
            share = self.share[lane]
            of_T1 = share[rows[:, lane], T1[lane]] >> np.uint8(1)
            bits = bits ^ share[rows[:, lane], T0[lane]] ^ of_T1
        return bits & np.uint8(1)


def _all_boxes() -> NDArray[np.uint8]:
    """[lane, key, x], with the keys of lanes.py."""
    boxes = np.empty((LANES, LANE_KEYS, 256), np.uint8)
    for key in range(LANE_KEYS):
        boxes[:, key] = twofish.boxes([(key & 255) * 0x01010101, (key >> 8) * 0x01010101])
    return boxes


def _shares(boxes: NDArray[np.uint8], of_T0: int, of_T1: int) -> NDArray[np.uint8]:
    """The same for the sums of some bits of each lane's share in g, of T0 in bit 0, T1 in bit 1."""
    shares = np.empty_like(boxes)
    for lane in range(LANES):
        columns = np.array([twofish.mds(y << 8 * lane) for y in range(256)], np.uint32)
        sums = [np.bitwise_count(columns & np.uint32(mask)) & 1 for mask in (of_T0, of_T1)]
        shares[lane] = (sums[0] | sums[1] << 1).astype(np.uint8)[boxes[lane]]
    return shares
