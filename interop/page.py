#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Makes docs/interop.md from results.csv.

Usage: interop/page.py write | check
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path

import results
from results import Row

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "interop.md"

OURS, THEIRS, BOTH = "ours to theirs", "theirs to ours", "both"
AREAS = [
    "OpenPGP messages",
    "KeePass databases",
    "Disks",
    "Programs with this cipher in them",
    "Bare modes",
]
OPENPGP, MODES = AREAS[0], AREAS[-1]
# The start of a row's `what`, and its column.
FORMS = {"RFC 9580": "RFC 9580 (default)", "RFC 4880": "`--format rfc4880`", "LibrePGP": "LibrePGP"}


INTRODUCTION = """\
# Who can open what

Made by `interop/page.py` from a run of `make interop`; do not edit.

- **A message for** GnuPG, Thunderbird (RNP), Bouncy Castle, OpenPGP.js, rpgp or nearly any other
  program: use `manyfish encrypt --format rfc4880`. The default, RFC 9580, is safer; Sequoia 2
  opens it.
- **A message from** one of them, with Twofish and a passphrase: use `manyfish decrypt`.
- **A KeePass database** with Twofish: KeePassXC, pykeepass and keepass-rs open it. Our cipher makes
  pykeepass and keepass-rs faster, and changes nothing else.
- **A disk** of LUKS, VeraCrypt or TrueCrypt: use `manyfish open`.
- **Any other data**: the table of bare modes lists the programs that we compared each mode with.

In the tables "yes" means: the reader got every text back, and refused altered ones where the form
can show a change. "No" means: the reader refuses; its words stand below. An empty cell means: the
program has no such thing, or we did not try it.
[results.csv](../interop/results.csv) has every exchange.
"""

# Forms of other programs or of test vectors that Manyfish does not compute.
NOT_SUPPORTED = [
    ("OCB with DES or Triple-DES", "RFC 7253 defines OCB for blocks of 16 bytes alone"),
    ("XTS with DES or Triple-DES", "IEEE 1619 defines XTS for blocks of 16 bytes alone"),
    (
        "CFB with segments of 16 or 32 bits",
        "we know no program that writes them; 1, 8 and whole blocks work",
    ),
    ("CFB of 1 bit, messages of odd bits", "we know no such data; whole bytes work"),
    ("PMAC", "we know no program that writes it; CMAC works"),
    ("Interleaved CBC (TCBC-I, TCFB-P, TOFB-I)", "withdrawn with ANSI X9.52; we know no data"),
    (
        "LRW",
        "a mode of disks from 2005 to 2010: only `manyfish open` and the OpenSSL provider have it",
    ),
]


def table(head: list[str], lines: Iterable[list[str]]) -> list[str]:
    """Return the lines of a table."""
    rows = [head, ["---"] * len(head), *lines]
    return [f"| {' | '.join(cell.replace('|', '/') for cell in row)} |" for row in rows]


def verdict(rows: list[Row]) -> str:
    """Say in a word what came of several rows."""
    found = {row.result for row in rows}
    if not found:
        return ""
    if found == {results.OK}:
        return "yes"
    if found == {results.REFUSES}:
        return "no"
    return "partly" if results.OK in found else "not run"


def by_program(rows: list[Row]) -> list[tuple[str, list[Row]]]:
    """Return the rows of each program with its name and version."""

    def name(row: Row) -> str:
        return f"{row.name} {row.version}".strip()

    return [(each, list(group)) for each, group in groupby(rows, name)]


def openpgp_table(rows: list[Row]) -> list[str]:
    """Return the table of who opens which message."""
    head = ["program"]
    for title in FORMS.values():
        head += [] if title == "LibrePGP" else [f"{title}: they open ours"]
        head += [f"{title}: we open theirs"]
    lines = []
    for name, group in by_program(rows):
        line = [name]
        for form in FORMS:
            of_form = [row for row in group if row.what.startswith(form)]
            for direction in [OURS, THEIRS] if form != "LibrePGP" else [THEIRS]:
                line.append(verdict([row for row in of_form if row.direction == direction]))
        lines.append(line)
    return table(head, lines)


