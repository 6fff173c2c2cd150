#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Draws the block diagrams of docs/hardware.md and docs/cores.md into docs/hardware/.

hardware/diagrams.py          write them
hardware/diagrams.py --check  exit 1 if that would change one of them
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

import registers
import waves
from drawing import Box, Drawing
from tools import BUILD, HARDWARE, ROOT, RTL, HardwareError, places, run, run_tool

FOLDER = ROOT / "docs" / "hardware"

# Which q byte j of h meets, first to last, with keys of 128 bits [Twofish98, 4.3.2].
Q_ORDER = ((0, 1, 0, 1), (0, 0, 1, 1), (1, 0, 1, 0))


def q() -> Drawing:
    """The permutations q0 and q1 from 4-bit tables."""
    return Drawing(
        heading="q0 and q1",
        note="a byte through four tables of 16 entries; the two permutations differ in these only",
        about="""
            The byte x is cut into the halves a and b. Their xor goes through table t0; a, b
            rotated by one bit and the lowest bit of a as bit 3 are added and go through t1. The
            same mixing again, then t2 gives the low half of y and t3 the high half.
        """,
        width=88,
        height=23.5,
        boxes={
            "x": Box(2, 11, 5, 2.5, "x", "port"),
            "mix1": Box(12, 7.5, 15, 3.5, "a xor b"),
            "mix2": Box(12, 13.5, 15, 5, "a xor (b >>> 1)\nxor 8 a"),
            "t0": Box(32, 7.5, 5, 3.5, "t0"),
            "t1": Box(32, 14.25, 5, 3.5, "t1"),
            "mix3": Box(46, 7.5, 15, 3.5, "a xor b"),
            "mix4": Box(46, 13.5, 15, 5, "a xor (b >>> 1)\nxor 8 a"),
            "t2": Box(66, 7.5, 5, 3.5, "t2"),
            "t3": Box(66, 14.25, 5, 3.5, "t3"),
            "y": Box(80, 11, 5, 2.5, "y", "port"),
        },
        ways=[
            "x.r > mix1.l | 8",
            "x.r > mix2.l",
            "mix1.r > t0.l | 4",
            "mix2.r > t1.l | 4",
            "t0.r > x=40 > y=8.5 > mix3.l-0.75 | a",
            "t0.r > x=40 > mix4.l-1",
            "t1.r > x=43 > mix4.l+0.75 | b",
            "t1.r > x=43 > mix3.l+0.75",
            "mix3.r > t2.l | 4",
            "mix4.r > t3.l | 4",
            "t2.r > y.l-0.7 | 3..0",
            "t3.r > y.l+0.7 | 7..4",
        ],
    )


def h() -> Drawing:
    """All of h with its four S-boxes."""
    boxes = {
        "L1": Box(20, 7, 6, 2.5, "L_1", "port"),
        "L0": Box(42, 7, 6, 2.5, "L_0", "port"),
        "mds": Box(71, 12, 7, 19, "MDS\n\n4 x 4\nbytes"),
        "z": Box(82, 20.25, 4, 2.5, "z", "port"),
    }
    ways = ["mds.r > z.l | 32"]
    for j in range(4):
        y = 12 + 5.0 * j
        boxes |= {
            f"x{j}": Box(2, y + 0.75, 8, 2.5, f"byte {j} of x", "port"),
            f"a{j}": Box(14, y, 4, 4, f"q{Q_ORDER[0][j]}"),
            f"b{j}": Box(26, y, 4, 4, "xor"),
            f"c{j}": Box(35, y, 4, 4, f"q{Q_ORDER[1][j]}"),
            f"d{j}": Box(48, y, 4, 4, "xor"),
            f"e{j}": Box(57, y, 4, 4, f"q{Q_ORDER[2][j]}"),
        }
        ways += [
            f"x{j}.r > a{j}.l",
            f"a{j}.r > b{j}.l | 8" if j == 0 else f"a{j}.r > b{j}.l",
            f"L1.b > x=23 > y={y + 1} > b{j}.l-1",
            f"b{j}.r > c{j}.l",
            f"c{j}.r > d{j}.l",
            f"L0.b > x=45 > y={y + 1} > d{j}.l-1",
            f"d{j}.r > e{j}.l",
            f"e{j}.r > mds.l{5 * j - 7.5:+g}",
        ]
    return Drawing(
        heading="h, of keys of 128 bits",
        note="g is h with L = S; a subkey is h with L = M; longer keys have more levels in front",
        about="""
            Each of the four bytes of x goes through a q, is added to its byte of L_1, goes
            through a second q, is added to its byte of L_0, and goes through a third q. Byte 0
            meets q0, q0 and q1; byte 1 q1, q0, q0; byte 2 q0, q1, q1; byte 3 q1, q1, q0. The
            matrix MDS makes the word z of the four.
        """,
        width=88,
        height=36,
        boxes=boxes,
        ways=ways,
    )


