# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Linear masks through the PHT and the addition of the subkeys.

F0 = T0 + T1 + K and F1 = T0 + 2 T1 + K' [Twofish98, 4.2]; the masks a, b of T0, T1 and c, e of F0,
F1 choose bits, and their correlation depends on the subkeys. The mean of its square, over uniform
subkeys and with t, u for the differences by subtraction of two T0 and two T1, is

  LP = E over t, u of A_a(t) A_b(u) A_c(t + u) A_e(t + 2u),

where A_m(t) = E over x of (-1)^(m.x + m.(x + t)). The transform of A_m is a distribution P_m of
frequencies k modulo 2^n, the product over the bits j of m of cos^2 or sin^2 (if the bit is 1) of
pi k / 2^(n - j). So, with k and l for c and e,

  LP = sum over k, l of P_c(k) P_e(l) P_a(k + l) P_b(k + 2l).

By Cauchy's inequality the sum of the square roots of these products is at most 1, therefore LP is
at most the largest of the square roots: half the cost of the four frequencies, at the best k, l.

The cost of a frequency is read from the highest bit of the mask on and the lowest of k. Bit j
meets g, whether the bits n - 1 - j and n - 2 - j of k differ; the bits below say how far k / 2^j is
from a whole number, d = 0 .. 1/2. A potential, the cost if only zeros followed, makes zeros that
meet zeros free. UNITS has the costs by three more bits g, rounded down.

If one of a and b is 0, then l tells k, and LP is at most the largest P_c(k) times the square root
of the other two: the cost of c counts twice.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from math import floor, inf, log2, pi, tan

import numpy as np
from numpy.typing import NDArray

from manyfish_lab.pht_differences import BITS

UNIT = 0.28
MOST = 9  # units of a bit, at most
Step = tuple[int, ...]  # the bit of the mask, g, and the three g before it


def _cost(bit: int, g: int, d: float) -> float:
    """A step from the distance d, by the bit of the mask and that of the frequency."""
    if not bit:
        return 2 * log2((1 - d) / d) if g and d else inf if g else 0.0
    off = tan(pi * d / 2)
    if not g:
        return -2 * log2(off) if d else inf
    return 2 * log2(off * (1 - d) / d) if d else 2 * log2(pi / 2)


def _units(bit: int, g: int, *before: int) -> int:
    """All costs fall with d, so its largest value counts."""
    ends = [0.0, 0.5]
    for last in reversed(before):
        ends = [(1 - d) / 2 if last else d / 2 for d in ends]
    return min(MOST, floor(_cost(bit, g, max(ends)) / UNIT + 1e-9))


UNITS = {step: _units(*step) for step in product((0, 1), repeat=5)}


def step_units(j: int, step: Step) -> int:
    """The units of bit j. The lowest ones pay for zeros that never follow."""
    bit, g = step[:2]
    if j == 0 and bit == g:
        return 0
    return max(0, UNITS[step] - (j == 1 and g))


def units(mask: int, k: int, bits: int = BITS) -> int | None:
    """At most the cost of a frequency; None if the mask does not have it."""
    flips = [(k >> i ^ k << 1 >> i) & 1 for i in range(bits)]
    chosen = [mask >> bits - 1 - i & 1 for i in range(bits)]
    if [*chosen, 1].index(1) != [*flips, 1].index(1):
        return None
    before = ([0] * n + flips for n in (1, 2, 3))
    steps = zip(reversed(range(bits)), zip(chosen, flips, *before))
    return sum(step_units(j, step) for j, step in steps)


def mean(a: int, b: int, c: int, e: int, bits: int = BITS) -> float:
    """LP, by an automaton over all carries and the last bit of u."""
    state = np.zeros((2,) * 7)
    state[(0,) * 7] = 1
    for i in range(bits):
        after = np.zeros_like(state)
        here = [word >> i & 1 for word in (a, b, c, e)]
        for first, second, before, t, u in product((0, 1), repeat=5):
            v, w = first + t + u, second + t + before
            part = state[first, second, before] / 4
            shifts = zip(here, (t, u, v & 1, w & 1))
            after[v >> 1, w >> 1, u] += np.einsum(
                "abcd,ai,bj,ck,dl->ijkl", part, *(_shifted(*each) for each in shifts)
            )
        state = after
    return float(state.sum())


@cache
def _shifted(bit: int, shift: int) -> NDArray[np.float64]:
    """[carry, carry after]: a bit of A_m, for a bit of the mask and one of the shift."""
    result = np.zeros((2, 2))
    for carry, x in product((0, 1), repeat=2):
        total = x + shift + carry
        result[carry, total >> 1] += (-1) ** (bit & (x ^ total)) / 2
    return result
