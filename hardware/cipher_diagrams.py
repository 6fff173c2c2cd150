#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Draws the pictures of docs/twofish.md into docs/twofish/: the cipher, without any circuit.

hardware/cipher_diagrams.py    write them
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from drawing import Box, Drawing
from tools import ROOT

sys.path.insert(0, str(ROOT / "model"))
import twofish

FOLDER = ROOT / "docs" / "twofish"


class Picture(Drawing):
    """Without the legend, which speaks of circuits."""

    def _legend_lines(self) -> Iterator[str]:
        return iter(())


def cipher() -> Picture:
    """A block from plaintext to ciphertext."""
    return Picture(
        heading="Encrypting a block",
        note="words have 32 bits; whitening is the xor before the first round and after the last",
        about="""
            The plaintext is cut into the four words R_0 to R_3. Each is xored with one of
            the subkeys K_0 to K_3. Sixteen rounds follow; each computes F of R_0 and R_1,
            mixes it into R_2 and R_3, and swaps the halves. The last swap is undone. Each
            word is xored with one of the subkeys K_4 to K_7, which gives the ciphertext.
        """,
        width=88,
        height=17,
        boxes={
            "p": Box(2, 9.25, 10, 2.5, "plaintext", "port"),
            "win": Box(16, 8, 12, 5, "xor\nK_0 .. K_3"),
            "rounds": Box(32, 7.5, 16, 6, "16 rounds, each\nwith two of\nK_8 .. K_39", "store"),
            "swap": Box(52, 8, 7, 5, "swap\nhalves"),
            "wout": Box(62.5, 8, 11, 5, "xor\nK_4 .. K_7"),
            "c": Box(77, 9.25, 9.5, 2.5, "ciphertext", "port"),
        },
        ways=[
            "p.r > win.l",
            "win.r > rounds.l",
            "rounds.r > swap.l",
            "swap.r > wout.l",
            "wout.r > c.l",
        ],
    )


def round_() -> Picture:
    """One round, with its function F."""
    return Picture(
        heading="A round",
        note="F is all between R_0, R_1 and the two xors; afterwards the halves change places",
        about="""
            R_0 goes through g. R_1 is rotated to the left by 8 bits and goes through g too.
            The pseudo-Hadamard transform PHT makes a + b and a + 2b of the two results. Two
            subkeys are added: these are F_0 and F_1. R_2 is xored with F_0 and rotated to
            the right by one bit. R_3 is rotated to the left by one bit and xored with F_1.
            These are the new R_0 and R_1; the old R_0 and R_1 are the new R_2 and R_3.
        """,
        width=88,
        height=36.5,
        boxes={
            "R0": Box(2, 8.25, 6, 2.5, "R_0", "port"),
            "R1": Box(2, 14.25, 6, 2.5, "R_1", "port"),
            "R2": Box(2, 21.25, 6, 2.5, "R_2", "port"),
            "R3": Box(2, 27.25, 6, 2.5, "R_3", "port"),
            "rot": Box(14, 14, 6, 3, "<<< 8"),
            "g0": Box(26, 8, 6, 3, "g", "store"),
            "g1": Box(26, 14, 6, 3, "g", "store"),
            "pht": Box(38, 7, 7, 11, "PHT"),
            "k0": Box(55, 8, 14, 3, "+ K_{2r+8}"),
            "k1": Box(55, 14, 14, 3, "+ K_{2r+9}"),
            "x2": Box(55, 21, 5, 3, "xor"),
            "x3": Box(55, 27, 5, 3, "xor"),
            "l3": Box(26, 27, 6, 3, "<<< 1"),
            "r2": Box(66, 21, 6, 3, ">>> 1"),
            "n0": Box(78, 21.25, 8, 2.5, "new R_0", "port"),
            "n1": Box(78, 27.25, 8, 2.5, "new R_1", "port"),
        },
        ways=[
            "R0.r > g0.l",
            "R1.r > rot.l",
            "rot.r > g1.l",
            "g0.r > pht.l-3",
            "g1.r > pht.l+3",
            "pht.r-3 > k0.l | a + b",
            "pht.r+3 > k1.l | a + 2b",
            "k0.r > x=75 > y=19.2 > x2.t | F_0",
            "k1.r > x=72.5 > y=32 > x3.b | F_1",
            "R2.r > x2.l",
            "R3.r > l3.l",
            "l3.r > x3.l",
            "x2.r > r2.l",
            "r2.r > n0.l",
            "x3.r > n1.l",
        ],
    )


