# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The proof that a program is pure 6805: an assembler that knows no MUL gives the same bytes.

The listing of sdas6808, where macros and conditions are expanded, becomes source for dasm's
processor 68705: each instruction by its name, with its addressing mode named and its operand a
number. dasm then chooses the opcodes, and refuses what the 6805 does not have.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from machine import ProgramError, run_tool
from machines import listing
from machines.m6805 import Image

RANDOM_ACCESS = "-f2"  # output of dasm: blocks of address and length, each two bytes, and data


def source(path: Path) -> str:
    """For dasm, what the listing with final addresses says."""
    lines, here = ["\tprocessor 68705"], -1
    for line in listing.read(path):
        if not line.data:
            continue
        if line.address is not None:
            if line.address != here:
                lines.append(f"\torg ${line.address:04x}")
            here = line.address
        lines.append("\t" + _statement(line, here))
        here += len(line.data)
    return "\n".join(lines) + "\n"


def _statement(line: listing.Line, address: int) -> str:
    if line.number is None or line.mnemonic.startswith("."):
        return "byte.b " + ",".join(f"${byte:02x}" for byte in line.data)
    return line.mnemonic + _operands(line.data, address + len(line.data))


def _operands(code: bytes, after: int) -> str:
    """With the addressing mode that the opcode stands for; `after` is where the code ends."""
    group = code[0] >> 4
    bit = code[0] >> 1 & 7
    target = f"${after + int.from_bytes(code[-1:], 'big', signed=True):04x}"
    if group == 0:
        return f" {bit},${code[1]:02x},{target}"
    if group == 1:
        return f" {bit},${code[1]:02x}"
    if group == 2 or code[0] == 0xAD:
        return f" {target}"
    value = code[1:].hex()
    modes = {
        0xA: f" #${value}",
        0x3: f".b ${value}",
        0xB: f".b ${value}",
        0xC: f".w ${value}",
        0xD: f".wx ${value},x",
        0x6: f".bx ${value},x",
        0xE: f".bx ${value},x",
        0x7: " ,x",
        0xF: " ,x",
    }
    return modes.get(group, "")


def assemble(text: str, folder: Path) -> dict[int, int]:
    """The bytes that dasm makes of its source, by address."""
    path, output = folder / "program.dasm", folder / "program.bin"
    path.write_text(text)
    output.unlink(missing_ok=True)
    said = run_tool(["dasm", path.name, RANDOM_ACCESS, f"-o{output.name}"], "dasm", folder)
    if re.search(r"error", said) or not output.exists():
        raise ProgramError(f"dasm: {said.strip()}")
    return dict(_blocks(output.read_bytes()))


def _blocks(data: bytes) -> Iterator[tuple[int, int]]:
    while data:
        address, count = (int.from_bytes(data[i : i + 2], "little") for i in (0, 2))
        yield from enumerate(data[4 : 4 + count], address)
        data = data[4 + count :]


def check(image: Image) -> None:
    """A ProgramError if dasm refuses an instruction of the image or makes other bytes of it."""
    expected, found = image.bytes(), assemble(source(image.listing), image.listing.parent)
    for address in sorted(expected.keys() | found.keys()):
        if expected.get(address) != found.get(address):
            raise ProgramError(
                f"{image.ihx}: {_hex(expected.get(address))} at {address:04X}, where dasm has "
                f"{_hex(found.get(address))}"
            )


def _hex(byte: int | None) -> str:
    return "nothing" if byte is None else f"{byte:02X}"
