# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Object files as objdump shows them: functions, instructions, relocations, who may call what."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

# Jumps and calls name their target by place: the object, the section in it, the address in that.
Place = tuple[str, str, int]

SECTION = re.compile(r"^Disassembly of section (\S+):$")
LABEL = re.compile(r"^([0-9a-f]+) <(.+)>:$")
INSTRUCTION = re.compile(r"^ *([0-9a-f]+):\t(.+)$")
RELOCATION = re.compile(r"\t([0-9a-f]+): (R_\S+)\t(\S+)$")
COMMENT = re.compile(r"\s+(?:#|//) .*$")
DATA_RELOCATION = re.compile(r"^([0-9a-f]+) (R_\S+) +(\S+)$")
SYMBOL = re.compile(r"^([0-9a-f]+) (.{7}) (\S+)\t([0-9a-f]+) +(?:\.hidden )?(\S+)$")
RELOCATED = re.compile(r"^(.+?)([+-]0x[0-9a-f]+)?$")


class UnreadableError(Exception):
    """The machine code has a form that is not understood here."""


@dataclass
class Instruction:
    """One line of objdump: `text` is mnemonic and operands, without comments."""

    place: Place
    text: str
    symbol: str = ""  # of its relocation, with the addend
    kind: str = ""  # of its relocation
    field: int = 0  # where the relocated bytes are

    @property
    def mnemonic(self) -> str:
        return self.text.split()[0]


@dataclass
class Function:
    """A named piece of code; `is_entry` if others than its own object's code may call it."""

    name: str
    place: Place
    is_entry: bool = False


@dataclass
class Program:
    """All objects together."""

    machine: str = ""
    instructions: dict[Place, Instruction] = field(default_factory=dict)
    following: dict[Place, Place] = field(default_factory=dict)
    functions: dict[Place, Function] = field(default_factory=dict)
    symbols: dict[tuple[str, str], Place] = field(default_factory=dict)  # "" is global
    variables: dict[Place, int] = field(default_factory=dict)  # and constants: their sizes
    pointers: dict[Place, Place] = field(default_factory=dict)  # that stand in these
    taken: set[Place] = field(default_factory=set)
    # Public memory that a caller points to: object, base, distance, size.
    public_fields: set[tuple[str, str, int, int]] = field(default_factory=set)

    def is_public(self, obj: str, bases: frozenset[str], offset: int | None, size: int) -> bool:
        if len(bases) != 1 or offset is None:
            return False
        path = Path(obj)
        stem = path.with_name(path.name.split(".")[0]).as_posix()
        where = (next(iter(bases)), offset, size)
        return any(
            f"/{stem}".endswith(f"/{row[0]}") and row[1:] == where for row in self.public_fields
        )

    def code_in(self, variable: Place) -> set[Place]:
        """The functions whose addresses stand in a variable."""
        obj, section, start = variable
        end = start + self.variables.get(variable, 0)
        return {
            target
            for place, target in self.pointers.items()
            if place[:2] == (obj, section) and start <= place[2] < end and target in self.functions
        }

    def code_behind(self, bases: frozenset[str]) -> frozenset[str]:
        """The same for what values may point into: names of variables to names of functions."""
        found = set()
        for base in bases:
            parts = base.partition(" ")[2].split("|")
            if len(parts) == 3:
                functions = self.code_in((parts[0], parts[1], int(parts[2])))
                found |= {f"code {'|'.join(map(str, place))}" for place in functions}
        return frozenset(found)

    def variable_at(self, place: Place) -> Place:
        """The start of the variable that is there; the place itself if none has a name."""
        for start, size in self.variables.items():
            if start[:2] == place[:2] and start[2] <= place[2] < start[2] + size:
                return start
        return place

    def resolve(self, obj: str, symbol: str, correction: int = 0) -> Place | None:
        """The place of `name+0x10`, or None if no object has it."""
        match = RELOCATED.match(symbol)
        if not match:
            return None
        name, addend = match[1], int(match[2] or "0", 16) + correction
        place = self.symbols.get((obj, name)) or self.symbols.get(("", name))
        return place and (place[0], place[1], place[2] + addend)


def objdump(tool: str, path: Path, *options: str) -> list[str]:
    command = [tool, *options, str(path)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


def read_symbols(program: Program, obj: str, lines: list[str]) -> None:
    for line in lines:
        match = SYMBOL.match(line)
        if not match or match[3] in ("*UND*", "*ABS*", "*COM*"):
            continue
        place = (obj, match[3], int(match[1], 16))
        program.symbols[(obj, match[5])] = place
        if "O" in match[2]:
            program.variables[place] = int(match[4], 16)
        if "g" in match[2]:
            program.symbols[("", match[5])] = place
            program.taken.add(place)
    # Relocations name sections too.
    for line in lines:
        match = SYMBOL.match(line)
        if match and match[3].startswith("."):
            program.symbols.setdefault((obj, match[3]), (obj, match[3], 0))


def read_code(program: Program, obj: str, lines: list[str]) -> None:
    section = ""
    last: Instruction | None = None
    for line in lines:
        if match := SECTION.match(line):
            section, last = match[1], None
            program.symbols.setdefault((obj, section), (obj, section, 0))
        elif match := LABEL.match(line):
            place = (obj, section, int(match[1], 16))
            program.functions[place] = Function(match[2], place)
        elif match := INSTRUCTION.match(line):
            place = (obj, section, int(match[1], 16))
            text = COMMENT.sub("", RELOCATION.sub("", match[2])).strip()
            instruction = Instruction(place, text)
            if relocation := RELOCATION.search(match[2]):
                instruction.field = int(relocation[1], 16)
                instruction.kind, instruction.symbol = relocation[2], relocation[3]
            program.instructions[place] = instruction
            if last:
                program.following[last.place] = place
            last = instruction


def read_data_relocations(program: Program, obj: str, lines: list[str]) -> None:
    """Functions whose address stands in data may be called with anything."""
    section = ""
    for line in lines:
        if line.startswith("RELOCATION RECORDS FOR ["):
            section = line[24:-2]
        elif section.startswith((".data", ".rodata")) and (match := DATA_RELOCATION.match(line)):
            target = program.resolve(obj, match[3])
            if target:
                program.taken.add(target)
                program.pointers[obj, section, int(match[1], 16)] = target


def read_public_fields(program: Program, path: Path) -> None:
    """Lines of "object argument offset bytes reason"."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            words = line.split(None, 4)
            if len(words) < 5:
                raise UnreadableError(f"{path}: {line}")
            row = (words[0], f"argument {int(words[1])}", int(words[2]), int(words[3]))
            program.public_fields.add(row)


def read(paths: list[Path], tool: str) -> Program:
    """All objects as one program."""
    program = Program()
    for path in paths:
        obj = str(path)
        header = objdump(tool, path, "-f")
        machine = next(line.split(",")[0].split()[-1] for line in header if "architecture:" in line)
        if program.machine not in ("", machine):
            raise UnreadableError(f"{path} is for {machine}, others are for {program.machine}")
        program.machine = machine
        syntax = ["-M", "intel"] if "x86-64" in machine else []
        read_symbols(program, obj, objdump(tool, path, "-t"))
        code = objdump(tool, path, "-d", "-r", "-w", "--no-show-raw-insn", *syntax)
        read_code(program, obj, code)
        read_data_relocations(program, obj, objdump(tool, path, "-r"))
    for place, function in program.functions.items():
        function.is_entry = place in program.taken
    return program