def two_h() -> Drawing:
    """A round in a clock."""
    return Drawing(
        heading="twofish_two_h: a round in a clock",
        note="16 rounds; in key set-up the same h and PHT make two subkeys in each of 20 clocks",
        about="""
            The block is whitened into the register R. In each clock R_0 and R_1 go through the
            two h, the PHT adds two subkeys, and the result goes into the other half of R. After
            the last round, without a register between, it is whitened and offered. In key set-
            up R_0 and R_1 hold the numbers of the subkeys, and h takes the words M of the key
            in place of S; R_2 and R_3 take the sums and hand them to the store. Meanwhile the
            code RS makes S of the key, a byte a clock.
        """,
        width=88,
        height=44,
        boxes={
            "key": Box(2, 7.75, 9, 2.5, "key_data", "port"),
            "M": Box(15, 7, 10, 4, "M\n4 words", "store"),
            "rs": Box(29, 7, 9, 4, "RS, S_0", "register"),
            "S": Box(42, 7, 8, 4, "S_1", "store"),
            "store": Box(74, 7, 12, 4, "K_0 .. K_39\nin pairs", "store"),
            "mux": Box(42, 13, 20, 2.5, "L: M in set-up, then S"),
            "in": Box(2, 20.25, 9, 2.5, "in_data", "port"),
            "win": Box(14, 19, 11, 5, "xor K_0 .. K_3\nor K_4 .. K_7"),
            "index": Box(14, 28, 11, 5, "2i and 2i+1\nin set-up"),
            "R": Box(28, 19, 12, 13, "R_0\n\nR_1\n\nR_2\n\nR_3", "register"),
            "h0": Box(46, 18, 12, 4, "h"),
            "h1": Box(46, 26, 12, 4, "<<< 8, h"),
            "pht": Box(63.5, 18, 7, 12, "PHT\n+ K"),
            "round": Box(75, 20, 9, 8, "xor\nrotate\nswap"),
            "wout": Box(78.5, 31, 8, 3.5, "xor K"),
            "out": Box(78.5, 37, 8, 2.5, "out_data", "port"),
        },
        ways=[
            "key.r > M.l | 32",
            "M.r > rs.l | 8",
            "rs.r > S.l",
            "M.b > y=14.25 > mux.l",
            "rs.b > y=12.3 > x=40 > y=13.5 > mux.l-0.75",
            "S.b > mux.t-6",
            "mux.b > h0.t",
            "mux.b+8.5 > y=33 > h1.b",
            "in.r > win.l",
            "win.r > R.l-4",
            "index.r > R.l+5",
            "R.r-5.5 > h0.l | R_0",
            "R.r+2.5 > h1.l | R_1",
            "h0.r > pht.l-4",
            "h1.r > pht.l+4",
            "pht.r > round.l | F",
            "store.b > y=16 > pht.t | K",
            "R.r+5.5 > x=43 > y=35 > x=72.5 > round.l+2.5 | R_2, R_3",
            "R.r+5.5 > x=43 > y=35 > x=72.5 > store.l",
            "round.b-3.5 > y=38 > R.b",
            "round.b+3 > wout.t",
            "wout.b > out.t",
        ],
    )


def quarter_h() -> Drawing:
    """A byte a clock."""
    return Drawing(
        heading="twofish_quarter_h: one S-box, a byte a clock",
        note="registers are rings of bytes that never stop; h takes four clocks",
        about="""
            The words of the key, S, R and the sums P and Q are rings of bytes. A byte of R_0,
            of R_1 rotated by 8 bits, or the number of a subkey goes through the three levels of
            the one S-box, with a register behind each; bytes of the words of the key or of S
            are added between them. A column of MDS is made of the result, and four columns are
            added up. The word z leaves a byte a clock and is added to P, and once or twice to
            Q, each with its carry. The bytes of P and Q, which are subkeys in whitening and
            else F0 and F1, are added to R_2 and R_3, which are rotated by a bit and change
            sides with R_0 and R_1.
        """,
        width=90,
        height=52,
        boxes={
            "key": Box(2, 8.75, 9, 2.5, "key_data", "port"),
            "M": Box(15, 8, 12, 4, "M\nrings of 8 bytes", "register"),
            "rs": Box(31, 8, 6, 4, "RS\na byte"),
            "S": Box(42, 8, 12, 4, "S\nrings of 4 bytes", "register"),
            "x": Box(15, 18, 9, 9, "a byte of\n2i, 2i+1,\nR_0 or R_1"),
            "r0": Box(26.5, 18, 2, 9, "", "register"),
            "q2": Box(31, 20, 4, 5, "q"),
            "r1": Box(37, 18, 2, 9, "", "register"),
            "q1": Box(41.5, 20, 6, 5, "xor L_1\nq"),
            "r2": Box(49.5, 18, 2, 9, "", "register"),
            "q0": Box(54, 20, 6, 5, "xor L_0\nq"),
            "r3": Box(62.5, 18, 2, 9, "", "register"),
            "mds": Box(67, 20, 7, 5, "column\nof MDS"),
            "sum": Box(76.5, 20, 4, 5, "xor", "register"),
            "z": Box(83, 20, 4, 5, "z", "register"),
            "P": Box(62, 31, 11, 4, "P: + z", "register"),
            "Q": Box(62, 37, 11, 4, "Q: + z or 2 z", "register"),
            "mix": Box(41, 31, 10, 10, "xor\nrotate by a bit\nchange sides"),
            "R": Box(16, 31, 14, 10, "R_0, R_1\nR_2, R_3\nrings of 4 bytes", "register"),
            "in": Box(14, 44, 8, 2.5, "in_data", "port"),
            "out": Box(24, 44, 8, 2.5, "out_data", "port"),
        },
        ways=[
            "key.r > M.l | 32",
            "M.r > rs.l | 8",
            "rs.r > S.l | 8",
            "M.b > y=13.8 > q1.t-1.5",
            "M.b > y=13.8 > q0.t-1.5",
            "S.b > y=15.8 > q1.t+1.5",
            "S.b > y=15.8 > q0.t+1.5",
            "R.l > x=12 > x.l",
            "x.r > r0.l",
            "r0.r > q2.l",
            "q2.r > r1.l",
            "r1.r > q1.l",
            "q1.r > r2.l",
            "r2.r > q0.l",
            "q0.r > r3.l",
            "r3.r > mds.l",
            "mds.r > sum.l",
            "sum.r > z.l",
            "z.b > y=33 > P.r | 8",
            "z.b > y=39 > Q.r | 8",
            "P.l > mix.r-3 | K or F0",
            "Q.l > mix.r+3 | K or F1",
            "mix.l-2 > R.r-2 | 8",
            "R.r+2 > mix.l+2 | 8",
            "in.t > R.b-5",
            "R.b+5 > out.t",
        ],
    )


