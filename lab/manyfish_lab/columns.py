# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The byte columns of h before the matrix, of which the experiments on keys are made.

Column j of h with k key words takes a byte x to t0[t1[.. tk[x] ^ l(k-1) ..] ^ l0], where l_i is
byte j of L_i and each t_i is q0 or q1 [Twofish98, 4.3.2]. Subkeys 2i and 2i+1 come from A_i and
B_i, whose columns see the inputs 2i and 2i+1 and the key words M0, M2, .. and M1, M3, ..
[Twofish98, 4.3.4]. So a key is cut into eight parts that do not meet before MDS: column j of the
even words is position j, that of the odd words is position 4+j, as the bytes lie before RS.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from manyfish_lab import twofish

# Which q stands at which level of column j; level 0 is the outermost [Twofish98, 4.3.2].
Q_ORDER = ((1, 0, 1, 0), (0, 0, 1, 1), (0, 1, 0, 1), (1, 1, 0, 0), (1, 0, 0, 1))

POSITIONS = range(8)
# h sees 20 inputs of either parity; the first 4 of them are for whitening [Twofish98, 4.3.4].
SUBKEY_PAIRS = 20
ROUNDS_FROM = 4

KEY_BITS = {2: 128, 3: 192, 4: 256}


def tables(position: int, k: int) -> list[NDArray[np.uint8]]:
    """The tables t0 .. tk of a position."""
    q = twofish.q()
    return [q[Q_ORDER[level][position % 4]] for level in range(k + 1)]


def inputs(position: int, first: int = 0, count: int = SUBKEY_PAIRS) -> NDArray[np.uint8]:
    """The bytes that the position sees for the pairs of subkeys i = first, first + 1, .."""
    return np.arange(2 * first, 2 * (first + count), 2, dtype=np.uint8) + np.uint8(position // 4)


def outputs(
    position: int, k: int, key: NDArray[np.uint8], x: NDArray[np.uint8]
) -> NDArray[np.uint8]:
    """Rows of h's bytes before MDS for rows of k key bytes, l0 first."""
    t = tables(position, k)
    y = np.broadcast_to(t[k][x], (len(key), len(x)))
    for level in reversed(range(k)):
        y = t[level][y ^ key[:, level, None]]
    return y


def inside(
    position: int, k: int, inner: NDArray[np.uint8], x: NDArray[np.uint8]
) -> NDArray[np.uint8]:
    """The bytes that l0 is added to, for rows of k - 1 inner key bytes, l1 first."""
    before_t0 = tables(position, k)[0].argsort().astype(np.uint8)
    key = np.hstack([np.zeros((len(inner), 1), np.uint8), inner])
    return before_t0[outputs(position, k, key, x)]


@cache
def differences(which: int) -> NDArray[np.int64]:
    """How often q0 or q1 has an output difference, by input and output difference."""
    q = twofish.q()[which]
    x = np.arange(256)
    count = np.zeros((256, 256), np.int64)
    for d in range(256):
        count[d] = np.bincount(q[x] ^ q[x ^ d], minlength=256)
    count.setflags(write=False)
    return count


def difference_tables(position: int, k: int) -> list[NDArray[np.int64]]:
    """The difference tables of t0 .. tk of a position."""
    return [differences(Q_ORDER[level][position % 4]) for level in range(k + 1)]


def key_of(parts: NDArray[np.uint8]) -> bytes:
    """The key of which row p holds the bytes l0, l1, .. of position p."""
    return parts.T.tobytes()
