#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The table of docs/proof.md, from the proofs that proof/known.csv keeps.

bench/proofs.py tables  make the table again
bench/proofs.py check   exit 1 if that would change it
"""

from __future__ import annotations

import csv
import sys

import commands
from commands import ROOT

KNOWN = ROOT / "proof" / "known.csv"
PAGE = ROOT / "docs" / "proof.md"
START = "<!-- known proofs: proof/known.csv -->\n"
END = "<!-- end of table -->"

Row = dict[str, str]


def subject(row: Row) -> tuple[str, str, str]:
    """Library, kernel or mode, and hash: the proofs for several lengths of keys are a row."""
    return row["library"], row["statement"].split(": ")[0], row["code"]


def table(rows: list[Row]) -> str:
    """A line for each subject, in the order of the file."""
    lines = ["| library | code | proved for | seconds | hash |\n", "|---|---|---|--:|---|\n"]
    for library, name, code in dict.fromkeys(map(subject, rows)):
        same = [row for row in rows if subject(row) == (library, name, code)]
        statements = ", ".join(row["statement"].split(": ")[1] for row in same)
        seconds = sum(int(row["seconds"]) for row in same)
        lines.append(f"| {library} | `{name}` | {statements} | {seconds} | `{code[:12]}` |\n")
    return "".join(lines)


def make(*, check: bool) -> int:
    with KNOWN.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    text = PAGE.read_text(encoding="utf-8")
    start = text.index(START) + len(START)
    end = text.index(END, start)
    return commands.remake(PAGE, text[:start] + table(rows) + text[end:], check=check)


if __name__ == "__main__":
    made = {"tables": lambda: make(check=False), "check": lambda: make(check=True)}
    sys.exit(commands.run(__doc__, made))
