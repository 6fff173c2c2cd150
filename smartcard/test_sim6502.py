# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Tests of the 6502's simulator: every opcode, its clocks, loops counted by hand, what is refused.

ca65 makes the code.
"""

from __future__ import annotations

import random
import subprocess
import tempfile
import unittest
from collections.abc import Iterator, Mapping
from pathlib import Path

import manual_6502 as manual
import sanitized
from machine import Cost
from machines import m6502
from manual_6502 import Instruction, State

CODE = m6502.ROM
RTS_CLOCKS = 6
RETURN = {0x1FE, 0x1FF}  # the return address of a call


def simulator() -> Path:
    return sanitized.program("sim6502", m6502.SIMULATOR)


class Chip(sanitized.Chip):
    """A simulator with an image: bytes at CODE, or what ca65 makes of a text."""

    def __init__(self, code: bytes | str) -> None:
        kept = tempfile.TemporaryDirectory()
        folder = Path(kept.name)
        self.symbols: Mapping[str, int] = {}
        image = folder / "program.bin"
        if isinstance(code, bytes):
            image.write_bytes(code)
        else:
            source = folder / "code.s"
            source.write_text(f'.setcpu "6502"\n.segment "CIPHER"\n{code}.segment "SET_KEY"\n')
            self.symbols = m6502.assemble(source, folder).symbols
        super().__init__([simulator(), "FFF", f"{CODE:X}", image], kept)


class Case:
    """An instruction with random registers and operand, and what is expected of it."""

    def __init__(self, instruction: Instruction, source: random.Random) -> None:
        self.instruction = instruction
        a, x, y, m = (
            source.choice([0, 1, 0x7F, 0x80, 0xFF, source.randrange(256)]) for _ in "axym"
        )
        p = source.randrange(256) & (manual.C | manual.Z | manual.I | manual.V | manual.N)
        self.before = State(a, x, y, p, m)
        self.after = State(a, x, y, p, m)
        manual.apply(self.after, instruction)
        self.memory: dict[int, int] = {}
        self.operand = m
        self.crosses = False
        if self.in_memory:
            self._place(source)

    @property
    def in_memory(self) -> bool:
        return self.instruction.mode in manual.IN_MEMORY

    def _place(self, source: random.Random) -> None:
        """Where the operand is, and how the instruction finds it."""
        mode = self.instruction.mode
        index = getattr(self.before, manual.INDEX[mode]) if mode in manual.INDEX else 0
        self.at = (
            source.randrange(256) if mode in manual.ZERO_PAGE else source.randrange(0x300, 0x1000)
        )
        if mode in manual.ZERO_PAGE:
            self.operand = (self.at - index) % 256
        elif mode in ("indx", "indy"):
            self.operand = source.randrange(256)
            pointer = (self.operand + (index if mode == "indx" else 0)) % 256
            base = self.at if mode == "indx" else self.at - index
            self.memory = {pointer: base % 256, (pointer + 1) % 256: base // 256}
            self.crosses = mode == "indy" and base // 256 != self.at // 256
        else:
            self.operand = self.at - index
            self.crosses = self.operand // 256 != self.at // 256
        self.memory[self.at] = self.before.M

    def text(self) -> str:
        operand = manual.SYNTAX[self.instruction.mode].format(self.operand)
        return f"{self.instruction.name} {operand}\nrts\n"

    def run(self, chip: Chip, start: int) -> Cost:
        chip.forget()
        for at, byte in self.memory.items():
            chip.load(at, bytes([byte]))
        before = self.before
        chip.registers(A=before.A, X=before.X, Y=before.Y, P=before.P)
        return chip.call(start)


def cases(count: int) -> Iterator[Case]:
    source = random.Random(6502)
    for instruction in manual.instructions():
        yield from (Case(instruction, source) for _ in range(count))


class EveryOpcode(unittest.TestCase):
    def test_results_flags_and_clocks(self) -> None:
        found = list(cases(16))
        with Chip("".join(f"case{i}: {case.text()}" for i, case in enumerate(found))) as chip:
            for i, case in enumerate(found):
                with self.subTest(case.instruction, before=case.before, operand=case.operand):
                    cost = case.run(chip, chip.symbols[f"case{i}"])
                    clocks = case.instruction.clocks(case.crosses) + RTS_CLOCKS
                    self.assertEqual(cost, Cost(clocks, 0))
                    self.compare(chip, case)

    def compare(self, chip: Chip, case: Case) -> None:
        after = case.after
        expected = {"A": after.A, "X": after.X, "Y": after.Y, "P": after.P}
        self.assertEqual(chip.registers(), expected)
        self.assertEqual(chip.touched(), RETURN | case.memory.keys())
        if case.in_memory:
            self.assertEqual(chip.dump(case.at, 1)[0], after.M)

    def test_branches(self) -> None:
        """Not taken 2 clocks, taken 3, into another page 4; each goes forward and backward."""
        text = ".res 255\n"
        for name in manual.BRANCHES:  # in each turn 256 bytes
            text += f"{name}_far: rts\n{name}_back: {name} {name}_far\nrts\n"
            text += f"{name}_near: {name} {name}_on\nrts\n{name}_on: nop\nrts\n.res 247\n"
        with Chip(text) as chip:
            for name, (mask, value) in manual.BRANCHES.items():
                for taken in (False, True):
                    with self.subTest(name, taken=taken):
                        chip.registers(P=mask if taken == bool(value) else 0xFF & ~manual.D & ~mask)
                        near = chip.call(chip.symbols[f"{name}_near"]).clocks
                        self.assertEqual(near, RTS_CLOCKS + (3 + 2 if taken else 2))
                        back = chip.call(chip.symbols[f"{name}_back"]).clocks
                        self.assertEqual(back, RTS_CLOCKS + (4 if taken else 2))

    def test_longest_branches(self) -> None:
        """The bytes between are BRK, which would be an error."""
        with Chip(
            "back: rts\n.res 125\nstart: bcs back\nbcc on\n.res 127\non: sec\njmp start\n"
        ) as chip:
            chip.registers(P=0)
            clocks = 2 + 4 + 2 + 3 + 3 + RTS_CLOCKS  # to `on`, which is in the next page, and back
            self.assertEqual(chip.symbols["on"] - chip.symbols["start"], 4 + 127)
            self.assertEqual(chip.call(chip.symbols["start"]), Cost(clocks, 0))

    def test_all_others_are_refused(self) -> None:
        """Not one of 256 is taken for another; those of the stack and of jumps are tried below."""
        tested = {"brk", "jmp $1234", "jmp ($1234)", "jsr $1234", "pha", "php", "pla", "plp"}
        tested |= {"rti", "rts", "sed", "txs"} | {f"{name} *" for name in manual.BRANCHES}
        texts = [case.text().split("\n")[0] for case in cases(1)] + sorted(tested)
        self.assertEqual(len(texts), 151)
        text = "".join(f"op{i}: {line}\n" for i, line in enumerate(texts))
        with Chip(text) as chip:
            legal = {chip.dump(chip.symbols[f"op{i}"], 1)[0] for i in range(len(texts))}
        self.assertEqual(len(legal), 151)
        with Chip(bytes(range(256))) as chip:
            for code in set(range(256)) - legal:
                said = chip.fault(f"call {CODE + code:X}")
                self.assertIn(f"illegal opcode {code:02X} at {CODE + code:04X}", said)

    def test_what_a_program_must_not_meet(self) -> None:
        with Chip(bytes([0xF8, 0x00, 0x40])) as chip:
            self.assertIn("SED before C001: there is no decimal mode", chip.fault("call C000"))
            self.assertIn("BRK before C002: there are no interrupts", chip.fault("call C001"))
            self.assertIn("RTI before C003: there are no interrupts", chip.fault("call C002"))
            self.assertIn("no such register or value", chip.fault("registers P=8"))


class HandCounts(unittest.TestCase):
    """Programs whose clocks were counted with the manual."""

    LOOP = """
