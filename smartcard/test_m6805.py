# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Tests of the 6805's cards by tools of others: dasm knows no MUL, uCsim has its own 6805.

test_cards.py has the tests that cards of all machines share.
"""

from __future__ import annotations

import os
import unittest
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from cards import CARDS, Card
from machine import BUILD, CardError
from machines import dasm, m6805, ucsim
from machines.routine_sizes import sizes
from test_sim6805 import intel_hex

KEYS = 2  # of each card in uCsim


def cards() -> list[Card]:
    return [card for card in CARDS.values() if card.machine == "m6805"]


def image(card: Card) -> m6805.Image:
    folder = BUILD / card.name / "tools"
    folder.mkdir(parents=True, exist_ok=True)
    return m6805.build(card, folder)


def check_in_ucsim(card: Card) -> None:
    ucsim.check(card, image(card), KEYS)


class Cards(unittest.TestCase):
    def test_pure_6805(self) -> None:
        for card in cards():
            with self.subTest(card.name):
                dasm.check(image(card))

    def test_ucsim(self) -> None:
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for card, checked in [(card, pool.submit(check_in_ucsim, card)) for card in cards()]:
                with self.subTest(card.name):
                    checked.result()


class Sizes(unittest.TestCase):
    """Of macros with two definitions, of macros and loops in macros, and of a routine."""

    SOURCE = """
    .macro one
    .ifeq 1
    nop
    .endif
    nop
    .endm
    .ifeq 0
    .macro two
    nop
    one
    .endm
    .else
    .macro two
    nop
    .endm
    .endif
    .macro twice
    .irp i, 1, 2
    two
    one
    .endm
    nop
    .endm
    .macro differs n
    .ifne n
    nop
    .endif
    nop
    .endm
; start - one of each
start:
    two
    twice
    differs 0
    differs 1
    rts
"""

    def test_of_each(self) -> None:
        with TemporaryDirectory() as folder:
            source = Path(folder) / "card.asm"
            areas = "".join(f"\t.area {area}\n" for area in m6805.AREAS)
            source.write_text(f"\t.6805\n{areas}\t.area CIPHER{self.SOURCE}")
            found = sizes(m6805.assemble(source, m6805.ROM, Path(folder)).listing)
        self.assertEqual(found, {"one": 1, "two": 2, "twice": 7, "start": 2 + 7 + 1 + 2 + 1})


class Planted(unittest.TestCase):
    """The checks find a fault that is put into a card."""

    def test_mul(self) -> None:
        card = cards()[0]
        with TemporaryDirectory() as folder:
            source = Path(folder) / "card.asm"
            good = image(card)
            text = good.ihx.with_suffix(".asm").read_text()
            source.write_text(text + "\t.area CIPHER\n\tmul\n")
            bad = m6805.assemble(source, good.rom, m6805.SOURCE)
            with self.assertRaisesRegex(CardError, "Unknown Mnemonic 'mul'"):
                dasm.check(bad)

    def test_tables(self) -> None:
        card = cards()[0]
        good = image(card)
        tables = range(good.rom, good.rom + good.sizes["TABLES"])
        changed = {at: bytes([byte ^ (at in tables)]) for at, byte in good.bytes().items()}
        with TemporaryDirectory() as folder:
            ihx = Path(folder) / "card.ihx"
            ihx.write_text(intel_hex(changed))
            with self.assertRaisesRegex(CardError, f"shc08: {card.name}: encrypt gave"):
                ucsim.check(card, replace(good, ihx=ihx), 1)

    def test_no_return(self) -> None:
        """A routine that jumps to itself: the simulator is ended."""
        good = image(cards()[0])
        code = {**good.bytes(), good.symbols["twofish_encrypt"]: 0x20}
        code[good.symbols["twofish_encrypt"] + 1] = 0xFE
        with TemporaryDirectory() as folder:
            ihx = Path(folder) / "card.ihx"
            ihx.write_text(intel_hex({at: bytes([byte]) for at, byte in code.items()}))
            refused = self.assertRaisesRegex(CardError, "did not answer within 1 seconds")
            with ucsim.Shc08(replace(good, ihx=ihx), seconds=1) as simulator, refused:
                simulator.call("twofish_encrypt")


if __name__ == "__main__":
    unittest.main()
