# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The memory that a host prepares for a program, made with the model."""

from __future__ import annotations

import functools
from collections.abc import Mapping

from programs import S_BOXES, Program
from smartcard_tables import over_x
from twofish import MDS, MDS_POLYNOMIAL, Twofish, gf_multiply, s_box, word_bytes

ENTRIES = (0x01, 0xEF, 0x5B)  # of MDS
OVER_X = bytes(over_x(MDS_POLYNOMIAL))
assert set(ENTRIES) == {entry for row in MDS for entry in row}
TIMES = [bytes(gf_multiply(entry, y, MDS_POLYNOMIAL) for y in range(256)) for entry in ENTRIES]

expanded = functools.cache(Twofish)  # all programs are measured with the same keys


def prepared(program: Program, key: bytes) -> Mapping[str, bytes]:
    """For each symbol of the program's key memory but twofish_key, its bytes."""
    cipher = expanded(key)
    parts = s_parts(program, cipher)
    if program.memory:
        parts["twofish_memory"] = subkeys(cipher)
    if program.sboxes:
        kept = mds_tables if program.sboxes == 3 * S_BOXES else s_boxes_over_x
        parts["twofish_sboxes"] = kept(cipher)
    return parts


def s_parts(program: Program, cipher: Twofish) -> dict[str, bytes]:
    """S_0, S_1, .., as [Twofish98, 4.3] counts them; S has them the other way round."""
    S = cipher.S[::-1]
    if not program.s_apart:
        return {"twofish_s": b"".join(S)}
    return {f"twofish_s{i or ''}": S_i for i, S_i in enumerate(S)}


def subkeys(cipher: Twofish) -> bytes:
    """For each round r K_2r+8 and K_2r+9 - 2 K_2r+8, then K_0 to K_7, as 6805/stored.asm wants."""
    K = list(cipher.K)
    for i in range(8, len(K), 2):
        K[i + 1] = (K[i + 1] - 2 * K[i]) % 2**32
    return word_bytes(*K[8:], *K[:8])


@functools.cache
def s_boxes(cipher: Twofish) -> list[bytes]:
    """Those of g [Twofish98, 4.3.2]."""
    return [bytes(s_box(j, x, cipher.S) for x in range(256)) for j in range(4)]


def s_boxes_over_x(cipher: Twofish) -> bytes:
    """The S-boxes divided by x, modulo v, as 6805/stored_mds.asm wants them."""
    return b"".join(box.translate(OVER_X) for box in s_boxes(cipher))


def mds_tables(cipher: Twofish) -> bytes:
    """The S-boxes, then those times EF, then those times 5B."""
    boxes = s_boxes(cipher)
    return b"".join(box.translate(times) for times in TIMES for box in boxes)
