# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The clocks of Cortex-M0 and M0+, what the machine refuses, and the header for C.

The programs are tested by test_programs.py.
"""

from __future__ import annotations

import functools
import random
import re
import tempfile
import unittest
from collections.abc import Sequence
from pathlib import Path

import unicorn
from unicorn import arm_const

from machine import Cost, ProgramError, run_tool
from machines import cortex_m0
from machines.armv6m import CORES, NotArmv6MError, decode
from machines.shares import joined
from modes import Ocb
from programs import PROGRAMS, Program
from twofish import Twofish

RETURN_CLOCKS = {"m0": 3, "m0plus": 2}  # BX LR

# The variables of example_ocb.c and their bytes; a status is an enumeration, of one byte here.
OCB = {"key": 16, "nonce": 12, "text": 40, "tag": 16, "status": 1}
MF_ERROR_TAG = 8


class Folder(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def assembled(self, *lines: str, timing: str = "m0") -> cortex_m0.CortexM0:
        """Lines that begin at `code`; `data` are 64 bytes of RAM."""
        source, elf = self.folder / "code.S", self.folder / "code.elf"
        head = [".syntax unified", ".cpu cortex-m0", ".thumb", '.section .text.cipher, "ax"']
        entry = [".global code, twofish_encrypt", ".thumb_func", "twofish_encrypt:"]
        tail = [".ltorg", '.section .bss.program, "aw", %nobits', ".balign 4", "data: .space 64"]
        text = [*head, *entry, ".thumb_func", "code:", *lines, *tail, ""]
        source.write_text("\n".join(text))
        self.link([source], elf, "-Wl,--defsym=twofish_decrypt=code,--defsym=twofish_set_key=code")
        return cortex_m0.load(elf, timing)

    def link(self, sources: list[Path], elf: Path, *options: str) -> None:
        run_tool([*cortex_m0.COMPILER, *options, "-o", elf, *sources], cortex_m0.PACKAGE)

    def cost(self, *lines: str, timing: str = "m0") -> Cost:
        return self.assembled(*lines, timing=timing).call("code")

    def clocks(self, *lines: str, timing: str = "m0") -> int:
        """Without the return."""
        return self.cost(*lines, "bx lr", timing=timing).clocks - RETURN_CLOCKS[timing]


class Clocks(Folder):
    """Beside counts by hand, from the tables in the manuals of both cores."""

    def test_return(self) -> None:
        for timing, clocks in RETURN_CLOCKS.items():
            self.assertEqual(self.cost("bx lr", timing=timing), Cost(clocks, 0))

    def take(
        self,
        lines: Sequence[str],
        clocks: int,
        before: tuple[Sequence[str], int] = ((), 0),
        after: tuple[str, int] = ("", 0),
    ) -> None:
        """Each line takes this many clocks, besides those around it."""
        code: list[str] = []
        for n, line in enumerate(lines):
            code += [".balign 4", ".thumb_func", f"line_{n}:", *before[0], line, after[0], "bx lr"]
        for timing, returns in RETURN_CLOCKS.items():
            machine = self.assembled(*code, timing=timing)
            for n, line in enumerate(lines):
                with self.subTest(line, timing=timing):
                    took = machine.call(f"line_{n}").clocks
                    self.assertEqual(took - returns - before[1] - after[1], clocks)

    def test_of_one_clock(self) -> None:
        lines = (
            *("movs r0, #1", "movs r0, r1", "mov r0, r12", "mvns r0, r1", "nop"),
            *("adds r0, #1", "adds r0, r1, #1", "adds r0, r1, r2", "add r0, r12", "adcs r0, r1"),
            *("subs r0, #1", "subs r0, r1, r2", "sbcs r0, r1", "rsbs r0, r1, #0", "muls r0, r1"),
            *("cmp r0, #1", "cmp r0, r1", "cmp r0, r12", "cmn r0, r1", "tst r0, r1"),
            *("ands r0, r1", "eors r0, r1", "orrs r0, r1", "bics r0, r1"),
            *("lsls r0, r1, #3", "lsls r0, r1", "lsrs r0, r1, #3", "lsrs r0, r1"),
            *("asrs r0, r1, #3", "asrs r0, r1", "rors r0, r1"),
            *("rev r0, r1", "rev16 r0, r1", "revsh r0, r1"),
            *("sxtb r0, r1", "sxth r0, r1", "uxtb r0, r1", "uxth r0, r1"),
            *("add r0, sp, #4", "adr r0, .+4"),
        )
        self.take(lines, clocks=1)

    def test_of_memory(self) -> None:
        lines = (
            *("ldr r0, [r3]", "ldrh r0, [r3, #2]", "ldrb r0, [r3, #1]"),
            *("str r0, [r3, #4]", "strh r0, [r3, #2]", "strb r0, [r3, #1]"),
            *("ldr r0, [r3, r2]", "ldrh r0, [r3, r2]", "ldrb r0, [r3, r2]"),
            *("ldrsh r0, [r3, r2]", "ldrsb r0, [r3, r2]"),
            *("str r0, [r3, r2]", "strh r0, [r3, r2]", "strb r0, [r3, r2]"),
            *("ldr r0, [sp, #4]", "str r0, [sp, #4]", "ldr r0, =0x12345678"),
        )
        before = "sub sp, #8", "ldr r3, =data", "movs r2, #4"
        self.take(lines, 2, before=(before, 1 + 2 + 1), after=("add sp, #8", 1))

    def test_of_lists(self) -> None:
        for timing in CORES:
            address = "ldr r3, =data"
            self.assertEqual(self.clocks(address, "ldmia r3!, {r0-r2}", timing=timing), 2 + 4)
            self.assertEqual(self.clocks(address, "ldmia r3, {r0-r3}", timing=timing), 2 + 5)
            self.assertEqual(self.clocks(address, "stmia r3!, {r0, r1}", timing=timing), 2 + 3)
            self.assertEqual(self.clocks("push {r0}", "pop {r1}", timing=timing), 2 + 2)
        self.assertEqual(self.cost("push {r4-r7, lr}", "pop {r4-r7, pc}").clocks, 6 + 9)
        plus = self.cost("push {r4-r7, lr}", "pop {r4-r7, pc}", timing="m0plus")
        self.assertEqual(plus.clocks, 6 + 8)

    def test_of_branches(self) -> None:
        for timing, taken, call in (("m0", 3, 4), ("m0plus", 2, 3)):
            with self.subTest(timing):
                self.assertEqual(self.clocks("b 1f", "nop", "1:", timing=timing), taken)
                self.assertEqual(
                    self.clocks("movs r0, #0", "beq 1f", "nop", "1:", timing=timing), 1 + taken
                )
                self.assertEqual(
                    self.clocks("movs r0, #0", "bne 1f", "nop", "1:", timing=timing), 1 + 1 + 1
                )
                # mov, BL, BX, BX through a register, and the return of all
                calls = self.cost("mov r3, lr", "bl 1f", "bx r3", "1: bx lr", timing=timing)
                self.assertEqual(calls.clocks, 1 + call + taken + taken)
                jump = self.cost("mov r3, lr", "mov pc, r3", timing=timing)
                self.assertEqual(jump.clocks, 1 + taken)

    def test_of_a_branch_to_the_next_instruction(self) -> None:
        """If it is conditional, where it leads to does not tell whether it was taken."""
        self.assertEqual(self.clocks("b 1f", "1:"), 3)
        with self.assertRaisesRegex(ProgramError, "leads to the next instruction"):
            self.clocks("movs r0, #0", "bne 1f", "1:")

    def test_of_a_loop(self) -> None:
        loop = "movs r0, #5", "1: lsls r1, r0, #2", "subs r0, #1", "bne 1b"
        self.assertEqual(self.clocks(*loop), 1 + 5 * 2 + 4 * 3 + 1)
        self.assertEqual(self.clocks(*loop, timing="m0plus"), 1 + 5 * 2 + 4 * 2 + 1)

    def test_of_a_loop_that_is_entered_from_above(self) -> None:
        """Its first turn is part of the run before it."""
        loop = "ldr r3, =data", "movs r0, #3", "1: ldr r1, [r3]", "subs r0, #1", "bpl 1b"
        self.assertEqual(self.clocks(*loop), 2 + 1 + 4 * (2 + 1) + 3 * 3 + 1)

    def test_of_barriers(self) -> None:
        for line in ("dmb", "dsb", "isb", "mrs r0, apsr"):
            self.assertEqual(self.clocks(line), 4, line)
            self.assertEqual(self.clocks(line, timing="m0plus"), 3, line)

    def test_agree_with_one_by_one(self) -> None:
        """Whole programs: the sum over single instructions, each seen by Unicorn, is the same."""
        for name in ("cortex_m0_fly", "cortex_m0_c_zero_os"):
            for timing in CORES:
                with self.subTest(name, timing=timing):
                    machine = cortex_m0.open_program(PROGRAMS[name], self.folder, timing)
                    seen = Stepwise(machine)
                    for routine in ("twofish_set_key", "twofish_encrypt", "twofish_decrypt"):
                        cost = machine.call(routine)
                        self.assertEqual(seen.clocks(), cost.clocks, routine)
                        self.assertEqual(seen.deepest(), cost.stack, routine)


class Stepwise:
    """The slow way to count: each instruction and the stack pointer at it."""

    def __init__(self, machine: cortex_m0.CortexM0) -> None:
        self.machine = machine
        self.steps: list[tuple[int, int, int]] = []
        machine.unicorn.hook_add(unicorn.UC_HOOK_CODE, self.step)

    def step(self, uc: unicorn.Uc, address: int, size: int, _data: object) -> None:
        self.steps.append((address, size, uc.reg_read(unicorn.arm_const.UC_ARM_REG_SP)))

    def clocks(self) -> int:
        """Of the steps since the last time."""
        self.seen, self.steps = self.steps, []
        after = [address for address, _, _ in self.seen[1:]] + [cortex_m0.RETURN]
        return sum(self._one(at, size, to) for (at, size, _), to in zip(self.seen, after))

    def _one(self, address: int, size: int, to: int) -> int:
        code = self.machine.dump(address, 4)
        first, second = (int.from_bytes(code[i : i + 2], "little") for i in (0, 2))
        it = decode(first, second, self.machine.core)
        return it.taken if it.taken and to != address + size else it.clocks

    def deepest(self) -> int:
        return self.machine.symbols["stack_top"] - min(sp for _, _, sp in self.seen)


class Refusals(Folder):
    """Things that the cores do not have, or that must not be done to a caller."""

    def test_other_instructions(self) -> None:
        for first, second, what in (
            (0xB100, 0, "cbz r0, ."),
            (0xBF08, 0, "it eq"),
            (0xBF30, 0, "wfi"),
            (0xBE00, 0, "bkpt"),
            (0xDE00, 0, "udf"),
            (0xDF00, 0, "svc"),
            (0xF240, 0x0000, "movw r0, #0"),
            (0xFBB0, 0xF0F1, "udiv r0, r0, r1"),
            (0xF000, 0x8000, "beq.w"),
            (0xEA80, 0x0001, "eor.w r0, r0, r1"),
            (0xE92D, 0x4FF0, "push.w {r4-r11, lr}"),
        ):
            for core in CORES.values():
                with self.subTest(what), self.assertRaises(NotArmv6MError):
                    decode(first, second, core)

    def test_such_an_instruction_in_an_image(self) -> None:
        with self.assertRaisesRegex(ProgramError, "no instruction of ARMv6-M|Invalid instruction"):
            self.cost(".inst.w 0xF2400000", "bx lr")
        with self.assertRaisesRegex(ProgramError, "no instruction of ARMv6-M|Invalid instruction"):
            self.cost("movs r0, #1", ".inst.n 0xB100", "nop", "bx lr")

    def test_a_changed_register(self) -> None:
        with self.assertRaisesRegex(ProgramError, "must keep"):
            self.cost("adds r4, #1", "bx lr")
        with self.assertRaisesRegex(ProgramError, "must keep"):
            self.cost("mov r11, r0", "bx lr")

    def test_a_moved_stack(self) -> None:
        with self.assertRaisesRegex(ProgramError, "stack pointer"):
            self.cost("sub sp, #8", "bx lr")

    def test_a_word_at_an_odd_address(self) -> None:
        with self.assertRaisesRegex(ProgramError, "reads or writes 4 bytes at 2000000"):
            self.cost("ldr r3, =data", "adds r3, #2", "ldr r0, [r3]", "bx lr")

    def test_an_address_without_memory(self) -> None:
        with self.assertRaisesRegex(ProgramError, "code: at"):
            self.cost("ldr r3, =0x40000000", "ldr r0, [r3]", "bx lr")

    def test_a_write_to_flash(self) -> None:
        with self.assertRaisesRegex(ProgramError, "code: at"):
            self.cost("movs r3, #0", "str r0, [r3]", "bx lr")

    def test_no_return(self) -> None:
        with self.assertRaisesRegex(ProgramError, "has not come back"):
            self.cost("b .")


class Stack(Folder):
    def test_depth(self) -> None:
        lines = "push {r4, lr}", "sub sp, #12", "bl 1f", "add sp, #12", "pop {r4, pc}"
        self.assertEqual(self.cost(*lines, "1: push {r0-r2}", "pop {r0-r2}", "bx lr").stack, 32)

    def test_touched(self) -> None:
        machine = self.assembled(
            "ldr r3, =data", "strb r0, [r3, #3]", "push {r0}", "pop {r1}", "bx lr"
        )
        machine.call("code")
        data, top = machine.symbols["data"], machine.symbols["stack_top"]
        self.assertEqual(machine.touched(), {data + 3, *range(top - 4, top)})
        machine.forget()
        self.assertEqual(machine.touched(), set())

    def test_not_watched(self) -> None:
        machine = self.assembled("push {r0}", "pop {r1}", "bx lr")
        machine.watch(False)
        machine.call("code")
        self.assertEqual(machine.touched(), set())
        machine.watch(True)
        machine.call("code")
        self.assertEqual(len(machine.touched()), 4)


class Profiles(Folder):
    def test_calls(self) -> None:
        machine = self.assembled(
            *("push {r4, lr}", "bl inner", "bl inner", "pop {r4, pc}", ".size code, . - code"),
            *(".global inner", ".thumb_func", "inner: nop", "bx lr", ".size inner, . - inner"),
        )
        self.assertEqual(machine.sizes["inner"], 4)
        clocks = machine.call("code").clocks
        calls = {name: (it.calls, it.clocks) for name, it in machine.profile().items()}
        self.assertEqual(calls, {"code": (1, clocks), "inner": (2, 1 + 3)})


class Addresses(Folder):
    """Whether what is read and written, and where, depends on key and text."""

    def trace(self, name: str, seed: int) -> list[tuple[int, int]]:
        """Each access of a key set-up, an encryption and a decryption, flash and RAM."""
        machine = cortex_m0.open_program(PROGRAMS[name], self.folder)
        chance = random.Random(seed)
        machine.load(machine.symbols["twofish_key"], chance.randbytes(PROGRAMS[name].key_bytes))
        machine.load(machine.symbols["twofish_text"], chance.randbytes(16))
        found: list[tuple[int, int]] = []

        def access(_uc: unicorn.Uc, _kind: int, address: int, size: int, *_: object) -> None:
            found.append((address, size))

        kinds = unicorn.UC_HOOK_MEM_READ | unicorn.UC_HOOK_MEM_WRITE
        machine.unicorn.hook_add(kinds, access)
        for routine in ("twofish_set_key", "twofish_encrypt", "twofish_decrypt"):
            machine.call(routine)
        return found

    def test_none_of_ct_set_up(self) -> None:
        first = self.trace("cortex_m0_constant_time", 1)
        self.assertGreater(len(first), 10000)
        for seed in range(2, 6):
            self.assertTrue(self.trace("cortex_m0_constant_time", seed) == first)

    def test_those_of_others(self) -> None:
        first, second = (self.trace("cortex_m0_subkeys", seed) for seed in (1, 2))
        self.assertEqual(len(first), len(second))
        self.assertFalse(first == second)


class Modes(Folder):
    """example_ocb.c, the only place where a mode runs over a kernel in assembly."""

    def example(self, program: Program) -> cortex_m0.CortexM0:
        elf = self.folder / "example.elf"
        sources = [cortex_m0.C_LIBRARY / "src" / name for name in ("modes/ocb.c", "common/wipe.c")]
        sources += [s for s in cortex_m0.sources(program) if s.name != "program.S"]
        routines = ("twofish_encrypt", "twofish_decrypt", "twofish_set_key")
        symbols = ",".join(f"--defsym={name}=example_seal" for name in routines)
        options = [*cortex_m0.definitions(program), "-DMF_SMALL", f"-Wl,{symbols}"]
        options.append("-Wl,-u,example_open")
        self.link([cortex_m0.SOURCES / "example_ocb.c", *sources], elf, *options)
        return cortex_m0.load(elf, "m0")

    def call(self, machine: cortex_m0.CortexM0, routine: str) -> None:
        """Without clocks, which cannot follow the stack pointer into a large frame."""
        registers = arm_const.UC_ARM_REG_SP, arm_const.UC_ARM_REG_LR
        for register, value in zip(registers, (machine.symbols["stack_top"], cortex_m0.RETURN | 1)):
            machine.unicorn.reg_write(register, value)
        machine.unicorn.emu_start(machine.symbols[routine] | 1, cortex_m0.RETURN)

    def seals_and_opens(self, machine: cortex_m0.CortexM0) -> None:
        at = {name: machine.symbols[f"example_{name}"] for name in OCB}

        def found(*names: str) -> list[bytes]:
            return [machine.dump(at[name], OCB[name]) for name in names]

        chance = random.Random(1)
        key, nonce, text = (chance.randbytes(OCB[name]) for name in ("key", "nonce", "text"))
        for name, value in (("key", key), ("nonce", nonce), ("text", text)):
            machine.load(at[name], value)
        self.call(machine, "example_seal")
        sealed, tag = Ocb(Twofish(key)).encrypt(nonce, b"", text)
        self.assertEqual(found("text", "tag", "status"), [sealed, tag, b"\0"])
        self.call(machine, "example_open")
        self.assertEqual(found("text", "status"), [text, b"\0"])

        machine.load(at["tag"], bytes(OCB["tag"]))
        self.call(machine, "example_open")
        self.assertEqual(found("status"), [bytes([MF_ERROR_TAG])])

    def test_ocb(self) -> None:
        for name in ("cortex_m0_subkeys_0tables", "cortex_m0_constant_time"):
            with self.subTest(name):
                self.seals_and_opens(self.example(PROGRAMS[name]))


class Header(Folder):
    """twofish_thumb.h, by example.c in each class and with each length of key."""

    def programs(self) -> list[Program]:
        return [
            program
            for program in PROGRAMS.values()
            if program.machine == "cortex_m0"
            and "keeps" in program.options
            and program.options.get("saves_registers")
        ]

    def test_example(self) -> None:
        for program in self.programs():
            with self.subTest(program.name):
                self.example(program)

    def example(self, program: Program, source: str = "example.c", size: int = 16) -> None:
        elf = self.folder / "example.elf"
        sources = [s for s in cortex_m0.sources(program) if s.name != "program.S"]
        names = ("twofish_encrypt", "twofish_decrypt", "twofish_set_key")
        symbols = ",".join(f"--defsym={name}=example" for name in names)
        options = [*cortex_m0.definitions(program), f"-Wl,{symbols}", "-Os"]
        self.link([cortex_m0.SOURCES / source, *sources], elf, *options)
        core = cortex_m0.RandomCortexM0 if program.masked else cortex_m0.CortexM0
        machine = cortex_m0.load(elf, "m0", core)
        chance = random.Random(1)
        shares = size // 16
        keys = [chance.randbytes(program.key_bytes) for _ in range(shares)]
        texts = [chance.randbytes(16) for _ in range(shares)]
        machine.load(machine.symbols["example_key"], b"".join(keys))
        machine.load(machine.symbols["example_text"], b"".join(texts))
        machine.call("example")
        found = {}
        for name in ("encrypted", "decrypted"):
            both = machine.dump(machine.symbols[f"example_{name}"], size)
            found[name] = functools.reduce(joined, (both[i : i + 16] for i in range(0, size, 16)))
        key, text = functools.reduce(joined, keys), functools.reduce(joined, texts)
        self.assertEqual(found, {"encrypted": Twofish(key).encrypt(text), "decrypted": text})

    def test_masked(self) -> None:
        """masked_thumb.h, by its example, and the stack in its comments."""
        for bits in ("", "_192", "_256"):
            program = PROGRAMS["cortex_m0_masked" + bits]
            with self.subTest(program.name):
                self.example(program, "example_masked.c", 32)
                machine = cortex_m0.open_program(program, self.folder)
                self.assertLessEqual(machine.call("twofish_set_key").stack, 60)
                self.assertEqual(machine.call("twofish_encrypt").stack, 44)

    def test_masked_key_has_the_size_of_the_assembly(self) -> None:
        (size,) = re.findall(
            r"MASKED_KEY, (\d+)", (cortex_m0.SOURCES / "masked.inc").read_text(encoding="utf-8")
        )
        header = (cortex_m0.SOURCES / "masked_thumb.h").read_text(encoding="utf-8")
        self.assertIn(f"MF_THUMB_MASKED_WORDS = {int(size) // 4} + KEY_BITS / 32", header)

    def test_stack_is_as_stated(self) -> None:
        """The bytes of stack in the header's comments."""
        for program in self.programs():
            with self.subTest(program.name):
                machine = cortex_m0.open_program(program, self.folder)
                set_key = machine.call("twofish_set_key").stack
                blocks = [machine.call(f"twofish_{name}").stack for name in ("encrypt", "decrypt")]
                if program.options["keeps"] == "fly":
                    self.assertEqual(set_key, 28)
                    self.assertEqual(blocks, [28 if program.options["mds_tables"] else 32] * 2)
                else:
                    self.assertLessEqual(set_key, 60)
                    self.assertEqual(
                        blocks, [60 if program.options["keeps"] == "constant_time" else 44] * 2
                    )

    def test_choices_that_do_not_exist(self) -> None:
        for choices, sentence in (
            ([], "define one of"),
            (["KEEPS_FLY=1", "KEEPS_MDS=1"], "define one of"),
            (["KEEPS_FLY=1", "KEY_BITS=160"], "KEY_BITS is"),
            (["KEEPS_MDS=1", "MDS_TABLES=0"], "needs MDS_TABLES"),
            (["KEEPS_FLY=1", "UNROLLED=1"], "can be UNROLLED"),
            (["KEEPS_MDS=1", "SAVES_REGISTERS=0"], "has SAVES_REGISTERS"),
        ):
            with self.subTest(sentence), self.assertRaisesRegex(ProgramError, sentence):
                options = [f"-D{choice}" for choice in choices]
                self.link([cortex_m0.SOURCES / "example.c"], self.folder / "no.elf", *options)


if __name__ == "__main__":
    unittest.main()
