# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Linear masks through rounds of Twofish, as a formula for a SAT solver.

Masks go as differences do, with their ends exchanged: a round is active if a mask chooses bits of
F, and its masks of R0, R1 are added to the other half. An active S-box takes each mask to each.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import log2

from manyfish_lab import pht_masks, twofish
from manyfish_lab.pht_differences import BITS
from manyfish_lab.pht_masks import MOST, step_units
from manyfish_lab.trails import BYTES, Model, Pair, Round, Step, Word, rotated

TINY = 2.0**-45  # less is lost in rounding


class MaskStep(Step):
    """A round's masks."""

    def weight(self) -> float | None:
        """-log2 of the mean squared correlation of the masks of T and F; None if it is tiny."""
        mean = pht_masks.mean(*self.T, *self.F)
        return -log2(mean) if mean > TINY else None


class MaskModel(Model):
    """Some rounds; the pattern has 1 for an active round, 0 for one without a mask of F."""

    def _round(self, right: Pair) -> Round:
        """The masks of R2 and R3 tell those of F0 and F1."""
        return self._function(self._half(), (right[0], rotated(right[1], 1)))

    def _feistel(self, old: Pair, step: Round) -> Pair:
        """The other half was rotated in the round before."""
        new = self._half()
        for i, left in enumerate((-1, 1)):
            for bit, x, y in zip(new[i], rotated(old[i], left), step.R[i]):
                self.formula.even(bit, x, y)
        return new

    def _layer(self) -> tuple[list[Word], Word]:
        """Masks of the outputs of S-boxes, the product of the transposed MDS and that of T."""
        result = self.formula.word(BITS)
        columns = [twofish.mds(1 << i) for i in range(BITS)]
        return _bytes(self._product(columns, _bytes(result))), result

    # --- the PHT and the key addition --------------------------------------------------------

    def _pht(self, T0: Word, T1: Word, F: Pair) -> Sequence[Word]:
        """There are frequencies as in `pht_masks`; their units, bit by bit."""
        zero = self.formula.new()
        self.formula.add(-zero)
        x, y = self._half()
        sums = self._sum_of(x, y, zero), self._sum_of(x, [zero, *y[:-1]], zero)
        c, e, a, b = (self._frequency(*each, zero) for each in zip((*F, T0, T1), (x, y, *sums)))
        return [*c, *e, *a, *b, *self._if(self._one_sided(T0, T1), c)]

    def _one_sided(self, T0: Word, T1: Word) -> int:
        """Holds if one of these has no mask."""
        result = self.formula.new()
        for word in (T0, T1):
            self.formula.add(result, self.formula.any_of(word))
        return result

    def _sum_of(self, x: Word, y: Word, carry: int) -> Word:
        """x + y modulo 2^32."""
        result = self.formula.word(BITS)
        for bits in zip(result, x, y):
            self.formula.even(*bits, carry)
            carry = self._majority(bits[1], bits[2], carry)
        return result

    def _majority(self, *three: int) -> int:
        result = self.formula.new()
        for i in range(3):
            first, second = three[:i] + three[i + 1 :]
            self.formula.add(-first, -second, result)
            self.formula.add(first, second, -result)
        return result

    def _frequency(self, mask: Word, k: Word, zero: int) -> list[Word]:
        flips = [self._differ(*pair) for pair in zip(k, [zero, *k])]
        chosen = mask[::-1]
        self._same_start(chosen, flips)
        before = ([zero] * n + flips for n in (1, 2, 3))
        steps = zip(reversed(range(BITS)), zip(chosen, flips, *before))
        return [self._units(j, step) for j, step in steps]

    def _differ(self, x: int, y: int) -> int:
        result = self.formula.new()
        self.formula.even(result, x, y)
        return result

    def _same_start(self, first: Word, second: Word) -> None:
        """Both words begin with equally many zeros."""
        before: list[int] = []
        for pair in zip(first, second):
            after = self.formula.new()
            for bit in (*pair, *before):
                self.formula.add(-bit, after)
            for bit in pair:
                self.formula.add(-after, bit, *before)
            before = [after]

    def _units(self, j: int, step: Sequence[int]) -> Word:
        count = self.formula.word(MOST)
        self.formula.lower(count)
        for bits in product((0, 1), repeat=len(step)):
            if units := step_units(j, bits):
                clause = [-literal if bit else literal for bit, literal in zip(bits, step)]
                self.formula.add(*clause, count[units - 1])
        return count

    def _if(self, literal: int, counts: Sequence[Word]) -> list[Word]:
        """The counts if it holds."""
        copies = [self.formula.word(len(count)) for count in counts]
        for count, copy in zip(counts, copies):
            for bit, same in zip(count, copy):
                self.formula.add(-literal, -bit, same)
        return copies


def _bytes(word: Word) -> list[Word]:
    return [word[8 * i : 8 * i + 8] for i in range(BYTES)]
