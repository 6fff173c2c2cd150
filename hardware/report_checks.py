# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Sections of RESULTS.md: chains, faults, coverage and proofs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import chains
import covered
import faults
import proofs
from markdown import Lines, cell, table
from measured import BLOCK_BITS, Result

CHAINS = """\
## Chains

CBC encryption of some messages, a block of each in turn: clocks of a block, of whichever message,
as [chains.py](chains.py) counts them in simulation. The partners of a core alone offer a block in
the clock after the result that it needs; so does the wrapper for AXI4-Stream. With as many messages
as levels each turn costs that clock. One message more hides it. Mbit/s, without wires, are those
with as many messages as levels, and those of a full core.
"""

FAULTS = """\
## Faults

[faults.py](faults.py) changes single bits of registers in simulation, each in a random clock,
while a core takes a key and some blocks. *Wrong*: a wrong result left, or one too many.
*Silent*: results are missing. *Harmless*: all results are right.
"""

COVERAGE = """\
## Coverage

How much of a core the bench of all cores reaches, by [covered.py](covered.py): lines are runs of
statements and ways of branches, toggles are bits of signals. `assign`, of which most of a core
consists, has no lines, so toggles say more. Other cores were not measured. Only a fault reaches the
alert of `lockstep`, as [above](#faults). All else that is left here is constant: bits of `unused`,
of padding, of numbers below a limit, and of counts for longer keys; and the way past `if (enable)`
where that is always on.
"""

PROOF = """\
## Proofs

`hardware/proofs.py` proves these for every input. It also plants a fault for each proof, and checks
that the proof then fails. Seconds are of the machine that made this file.
"""


def chaining(chained: Sequence[chains.Chained], results: Sequence[Result]) -> Lines:
    if not chained:
        return
    yield CHAINS
    heads = [
        "core",
        "where",
        "levels",
        "one message",
        "as many as levels",
        "one more",
        "Mbit/s",
    ]
    clocks: dict[tuple[str, str], dict[int, float]] = {}
    for each in chained:
        clocks.setdefault((each.core, each.where), {})[each.chains] = each.clocks
    by_name = {each.core: each for each in results}
    rows = (_row_of_chains(by_name[core], where, of) for (core, where), of in clocks.items())
    yield from table([*heads, "full"], rows, 2)


def _row_of_chains(found: Result, where: str, clocks: Mapping[int, float]) -> list[str]:
    levels = found.row.levels
    of_a_block = (clocks[1], clocks[levels], clocks[levels + 1])
    mbits = BLOCK_BITS * found.mhz / clocks[levels]
    return [
        f"`{found.core}`",
        where,
        cell(levels),
        *(f"{each:.2f}".removesuffix(".00") for each in of_a_block),
        cell(mbits),
        cell(found.mbits(found.mhz)),
    ]


def failing(faulty: Sequence[faults.Faults]) -> Lines:
    if not faulty:
        return
    yield FAULTS
    heads = ["core", "bits of registers", "runs", "alert", "harmless", "silent", "wrong"]
    yield from table(heads, map(_row_of_faults, faulty))


def _row_of_faults(found: faults.Faults) -> list[str]:
    counts = (found.alert, found.harmless, found.silent, found.wrong)
    return [f"`{found.core}`", cell(found.bits), cell(sum(counts)), *map(cell, counts)]


def coverage(reached: Sequence[covered.Coverage]) -> Lines:
    if not reached:
        return
    yield COVERAGE
    heads = ["core", "lines", "reached", "toggles", "reached"]
    yield from table(heads, map(_row_of_coverage, reached))
    for each in reached:
        if each.left:
            yield f"- `{each.core}`, not reached: {each.left}"
    yield ""


def _row_of_coverage(found: covered.Coverage) -> list[str]:
    shares = (
        f"{100 * part / whole:.1f} %"
        for part, whole in (
            (found.lines_reached, found.lines),
            (found.toggles_reached, found.toggles),
        )
    )
    lines, toggles = shares
    return [f"`{found.core}`", cell(found.lines), lines, cell(found.toggles), toggles]


def proven(proved: Sequence[proofs.Proved]) -> Lines:
    if not proved:
        return
    yield PROOF
    rows = ([f"`{each.proof}`", each.about, cell(each.seconds, 1)] for each in proved)
    yield from table(["proof", "says", "seconds"], rows, 2)