def one_h() -> Drawing:
    """Four uses of h a round, subkeys on the fly."""
    return Drawing(
        heading="twofish_one_h: a use of h in each clock",
        note="a round has four: for two subkeys, and for g of R_0 and of R_1; whitening has two",
        about="""
            h works in each clock, in a pipeline: S-boxes, then MDS and sums, then R. Its input
            is the number of a subkey, with the words M of the key as L, or R_0 or R_1 rotated
            by 8 bits, with S as L. Two adders with the registers P and Q sum up what MDS gives:
            first P becomes one subkey and Q the other, then F0 and F1, which go to the other
            half of R. The words of the key turn in rings, so that those with even and with odd
            numbers come in turn. The same way whitens the block at its beginning and at its
            end. The result is in R.
        """,
        width=89,
        height=46,
        boxes={
            "key": Box(2, 7.75, 9, 2.5, "key_data", "port"),
            "M": Box(15, 7, 11, 4, "M, in rings\nof 2 words", "register"),
            "rs": Box(31, 7, 6, 4, "RS"),
            "S": Box(40, 7, 10, 4, "S_1, S_0", "register"),
            "L": Box(37.5, 13, 15, 2.5, "L: M, M, S, S"),
            "in": Box(2, 19.25, 9, 2.5, "in_data", "port"),
            "out": Box(2, 27.25, 9, 2.5, "out_data", "port"),
            "R": Box(14.5, 18, 9, 13, "R_0\n\nR_1\n\nR_2\n\nR_3", "register"),
            "x": Box(26.5, 20.5, 9.5, 8, "2i\n2i+1\nR_0\nR_1 <<< 8"),
            "h": Box(40, 22, 9, 5, "S-boxes\nof h"),
            "z": Box(52, 22, 3, 5, "z", "register"),
            "mds": Box(57.5, 22, 5, 5, "MDS"),
            "add0": Box(65.5, 19, 3, 3, "+"),
            "add1": Box(65.5, 27, 3, 3, "+"),
            "P": Box(71, 18.5, 3.5, 4, "P", "register"),
            "Q": Box(71, 26.5, 3.5, 4, "Q", "register"),
            "round": Box(77, 18, 8.5, 13, "xor,\nin rounds\nrotate\nand swap"),
        },
        ways=[
            "key.r > M.l | 32",
            "M.r > rs.l | 32",
            "rs.r > S.l",
            "M.b > y=14.25 > L.l",
            "S.b > L.t",
            "L.b > h.t+0.5",
            "in.r > R.l-4",
            "R.l+4 > out.r",
            "R.r > x.l",
            "x.r > h.l",
            "h.r > z.l",
            "z.r > mds.l",
            "mds.r > x=64 > add0.l",
            "mds.r > x=64 > add1.l",
            "add0.r > P.l",
            "add1.r > Q.l",
            "P.t > y=16.5 > add0.t",
            "Q.b > y=32.5 > add1.b",
            "P.r > round.l-4",
            "Q.r > round.l+4",
            "R.b+2 > y=38 > round.b",
            "round.r > x=87 > y=40.5 > R.b-2",
        ],
    )


