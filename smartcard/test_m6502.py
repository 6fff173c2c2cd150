# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Tests of the 6502 programs: a second simulator, and what the build refuses."""

from __future__ import annotations

import random
import tempfile
import unittest
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from machine import ProgramError
from machines import m6502, sim65
from programs import PROGRAMS, Program
from twofish import BLOCK_BYTES, Twofish

OURS = [program for program in PROGRAMS.values() if program.machine == "m6502"]


def opened(program: Program, folder: Path) -> m6502.M6502:
    return m6502.M6502(m6502.build(program, folder))


class Folder(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)


class Sim65(Folder):
    def test_same_results_and_clocks(self) -> None:
        """Each program, each direction, clock for clock."""
        source = random.Random(65)
        for program in OURS:
            key, plain = source.randbytes(program.key_bytes), source.randbytes(BLOCK_BYTES)
            cipher = Twofish(key).encrypt(plain)
            with self.subTest(program.name), closing(opened(program, self.folder)) as machine:
                machine.load(machine.symbols["twofish_key"], key)
                machine.call("twofish_set_key")
                for direction, text, expected in (
                    ("encrypt", plain, cipher),
                    ("decrypt", cipher, plain),
                ):
                    if direction in program.directions:
                        self.compare(machine, f"twofish_{direction}", text, expected)

    def compare(self, machine: m6502.M6502, routine: str, text: bytes, expected: bytes) -> None:
        machine.load(machine.symbols["twofish_text"], text)
        judged = sim65.clocks(machine, routine, expected, self.folder)
        self.assertEqual(machine.call(routine).clocks, judged)

    def test_a_wrong_result_is_seen(self) -> None:
        with closing(opened(OURS[0], self.folder)) as machine:
            machine.load(0, bytes(0x1000))
            with self.assertRaisesRegex(ProgramError, "sim65: status 1"):
                sim65.clocks(machine, "twofish_encrypt", bytes(BLOCK_BYTES), self.folder)


class Build(Folder):
    def test_undocumented_opcodes_are_refused(self) -> None:
        """And those of later processors: the sources ask for the plain 6502."""
        for line in ("lax $12", "stz $12", "bra *", "phx"):
            source = self.folder / "code.s"
            source.write_text(f'.setcpu "6502"\n.segment "CIPHER"\n{line}\n')
            with self.subTest(line), self.assertRaisesRegex(ProgramError, r"code\.s\(3\): Error"):
                m6502.assemble(source, self.folder)

    def test_a_branch_across_pages_is_refused(self) -> None:
        program = replace(PROGRAMS["6502_fly_0tables"], options={"mds_tables": 0, "small": 0})
        refused = 0
        for padding in range(64):
            source = self.folder / "program.s"
            settings = {**m6502.options(program), "padding": padding}
            lines = [f"{name} = {value}" for name, value in settings.items()]
            source.write_text("\n".join([*lines, '.include "twofish.s"']) + "\n")
            try:
                m6502.assemble(source, m6502.SOURCE)
            except ProgramError as error:
                self.assertIn(m6502.CROSSES, str(error))
                refused += 1
        self.assertTrue(0 < refused < 64, refused)

    def test_bytes_elsewhere(self) -> None:
        source = self.folder / "code.s"
        source.write_text('.segment "CIPHER"\nnop\n.segment "SET_KEY"\n.segment "DATA"\nnop\n')
        with self.assertRaisesRegex(ProgramError, "ld65: .*DATA"):
            m6502.assemble(source, self.folder)


if __name__ == "__main__":
    unittest.main()