start:  ldx #15         ; 2
@next:  lda $7F, x      ; 4 * 15
        clc             ; 2 * 15
        adc #3          ; 2 * 15
        sta $007F, x    ; zero page by itself: 4 * 15
        dex             ; 2 * 15
        bne @next       ; 3 * 14 + 2
        rts             ; 6: 262 in all
"""
    STACK = """
start:  jsr outer       ; 6
        rts             ; 6
outer:  pha             ; 3
        php             ; 3
        jsr inner       ; 6
        lda #0          ; 2
        sec             ; 2
        plp             ; 4
        pla             ; 4
        jmp (vector)    ; 5
inner:  tsx             ; 2
        txs             ; 2
        jmp return      ; 3
return: rts             ; 6; twice, once for outer
vector: .word return
"""

    def test_loop(self) -> None:
        with Chip(self.LOOP) as chip:
            chip.load(0x80, bytes(range(15)))
            self.assertEqual(chip.call(chip.symbols["start"]), Cost(262, 0))
            self.assertEqual(chip.dump(0x80, 15), bytes(range(3, 18)))
            self.assertEqual(chip.touched(), {*range(0x80, 0x8F), *RETURN})

    def test_stack_jumps_and_profile(self) -> None:
        with Chip(self.STACK) as chip:
            at = chip.symbols
            chip.registers(A=0x80, X=0, Y=0, P=manual.V)
            inner = 2 + 2 + 3 + 6
            outer = 3 + 3 + 6 + inner + 2 + 2 + 4 + 4 + 5 + 6
            self.assertEqual(chip.call(at["start"]), Cost(6 + outer + 6, 6))
            after = {"A": 0x80, "X": 0xF7, "Y": 0, "P": manual.N | manual.V}  # of PLA
            self.assertEqual(chip.registers(), after)
            self.assertEqual(chip.touched(), set(range(0x1F8, 0x200)))
            pushed = bytes([manual.V | 0x30, 0x80])
            self.assertEqual(chip.dump(0x1FA, 2), pushed)
            profile = {place: (p.calls, p.clocks) for place, p in chip.profile().items()}
            expected = {"start": (1, 12 + outer), "outer": (1, outer), "inner": (1, inner)}
            self.assertEqual(profile, {at[name]: found for name, found in expected.items()})
            chip.forget()
            self.assertEqual((chip.profile(), chip.touched()), ({}, set()))

    def test_a_pointer_does_not_cross_pages(self) -> None:
        """JMP ($03FF) takes its high byte from 0300."""
        with Chip("start: jmp ($03FF)\n.res 13\ntarget: rts\n") as chip:
            target = chip.symbols["target"]
            chip.load(0x3FF, bytes([target % 256]))
            chip.load(0x300, bytes([target // 256]))
            self.assertEqual(chip.call(chip.symbols["start"]), Cost(5 + RTS_CLOCKS, 0))


class Refused(unittest.TestCase):
    """Things that a real processor would do silently, and must not."""

    TEXT = """
