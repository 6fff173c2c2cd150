# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The comments of assembly on the cost of a routine, and the real cost.

; twofish_rs - S from the key
;   cost   86 bytes, 1,290 clocks (fly_2tables)

Clocks are the most of a call, those that it makes included, by the first table of the machine. In
brackets are the programs that it is said of, with * and ? as in file names; without, it is all
programs that have the routine.
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

HEADER = re.compile(r"\s*(?:[;@*#]|/\*|//) (\w+)(?:, \w+)* - ")
COST = re.compile(r"\s*(?:[;@*#]|//)\s+cost\s+(\d.*?)\s*$")
LABEL = re.compile(r"([A-Za-z_][\w.$]*):")
MACRO = re.compile(r"\s*\.macro\s+(\w+)")
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
