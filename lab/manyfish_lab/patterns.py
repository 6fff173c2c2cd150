# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Truncated differences: which bytes of a difference are zero, through the parts of a round.

A pattern of a word has bit i set if byte i of the difference is active (not zero); a half of the
block, two words (a, b), has the pattern a * 2^cells + b. The model takes a Markov chain's freedom:
given its pattern, each active byte of a difference is uniform over its nonzero values, and all
bytes are independent. Within that, probabilities are exact: those of MDS come from the weights of
an MDS code, those of the PHT and the key addition from an automaton over the carries of both texts
of a pair, for uniform words and subkeys.

Cells of fewer bits and words of fewer cells give the same for scale models of Twofish.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.typing import NDArray

Table = NDArray[np.float64]


def weight(pattern: int) -> int:
    """The number of active cells."""
    return pattern.bit_count()


def code_words(q: int, n: int) -> list[int]:
    """How many words of a [2n, n, n+1] MDS code over GF(q) have a given support, by its size."""
    d = n + 1
    return [1] + [
        sum((-1) ** j * comb(w, j) * (q ** (w - d + 1 - j) - 1) for j in range(w - d + 1))
        for w in range(1, 2 * n + 1)
    ]


def mds(bits: int, cells: int) -> Table:
    """Pr(output pattern | input pattern) of an MDS matrix; exact."""
    q, size = 2**bits, 2**cells
    words = code_words(q, cells)
    return np.array(
        [
            [words[weight(a) + weight(b)] / (q - 1) ** weight(a) for b in range(size)]
            for a in range(size)
        ]
    )


# A state of the automaton: the carries of both sums, for both texts, and the bits of T1 that 2 T1
# takes from the position below. The sum of two words and a subkey carries 0 to 2.
_CARRIES = (3, 3, 3, 3, 2, 2)
_STATES = 3**4 * 2**2


