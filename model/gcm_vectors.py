# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Makes the file of vectors/ for GCM."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import rsp
from c_tables import KEY_SIZES
from gcm import TAG_SIZES, Gcm, bit_length, ghash, multiply
from twofish import BLOCK_BYTES, Twofish, xor
from vector_files import data_of, make_file

IV_SIZES = (12, 1, 8, 16, 60)

# Around the borders of a block, of the groups that GHASH takes at once (up to 16 blocks), of the 64
# blocks that kernels take at once, and of the 256 that CTR and GHASH take by turns.
LENGTHS = (
    *range(18), *(16 * n + d for n in (2, 4, 8, 15, 16, 17, 64, 256) for d in (-1, 0, 1)), 1500,
)  # fmt: skip

# How far before its end the 32-bit counter starts, and how many bytes follow.
WRAPS = ((0, 40), (1, 16), (1, 17), (2, 100), (37, 1100))

_Sizes = tuple[int, int, int, int]  # bytes of IV, associated data, text, tag


def inverse(X: int) -> int:
    """X to the power of 2^128 - 2."""
    product = 1 << 127
    for _ in range(127):
        X = multiply(X, X)
        product = multiply(product, X)
    return product


def iv_for_counter(gcm: Gcm, J0: bytes) -> bytes:
    """The IV of 16 bytes from which GHASH makes this first counter block."""

    def divide_by_h(block: bytes) -> bytes:
        H = int.from_bytes(gcm.H, "big")
        return multiply(int.from_bytes(block, "big"), inverse(H)).to_bytes(BLOCK_BYTES, "big")

    lengths = bytes(8) + bit_length(bytes(BLOCK_BYTES))
    iv = divide_by_h(xor(divide_by_h(J0), lengths))
    assert ghash(gcm.H, iv + lengths) == J0
    return iv


def _case(key_bytes: int, count: int, sizes: _Sizes, counter: int | None = None) -> rsp.Case:
    data = data_of("gcm", key_bytes, count)
    iv_bytes, aad_bytes, n_bytes, tag_bytes = sizes
    key, aad, pt = data("key", key_bytes), data("aad", aad_bytes), data("pt", n_bytes)
    gcm, iv = Gcm(Twofish(key), tag_bytes), data("iv", iv_bytes)
    if counter is not None:
        iv = iv_for_counter(gcm, iv[:12] + counter.to_bytes(4, "big"))
    ct, tag = gcm.encrypt(iv, aad, pt)
    return {"COUNT": count, "KEY": key, "IV": iv, "AAD": aad, "PT": pt, "CT": ct, "TAG": tag}


def _plan(i: int) -> Iterator[_Sizes]:
    """For the key size i: each length of the IV and of the tag with many of the text."""
    for k, n in enumerate(LENGTHS):
        yield IV_SIZES[(k + i) % 5], (7 * k + i) % 67, n, TAG_SIZES[-1 - (k + i) // 5 % 7]
    for iv_bytes in IV_SIZES:
        yield iv_bytes, 0, 100, 16
    for aad_bytes in (0, 1, 16, 40, 256, 300, 1040):  # without a text: GMAC
        yield 12, aad_bytes, 0, 16
    yield from ((12, 0, 64, 16), (300, 20, 40, 16), (128, 0, 0, 4))


def _cases(i: int, key_bytes: int) -> Iterator[rsp.Case]:
    plan = list(_plan(i))
    for count, sizes in enumerate(plan):
        yield _case(key_bytes, count, sizes)
    for count, (before, n) in enumerate(WRAPS, len(plan)):
        yield _case(key_bytes, count, (16, 20, n, 16), 2**32 - 1 - before)


def gcm_file() -> str:
    return make_file(
        "GCM [SP800-38D] with IVs of 1 to 300 bytes and all sizes of the tag. The last cases of\n"
        "each key size have IVs by which the 32-bit counter wraps.",
        (case for i, key_bytes in enumerate(KEY_SIZES) for case in _cases(i, key_bytes)),
    )


FILES: dict[str, Callable[[], str]] = {"vectors/twofish_gcm.rsp": gcm_file}
