# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Tests of the 6805's simulator: every opcode, clocks, loops counted by hand, what is refused."""

from __future__ import annotations

import random
import subprocess
import tempfile
import unittest
from collections.abc import Mapping, Sequence
from pathlib import Path

import manual_6805 as manual
import sanitized
from machine import Cost, ProgramError
from machines import dasm, listing, m6805
from manual_6805 import OPCODES, Opcode, State

RTS, NOP = 0x81, 0x9D
RTS_CLOCKS, NOP_CLOCKS = 6, 2  # of both processors
RAM = "20-FF,100-1FF"
OPERANDS: list[int] = [
    *range(0x20, 0xFE),
    *range(0x100, 0x200),
]  # RAM but the return address of a call
CODE = 0x400
JUMPS = ("JMP", "JSR", "BSR", "RTS", "RTI", "SWI", "RSP", "STOP", "WAIT")
TIMINGS = {"hc05": manual.hc05_clocks, "hmos": manual.hmos_clocks}


def simulator() -> Path:
    return sanitized.program("sim6805", m6805.SIMULATOR)


def record(address: int, data: bytes, kind: int = 0) -> str:
    body = bytes([len(data)]) + address.to_bytes(2, "big") + bytes([kind]) + data
    return f":{(body + bytes([-sum(body) % 256])).hex().upper()}"


def intel_hex(image: Mapping[int, bytes]) -> str:
    """Of the bytes at each address."""
    records = [
        record(address + i, data[i : i + 16])
        for address, data in image.items()
        for i in range(0, len(data), 16)
    ]
    return "\n".join([*records, record(0, b"", 1)]) + "\n"


class Chip(sanitized.Chip):
    """A simulator with an image that is written here."""

    def __init__(self, image: Mapping[int, bytes], *options: str) -> None:
        folder = tempfile.TemporaryDirectory()
        ihx = Path(folder.name) / "image.ihx"
        ihx.write_text(intel_hex(image))
        super().__init__([simulator(), *options, ihx], folder)


class Case:
    """An opcode, random registers and operand: code that ends with RTS, and what is expected."""

    def __init__(self, opcode: Opcode, source: random.Random, address: int) -> None:
        self.opcode = opcode
        self.address = address
        x = source.choice([0x20, 0x7F, 0x80, 0xFD, source.randrange(0x20, 0xFE)])
        m, a = (source.choice([0, 1, 0x7F, 0x80, 0xFF, source.randrange(256)]) for _ in "ma")
        if opcode.mode != "IX" and opcode.name not in manual.READ_MODIFY_WRITE:
            x = source.choice([x, source.randrange(256)])
        self.before = State.of(a, x, m, source.randrange(32))
        self.at = self._operand_address(source)
        self.code = bytes([opcode.code]) + self._operand()
        self.taken = False
        self.after = State.of(a, x, m, self.before.CC)
        if opcode.mode in ("BTB", "REL"):
            self.taken = manual.taken(self.after, opcode.name)
            self._surround(forward=source.random() < 0.5)
        else:
            manual.apply(self.after, opcode)
            self.code += bytes([RTS])
            self.start = address

    def _operand_address(self, source: random.Random) -> int:
        mode, x = self.opcode.mode, self.before.X
        if mode == "IX":
            return x
        if mode in ("DIR", "BTB", "BSC"):
            return source.randrange(0x20, 0xFE)
        if mode == "IX1":
            return source.choice([at for at in OPERANDS if x <= at < x + 0x100])
        return source.choice([at for at in OPERANDS if at >= x])

    def _operand(self) -> bytes:
        mode = self.opcode.mode
        if mode == "IMM":
            return bytes([self.before.M])
        if mode in ("DIR", "BTB", "BSC"):
            return bytes([self.at])
        if mode == "EXT":
            return self.at.to_bytes(2, "big")
        if mode in ("IX1", "IX2"):
            return (self.at - self.before.X).to_bytes(int(mode[-1]), "big")
        return b""

    def _surround(self, forward: bool) -> None:
        """A target with a NOP more, before and after the branch and its RTS."""
        target = bytes([NOP, RTS])
        offset = 1 if forward else -(len(self.code) + 1 + len(target)) % 256
        self.code = target + self.code + bytes([offset, RTS]) + target
        self.start = self.address + len(target)

    @property
    def uses_memory(self) -> bool:
        return self.opcode.mode not in ("IMM", "INH", "A", "X", "REL")

    def run(self, chip: Chip) -> Cost:
        chip.forget()
        chip.load(self.at, bytes([self.before.M]))
        chip.registers(A=self.before.A, X=self.before.X, CC=self.before.CC)
        return chip.call(self.start)


