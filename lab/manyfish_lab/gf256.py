# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Arithmetic in GF(2^8), matrices over it, and words of four of its elements.

A field is named by its polynomial, as in [Twofish98, 4.2 and 4.3]: 0x169 for MDS, 0x14D for RS.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations

import numpy as np
import numpy.typing as npt

Matrix = Sequence[Sequence[int]]
Words = npt.NDArray[np.uint32]


def multiply(a: int, b: int, polynomial: int) -> int:
    """The product of two bytes."""
    product = 0
    while b:
        product ^= a * (b & 1)
        a = a << 1 ^ polynomial * (a >> 7)
        b >>= 1
    return product


@cache
def product_table(polynomial: int) -> tuple[bytes, ...]:
    """Row a, byte b: the product of a and b."""
    return tuple(bytes(multiply(a, b, polynomial) for b in range(256)) for a in range(256))


def power(a: int, n: int, polynomial: int) -> int:
    """The n-th power of a byte other than 0; n may be negative, since a^255 = 1."""
    result = 1
    for _ in range(n % 255):
        result = multiply(result, a, polynomial)
    return result


def inverse(a: int, polynomial: int) -> int:
    """1/a; ZeroDivisionError for 0."""
    if not a:
        raise ZeroDivisionError("0 has no inverse in a field")
    return power(a, -1, polynomial)


def determinant(matrix: Matrix, polynomial: int) -> int:
    """By the first row: the matrices here have at most four."""
    if not matrix:
        return 1
    times = product_table(polynomial)
    total = 0
    for j, a in enumerate(matrix[0]):
        rest = [[*row[:j], *row[j + 1 :]] for row in matrix[1:]]
        total ^= times[a][determinant(rest, polynomial)]
    return total


def square_minors(matrix: Matrix, polynomial: int) -> Iterator[int]:
    """The determinants of all square parts: none is 0 if and only if the matrix is MDS."""
    rows, columns = len(matrix), len(matrix[0])
    for n in range(1, min(rows, columns) + 1):
        for some_rows in combinations(matrix, n):
            for some in combinations(range(columns), n):
                part = [[row[j] for j in some] for row in some_rows]
                yield determinant(part, polynomial)


def nonzero_bytes(words: Words) -> Words:
    """How many of the four bytes of each word are not 0."""
    some = words | words >> np.uint32(4)
    some |= some >> np.uint32(2)
    some |= some >> np.uint32(1)
    some &= np.uint32(0x01010101)
    return some * np.uint32(0x01010101) >> np.uint32(24)


def rotate_right(words: Words, n: int) -> Words:
    """Each word rotated to the right by n bits."""
    n %= 32
    return words if n == 0 else words >> np.uint32(n) | words << np.uint32(32 - n)


def sums(first: Words, *others: Words) -> Words:
    """The exclusive or of each choice of one word from each list, the last list varying fastest."""
    total = first
    for other in others:
        total = (total[:, None] ^ other[None, :]).ravel()
    return total
