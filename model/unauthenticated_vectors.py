# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Makes the vectors of CFB, OFB, CBC with ciphertext stealing, XTS and LRW."""

from __future__ import annotations

from collections.abc import Callable

import rsp
from c_tables import KEY_SIZES
from feedback import cfb_encrypt, ofb_crypt
from lrw import Lrw
from stealing import CTS_VARIANTS, Xts, cbc_cs_encrypt
from twofish import BLOCK_BYTES, Twofish
from vector_files import LENGTHS, data_of, make_file

# More than 64 blocks, which is what the widest kernels take at a time.
LONG = 1100


def _cfb_case(key_bytes: int, count: int, segment_bits: int, n_bytes: int) -> rsp.Case:
    data = data_of("cfb", key_bytes, count)
    key, iv, pt = data("key", key_bytes), data("iv", BLOCK_BYTES), data("pt", n_bytes)
    ct = cfb_encrypt(Twofish(key), iv, pt, segment_bits)
    return {"COUNT": count, "KEY": key, "IV": iv, "SEGMENT_BITS": segment_bits, "PT": pt, "CT": ct}


def cfb() -> str:
    plan = [(1, n) for n in (0, 1, 2, 7, 8, 9, 17, 33)]
    plan += [(8, n) for n in (0, 1, 2, 15, 16, 17, 63, 64, 65, 130)]
    plan += [(128, n) for n in (*LENGTHS, LONG)]
    return make_file(
        "CFB with segments of 1, 8 or 128 bits. The last segment of 128 bits may be short.",
        (
            _cfb_case(key_bytes, count, segment_bits, n)
            for key_bytes in KEY_SIZES
            for count, (segment_bits, n) in enumerate(plan)
        ),
    )


def _ofb_case(key_bytes: int, count: int, n_bytes: int) -> rsp.Case:
    data = data_of("ofb", key_bytes, count)
    key, iv, pt = data("key", key_bytes), data("iv", BLOCK_BYTES), data("pt", n_bytes)
    return {"COUNT": count, "KEY": key, "IV": iv, "PT": pt, "CT": ofb_crypt(Twofish(key), iv, pt)}


def ofb() -> str:
    return make_file(
        "OFB.",
        (
            _ofb_case(key_bytes, count, n)
            for key_bytes in KEY_SIZES
            for count, n in enumerate((*LENGTHS, LONG))
        ),
    )


def _cbc_cts_case(key_bytes: int, count: int, variant: str, n_bytes: int) -> rsp.Case:
    data = data_of("cbc_cts", key_bytes, count)
    key, iv, pt = data("key", key_bytes), data("iv", BLOCK_BYTES), data("pt", n_bytes)
    ct = cbc_cs_encrypt(Twofish(key), iv, pt, variant)
    return {"COUNT": count, "KEY": key, "IV": iv, "VARIANT": variant, "PT": pt, "CT": ct}


def cbc_cts() -> str:
    lengths = [*range(16, 34), 47, 48, 49, 63, 64, 65, 1024, 1040, LONG]
    plan = [(variant, n) for variant in CTS_VARIANTS for n in lengths]
    return make_file(
        "CBC with ciphertext stealing, the variants CS1, CS2 and CS3.",
        (
            _cbc_cts_case(key_bytes, count, variant, n)
            for key_bytes in KEY_SIZES
            for count, (variant, n) in enumerate(plan)
        ),
    )


def _xts_case(
    key_bytes: int, count: int, number: int | None, sector_bytes: int, n_sectors: int
) -> rsp.Case:
    data = data_of("xts", key_bytes, count)
    key_1, key_2 = data("key", key_bytes), data("key 2", key_bytes)
    tweak, pt = data("tweak", BLOCK_BYTES), data("pt", sector_bytes * n_sectors)
    if number is not None:
        tweak = number.to_bytes(BLOCK_BYTES, "little")
    first, xts = int.from_bytes(tweak, "little"), Xts(Twofish(key_1), Twofish(key_2))
    ct = b"".join(
        xts.encrypt(first + i, pt[i * sector_bytes : (i + 1) * sector_bytes])
        for i in range(n_sectors)
    )
    return {
        "COUNT": count, "KEY": key_1, "KEY_2": key_2, "TWEAK": tweak, "SECTOR_BYTES": sector_bytes,
        "PT": pt, "CT": ct,
    }  # fmt: skip


# Number of the first sector, bytes of each, how many: around 64 blocks and 64 sectors, for the
# same reason, and over the end of 64-bit numbers.
_XTS_SECTORS = (
    (0, 512, 1), (1, 512, 2), (2**32 - 1, 512, 5), (2**63, 512, 3), (7, 4096, 1), (0, 16, 65),
    (5, 48, 30), (9, 17, 4), (2**40, 520, 3), (3, 31, 66), (2**64 - 2, 32, 4), (2**64 - 1, 33, 2),
)  # fmt: skip


def xts() -> str:
    lengths = [n for n in LENGTHS if n >= BLOCK_BYTES] + [*range(18, 31), 1024, LONG]
    units = [(None, n, 1) for n in lengths]
    return make_file(
        "XTS: PT is one or more data units (sectors) of SECTOR_BYTES each. TWEAK is the number of\n"
        "the first one, little-endian; the others count up from it.",
        (
            _xts_case(key_bytes, count, *sectors)
            for key_bytes in KEY_SIZES
            for count, sectors in enumerate((*units, *_XTS_SECTORS))
        ),
    )


def _lrw_case(key_bytes: int, count: int, index: int | None, n_blocks: int) -> rsp.Case:
    data = data_of("lrw", key_bytes, count)
    key_1, key_2 = data("key", key_bytes), data("key 2", BLOCK_BYTES)
    iv, pt = data("iv", BLOCK_BYTES), data("pt", n_blocks * BLOCK_BYTES)
    if index is not None:
        iv = index.to_bytes(BLOCK_BYTES, "big")
    ct = Lrw(Twofish(key_1), key_2).encrypt(int.from_bytes(iv, "big"), pt)
    return {"COUNT": count, "KEY": key_1, "KEY_2": key_2, "IV": iv, "PT": pt, "CT": ct}


# Index of the first block, how many blocks: sectors of a disk, and over the ends of 32, 64 and 128
# bits.
_LRW_BLOCKS = (
    (0, 1), (1, 32), (33, 32), (2**32 + 1, 256), (2**32 - 2, 5), (2**64 - 2, 5), (2**127 - 2, 5),
    (2**128 - 2, 5), (2**128 - 64, 130),
)  # fmt: skip


def lrw() -> str:
    n_blocks = (1, 2, 3, 4, 5, 8, 16, 31, 63, 64, 65, 70)
    return make_file(
        "LRW: KEY_2 is the second key, of the tweaks. IV is the index of the first block,\n"
        "big-endian; the others count up from it, modulo 2^128.",
        (
            _lrw_case(key_bytes, count, index, n)
            for key_bytes in KEY_SIZES
            for count, (index, n) in enumerate((*((None, n) for n in n_blocks), *_LRW_BLOCKS))
        ),
    )


FILES: dict[str, Callable[[], str]] = {
    "vectors/twofish_cfb.rsp": cfb,
    "vectors/twofish_ofb.rsp": ofb,
    "vectors/twofish_cbc_cts.rsp": cbc_cts,
    "vectors/twofish_xts.rsp": xts,
    "vectors/twofish_lrw.rsp": lrw,
}