def cases(count: int, leave_out: Sequence[str] = ()) -> list[Case]:
    """Of each opcode that does not jump; the codes follow each other."""
    source, found, address = random.Random(6805), [], CODE
    for opcode in OPCODES:
        for _ in range(0 if opcode.name in (*JUMPS, *leave_out) else count):
            found.append(Case(opcode, source, address))
            address += len(found[-1].code)
    return found


class EveryOpcode(unittest.TestCase):
    def run_cases(self, timing: str, found: Sequence[Case]) -> None:
        image = {case.address: case.code for case in found}
        with Chip(image, "--ram", RAM, "--timing", timing) as chip:
            for case in found:
                with self.subTest(case.opcode, before=case.before, at=case.at):
                    cost = case.run(chip)
                    clocks = TIMINGS[timing](case.opcode) + RTS_CLOCKS + NOP_CLOCKS * case.taken
                    self.assertEqual(cost, Cost(clocks, 0))
                    self.compare(chip, case)

    def compare(self, chip: Chip, case: Case) -> None:
        expected = {"A": case.after.A, "X": case.after.X, "CC": case.after.CC}
        self.assertEqual(chip.registers(), expected)
        touched = {0xFE, 0xFF}
        if case.uses_memory:
            self.assertEqual(chip.dump(case.at, 1)[0], case.after.M)
            touched.add(case.at)
        self.assertEqual(chip.touched(), touched)

    def test_hc05(self) -> None:
        self.run_cases("hc05", cases(16))

    def test_hmos(self) -> None:
        self.run_cases("hmos", cases(2, leave_out=manual.HC05_ONLY))

    def test_what_is_no_opcode(self) -> None:
        image = {CODE: bytes(range(256))}
        none = set(range(256)) - {opcode.code for opcode in OPCODES}
        hc05_only = {opcode.code for opcode in OPCODES if opcode.name in manual.HC05_ONLY}
        for options, refused in (
            ((), none),
            (("--no-mul",), none | {0x42}),
            (("--timing", "hmos"), none | hc05_only),
        ):
            with Chip(image, *options) as chip:
                for code in refused:
                    said = chip.fault(f"call {CODE + code:X}")
                    self.assertIn(f"illegal opcode {code:02X} at {CODE + code:04X}", said)

    def test_stop_and_wait_end_the_call(self) -> None:
        with Chip({CODE: b"\x8e\x8f"}) as chip:
            self.assertIn("STOP before 0401: no interrupt", chip.fault("call 400"))
            self.assertIn("WAIT before 0402: no interrupt", chip.fault("call 401"))


