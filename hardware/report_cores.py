# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Sections of RESULTS.md: the rows of Table 4, our own cores, their variants, RAM in gates."""

from __future__ import annotations

from collections.abc import Sequence

import cells
from markdown import Lines, cell, per_cent, table
from measured import RAM_GATES, LatchRam, Result, base_of, is_variant
from report_layouts import Layouts, mbits, mhz

# [slides]: gates, clocks, interleave level, MHz, Mbit/s. The other rows are those of the report.
SLIDE = (14000, 64, 1, 40, 80)

TABLE_4 = """\
## Table 4 of the paper: keys of 128 bits, encrypt and decrypt

The paper's estimates [TR3, Table 4] stand before ours. The ratio is Mbit/s of each gate, without
wires, to the paper's.
"""

SLIDES = """\
## The table of the slides

The authors' slides have the same rows except the first. For 14,000 gates they have 64 clocks,
without the eight h of the whitening; the report has 72. Ours includes them.
"""

RAM = """\
## RAM in gates

The gates of a bit of RAM depend on its builder: 1.5 are its six transistors, the paper's 80,000
gates imply 3.5, and the last column is for the same RAM built of latches and gates of these cells
([ram_of_latches.v](synth/ram_of_latches.v)).
"""

OWN = """\
## Cores that the paper does not have

"""

VARIANTS = """\
## Longer keys, one direction, and where subkeys are kept

The table compares each variant with the core for keys of 128 bits and both directions: its gates
and MHz, and how much more (or less) these are.
"""


def of_paper(results: Sequence[Result]) -> list[Result]:
    return [found for found in results if found.row.paper]


def table_4(results: Sequence[Result], layouts: Layouts) -> Lines:
    yield TABLE_4
    heads = ["core", "gates", "ours", "clocks", "ours", "levels", "start-up", "ours"]
    heads += ["MHz", "ours", "placed", "Mbit/s", "ours", "placed", "ratio"]
    yield from table(heads, (_row_of_table_4(found, layouts) for found in of_paper(results)))
    yield "What these gates are, and what `sbox_ram` has besides, in RAM:"
    yield ""
    heads = ["core", "what", "flip-flops", "latches", "the rest", "RAM bits", "latency"]
    yield from table(heads, map(_kinds, of_paper(results)), 2)
    yield from exceptions(results)


def _row_of_table_4(found: Result, layouts: Layouts) -> list[str]:
    paper = found.row.paper
    assert paper
    ratio = (found.mbits(found.mhz) / found.total(RAM_GATES[1])) / (paper.mbits / paper.gates)
    return [
        f"`{found.core}`",
        cell(paper.gates),
        cell(found.gates) + " and RAM" * bool(found.ram_bits),
        cell(paper.clocks),
        cell(found.clocks),
        cell(found.row.levels),
        cell(paper.startup),
        cell(found.startup),
        cell(paper.mhz),
        cell(found.mhz, 1),
        cell(mhz(found, layouts), 1),
        cell(paper.mbits),
        cell(found.mbits(found.mhz)),
        mbits(found, layouts),
        cell(ratio, 2),
    ]


def _kinds(found: Result) -> list[str]:
    gates = map(cell, (found.flip_flops, found.latches, found.rest))
    about = found.row.about
    return [f"`{found.core}`", about, *gates, cell(found.ram_bits), cell(found.latency)]


def exceptions(results: Sequence[Result]) -> Lines:
    told = [(each.core, *why) for each in results for why in each.row.exceptions.items()]
    if told:
        yield "What is not reached, and why:"
        yield ""
        for name, what, reason in told:
            yield f"- `{name}`, {what}: {reason}"
        yield ""


def slides(results: Sequence[Result], layouts: Layouts) -> Lines:
    yield SLIDES
    heads = ["core", "gates", "ours", "clocks", "ours", "MHz", "ours", "Mbit/s", "ours"]
    heads.append("placed")
    yield from table(heads, (_row_of_slides(found, layouts) for found in of_paper(results)[1:]))


def _row_of_slides(found: Result, layouts: Layouts) -> list[str]:
    paper = found.row.paper
    assert paper
    slide = (paper.gates, paper.clocks, paper.levels, paper.mhz, paper.mbits)
    gates, clocks, _, slide_mhz, slide_mbits = SLIDE if paper.gates == SLIDE[0] else slide
    return [
        f"`{found.core}`",
        cell(gates),
        cell(found.gates) + " and RAM" * bool(found.ram_bits),
        cell(clocks),
        cell(found.clocks),
        cell(slide_mhz),
        cell(found.mhz, 1),
        cell(slide_mbits),
        cell(found.mbits(found.mhz)),
        mbits(found, layouts),
    ]


def ram(results: Sequence[Result], built: LatchRam | None) -> Lines:
    found = [each for each in results if each.ram_bits and not is_variant(each.core)]
    if not found:
        return
    yield RAM
    gates = [*RAM_GATES, *([built.gates_of_a_bit] if built else [])]
    heads = ["core", "without RAM", "RAM bits", *(f"at {each:.1f} a bit" for each in gates)]
    rows = (
        [f"`{each.core}`", cell(each.gates), cell(each.ram_bits)]
        + [cell(each.total(count)) for count in gates]
        for each in found
    )
    yield from table(heads, rows)
    for each in found:
        yield (
            f"With a RAM of x ns `{each.core}` has a period of {each.ns:.1f} - "
            f"{cells.RAM_READ_NS:g} + x ns, as long as the RAM is in its longest path."
        )
    if built:
        yield f"The longest path of the RAM of latches is {built.ns:.1f} ns, without wires."
    yield ""


def own(results: Sequence[Result], layouts: Layouts) -> Lines:
    found = [each for each in results if not each.row.paper and not is_variant(each.core)]
    if not found:
        return
    yield OWN
    heads = ["core", "what", "gates", "clocks", "levels", "start-up", "MHz", "placed"]
    heads += ["Mbit/s", "placed", "Mbit/s of 1,000 gates"]
    yield from table(heads, (_row_of_own(each, layouts) for each in found), 2)


def _row_of_own(found: Result, layouts: Layouts) -> list[str]:
    return [
        f"`{found.core}`",
        found.row.about,
        cell(found.gates) + " and RAM" * bool(found.ram_bits),
        cell(found.clocks),
        cell(found.row.levels),
        cell(found.startup),
        cell(found.mhz, 1),
        cell(mhz(found, layouts), 1),
        cell(found.mbits(found.mhz)),
        mbits(found, layouts),
        cell(1000 * found.mbits(found.mhz) / found.gates, 1),
    ]


def variants(results: Sequence[Result]) -> Lines:
    found = [each for each in results if is_variant(each.core)]
    if not found:
        return
    yield VARIANTS
    heads = ["core", "key bits", "gates", "more", "RAM bits", "clocks", "start-up", "MHz"]
    heads.append("more")
    by_name = {each.core: each for each in results}
    yield from table(heads, (_row_of_variant(each, by_name[base_of(each.core)]) for each in found))


def _row_of_variant(found: Result, base: Result) -> list[str]:
    return [
        f"`{found.core}`",
        cell(found.row.key_bits),
        cell(found.gates),
        per_cent(found.gates, base.gates),
        cell(found.ram_bits),
        cell(found.clocks),
        cell(found.startup),
        cell(found.mhz, 1),
        per_cent(found.mhz, base.mhz),
    ]
