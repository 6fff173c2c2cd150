#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Prints every intermediate value of one encryption in the manner of the official ECB_IVAL.

The state is printed without the swap of the halves: each round changes two words in place.
t0 and t1 are the outputs of g in that round.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

from twofish import MAX_ROUNDS, ROUNDS, Block, Twofish, rol, word, words
from vector_files import hex_words


def hex_bytes(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f'expected an even number of hexadecimal digits, found "{text}"'
        ) from None


def unswapped(R: Block, r: int) -> Block:
    """The state before round r with its halves where they stood at the start."""
    return R if r % 2 == 0 else (R[2], R[3], R[0], R[1])


def key_lines(cipher: Twofish) -> Iterator[str]:
    yield "Input key            -->  S"
    for i, s in enumerate(reversed(cipher.S)):
        even, odd = words(cipher.key[8 * i : 8 * i + 8])
        yield f"{hex_words(odd, even)}    -->  {hex_words(word(s))}"
    yield "Subkeys"
    for i in range(0, len(cipher.K), 2):
        use = {0: "input whitening", 4: "output whitening", 8: "round keys"}.get(i, "")
        yield f"K[{i:3}], K[{i + 1:3}]: {hex_words(*cipher.K[i : i + 2])}  {use}".rstrip()


def round_lines(cipher: Twofish, pt: bytes) -> Iterator[str]:
    yield f"R[ -1]: x= {hex_words(*words(pt))}"
    before: Block | None = None
    for r, R in enumerate(cipher.round_states(pt)):
        line = f"R[{r:3}]: x= {hex_words(*unswapped(R, r))}"
        if before:
            t0, t1 = cipher.g(before[0]), cipher.g(rol(before[1], 8))
            line += f"  t0={hex_words(t0)} t1={hex_words(t1)}"
        yield line
        before = R
    yield f"R[{cipher.rounds + 1:3}]: x= {hex_words(*words(cipher.encrypt(pt)))}"


def show(cipher: Twofish, pt: bytes) -> Iterator[str]:
    yield f"KEYSIZE={8 * len(cipher.key)}"
    yield f"KEY={cipher.key.hex().upper()}"
    yield from (f";  {line}" for line in key_lines(cipher))
    yield f"PT={pt.hex().upper()}"
    yield from (f";  {line}" for line in round_lines(cipher, pt))
    yield f"CT={cipher.encrypt(pt).hex().upper()}"


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("key", metavar="KEYHEX", type=hex_bytes, help="0 to 32 bytes")
    parser.add_argument("pt", metavar="PTHEX", type=hex_bytes, help="the plaintext, 16 bytes")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"1 to {MAX_ROUNDS}")
    parser.add_argument("--no-whitening", action="store_true", help="set K0..K7 to zero")
    parser.add_argument("--family-key", metavar="HEX", type=hex_bytes, help="32 bytes")
    a = parser.parse_args()
    try:
        print(*show(Twofish(a.key, a.rounds, not a.no_whitening, a.family_key), a.pt), sep="\n")
    except ValueError as error:
        parser.error(str(error))
    return 0


if __name__ == "__main__":
    sys.exit(main())