class Jumps(unittest.TestCase):
    """Code is in page zero too, so that direct and indexed jumps reach it."""

    TARGET = 0x40
    IMAGE: Mapping[int, bytes] = {
        TARGET: bytes([NOP, RTS]),
        0x50: bytes([NOP] * 3 + [0xAD, 0xEB, RTS]),  # 53: BSR TARGET
        **{
            CODE + 16 * i: bytes([16 * group + operation, *operand, RTS])
            for i, (group, operation, operand) in enumerate(
                (group, operation, operand)
                for group, operand in (
                    (0xB, b"\x40"),
                    (0xC, b"\x00\x40"),
                    (0xD, b"\x00\x10"),
                    (0xE, b"\x10"),
                    (0xF, b""),
                )
                for operation in (0xC, 0xD)
            )
        },
    }

    def test_jmp_jsr_and_bsr(self) -> None:
        by_code = {opcode.code: opcode for opcode in OPCODES}
        starts = {at: code[0] for at, code in self.IMAGE.items() if at >= CODE}
        for timing, clocks_of in TIMINGS.items():
            with Chip(self.IMAGE, "--ram", "80-FF", "--timing", timing) as chip:
                for start, code in {**starts, 0x53: 0xAD}.items():
                    opcode = by_code[code]
                    calls = opcode.name != "JMP"
                    chip.registers(X=0x40 if opcode.mode == "IX" else 0x30, CC=0)
                    clocks = clocks_of(opcode) + NOP_CLOCKS + RTS_CLOCKS * (1 + calls)
                    with self.subTest(opcode, timing=timing):
                        self.assertEqual(chip.call(start), Cost(clocks, 2 * calls))
                        self.assertEqual(chip.registers()["CC"], 0xE0)

    def test_farthest_branches(self) -> None:
        """127 bytes forward, to a BRA 128 bytes back, to RTS."""
        image = {CODE: bytes([0x20, 127]), CODE + 3: bytes([RTS]), CODE + 129: b"\x20\x80"}
        with Chip(image) as chip:
            self.assertEqual(chip.call(CODE).clocks, 3 + 3 + RTS_CLOCKS)

    def test_swi_stacks_the_registers_and_rti_takes_them_back(self) -> None:
        """The handler at 500 changes all registers, and takes two clocks more if I is set."""
        handler = bytes([0x2C, 1, NOP, 0x5F, 0x4F, 0x80])  # BMC +1, NOP, CLRX, CLRA, RTI
        image = {CODE: bytes([0x83, RTS]), 0x500: handler, 0xFFFC: b"\x05\x00"}
        for timing, bmc_clrx_clra in (("hc05", 9), ("hmos", 12)):
            with Chip(image, "--timing", timing) as chip:
                chip.registers(A=0x12, X=0x34, CC=0x15)
                clocks = manual.HC05_NAMED if timing == "hc05" else manual.HMOS_NAMED
                own = clocks["SWI"] + clocks["RTI"] + clocks["RTS"]
                cost = chip.call(CODE)
                self.assertEqual(cost, Cost(own + bmc_clrx_clra + NOP_CLOCKS, 5))
                self.assertEqual(chip.registers(), {"A": 0x12, "X": 0x34, "CC": 0xF5})
                self.assertEqual(chip.dump(0xF9, 7).hex(), "f5123404" + "01" + "ffff")

    def test_rti_leaves_the_unused_bits_set(self) -> None:
        handler = bytes([0x3F, 0xF9, 0x80])  # CLR $F9, where the flags are; RTI
        with Chip({CODE: bytes([0x83, RTS]), 0x500: handler, 0xFFFC: b"\x05\x00"}) as chip:
            chip.registers(CC=0x1F)
            chip.call(CODE)
            self.assertEqual(chip.registers()["CC"], 0xE0)

    def test_rsp_empties_the_stack(self) -> None:
        """RSP, then BSR: its return address is where the caller's was, so nothing is left then."""
        with Chip({CODE: bytes([0xAD, 0, 0x9C, 0xAD, 1, RTS, RTS])}) as chip:
            self.assertIn("pull from an empty stack before 0406", chip.fault(f"call {CODE:X}"))
            self.assertEqual(chip.touched(), {0xFC, 0xFD, 0xFE, 0xFF})
            self.assertEqual(chip.dump(0xFE, 2).hex(), "0405")


