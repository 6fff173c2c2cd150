#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Follows secrets through object files. The memory that a caller points to is secret, pointers and
counts are not.

A fault is: gather and scatter; a load, store, call or jump to an address that depends on a secret;
a branch on a secret or on a test of vectors; an instruction that is not in the list of those whose
time does not depend on their data, or that wants public operands there and has others; code that
was not reached, for it was not checked.

check.py [--objdump TOOL] [--list LIST] [--with OBJECT...] -- OBJECT...
  OBJECT     compiled code, of which each function that others may call is checked
  --with     objects in which functions that are called from there are found
  --objdump  the one of the target, if it is another machine
  --list     a list of instructions in place of doit.txt (x86-64) or dit.txt (AArch64)

public_fields.txt names what callers point to that is no secret. Exit: 0 nothing found, 1 faults,
2 nothing could be checked.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from pathlib import Path

import aarch64
import x86
from flow import Flow, Machine
from instructions import Listed, Table
from objects import Program, UnreadableError, read, read_public_fields

HERE = Path(__file__).resolve().parent


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Looks for code whose time depends on secrets.")
    parser.add_argument("objects", nargs="+", type=Path, metavar="OBJECT")
    parser.add_argument("--with", nargs="*", type=Path, default=[], dest="others", metavar="OBJECT")
    parser.add_argument("--list", type=Path, help="in place of doit.txt or dit.txt")
    parser.add_argument("--objdump", default="objdump", help="the objdump of the target")
    return parser.parse_args()


def rules(program: Program, chosen: Path | None) -> tuple[Machine, Table]:
    """The rules of the machine of these objects, and the table of instructions that it may have."""
    if program.machine == "aarch64":
        table = Table(chosen or HERE / "dit.txt")
        return aarch64.AArch64(program, table), table
    if program.machine.endswith("x86-64"):
        table = Table(chosen or HERE / "doit.txt")
        return x86.X86(program, table), table
    raise UnreadableError(f"no rules for {program.machine}")


def where(program: Program, place: tuple[str, str, int]) -> str:
    """The object, and the function with the distance from its start."""
    functions = [f for f in program.functions.values() if f.place[:2] == place[:2]]
    before = [f for f in functions if f.place[2] <= place[2]]
    function = max(before, key=lambda f: f.place[2])
    return f"{Path(place[0]).name}: {function.name}+{place[2] - function.place[2]:#x}"


def find_unreached(flow: Flow, checked: set[str]) -> None:
    """Code that the analysis has not reached has not been checked, so there must be none."""
    padding = re.compile(r"^((data16|cs|ds) )*(nop|xchg +ax,ax|int3|lea +(\w+),\[\4\+0x0\]$)")
    for place, instruction in flow.program.instructions.items():
        if place[0] in checked and place not in flow.seen and not padding.match(instruction.text):
            flow.fault(place, "code that is never reached")


def report(flow: Flow, table: Table) -> None:
    """The sums: which instructions were met, and on what ground they are taken."""
    program = flow.program
    met = Counter(program.instructions[place].mnemonic for place in flow.seen)
    unlisted = sorted(name for name in met if table.find(name) is Listed.UNLISTED)
    print(f"{len(flow.analyses)} functions, {len(flow.seen)} instructions of {len(met)} kinds")
    if unlisted:
        print(f"not on the vendor's list, taken on another ground: {' '.join(unlisted)}")


def main() -> int:
    args = arguments()
    try:
        program = read(list(dict.fromkeys([*args.objects, *args.others])), args.objdump)
        read_public_fields(program, HERE / "public_fields.txt")
        machine, table = rules(program, args.list)
        flow = Flow(program, machine)
        checked = {str(path) for path in args.objects}
        entries = [f for f in program.functions.values() if f.is_entry and f.place[0] in checked]
        flow.analyse(entries)
    except UnreadableError as reason:
        print(f"check.py: error: {reason}", file=sys.stderr)
        return 2
    if not entries:
        print("check.py: error: no function in these objects", file=sys.stderr)
        return 2
    find_unreached(flow, checked)
    for place in sorted(flow.faults):
        for text in sorted(flow.faults[place]):
            print(f"{where(program, place)}: {text}: {program.instructions[place].text}")
    report(flow, table)
    return 1 if flow.faults else 0


if __name__ == "__main__":
    sys.exit(main())
