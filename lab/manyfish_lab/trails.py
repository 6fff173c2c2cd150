# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Differences through rounds of Twofish, as a formula for a SAT solver.

The formula leaves them more freedom than they have: an active S-box takes each difference to each,
and each round has values of its own. So a formula without a solution proves that
there is no such trail, also in real rounds; a solution is checked by `pht_differences`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, product

from manyfish_lab import pht_differences, twofish
from manyfish_lab.cnf import Formula
from manyfish_lab.pht_differences import BITS

BYTES = 4
CARRIES = range(-2, 3)

Word = list[int]
Pair = tuple[Word, Word]
# By value, the literal that holds unless something has this value.
Digit = dict[int, int]
NEVER = 0  # in place of such a literal: it has this value
ZERO: Digit = {0: NEVER}


@dataclass(frozen=True)
class Step:
    """A round's differences: of R0, R1; of T0, T1; of F0, F1."""

    R: tuple[int, int]
    T: tuple[int, int]
    F: tuple[int, int]

    def boxes(self) -> int:
        """The active S-boxes."""
        return sum(bool(word >> 8 * i & 0xFF) for word in self.R for i in range(BYTES))

    def carries(self) -> int:
        """A lower bound of what the carries cost."""
        return pht_differences.limits(*self.T, *self.F)

    def weight(self) -> float | None:
        """-log2 of the probability of F for uniform T; None if F is impossible."""
        return pht_differences.weight(*self.T, *self.F)


@dataclass(frozen=True)
class Round:
    """The literals of a round; `active` are those of the S-boxes of both g.

    `units` are what masks cost between T and F, as counts; differences have none.
    """

    R: Pair
    T: Pair
    F: Pair
    active: tuple[Word, Word]
    units: Sequence[Word]


def rotated(word: Word, left: int) -> Word:
    """A rotation of a word to the left."""
    return [word[(i - left) % BITS] for i in range(BITS)]


