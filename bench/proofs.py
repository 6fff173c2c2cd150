#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The table of docs/proof.md, from the proofs of libraries that ship in proof/known.csv.

bench/proofs.py tables  make the table again
bench/proofs.py check   exit 1 if that would change it, or if code that ships has no proof
"""

from __future__ import annotations

import csv
import re
import sys
from collections.abc import Iterator

import commands
from commands import ROOT

KNOWN = ROOT / "proof" / "known.csv"
PAGE = ROOT / "docs" / "proof.md"
START = "<!-- known proofs: proof/known.csv -->\n"
END = "<!-- end of table -->"

# The libraries that ship, by how their names begin and end, and a macro of their compilers.
SHIPPED = {
    ("x86-64 by gcc", ""): "__x86_64__",
    ("x86-64 by clang", ""): "__x86_64__",
    ("AArch64 by gcc", ""): "__aarch64__",
    ("AArch64 by clang", ""): "__aarch64__",
    ("WebAssembly", "simd.wasm"): "__wasm_simd128__",
    ("WebAssembly", "scalar.wasm"): "",
}
# Libraries without DES.
WITHOUT_DES = {"__wasm_simd128__", ""}
MODES = ROOT / "proof" / "src" / "modes.rs"

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


def kernels(cipher: str, macro: str) -> Iterator[str]:
    """Those that the list of a cipher has where a compiler defines this macro."""
    text = (ROOT / "c" / "src" / cipher / "kernels.h").read_text(encoding="utf-8")
    holds, held = True, False
    for line in text.split("#define MF_SRC_")[1].splitlines():
        if line.startswith(("#if", "#elif")):
            held = held and not line.startswith("#if")
            holds = not held and bool(macro) and macro in line
            held = held or holds
        elif line.startswith("#else"):
            holds = not held
        elif line.startswith("#endif"):
            holds = True
        elif holds:
            yield from (name.replace("_", "-") for name in re.findall(r"\bX\((\w+)\)", line))


def wanted(macro: str) -> set[str]:
    """The kernels that must have a proof, and the modes on x86-64."""
    des = () if macro in WITHOUT_DES else kernels("des", macro)
    modes = re.findall(r'^ +name: "(.*)",$', MODES.read_text(encoding="utf-8"), re.MULTILINE)
    return {
        *kernels("twofish", macro),
        *(f"des/{name}" for name in des),
        *(f"modes/{name}" for name in modes if macro == "__x86_64__"),
    }


def missing(rows: list[Row]) -> list[str]:
    """Kernels and modes that ship in a library without a proof."""
    found = []
    for (start, end), macro in SHIPPED.items():
        proved = {
            row["statement"].split(": ")[0]
            for row in rows
            if row["library"].startswith(start) and row["library"].endswith(end)
        }
        found += [f"{name} of {start} {end}".strip() for name in sorted(wanted(macro) - proved)]
    return found


def make(*, check: bool) -> int:
    with KNOWN.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    if check and (without := missing(rows)):
        return commands.fault(f"no proof of {', '.join(without)}", "run make prove")
    starts = tuple(start for start, _ in SHIPPED)
    rows = [row for row in rows if row["library"].startswith(starts)]
    text = PAGE.read_text(encoding="utf-8")
    start = text.index(START) + len(START)
    end = text.index(END, start)
    return commands.remake(PAGE, text[:start] + table(rows) + text[end:], check=check)


if __name__ == "__main__":
    made = {"tables": lambda: make(check=False), "check": lambda: make(check=True)}
    sys.exit(commands.run(__doc__, made))
