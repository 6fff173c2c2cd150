# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Polynomials of low degree that vanish on the S-boxes."""

from __future__ import annotations

import ctypes
from collections import Counter
from collections.abc import Sequence
from itertools import chain
from math import comb

import numpy as np
from numpy.typing import NDArray

from manyfish_lab import gf256, native, sboxes
from manyfish_lab.experiment import Cell, Experiment, Findings, Json, Scale, Table, Task, ours, same

SEED = 2003
KEY_BITS = {2: 128, 3: 192, 4: 256}  # by the bytes of key of a box
SAMPLE = 1 << 21  # S-boxes of longer keys
# How many polynomials of the least weight vanish, on average over random permutations. Those of
# degree 3 in 8 bits are 1 on a flat of 32 inputs, of which there are 777,240; all of its inputs
# must miss one side of a sum, which has 128, and 255 sums have two sides. Those of degree 2 in 16
# bits are 1 on a flat of a quarter of all pairs, which all 256 pairs of a box must miss.
CUBIC = 510 * 777_240 * comb(224, 128) / comb(256, 128)
QUADRATIC = 4 * (2**16 - 1) * (2**15 - 1) / 3 * 0.75**256
# How values are named, those that are rare, and their chance.
NAMES = {
    "immunity": ("immunity {}", "3 or less", CUBIC),
    "quadratic": ("{} equations", "one or more", QUADRATIC),
}
PUBLISHED = "39"  # of the S-box of AES [CourtoisPieprzyk02]

_BOXES = native.output(np.uint16), native.array(np.uint8), ctypes.c_size_t
_immunity = native.function("lab_sbox_immunity", None, *_BOXES)
_quadratic = native.function("lab_sbox_quadratic", None, *_BOXES)


def immunity(boxes: sboxes.Boxes) -> NDArray[np.uint16]:
    """Of each box the least immunity of its 255 sums of output bits."""
    out = np.empty(len(boxes), np.uint16)
    _immunity(out, boxes, len(boxes))
    return out


def quadratic(boxes: sboxes.Boxes) -> NDArray[np.uint16]:
    """Of each box the number of its independent quadratic equations."""
    out = np.empty(len(boxes), np.uint16)
    _quadratic(out, boxes, len(boxes))
    return out


FIGURES = {"immunity": immunity, "quadratic": quadratic}


def _sample(k: int) -> Sequence[Task]:
    return sboxes.sample(k, SAMPLE, 1 << 17, SEED)


def tasks(scale: Scale) -> list[Task]:
    """All S-boxes of 128-bit keys, and samples of longer ones; full: all of 192-bit keys too."""
    if scale == "small":
        few = {"immunity": sboxes.sample(2, 16, 4, SEED),
               "quadratic": sboxes.sample(2, 1 << 10, 1 << 8, SEED)}  # fmt: skip
        return [{**task, "figure": figure} for figure in few for task in few[figure]]
    three = sboxes.AllKeys(3, 1 << 17) if scale == "full" else _sample(3)
    quadratics = chain(sboxes.AllKeys(2, 1 << 16), three, _sample(4))
    return [
        *({**task, "figure": "immunity"} for task in sboxes.AllKeys(2, 1 << 9)),
        *({**task, "figure": "quadratic"} for task in quadratics),
    ]


def compute(task: Task) -> Json:
    """How many boxes have which figure."""
    counts: Counter[str] = Counter()
    for boxes in sboxes.of(task):
        counts.update(map(str, FIGURES[task["figure"]](boxes).tolist()))
    about = {"figure": task["figure"], "k": task["k"], "sample": "seed" in task}
    return {**about, "counts": dict(counts)}


def inversion() -> sboxes.Boxes:
    """The S-box of AES without its affine bijection, which changes no figure here."""
    values = [0, *(gf256.inverse(x, 0x11B) for x in range(1, 256))]
    return np.array([values], np.uint8)


def _added(done: Sequence[Json], figure: str) -> dict[tuple[int, bool], Counter[int]]:
    """The counts by bytes of key, and whether they are of a sample."""
    found: dict[tuple[int, bool], Counter[int]] = {}
    for each in done:
        if each["figure"] == figure:
            counts = found.setdefault((each["k"], each["sample"]), Counter())
            counts.update({int(value): n for value, n in each["counts"].items()})
    return found


def _cells(done: Sequence[Json], figure: str) -> list[Cell]:
    """A row for each value, and how many random permutations would have a rare one."""
    value_is, rare, chance = NAMES[figure]
    cells = []
    for (k, sampled), counts in _added(done, figure).items():
        of = "a sample of" if sampled else "all"
        boxes = f"{KEY_BITS[k]}-bit keys, {of} {counts.total():,} S-boxes: "
        for value, n in sorted(counts.items()):
            cells.append(ours(boxes + value_is.format(value), f"{n:,}"))
        expected = counts.total() * chance
        shown = f"{expected:,.0f}" if expected > 100 else f"{expected:.1g}"
        cells.append(ours(f"{boxes}{rare} expected of random ones", shown))
    return cells


def combine(scale: Scale, done: Sequence[Json]) -> Findings:
    """Both figures, beside those of AES."""
    aes = inversion()
    equations = [same("equations", PUBLISHED, str(quadratic(aes)[0]))]
    immune = [ours("the S-box of AES", str(immunity(aes)[0])), *_cells(done, "immunity")]
    data = {
        figure: [[k, sampled, counts] for (k, sampled), counts in _added(done, figure).items()]
        for figure in FIGURES
    }
    return Findings(
        tables=[
            Table("Quadratic equations of the S-box of AES", equations, "[CourtoisPieprzyk02]"),
            Table("S-boxes by their quadratic equations", _cells(done, "quadratic")),
            Table("S-boxes by the least immunity of their 255 sums of output bits", immune),
        ],
        data=data,
    )


EXPERIMENT = Experiment(
    name="sboxes-immunity",
    question="Do the S-boxes satisfy equations of a low degree?",
    method="Two figures say how well an S-box resists attacks by equations. The immunity of a sum "
    "of output bits is the least degree of a polynomial of the input bits that is 0 wherever the "
    "sum is 1, or wherever it is 0; no function of 8 bits has more than 4, and an S-box counts by "
    "the least of its 255 sums. A quadratic equation is a polynomial of degree 2 in the input and "
    "the output bits that is 0 for all inputs. The program eliminates the values of all monomials: "
    "of 93 for each side of each sum, and of 137 for the equations.",
    sources=["[CourtoisPieprzyk02]"],
    covers={
        "small": "16 S-boxes of 128-bit keys; the equations of 2^10 ones",
        "paper": "all S-boxes of 128-bit keys; the equations of 2^21 ones of 192 and of 256 bits",
        "full": "the equations of all S-boxes of 192-bit keys too",
    },
    tasks=tasks,
    compute=compute,
    combine=combine,
    seed=SEED,
)
