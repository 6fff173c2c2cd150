# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Division trails through rounds of Twofish, as integer programs for HiGHS.

A set of texts in which some bits take all values goes through the cipher. A trail follows which
products of bits a monomial of all these bits can come from; an output bit without a trail has the
sum 0 over the set, for every key [TodoMorii16], [Xiang16]. Each rule here allows every transition
that some key has, and perhaps more, so a trail proves nothing.

- An S-box is any permutation of a cell. A product of fewer output bits than it has does not have
  the degree of the whole cell: all bits of a cell give all bits, fewer give any single one.
- MDS is any linear bijection: it keeps the number of bits.
- PHT and the addition of a subkey go bit by bit over their carries, each step by its exact table
  over all bits of the key, as in [Sun17] with whole steps in place of single gates.
- F is a bijection: all its inputs give all its outputs.

Whitening is exclusive or with constants, which moves no sum of an even number of texts.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field

import highspy
import numpy as np
from numpy.typing import NDArray

from manyfish_lab.errors import LabError

Word = list[int]
Step = tuple[tuple[int, ...], ...]  # clauses: variable n + 1 of the step, negative if negated


@dataclass(frozen=True)
class Shape:
    """Bits of a word and of a cell: those of Twofish or of a scale model."""

    word: int
    cell: int

    @property
    def half(self) -> int:
        """Bits of half of a block."""
        return 2 * self.word


TWOFISH = Shape(32, 8)

# --- exact tables of small functions -----------------------------------------------------------


def products(table: Sequence[int], n: int, m: int) -> NDArray[np.bool_]:
    """[k, u]: whether the product of the outputs u has the product of the inputs k in it."""
    values = np.array(table)
    found = np.array([values & u == u for u in range(2**m)]).T.astype(np.uint8)
    for bit in range(n):
        low_high = found.reshape(-1, 2, 2**bit, 2**m)
        low_high[:, 1] ^= low_high[:, 0]
    return found.astype(np.bool_)


def transitions(functions: Sequence[Callable[[int], int]], n: int, m: int) -> NDArray[np.bool_]:
    """[k, u]: u is minimal among those whose product has one with k in it, for some function."""
    found = np.zeros((2**n, 2**m), np.bool_)
    for f in functions:
        found |= products([f(x) for x in range(2**n)], n, m)
    for bit in range(n):
        low_high = found.reshape(-1, 2, 2**bit, 2**m)
        low_high[:, 0] |= low_high[:, 1]
    u = np.arange(2**m)
    below = (u[:, None] & u == u) & (u[:, None] != u)  # [u, v]: v is below u
    minimal: NDArray[np.bool_] = found & ~(found.astype(np.uint8) @ below.T).astype(np.bool_)
    return minimal


def primes(bad: Collection[int], n: int) -> list[tuple[int, int]]:
    """The largest cubes in a set of points: their free bits, and their other bits."""
    found: list[tuple[int, int]] = []
    level = {(0, x) for x in bad}
    while level:
        merged, used = set(), set()
        for free, x in level:
            for bit in (1 << i for i in range(n) if not (free | x) >> i & 1):
                if (free, x | bit) in level:
                    merged.add((free | bit, x))
                    used |= {(free, x), (free, x | bit)}
        found += sorted(level - used)
        level = merged
    return found


def clauses(allowed: NDArray[np.bool_]) -> Step:
    """Clauses that hold for the allowed (k, u) only; k are the first variables."""
    n = allowed.size.bit_length() - 1
    flat = allowed.T.ravel()
    left = set(np.flatnonzero(~flat).tolist())
    every = np.arange(flat.size)
    cubes = [(c, set(every[every & ~c[0] == c[1]].tolist())) for c in primes(left, n)]
    chosen = []
    while left:
        (free, x), points = max(cubes, key=lambda each: len(each[1] & left))
        chosen.append(
            tuple(-(i + 1) if x >> i & 1 else i + 1 for i in range(n) if not free >> i & 1)
        )
        left -= points
    return tuple(chosen)


def rol(word: Word) -> Word:
    """Rotated by one bit to the left; a word begins with its lowest bit."""
    return word[-1:] + word[:-1]


def ror(word: Word) -> Word:
    """To the right."""
    return word[1:] + word[:1]


def pht_step(x: int) -> int:
    """Bits of T0, T1, of T1 one place lower, both carries; to both sums, T1, both carries."""
    t0, t1, lower, c, d = (x >> i & 1 for i in range(5))
    first, second = t0 + t1 + c, t0 + lower + d
    return first & 1 | (second & 1) << 1 | t1 << 2 | first >> 1 << 3 | second >> 1 << 4


def key_step(k: int) -> Callable[[int], int]:
    """A bit and the carry, with a bit of the subkey; to the sum, which has two bits."""
    return lambda x: (x & 1) + (x >> 1) + k


