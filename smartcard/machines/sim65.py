# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A second judge of the 6502 programs: sim65, cc65's simulator, which shares nothing with ours.

It counts the clocks of a whole run, so that a run that calls a routine is compared with one that
calls nothing. A program can tell it an exit status: here whether the text is as expected.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from machine import ProgramError
from machines.m6502 import M6502, ROM
from twofish import BLOCK_BYTES

# The file begins with this, the version of the format, the CPU (0: 6502), a place in page zero that
# programs in C need, where the bytes after that belong, and where the program begins.
MAGIC = b"sim65\x02\x00\xf0"
DRIVER = 0xB000
EXIT = 0xFFF9  # a call that ends the simulator: A is its status
RTS_CLOCKS = 6


def driver(routine: int, text: int, expected: int) -> bytes:
    """Calls the routine, compares the text with what is expected, and ends."""
    code = b"\xa2\xff\x9a\xd8"  # LDX #$FF, TXS, CLD
    code += b"\x20" + word(routine)  # JSR routine
    code += b"\xa2" + bytes([BLOCK_BYTES - 1])  # LDX
    code += b"\xbd" + word(text)  # next: LDA text,X
    code += b"\xdd" + word(expected)  # CMP expected,X
    code += b"\xd0\x08"  # BNE other
    code += b"\xca\x10\xf5"  # DEX, BPL next
    code += b"\xa9\x00\x4c" + word(EXIT)  # LDA #0, JMP exit
    return code + b"\xa9\x01\x4c" + word(EXIT)  # other: LDA #1, JMP exit


def word(address: int) -> bytes:
    return address.to_bytes(2, "little")


def clocks(machine: M6502, routine: str, expected: bytes, folder: Path) -> int:
    """Of a routine, called with RAM as it is in the machine now."""
    symbols = machine.symbols
    text = symbols["twofish_text"]
    nothing = symbols[routine] + machine.sizes[routine] - 1  # its RTS
    memory = machine.dump(0, machine.ram[0].stop)
    done = memory[:text] + expected + memory[text + BLOCK_BYTES :]
    with_it = _run(machine, memory, driver(symbols[routine], text, DRIVER - 16), expected, folder)
    return (
        with_it
        - _run(machine, done, driver(nothing, text, DRIVER - 16), expected, folder)
        + RTS_CLOCKS
    )


def _run(machine: M6502, memory: bytes, code: bytes, expected: bytes, folder: Path) -> int:
    image = memory.ljust(DRIVER - BLOCK_BYTES, b"\0") + expected + code
    image = image.ljust(ROM, b"\0") + machine.image.binary.read_bytes()
    program = folder / "sim65.bin"
    program.write_bytes(MAGIC + word(0) + word(DRIVER) + image)
    try:
        ran = subprocess.run(["sim65", "-c", program], capture_output=True, text=True)
    except FileNotFoundError:
        raise ProgramError(
            "sim65 is not installed", "apt-get install cc65, or make setup"
        ) from None
    counted = re.fullmatch(r"(\d+) cycles", ran.stdout.strip())
    if ran.returncode or not counted:
        raise ProgramError(f"sim65: status {ran.returncode}: {ran.stdout}{ran.stderr}")
    return int(counted[1])
