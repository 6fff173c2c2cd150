# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The native kernels `sbox_*.c` against the definitions and against the model."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import sys
import tempfile
import unittest
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from manyfish_lab import gf256, sboxes, twofish

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "model"))
import twofish as model

LAB = Path(__file__).resolve().parents[1]
RANDOM = np.random.default_rng(16)
ALL = np.arange(256, dtype=np.uint8)


def stacked(*boxes: Any) -> sboxes.Boxes:
    return np.array(boxes, np.uint8)


def permutations(n: int) -> sboxes.Boxes:
    return RANDOM.permuted(np.tile(ALL, (n, 1)), axis=1)


def functions(n: int) -> sboxes.Boxes:
    return RANDOM.integers(0, 256, (n, 256), np.uint8)


def plain_dp(s: list[int]) -> int:
    """By the definition."""
    box, x = np.array(s), np.arange(256)
    return max(int(np.bincount(box ^ box[x ^ d]).max()) for d in range(1, 256))


def plain_lp(s: list[int]) -> int:
    """By the definition of the sum, for all masks at once."""
    x = np.arange(256)
    signs = 1 - 2 * (np.bitwise_count(x[:, None] & x).astype(np.int64) % 2)
    return int(np.abs(signs @ signs[s])[:, 1:].max())


def plain_cycles(s: list[int]) -> list[int]:
    lengths, rest = [], set(range(256))
    while rest:
        cycle = [min(rest)]
        while s[cycle[-1]] != cycle[0]:
            cycle.append(s[cycle[-1]])
        rest -= set(cycle)
        lengths.append(len(cycle))
    return lengths


def plain_rank(s: list[int]) -> int:
    """By the polynomials of the output bits, and all sums of them."""
    polynomial = np.array(s)
    for i in range(8):
        with_bit = np.flatnonzero(ALL >> i & 1)
        polynomial[with_bit] ^= polynomial[with_bit ^ 1 << i]
    highest = polynomial[[255 ^ 1 << i for i in range(8)]]
    lower = sum(not any((b & int(c)).bit_count() % 2 for c in highest) for b in range(256))
    return 8 - (lower.bit_length() - 1)


def affine() -> Iterator[sboxes.Boxes]:
    """Boxes some sum of whose output bits is affine: the largest sums that there are."""
    yield ALL
    yield ~ALL
    yield (ALL ^ (ALL >> 1)).astype(np.uint8)
    yield np.zeros(256, np.uint8)
    yield (ALL >> 1).astype(np.uint8)
    yield functions(1)[0] & 0x7F | ALL & 0x80


class Kernels(unittest.TestCase):
    """Figures of boxes against those by the definitions."""

    def compare(self, boxes: sboxes.Boxes) -> None:
        self.assertEqual(sboxes.dp(boxes).tolist(), [plain_dp(s) for s in boxes.tolist()])
        self.assertEqual(sboxes.lp(boxes).tolist(), [plain_lp(s) for s in boxes.tolist()])

    def test_random(self) -> None:
        self.compare(permutations(8))
        self.compare(functions(4))

    def test_affine(self) -> None:
        """The largest figures do not overflow, with either sign."""
        boxes = stacked(*affine())
        self.compare(boxes)
        self.assertEqual(sboxes.lp(boxes).tolist(), [256] * len(boxes))
        self.assertEqual(sboxes.dp(boxes).tolist()[:5], [256] * 5)

    def test_fewest_equal_pairs(self) -> None:
        """Inversion in GF(2^8) has DPmax 4/256, far below usual; alone and beside others."""
        inversion = [0, *(gf256.inverse(x, 0x11B) for x in range(1, 256))]
        boxes = np.concatenate([permutations(3), stacked(inversion)])
        self.assertEqual(sboxes.dp(boxes).tolist(), [plain_dp(s) for s in boxes.tolist()])
        self.assertEqual(sboxes.dp(boxes[3:]).tolist(), [4])

    def test_nearly_affine(self) -> None:
        """And those next to them are not taken for the largest."""
        for changed in (1, 2, 3, 64):
            box = ALL.copy()
            box[:changed] = box[:changed][::-1] ^ 1
            self.compare(stacked(box))

    def test_differences(self) -> None:
        """The largest entry is found in rows of all kinds.

        Those below 8 are made apart, the others by their lowest three bits.
        """
        rows = [d for d in range(1, 256) if d < 32 or d % 7 == 0]
        boxes = functions(len(rows))
        for d, box in zip(rows, boxes, strict=True):
            e = int(RANDOM.integers(1, 256))
            half = [x for x in range(256) if x < x ^ d]
            for x in RANDOM.permutation(half)[:20].tolist():
                box[x ^ d] = box[x] ^ e
        most = [
            int(np.bincount(box ^ box[ALL ^ d]).max()) for d, box in zip(rows, boxes, strict=True)
        ]
        self.assertGreaterEqual(min(most), 40)
        self.assertEqual(sboxes.dp(boxes).tolist(), most)

    def test_masks(self) -> None:
        """The largest sum is found for each mask of the output, any of the input, of each sign."""
        boxes = permutations(255)
        for i, box in enumerate(boxes):
            b, a = i + 1, int(RANDOM.integers(0, 256))
            odd = np.bitwise_count(box & b) + np.bitwise_count(ALL & a) + i & 1
            box[np.flatnonzero(odd)[10:]] ^= b & -b
        self.assertEqual(sboxes.lp(boxes).tolist(), [256 - 2 * 10] * 255)

    def test_cycles(self) -> None:
        boxes = np.concatenate([permutations(50), stacked(ALL, ~ALL, ALL + 1)])
        figures, lengths = sboxes.cycles(boxes)
        plain = [plain_cycles(s) for s in boxes.tolist()]
        self.assertEqual(figures.tolist(), [[c.count(1), len(c), max(c)] for c in plain])
        total = Counter(length for c in plain for length in c)
        self.assertEqual({i: n for i, n in enumerate(lengths.tolist()) if n}, dict(total))

    def test_ranks(self) -> None:
        """Ranks of all kinds, each alone; then each outer key byte counts."""
        boxes = np.concatenate([permutations(40), functions(10), stacked(*affine())])
        expected = [plain_rank(s) for s in boxes.tolist()]
        self.assertEqual({*range(6, 9), 0} - {*expected}, set())
        for box, rank in zip(boxes, expected, strict=True):
            self.assertEqual(sboxes.ranks_of(box[None], ALL).tolist()[rank], 256)
        outer = permutations(1)[0]
        plain = Counter(plain_rank(outer[box ^ key].tolist()) for box in boxes[:2] for key in ALL)
        found = sboxes.ranks_of(boxes[:2], outer).tolist()
        self.assertEqual({r: n for r, n in enumerate(found) if n}, dict(plain))

    def test_ranks_of_keys(self) -> None:
        """The inner bytes of a key choose the inner box: 256 S-boxes each."""
        for position, k, inner in ((0, 2, 0x47), (3, 3, 0x1234), (1, 4, 0xFEDCBA)):
            keys = np.arange(256, dtype=np.uint32) + np.uint32(inner << 8)
            plain = Counter(plain_rank(s) for s in sboxes.make(keys, position, k).tolist())
            found = sboxes.ranks(np.array([inner], np.uint32), position, k).tolist()
            self.assertEqual({r: n for r, n in enumerate(found) if n}, dict(plain))

    def test_dp_of(self) -> None:
        """Each outer key byte counts."""
        boxes, outer = permutations(3), functions(1)[0]
        found = sboxes.dp_of(boxes[:2], outer).tolist()
        each = np.concatenate([outer[box ^ key][None] for box in boxes[:2] for key in ALL])
        self.assertEqual(
            {n: k for n, k in enumerate(found) if k}, Counter(sboxes.dp(each).tolist())
        )

    def test_many_and_none(self) -> None:
        """Boxes do not depend on their neighbours, and no boxes give no figures."""
        boxes = permutations(20)
        alone = (
            [int(sboxes.dp(box[None])[0]) for box in boxes],
            [int(sboxes.lp(box[None])[0]) for box in boxes],
        )
        self.assertEqual((sboxes.dp(boxes).tolist(), sboxes.lp(boxes).tolist()), alone)
        self.assertEqual(sboxes.dp(boxes[:0]).tolist(), [])


