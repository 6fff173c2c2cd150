# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Makes the files of vectors/ for CMAC, EAX, CCM and SIV."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import rsp
from c_tables import KEY_SIZES
from cbc_mac import Ccm, Eax, Siv, cmac
from twofish import Twofish
from vector_files import LENGTHS, data_of, make_file

# Around the borders of a block, and of the 64 blocks that kernels take at once.
SHORT = (*range(18), 31, 32, 33)
LONG = (1024, 1041)


def _cmac_case(key_bytes: int, count: int, n_bytes: int, tag_bytes: int) -> rsp.Case:
    data = data_of("cmac", key_bytes, count)
    key, message = data("key", key_bytes), data("msg", n_bytes)
    tag = cmac(Twofish(key), message, tag_bytes)
    return {"COUNT": count, "KEY": key, "MSG": message, "TAG": tag}


def cmac_file() -> str:
    plan = [*((n, 16) for n in LENGTHS), *((5 * t, t) for t in range(1, 16))]
    return make_file(
        "CMAC [SP800-38B] with tags of 1 to 16 bytes.",
        (
            _cmac_case(key_bytes, count, *sizes)
            for key_bytes in KEY_SIZES
            for count, sizes in enumerate(plan)
        ),
    )


_Sizes = tuple[int, int, int, int]  # bytes of nonce, associated data, text, tag


def _aead_case(
    file: str, make: type[Eax | Ccm], key_bytes: int, count: int, sizes: _Sizes
) -> rsp.Case:
    data = data_of(file, key_bytes, count)
    nonce_bytes, aad_bytes, n_bytes, tag_bytes = sizes
    key, nonce = data("key", key_bytes), data("nonce", nonce_bytes)
    aad, pt = data("aad", aad_bytes), data("pt", n_bytes)
    ct, tag = make(Twofish(key), tag_bytes).encrypt(nonce, aad, pt)
    return {
        "COUNT": count, "KEY": key, "NONCE": nonce, "AAD": aad, "PT": pt, "CT": ct, "TAG": tag,
    }  # fmt: skip


def _eax_plan(i: int) -> Iterator[_Sizes]:
    """For the key size i: every length of the nonce to 34, every one of the tag."""
    for k, n in enumerate((*SHORT, *LENGTHS, *LONG)):
        yield (3 * k + i) % 35, (7 * k + i) % 67, n, 16
    for tag_bytes in range(4, 16):
        yield 16, tag_bytes, 3 * tag_bytes, tag_bytes
    yield from ((12, 1040, 0, 16), (12, 0, 0, 16), (0, 0, 40, 16), (200, 300, 500, 16))


def eax() -> str:
    return make_file(
        "EAX [EAX04] with nonces of any length and tags of 4 to 16 bytes.",
        (
            _aead_case("eax", Eax, key_bytes, count, sizes)
            for i, key_bytes in enumerate(KEY_SIZES)
            for count, sizes in enumerate(_eax_plan(i))
        ),
    )


def _ccm_plan(i: int) -> Iterator[_Sizes]:
    """For the key size i: every length of nonce and tag, and lengths around the blocks. The first
    block of associated data has 14 bytes of it.
    """
    for k, n in enumerate((*SHORT, *LENGTHS, *LONG)):
        yield 7 + (k + i) % 7, (0, 13, 14, 15, 30, 31, 62)[k // 3 % 7], n, 4 + 2 * ((3 * k + i) % 7)
    for nonce_bytes in range(7, 14):
        for tag_bytes in range(4, 17, 2):
            yield nonce_bytes, 2 * tag_bytes, 3 * nonce_bytes, tag_bytes
    yield from ((13, 1040, 0, 16), (13, 0, 0, 16), (12, 300, 500, 8))


def ccm() -> str:
    return make_file(
        "CCM [SP800-38C] with nonces of 7 to 13 bytes and tags of 4, 6, .. 16.",
        (
            _aead_case("ccm", Ccm, key_bytes, count, sizes)
            for i, key_bytes in enumerate(KEY_SIZES)
            for count, sizes in enumerate(_ccm_plan(i))
        ),
    )


# Bytes of each string of associated data; "no string" and "an empty string" differ.
_SIV_STRINGS = ((), (0,), (1,), (16,), (15, 17), (0, 0), (24, 10, 16), (33, 0, 5, 64))


def _siv_case(key_bytes: int, count: int, strings: tuple[int, ...], n_bytes: int) -> rsp.Case:
    data = data_of("siv", key_bytes, count)
    key_1, key_2, pt = data("key 1", key_bytes), data("key 2", key_bytes), data("pt", n_bytes)
    A = [data(f"aad {i}", n) for i, n in enumerate(strings, 1)]
    ct, tag = Siv(Twofish(key_1), Twofish(key_2)).encrypt(A, pt)
    return {
        "COUNT": count,
        "KEY": key_1,
        "KEY_2": key_2,
        "N_AAD": len(A),
        **{f"AAD_{i}": a for i, a in enumerate(A, 1)},
        "PT": pt,
        "CT": ct,
        "TAG": tag,
    }


def siv() -> str:
    plan = [
        (_SIV_STRINGS[k % len(_SIV_STRINGS)], n) for k, n in enumerate((*SHORT, *LENGTHS, *LONG))
    ]
    return make_file(
        "SIV [RFC5297]. KEY is K1 of the RFC, KEY_2 is K2; AAD_1, .. are N_AAD strings of\n"
        "associated data, of which the last may be taken for a nonce; TAG is V.",
        (
            _siv_case(key_bytes, count, *sizes)
            for key_bytes in KEY_SIZES
            for count, sizes in enumerate(plan)
        ),
    )


FILES: dict[str, Callable[[], str]] = {
    "vectors/twofish_cmac.rsp": cmac_file,
    "vectors/twofish_eax.rsp": eax,
    "vectors/twofish_ccm.rsp": ccm,
    "vectors/twofish_siv.rsp": siv,
}