class HandCounts(unittest.TestCase):
    """Programs whose clocks were counted with the tables of the manuals."""

    #                          HC05               HMOS
    #         LDX #16          2                  2
    # loop    LDA $7F,X        4 * 16 = 64        5 * 16 = 80
    #         ADD #3           2 * 16 = 32        2 * 16 = 32
    #         STA $7F,X        5 * 16 = 80        6 * 16 = 96
    #         DECX             3 * 16 = 48        4 * 16 = 64
    #         BNE loop         3 * 16 = 48        4 * 16 = 64
    #         RTS              6                  6
    #                          280                344
    LOOP = bytes.fromhex("ae10 e67f ab03 e77f 5a 26f7 81")

    def test_loop(self) -> None:
        for timing, clocks in (("hc05", 280), ("hmos", 344)):
            with Chip({CODE: self.LOOP}, "--timing", timing) as chip:
                chip.load(0x80, bytes(range(16)))
                self.assertEqual(chip.call(CODE), Cost(clocks, 0))
                self.assertEqual(chip.dump(0x80, 16), bytes(range(3, 19)))
                self.assertEqual(chip.touched(), {*range(0x80, 0x90), 0xFE, 0xFF})

    #                          HC05               HMOS
    # 400     BSR outer        6                  8
    #         RTS              6                  6
    # 403     JSR inner        6                  8
    #         BSR inner        6                  8
    #         RTS              6                  6
    # 409     BRCLR 0,$80,+1   5, twice           10, twice
    #         NOP              2, the first time  2
    #         BCLR 0,$80       5, twice           7, twice
    #         RTS              6, twice           6, twice
    # inner: first 5 + 2 + 5 + 6 = 18, then 16;   first 10 + 2 + 7 + 6 = 25, then 23
    # outer: 6 + 6 + 6 + 18 + 16 = 52;            8 + 8 + 6 + 25 + 23 = 70
    CALLS = bytes.fromhex("ad01 81 cd0409 ad01 81 018001 9d 1180 81")

    def test_calls_and_profile(self) -> None:
        for timing, top, outer, inner in (("hc05", 64, 52, 18), ("hmos", 84, 70, 25)):
            with Chip({CODE: self.CALLS}, "--timing", timing) as chip:
                chip.load(0x80, b"\x01")
                self.assertEqual(chip.call(CODE), Cost(top, 4))
                profile = {at: (p.calls, p.clocks) for at, p in chip.profile().items()}
                expected = {CODE: (1, top), 0x403: (1, outer), 0x409: (2, inner)}
                self.assertEqual(profile, expected)
                self.assertEqual(chip.touched(), {0x80, *range(0xFA, 0x100)})
                chip.forget()
                self.assertEqual((chip.profile(), chip.touched()), ({}, set()))


