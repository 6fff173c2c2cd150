# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Figures and their reasons in words: what agrees, what differs, what no source has."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from manyfish_lab.experiment import Cell
from manyfish_lab.report.markdown import Lines, count, paragraph, plain


def published(cells: Iterable[Cell]) -> list[Cell]:
    return [cell for cell in cells if cell.published is not None]


def differing(cells: Iterable[Cell]) -> list[Cell]:
    return [cell for cell in cells if cell.agrees is False]


def verdict(cell: Cell) -> str:
    return {True: "yes", False: "**no**", None: "no figure"}[cell.agrees]


def claim(cells: Sequence[Cell]) -> list[str]:
    """The published figures, ours, and whether they agree: a row of all claims."""
    known, wrong = published(cells), len(differing(cells))
    if len(known) == 1:
        return [plain(known[0].published or ""), plain(known[0].ours), verdict(known[0])]
    if not known:
        ours = plain(cells[0].ours) if len(cells) == 1 else count(len(cells), "figure")
        return ["", ours, "no figure"]
    agree = sum(cell.agrees is True for cell in known)
    answer = "**no**" if wrong else "yes" if agree == len(known) else "as far as compared"
    return [count(len(known), "figure"), shares(known), answer]


def reasons(cells: Iterable[Cell]) -> list[tuple[str, list[Cell]]]:
    """Each reason once, and the cells that have it."""
    of: dict[str, list[Cell]] = {}
    for cell in cells:
        if cell.why:
            of.setdefault(cell.why, []).append(cell)
    return list(of.items())


def told(cells: Sequence[Cell]) -> str:
    """Some of these figures, published and ours."""
    said = [
        plain(f"{cell.what}: published {cell.published or 'nothing'}, ours {cell.ours}")
        for cell in cells[:3]
    ]
    more = [f"and {len(cells) - 3:,} more"] if len(cells) > 3 else []
    return "; ".join(said + more)


def shares(cells: Sequence[Cell]) -> str:
    """How many of some published figures agree, differ, and could not be compared."""
    agree, wrong = sum(cell.agrees is True for cell in cells), len(differing(cells))
    if agree == len(cells):
        return "all agree"
    left = len(cells) - agree - wrong
    said = (f"{agree:,} agree", f"{wrong:,} not", f"{left:,} not compared")
    return ", ".join(text for text, number in zip(said, (1, wrong, left)) if number)


def noted(cell: Cell, notes: Sequence[str]) -> str:
    return verdict(cell) + (f" ({notes.index(cell.why) + 1})" if cell.why else "")


def numbered(notes: Sequence[str]) -> Lines:
    """The reasons below a table."""
    yield from (paragraph(plain(why), f"{i}. ", "   ") for i, why in enumerate(notes, 1))
    yield ""
