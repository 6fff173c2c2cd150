# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The worst S-boxes of all keys of a length: sboxes-128, sboxes-192 and sboxes-256-dp count them.

Nobody has counted LPmax of all 256-bit keys.
"""

from __future__ import annotations

from math import log2

DP = {128: 18, 192: 24, 256: 28}  # 256 DPmax
LP = {128: 100, 192: 116}  # 256 times the root of LPmax


def difference_cost(key_bits: int) -> float:
    """-log2 of the largest probability of a difference."""
    return 8 - log2(DP[key_bits])


def mask_cost(key_bits: int) -> float:
    """-log2 of the largest squared correlation."""
    return 2 * (8 - log2(LP[key_bits]))