def one_h_stored() -> Drawing:
    """A round in two clocks."""
    return Drawing(
        heading="twofish_one_h_stored: a round in two clocks",
        note="first clock: B takes h of R_1, and R_0 and R_1 change places; second: h of R_0, PHT",
        about="""
            The block is whitened into the register R. h reads R_0 alone. In the first clock of
            a round R_1 rotated by 8 bits is there; the register B takes the result, and R_0 and
            R_1 change places. In the second clock h makes the other word, the PHT adds it to B
            and two subkeys, and the result goes into the other half of R. After the last round
            it is whitened and offered. In key set-up R_0 holds the numbers of the subkeys and h
            takes the words M of the key in place of S; R_2 and R_3 hand the sums to the store.
            Meanwhile the code RS makes S of the key, a byte a clock.
        """,
        width=88,
        height=44,
        boxes={
            "key": Box(2, 7.75, 9, 2.5, "key_data", "port"),
            "M": Box(15, 7, 10, 4, "M\n4 words", "store"),
            "rs": Box(29, 7, 9, 4, "RS, S_0", "register"),
            "S": Box(42, 7, 8, 4, "S_1", "store"),
            "store": Box(74, 7, 12, 4, "K_0 .. K_39\nin pairs", "store"),
            "mux": Box(42, 13, 20, 2.5, "L: M in set-up, then S"),
            "in": Box(2, 20.25, 9, 2.5, "in_data", "port"),
            "win": Box(14, 19, 11, 5, "xor K_0 .. K_3\nor K_4 .. K_7"),
            "index": Box(14, 28, 11, 5, "2i+1, then 2i\nin set-up"),
            "R": Box(28, 19, 12, 13, "R_0\n\nR_1\n\nR_2\n\nR_3", "register"),
            "h": Box(46, 18, 12, 4, "h"),
            "B": Box(46, 26, 12, 4, "B", "register"),
            "pht": Box(63.5, 18, 7, 12, "PHT\n+ K"),
            "round": Box(75, 20, 9, 8, "xor\nrotate\nswap"),
            "wout": Box(78.5, 31, 8, 3.5, "xor K"),
            "out": Box(78.5, 37, 8, 2.5, "out_data", "port"),
        },
        ways=[
            "key.r > M.l | 32",
            "M.r > rs.l | 8",
            "rs.r > S.l",
            "M.b > y=14.25 > mux.l",
            "rs.b > y=12.3 > x=40 > y=13.5 > mux.l-0.75",
            "S.b > mux.t-6",
            "mux.b > h.t",
            "in.r > win.l",
            "win.r > R.l-4",
            "index.r > R.l+5",
            "R.r-5.5 > h.l | R_0",
            "h.b > B.t | g(R_1 <<< 8)",
            "h.r > pht.l-4",
            "B.r > pht.l+4",
            "pht.r > round.l | F",
            "store.b > y=16 > pht.t | K",
            "R.r+5.5 > x=43 > y=35 > x=72.5 > round.l+2.5 | R_2, R_3",
            "R.r+5.5 > x=43 > y=35 > x=72.5 > store.l",
            "round.b-3.5 > y=38 > R.b",
            "round.b+3 > wout.t",
            "wout.b > out.t",
        ],
    )


# The steps of a block through h with keys of 128 bits, and which bit of H_CUTS puts a register
# behind each (rtl/twofish_h_cut.v).
PIECES = (
    ("t0, t1", 5), ("t2, t3\nxor L_1", 4),
    ("t0, t1", 3), ("t2, t3\nxor L_0", 2),
    ("t0, t1", 1), ("t2, t3", 0),
)  # fmt: skip


