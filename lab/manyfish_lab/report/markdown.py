# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Markdown for people who read it as text, too: wrapped, tables aligned."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence

WIDTH = 120

Lines = Iterator[str]


def plain(text: str) -> str:
    """Plain text as Markdown that shows it: powers raised, a long number in groups of digits."""
    if re.fullmatch(r"[1-9]\d{3,}", text):
        return f"{int(text):,}"
    text = text.replace("\\", "\\\\").replace("&", "&amp;").replace("<", "&lt;")
    text = re.sub(r"([|_*`~])", r"\\\1", text).replace("](", "]\\(").replace("$", "&#36;")
    return " ".join(powers(text).split())


def powers(text: str) -> str:
    """2^32 as people write it."""
    return re.sub(r"\^(-?\d+(?:\.\d+)?)", r"<sup>\1</sup>", text)


def paragraph(text: str, first: str = "", rest: str = "") -> str:
    """Markdown, wrapped; nothing that is code or a link is broken."""
    lines = textwrap.wrap(
        " ".join(text.split()),
        WIDTH,
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return "\n".join(lines)


def looks_like_number(text: str) -> bool:
    return bool(re.match(r"[-+<>~]?\s?\d", text)) or not text


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Lines:
    """A table whose columns of numbers stand right; its text is padded too."""
    right = [i > 0 and all(looks_like_number(row[i]) for row in rows) for i in range(len(heads))]
    wide = [max(map(len, column)) for column in zip(heads, *rows)]
    if sum(wide) + 3 * len(wide) > WIDTH:
        wide = [0] * len(heads)  # too wide to be read as text
    rule = ("-" * (size + 1) + ("-:"[to_right]) for size, to_right in zip(wide, right))
    yield table_row(heads, wide, right)
    yield f"|{'|'.join(rule)}|"
    for row in rows:
        yield table_row(row, wide, right)
    yield ""


def table_row(row: Sequence[str], wide: Sequence[int], right: Sequence[bool]) -> str:
    padded = (
        text.rjust(size) if to_right else text.ljust(size)
        for text, size, to_right in zip(row, wide, right)
    )
    return f"| {' | '.join(padded)} |"


def count(number: int, one: str) -> str:
    return f"{number:,} {one}{'s' * (number != 1)}"


UNITS = (
    ("ms", 0.001, 1000),
    ("s", 1, 100),
    ("min", 60, 100),
    ("h", 3600, 48),
    ("days", 86400, 700),
)


def duration(seconds: float) -> str:
    """A time that people can grasp, with two or three digits."""
    for unit, size, most in UNITS:
        if seconds < most * size:
            return f"{seconds / size:.{1 if seconds < 10 * size else 0}f} {unit}"
    return f"{seconds / (365.25 * 86400):,.1f} years"
