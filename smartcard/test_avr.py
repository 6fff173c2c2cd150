# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The AVR's simulator, and its functions for C: twofish.h and the example of it.

The programs are tested by test_programs.py.
"""

from __future__ import annotations

import random
import re
import shutil
import subprocess
import tempfile
import unittest
from collections.abc import Mapping, Sequence
from pathlib import Path

from machine import ProgramError, Simulator, run_tool
from machines import avr
from machines.shares import joined
from programs import PROGRAMS, Program
from twofish import Twofish

REGISTER_1, TEXT_POINTER = 1, 24
KEPT = (*range(2, 18), 28, 29)
TOP = avr.RAM.stop - 1  # where the stack begins


class Folder(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def simulator(self, image: Path) -> Simulator:
        simulator = Simulator([avr.sim_avr(), image])
        self.addCleanup(simulator.close)
        return simulator


class Clocks(Folder):
    """Beside counts by hand, from the clocks of each instruction in [AVR]."""

    def of(self, *lines: str) -> Simulator:
        source, made = self.folder / "code.S", self.folder / "code.o"
        source.write_text("\n".join([".global main", "main:", *lines, ""]))
        run_tool([*avr.COMPILER, "-c", "-o", made, source], "gcc-avr avr-libc")
        return self.simulator(avr.link([made], self.folder, ["-nostartfiles"]))

    def clocks(self, *lines: str) -> int:
        return self.of(*lines, "ret").call(0).clocks - 4

    def test_ret(self) -> None:
        self.assertEqual(self.of("ret").call(0).clocks, 4)

    def test_of_each_kind(self) -> None:
        pointers = "ldi r26, 0", "ldi r27, 1", "movw r28, r26", "movw r30, r26"
        for line, clocks in {
            "add r0, r1": 1,
            "ldi r16, 5": 1,
            "movw r16, r18": 1,
            "bst r0, 7": 1,
            "adiw r26, 1": 2,
            "mul r0, r1": 2,
            "ld r0, X": 2,
            "ld r0, X+": 2,
            "ldd r0, Y + 3": 2,
            "ldd r0, Z + 3": 2,
            "st X+, r0": 2,
            "std Y + 3, r0": 2,
            "lds r0, 0x100": 2,
            "sts 0x100, r0": 2,
            "rjmp .+0": 2,
        }.items():
            with self.subTest(line):
                self.assertEqual(self.clocks(*pointers, line), 4 + clocks)

    def test_lpm(self) -> None:
        self.assertEqual(self.clocks("ldi r30, 0", "ldi r31, 0", "lpm r0, Z"), 5)

    def test_push_pop_and_stack(self) -> None:
        cost = self.of("push r0", "push r1", "pop r1", "pop r0", "ret").call(0)
        self.assertEqual((cost.clocks, cost.stack), (12, 2))

    def test_call(self) -> None:
        cost = self.of("rcall 1f", "call 1f", "ret", "1: ret").call(0)
        self.assertEqual((cost.clocks, cost.stack), (3 + 4 + 4 + 4 + 4, 2))

    def test_loop(self) -> None:
        """100 times dec and brne, which takes 2 clocks but the last time."""
        self.assertEqual(self.clocks("ldi r16, 100", "1: dec r16", "brne 1b"), 1 + 100 * 3 - 1)

    def test_touched(self) -> None:
        simulator = self.of(
            *("ldi r28, 0", "ldi r29, 2", "ld r0, Y", "std Y + 63, r0", "sts 0x300, r0"),
            *("ldi r30, 0x11", "ldi r31, 3", "ld r0, -Z", "st Z+, r0", "push r0", "pop r0", "ret"),
        )
        simulator.call(0)
        expected = {0x200, 0x23F, 0x300, 0x310, TOP - 2, TOP - 1, TOP}
        self.assertEqual(simulator.touched(), expected)
        simulator.forget()
        self.assertEqual(simulator.touched(), set())

    def test_profile(self) -> None:
        simulator = self.of("rcall sub", "rcall sub", "ret", "sub: nop", "ret")
        simulator.call(0)
        found = {at: (each.calls, each.clocks) for at, each in simulator.profile().items()}
        self.assertEqual(found, {0: (1, 20), 6: (2, 5)})

    def refuses(self, expected: str, *lines: str) -> None:
        with self.assertRaisesRegex(ProgramError, expected):
            self.of(*lines).call(0)

    def test_refuses(self) -> None:
        self.refuses("neither register nor RAM: access to 900", "sts 0x900, r0")
        self.refuses("neither register nor RAM: access to 3F", "lds r0, 0x3f")
        self.refuses(
            "not in the image: flash is read at FFFF", "ldi r31, 255", "ldi r30, 255", "lpm"
        )
        self.refuses("not in the image: an instruction is fetched at 2", "nop")
        self.refuses("no return after 10 million clocks", "rjmp main")
        self.refuses("illegal instruction or sleep", ".word 1", "ret")
        self.refuses("illegal instruction or sleep", "sleep", "ret")
        self.refuses("stack is wrong on the return", "pop r0", "push r1", "ret")
        self.refuses("calls too deep", "rcall main")

    def test_is_well_after_an_error(self) -> None:
        simulator = self.of("ret", "rjmp .-2")
        with self.assertRaises(ProgramError):
            simulator.call(2)
        self.assertEqual(simulator.call(0).clocks, 4)

    def test_addresses(self) -> None:
        simulator = self.of("ret")
        for address in (0x20, 0xFF, 0x900):
            with (
                self.subTest(address),
                self.assertRaisesRegex(ProgramError, "expected 0-1F or 100-8FF"),
            ):
                simulator.dump(address, 1)

    def test_wrong_images(self) -> None:
        image = self.folder / "wrong.ihx"
        for text, status, expected in (
            (":00000001FF\n", 0, ""),
            ("", 1, "no end record"),
            (":01800000007F\n", 1, "beyond the flash"),
        ):
            image.write_text(text)
            with self.subTest(text):
                done = self.run_on(image)
                self.assertEqual(done.returncode, status)
                self.assertIn(expected, done.stderr)

    def test_wrong_arguments(self) -> None:
        self.assertEqual(self.run_on().returncode, 2)
        self.assertEqual(self.run_on(self.folder / "absent.ihx").returncode, 1)

    def run_on(self, *arguments: Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [avr.sim_avr(), *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True
        )


CLASSES = (
    "avr_nibbles",
    "avr_fly_small",
    "avr_fly_256",
    "avr_stored_small",
    "avr_stored_192",
    "avr_sboxes_fast",
)


class FunctionsForC(Folder):
    def image(self, program: Program) -> Path:
        """The example, with the start-up code of C."""
        more = "_masked" * program.masked
        made = avr.assemble(program, self.folder, [f"c{more}.S"])
        example = self.folder / "example.o"
        flags = ("-std=c11", "-Os", "-Wall", "-Wextra", "-Wconversion", "-Wpedantic", "-Werror")
        key_bytes = f"-DKEY_BYTES={program.key_bytes}"
        source = avr.SOURCE / f"example{more}.c"
        run_tool(
            [*avr.COMPILER, *flags, key_bytes, "-c", "-o", example, source], "gcc-avr avr-libc"
        )
        return avr.link([made, example], self.folder)

    def program(self, name: str) -> tuple[Simulator, dict[str, int], dict[str, int]]:
        image = self.image(PROGRAMS[name])
        data, code = avr.symbols(image.with_suffix(".elf"))
        simulator = self.simulator(image)
        simulator.load(avr.RAM.start, random.Random(name).randbytes(len(avr.RAM)))
        simulator.load(REGISTER_1, b"\0")
        return simulator, data, code

    def test_example(self) -> None:
        for name in CLASSES:
            with self.subTest(name):
                simulator, data, code = self.program(name)
                simulator.call(code["main"])
                key = bytes(range(PROGRAMS[name].key_bytes))
                plain = bytes(range(0xF0, 0x100))
                self.assertEqual(simulator.dump(data["plaintext"], 16), plain)
                expected = Twofish(key).encrypt(plain)
                self.assertEqual(simulator.dump(data["ciphertext"], 16), expected)

    def test_masked_example(self) -> None:
        """Its results, joined, and the registers that it keeps."""
        simulator, data, code = self.program("avr_masked")
        simulator.call(code["main"])
        plain, key = bytes(range(0xF0, 0x100)), bytes(range(16))
        for name, expected in (("plaintext", plain), ("ciphertext", Twofish(key).encrypt(plain))):
            found = simulator.dump(data[name], 32)
            self.assertEqual(joined(found[:16], found[16:]), expected, name)
            self.assertNotEqual(found[:16], expected)
        kinds = ("set_key", "encrypt", "decrypt")
        deepest = self.deepest([f"mf_avr_masked_{kind}" for kind in kinds], simulator, data, code)
        header = (avr.SOURCE / "masked.h").read_text(encoding="utf-8")
        self.assertIn(f"{deepest} bytes of stack are enough", header)

    def test_registers_are_kept(self) -> None:
        """And as much stack is used as twofish.h says, the return address included."""
        deepest = 0
        for name in CLASSES:
            with self.subTest(name):
                routines = [f"mf_avr_{kind}" for kind in ("set_key", "encrypt", "decrypt")]
                deepest = max(deepest, self.deepest(routines, *self.program(name)))
        header = (avr.SOURCE / "twofish.h").read_text(encoding="utf-8")
        self.assertIn(f"{deepest} bytes of stack are enough", header)

    def deepest(
        self,
        routines: Sequence[str],
        simulator: Simulator,
        data: Mapping[str, int],
        code: Mapping[str, int],
    ) -> int:
        """The stack that functions take, their return address included; registers are kept."""
        deepest = 0
        for routine in routines:
            before = bytes(range(32))
            simulator.load(2, before[2:])
            simulator.load(TEXT_POINTER, data["plaintext"].to_bytes(2, "little"))
            cost = simulator.call(code[routine])
            after = simulator.dump(0, 32)
            self.assertEqual([after[i] for i in KEPT], [before[i] for i in KEPT], routine)
            self.assertEqual(after[REGISTER_1], 0)
            deepest = max(deepest, cost.stack + 2)
        return deepest

    def test_what_readme_says_of_a_call(self) -> None:
        simulator, data, code = self.program("avr_sboxes")
        within = simulator.call(code["twofish_encrypt"])
        simulator.load(TEXT_POINTER, data["plaintext"].to_bytes(2, "little"))
        cost = simulator.call(code["mf_avr_encrypt"])
        more = cost.clocks - within.clocks, cost.stack - within.stack
        readme = (avr.SOURCE / "README.md").read_text(encoding="utf-8")
        self.assertIn(f"A call takes {more[0]} clocks and {more[1]} bytes of stack more", readme)
        listed = run_tool(["avr-size", "-A", self.folder / "program.o"], "binutils-avr")
        (functions,) = re.findall(r"^\.text\.mf_avr +(\d+)", listed, re.M)
        self.assertIn(f"`c.S` is {functions} bytes of flash", readme)

    def test_what_readme_says_builds(self) -> None:
        """Its file and its command, in a folder beside the sources."""
        readme = (avr.SOURCE / "README.md").read_text(encoding="utf-8")
        program, command = re.findall(r"^```\n(.*?)^```$", readme, re.M | re.S)
        (self.folder / "program.S").write_text(program)
        for source in avr.SOURCE.iterdir():
            if source.name != "tables":
                (self.folder / source.name).write_bytes(source.read_bytes())
        shutil.copytree(avr.SOURCE / "tables", self.folder / "tables")
        run_tool(command.split(), "gcc-avr avr-libc", self.folder)
        self.assertTrue((self.folder / "a.out").exists())

    def test_encryption_only(self) -> None:
        """Has no mf_avr_decrypt, so that a program that calls it is not linked."""
        with self.assertRaisesRegex(ProgramError, "undefined reference to `mf_avr_decrypt'"):
            self.image(PROGRAMS["avr_fly_small_enc"])


if __name__ == "__main__":
    unittest.main()
