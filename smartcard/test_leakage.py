# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The fixed-versus-random test: that it finds what leaks, and nothing in the masked programs.

Traces have the first rounds only; leakage.py records what whole ones show.
"""

from __future__ import annotations

import math
import re
import shutil
import subprocess
import tempfile
import unittest
from collections.abc import Sequence
from pathlib import Path
from unittest import mock

import leakage
from leakage import ALL, NOTHING, SHARES
from machine import ProgramError, run_tool
from machines import avr, cortex_m0
from programs import PROGRAMS

# Each masked program and one without masks.
BESIDE = {"avr_masked": "avr_stored_small", "cortex_m0_masked": "cortex_m0_subkeys_0tables"}
WINDOW = 8500  # most of which make masks; the others are whitening and the first rounds
TRACES, FEW = 1000, 200

# By program and file: text that is replaced, and by what.
FAULTS = {
    "entries of q meet in a register": (
        *("avr_masked", "masked_tables.S"),
        *("    clr     \\y\n", ""),
    ),
    "bytes for MDS have one mask": ("avr_masked", "masked.S", "Y + r_y + \\i", "Y + r_y"),
    "shares of a bit meet in T": ("avr_masked", "masked.S", "    clt     ", "    nop     "),
    "bytes of S meet in a register": ("cortex_m0_masked", "masked.S", "movs r3, #0 ", "nop "),
    "shares of a bit meet in the carry": ("cortex_m0_masked", "masked.inc", "cmp r7, r7", "nop"),
}


# By machine: its module, and what names the folder of its sources there.
SOURCES = {"avr": (avr, "SOURCE"), "cortex_m0": (cortex_m0, "SOURCES")}


class Folder(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)


class Programs(unittest.TestCase):
    def test_masked_ones_do_not_leak(self) -> None:
        for name in BESIDE:
            with self.subTest(name):
                found, lines = leakage.measure(PROGRAMS[name], ALL, TRACES, window=WINDOW)
                self.assertEqual((found.leaks, lines), (0, []))
                self.assertGreater(found.samples, 30000)

    def test_they_leak_without_masks(self) -> None:
        for name in BESIDE:
            for masks in (SHARES, NOTHING):
                with self.subTest(name, masks=leakage.MASKS[masks]):
                    found, _ = leakage.measure(PROGRAMS[name], masks, FEW, window=WINDOW)
                    self.assertGreater(found.leaks, 1000)

    def test_unmasked_ones_leak(self) -> None:
        for name in BESIDE.values():
            with self.subTest(name):
                found, _ = leakage.measure(PROGRAMS[name], NOTHING, FEW, window=WINDOW)
                self.assertGreater(found.leaks, 5000)


class Recorded(unittest.TestCase):
    """leakage.csv, and the program that it is of."""

    def test_cases(self) -> None:
        found = leakage.read()
        keys = [(each.program, each.masks, each.traces, each.fixed) for each in found]
        cases = [(case.program, case.masks, case.traces, case.fixed) for case in leakage.CASES]
        self.assertEqual(keys, cases)
        for case, each in zip(leakage.CASES, found):
            self.assertFalse(leakage.wrong(case, each), each)

    def test_they_are_of_these_programs(self) -> None:
        for each in leakage.read():
            with self.subTest(each):
                now, _ = leakage.measure(PROGRAMS[each.program], each.masks, 6, each.fixed)
                self.assertEqual(now.image, each.image, "run make smartcard")

    def test_what_headers_say(self) -> None:
        for name, path, size in (
            ("avr_masked", avr.SOURCE / "masked.h", 1),
            ("cortex_m0_masked", cortex_m0.SOURCES / "masked_thumb.h", 4),
        ):
            calls = leakage.random_bytes(PROGRAMS[name]) // size
            self.assertIn(f"calls it {calls} times", path.read_text(encoding="utf-8"))


class Faults(Folder):
    """Each removes a mask, or lets two bytes with the same mask meet."""

    def measured(self, name: str, file: str, old: str, new: str) -> leakage.Leakage:
        program = PROGRAMS[name]
        machine, folder = SOURCES[program.machine]
        simulator, original = machine.leak_simulator(), getattr(machine, folder)
        sources = self.folder / "sources"
        shutil.copytree(original, sources)
        text = (sources / file).read_text(encoding="utf-8")
        self.assertIn(old, text)
        (sources / file).write_text(text.replace(old, new), encoding="utf-8")
        compiler = [
            f"-I{sources}" if word == f"-I{original}" else word for word in machine.COMPILER
        ]
        with (
            mock.patch.object(machine, folder, sources),
            mock.patch.object(machine, "COMPILER", compiler),
            mock.patch.object(machine, "leak_simulator", lambda: simulator),
            mock.patch.object(leakage, "BUILD", self.folder),
        ):
            return leakage.measure(program, ALL, FEW, window=WINDOW)[0]


class Channels(Folder):
    """Programs of a few instructions, in which one channel shows the xor of both shares."""

    def said(self, *lines: str, traces: int = 400, shares: int = 2) -> str:
        source, made = self.folder / "code.S", self.folder / "code.o"
        text = [".global main", "main:", "    lds r24, 0x180", *lines, "    ret", ""]
        source.write_text("\n".join(text))
        run_tool([*avr.COMPILER, "-c", "-o", made, source], "gcc-avr avr-libc")
        image = avr.link([made], self.folder, ["-nostartfiles"])
        numbers = (str(traces), "1", "0", "0", str(shares), "2", "16", "200", "100", "0")
        return run_tool([avr.leak_simulator(), image, *numbers], "libsimavr-dev")

    def leaking(self, *lines: str) -> set[str]:
        return set(re.findall(r"^(\w+) of instruction", self.said(*lines), re.M))

    def test_nothing(self) -> None:
        self.assertEqual(
            self.leaking("lds r16, 0x100", "lds r24, 0x180", "lds r17, 0x110", "mov r24, r25"),
            set(),
        )

    def test_value(self) -> None:
        apart = "lds r16, 0x100", "lds r24, 0x180", "lds r17, 0x110"
        self.assertEqual(self.leaking(*apart, "eor r16, r17"), {"value"})

    def test_register(self) -> None:
        apart = "lds r16, 0x100", "lds r24, 0x180", "lds r16, 0x110"
        self.assertEqual(self.leaking(*apart), {"register"})

    def test_memory(self) -> None:
        lines = "lds r16, 0x100", "lds r24, 0x180", "sts 0x110, r16", "lds r24, 0x180"
        self.assertEqual(self.leaking(*lines), {"memory"})

    def test_bus(self) -> None:
        lines = "lds r16, 0x100", "mov r24, r25", "lds r17, 0x110"
        self.assertEqual(self.leaking(*lines), {"bus"})

    def test_result(self) -> None:
        apart = "lds r16, 0x100", "lds r24, 0x180", "lds r17, 0x110", "mov r18, r24"
        self.assertEqual(self.leaking(*apart, "mov r18, r16", "mov r19, r17"), {"result"})

    def test_flags(self) -> None:
        """The sign of both shares, one after the other."""
        apart = "lds r16, 0x100", "lds r24, 0x180", "lds r17, 0x110", "mov r24, r25"
        signs = "and r16, r16", "mov r24, r25", "and r17, r17"
        self.assertEqual(self.leaking(*apart, *signs), {"register"})

    def test_t(self) -> None:
        """A fixed byte of weight 5 beside random ones, of mean 4 and variance 2."""
        said = self.said("lds r16, 0x100", traces=4000, shares=1)
        t = [float(found) for found in re.findall(r"value of .* t is (\S+) and (\S+)", said)[0]]
        for each in t:
            self.assertAlmostEqual(each, 1 / math.sqrt(2 / 1000), delta=4)

    def test_refuses_other_instructions(self) -> None:
        with self.assertRaisesRegex(ProgramError, "other instructions"):
            self.said("lds r16, 0x100", "sbrc r16, 0", "nop")

    def test_wrong_arguments(self) -> None:
        self.assertEqual(self.status(), 2)
        self.assertEqual(self.status("absent.ihx", *["1"] * 10), 1)

    def status(self, *arguments: str) -> int:
        done = subprocess.run([avr.leak_simulator(), *arguments], capture_output=True)
        return done.returncode


def _add(name: str, fault: Sequence[str]) -> None:
    def test(self: Faults) -> None:
        self.assertGreater(self.measured(*fault).leaks, 0)

    setattr(Faults, "test_" + name.replace(" ", "_"), test)


for _name, _fault in FAULTS.items():
    _add(_name, _fault)


if __name__ == "__main__":
    unittest.main()