def stages(given: Mapping[str, str]) -> list[str]:
    """The work of each stage with these parameters; "" where a block is only loaded."""
    cuts = int(given["H_CUTS"].partition("'b")[2], 2)
    words, result = "", [""] * int(given.get("FIRST_CUT", 0))
    for piece, bit in PIECES:
        words += piece + "\n"
        if cuts >> bit & 1:
            result.append(words)
            words = ""
    words += "MDS\n"
    if int(given.get("MDS_CUT", 0)):
        result.append(words)
        words = ""
    parts = int(given.get("ADD_CUTS", 0)) + 1
    bits = -(-32 // parts)
    sums = [f"bits {i * bits}..{min(32, (i + 1) * bits) - 1}\n" for i in range(parts)]
    result += [words + "PHT + K\n" + (sums[0] if parts > 1 else ""), *sums[1:]]
    result[-1] += "xor, rotate"
    # Both halves of a q in one stage are a q.
    return [text.replace("t0, t1\nt2, t3", "q").strip() for text in result]


def parameters(module: str) -> dict[str, str]:
    """The parameters that rtl/MODULE.v gives to the module that it stands for."""
    text = (RTL / f"{module}.v").read_text(encoding="utf-8")
    return dict(re.findall(r"\.([A-Z_]+)\(([\w'\"]+)\)", text))


def pipe(name: str) -> Drawing:
    """A ring of stages, with the cuts that the core's file has."""
    given = parameters(f"twofish_{name}")
    parts = stages(given)
    n = len(parts)
    if n != int(given["STAGES"]):
        raise ValueError(f"{name}: {given['STAGES']} stages, but cuts for {n}")
    boxes, ways = _short_ring(parts) if n < 6 else _long_ring(parts)
    words = ". ".join(
        f"Stage {i + 1}: {' '.join(part.split()) or 'a block is loaded, or comes round'}"
        for i, part in enumerate(parts)
    )
    return Drawing(
        heading=f"twofish_{name}: {n} stages, {n} blocks",
        note=f"a round takes {n} clocks, and {n} blocks are in the ring; two h work side by side",
        about=f"""
            A ring of {n} stages with a register behind each. R_0 and R_1 go through h, and beside
            it in registers; R_2 and R_3 wait in registers. {words}. The last register is R, which
            goes round again, or out. The subkeys of the block that is there come from the store. In
            key set-up the numbers of subkeys go round in place of a block, h takes M in place of
            S, and R hands the sums to the store.
        """,
        width=max(box.x + box.w for box in boxes.values()) + (2 if n < 6 else 6),
        height=max(box.y + box.h for box in boxes.values()) + 5,
        boxes=boxes,
        ways=ways,
    )


def _ring_key(store: Box) -> tuple[dict[str, Box], list[str]]:
    boxes = {
        "key": Box(2, 8.75, 9, 2.5, "key_data", "port"),
        "M": Box(14, 8, 9, 4, "M\n4 words", "store"),
        "S": Box(27, 8, 10, 4, "RS\nS_1, S_0", "store"),
        "L": Box(41, 8, 14, 4, "L: M in set-up,\nthen S"),
        "store": store,
    }
    return boxes, ["key.r > M.l", "M.r > S.l", "M.t > y=6.8 > L.t", "S.r > L.l"]


def _short_ring(parts: Sequence[str]) -> tuple[dict[str, Box], list[str]]:
    """All stages in a row."""
    n = len(parts)
    left, right, gap, thin = 21.0, 76.0, 2.0, 2.5  # of the room for stages
    wide = (right - left - thin * (n - 1) - 2 * gap * n) / n
    boxes, ways = _ring_key(Box(60, 8, 13, 4, "K_0 .. K_39\nin pairs", "store"))
    boxes |= {
        "in": Box(2, 15, 9, 2.5, "in_data", "port"),
        "mix": Box(11, 19, 10, 20, "in xor K,\nor R,\nor 2i, 2i+1"),
        "R": Box(76, 19, 10, 20, "R_0, R_1\n\n\n\n\n\nR_2, R_3", "register"),
        "wout": Box(76, 42.5, 10, 2.5, "xor K"),
        "out": Box(63, 42.5, 9, 2.5, "out_data", "port"),
    }
    ways += [
        "in.b > y=29 > mix.l",
        "R.b-3 > y=41 > mix.b",
        "R.b+3 > wout.t+3",
        "wout.l > out.r",
        "R.t > y=10 > store.r | F",
    ]
    x, before = left, "mix"
    for i, words in enumerate(parts):
        x += gap
        boxes[f"s{i}"] = Box(x, 18, wide, 10, f"stage {i + 1}\n{words}")
        ways.append(f"{before}.r-6 > s{i}.l")
        if "L_" in words:
            ways.append(f"L.b > y=14 > s{i}.t")
        x += wide + gap
        after = "R"
        if i < n - 1:
            after = f"cut{i}"
            boxes[after] = Box(x, 19, thin, 20, "", "register")
            ways.append(f"{before}.r+8 > {after}.l+8 | {'R_2, R_3' if i == 0 else ''}")
            x += thin
        ways += [
            f"s{i}.r > {after}.l-6",
            f"{before}.r+4 > {after}.l+4 | {'R_0, R_1' if i == 0 else ''}",
        ]
        before = after
    last = f"s{n - 1}"
    ways += [f"cut{n - 2}.r+8 > {last}.b+1.5", f"store.b > y=15 > {last}.t+1.5 | K"]
    return boxes, ways


def _long_ring(parts: Sequence[str]) -> tuple[dict[str, Box], list[str]]:
    """The first half of the stages to the right, the others back to the left below them."""
    half, thin, wide = len(parts) // 2, 1.8, 7.4
    boxes, ways = _ring_key(Box(28, 54, 13, 4, "K_0 .. K_39\nin pairs", "store"))
    boxes |= {
        "in": Box(2, 21.25, 8, 2.5, "in_data", "port"),
        "mix": Box(13, 15, 10, 15, "stage 1\nin xor K,\nor R,\nor 2i, 2i+1"),
        "R": Box(13, 35, 10, 15, "R_0, R_1\n\n\n\nR_2, R_3", "register"),
        "wout": Box(2, 37.5, 8, 2.5, "xor K"),
        "out": Box(2, 44, 8, 2.5, "out_data", "port"),
    }
    ways = [
        *ways,
        "in.r > mix.l",
        "R.t > mix.b",
        "R.l-3.75 > wout.r",
        "wout.b > out.t",
        "R.b > y=56 > store.l | F",
    ]

    def stage(i: int, x: float, y: float) -> str:
        boxes[f"s{i}"] = Box(x, y, wide, 6, f"stage {i + 1}\n{parts[i]}")
        if "L_" in parts[i]:
            ways.append(f"L.b > y=13.3 > s{i}.t")
        if "K" in parts[i]:
            ways.append(f"store.r > s{i}.b-1.5 | K")
        return f"s{i}"

    def cut(i: int, x: float, y: float) -> str:
        boxes[f"cut{i}"] = Box(x, y, thin, 15, "", "register")
        return f"cut{i}"

    # The lanes stand 3.5 above, 2.5 and 5.5 below the middle of the registers.
    x, before = 24.6, cut(0, 24.6, 15)
    ways += [f"mix.r{lane} > cut0.l{lane}" for lane in ("-3.5", "+2.5", "+5.5")]
    for i in range(1, half):
        now = stage(i, x + thin + 1.4, 16)
        x += thin + wide + 2.8
        after = cut(i, x, 15)
        ways += [f"{before}.r-3.5 > {now}.l", f"{now}.r > {after}.l-3.5"]
        ways += [
            f"{before}.r{lane} > {after}.l{lane} | {words if i == 1 else ''}"
            for lane, words in (("+2.5", "R_0, R_1"), ("+5.5", "R_2, R_3"))
        ]
        before = after
    edge = x + thin + 5
    room = (edge - 23 - (len(parts) - half) * wide - (len(parts) - half - 1) * thin) / 2
    gap, x = room / (len(parts) - half), edge
    for i in range(half, len(parts)):
        now = stage(i, x - wide - (0 if i == half else gap), 36)
        x = boxes[now].x - gap
        after = "R"
        if i < len(parts) - 1:
            x -= thin
            after = cut(i, x, 35)
        # Round the right edge, each lane at a place of its own, or straight on.
        ends = (f"{now}.r", f"{after}.r+2.5", f"{now}.b+1.5" if after == "R" else f"{after}.r+5.5")
        for k, (lane, end) in enumerate(zip(("-3.5", "+2.5", "+5.5"), ends)):
            start = (
                f"{before}.r{lane} > x={edge + 2 + 1.2 * k:g}" if i == half else f"{before}.l{lane}"
            )
            ways.append(f"{start} > {end}")
        ways.append(f"{now}.l > {after}.r-3.5")
        before = after
    return boxes, ways


def sbox_ram() -> Drawing:
    """S-boxes of the key in RAM."""
    return Drawing(
        heading="twofish_sbox_ram: S-boxes of the key in RAM",
        note="16 rounds; set-up has q, MDS, PHT of its own: 40 clocks of subkeys, 256 of S-boxes",
        about="""
            Eight RAMs of 256 bytes hold the S-boxes of the key up to MDS, four for each g. They
            take their addresses at the clock edge at which R takes the same bits. In the clock
            after, what they show goes through two MDS, the PHT with two subkeys, the xor and
            the rotations to the next R and the next addresses. In key set-up a counter goes
            through the levels of q, with M for subkeys and then with S; a clock later the
            register y is written into the RAMs, or goes through MDS and, every second clock,
            with A through a PHT, to R_2 and R_3 and from there to the store of subkeys.
        """,
        width=90,
        height=50,
        boxes={
            "key": Box(2, 8.75, 9, 2.5, "key_data", "port"),
            "M": Box(13, 8, 8, 4, "M\n4 words", "store"),
            "rs": Box(24, 8, 8, 4, "RS, S_0", "register"),
            "S": Box(35, 8, 5, 4, "S_1", "store"),
            "L": Box(43, 8, 12, 4, "L: M, then S"),
            "store": Box(75, 8, 11, 4, "K_0 .. K_39\nin pairs", "store"),
            "count": Box(28, 15, 9, 4, "count", "register"),
            "q": Box(43, 15, 12, 4, "levels of q"),
            "y": Box(58.5, 15, 5, 4, "y", "register"),
            "mds": Box(66.5, 15, 5.5, 4, "MDS"),
            "A": Box(75, 15, 11, 4, "A, PHT", "register"),
            "in": Box(2, 29.75, 9, 2.5, "in_data", "port"),
            "win": Box(13, 28.5, 11, 5, "xor K_0 .. K_3\nor K_4 .. K_7"),
            "next": Box(28, 25, 9, 12, "next R"),
            "ram": Box(54, 25, 14, 5, "2 x 4 RAMs\n256 x 8 bits", "store"),
            "R": Box(54, 33, 14, 5, "R_0, R_1, R_2, R_3", "register"),
            "mds2": Box(71.5, 25, 5.5, 5, "2 x\nMDS"),
            "pht": Box(80, 25, 6, 5, "PHT\n+ K"),
            "round": Box(79, 33, 8, 5, "xor\nrotate"),
            "wout": Box(79, 43, 8, 2.5, "xor K"),
            "out": Box(66, 43, 9, 2.5, "out_data", "port"),
        },
        ways=[
            "key.r > M.l",
            "M.r > rs.l | 8",
            "rs.r > S.l",
            "S.r > L.l",
            "M.b > y=13.5 > x=45 > L.b-4",
            "rs.t > y=6.8 > x=49 > L.t",
            "L.b > q.t",
            "count.r > q.l",
            "q.r > y.l | 32",
            "y.r > mds.l",
            "y.b > ram.t",
            "mds.r > A.l",
            "A.b > y=20.8 > next.t",
            "store.l > x=73.5 > y=22.8 > pht.t | K",
            "in.r > win.l",
            "win.r > next.l",
            "next.r-3.5 > ram.l | addresses",
            "next.r+4.5 > R.l",
            "ram.r > mds2.l",
            "mds2.r > pht.l",
            "pht.b > round.t",
            "R.r > round.l",
            "R.r > x=73 > y=39.5 > x=88 > y=10 > store.r",
            "round.b-1.5 > y=41 > next.b",
            "round.b+1.5 > wout.t+1.5",
            "wout.l > out.r",
        ],
    )


def quarter_h_masked() -> Drawing:
    """Two shares of everything, and where they meet."""
    boxes = {
        "random": Box(2, 23.25, 9, 2.5, "random", "random"),
        "T": Box(31, 21, 16, 7, "t0 .. t3, shared\n3 steps, a nibble\nof each a clock", "register"),
        "add": Box(50, 21, 15, 7, "2 adders, shared\n2 bits a clock", "register"),
    }
    ways = [
        "random.r > T.l | 20 bits",
        "random.r > x=26.5 > y=30.2 > x=48.5 > add.l | 12 bits",
    ]
    for i, top in ((0, 8.5), (1, 34.5)):
        # Share 1 is share 0 in a mirror.
        near, far, turn = ("b", "t", 6.8) if i == 0 else ("t", "b", 42.5)
        port, back = (17.2, 18.6) if i == 0 else (29.3, 30.4)
        boxes |= {
            f"key{i}": Box(2, top + 1.75, 9, 2.5, f"key, share {i}", "port"),
            f"M{i}": Box(14, top, 9, 6, f"M, S\nin rings\nshare {i}", "register"),
            f"x{i}": Box(29, top, 11, 6, f"byte of x\nxor, rotate\nshare {i}", "register"),
            f"h{i}": Box(49, top, 9, 6, f"MDS, h\nshare {i}", "register"),
            f"F{i}": Box(66, top, 7, 6, f"F0, F1\nshare {i}", "register"),
            f"R{i}": Box(76, top, 10.5, 6, f"R_0 .. R_3\nshare {i}", "register"),
            f"in{i}": Box(75.5, port, 4.5, 2.5, "in", "port"),
            f"out{i}": Box(82, port, 5, 2.5, "out", "port"),
        }
        ways += [
            f"key{i}.r > M{i}.l",
            f"M{i}.r > x{i}.l",
            f"x{i}.{near} > T.{far}-4.5",
            f"T.{far}+4.5 > h{i}.l",
            f"T.{far}+4.5 > x{i}.r{1.5 if i == 0 else -1.5:+g}",
            f"h{i}.{near} > add.{far}-4",
            f"add.{far}+3 > F{i}.l",
            f"F{i}.{near} > y={back} > add.{far}+6.5",
            f"F{i}.r > R{i}.l",
            f"in{i}.{far} > R{i}.{near}-3.5",
            f"R{i}.{near}+3.25 > out{i}.{far}",
            f"R{i}.{far} > y={turn} > x{i}.{far}",
        ]
    return Drawing(
        heading="twofish_quarter_h_masked: two shares of everything",
        note="what is linear is done to each share alone; products need both, and random bits",
        about="""
            Key, S, the byte on its way, the result of h, F0, F1 and R are there twice, as two
            shares whose xor is the value. Each has rings, multiplexers, the linear steps of q,
            MDS and the rotations of its own, and no wire joins them. They meet in two places:
            in the 4-bit tables of q, in three steps that end in registers, with 20 fresh random
            bits in each clock; and in two adders that take two bits a clock, with 12 random
            bits.
        """,
        width=89,
        height=47,
        boxes=boxes,
        ways=ways,
    )


def quarter_h_masked_seeded() -> Drawing:
    """Where the random bits of the masked core come from."""
    return Drawing(
        heading="twofish_quarter_h_masked_seeded: a seed, and random bits for each clock",
        note="the core is held in reset until there are random bits",
        about="""
            Words of a seed are added to the 288 bits of a Trivium generator, which then makes 32
            steps in each clock. From its output register the masked core gets 32 fresh random bits
            a clock. Until the first of them the core is held in reset.
        """,
        width=76,
        height=23,
        boxes={
            "seed": Box(2, 10.25, 9, 2.5, "seed_*", "port"),
            "state": Box(20, 8.5, 13, 6, "Trivium\n288 bits\n32 steps a clock", "register"),
            "word": Box(40, 9.5, 9, 4, "random\nword", "register"),
            "core": Box(58, 8.5, 14, 6, "masked core\nkey, in, out\nin shares", "register"),
        },
        ways=[
            "seed.r > state.l | xor 32",
            "state.r > word.l",
            "word.r > core.l | 32 bits",
            "state.b > y=18 > core.b | seeded: end of reset",
        ],
    )


def lockstep() -> Drawing:
    """Two cores, and what compares them."""
    return Drawing(
        heading="twofish_lockstep: two cores, one a clock behind",
        note="a result leaves while both have it; any difference is an alert",
        about="""
            The first core gets words of the key and blocks from the ports, the second the same a
            clock later, through registers. The handshakes of the first, a clock later, are compared
            with those of the second, and so are their results. A difference raises alert, which
            closes all ports and wipes both cores.
        """,
        width=88,
        height=33,
        boxes={
            "in": Box(2, 11.25, 9, 2.5, "key, in", "port"),
            "core0": Box(32, 9, 14, 7, "core 0\nany of\nTable 4", "register"),
            "later": Box(16, 21, 9, 5, "a clock\nlater", "register"),
            "core1": Box(32, 20, 14, 7, "core 1\nthe same", "register"),
            "said": Box(52, 9.5, 9, 6, "handshakes\na clock\nlater", "register"),
            "same": Box(52, 20, 9, 7, "the same?"),
            "state": Box(68, 10, 8, 5, "state\n01 or 10", "register"),
            "alert": Box(80, 11.25, 6, 2.5, "alert", "port"),
            "out": Box(78, 22.25, 6, 2.5, "out", "port"),
        },
        ways=[
            "in.r > core0.l",
            "in.r > x=13.5 > later.l",
            "later.r > core1.l",
            "core0.r > said.l",
            "said.b > same.t",
            "core0.b > y=18 > x=49 > y=22 > same.l-1.5 | result",
            "core1.r+1 > same.l+1",
            "same.r > out.l | result",
            "same.r > x=64.5 > state.l",
            "state.r > alert.l",
        ],
    )


def axis() -> Drawing:
    """Modes and AXI4-Stream around a core."""
    return Drawing(
        heading="twofish_axis: AXI4-Stream and modes",
        note="around any core; a message has a TID, and messages of different TIDs may be mixed",
        about="""
            For each TID there are registers with its mode, its direction and its chain: the
            last block of ciphertext in CBC, the counter in CTR. A block from s_axis goes into
            the core as it is, or xored with the chain, or the counter goes in its place. The facts
            that are needed when its result leaves (the word to xor with, TKEEP, TLAST and TID) wait
            in a queue beside the core. The result is xored with the word, cut to TKEEP,
            and leaves by m_axis. In CBC encryption it also goes back into the chain.
        """,
        width=88,
        height=38,
        boxes={
            "iv": Box(2, 10.25, 9, 2.5, "iv_*", "port"),
            "count": Box(32, 9, 9, 5, "count\nCTR"),
            "chain": Box(15, 9, 13, 5, "for each TID:\nmode, chain", "register"),
            "s": Box(2, 19.25, 9, 2.5, "s_axis_*", "port"),
            "mix": Box(14.5, 17, 14, 7, "ECB: data\nCBC: data xor chain\nCTR: chain"),
            "key": Box(45, 10.25, 9, 2.5, "key_*", "port"),
            "core": Box(42, 17, 15, 7, "core\nkey, in, out", "register"),
            "notes": Box(42, 28, 15, 5, "notes: a queue of\nDEPTH blocks", "register"),
            "out": Box(64, 17, 11, 7, "xor word\ncut to TKEEP"),
            "m": Box(78, 19.25, 8, 2.5, "m_axis_*", "port"),
        },
        ways=[
            "iv.r > chain.l",
            "chain.r-1 > count.l-1",
            "count.b > y=15.3 > x=30 > y=12.5 > chain.r+1",
            "chain.b > mix.t",
            "s.r > mix.l",
            "mix.r > core.l | 128",
            "mix.b > y=29.5 > notes.l-1 | word to xor",
            "s.b > y=32 > notes.l+1.5 | TKEEP, TLAST, TID",
            "key.b > core.t-0",
            "core.r > out.l | 128",
            "notes.r > out.b",
            "out.r > m.l",
            "core.r > x=60 > y=7.5 > chain.t | CBC encryption",
        ],
    )


DRAWINGS: Mapping[str, Callable[[], Drawing]] = {
    "q": q,
    "h": h,
    "quarter_h": quarter_h,
    "one_h": one_h,
    "one_h_stored": one_h_stored,
    "two_h": two_h,
    **{f"two_h_pipe{n}": partial(pipe, f"two_h_pipe{n}") for n in (2, 3, 4, 12)},
    "sbox_ram": sbox_ram,
    "quarter_h_masked": quarter_h_masked,
    "quarter_h_masked_seeded": quarter_h_masked_seeded,
    "lockstep": lockstep,
    "axis": axis,
}


def handshake() -> str:
    """The picture of a simulation of example.v."""
    return waves.svg(
        "A key, a block to encrypt, and one to decrypt",
        "Four words of the key are taken. The block is offered, and taken when the key has been"
        " set up. The result is offered until it is taken. The second block follows.",
        [clock for clock in waves.clocks(run_example()[1]) if clock["rst"] == "0"],
    )


BUSES = {
    "apb": ("APB", "pclk", ("paddr", "paddr"), waves.APB),
    "axil": ("AXI4-Lite", "aclk", ("s_axil_awaddr", "s_axil_araddr"), waves.AXIL),
}


def bus(name: str) -> str:
    """The picture of a simulation of example_NAME.v."""
    called, clk, addresses, ports = BUSES[name]
    return waves.svg(
        f"A key, a block and its result through {called}",
        "Of the key and of the text the last word is written, and of the result the first is read;"
        " the others are left out. The interrupt comes when the key has been set up, and again"
        " with the result. Each time a write to EVENTS clears it.",
        list(last_words(waves.clocks(run_example(f"example_{name}")[1], clk), *addresses)),
        ports,
    )


def last_words(trace: Iterable[waves.Clock], write: str, read: str) -> Iterator[waves.Clock]:
    """From the last word of KEY to the first of RESULT, without TEXT before its last word."""
    key, result = registers.offset("KEY") + 12, registers.offset("RESULT")
    text = registers.offset("TEXT")
    begun = False
    for clock in trace:
        written, wanted = (int(clock[name].replace("x", "0"), 2) for name in (write, read))
        begun = begun or written == key
        if begun and wanted == result + 4:
            return
        if begun and not text <= written < text + 12:
            yield clock


def run_example(name: str = "example") -> tuple[str, str]:
    """The output of NAME.v, and the trace of the core in it."""
    program, trace = BUILD / name, BUILD / f"{name}.vcd"
    BUILD.mkdir(parents=True, exist_ok=True)
    folders = [word for place in places() for word in ("-y", place)]
    run_tool(["iverilog", "-g2005", "-o", program, *folders, HARDWARE / f"{name}.v"], "iverilog")
    said = run_tool(["vvp", program, f"+vcd={trace}"], "iverilog")
    return said, trace.read_text(encoding="ascii")


def pictures() -> Iterator[tuple[Path, str]]:
    """Each file with what must be in it."""
    yield from ((FOLDER / f"{name}.svg", draw().svg()) for name, draw in DRAWINGS.items())
    yield FOLDER / "handshake.svg", handshake()
    yield from ((FOLDER / f"{name}.svg", bus(name)) for name in BUSES)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument(
        "--check", action="store_true", help="write nothing, say what is not up to date"
    )
    check = parser.parse_args().check
    stale = []
    for path, text in pictures():
        if check and (not path.exists() or path.read_text(encoding="utf-8") != text):
            stale.append(str(path.relative_to(ROOT)))
        elif not check:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
    if stale:
        raise HardwareError(f"not up to date: {', '.join(stale)}", "run hardware/diagrams.py")
    return 0


if __name__ == "__main__":
    sys.exit(run(main))
