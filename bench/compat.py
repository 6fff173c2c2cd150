#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Times programs with RustCrypto's Twofish and with ours in its place, by rust/compat/proof.

bench/compat.py record   run them in turn, keep the times as CSV in bench/results/, print its name
bench/compat.py tables   make the table between the markers in rust/compat/README.md again
bench/compat.py check    exit 1 if that would change anything
"""

from __future__ import annotations

import csv
import os
import subprocess
import sys
from pathlib import Path

import commands
from commands import ROOT

DOCUMENT = ROOT / "rust" / "compat" / "README.md"
BINARIES = ROOT / "rust" / "target" / "compat" / "release"

# The table is of 64 MiB. RustCrypto's takes most of a minute for them, so it is given a part:
# time grows with the octets alone. Of ours the least of some runs counts.
OCTETS = 64 << 20
OCTETS_OF_THEIRS = OCTETS // 16
RUNS_OF_THEIRS = 1
RUNS = 3

# The programs, and the kernel that each is given; ours without a name is the default.
THEIRS, DEFAULT, TABLES = "RustCrypto", "manyfish", "manyfish, kernel full"
PROGRAMS = {
    THEIRS: ("proof-unpatched", None, OCTETS_OF_THEIRS, RUNS_OF_THEIRS),
    DEFAULT: ("proof", None, OCTETS, RUNS),
    TABLES: ("proof", "full", OCTETS, RUNS),
}

# Jobs as rust/compat/proof/src/times.rs names them, and what they are.
JOBS = {
    "blocks-decrypt": "Twofish alone, all blocks at once",
    "block-encrypt": "Twofish alone, each block after the one before",
    "cbc-decrypt": "CBC decryption by `cbc` 0.2",
    "cbc-encrypt": "CBC encryption by `cbc` 0.2",
    "cfb-decrypt": "CFB decryption by `cfb-mode` 0.8, buffered",
    "cfb-encrypt": "CFB encryption by `cfb-mode` 0.8, buffered",
    "keepass-open": "keepass-rs opens a database",
    "keepass-save": "keepass-rs saves a database",
    "pgp-open": "rpgp opens a message",
    "pgp-write": "rpgp writes a message",
}
# Those that are timed along with the writing of what they open.
ALONG = {"keepass-open", "pgp-open"}


def times(program: str, kernel: str | None, octets: int, runs: int, job: str) -> list[str]:
    """Lines of job, octets and seconds."""
    ours = ("MANYFISH_KERNEL", "MANYFISH_LEAKS")
    environment = {name: value for name, value in os.environ.items() if name not in ours}
    if kernel is not None:
        environment |= {"MANYFISH_KERNEL": kernel, "MANYFISH_LEAKS": "any"}
    command = [str(BINARIES / program), "time", str(octets), str(runs), job]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return run.stdout.splitlines()[1:]


def record() -> int:
    head = commands.here()
    if status := commands.refused(head["commit"]):
        return status  # before some minutes have passed
    rows = [["twofish", "kernel", "job", "octets", "seconds"]]
    default = commands.default_kernel()
    for job in (name for name in JOBS if name not in ALONG):
        for twofish, program in PROGRAMS.items():
            kernel = program[1] or (default if twofish == DEFAULT else "")
            rows += ([twofish, kernel, *line] for line in csv.reader(times(*program, job)))
    return commands.keep("compat", head, rows)


def table_of(path: Path) -> list[str]:
    """A row for each job: seconds, and how many times theirs takes as long."""
    notes, rows = commands.read(path)
    found: dict[str, dict[str, float]] = {}
    for row in rows:
        seconds = float(row["seconds"]) * OCTETS / int(row["octets"])
        found.setdefault(row["job"], {})[row["twofish"]] = seconds
    return [
        f"{commands.machine(notes, rows)}; commit {notes['commit']}, {notes['date']}; "
        f"seconds of the processor for {OCTETS >> 20} MiB under a key of 256 bits, "
        f"RustCrypto's from {OCTETS_OF_THEIRS >> 20} MiB. In brackets: how many times ours goes "
        "into theirs.",
        "",
        "| what | RustCrypto | Manyfish (default) | Manyfish, kernel `full` |",
        "|---|--:|--:|--:|",
        *(row_of(what, found[job]) for job, what in JOBS.items()),
    ]


def row_of(what: str, seconds: dict[str, float]) -> str:
    theirs = seconds[THEIRS]
    ours = (f"{seconds[name]:.3f} ({theirs / seconds[name]:.0f}x)" for name in (DEFAULT, TABLES))
    return f"| {what} | {theirs:.2f} | {' | '.join(ours)} |"


def main() -> int:
    return commands.of_documents(__doc__, record, (DOCUMENT,), {"compat": table_of})


if __name__ == "__main__":
    sys.exit(main())
