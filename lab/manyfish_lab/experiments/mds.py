# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The MDS matrix of Twofish: weights, minors, rotations, and the choice of its elements.

The matrix is the one that the C library multiplies by: all figures come from its products.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations

import numpy as np

from manyfish_lab import carries, codes, gf256, mds_matrices, mds_weights, twofish
from manyfish_lab.experiment import (
    Cell,
    Experiment,
    Findings,
    Json,
    Plot,
    Scale,
    Table,
    Task,
    ours,
    same,
)
from manyfish_lab.gf256 import Words
from manyfish_lab.mds_matrices import POLYNOMIAL, VALUES, rotated_pairs

# [TwofishC98, TABLE.H], "MDS OK, ROR": the rotations that it lists.
ROTATIONS_LISTED = "6 to 26"

# [Twofish99, 7.8]: how often the highest byte of T_0 + 2 T_1 changes, "in general".
HIGHEST_BYTE = "254/255"

ELEMENTS = "Elements of the MDS matrix"
# [Twofish98, 4.2]
ROWS = ("01 EF 5B 5B", "5B EF EF 01", "EF 5B 01 EF", "EF 01 EF 5B")


def columns() -> list[Words]:
    """Column j: what the library makes of each value of byte j alone."""
    return [
        np.array([twofish.mds(value << 8 * j) for value in range(256)], np.uint32) for j in range(4)
    ]


def one_byte() -> Words:
    """The product of each of the 1,020 differences in one byte."""
    return np.concatenate([column[1:] for column in columns()])


def two_bytes() -> Words:
    """The product of each of the 390,150 differences in two bytes."""
    pairs = combinations(columns(), 2)
    return np.concatenate([gf256.sums(a[1:], b[1:]) for a, b in pairs])


# --- tasks -------------------------------------------------------------------------------------


def tasks(scale: Scale) -> Sequence[Task]:
    few = [list(places) for n in (1, 2, 3) for places in combinations(range(4), n)]
    return [
        *({"part": part} for part in PARTS),
        {"part": "words", "places": few, "values": [1, 256]},
        *(
            {"part": "words", "places": [[0, 1, 2, 3]], "values": [first, first + 51]}
            for first in range(1, 256, 51)
        ),
    ]


def compute(task: Task) -> Json:
    if task["part"] == "words":
        return codes.counts_by_places(columns(), task["places"], slice(*task["values"]))
    return PARTS[task["part"]]()


def rotations() -> Json:
    """For each rotation: products with a byte that is 0, and those that are another product."""
    one = one_byte()
    zero = [int(np.sum(gf256.nonzero_bytes(gf256.rotate_right(one, n)) < 4)) for n in range(32)]
    met = [int(np.isin(gf256.rotate_right(one, n), one).sum()) for n in range(32)]
    return {"zero": zero, "met": met, "different": len(np.unique(one))}


def halves() -> Json:
    """How often each byte of F_0 and of F_1 changes with T_1, over all differences in one byte."""
    one = one_byte()
    return {
        half: [
            1 - float(carries.unchanged(words, range(8 * i, 8 * i + 8)).mean()) for i in range(4)
        ]
        for half, words in (("F_0", one), ("F_1", one << np.uint32(1)))
    }


def of_matrix() -> Json:
    """Facts about the elements themselves."""
    cols = columns()
    m = codes.elements(cols)
    minors = list(gf256.square_minors(m, POLYNOMIAL))
    return {
        "rows": [" ".join(f"{a:02X}" for a in row) for row in m],
        "values": mds_weights.histogram(a for row in m for a in row),
        "minors": len(minors),
        "minors that are 0": minors.count(0),
        "rotated rows": rotated_pairs(m),
        "rotated columns": rotated_pairs(list(zip(*m))),
        "linear": codes.are_products(cols, m, POLYNOMIAL),
        "quarters": quarters(),
    }


def quarters() -> dict[str, bool]:
    """Whether the elements are sums of 1, 1/2 and 1/4 of the field, where 2 stands for x."""
    half = gf256.inverse(2, POLYNOMIAL)
    quarter = gf256.multiply(half, half, POLYNOMIAL)
    return {"5B": 1 ^ quarter == VALUES[1], "EF": 1 ^ half ^ quarter == VALUES[2]}


