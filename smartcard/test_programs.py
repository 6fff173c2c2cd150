# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Every program is built, checked against the model and measured; figures that are stated are true.

Each program has a test of its own for each property, so that a failure names it.
"""

from __future__ import annotations

import functools
import unittest
from collections.abc import Callable, Mapping, Sequence

import claims
import report
from machine import ProgramError, timings
from measure import FULL, Figures, in_parallel
from programs import PROGRAMS, Program
from report import Result, result


@functools.cache
def measured() -> Mapping[str, Sequence[Figures | ProgramError]]:
    """By program, one for each of its tables of clocks. Runs all that is tested here."""
    found: dict[str, list[Figures | ProgramError]] = {}
    for program, figures in in_parallel(list(PROGRAMS.values()), FULL):
        found.setdefault(program.name, []).append(figures)
    return found


@functools.cache
def recorded() -> Mapping[tuple[str, str], Result]:
    return {(found.program.name, found.timing): found for found in report.read()}


@functools.cache
def claims_of(machine: str) -> Sequence[claims.Claim]:
    return claims.checked(claims.sources(machine))


class OneProgram(unittest.TestCase):
    """Filled with a test for each program below."""

    def all_figures(self, program: Program) -> list[Figures]:
        found = []
        for figures in measured()[program.name]:
            if isinstance(figures, ProgramError):
                self.fail(f"{figures.error} ({figures.hint})")
            found.append(figures)
        return found

    def is_right(self, program: Program) -> None:
        """Vectors, random keys and blocks, intact keys, RAM: measuring has checked all of it."""
        for figures in self.all_figures(program):
            self.assertEqual(set(figures.clocks) - {"set_key"}, set(program.directions))
            self.assertEqual("set_key" in figures.clocks, not program.host)

    def has_the_figures_of_results_csv(self, program: Program) -> None:
        for figures in self.all_figures(program):
            now = result(figures)
            then = recorded().get((program.name, figures.timing))
            if then and then.made_by != now.made_by:
                self.skipTest(f"figures of {then.made_by}, and this is {now.made_by}")
            self.assertEqual(then, now, "run make smartcard")

    def reaches_the_paper(self, program: Program) -> None:
        """And our aim. Or says in what it does not, and why; nobody says so of what is reached."""
        found = result(self.all_figures(program)[0])
        if program.paper:
            self.assertEqual(found.key_ram, program.paper.key_ram)
        self.assertEqual(found.misses(), set(program.exceptions), found)

    def costs_what_the_source_says(self, program: Program) -> None:
        figures = self.all_figures(program)[0]
        clocks = {name: profile.clocks for name, profile in figures.profile.items()}
        wrong = [
            sentence
            for claim in claims_of(program.machine)
            if claim.routine in figures.sizes and claim.is_of(program.name)
            for sentence in claims.wrong(claim, figures.sizes, clocks)
        ]
        self.assertEqual(wrong, [])

    def says_which_times_are_constant(self, program: Program) -> None:
        """Measuring fails where a constant time is promised and is none; here none goes unsaid."""
        for figures in self.all_figures(program):
            for routine, (least, most) in figures.clocks.items():
                said = any(p.is_of(program, routine) for p in claims.promises_of(program.machine))
                self.assertEqual(said, least == most, f"`time` in the comment of {routine}")


class Claims(unittest.TestCase):
    """That those of `cost` lines are of something."""

    def test_each_is_of_a_program(self) -> None:
        for machine in claims.SOURCES:
            for claim in claims_of(machine):
                with self.subTest(claim.place):
                    self.assertTrue(
                        any(self.applies(claim, program) for program in PROGRAMS.values())
                    )

    def applies(self, claim: claims.Claim, program: Program) -> bool:
        return claim.is_of(program.name) and any(
            isinstance(figures, Figures) and claim.routine in figures.sizes
            for figures in measured()[program.name]
        )


class Programs(unittest.TestCase):
    """The list of programs, and what is made of their figures."""

    def test_what_is_made_of_results_csv(self) -> None:
        for path, text in report.made_files().items():
            with self.subTest(path.name):
                self.assertEqual(path.read_text(encoding="utf-8"), text, f"run {report.HOW}")

    def test_all_programs_are_recorded(self) -> None:
        all_of_them = [
            (program.name, timing) for program in PROGRAMS.values() for timing in timings(program)
        ]
        self.assertEqual(list(recorded()), all_of_them, "run make smartcard")

    def test_each_stands_beside_a_program(self) -> None:
        for program in PROGRAMS.values():
            self.assertIn(program.beside or program.name, PROGRAMS)

    def test_exceptions_are_of_rows_of_the_paper(self) -> None:
        for program in PROGRAMS.values():
            self.assertTrue(program.paper or program.aim or not program.exceptions, program.name)


def _add(name: str, check: Callable[[OneProgram, Program], None], program: Program) -> None:
    def test(self: OneProgram) -> None:
        check(self, program)

    setattr(OneProgram, f"test_{program.name}_{name}", test)


for _program in PROGRAMS.values():
    for _check in (OneProgram.is_right, OneProgram.has_the_figures_of_results_csv):
        _add(_check.__name__, _check, _program)
    _add("costs_what_the_source_says", OneProgram.costs_what_the_source_says, _program)
    _add("says_which_times_are_constant", OneProgram.says_which_times_are_constant, _program)
    if _program.paper or _program.aim:
        _add("reaches_the_paper", OneProgram.reaches_the_paper, _program)


if __name__ == "__main__":
    unittest.main()