def short_table(rows: list[Row]) -> list[str]:
    """Return the table of all programs that are no libraries of bare modes."""
    lines = []
    for area in AREAS[1:-1]:
        for name, group in by_program([row for row in rows if row.area == area]):
            line = [area, name]
            for direction in [OURS, THEIRS]:
                chosen = [row for row in group if row.direction in (direction, BOTH)]
                line.append(verdict(chosen))
            lines.append(line)
    return table(["what", "program", "they open ours", "we open theirs"], lines)


def modes_table(rows: list[Row]) -> list[str]:
    """Return the table of modes by library."""
    programs = by_program(rows)
    modes = list(dict.fromkeys(mode(row) for row in rows))
    lines = []
    for each in sorted(modes):
        line = [each]
        for _, group in programs:
            chosen = [row for row in group if mode(row) == each]
            sizes = {bits for row in chosen for bits in re.findall(r"\d{3}", row.what)}
            short = "" if not chosen or len(sizes) == 3 else f" ({', '.join(sorted(sizes))})"
            line.append(verdict(chosen) + short)
        lines.append(line)
    return table(["mode", *(name for name, _ in programs)], lines)


def mode(row: Row) -> str:
    """Return the mode of a row of the area of bare modes."""
    return row.what.split(",")[0].removeprefix("Twofish-")


def refusals(rows: list[Row]) -> list[str]:
    """Return the rows of exchanges that failed, with the reader's words."""
    head = ["program", "what", "direction", "result"]
    lines = []
    for row in rows:
        if row.area and row.result != results.OK:
            words = re.sub(r"^\[.*?\] ", "", row.words)
            result = row.result + (f": {words}" if words else "")
            lines.append([f"{row.name} {row.version}", row.what, row.direction, result])
    return table(head, lines)


def sources(rows: list[Row]) -> list[str]:
    """Return where each program came from, and when it was run."""
    seen = dict.fromkeys((r.name, r.version, r.source, r.date) for r in rows)
    return table(["program", "version", "installed from", "run on"], [list(each) for each in seen])


def page(rows: list[Row]) -> str:
    """Return the whole page; results with a failure have none."""
    wrong = [f"{row.name}: {row.what}" for row in rows if row.result == results.WRONG]
    if wrong:
        raise SystemExit(f"results.csv has rows {results.WRONG}: {'; '.join(wrong)}")
    area = {each: [row for row in rows if row.area == each] for each in AREAS}
    text = [
        INTRODUCTION,
        "## OpenPGP messages",
        "",
        *openpgp_table(area[OPENPGP]),
        "",
        "## Databases, disks, programs",
        "",
        *short_table(rows),
        "",
        "## Bare modes",
        "",
        "We exchanged random messages both ways, with keys of 128, 192 and 256 bits, or those in",
        "brackets.",
        "",
        *modes_table(area[MODES]),
        "",
        "## Refused, and not run",
        "",
        *refusals(rows),
        "",
        "## Not supported, and why",
        "",
        *table(["form", "reason"], [list(each) for each in NOT_SUPPORTED]),
        "",
    ]
    missing = [row for row in rows if not row.area]
    if missing:
        lines = [[row.name, row.words] for row in missing]
        text += ["## Not run", "", *table(["program", "why"], lines), ""]
    return "\n".join([*text, "## The programs", "", *sources(rows), ""])


def main() -> int:
    """Write the page, or say that it is not up to date."""
    made = page(results.read())
    if sys.argv[1:] == ["write"]:
        PAGE.write_text(made, encoding="utf-8")
        return 0
    if sys.argv[1:] != ["check"]:
        print(__doc__, file=sys.stderr)
        return 2
    if PAGE.read_text(encoding="utf-8") == made:
        return 0
    print(f"{PAGE.relative_to(ROOT)} is not what results.csv gives: interop/page.py write")
    return 1


if __name__ == "__main__":
    sys.exit(main())