PARTS: dict[str, Callable[[], Json]] = {
    "differences": lambda: mds_weights.of_products(one_byte(), two_bytes()),
    "rotations": rotations,
    "halves": halves,
    "matrix": of_matrix,
    "choice": lambda: mds_matrices.choice(codes.elements(columns())),
}


# --- what the tasks gave -----------------------------------------------------------------------


def combine(scale: Scale, results: Sequence[Json]) -> Findings:
    found = dict(zip(PARTS, results))
    found["words"] = (255 * np.sum(results[len(PARTS) :], axis=0)).tolist()
    tables = [
        *mds_weights.tables(found["differences"]),
        matrix_table(found["matrix"]),
        code_table(found["words"]),
        rotation_table(found["rotations"]),
        half_table(found["halves"]),
        choice_table(found["choice"]),
    ]
    plots = [*mds_weights.plots(found["differences"]), rotation_plot(found["rotations"])]
    return Findings(tables, plots, REMARKS, found)


def matrix_table(found: Mapping[str, Json]) -> Table:
    values = " ".join(f"{int(value):02X}" for value in sorted(found["values"], key=int))
    how_often = ", ".join(f"{int(v):02X} {n} times" for v, n in found["values"].items())
    cells = [
        *(same(f"row {i}", row, found["rows"][i]) for i, row in enumerate(ROWS)),
        same("values", " ".join(f"{value:02X}" for value in VALUES), values),
        ours("how often", how_often),
        same("5B is 1 + 1/x^2", "yes", yes(found["quarters"]["5B"])),
        same("EF is 1 + 1/x + 1/x^2", "yes", yes(found["quarters"]["EF"])),
        ours("the library multiplies as the field does", yes(found["linear"])),
        ours("square minors", str(found["minors"])),
        same("square minors that are 0", "0", str(found["minors that are 0"])),
        same("pairs of rows that are rotations", "0", str(found["rotated rows"])),
        same("pairs of columns that are rotations", "0", str(found["rotated columns"])),
    ]
    return Table(
        ELEMENTS,
        cells,
        "[Twofish98, 4.2], [TwofishC98, TABLE.H], [Twofish99, 7.3.4]",
    )


def yes(truth: bool) -> str:
    return "yes" if truth else "no"


def code_table(counts: Sequence[Sequence[int]]) -> Table:
    """All 2^32 words, by the nonzero bytes of the word and of its product."""
    pairs = [(i, o) for i in range(5) for o in range(5) if counts[i][o]]
    cells = [
        same(
            "fewest bytes not 0, word and product together", "5", str(min(i + o for i, o in pairs))
        )
    ]
    for i, o in pairs:
        why = codes.against_theory(codes.mds_pairs(4, 4, i, o), counts[i][o])
        cells.append(
            ours(f"words with {i} bytes not 0, {o} in the product", str(counts[i][o]), why)
        )
    cells.append(ours("words but 0", str(sum(map(sum, counts)))))
    return Table("Branch number of the MDS matrix, from all words", cells, "[Twofish98, 4.2]")


def rotation_table(found: Mapping[str, Json]) -> Table:
    zero, met = found["zero"], found["met"]
    free = [n for n in range(1, 32) if met[n] == 0]
    in_a_row = bool(free) and free == list(range(free[0], free[-1] + 1))
    listed = f"{free[0]} to {free[-1]}" if in_a_row else " ".join(map(str, free))
    cells = [
        same("1 bit: differences that leave a byte 0", "0", str(zero[1])),
        *(ours(f"{n} bits: likewise", str(zero[n])) for n in range(2, 9)),
        ours("rotations without any", " ".join(str(n) for n in range(32) if zero[n] == 0)),
        same(
            "rotations that map no product to another one",
            ROTATIONS_LISTED,
            listed,
            "the source does not say what it lists; this is the property that gives its list",
        ),
        *(ours(f"{n} bits: products that meet another one", str(met[n])) for n in range(1, 7)),
        ours("different products", str(found["different"])),
    ]
    return Table(
        "MDS products of differences in one byte, rotated to the right",
        cells,
        "[Twofish99, 7.3.3 and 7.3.4], [TwofishC98, TABLE.H]",
    )


