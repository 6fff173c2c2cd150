# SPDX-License-Identifier: Apache-2.0 OR MIT
"""How many bytes each routine and macro takes, from a listing of sdas6808.

A macro has a size if all its expansions have the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from claims import MACRO, macros_of, routine_sizes
from machines.listing import Line, read


def sizes(listing: Path) -> dict[str, int]:
    lines = list(read(listing))
    macros = macros_of(line.text for line in lines)
    code = [(line.text, len(line.data) if _is_instruction(line) else 0) for line in lines]
    return {**dict(routine_sizes(code, macros)), **dict(_macros(lines, macros))}


def _is_instruction(line: Line) -> bool:
    return line.mnemonic[:1] not in ("", ".")


def _macros(lines: Sequence[Line], macros: set[str]) -> Iterator[tuple[str, int]]:
    bodies = dict(_bodies(lines))
    found: dict[str, set[int]] = {}
    for i, line in enumerate(lines):
        if line.mnemonic in bodies:
            end = _end(lines, i, bodies)
            count = sum(len(each.data) for each in lines[i + 1 : end])
            if count:
                found.setdefault(line.mnemonic, set()).add(count)
    for name in macros:
        counts = found.get(name.lower(), set())
        if len(counts) == 1:
            yield name, counts.pop()


def _bodies(lines: Sequence[Line]) -> Iterator[tuple[str, int]]:
    """Of each macro the lines between .macro and .endm, where its conditions are true."""
    name, first, loops = "", 0, 0
    conditions: list[bool] = []
    for line in lines:
        found = MACRO.match(line.text)
        if name:
            loops += line.mnemonic == ".irp"
            if line.mnemonic == ".endm" and not loops:
                yield name, (line.number or 0) - first - 1
                name = ""
            loops -= line.mnemonic == ".endm" and loops > 0
        elif found and all(conditions):
            name, first = found[1].lower(), line.number or 0
        elif line.mnemonic.startswith(".if"):
            conditions.append(line.is_true)
        elif line.mnemonic == ".else":
            conditions[-1] = not conditions[-1]
        elif line.mnemonic == ".endif":
            conditions.pop()


def _end(lines: Sequence[Line], i: int, bodies: Mapping[str, int]) -> int:
    """The line after the expansion of the macro that line i asks for.

    Its lines have the numbers 1, 2, .. of its body, with those of macros and loops in it between
    them. One that is asked for where a condition is false is not expanded.
    """
    body = bodies[lines[i].mnemonic]
    at, number = i + 1, 1
    while number <= body and at < len(lines) and lines[at].number == number:
        if lines[at].mnemonic == ".irp":
            end = next(n for n in range(at, len(lines)) if lines[n].mnemonic == ".endm")
            number += end - at
            at = _end_of_loop(lines, end + 1, end - at - 1, bodies)
        else:
            at = _next(lines, at, bodies)
        while at < len(lines) and lines[at].number is None:  # data goes on
            at += 1
        number += 1
    return at


def _end_of_loop(lines: Sequence[Line], at: int, body: int, bodies: Mapping[str, int]) -> int:
    """The line after its turns, which have the numbers 1 to `body` each."""
    number = 1
    while at < len(lines) and lines[at].number == number:
        at = _next(lines, at, bodies)
        number = number % body + 1
    return at


def _next(lines: Sequence[Line], at: int, bodies: Mapping[str, int]) -> int:
    return _end(lines, at, bodies) if lines[at].mnemonic in bodies else at + 1