class Refused(unittest.TestCase):
    """Things that a real processor would do silently, and must not."""

    def test_memory_that_is_not_there(self) -> None:
        image = {CODE: bytes.fromhex("b610 81 c70400 81 c60500 81 bc30 20fe adfe 9d")}
        with Chip(image) as chip:
            self.assertIn("read of 0010, expected an address in RAM", chip.fault("call 400"))
            self.assertIn("write to 0400, expected an address in RAM", chip.fault("call 403"))
            self.assertIn("read of 0500", chip.fault("call 407"))
            self.assertIn("execution of 0030, expected an address in", chip.fault("call 40B"))
            self.assertIn("no return after 10000000 clocks, now at 040D", chip.fault("call 40D"))
            self.assertIn("stack overflow at 0411, expected at most 64", chip.fault("call 40F"))
            self.assertIn("execution of 0412", chip.fault("call 411"))
            self.assertIn("execution of 0500", chip.fault("call 500"))
            self.assertIn("load to 400, expected an address in RAM", chip.fault("load 400 00"))
            self.assertIn("load to 100,", chip.fault("load FF 0000"))
            self.assertIn("dump of 10, expected an address in RAM or", chip.fault("dump 10 1"))
            self.assertEqual(chip.dump(CODE, 3).hex(), "b61081")

    def test_a_full_stack_is_none_too_many(self) -> None:
        """64 bytes: the call, and 31 BSR to the next instruction."""
        for calls, fits in ((31, True), (32, False)):
            with Chip(
                {CODE: bytes([0xAD, 0] * calls + [NOP]), CODE + 2 * calls + 1: b"\x20\xfe"}
            ) as chip:
                reason = "no return" if fits else "stack overflow"
                self.assertIn(reason, chip.fault(f"call {CODE:X}"))

    def test_calls_that_rsp_forgets(self) -> None:
        """RSP and BSR to it, for ever: the profile has room for what is on the stack only."""
        with Chip({CODE: b"\x9c\xad\xfd"}) as chip:
            self.assertIn("no return after 10000000", chip.fault(f"call {CODE:X}"))
            self.assertEqual(chip.profile()[CODE].clocks, 0)  # of a run that has come to its end

    def test_tst_does_not_write(self) -> None:
        """Of ROM at 40: direct, with an offset, and indexed."""
        image = {0x40: b"\x80", CODE: bytes([0x3D, 0x40, RTS, 0x6D, 0x10, RTS, 0x7D, RTS])}
        with Chip(image, "--ram", "80-FF") as chip:
            for start, x in ((CODE, 0), (CODE + 3, 0x30), (CODE + 6, 0x40)):
                chip.registers(X=x, CC=0)
                chip.call(start)
                self.assertEqual(chip.registers()["CC"], 0xE4)

    def test_protocol(self) -> None:
        with Chip({CODE: bytes([RTS])}) as chip:
            for line, reason in (
                ("", "no command (empty line), expected load, dump, call"),
                ("jump 400", "no command jump"),
                ("call", "wrong number of words, expected: call ADDRESS"),
                ("call 400 1", "wrong number of words"),
                ("call a b c d e f g h i j k l", "wrong number of words"),
                ("call 4g0", "wrong address 4g0, expected a hexadecimal number up to FFFF"),
                ("call -1", "wrong address -1"),
                ("call 10000", "wrong address 10000"),
                ("call 123456789123456789123456789", "wrong address 12345678912345678912,"),
                ("load 20", "wrong number of words, expected: load ADDRESS HEX"),
                ("load 20 1", "wrong byte 1, expected two hexadecimal digits"),
                ("load 20 1x", "wrong byte 1x"),
                ("dump 20 8001", "wrong count 8001, expected a hexadecimal number up to 8000"),
                ("touched 20", "wrong number of words, expected: touched"),
                ("registers A", "wrong word A, expected NAME=HEX"),
                ("registers A=", "wrong word A=, expected NAME=HEX"),
                ("registers Y=1", "no such register or value, expected A, X or CC"),
                ("registers A=100", "no such register or value"),
                ("x" * 100000, "line too long, expected at most 65534 characters"),
            ):
                with self.subTest(line[:40]):
                    self.assertIn(reason, chip.fault(line))
            self.assertEqual(chip.call(CODE), Cost(RTS_CLOCKS, 0))  # all is well after errors

    def run_with(self, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        words = [str(word) for word in (simulator(), *arguments)]
        return subprocess.run(words, input="", capture_output=True, text=True)

    def test_command_line(self) -> None:
        for arguments in (
            (),
            ("--no-mul",),
            ("--timing", "z80", "x.ihx"),
            ("--timing", "x.ihx"),
            ("--ram", "20", "x.ihx"),
            ("--ram", "FF-20", "x.ihx"),
            ("--ram", "20-10000", "x.ihx"),
            ("--ram", "20-FF,", "x.ihx"),
            ("--ram", "20-FFx", "x.ihx"),
            ("x.ihx", "y.ihx"),
        ):
            with self.subTest(arguments):
                done = self.run_with(*arguments)
                self.assertEqual(done.returncode, 2)
                self.assertIn("usage: sim6805 [--timing hc05|hmos]", done.stderr)

    def test_images(self) -> None:
        good = record(CODE, bytes([RTS]))
        end = record(0, b"", 1)
        for text, reason in (
            (f"{good}\n{end}\n", ""),
            (f"{good}\n", "has no end record"),
            ("", "has no end record"),
            (f"{good[:-1]}0\n{end}\n", ":1: no data or end record of Intel HEX"),
            (f"{good}\n:00\n{end}\n", ":2: no data or end record"),
            (f"{good}\n{record(0, b'', 4)}\n{end}\n", ":2: no data or end record"),
            (f"{good}\n{good}\n{end}\n", ":2: these bytes cannot be placed"),
            (f"{record(0x20, b'x')}\n{end}\n", "0020 is RAM, or is twice in the image"),
            ("a" * 600 + "\n", ":1: no data or end record"),
        ):
            with self.subTest(text), tempfile.TemporaryDirectory() as folder:
                ihx = Path(folder) / "image.ihx"
                ihx.write_text(text)
                done = self.run_with(ihx)
                self.assertEqual(done.returncode, 1 if reason else 0, done.stderr)
                self.assertIn(reason, done.stderr)
                missing = self.run_with(Path(folder) / "missing.ihx")
                self.assertIn("missing.ihx: No such file or directory", missing.stderr)
                self.assertEqual(missing.returncode, 1)

    def test_nobody_reads_the_answers(self) -> None:
        with Chip({CODE: bytes([RTS])}) as chip:
            assert chip.process.stdin and chip.process.stdout
            chip.process.stdout.close()
            chip.process.stdin.write("touched\n")
            chip.process.stdin.close()
            self.assertNotEqual(chip.process.wait(), 0)
        with Path("/dev/full").open("w") as full, tempfile.TemporaryDirectory() as folder:
            ihx = Path(folder) / "image.ihx"
            ihx.write_text(intel_hex({CODE: bytes([RTS])}))
            done = subprocess.run([simulator(), ihx], input="touched\n", stdout=full, text=True)
            self.assertEqual(done.returncode, 1)


class Assemblers(unittest.TestCase):
    """sdas6808 knows the 6805's opcodes, and prints the HMOS clocks; dasm knows no MUL."""

    OPERAND_TEXT: Mapping[str, str] = {
        **{"IMM": " #0x12", "DIR": " *0x34", "EXT": " 0x1234", "IX2": " 0x1234,x"},
        **{"IX1": " 0x56,x", "IX": " ,x", "A": "a", "X": "x", "REL": " ."},
    }

    def line(self, opcode: Opcode) -> str:
        if opcode.mode in ("BTB", "BSC"):
            target = ",." if opcode.mode == "BTB" else ""
            return f"{opcode.name[:-1]} #{opcode.name[-1]},*0x34{target}"
        return opcode.name + self.OPERAND_TEXT.get(opcode.mode, "")

    def image(self, folder: str, lines: Sequence[str]) -> m6805.Image:
        source = Path(folder) / "program.asm"
        head = ["\t.title opcodes", "\t.6805", *(f"\t.area {area}" for area in m6805.AREAS)]
        text = "\n".join([*head, "\t.area CIPHER", *(f"\t{line}" for line in lines)])
        source.write_text(text.lower().replace(".area cipher", ".area CIPHER") + "\n")
        return m6805.assemble(source, m6805.ROM, Path(folder))

    def test_opcodes_and_clocks_of_sdas(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            image = self.image(folder, [self.line(opcode) for opcode in OPCODES])
            found = [line for line in listing.read(image.listing) if line.data]
        self.assertEqual([line.data[0] for line in found], [opcode.code for opcode in OPCODES])
        for opcode, line in zip(OPCODES, found):
            if opcode.name not in manual.HC05_ONLY:
                with self.subTest(opcode):
                    self.assertEqual(line.clocks, manual.hmos_clocks(opcode))

    def test_dasm_gives_the_same_bytes(self) -> None:
        pure = [opcode for opcode in OPCODES if opcode.name not in manual.HC05_ONLY]
        with tempfile.TemporaryDirectory() as folder:
            lines = [self.line(opcode) for opcode in pure]
            dasm.check(self.image(folder, [*lines, ".db 1,2,3,4,5,6,7,8,9", "label$: nop"]))

    def test_dasm_refuses_what_the_6805_has_not(self) -> None:
        for name in manual.HC05_ONLY:
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                image = self.image(folder, [".macro planted", name, ".endm", "nop", "planted"])
                with self.assertRaisesRegex(ProgramError, f"Unknown Mnemonic '{name.lower()}'"):
                    dasm.check(image)

    def test_dasm_sees_other_bytes(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            image = self.image(folder, ["lda #1", "rts"])
            image.ihx.write_text(intel_hex({m6805.ROM: b"\xa6\x02\x81"}))
            with self.assertRaisesRegex(ProgramError, "02 at 0101, where dasm has 01"):
                dasm.check(image)

    def test_errors_of_the_assembler_come_with_their_place(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            part = Path(folder) / "part.inc"
            lines = ['.include "part.inc"']
            for text, reason in (
                ("\tnop\n\tmov 1\n", r"part\.inc:2: .*mnemonic error.*: mov 1"),
                ("\tjsr nowhere\n", r"part\.inc:1: undefined symbol.*: jsr nowhere"),
                (
                    "\t.macro bad\n\tfoo 1\n\t.endm\n\tnop\n\tbad\n",
                    r"part\.inc:5: .*: foo 1 \(in a macro\)",
                ),
                ("\t.globl nowhere\n\tjsr nowhere\n", "Undefined Global 'nowhere'"),
                ("\t.area OTHER (REL,CON)\n\tnop\n", "has bytes outside of the areas TABLES"),
            ):
                part.write_text(text)
                with self.subTest(text), self.assertRaisesRegex(ProgramError, reason):
                    self.image(folder, lines)


if __name__ == "__main__":
    unittest.main()