@functools.cache
def pht() -> Step:
    """A bit of PHT."""
    return clauses(transitions([pht_step], 5, 5))


@functools.cache
def key_addition() -> Step:
    """A bit of the addition of an unknown subkey."""
    return clauses(transitions([key_step(0), key_step(1)], 2, 2))


# --- the program -------------------------------------------------------------------------------


@dataclass
class Trails:
    """All trails through rounds, as rows lo <= sum of terms <= hi over variables 0 and 1."""

    shape: Shape
    lo: list[float] = field(default_factory=list)
    hi: list[float] = field(default_factory=list)
    starts: list[int] = field(default_factory=lambda: [0])
    columns: list[int] = field(default_factory=list)
    factors: list[float] = field(default_factory=list)
    n: int = 0

    def new(self, count: int) -> Word:
        """Variables."""
        self.n += count
        return list(range(self.n - count, self.n))

    def row(self, lo: float, terms: Sequence[tuple[int, int]], hi: float) -> None:
        """One row."""
        self.lo.append(lo)
        self.hi.append(hi)
        self.columns += [column for column, _ in terms]
        self.factors += [factor for _, factor in terms]
        self.starts.append(len(self.columns))

    def equal(self, one: Sequence[int], other: Sequence[int]) -> None:
        """Both have as many ones."""
        self.row(0, [(v, 1) for v in one] + [(v, -1) for v in other], 0)

    def step(self, rule: Step, variables: Sequence[int]) -> None:
        """The clauses of a step."""
        for clause in rule:
            terms = [(variables[abs(at) - 1], 1 if at > 0 else -1) for at in clause]
            self.row(1 - sum(factor < 0 for _, factor in terms), terms, np.inf)

    def zero(self) -> int:
        """A variable that is 0."""
        (variable,) = self.new(1)
        self.row(0, [(variable, 1)], 0)
        return variable

    def xor(self, one: Word, other: Word) -> Word:
        """Bit by bit."""
        result = self.new(len(one))
        for a, b, c in zip(one, other, result):
            self.equal([a, b], [c])
        return result

    def copy(self, word: Word) -> tuple[Word, Word]:
        """The same rule backwards."""
        one = self.new(len(word))
        other = self.new(len(word))
        for a, b, c in zip(one, other, word):
            self.equal([a, b], [c])
        return one, other

    def g(self, word: Word) -> Word:
        """S-boxes and MDS: as many ones as S-boxes that are not 0, and more for full ones."""
        cell, result, weight = self.shape.cell, self.new(len(word)), []
        for at in range(0, len(word), cell):
            some, full = self.new(2)
            ones = [(v, 1) for v in word[at : at + cell]]
            self.row(0, [*ones, (some, -1), (full, 1 - cell)], np.inf)
            self.row(-np.inf, [*ones, (some, 1 - cell), (full, -1)], 0)
            weight += [(some, 1), (full, cell - 1)]
        self.row(0, weight + [(v, -1) for v in result], 0)
        return result

    def pht(self, T0: Word, T1: Word) -> tuple[Word, Word]:
        """T0 + T1 and T0 + 2 T1."""
        bits = self.shape.word
        first, second = self.new(bits), self.new(bits)
        carried = [self.zero(), self.zero(), self.zero()]  # T1 one place lower, both carries
        for i in range(bits):
            after = self.new(3)
            self.step(pht(), [T0[i], T1[i], *carried, first[i], second[i], *after])
            carried = after
        self.row(0, [(v, 1) for v in carried], 0)
        return first, second

    def add_key(self, word: Word) -> Word:
        """The addition of a subkey."""
        result, carry = self.new(len(word)), self.zero()
        for bit, into in zip(word, result):
            (after,) = self.new(1)
            self.step(key_addition(), [bit, carry, into, after])
            carry = after
        self.row(0, [(carry, 1)], 0)
        return result

    def F(self, R0: Word, R1: Word) -> tuple[Word, Word]:
        """The round function."""
        cell, half = self.shape.cell, self.shape.half
        T0, T1 = self.g(R0), self.g(R1[-cell:] + R1[:-cell])
        F0, F1 = map(self.add_key, self.pht(T0, T1))
        (full,) = self.new(1)
        self.row(-np.inf, [(v, 1) for v in R0 + R1] + [(full, -1)], half - 1)
        self.row(0, [(v, 1) for v in R0 + R1] + [(full, -half)], np.inf)
        self.row(0, [(v, 1) for v in F0 + F1] + [(full, -half)], np.inf)
        return F0, F1

    def encrypt(self, state: Sequence[Word]) -> list[Word]:
        """A round with its swap; the left half goes into F."""
        F0, F1, *kept = self._branch(state)
        first, second = self.xor(state[2], F0), self.xor(rol(state[3]), F1)
        return [ror(first), second, *kept]

    def decrypt(self, state: Sequence[Word]) -> list[Word]:
        """A round of decryption, with the halves exchanged: the rotations are the other way."""
        F0, F1, *kept = self._branch(state)
        first, second = self.xor(rol(state[2]), F0), self.xor(state[3], F1)
        return [first, ror(second), *kept]

    def _branch(self, state: Sequence[Word]) -> tuple[Word, Word, Word, Word]:
        """F of the left half, and the left half."""
        (in0, R0), (in1, R1) = map(self.copy, state[:2])
        F0, F1 = self.F(in0, in1)
        return F0, F1, R0, R1

    def solve(
        self, fixed: dict[int, int], one_of: Sequence[int]
    ) -> tuple[NDArray[np.int64] | None, int]:
        """A trail with these values, and a single 1 among the others, or None; and the nodes."""
        lower, upper = np.zeros(self.n), np.ones(self.n)
        for variable, value in fixed.items():
            lower[variable] = upper[variable] = value
        solver = highspy.Highs()
        solver.silent()
        solver.setOptionValue("threads", 1)
        solver.passModel(self._program(lower, upper))
        solver.addRow(1, 1, len(one_of), np.array(one_of, np.int32), np.ones(len(one_of)))
        solver.run()
        status, nodes = solver.getModelStatus(), int(solver.getInfo().mip_node_count)
        if status == highspy.HighsModelStatus.kInfeasible:
            return None, nodes
        if status != highspy.HighsModelStatus.kOptimal:
            raise LabError(f"HiGHS stopped: {solver.modelStatusToString(status)}")
        trail = np.rint(solver.getSolution().col_value).astype(np.int64)
        if not self.holds(trail) or trail[one_of].sum() != 1:
            raise LabError("HiGHS gave a trail that breaks a rule")
        return trail, nodes

    def _program(self, lower: NDArray[np.float64], upper: NDArray[np.float64]) -> highspy.HighsLp:
        program = highspy.HighsLp()
        program.num_col_, program.num_row_ = self.n, len(self.lo)
        program.col_cost_ = np.zeros(self.n)
        program.col_lower_, program.col_upper_ = lower, upper
        program.row_lower_, program.row_upper_ = np.array(self.lo), np.array(self.hi)
        matrix = program.a_matrix_
        matrix.format_ = highspy.MatrixFormat.kRowwise
        matrix.start_, matrix.index_ = np.array(self.starts), np.array(self.columns)
        matrix.value_ = np.array(self.factors, np.float64)
        program.integrality_ = [highspy.HighsVarType.kInteger] * self.n
        return program

    def holds(self, trail: NDArray[np.int64]) -> bool:
        """Whether all rows hold, in whole numbers."""
        terms = np.array(self.factors, np.int64) * trail[self.columns]
        sums = np.add.reduceat(terms, self.starts[:-1])
        return bool((sums >= np.array(self.lo)).all() and (sums <= np.array(self.hi)).all())