def half_table(found: Mapping[str, Sequence[float]]) -> Table:
    why = (
        "Four of 1020 products have no more than the highest bit in byte 3. All four have bit 23, "
        "which doubling moves into byte 3, so only carries can hide a change. For byte 0 the "
        "published figure is exact"
    )
    cells = [
        Cell("byte 3 of F_1 (the highest)", HIGHEST_BYTE, f"{found['F_1'][3]:.6f}", False, why)
    ]
    for half, shares in found.items():
        for i, share in enumerate(shares):
            if (half, i) != ("F_1", 3):
                exact = 255 * share
                whole = f"{exact:.0f}/255" if abs(exact - round(exact)) < 1e-9 else f"{share:.6f}"
                cells.append(ours(f"byte {i} of {half}", whole))
    return Table(
        "How often bytes of F change with a byte that goes into T_1", cells, "[Twofish99, 7.8]"
    )


def choice_table(found: Mapping[str, Json]) -> Table:
    cells = [
        ours("matrices of the values 01, 5B, EF", str(found["matrices"])),
        ours("MDS", str(found["mds"])),
        ours("MDS, no rotated rows or columns", str(found["mds and unique"])),
        ours("MDS, weights of at least 8", str(found["weight"])),
        ours("MDS, weights of at least 9", str(found["more weight"])),
        ours("MDS, at least 9, no rotated rows or columns", str(found["more weight and unique"])),
        ours("MDS, at least 8, no rotated rows or columns", str(found["weight and unique"])),
        ours("the same, four nonzero bytes after 1 bit", str(found["rotation"])),
        ours("Twofish's matrix is among the last", yes(found["has Twofish"])),
    ]
    return Table("All matrices of the same three values", cells)


def rotation_plot(found: Mapping[str, Json]) -> Plot:
    return Plot(
        "rotations",
        "Products of differences in one byte after a rotation",
        "bits to the right",
        "differences of 1,020",
        "bars",
        {
            "a byte becomes 0": list(enumerate(found["zero"]))[1:],
            "is another one's product": list(enumerate(found["met"]))[1:],
        },
    )


REMARKS = (
    "The authors' program printed byte 0 of a word first. So its highest bit is bit 7 of the "
    "cipher's word, and the book's table 7.6 repeats these figures. But the doubling of the "
    "pseudo-Hadamard transform loses bit 31, and the counts for bit 31 differ from weight 10 on.",
    "TABLE.H does not explain two of its lines; we found their meaning by trial. `MDS OK, ROR` "
    "lists rotations that never turn the product of a difference in one byte into the product of "
    "another. Multiples of 8 are in the list, as the book's section 7.3.4 claims. Rotations by 1 "
    "to 5 bits are not: products are often shifts of each other. `Runs` says, for each weight, "
    "how many pairs of neighbouring ones a product can have.",
    "As claimed, the four bytes of a product stay nonzero when a round rotates them by 1 bit. "
    "They also do when rotated by whole bytes, or by 1 bit more than these, and by no other "
    "number of bits.",
    "A weight of 8 is the best that these three values and the condition of section 7.3.4 allow. "
    "Only columns of 01 5B EF EF, in any order, have 9. Up to rotation there are only three of "
    "these orders, so two of four such columns would be rotations of each other.",
)

EXPERIMENT = Experiment(
    name="mds",
    question="Has the MDS matrix the weights and the properties that its authors claim?",
    method="The program sends all 1,020 differences in one byte and all 390,150 in two bytes "
    "through the library's matrix. It also goes through all square minors, all rotations, all "
    "words (as multiples of those that begin with 1), and all matrices of the same values. It "
    "samples nothing.",
    sources=(
        "[Twofish98, 4.2]",
        "[Twofish99, 7.3]",
        "[Twofish99, table 7.6]",
        "[TwofishC98, TABLE.H]",
    ),
    covers={"small": "everything"},
    tasks=tasks,
    compute=compute,
    combine=combine,
    kinds={ELEMENTS: "definition"},
)
