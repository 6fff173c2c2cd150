# SPDX-License-Identifier: Apache-2.0 OR MIT
"""All MDS matrices of the values that Twofish's has, and what else can be asked of them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations, permutations, product

import numpy as np

from manyfish_lab import gf256
from manyfish_lab.gf256 import Words

POLYNOMIAL = 0x169  # [Twofish98, 4.2]
VALUES = (0x01, 0x5B, 0xEF)  # [Twofish98, 4.2]
WEIGHT = 8  # the least of a product for a difference in one byte [TwofishC98, TABLE.H]

Line = tuple[int, ...]  # a row or a column


def choice(twofish: Sequence[Line]) -> dict[str, int | bool]:
    """All matrices of the same three values that are MDS, and how many meet further demands."""
    found = [m for rows in mds_row_sets() for m in permutations(rows)]
    light = [m for m in found if least_weight(m) >= WEIGHT]
    unique = [m for m in light if is_unique(m)]
    heavy = [m for m in light if least_weight(m) > WEIGHT]
    return {
        "matrices": len(VALUES) ** 16,
        "mds": len(found),
        "mds and unique": sum(map(is_unique, found)),
        "weight": len(light),
        "weight and unique": len(unique),
        "more weight": len(heavy),
        "more weight and unique": sum(map(is_unique, heavy)),
        "rotation": sum(all(map(survives_rotation, zip(*m))) for m in unique),
        "has Twofish": tuple(twofish) in unique,
    }


def mds_row_sets() -> list[tuple[Line, ...]]:
    """All sets of four rows, in rising order, none of whose square minors is 0."""
    grown: list[tuple[Line, ...]] = [()]
    for _ in range(4):
        grown = [
            (*rows, row)
            for rows in grown
            for row in product(VALUES, repeat=4)
            if rows[-1:] < (row,) and has_no_zero_minor(rows, row)
        ]
    return grown


def has_no_zero_minor(rows: Sequence[Line], last: Line) -> bool:
    """Whether no square minor that takes part of the last row is 0."""
    sizes = range(1, len(rows) + 1)
    return all(fit((*some, last)) for n in sizes for some in combinations(rows, n))


@cache
def fit(rows: tuple[Line, ...]) -> bool:
    """Whether no minor of all these rows is 0."""
    return all(
        gf256.determinant([[row[j] for j in some] for row in rows], POLYNOMIAL)
        for some in combinations(range(4), len(rows))
    )


def is_unique(m: Sequence[Line]) -> bool:
    """Whether no row is a rotation of another row, and no column of another column."""
    return rotated_pairs(m) == 0 and rotated_pairs(list(zip(*m))) == 0


def rotated_pairs(lines: Sequence[Line]) -> int:
    """How many pairs of rows, or of columns, are rotations of each other by bytes."""
    return sum(least_rotation(a) == least_rotation(b) for a, b in combinations(lines, 2))


@cache
def least_rotation(line: Line) -> Line:
    return min(line[n:] + line[:n] for n in range(len(line)))


def least_weight(m: Sequence[Line]) -> int:
    """The least weight of what comes out for a difference in one byte."""
    return min(least_weight_of_column(tuple(sorted(column))) for column in zip(*m))


@cache
def least_weight_of_column(column: Line) -> int:
    return int(np.bitwise_count(column_words(column)).min())


@cache
def survives_rotation(column: Line) -> bool:
    """Whether all four bytes differ from 0 after a rotation by one bit to the right."""
    return bool(np.all(gf256.nonzero_bytes(gf256.rotate_right(column_words(column), 1)) == 4))


def column_words(column: Line) -> Words:
    """The column times 1 to 255."""
    times = gf256.product_table(POLYNOMIAL)
    words = np.zeros(255, np.uint32)
    for i, a in enumerate(column):
        words |= np.array(list(times[a][1:]), np.uint32) << np.uint32(8 * i)
    return words
