#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Writes every file that the model makes (tables, test vectors), or checks them.

python3 model/generate.py                   write them
python3 model/generate.py --check           exit 1 if one of them is not what would be written
python3 model/generate.py [--check] --long  the Monte Carlo vectors as well (ten minutes of CPU)
"""

from __future__ import annotations

import argparse
import sys
from itertools import zip_longest
from pathlib import Path

import c_tables
import cbc_mac_vectors
import des_c_tables
import des_circuits
import des_java_tables
import des_vector_files
import gcm_vectors
import hardware_tables
import java_tables
import monte_carlo
import openpgp_vectors
import q_circuits
import smartcard_des_tables
import smartcard_tables
import unauthenticated_vectors
import vector_files

ROOT = Path(__file__).resolve().parent.parent

FILES = {
    **c_tables.FILES,
    **des_c_tables.FILES,
    **des_circuits.FILES,
    **q_circuits.FILES,
    **smartcard_tables.FILES,
    **smartcard_des_tables.FILES,
    **hardware_tables.FILES,
    **java_tables.FILES,
    **des_java_tables.FILES,
    **vector_files.FILES,
    **unauthenticated_vectors.FILES,
    **cbc_mac_vectors.FILES,
    **gcm_vectors.FILES,
    **des_vector_files.FILES,
    **openpgp_vectors.FILES,
}
LONG_FILES = {**monte_carlo.FILES, **des_vector_files.LONG_FILES}


def difference(found: str, made: str) -> str | None:
    """Says where two texts first differ."""
    lines = zip_longest(found.split("\n"), made.split("\n"), fillvalue="(end of file)")
    for number, (is_line, must_line) in enumerate(lines, 1):
        if is_line != must_line:
            return f"line {number}\n  expected: {must_line[:100]}\n  found:    {is_line[:100]}"
    return None


def check(name: str, made: str) -> str | None:
    """The fault of the file of this name, if there is one."""
    try:
        found = (ROOT / name).read_bytes().decode("ascii", "replace")
    except FileNotFoundError:
        return f"{name}: the file is missing"
    where = difference(found, made)
    return where and f"{name}: {where}"


def write(name: str, made: str) -> None:
    path = ROOT / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(made.encode("ascii"))


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    parser.add_argument("--long", action="store_true", help="include the Monte Carlo vectors")
    arguments = parser.parse_args()
    for name, make in {**FILES, **(LONG_FILES if arguments.long else {})}.items():
        if not arguments.check:
            write(name, make())
            continue
        wrong = check(name, make())
        if wrong:
            print(f"generate.py: error: {wrong}", file=sys.stderr)
            again = "python3 model/generate.py" + " --long" * arguments.long
            print(f"generate.py: hint: to write it again, run {again}", file=sys.stderr)
            return 1
    if not arguments.long:
        print(f"skipped: {', '.join(LONG_FILES)} (only with --long)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