read:   lda $1000
        rts
write:  sta write
        rts
fetch:  jmp $0300
spin:   jmp spin
deep:   jsr deep
pull:   pla
        pla
        pla
end:    nop
"""

    def test_memory_and_stack(self) -> None:
        with Chip(self.TEXT) as chip:
            for name, reason in (
                ("read", "read of 1000, expected an address in RAM or in the image"),
                ("write", "write to C004, expected an address in RAM"),
                ("fetch", "execution of 0300, expected an address in the image"),
                ("spin", "no return after 10000000 clocks, now at C00B"),
                ("deep", "stack overflow before C011, expected at most 255 bytes"),
                ("pull", "pull from an empty stack before C014"),
                ("end", "execution of C015"),
            ):
                with self.subTest(name):
                    self.assertIn(reason, chip.fault(f"call {chip.symbols[name]:X}"))
            self.assertIn("load to C000, expected an address in RAM", chip.fault("load C000 00"))
            self.assertIn("load to 1000,", chip.fault("load FFF 0000"))
            self.assertIn("dump of 1000, expected an address in RAM or", chip.fault("dump 1000 1"))
            self.assertIn("no such register", chip.fault("registers S=1"))
            self.assertIn("no such register or value", chip.fault("registers A=100"))

    def test_a_full_stack_is_none_too_many(self) -> None:
        """255 bytes: the call, and 253 of PHA."""
        text = "start: stx $80\npush: pha\ndex\nbne push\nldx $80\npull: pla\ndex\nbne pull\nrts\n"
        with Chip(text) as chip:
            start = chip.symbols["start"]
            chip.registers(X=253)
            self.assertEqual(chip.call(start).stack, 253)
            chip.registers(X=254)
            self.assertIn("stack overflow", chip.fault(f"call {start:X}"))

    def test_command_line(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            image = Path(folder) / "image"
            image.write_bytes(bytes(256))
            for arguments, status, reason in (
                ((), 2, "usage: sim6502 RAM-LAST ROM-FIRST IMAGE"),
                (("FFF", "C000"), 2, "usage"),
                (("FFF", "10000", image), 2, "usage"),
                (("FFF", "FFF", image), 2, "usage"),
                (("", "C000", image), 2, "usage"),
                (("FFFx", "C000", image), 2, "usage"),
                (("FFF", "FF01", image), 1, "image: cannot be read, or does not fit from FF01"),
                (("FFF", "C000", folder), 1, "cannot be read"),
                (("FFF", "C000", "/dev/null"), 1, "/dev/null: cannot be read"),
                (("FFF", "C000", f"{folder}/no"), 1, "/no: No such file or directory"),
                (("FFF", "FF00", image), 0, ""),
            ):
                with self.subTest(arguments):
                    words = [str(word) for word in (simulator(), *arguments)]
                    done = subprocess.run(words, input="", capture_output=True, text=True)
                    self.assertEqual(done.returncode, status, done.stderr)
                    self.assertIn(reason, done.stderr)


if __name__ == "__main__":
    unittest.main()
