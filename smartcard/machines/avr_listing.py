# SPDX-License-Identifier: Apache-2.0 OR MIT
"""How many bytes each routine and macro takes, from a listing of avr-as.

Of a macro the first expansion that has bytes counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from claims import macros_of, routine_sizes

# The number of the source line, address, bytes in groups, then the text behind a tabulator; what a
# macro makes has one > for each macro that it is within.
LINE = re.compile(r" *\d+(?: ([0-9a-f]{4}) ([0-9A-F ]+?))? *\t(>*)(.*)")
MORE = re.compile(r" *\d+ +([0-9A-F ]+)$")


@dataclass
class Line:
    depth: int
    count: int
    text: str


def _lines(listing: str) -> Iterator[Line]:
    line = None
    for text in listing.splitlines():
        if found := LINE.fullmatch(text):
            if line:
                yield line
            line = Line(len(found[3]), len((found[2] or "").replace(" ", "")) // 2, found[4])
        elif line and (more := MORE.fullmatch(text)):
            line.count += len(more[1].replace(" ", "")) // 2
    if line:
        yield line


def sizes(listing: str) -> dict[str, int]:
    lines = list(_lines(listing))
    macros = macros_of(line.text for line in lines)
    code = [(line.text, 0 if line.text.lstrip()[:1] == "." else line.count) for line in lines]
    return {**dict(routine_sizes(code, macros)), **dict(_macros(lines, macros))}


def _macros(lines: Sequence[Line], macros: set[str]) -> Iterator[tuple[str, int]]:
    found: set[str] = set()
    for i, line in enumerate(lines):
        words = line.text.split()
        if words and words[0] in macros - found and (count := _expansion(lines[i:])):
            found.add(words[0])
            yield words[0], count


def _expansion(lines: Sequence[Line]) -> int:
    count = 0
    for line in lines[1:]:
        if line.depth <= lines[0].depth:
            break
        count += line.count
    return count
