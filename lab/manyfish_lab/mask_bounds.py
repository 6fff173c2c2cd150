# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The largest LP of the masks of T, over all masks of F, where only one of T0 and T1 has a mask a.

In the words of `pht_masks`, LP is then the sum over k of P_c(k) P_e(k) P_a(k), or the same with
P_c(2k). By Cauchy's inequality the largest sum of the squares of one of them, times P_a, bounds it.
If c may differ from path to path, each bit has the better of cos^2 and sin^2; that of the lowest
bit is left out, since P_c(2k) lacks it. The sum is computed from the lowest bit up, for all d
in cells, and in each cell with the worse of its ends.

If both have a mask, LP is at most the product of the largest P_a and P_b. The cube of the largest
P_a is a term of the sum with c = a, so two thirds of the least cost are a bound.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from manyfish_lab import twofish
from manyfish_lab.f_bounds import of_places
from manyfish_lab.gf256 import sums
from manyfish_lab.linear import BITS, Map, Words, apply, images, inverse

Shares = NDArray[np.float64]
CHUNK = 1 << 12
CELLS = {1: 256, 2: 32}  # by the number of S-boxes: with two there are more words
ONE = np.uint32(1)


def transposed(of: Map) -> Map:
    """The masks of inputs by those of outputs."""
    return [sum((image >> i & 1) << o for o, image in enumerate(of)) for i in range(BITS)]


def masks(places: tuple[int, ...]) -> Words:
    """Those of T for which only these S-boxes have a mask, and all of them do."""
    by = inverse(transposed(images(twofish.mds)))
    columns = [np.arange(1, 256, dtype=np.uint32) << np.uint32(8 * i) for i in places]
    return apply(by, sums(*columns).ravel())


def least(boxes: int) -> float:
    """The least cost of the carries with one or two active S-boxes."""
    costs = [cost(masks(places), CELLS[boxes]) for places in of_places(boxes)]
    alone = min(float(each.min()) for each in costs)
    return alone if boxes == 1 else min(alone, 2 / 3 * least(1))


def cost(words: Words, cells: int) -> Shares:
    """-log2 of the bound for each mask."""
    return np.concatenate([_cost(words[i : i + CHUNK], cells) for i in range(0, len(words), CHUNK)])


def _cost(words: Words, cells: int) -> Shares:
    """The highest bit of a mask leads from d = 0 to 1/2, and so does the last cell."""
    index = np.arange(cells)
    near = np.cos(np.pi * index / cells / 4) ** 2
    far = np.sin(np.pi * (index + 1) / cells / 4) ** 2
    left = np.ones((len(words), cells))
    result = np.ones(len(words))
    for j in range(BITS):
        rest = words >> np.uint32(j)
        result[rest == ONE] = left[rest == ONE, -1]
        halved, other = left[:, index // 2], left[:, (2 * cells - 1 - index) // 2]
        fits = np.where((rest & ONE)[:, None], other, halved)
        left = (near**2 if j else 1) * (near * fits + far * (halved + other - fits))
    return -np.log2(result)