# --- sets of texts -----------------------------------------------------------------------------


Round = Callable[[Trails, Sequence[Word]], list[Word]]


@dataclass(frozen=True)
class Texts:
    """The bits of both halves that take all values; the left half goes into F first.

    Bit n is bit n % 32 of the half's word n // 32.
    """

    left: frozenset[int]
    right: frozenset[int]


@functools.cache
def _through(shape: Shape, step: Round, rounds: int) -> tuple[Trails, list[int], list[int]]:
    trails = Trails(shape)
    state = [trails.new(shape.word) for _ in range(4)]
    first = [v for word in state for v in word]
    for _ in range(rounds):
        state = step(trails, state)
    return trails, first, [v for word in state for v in word]


def balanced(
    shape: Shape,
    texts: Texts,
    rounds: int,
    outputs: Collection[int],
    step: Round = Trails.encrypt,
) -> tuple[list[int], int]:
    """The outputs without a trail, and the nodes of all searches.

    Outputs are bits of the right half after the last round, which are words 0 and 1 of the
    ciphertext, or of the plaintext with `Trails.decrypt`: the left half of the round before. So the
    last round is free.
    """
    trails, first, last = _through(shape, step, rounds - 1)
    half = shape.half
    fixed = {v: int(n in texts.left) for n, v in enumerate(first[:half])}
    fixed |= {v: int(n in texts.right) for n, v in enumerate(first[half:])}
    fixed |= dict.fromkeys(last[half:], 0)
    left, nodes = set(outputs), 0
    while left:
        others = {last[n]: 0 for n in range(half) if n not in left}
        trail, count = trails.solve(fixed | others, [last[n] for n in sorted(left)])
        nodes += count
        if trail is None:
            break
        left -= {n for n in left if trail[last[n]]}
    return sorted(left), nodes
