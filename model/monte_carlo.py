# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Makes vectors/twofish_mct.rsp: the official Monte Carlo sets, 48 million blocks in all.

The only place of the model that is written for speed, with g by tables and two rounds a turn, so
that the run takes minutes and not hours. A test compares it with the plain model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat

import rsp
from c_tables import KEY_SIZES, mds_column
from twofish import BLOCK_BYTES, Block, Twofish, s_box, word_bytes, xor
from vector_files import make_file

OUTER_STEPS = 400
INNER_STEPS = 10_000
KEPT = (0, 99, 199, 299, 399)
SETS = ("ecb_e", "ecb_d", "cbc_e", "cbc_d")

Crypt = Callable[[int, int, int, int], Block]
MASK = 2**32 - 1

_COLUMNS = [[mds_column(j, y) for y in range(256)] for j in range(4)]


def g_tables(cipher: Twofish) -> list[list[int]]:
    """The value that each value of each byte adds to g."""
    return [[_COLUMNS[j][s_box(j, x, cipher.S)] for x in range(256)] for j in range(4)]


def round_key_pairs(cipher: Twofish) -> list[tuple[int, int, int, int]]:
    """The subkeys of rounds 0 and 1, of 2 and 3, and so on."""
    K = cipher.K
    return [(K[i], K[i + 1], K[i + 2], K[i + 3]) for i in range(8, len(K), 4)]


def fast_encrypt(cipher: Twofish) -> Crypt:
    t0, t1, t2, t3 = g_tables(cipher)
    keys = round_key_pairs(cipher)
    i0, i1, i2, i3, o0, o1, o2, o3 = cipher.K[:8]

    def encrypt(a: int, b: int, c: int, d: int) -> Block:
        a, b, c, d = a ^ i0, b ^ i1, c ^ i2, d ^ i3
        for k0, k1, k2, k3 in keys:
            x = t0[a & 255] ^ t1[a >> 8 & 255] ^ t2[a >> 16 & 255] ^ t3[a >> 24]
            y = t1[b & 255] ^ t2[b >> 8 & 255] ^ t3[b >> 16 & 255] ^ t0[b >> 24]
            c ^= x + y + k0 & MASK
            c = c >> 1 | (c & 1) << 31
            d = (d << 1 & MASK | d >> 31) ^ (x + 2 * y + k1 & MASK)
            x = t0[c & 255] ^ t1[c >> 8 & 255] ^ t2[c >> 16 & 255] ^ t3[c >> 24]
            y = t1[d & 255] ^ t2[d >> 8 & 255] ^ t3[d >> 16 & 255] ^ t0[d >> 24]
            a ^= x + y + k2 & MASK
            a = a >> 1 | (a & 1) << 31
            b = (b << 1 & MASK | b >> 31) ^ (x + 2 * y + k3 & MASK)
        return c ^ o0, d ^ o1, a ^ o2, b ^ o3

    return encrypt


def fast_decrypt(cipher: Twofish) -> Crypt:
    t0, t1, t2, t3 = g_tables(cipher)
    keys = round_key_pairs(cipher)[::-1]
    i0, i1, i2, i3, o0, o1, o2, o3 = cipher.K[:8]

    def decrypt(c: int, d: int, a: int, b: int) -> Block:
        a, b, c, d = a ^ o2, b ^ o3, c ^ o0, d ^ o1
        for k0, k1, k2, k3 in keys:
            x = t0[c & 255] ^ t1[c >> 8 & 255] ^ t2[c >> 16 & 255] ^ t3[c >> 24]
            y = t1[d & 255] ^ t2[d >> 8 & 255] ^ t3[d >> 16 & 255] ^ t0[d >> 24]
            a = (a << 1 & MASK | a >> 31) ^ (x + y + k2 & MASK)
            b ^= x + 2 * y + k3 & MASK
            b = b >> 1 | (b & 1) << 31
            x = t0[a & 255] ^ t1[a >> 8 & 255] ^ t2[a >> 16 & 255] ^ t3[a >> 24]
            y = t1[b & 255] ^ t2[b >> 8 & 255] ^ t3[b >> 16 & 255] ^ t0[b >> 24]
            c = (c << 1 & MASK | c >> 31) ^ (x + y + k0 & MASK)
            d ^= x + 2 * y + k1 & MASK
            d = d >> 1 | (d & 1) << 31
        return a ^ i0, b ^ i1, c ^ i2, d ^ i3

    return decrypt


def _xor_blocks(a: Block, b: Block) -> Block:
    return a[0] ^ b[0], a[1] ^ b[1], a[2] ^ b[2], a[3] ^ b[3]


def inner_steps(name: str, cipher: Twofish, older: Block, newer: Block) -> tuple[Block, Block]:
    """The last two of 10,000 results. In all sets, a result depends on the two before it: at the
    start these are the plaintext and IV of cbc_e, the IV and ciphertext of cbc_d.
    """
    crypt = fast_encrypt(cipher) if name.endswith("e") else fast_decrypt(cipher)
    if name == "cbc_e":
        for _ in range(INNER_STEPS):
            older, newer = newer, crypt(*_xor_blocks(older, newer))
    elif name == "cbc_d":
        for _ in range(INNER_STEPS):
            older, newer = newer, _xor_blocks(crypt(*newer), older)
    else:
        for _ in range(INNER_STEPS):
            older, newer = newer, crypt(*newer)
    return older, newer


def _case(name: str, outer: int, key: bytes, start: tuple[Block, Block], result: Block) -> rsp.Case:
    older, newer = (word_bytes(*block) for block in start)
    first, iv = (older, newer) if name == "cbc_e" else (newer, older)
    last = word_bytes(*result)
    pt, ct = (first, last) if name.endswith("e") else (last, first)
    return {
        "SET": name,
        "KEY_BITS": 8 * len(key),
        "OUTER": outer,
        "KEY": key,
        **({"IV": iv} if name.startswith("cbc") else {}),
        "PT": pt,
        "CT": ct,
    }


def outer_steps(name: str, key_bytes: int) -> Iterator[rsp.Case]:
    """The official file for one set and key size; vectors/README.md has the rules."""
    key = bytes(key_bytes)
    older: Block = (0, 0, 0, 0)
    newer = older
    for outer in range(OUTER_STEPS):
        start = older, newer
        older, newer = inner_steps(name, Twofish(key), older, newer)
        yield _case(name, outer, key, start, newer)
        key = xor(key, word_bytes(*older, *newer)[2 * BLOCK_BYTES - key_bytes :])


def _kept_steps(name: str, key_bytes: int) -> list[rsp.Case]:
    return [case for case in outer_steps(name, key_bytes) if case["OUTER"] in KEPT]


def monte_carlo() -> str:
    with ProcessPoolExecutor() as pool:
        runs = [pool.map(_kept_steps, repeat(name), KEY_SIZES) for name in SETS]
        cases = [case for run in runs for kept in run for case in kept]
    return make_file(
        "The official Monte Carlo sets: steps 0, 99, 199, 299 and 399 of 400 of 10,000 blocks.",
        cases,
    )


FILES: dict[str, Callable[[], str]] = {"vectors/twofish_mct.rsp": monte_carlo}