def mds() -> Picture:
    """The matrix with its sixteen bytes."""
    boxes = {}
    for i in range(4):
        y = 8 + 4 * i
        boxes[f"z{i}"] = Box(2, y, 6, 3, f"z{i}", "port")
        boxes[f"eq{i}"] = Box(11, y, 4, 3, "=")
        for j in range(4):
            boxes[f"m{i}{j}"] = Box(18 + 6 * j, y, 5, 3, f"{twofish.MDS[i][j]:02X}", "store")
        boxes[f"y{i}"] = Box(50, y, 6, 3, f"y{i}", "port")
    boxes["times"] = Box(43, 14, 5, 3, "times")
    boxes["note1"] = Box(60, 8, 25, 7, "z0 = 01 y0 + EF y1\n+ 5B y2 + 5B y3", "random")
    boxes["note2"] = Box(
        60, 17, 25, 6, "+ is xor; products are\nthose of a field\nof 256 elements", "random"
    )
    return Picture(
        heading="The MDS matrix",
        note="each result needs all four inputs: if one input byte changes, all four results do",
        about="""
            The word z has four bytes, the word y has four bytes, and z is the matrix times
            y. The rows of the matrix are 01 EF 5B 5B, 5B EF EF 01, EF 5B 01 EF and EF 01 EF
            5B, in hexadecimal. Sums are xors and products are those of a field with 256
            elements.
        """,
        width=88,
        height=28,
        boxes=boxes,
        ways=[],
    )


def pht() -> Picture:
    """The pseudo-Hadamard transform."""
    return Picture(
        heading="The pseudo-Hadamard transform (PHT)",
        note="two additions modulo 2^32 make each result depend on both words",
        about="""
            The words a and b come in. The first result is a + b. The second is that plus b
            once more, a + 2b. Both are taken modulo 2 to the 32.
        """,
        width=88,
        height=21.5,
        boxes={
            "a": Box(2, 8.25, 5, 2.5, "a", "port"),
            "b": Box(2, 14.25, 5, 2.5, "b", "port"),
            "s": Box(34, 7.5, 5, 4, "+"),
            "t": Box(54, 13.5, 5, 4, "+"),
            "u": Box(76, 8.25, 9, 2.5, "a + b", "port"),
            "v": Box(76, 14.25, 9, 2.5, "a + 2b", "port"),
        },
        ways=[
            "a.r > s.l",
            "b.r > x=20 > y=13 > s.b",
            "b.r > t.l",
            "s.r > u.l",
            "s.r > x=56.5 > t.t",
            "t.r > v.l",
        ],
    )


def keys() -> Picture:
    """From the key to S and the subkeys."""
    return Picture(
        heading="The key schedule, for a key of 128 bits",
        note="M is the key; S chooses the S-boxes; each pair of subkeys takes two h and a PHT",
        about="""
            The key is the words M_0 to M_3. The matrix RS makes S_0 of M_0 and M_1, and S_1
            of M_2 and M_3; S_1 and S_0 are the L of g. For subkeys number 2i and 2i+1, h of
            the byte 2i repeated four times, with M_0 and M_2 as L, gives A. h of the byte
            2i+1 repeated four times, with M_1 and M_3 as L, rotated to the left by 8 bits,
            gives B. The PHT makes A + B, which is K_2i, and A + 2B, which rotated to the
            left by 9 bits is K_2i+1.
        """,
        width=88,
        height=34,
        boxes={
            "M": Box(2, 8, 12, 3, "M_0 .. M_3", "port"),
            "rs": Box(24, 8, 8, 3, "RS"),
            "S": Box(42, 8, 12, 3, "S_1, S_0", "store"),
            "g": Box(66, 8, 18, 3, "L of g, in all rounds", "port"),
            "i0": Box(2, 17.5, 12, 3, "2i 2i 2i 2i", "port"),
            "i1": Box(2, 25.5, 12, 4, "2i+1 2i+1\n2i+1 2i+1", "port"),
            "h0": Box(24, 16, 12, 6, "h with\nL = M_2, M_0", "store"),
            "h1": Box(24, 24.5, 12, 6, "h with\nL = M_3, M_1", "store"),
            "rot": Box(42, 26, 6, 3, "<<< 8"),
            "pht": Box(54, 16, 7, 14, "PHT"),
            "r9": Box(68, 26, 6, 3, "<<< 9"),
            "k0": Box(78, 17.5, 7, 3, "K_{2i}", "port"),
            "k1": Box(78, 26, 7, 3, "K_{2i+1}", "port"),
        },
        ways=[
            "M.r > rs.l",
            "rs.r > S.l",
            "S.r > g.l",
            "i0.r > h0.l",
            "i1.r > h1.l",
            "h0.r > pht.l-4 | A",
            "h1.r > rot.l",
            "rot.r > pht.l+4.5 | B",
            "pht.r-4 > k0.l",
            "pht.r+4.5 > r9.l",
            "r9.r > k1.l",
        ],
    )


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for path, text in pictures().items():
        path.write_text(text, encoding="utf-8")


def pictures() -> dict[Path, str]:
    drawn = {"cipher": cipher(), "round": round_(), "mds": mds(), "pht": pht(), "keys": keys()}
    return {FOLDER / f"{name}.svg": drawing.svg() for name, drawing in drawn.items()}


if __name__ == "__main__":
    main()