class Compilers(unittest.TestCase):
    """The same figures from each compiler, with and without vectors of the CPU."""

    def test_same(self) -> None:
        boxes = np.concatenate([permutations(20), stacked(*affine())])
        expected = sboxes.dp(boxes).tolist(), sboxes.lp(boxes).tolist()
        for compiler in ("gcc", "clang"):
            if not shutil.which(compiler):
                print(f"skipped: {compiler} is not installed")
                continue
            with self.subTest(compiler=compiler), tempfile.TemporaryDirectory() as folder:
                library = self.built(compiler, Path(folder) / "plain.so")
                self.assertEqual(self.figures(library, boxes), expected)

    def built(self, compiler: str, library: Path) -> ctypes.CDLL:
        sources = [str(LAB / "native" / f"sbox_{figure}.c") for figure in ("dp", "lp")]
        flags = ["-std=c11", "-O0", "-fPIC", "-shared", "-DLAB_PLAIN"]
        include = f"-I{LAB.parent / 'c' / 'include'}"
        subprocess.run([compiler, *flags, include, *sources, "-o", str(library)], check=True)
        return ctypes.CDLL(str(library))

    def figures(self, library: ctypes.CDLL, boxes: sboxes.Boxes) -> tuple[list[int], ...]:
        out = np.empty((2, len(boxes)), np.uint16)
        for row, name in zip(out, ("lab_sbox_dp", "lab_sbox_lp"), strict=True):
            size = ctypes.c_size_t(len(boxes))
            library[name](row.ctypes.data_as(ctypes.c_void_p), boxes.ctypes, size)
        return tuple(row.tolist() for row in out)


class Making(unittest.TestCase):
    """Key-dependent S-boxes against the model and against the library."""

    def test_model(self) -> None:
        for k in (2, 3, 4):
            keys = RANDOM.integers(0, 1 << 8 * k, 3, np.uint32)
            for position in range(4):
                for key, box in zip(keys.tolist(), sboxes.make(keys, position, k), strict=True):
                    L = [bytes([key >> 8 * i & 0xFF] * 4) for i in range(k)]
                    expected = [model.s_box(position, x, L) for x in range(256)]
                    self.assertEqual(box.tolist(), expected)

    def test_library(self) -> None:
        L = RANDOM.integers(0, 1 << 32, 4, np.uint32)
        for position, box in enumerate(twofish.boxes(L)):
            key = sum((int(word) >> 8 * position & 0xFF) << 8 * i for i, word in enumerate(L))
            made = sboxes.make(np.array([key], np.uint32), position, 4)[0]
            self.assertEqual(made.tolist(), box.tolist())

    def test_shared_layers(self) -> None:
        """A box does not depend on the keys before it, whatever they have in common."""
        near = [0, 1, 0, 0x100, 0x101, 0x10101, 0x10100, 0, 0xFFFFFFFF, 0xFFFFFF, 0xFFFFFF]
        keys = np.array([*near, 0x800000, 0x80800000], np.uint32)
        together = sboxes.make(keys, 1, 4)
        for i in range(len(keys)):
            self.assertEqual(together[i].tolist(), sboxes.make(keys[i : i + 1], 1, 4)[0].tolist())
