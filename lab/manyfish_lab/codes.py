# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Products of a matrix over GF(2^8), counted, and how many the theory of MDS codes says there are.

A matrix is given by its columns: the product, as a word, of each value of one byte of the input.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import comb

import numpy as np

from manyfish_lab.gf256 import Matrix, Words, nonzero_bytes, product_table, sums

Columns = Sequence[Words]


def elements(columns: Columns) -> list[tuple[int, ...]]:
    """The rows of the matrix, from what comes out for a 1 in each place."""
    ones = [int(column[1]) for column in columns]
    return [tuple(one >> 8 * i & 0xFF for one in ones) for i in range(4)]


def are_products(columns: Columns, matrix: Matrix, polynomial: int) -> bool:
    """Whether the columns are the products of the field, for every byte in every place."""
    times = product_table(polynomial)
    return all(
        int(column[x]) == sum(times[row[j]][x] << 8 * i for i, row in enumerate(matrix))
        for j, column in enumerate(columns)
        for x in range(256)
    )


def output_counts(columns: Sequence[Words], values: slice) -> list[int]:
    """How many inputs have 0, 1, .. 4 nonzero bytes in the product.

    The inputs have a 1 where the first column is, some values where the second is (if there is
    one), and 1 to 255 where the others are. Each column has the products of 0 to 255.
    """
    parts = [column[1:] for column in columns]
    parts[0] = parts[0][:1]
    parts[1:2] = [column[values] for column in columns[1:2]]
    found = np.bincount(nonzero_bytes(sums(*parts)), minlength=5)
    return [int(n) for n in found]


def counts_by_places(
    columns: Columns, places: Sequence[Sequence[int]], values: slice
) -> list[list[int]]:
    """By nonzero bytes of the input, how many inputs have how many nonzero bytes in the product.

    The first nonzero byte is 1: every other input is a multiple of such a one by a byte, and so is
    its product.
    """
    counts = [[0] * 5 for _ in range(5)]
    for some in places:
        found = output_counts([columns[j] for j in some], values)
        counts[len(some)] = [a + b for a, b in zip(counts[len(some)], found)]
    return counts


def mds_code_words(n: int, k: int, weight: int) -> int:
    """How many words of that weight an MDS code [n, k] over GF(2^8) has: by theory."""
    if weight == 0:
        return 1
    free = weight - (n - k + 1)
    signed: Iterator[int] = (
        (-1) ** j * comb(weight, j) * (256 ** (free + 1 - j) - 1) for j in range(free + 1)
    )
    return comb(n, weight) * sum(signed)


def mds_pairs(inputs: int, outputs: int, i: int, o: int) -> int:
    """How many inputs of i nonzero bytes an MDS matrix maps to o nonzero bytes.

    A code that is MDS has equally many words on each set of as many places.
    """
    n = inputs + outputs
    return mds_code_words(n, inputs, i + o) * comb(inputs, i) * comb(outputs, o) // comb(n, i + o)


def against_theory(expected: int, found: int) -> str:
    """The note of a cell."""
    agrees = expected == found
    return "as the theory of MDS codes says" if agrees else f"the theory says {expected}"
