# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Formulas for SAT solvers: clauses over numbered variables, sums modulo 2, and counters.

A literal is the number of a variable, or minus it. The counters only count up: a solution may set
their outputs too high, never too low. That is all that an upper limit of a sum needs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise, product

Literals = Sequence[int]
XOR_SIZE = 5  # literals of a sum modulo 2 that is written as clauses


class Formula:
    """Clauses, all of which are to hold."""

    def __init__(self) -> None:
        self.variables = 0
        self.clauses: list[tuple[int, ...]] = []

    def new(self) -> int:
        """A variable."""
        self.variables += 1
        return self.variables

    def word(self, size: int) -> list[int]:
        """Variables of a word, bit 0 first."""
        return [self.new() for _ in range(size)]

    def add(self, *clause: int) -> None:
        """One of these literals holds."""
        self.clauses.append(clause)

    def even(self, *literals: int) -> None:
        """The sum of these is 0 modulo 2. Long sums are cut."""
        rest = list(literals)
        while len(rest) > XOR_SIZE:
            part, cut = rest[: XOR_SIZE - 1], self.new()
            self._even(*part, cut)
            rest = [*rest[XOR_SIZE - 1 :], cut]
        self._even(*rest)

    def _even(self, *literals: int) -> None:
        for signs in product((1, -1), repeat=len(literals)):
            if signs.count(-1) % 2:
                self.add(*(sign * literal for sign, literal in zip(signs, literals)))

    def any_of(self, literals: Literals) -> int:
        """A literal that holds if and only if one of these does."""
        result = self.new()
        self.add(-result, *literals)
        for literal in literals:
            self.add(-literal, result)
        return result

    def at_least(self, literals: Literals, limit: int) -> list[int]:
        """Outputs 1, 2, .. limit: output k holds if k of the literals do."""
        return self.total([[literal] for literal in literals], limit)

    def total(self, counts: Sequence[Literals], limit: int) -> list[int]:
        """The same for the sum of such counts."""
        if len(counts) <= 1:
            return [literal for count in counts for literal in count[:limit]]
        middle = len(counts) // 2
        left, right = (self.total(half, limit) for half in (counts[:middle], counts[middle:]))
        return self.sum_of(left, right, limit)

    def sum_of(self, left: Literals, right: Literals, limit: int) -> list[int]:
        """The same for two."""
        result = self.word(min(len(left) + len(right), limit))
        for i, j in _sizes(len(left), len(right)):
            reached = [-count[k - 1] for count, k in ((left, i), (right, j)) if k]
            if reached:
                self.add(*reached, result[min(i + j, len(result)) - 1])
        return result

    def largest_of(self, counts: Sequence[Literals]) -> list[int]:
        """The same for the largest of some counts."""
        result = self.word(max(map(len, counts)))
        for count in counts:
            for ours, theirs in zip(result, count):
                self.add(-theirs, ours)
        return result

    def lower(self, counts: Literals) -> None:
        """Output k implies all below it: needed where clauses other than sums set outputs."""
        for below, above in pairwise(counts):
            self.add(-above, below)

    def dimacs(self) -> str:
        """As solvers read it."""
        lines = [f"p cnf {self.variables} {len(self.clauses)}"]
        lines += [" ".join(map(str, clause)) + " 0" for clause in self.clauses]
        return "\n".join(lines) + "\n"


def _sizes(left: int, right: int) -> Iterator[tuple[int, int]]:
    return product(range(left + 1), range(right + 1))
