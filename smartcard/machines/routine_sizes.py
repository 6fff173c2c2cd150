# SPDX-License-Identifier: Apache-2.0 OR MIT
"""How many bytes each routine and macro takes, from a listing of sdas6808.

A routine goes from the comment that begins with its name to the next such comment. Of a macro the
first expansion in a source line of its own counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from claims import HEADER
from machines.listing import Line, read

LABEL = re.compile(r"([A-Za-z_][\w.$]*):")
MACRO = re.compile(r"\s*\.macro\s+(\w+)")


def sizes(listing: Path) -> dict[str, int]:
    lines = list(read(listing))
    macros = {found[1] for line in lines if (found := MACRO.match(line.text))}
    labels = {found[1] for line in lines if (found := LABEL.match(line.text))}
    return {**dict(_routines(lines, labels, macros)), **dict(_macros(lines, macros))}


def _routines(
    lines: Sequence[Line], labels: set[str], macros: set[str]
) -> Iterator[tuple[str, int]]:
    name, count = "", 0
    for line in lines:
        header = HEADER.match(line.text)
        if header and header[1] in labels | macros:
            if name in labels and count:
                yield name, count
            name, count = header[1], 0
        elif line.mnemonic[:1] not in ("", "."):  # instructions
            count += len(line.data)
    if name in labels and count:
        yield name, count


def _macros(lines: Sequence[Line], macros: set[str]) -> Iterator[tuple[str, int]]:
    """An expansion ends before the line of the source that follows the one that asks for it."""
    found: set[str] = set()
    for i, line in enumerate(lines):
        words = line.text.split()
        if not words or words[0] not in macros or words[0] in found:
            continue
        count = _expansion(lines[i:])
        if count:
            found.add(words[0])
            yield words[0], count


def _expansion(lines: Sequence[Line]) -> int:
    number = lines[0].number or 0
    count = 0
    for line in lines[1:]:
        if line.number == number + 1:
            break
        count += len(line.data)
    return count
