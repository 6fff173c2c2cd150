# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The effect of an addition on a difference, exactly: both numbers that are added are uniform.

A difference is an exclusive or: where it has a one, one of the two numbers is larger, and each of
the two is as likely.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np
import numpy.typing as npt

from manyfish_lab.gf256 import Words

Shares = npt.NDArray[np.float64]

CARRIES = (-1, 0, 1)


def unchanged(differences: Words, bits: Sequence[int]) -> Shares:
    """For each difference of a number, how likely it is that its sum keeps all these bits.

    From bit 0 upwards: the state is what the carries of the two sums differ by.
    """
    states: dict[int, Shares] = {carry: np.zeros(len(differences)) for carry in CARRIES}
    states[0] += 1
    for bit in range(max(bits) + 1):
        one = (differences >> np.uint32(bit) & np.uint32(1)).astype(bool)
        following: dict[int, Shares] = {carry: np.zeros(len(differences)) for carry in CARRIES}
        for carry, is_one, changes, carry_out, share in steps():
            if not (changes and bit in bits):
                following[carry_out] += share * np.where(one == is_one, states[carry], 0)
        states = following
    return sum(states.values(), np.zeros(len(differences)))


def steps() -> Iterator[tuple[int, bool, bool, int, float]]:
    """All cases of a bit: carry in, difference, whether the sum changes, carry out, share."""
    for carry, bit_of_sum in product(CARRIES, (0, 1)):
        for is_one, signs in ((False, (0,)), (True, (-1, 1))):
            for sign in signs:
                more = sign + carry
                yield carry, is_one, more % 2 == 1, (bit_of_sum + more) // 2, 0.5 / len(signs)
