# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The comments of assembly on the cost of a routine, and the real cost.

; twofish_rs - S from the key
;   cost   86 bytes, 1,290 clocks (fly_2tables)

Clocks are the most of a call, those that it makes included, by the first table of the machine. In
brackets are the programs that it is said of, with * and ? as in file names; without, it is all
programs that have the routine.

;   time   constant (fly_1table*, fly_2tables*)

above a routine that a program's caller calls promises that the least of its clocks are the most.
Above other routines and macros the line is for the reader: a caller's clocks vary with theirs.
"""

from __future__ import annotations

import fnmatch
import functools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from machine import ROOT
from programs import Program

SOURCES = {
    "m6805": "6805",
    "avr": "avr",
    "cortex_m0": "cortex-m0",
    "m6502": "6502",
}
ASSEMBLY = {".asm", ".s", ".S"}
HEADER = re.compile(r"\s*(?:[;@*#]|/\*|//) (\w+)(?:, \w+)* - ")
COST = re.compile(r"\s*(?:[;@*#]|//)\s+cost\s+(\d.*?)\s*$")
LABEL = re.compile(r"([A-Za-z_][\w.$]*):")
MACRO = re.compile(r"\s*\.macro\s+(\w+)")
TIME = re.compile(r"\s*[;*]\s+time\s+constant(?: \(([\w*?, ]+)\))?")
CALLED = re.compile(r"(twofish|des|mf_thumb(?:_masked)?)_(encrypt|decrypt|set_key|rs)")
FIGURES = re.compile(r"([\d,]+) bytes?(?:, ([\d,]+) clocks)?(?: \(([\w*?, ]+)\))?")


@dataclass(frozen=True)
class Claim:
    """The claim about a routine at a place; programs are patterns."""

    place: str
    routine: str
    bytes: int
    clocks: int | None
    programs: tuple[str, ...]

    def is_of(self, program: str) -> bool:
        return any(fnmatch.fnmatchcase(program, pattern) for pattern in self.programs)


def _number(text: str) -> int:
    return int(text.replace(",", ""))


def claims(source: Path) -> Iterator[Claim]:
    """Of a file; a line that cannot be read is a ValueError."""
    routine = ""
    for number, line in enumerate(source.read_text(encoding="utf-8").splitlines(), 1):
        place = f"{source.name}:{number}"
        if header := HEADER.match(line):
            routine = header[1]
        if cost := COST.match(line):
            figures = FIGURES.fullmatch(cost[1])
            if not figures or not routine:
                raise ValueError(f"{place}: expected 'N bytes, N clocks (PROGRAM...)': {cost[1]}")
            n_bytes, clocks, programs = figures.groups("")
            names = tuple(re.split(r"[, ]+", programs)) if programs else ("*",)
            yield Claim(
                place, routine, _number(n_bytes), _number(clocks) if clocks else None, names
            )


@dataclass(frozen=True)
class Promise:
    """At a place: these routines of a cipher's programs take constant time, as encrypt, set_key."""

    place: str
    cipher: str
    routines: frozenset[str]
    programs: tuple[str, ...]

    def is_of(self, program: Program, routine: str) -> bool:
        """RS is all of set_key where nothing else is stored."""
        name = "rs" if routine == "set_key" and "rs" in self.routines else routine
        if program.cipher != self.cipher or name not in self.routines:
            return False
        if name == "rs" and program.memory:
            return False
        return any(fnmatch.fnmatchcase(program.name, pattern) for pattern in self.programs)


def promises(source: Path) -> Iterator[Promise]:
    """Of a file."""
    called: list[tuple[str, str]] = []
    for number, line in enumerate(source.read_text(encoding="utf-8").splitlines(), 1):
        if HEADER.match(line):
            called = CALLED.findall(line.partition(" - ")[0])
        elif called and (found := TIME.fullmatch(line)):
            names = tuple(re.split(r"[, ]+", found[1])) if found[1] else ("*",)
            cipher = "des" if called[0][0] == "des" else "twofish"
            routines = frozenset(routine for _, routine in called)
            yield Promise(f"{source.name}:{number}", cipher, routines, names)


@functools.cache
def promises_of(machine: str) -> Sequence[Promise]:
    return [promise for source in sources(machine) for promise in promises(source)]


def sources(machine: str) -> Sequence[Path]:
    folder = ROOT / "smartcard" / SOURCES[machine]
    return sorted(file for file in folder.glob("*") if file.suffix in ASSEMBLY)


def broken(program: Program, clocks: Mapping[str, tuple[int, int]]) -> Iterator[str]:
    """Sentences on routines whose clocks vary, and that are promised not to."""
    for routine, (least, most) in clocks.items():
        for promise in promises_of(program.machine):
            if least != most and promise.is_of(program, routine):
                yield (
                    f"{promise.place}: {routine} of {program.name} takes {least:,} to {most:,} "
                    "clocks, and the comment says that its time is constant"
                )


def wrong(claim: Claim, sizes: dict[str, int], clocks: dict[str, int]) -> Iterator[str]:
    """Sentences on what differs, of a program that has the routine."""
    name = claim.routine
    if sizes[name] != claim.bytes:
        yield f"{claim.place}: {name} has {sizes[name]} bytes, not {claim.bytes}"
    if claim.clocks is None:
        return
    if name not in clocks:
        yield f"{claim.place}: no call of {name} is seen, so its clocks cannot be stated"
    elif clocks[name] != claim.clocks:
        yield f"{claim.place}: {name} takes {clocks[name]} clocks, not {claim.clocks}"


def checked(sources: Iterable[Path]) -> list[Claim]:
    return [claim for source in sources for claim in claims(source)]


def macros_of(texts: Iterable[str]) -> set[str]:
    return {found[1] for text in texts if (found := MACRO.match(text))}


def routine_sizes(lines: Sequence[tuple[str, int]], macros: set[str]) -> Iterator[tuple[str, int]]:
    """Of the lines of a listing, each with the bytes of its instruction.

    A routine goes from the comment that begins with its name to the next such comment.
    """
    labels = {found[1] for text, _ in lines if (found := LABEL.match(text))}
    name, count = "", 0
    for text, n_bytes in lines:
        header = HEADER.match(text)
        if header and header[1] in labels | macros:
            if name in labels and count:
                yield name, count
            name, count = header[1], 0
        else:
            count += n_bytes
    if name in labels and count:
        yield name, count