class Model:
    """Some rounds; the pattern has 1 for an active round, 0 for one whose F has no difference."""

    def __init__(self, pattern: str) -> None:
        self.formula = Formula()
        self.rounds: list[Round] = []
        right, left = self._half(), self._half()
        for is_active in pattern:
            step = self._round(right)
            self.rounds.append(step)
            self._activity(right, is_active == "1")
            right, left = self._feistel(left, step), right

    def steps(self, holds: Sequence[bool]) -> list[Step]:
        """The differences of a solution: whether each variable holds."""

        def words(pair: Pair) -> tuple[int, int]:
            first, second = (sum(holds[bit] << i for i, bit in enumerate(word)) for word in pair)
            return first, second

        return [Step(words(each.R), words(each.T), words(each.F)) for each in self.rounds]

    def _activity(self, half: Pair, is_active: bool) -> None:
        bits = [*half[0], *half[1]]
        for clause in [bits] if is_active else [[-bit] for bit in bits]:
            self.formula.add(*clause)

    def _half(self) -> Pair:
        return self.formula.word(BITS), self.formula.word(BITS)

    def _feistel(self, old: Pair, step: Round) -> Pair:
        """R2 becomes ROR(R2 ^ F0, 1), R3 becomes ROL(R3, 1) ^ F1."""
        new = self._half()
        for bit, x, y in zip(rotated(new[0], 1), old[0], step.F[0]):
            self.formula.even(bit, x, y)
        for bit, x, y in zip(new[1], rotated(old[1], 1), step.F[1]):
            self.formula.even(bit, x, y)
        return new

    def _round(self, right: Pair) -> Round:
        return self._function(right, self._half())

    def _function(self, R: Pair, F: Pair) -> Round:
        T0, active0 = self._g(R[0])
        T1, active1 = self._g(rotated(R[1], 8))
        return Round(R, (T0, T1), F, (active0, active1), self._pht(T0, T1, F))

    # --- g -----------------------------------------------------------------------------------

    def _g(self, word: Word) -> tuple[Word, Word]:
        """The S-boxes and the MDS matrix."""
        boxes, result = self._layer()
        active = []
        for i, box in enumerate(boxes):
            active.append(self.formula.any_of(word[8 * i : 8 * i + 8]))
            self._equivalent(active[i], box)
        self._branch(active, [self.formula.any_of(result[i : i + 8]) for i in range(0, BITS, 8)])
        return result, active

    def _equivalent(self, literal: int, any_of: Word) -> None:
        self.formula.add(-literal, *any_of)
        for bit in any_of:
            self.formula.add(literal, -bit)

    def _layer(self) -> tuple[list[Word], Word]:
        """Outputs of S-boxes, and their product by MDS."""
        boxes = [self.formula.word(8) for _ in range(BYTES)]
        return boxes, self._product(mds_rows(), boxes)

    def _product(self, rows: Sequence[int], by: Sequence[Word]) -> Word:
        """Equal products of a byte, such as by 5B, are the same literals."""
        made: dict[tuple[int, int], int] = {}
        result = self.formula.word(BITS)
        for bit, row in zip(result, rows):
            masks = [row >> 8 * j & 0xFF for j in range(BYTES)]
            self.formula.even(bit, *(self._parity(made, j, masks[j], by[j]) for j in range(4)))
        return result

    def _parity(self, made: dict[tuple[int, int], int], j: int, mask: int, box: Word) -> int:
        bits = [bit for i, bit in enumerate(box) if mask >> i & 1]
        if len(bits) == 1:
            return bits[0]
        if (j, mask) not in made:
            made[j, mask] = self.formula.new()
            self.formula.even(made[j, mask], *bits)
        return made[j, mask]

    def _branch(self, active: Word, out: Word) -> None:
        """Five active bytes in all, or none. It follows from the rest, and helps the solver."""
        for n in range(1, BYTES + 1):
            for inside in combinations(active, n):
                others = [bit for bit in active if bit not in inside]
                for bit, some in product(inside, combinations(out, n)):
                    self.formula.add(-bit, *others, *some)

    # --- the PHT and the key addition --------------------------------------------------------

    def _pht(self, T0: Word, T1: Word, F: Pair) -> Sequence[Word]:
        """There are digits as `pht_differences.ways` counts them."""
        t, u, v, w = (self._digits(word) for word in (T0, T1, *F))
        self._sum(t, u, v)
        self._sum(t, [ZERO, *u[:-1]], w)
        return ()

    def _digits(self, word: Word) -> list[Digit]:
        digits = []
        for bit in word:
            plus, minus = self.formula.word(2)
            self.formula.add(-bit, plus, minus)
            self.formula.add(-plus, -minus)
            self.formula.add(-plus, bit)
            self.formula.add(-minus, bit)
            digits.append({-1: -minus, 0: bit, 1: -plus})
        return digits

    def _sum(self, x: list[Digit], y: list[Digit], z: list[Digit]) -> None:
        """x + y = z modulo 2^32."""
        carry = ZERO
        for digits in zip(x, y, z):
            after = {value: -self.formula.new() for value in CARRIES}
            for value, unless in carry.items():
                self._carry(digits, value, unless, after)
            carry = after

    def _carry(self, digits: Sequence[Digit], value: int, unless: int, after: Digit) -> None:
        for i, j, k in product(*digits):
            clause = [digits[0][i], digits[1][j], digits[2][k], unless]
            twice = value + i + j - k
            if twice % 2 == 0:
                clause.append(-after[twice // 2])
            self.formula.add(*(literal for literal in clause if literal != NEVER))


def mds_rows() -> list[int]:
    """For each bit of the product, the bits of the input that it is the sum of."""
    columns = [twofish.mds(1 << i) for i in range(BITS)]
    return [sum((column >> o & 1) << i for i, column in enumerate(columns)) for o in range(BITS)]
