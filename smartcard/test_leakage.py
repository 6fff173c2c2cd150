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
from machines import avr
from programs import PROGRAMS

MASKED = PROGRAMS["avr_masked"]
WINDOW = 8500  # 6,500 instructions make masks, the others are whitening and two rounds
TRACES, FEW = 1200, 200

# By file: text that is replaced, and by what.
FAULTS = {
    "entries of q meet in a register": ("masked_tables.S", "    clr     \\y\n", ""),
    "bytes for MDS have one mask": ("masked.S", "Y + r_y + \\i", "Y + r_y"),
    "shares of a bit meet in T": ("masked.S", "    clt     ", "    nop     "),
}


class Folder(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)


class Programs(unittest.TestCase):
    def test_the_masked_one_does_not_leak(self) -> None:
        found, lines = leakage.measure(MASKED, ALL, TRACES, WINDOW)
        self.assertEqual((found.leaks, lines), (0, []))
        self.assertGreater(found.samples, 40000)

    def test_it_leaks_without_masks(self) -> None:
        for masks in (SHARES, NOTHING):
            with self.subTest(leakage.MASKS[masks]):
                found, _ = leakage.measure(MASKED, masks, FEW, WINDOW)
                self.assertGreater(found.leaks, 1000)

    def test_the_unmasked_one_leaks(self) -> None:
        found, _ = leakage.measure(PROGRAMS["avr_stored_small"], NOTHING, FEW, WINDOW)
        self.assertGreater(found.leaks, 10000)


class Recorded(unittest.TestCase):
    """leakage.csv, and the program that it is of."""

    def test_cases(self) -> None:
        found = leakage.read()
        keys = [(each.program, each.masks, each.traces) for each in found]
        self.assertEqual(keys, [(case.program, case.masks, case.traces) for case in leakage.CASES])
        for case, each in zip(leakage.CASES, found):
            self.assertFalse(leakage.wrong(case, each), each)

    def test_they_are_of_these_programs(self) -> None:
        for each in leakage.read():
            with self.subTest(each):
                now, _ = leakage.measure(PROGRAMS[each.program], each.masks, 4)
                then = each.instructions, each.random_bytes
                self.assertEqual((now.instructions, now.random_bytes), then, "run make smartcard")

    def test_what_masked_h_says(self) -> None:
        header = (avr.SOURCE / "masked.h").read_text(encoding="utf-8")
        self.assertIn(f"calls it {leakage.random_bytes(MASKED)} times", header)


class Faults(Folder):
    """Each removes a mask, or lets two bytes with the same mask meet."""

    def measured(self, file: str, old: str, new: str) -> leakage.Leakage:
        sources = self.folder / "avr"
        shutil.copytree(avr.SOURCE, sources)
        text = (sources / file).read_text(encoding="utf-8")
        self.assertIn(old, text)
        (sources / file).write_text(text.replace(old, new), encoding="utf-8")
        compiler = (*avr.COMPILER[:-1], f"-I{sources}")
        simulator = avr.leak_simulator()
        with (
            mock.patch.object(avr, "SOURCE", sources),
            mock.patch.object(avr, "COMPILER", compiler),
            mock.patch.object(avr, "leak_simulator", lambda: simulator),
            mock.patch.object(leakage, "BUILD", self.folder),
        ):
            return leakage.measure(MASKED, ALL, FEW, WINDOW)[0]


class Channels(Folder):
    """Programs of a few instructions, in which one channel shows the xor of both shares."""

    def said(self, *lines: str, traces: int = 400, shares: int = 2) -> str:
        source, made = self.folder / "code.S", self.folder / "code.o"
        text = [".global main", "main:", "    lds r24, 0x180", *lines, "    ret", ""]
        source.write_text("\n".join(text))
        run_tool([*avr.COMPILER, "-c", "-o", made, source], "gcc-avr avr-libc")
        image = avr.link([made], self.folder, ["-nostartfiles"])
        numbers = (str(traces), "1", "0", str(shares), "2", "16", "200", "100", "0")
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
        self.assertEqual(self.status("absent.ihx", *["1"] * 9), 1)

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
