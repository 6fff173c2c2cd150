# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Tests of the harness itself, with a machine in Python that can be given a fault."""

from __future__ import annotations

import unittest
from types import MappingProxyType

import measure
from machine import Cost, Machine, ProgramError
from programs import Paper, Program
from twofish import Twofish

PROGRAM = Program("planned", "none", paper=Paper(24, 36, 100, 1000))
RAM = range(0x20, 0x100)
TEXT, KEY, S, WORK, STACK = 0x20, 0x30, 0x40, 0x48, 0xFE


class Model(Machine):
    """The model in the shape of a machine; `fault` names what is wrong with it."""

    symbols = MappingProxyType(
        {
            **{"twofish_text": TEXT, "twofish_key": KEY, "twofish_s": S},
            **{"twofish_set_key": 0x1000, "twofish_encrypt": 0x1100, "twofish_decrypt": 0x1200},
        }
    )
    rom = MappingProxyType({"cipher": 70, "tables": 20, "set_key": 10})
    ram = (RAM,)

    def __init__(self, fault: str = "") -> None:
        self.memory = bytearray(0x100)
        self.seen: set[int] = set()
        self.fault = fault

    def load(self, address: int, data: bytes) -> None:
        self.memory[address : address + len(data)] = data

    def dump(self, address: int, count: int) -> bytes:
        return bytes(self.memory[address : address + count])

    def use(self, address: int, count: int) -> None:
        self.seen.update(range(address, address + count))

    def call(self, routine: str) -> Cost:
        self.use(STACK, 2)
        self.use(KEY, 24)
        if routine == "twofish_set_key":
            self.load(S, b"".join(Twofish(self.dump(KEY, 16)).S))
            return Cost(50, 0)
        return Cost(self.crypt(routine) + 900, 2)

    def crypt(self, routine: str) -> int:
        """Returns clocks above the least."""
        key, text = self.dump(KEY, 16), self.dump(TEXT, 16)
        cipher = Twofish(key)
        done = cipher.encrypt(text) if routine == "twofish_encrypt" else cipher.decrypt(text)
        self.use(TEXT, 16)
        self.use(WORK, 16)
        self.memory[WORK] = text[0]
        self.load(TEXT, done)
        if self.fault == "encrypts wrongly" and text[15] % 8 == 0:
            self.memory[TEXT] ^= routine == "twofish_encrypt"
        if self.fault == "decrypts wrongly" and routine == "twofish_decrypt":
            self.memory[TEXT + 15] ^= 0x80
        if self.fault == "key":
            self.memory[KEY + 7] ^= 0x10
        if self.fault == "S":
            self.memory[S + 7] ^= 0x10
        if self.fault == "untold":
            self.memory[0xA0] = text[1]
        if self.fault == "outside":
            self.use(0x105, 1)
        if self.fault == "RAM at first" and self.memory[0x81] < 0x10:
            self.memory[TEXT] ^= 1
        return text[3] if self.fault == "time" else 0

    def touched(self) -> frozenset[int]:
        return frozenset(self.seen)

    def forget(self) -> None:
        self.seen.clear()

    def close(self) -> None: ...


def figures(fault: str = "", count: int = 50) -> measure.Figures:
    session = measure.Session(PROGRAM, Model(fault), "clock")
    measure.all_blocks(session, measure.random_blocks(PROGRAM.cipher, PROGRAM.key_bits, count))
    return session.figures


class Harness(unittest.TestCase):
    """The output of a program without faults, and that each fault is found."""

    def test_a_good_program(self) -> None:
        found = figures()
        self.assertEqual(
            found.clocks, dict.fromkeys(measure.DIRECTIONS, (900, 900)) | {"set_key": (50, 50)}
        )
        self.assertEqual((found.work_ram, found.set_ram, found.stack), (34, 2, 2))

    def test_time(self) -> None:
        least, most = figures("time").clocks["encrypt"]
        self.assertLess(900, most)
        self.assertLess(least, most)

    def test_faults(self) -> None:
        faults = {
            "encrypts wrongly": "encrypt is wrong",
            "decrypts wrongly": "decrypt is wrong",
            "key": "twofish_key is not left intact",
            "S": "twofish_s is not left intact",
            "untold": "A0 has changed, and was not touched",
            "outside": "105 is used",
        }
        for fault, text in faults.items():
            with self.subTest(fault), self.assertRaisesRegex(ProgramError, text):
                figures(fault)

    def test_ram_at_first(self) -> None:
        """The RAM is another for each key, so that a byte that matters shows itself."""
        with self.assertRaisesRegex(ProgramError, "is wrong"):
            figures("RAM at first", 500)


if __name__ == "__main__":
    unittest.main()
