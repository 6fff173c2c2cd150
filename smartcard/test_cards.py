# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Every card is built, checked against the model and measured; figures that are stated are true.

What a card has is one test for each card, so that a failure names it.
"""

from __future__ import annotations

import functools
import unittest
from collections.abc import Callable, Mapping, Sequence

import claims
import report
from cards import CARDS, Card
from machine import ROOT, CardError, timings
from measure import FULL, Figures, in_parallel
from report import Result, result

SOURCES = {
    "m6805": "6805",
    "avr": "avr",
    "cortex_m0": "cortex-m0",
    "m6502": "6502",
}
ASSEMBLY = {".asm", ".s", ".S"}


@functools.cache
def measured() -> Mapping[str, Sequence[Figures | CardError]]:
    """By card, one for each of its tables of clocks. Runs all that is tested here."""
    found: dict[str, list[Figures | CardError]] = {}
    for card, figures in in_parallel(list(CARDS.values()), FULL):
        found.setdefault(card.name, []).append(figures)
    return found


@functools.cache
def recorded() -> Mapping[tuple[str, str], Result]:
    return {(found.card.name, found.timing): found for found in report.read()}


@functools.cache
def claims_of(machine: str) -> Sequence[claims.Claim]:
    folder = ROOT / "smartcard" / SOURCES[machine]
    return claims.checked(sorted(f for f in folder.glob("*") if f.suffix in ASSEMBLY))


class OneCard(unittest.TestCase):
    """Filled with a test for each card below."""

    def all_figures(self, card: Card) -> list[Figures]:
        found = []
        for figures in measured()[card.name]:
            if isinstance(figures, CardError):
                self.fail(f"{figures.error} ({figures.hint})")
            found.append(figures)
        return found

    def is_right(self, card: Card) -> None:
        """Vectors, random keys and blocks, intact keys, RAM: measuring has checked all of it."""
        for figures in self.all_figures(card):
            self.assertEqual(set(figures.clocks) - {"set_key"}, set(card.directions))
            self.assertEqual("set_key" in figures.clocks, not card.host)

    def has_the_figures_of_results_csv(self, card: Card) -> None:
        for figures in self.all_figures(card):
            now = result(figures)
            then = recorded().get((card.name, figures.timing))
            if then and then.made_by != now.made_by:
                self.skipTest(f"figures of {then.made_by}, and this is {now.made_by}")
            self.assertEqual(then, now, "run make smartcard")

    def reaches_the_paper(self, card: Card) -> None:
        """Or says in what it does not, and why; nobody says so of what is reached."""
        assert card.paper
        found = result(self.all_figures(card)[0])
        self.assertEqual(found.key_ram, card.paper.key_ram)
        self.assertEqual(found.misses(), set(card.exceptions), found)

    def costs_what_the_source_says(self, card: Card) -> None:
        figures = self.all_figures(card)[0]
        clocks = {name: profile.clocks for name, profile in figures.profile.items()}
        wrong = [
            sentence
            for claim in claims_of(card.machine)
            if claim.routine in figures.sizes and claim.is_of(card.name)
            for sentence in claims.wrong(claim, figures.sizes, clocks)
        ]
        self.assertEqual(wrong, [])


class Claims(unittest.TestCase):
    """That those of `cost` lines are of something."""

    def test_each_is_of_a_card(self) -> None:
        for machine in SOURCES:
            for claim in claims_of(machine):
                with self.subTest(claim.place):
                    self.assertTrue(any(self.applies(claim, card) for card in CARDS.values()))

    def applies(self, claim: claims.Claim, card: Card) -> bool:
        return claim.is_of(card.name) and any(
            isinstance(figures, Figures) and claim.routine in figures.sizes
            for figures in measured()[card.name]
        )


class Cards(unittest.TestCase):
    """The list of cards, and what is made of their figures."""

    def test_what_is_made_of_results_csv(self) -> None:
        for path, text in report.made_files().items():
            with self.subTest(path.name):
                self.assertEqual(path.read_text(encoding="utf-8"), text, f"run {report.HOW}")

    def test_all_cards_are_recorded(self) -> None:
        all_of_them = [(card.name, timing) for card in CARDS.values() for timing in timings(card)]
        self.assertEqual(list(recorded()), all_of_them, "run make smartcard")

    def test_each_stands_beside_a_card(self) -> None:
        for card in CARDS.values():
            self.assertIn(card.beside or card.name, CARDS)

    def test_exceptions_are_of_rows_of_the_paper(self) -> None:
        for card in CARDS.values():
            self.assertTrue(card.paper or not card.exceptions, card.name)


def _add(name: str, check: Callable[[OneCard, Card], None], card: Card) -> None:
    def test(self: OneCard) -> None:
        check(self, card)

    setattr(OneCard, f"test_{card.name}_{name}", test)


for _card in CARDS.values():
    for _check in (OneCard.is_right, OneCard.has_the_figures_of_results_csv):
        _add(_check.__name__, _check, _card)
    _add("costs_what_the_source_says", OneCard.costs_what_the_source_says, _card)
    if _card.paper:
        _add("reaches_the_paper", OneCard.reaches_the_paper, _card)


if __name__ == "__main__":
    unittest.main()
