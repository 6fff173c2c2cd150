#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The matrix can fail: planted programs that err are noticed. Needs no foreign program."""

from __future__ import annotations

import random
import sys
import unittest
from collections.abc import Callable
from pathlib import Path
from unittest import mock

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE / "fixtures")]

import bare  # noqa: E402
import openpgp  # noqa: E402
import page  # noqa: E402
import results  # noqa: E402
from harness import FIXTURES, MODES, THEY_READ, Case, NotRun, Refused, outcome  # noqa: E402
from results import Row  # noqa: E402


def raising(error: Exception) -> Callable[[], None]:
    def call() -> None:
        raise error

    return call


class Outcomes(unittest.TestCase):
    def result(self, action: Callable[[], None], refusal: str | None = None) -> str:
        return outcome(Case(MODES, "", THEY_READ, action, refusal))[0]

    def test_success(self) -> None:
        self.assertEqual(self.result(lambda: None), results.OK)

    def test_success_in_place_of_a_refusal(self) -> None:
        self.assertEqual(self.result(lambda: None, "no"), results.WRONG)

    def test_refusal(self) -> None:
        self.assertEqual(self.result(raising(Refused("no way")), "^no"), results.REFUSES)

    def test_refusal_in_other_words(self) -> None:
        self.assertEqual(self.result(raising(Refused("never")), "^no"), results.WRONG)

    def test_refusal_in_place_of_success(self) -> None:
        self.assertEqual(self.result(raising(Refused("no"))), results.WRONG)

    def test_another_text(self) -> None:
        self.assertEqual(self.result(raising(AssertionError("differs")), "x"), results.WRONG)

    def test_not_run(self) -> None:
        case = Case(MODES, "", THEY_READ, raising(NotRun("no device")), None)
        self.assertEqual(outcome(case), (results.NOT_RUN, "no device"))


def sums(_mode: str, _key: bytes, _iv: bytes, _aad: bytes, data: bytes, encrypting: bool) -> bytes:
    """A cipher that leaves the text alone, with its sum as the tag."""
    tag = bytes([sum(data if encrypting else data[:-1]) % 256])
    if encrypting:
        return data + tag
    if data[-1:] != tag:
        raise Refused("the tag differs")
    return data[:-1]


class Modes(unittest.TestCase):
    """The faults that `bare` notices when both sides are this file."""

    def exchange(self, theirs: bare.Crypt) -> None:
        def ours(message: bare.Message, data: bytes, encrypting: bool) -> bytes:
            return sums("", b"", b"", b"", data, encrypting)

        with mock.patch.object(bare, "ours", ours):
            for step in (bare.they_read, bare.we_read):
                bare.exchange(bare.ALL["ocb"], theirs, step)

    def test_agreement(self) -> None:
        self.exchange(sums)

    def test_another_text(self) -> None:
        def flips(mode: str, *rest: bytes | bool) -> bytes:
            return bytes(255 - octet for octet in sums(mode, *rest))  # type: ignore[arg-type]

        with self.assertRaisesRegex(AssertionError, "seed [0-9]+, key of"):
            self.exchange(flips)

    def test_a_tag_that_nobody_checks(self) -> None:
        def trusts(mode: str, *rest: bytes | bool) -> bytes:
            data = rest[3]
            assert isinstance(data, bytes)
            return sums(mode, *rest) if rest[4] else data[:-1]  # type: ignore[arg-type]

        with self.assertRaisesRegex(AssertionError, "took an altered message"):
            self.exchange(trusts)

    def test_messages_are_made_again_by_their_seed(self) -> None:
        first, second = (list(bare.messages(bare.ALL["ctr"], random.Random(5))) for _ in "ab")
        self.assertEqual(first, second)

    def test_messages_have_the_lengths_of_their_mode(self) -> None:
        for mode in bare.ALL.values():
            for message in bare.messages(mode, random.Random(6)):
                self.assertEqual(len(message.text) % mode.unit, 0)
                self.assertGreaterEqual(len(message.text), mode.least)


class OpenPgp(unittest.TestCase):
    def test_a_reader_that_takes_everything(self) -> None:
        with self.assertRaisesRegex(AssertionError, "took an altered message"):
            openpgp.refuses(lambda message: message, b"message")

    def test_fixtures_that_are_not_there(self) -> None:
        with self.assertRaisesRegex(AssertionError, "no such fixture"):
            openpgp.we_read_fixtures("", "nobody-*.pgp").run()

    def test_every_fixture_is_in_the_list(self) -> None:
        listed = (FIXTURES / "README.md").read_text(encoding="utf-8")
        for file in [*FIXTURES.glob("*.pgp"), *FIXTURES.glob("*.kdbx")]:
            writer = file.stem.split("-")[0 if file.suffix == ".pgp" else -1]
            self.assertIn(f"{writer}", listed, file.name)


class Page(unittest.TestCase):
    def row(self, result: str, direction: str = page.OURS) -> Row:
        what = "RFC 4880: CFB with MDC"
        return Row(
            page.OPENPGP, "x", "X", "1", "s", what, direction, result, "why|so", "2026-01-01"
        )

    def test_verdicts(self) -> None:
        ok, no, skip = (self.row(each) for each in (results.OK, results.REFUSES, results.NOT_RUN))
        found = [page.verdict(rows) for rows in ([], [ok], [no, no], [ok, no], [skip])]
        self.assertEqual(found, ["", "yes", "no", "partly", "not run"])

    def test_a_row_is_on_the_page(self) -> None:
        made = page.page([self.row(results.REFUSES)])
        self.assertIn("| X 1 |  |  | no |  |  |", made)
        self.assertIn("| ours to theirs | refuses: why/so |", made)

    def test_results_with_a_failure_make_no_page(self) -> None:
        with self.assertRaisesRegex(SystemExit, "WRONG"):
            page.page([self.row(results.WRONG)])


if __name__ == "__main__":
    unittest.main()
