# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Pairs of 256-bit keys with the same S and equal successive subkeys: how to put them together.

The key bytes of a position differ by a word of four bytes (d0, d1, d2, d3), and can give equal
outputs only for some words. A pair of keys has the same S if RS takes the eight bytes of each of
the four levels, one from each position, to zero.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from manyfish_lab import columns, rs_words, twofish

Bytes = NDArray[np.uint8]
Words = NDArray[np.uint32]
K = 4


# --- from the words of the positions to those of keys --------------------------------------------


def packed(words: Bytes) -> Words:
    """Rows of four bytes as numbers."""
    return np.ascontiguousarray(words).view("<u4").astype(np.uint32).reshape(-1)


def sums(terms: Sequence[Bytes]) -> Words:
    """All sums of one row of each term, packed; the last term varies fastest."""
    total = np.zeros(1, np.uint32)
    for term in terms:
        total = (total[:, None] ^ packed(term)[None, :]).reshape(-1)
    return total


def rows_of(index: int, terms: Sequence[Bytes]) -> list[Bytes]:
    """The rows of which the sum of that index is made."""
    rows = []
    for term in reversed(terms):
        index, row = divmod(index, len(term))
        rows.append(term[row])
    return rows[::-1]


def key_differences(lists: Sequence[Bytes]) -> Iterator[Bytes]:
    """All choices of a word from each of eight lists, or zero, that keep S; not all zero.

    The first five positions are joined over what the matrix of RS demands of the fifth; the last
    three follow. Lists of a few hundred words take a second.
    """
    products, matrix = rs_words.products(), rs_words.completion()
    zero = np.zeros((1, 4), np.uint8)
    all_rows = [np.unique(np.vstack([zero, words]), axis=0) for words in lists]
    heads, fifth = all_rows[:4], all_rows[4]
    scaled = [products[matrix[0, j]][rows] for j, rows in enumerate(heads)]
    left, right = sums(scaled[:2]), sums([*scaled[2:], fifth])
    order = np.argsort(left, kind="stable")
    begin = np.searchsorted(left[order], right, "left")
    end = np.searchsorted(left[order], right, "right")
    for at in np.flatnonzero(end > begin):
        for index in order[begin[at] : end[at]]:
            head = [*rows_of(int(index), heads[:2]), *rows_of(int(at), [*heads[2:], fifth])[:2]]
            word = completed(np.stack(head), products, matrix)
            if word.any() and all((rows == w).all(1).any() for rows, w in zip(all_rows, word)):
                yield word


def completed(head: Bytes, products: Bytes, matrix: Bytes) -> Bytes:
    """The words of all eight positions from those of the first four."""
    tail = np.bitwise_xor.reduce(products[matrix[:, :, None], head[None, :, :]], axis=1)
    return np.vstack([head, tail])


# --- a pair of keys for real -------------------------------------------------------------------


def inner_bytes(position: int, word: Bytes, x: Bytes) -> Bytes | None:
    """Values of l1, l2, l3 with which the bytes before l0 differ by d0 at all x, or None."""
    _, t1, t2, t3, t4 = columns.tables(position, K)
    possible = columns.difference_tables(position, K)[1][:, word[0]] > 0
    l2, l3 = np.divmod(np.arange(65536, dtype=np.uint32), 256)
    keep, inputs = np.ones(65536, bool), []
    for c in t4[x]:
        v = t2[t3[c ^ l3] ^ l2]
        other = t2[t3[c ^ l3 ^ word[3]] ^ l2 ^ word[2]] ^ word[1]
        keep &= possible[v ^ other]
        inputs.append((v, other))
    l1 = np.arange(256)
    fits = np.ones((int(keep.sum()), 256), bool)
    for v, other in inputs:
        fits &= t1[v[keep, None] ^ l1] ^ t1[other[keep, None] ^ l1] == word[0]
    rows, found = np.nonzero(fits)
    if not len(rows):
        return None
    return np.array([found[0], l2[keep][rows[0]], l3[keep][rows[0]]], np.uint8)


def find_pair(
    first: int, count: int, seed: Sequence[int], tries: int
) -> tuple[bytes, bytes] | None:
    """Two keys with the same S and equal subkeys first .. first + count - 1 (64 bits each)."""
    random = np.random.default_rng(seed)
    supports = list(combinations(columns.POSITIONS, rs_words.LEAST_WEIGHT))
    for _ in range(tries):
        support = supports[random.integers(len(supports))]
        words = rs_words.multiples(rs_words.word(support))[random.integers(0, 255, K)].T
        parts = random.integers(0, 256, (8, K), np.uint8)
        for position in support:
            inner = inner_bytes(position, words[position], columns.inputs(position, first, count))
            if inner is None:
                break
            parts[position, 1:] = inner
        else:
            return columns.key_of(parts), columns.key_of(parts ^ words)
    return None


def shared_subkeys(first: bytes, second: bytes) -> tuple[bool, list[int]]:
    """Whether S is the same, and which 64-bit subkeys of 20 are, by the library's key schedule."""
    K_of = [twofish.subkeys(key).reshape(-1, 2) for key in (first, second)]
    same_S = np.array_equal(twofish.sbox_key(first), twofish.sbox_key(second))
    return bool(same_S), [int(i) for i in np.flatnonzero((K_of[0] == K_of[1]).all(1))]