def _one_bit() -> Table:
    """Weights of one bit position: differences of T0, T1, F0, F1, state, next state."""
    step = np.zeros((2, 2, 2, 2, _STATES, _STATES))
    for state, (c0, e0, c1, e1, p, r) in enumerate(np.ndindex(*_CARRIES)):
        for t, u, v, w, k0, k1 in itertools.product((0, 1), repeat=6):
            f0, g0 = t + v + k0 + c0, u + w + k0 + e0
            f1, g1 = t + p + k1 + c1, u + r + k1 + e1
            after = (f0 // 2, g0 // 2, f1 // 2, g1 // 2, v, w)
            to = np.ravel_multi_index(after, _CARRIES)
            step[t ^ u, v ^ w, (f0 ^ g0) & 1, (f1 ^ g1) & 1, state, to] += 1 / 16
    return step


def _subsets(table: Table, sign: int) -> Table:
    """Sums over the subsets of the first four axes (sign 1), or back (sign -1)."""
    table = table.copy()
    for axis in range(4):
        view = np.moveaxis(table, axis, 0)
        view[1] += sign * view[0]
    return table


def _one_cell(bits: int) -> Table:
    """The same for a cell whose words are active or not; weights sum to 1 over the outputs."""
    allowed = _subsets(_one_bit(), 1)
    power: Table = allowed
    for _ in range(bits - 1):
        power = power @ allowed
    cell = _subsets(power, -1)
    active = 2**bits - 1
    cell[1] /= active
    cell[:, 1] /= active
    return cell


def pht(bits: int, cells: int) -> Table:
    """Pr by the patterns of T0, T1, F0, F1, where F0 = T0 + T1 + K, F1 = T0 + 2 T1 + K'."""
    cell = _one_cell(bits).reshape(16, _STATES, _STATES)
    ways = np.zeros((1, _STATES))
    ways[0, 0] = 1
    for _ in range(cells):
        ways = np.stack([ways @ c for c in cell], axis=1).reshape(-1, _STATES)
    size = 2**cells
    result = np.zeros((size,) * 4)
    digits = np.arange(16**cells)
    where = [np.zeros_like(digits) for _ in range(4)]
    for i in range(cells):
        digit = digits >> 4 * (cells - 1 - i) & 15
        for word in range(4):
            where[word] |= (digit >> (3 - word) & 1) << i
    result[tuple(where)] = ways.sum(axis=1)
    return result


def rotation(bits: int, cells: int, left: bool) -> Table:
    """Pr(pattern after | before) of a rotation of a word by one bit."""
    size, active = 2**cells, 2**bits - 1
    # Of an active cell: the bit that leaves is set and others too; only it is; it is not.
    ways = (2 ** (bits - 1) - 1, 1, 2 ** (bits - 1) - 1)
    result = np.zeros((size, size))
    for before in range(size):
        where = [i for i in range(cells) if before >> i & 1]
        for kinds in itertools.product(range(3), repeat=len(where)):
            after, p = 0, 1.0
            for i, kind in zip(where, kinds):
                after |= (kind != 1) << i | (kind != 2) << (i + (1 if left else -1)) % cells
                p *= ways[kind] / active
            result[before, after] += p
    return result


def exclusive_or(bits: int, cells: int) -> Table:
    """Pr[a, b, sum] of the patterns of two words and of their sum."""
    active = 2**bits - 1
    cell = np.zeros((2, 2, 2))
    cell[0, 0, 0] = cell[0, 1, 1] = cell[1, 0, 1] = 1
    cell[1, 1] = 1 / active, (active - 1) / active
    result: Table = np.ones((1, 1, 1))
    for _ in range(cells):
        result = np.kron(cell, result).astype(np.float64)
    return result


@dataclass(frozen=True)
class Model:
    """The patterns of a round.

    F       [half, F0, F1]: what F makes of a half
    first   [F0, R2, R0 after]: ROR(R2 ^ F0, 1)
    second  [F1, R3, R1 after]: ROL(R3, 1) ^ F1
    """

    bits: int
    cells: int
    F: Table
    first: Table
    second: Table

    @property
    def halves(self) -> int:
        """The number of patterns of a half."""
        return int(4**self.cells)

    def weights(self) -> NDArray[np.int64]:
        """The active cells of each half."""
        return np.array([weight(half) for half in range(self.halves)])

    def chance(self) -> Table:
        """Pr[L, R] of the patterns of a uniform difference, as a random permutation has it."""
        q, n = float(2**self.bits), 2 * self.cells
        half = (q - 1) ** self.weights() / q**n
        return np.outer(half, half)

    def rounds(self) -> Table:
        """Pr[L, R, L after] of a round; R after is L."""
        half = np.einsum("luv,urn->lvrn", self.F, self.first, optimize=True)
        both = np.einsum("lvrn,vsm->lrsnm", half, self.second, optimize=True)
        result: Table = both.reshape((self.halves,) * 3)
        return result

    def steps(self) -> Table:
        """The same of the best single pattern between F and the XOR, as a path has it."""
        size = 2**self.cells
        half = np.zeros((self.halves, size, size, size))
        for u in range(size):
            way = self.F[:, u, :, None, None] * self.first[u][None, None]
            np.maximum(half, way, out=half)
        best = np.empty((self.halves,) + (size,) * 4)
        for to, ways in zip(best, half):  # one half at a time, which a cache holds
            np.max(ways[:, :, None, :, None] * self.second[:, None, :, None, :], axis=0, out=to)
        return best.reshape((self.halves,) * 3)


def model(bits: int = 8, cells: int = 4) -> Model:
    """The model of Twofish, or of a scale model of it."""
    g, size = mds(bits, cells), 2**cells
    turned = [(a << 1 | a >> (cells - 1)) % size for a in range(size)]
    F = np.einsum("ax,by,xyuv->abuv", g, g[turned], pht(bits, cells), optimize=True)
    xor = exclusive_or(bits, cells)
    return Model(
        bits,
        cells,
        F.reshape(size * size, size, size),
        np.einsum("rfx,xn->frn", xor, rotation(bits, cells, left=False)),
        np.einsum("rx,xfn->frn", rotation(bits, cells, left=True), xor),
    )


def propagate(distribution: Table, rounds: Table) -> Table:
    """A round later: distributions over [.., L, R]."""
    return np.stack(
        [distribution[..., left, :] @ step for left, step in enumerate(rounds)], axis=-1
    )


def best_paths(
    start: Table, steps: Table, rounds: int, allowed: Table | None = None
) -> list[Table]:
    """The probability of the best path to each state [L, R] after 0, 1, .. rounds."""
    reached = [start if allowed is None else start * allowed]
    for _ in range(rounds):
        lefts = [(row[:, None] * step).max(axis=0) for row, step in zip(reached[-1], steps)]
        after = np.array(lefts).T
        reached.append(after if allowed is None else after * allowed)
    return reached


def path_to(reached: list[Table], steps: Table, last: tuple[int, int]) -> list[tuple[int, int]]:
    """The states of the best path to a state, from the first on."""
    path = [last]
    for before in reversed(reached[:-1]):
        after, left = path[0]
        path.insert(0, (left, int((before[left] * steps[left, :, after]).argmax())))
    return path
