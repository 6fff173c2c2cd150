# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Operands of x86-64 instructions, as objdump writes them in Intel's syntax."""

from __future__ import annotations

import re
from dataclasses import dataclass

from objects import UnreadableError

GENERAL = ("rax", "rbx", "rcx", "rdx", "rsi", "rdi", "rbp", "rsp")
SIZES = {"BYTE": 1, "WORD": 2, "DWORD": 4, "QWORD": 8, "XMMWORD": 16, "YMMWORD": 32, "ZMMWORD": 64}

# The same register under its other widths.
WIDTHS: dict[str, tuple[str, int]] = {}
for name in GENERAL:
    letters = name[1:]
    low = letters[0] + "l" if letters[1] == "x" else letters + "l"
    WIDTHS |= {name: (name, 8), "e" + letters: (name, 4), letters: (name, 2), low: (name, 1)}
    if letters[1] == "x":
        WIDTHS[letters[0] + "h"] = (name, 1)
for n in range(8, 16):
    WIDTHS |= {
        f"r{n}{suffix}": (f"r{n}", size) for suffix, size in zip(["", "d", "w", "b"], [8, 4, 2, 1])
    }
for n in range(32):
    WIDTHS |= {f"{kind}mm{n}": (f"v{n}", size) for kind, size in zip("xyz", [16, 32, 64])}
for n in range(8):
    WIDTHS |= {f"k{n}": (f"k{n}", 8)}

MEMORY = re.compile(r"^(?:(\w+) (?:PTR|BCST) )?(?:(\w\w):)?(?:\[(.*)\]|(0x[0-9a-f]+))$")
TERM = re.compile(r"([+-]?)([^+-]+)")


@dataclass
class Memory:
    """A memory operand."""

    size: int
    registers: list[tuple[str, int]]  # and what each is multiplied with
    displacement: int
    is_constant: bool  # relative to the instruction pointer
    segment: str


@dataclass
class Operand:
    """One operand, with the masks that it is decorated with."""

    register: str = ""
    width: int = 0
    is_high_byte: bool = False
    number: int | None = None
    memory: Memory | None = None
    mask: str = ""
    zeroing: bool = False


def split(text: str) -> list[str]:
    """Operands, at commas outside of brackets."""
    return [part.strip() for part in re.split(r",(?![^\[]*\])", text)] if text else []


def memory_operand(match: re.Match[str]) -> Memory:
    size, segment, inside, absolute = match.groups()
    memory = Memory(SIZES.get(size or "", 0), [], int(absolute or "0", 16), False, segment or "")
    for sign, term in TERM.findall(inside or ""):
        name, _, factor = term.strip().partition("*")
        if name == "rip":
            memory.is_constant = True
        elif name in WIDTHS:
            memory.registers.append((WIDTHS[name][0], int(factor or "1")))
        elif name not in ("riz", "eiz"):
            memory.displacement += int(name, 16) * (-1 if sign == "-" else 1)
    return memory


def operand(text: str) -> Operand:
    masks = re.findall(r"\{(\w+)\}", text)
    plain = re.sub(r"\{[^}]*\}", "", text).strip()
    found = Operand(zeroing="z" in masks)
    found.mask = next((mask for mask in masks if re.match(r"^k\d$", mask)), "")
    if plain in WIDTHS:
        found.register, found.width = WIDTHS[plain]
        found.is_high_byte = plain in ("ah", "bh", "ch", "dh")
    elif re.match(r"^-?(0x[0-9a-f]+|\d+)$", plain):
        found.number = int(plain, 0)
        found.number -= 1 << 64 if found.number >= 1 << 63 else 0
    elif match := MEMORY.match(plain):
        found.memory = memory_operand(match)
    else:
        raise UnreadableError(f"operand {text}")
    return found
