# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Figures and their reasons in words: what agrees, what differs, what no source has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from manyfish_lab.report.markdown import Lines, count, paragraph, plain
from manyfish_lab.verdicts import UNCOUNTED, Judged, Verdict

# How many of them, in the order in which a sentence names them.
SHARES: dict[Verdict, str] = {
    "yes": "agree",
    "close": "close",
    "in part": "in part",
    "no": "not",
    "not comparable": "not comparable",
}
WORSE: tuple[Verdict, ...] = ("yes", "close", "in part", "not comparable", "no")


def published(cells: Iterable[Judged]) -> list[Judged]:
    return [cell for cell in cells if cell.published]


def counted(cells: Iterable[Judged]) -> list[Judged]:
    return [cell for cell in cells if cell.counts]


def differing(cells: Iterable[Judged]) -> list[Judged]:
    """Those of which the page says why they do not simply agree."""
    return [cell for cell in cells if cell.published and cell.verdict != "yes"]


def verdict(cell: Judged) -> str:
    return f"**{cell.verdict}**" if cell.verdict == "no" else cell.verdict


def claim(cells: Sequence[Judged]) -> list[str]:
    """The published figures, ours, and whether they agree: a row of all claims."""
    known = published(cells)
    if len(known) == 1:
        cell = known[0].cell
        return [plain(cell.published or ""), plain(cell.ours), verdict(known[0])]
    if not known:
        ours = plain(cells[0].cell.ours) if len(cells) == 1 else count(len(cells), "figure")
        return ["", ours, "no figure"]
    least = max(known, key=lambda cell: WORSE.index(cell.verdict))
    kind = "" if least.counts else f" ({least.kind})"
    return [count(len(known), "figure"), shares(known), verdict(least) + kind]


def reasons(cells: Iterable[Judged]) -> list[tuple[str, list[Judged]]]:
    """Each reason once, and the cells that have it."""
    of: dict[str, list[Judged]] = {}
    for cell in cells:
        if cell.why:
            of.setdefault(cell.why, []).append(cell)
    return list(of.items())


def told(cells: Sequence[Judged]) -> str:
    """Some of these figures, published and ours."""
    said = [
        plain(f"{cell.what}: published {cell.published or 'nothing'}, ours {cell.ours}")
        for cell in (each.cell for each in cells[:3])
    ]
    more = [f"and {len(cells) - 3:,} more"] if len(cells) > 3 else []
    return "; ".join(said + more)


def shares(cells: Sequence[Judged]) -> str:
    """How many of some published figures have each verdict."""
    of = Counter(cell.verdict for cell in cells)
    if of["yes"] == len(cells):
        return "all agree"
    return ", ".join(f"{of[each]:,} {word}" for each, word in SHARES.items() if of[each])


def uncounted(cells: Iterable[Judged]) -> list[str]:
    """How many published cells are no measurements, by their kinds."""
    of = Counter(cell.kind for cell in cells if cell.published)
    return [f"{of[kind]:,} {words}" for kind, words in UNCOUNTED.items() if of[kind]]


def noted(cell: Judged, notes: Sequence[str]) -> str:
    return verdict(cell) + (f" ({notes.index(cell.why) + 1})" if cell.why else "")


def numbered(notes: Sequence[str]) -> Lines:
    """The reasons below a table."""
    yield from (paragraph(plain(why), f"{i}. ", "   ") for i, why in enumerate(notes, 1))
    yield ""
