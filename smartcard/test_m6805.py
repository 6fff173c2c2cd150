# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Tests of the 6805's programs by tools of others: dasm knows no MUL, uCsim has its own 6805.

test_programs.py has the tests that programs of all machines share.
"""

from __future__ import annotations

import os
import shutil
import unittest
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest import mock

import measure
from machine import BUILD, ProgramError
from machines import dasm, m6805, ucsim
from machines.routine_sizes import sizes
from programs import PROGRAMS, Program
from test_sim6805 import intel_hex

KEYS = 2  # of each program in uCsim


def programs() -> list[Program]:
    return [program for program in PROGRAMS.values() if program.machine == "m6805"]


def image(program: Program) -> m6805.Image:
    folder = BUILD / program.name / "tools"
    folder.mkdir(parents=True, exist_ok=True)
    return m6805.build(program, folder)


def check_in_ucsim(program: Program) -> None:
    ucsim.check(program, image(program), KEYS)


class Programs(unittest.TestCase):
    def test_pure_6805(self) -> None:
        for program in programs():
            with self.subTest(program.name):
                dasm.check(image(program))

    def test_ucsim(self) -> None:
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for program, checked in [
                (program, pool.submit(check_in_ucsim, program)) for program in programs()
            ]:
                with self.subTest(program.name):
                    checked.result()


class Interrupts(unittest.TestCase):
    """An interrupt pushes 5 bytes below the stack of the moment; README.md says what they hit."""

    FRAME = 5
    CRAMPED = frozenset(
        {
            *("subkeys_2tables", "subkeys_1table", "subkeys_small", "subkeys_unrolled"),
            *("subkeys_2tables_enc", "subkeys_1table_enc", "subkeys_small_enc"),
            *("sboxes_2tables", "sboxes_1table", "sboxes_oncard", "mds", "mds_oncard"),
            "subkeys_fast_key",
        }
    )

    def hits(self, program: Program) -> bool:
        """Whether that is key memory or a working byte, at the deepest stack of any routine."""
        key, plain, _ = measure.random_blocks(program.cipher, program.key_bits, 1)[0]
        with m6805.M6805(image(program), m6805.TIMINGS[0]) as machine:
            session = measure.Session(program, machine, m6805.TIMINGS[0])
            session.set_key(key)
            at = session.text_addresses.start
            called = [] if program.host else ["set_key"]
            depths = []
            for routine in (*called, *program.directions):
                machine.load(at, plain)
                depths.append(machine.call(program.symbol(routine)).stack)
            used = machine.touched() | session.key_addresses
            top = max(machine.ram[0]) + 1 - machine.return_bytes - max(depths)
        return not used.isdisjoint(range(top - self.FRAME, top))

    def test_which_programs_have_room(self) -> None:
        for program in programs():
            with self.subTest(program.name):
                self.assertEqual(self.hits(program), program.name in self.CRAMPED)


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
            source = Path(folder) / "program.asm"
            areas = "".join(f"\t.area {area}\n" for area in m6805.AREAS)
            source.write_text(f"\t.6805\n{areas}\t.area CIPHER{self.SOURCE}")
            found = sizes(m6805.assemble(source, m6805.ROM, Path(folder)).listing)
        self.assertEqual(found, {"one": 1, "two": 2, "twice": 7, "start": 2 + 7 + 1 + 2 + 1})


class Planted(unittest.TestCase):
    """The checks find a fault that is put into a program."""

    def test_mul(self) -> None:
        program = programs()[0]
        with TemporaryDirectory() as folder:
            source = Path(folder) / "program.asm"
            good = image(program)
            text = good.ihx.with_suffix(".asm").read_text()
            source.write_text(text + "\t.area CIPHER\n\tmul\n")
            bad = m6805.assemble(source, good.rom, m6805.SOURCE)
            with self.assertRaisesRegex(ProgramError, "Unknown Mnemonic 'mul'"):
                dasm.check(bad)

    def test_tables(self) -> None:
        program = programs()[0]
        good = image(program)
        tables = range(good.rom, good.rom + good.sizes["TABLES"])
        changed = {at: bytes([byte ^ (at in tables)]) for at, byte in good.bytes().items()}
        with TemporaryDirectory() as folder:
            ihx = Path(folder) / "program.ihx"
            ihx.write_text(intel_hex(changed))
            with self.assertRaisesRegex(ProgramError, f"shc08: {program.name}: encrypt gave"):
                ucsim.check(program, replace(good, ihx=ihx), 1)

    def test_time(self) -> None:
        """A branch in the round that costs 2 clocks where a bit of the text is set."""
        with TemporaryDirectory() as folder:
            sources = Path(folder) / "6805"
            shutil.copytree(m6805.SOURCE, sources)
            source = sources / "stored_one_round.asm"
            text = source.read_text()
            planted = text.replace("round:\n", "round:\n\tbrclr #0,*R0,.+4\n\tnop\n")
            self.assertNotEqual(planted, text)
            source.write_text(planted)
            sentence = r"stored_one_round.asm:\d+: encrypt of eeprom_2tables takes .* is constant"
            with (
                mock.patch.object(m6805, "SOURCE", sources),
                mock.patch.object(measure, "BUILD", Path(folder)),
                self.assertRaisesRegex(ProgramError, sentence),
            ):
                measure.measure(PROGRAMS["eeprom_2tables"], measure.QUICK)

    def test_no_return(self) -> None:
        """A routine that jumps to itself: the simulator is ended."""
        good = image(programs()[0])
        code = {**good.bytes(), good.symbols["twofish_encrypt"]: 0x20}
        code[good.symbols["twofish_encrypt"] + 1] = 0xFE
        with TemporaryDirectory() as folder:
            ihx = Path(folder) / "program.ihx"
            ihx.write_text(intel_hex({at: bytes([byte]) for at, byte in code.items()}))
            refused = self.assertRaisesRegex(ProgramError, "did not answer within 1 seconds")
            with ucsim.Shc08(replace(good, ihx=ihx), seconds=1) as simulator, refused:
                simulator.call("twofish_encrypt")


if __name__ == "__main__":
    unittest.main()
