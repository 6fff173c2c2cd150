# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The images of the 6805 in a simulator of other authors: uCsim's shc08.

It simulates the HC08, which executes what the 6805 executes, in other clocks; so it is asked for
results only. Each call is made by a stub far above the image: JSR, then a branch to itself at which
the simulator stops.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from subprocess import DEVNULL, PIPE, Popen
from threading import Timer

from ciphers import CIPHERS
from machine import ProgramError
from machines import host
from machines.m6805 import Image
from programs import Program

STUB, RESET_VECTOR = 0xFF00, 0xFFFE
STOP = STUB + 3
STOPPED = f"Stop at 0x{STOP:06x}: (104) Breakpoint"
DUMPED = re.compile(r"^0x[0-9a-f]{4} {10,}((?:[0-9a-f]{2} )+)")


class Shc08:
    """A simulator with an image. It writes what it reads between its answers, as these come; so
    nothing is sent before the answer to a run or a dump has been read.
    """

    def __init__(self, image: Image, seconds: float = 60) -> None:
        """The simulator is ended after the seconds, should the image not come to an end."""
        self.symbols = image.symbols
        self.seconds = seconds
        command = ["shc08", "-q", "-w", "-b", str(image.ihx)]
        try:
            self.process = Popen(command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, text=True)
        except FileNotFoundError:
            raise ProgramError("shc08 is not installed", "apt-get install sdcc-ucsim") from None
        self.alarm = Timer(seconds, self.process.kill)
        self.alarm.start()
        self._send("set error stack off")
        self._store(RESET_VECTOR, STUB.to_bytes(2, "big"))
        self._send(f"break 0x{STOP:04x}")

    def __enter__(self) -> Shc08:
        return self

    def __exit__(self, *_: object) -> None:
        self.alarm.cancel()
        self.process.kill()
        self.process.communicate()

    def load(self, symbol: str, data: bytes) -> None:
        self._store(self.symbols[symbol], data)

    def call(self, routine: str) -> None:
        self._store(STUB, b"\xcd" + self.symbols[routine].to_bytes(2, "big") + b"\x20\xfe")
        self._send(f"reset\npc 0x{STUB:04x}\nrun")
        said = list(self._lines_until("Host usage"))
        if not any(line.startswith(STOPPED) for line in said):
            raise ProgramError(f"shc08: {routine} did not return: {' '.join(said[-12:])}")

    def dump(self, symbol: str, count: int) -> bytes:
        first = self.symbols[symbol]
        self._send(f"dump rom 0x{first:04x} 0x{first + count - 1:04x}")
        data = b""
        while len(data) < count:
            found = DUMPED.match(self._line())
            data += bytes.fromhex(found[1]) if found else b""
        return data

    def _store(self, address: int, data: bytes) -> None:
        for i in range(0, len(data), 16):
            values = " ".join(f"0x{byte:02x}" for byte in data[i : i + 16])
            self._send(f"set memory rom 0x{address + i:04x} {values}")

    def _send(self, command: str) -> None:
        assert self.process.stdin
        try:
            self.process.stdin.write(command + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            raise ProgramError("shc08 has ended") from None

    def _line(self) -> str:
        assert self.process.stdout
        line = self.process.stdout.readline()
        if not line:
            raise ProgramError(f"shc08 has ended, or did not answer within {self.seconds} seconds")
        return line.rstrip("\n")

    def _lines_until(self, beginning: str) -> Iterator[str]:
        while not (line := self._line()).startswith(beginning):
            yield line


def check(program: Program, image: Image, count: int) -> None:
    """A ProgramError unless blocks under random keys are as in the model, in both directions."""
    cipher, source = CIPHERS[program.cipher], random.Random(program.name)
    with Shc08(image) as simulator:
        for _ in range(count):
            key, plain = source.randbytes(program.key_bytes), source.randbytes(cipher.block_bytes)
            simulator.load(program.symbol("key"), key)
            if program.host:
                for symbol, data in host.prepared(program, key).items():
                    simulator.load(symbol, data)
            else:
                simulator.call(program.symbol("set_key"))
            _check_block(program, simulator, plain, cipher.model(key).encrypt(plain))


def _check_block(program: Program, simulator: Shc08, plain: bytes, cipher: bytes) -> None:
    for direction, text, wanted in (("encrypt", plain, cipher), ("decrypt", cipher, plain)):
        if direction in program.directions:
            simulator.load(program.symbol("text"), text)
            simulator.call(program.symbol(direction))
            found = simulator.dump(program.symbol("text"), len(text))
            if found != wanted:
                raise ProgramError(
                    f"shc08: {program.name}: {direction} gave {found.hex()}, not {wanted.hex()}"
                )
