#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Makes q_circuits.txt again: small circuits for the 4-bit permutations of q0 and q1.

python3 model/circuit_search.py CIRCUIT_SEARCH WIDTH > new.txt

CIRCUIT_SEARCH is the program made from circuit_search.c. With a WIDTH of 250 it takes half an hour
of CPU; with more width it sometimes finds smaller circuits.

Within q any bit may be complemented, as long as what takes it expects that. So each circuit is
searched for each choice of complemented inputs or outputs, and those that fit are combined.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

from q_circuits import KINDS, unmixed
from twofish import Q_NIBBLES

HEAD = """\
# Circuits for the 4-bit permutations of q0 and q1, found by circuit_search.py.
# q, kind, number of the permutation, complemented inputs, complemented outputs: gates: outputs.
# A gate is an operation on two nodes, of which 0 to 3 are the inputs, lowest bit first, and the
# others the gates before it.
"""

ANY = "any"

# q, number of the permutation, complemented inputs, complemented outputs
Job = tuple[int, int, str, str]


def jobs() -> Iterator[Job]:
    for q in range(2):
        for i in range(4):
            for negated in "0123456789ABCDEF":
                if i < 2:
                    yield from ((q, i, negated_in, negated) for negated_in in (ANY, "0"))
                else:
                    yield from ((q, i, negated, negated_out) for negated_out in (ANY, "0"))


def search(program: str, width: str, job: Job) -> str:
    q, i, negated_in, negated_out = job
    command = [program, Q_NIBBLES[q][i], negated_in, negated_out, width, "1"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def n_gates(line: str) -> int:
    return len(line.split(":")[1].split())


def smallest(found: dict[Job, str], *of: Job) -> str:
    return min((found[job] for job in of), key=n_gates)


def fitting(found: dict[Job, str], q: int, kind: str, between: int) -> list[str]:
    """The smallest circuits if these inputs of the second pair of permutations are complemented."""
    before = unmixed(between)
    first = []
    for i, negated in enumerate(f"{before:02X}"):
        exact: Job = (q, i, "0", negated)
        first.append(smallest(found, exact, *([] if kind == "first" else [(q, i, ANY, negated)])))
    second = []
    for i, negated in enumerate(f"{between:02X}", 2):
        exact = (q, i, negated, "0")
        second.append(smallest(found, exact, *([] if kind == "last" else [(q, i, negated, ANY)])))
    return first + second


def total(lines: list[str]) -> int:
    return sum(map(n_gates, lines))


def main() -> None:
    program, width = sys.argv[1:]
    all_jobs = list(jobs())
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        lines = pool.map(lambda job: search(program, width, job), all_jobs)
        found = dict(zip(all_jobs, lines))
    print(HEAD, end="")
    for q in range(2):
        for kind in KINDS:
            best = min((fitting(found, q, kind, x) for x in range(256)), key=total)
            for i, line in enumerate(best):
                print(q, kind, i, line)


if __name__ == "__main__":
    main()
