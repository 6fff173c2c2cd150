# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Numbers and tables of RESULTS.md and README.md."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

Lines = Iterator[str]


def cell(number: int | float | None, digits: int = 0) -> str:
    return "" if number is None else f"{number:,.{digits}f}"


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], left: int = 1) -> Lines:
    """Lines of a table whose first columns are text and the others numbers."""
    yield f"| {' | '.join(heads)} |"
    yield "|" + "---|" * left + "--:|" * (len(heads) - left)
    for row in rows:
        yield f"| {' | '.join(row)} |"
    yield ""


def per_cent(new: float, old: float) -> str:
    return f"{100 * (new / old - 1):+.0f} %"
