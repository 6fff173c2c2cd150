# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The parts and the variants of Twofish for study, on arrays of numpy.

Names and the order of words are those of `<manyfish/study/parts.h>` and of the paper: byte i of
a word has the weight 2^8i, L[0] is the word that h applies last. Blocks are rows of 16 bytes.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from manyfish_lab import native

Bytes = NDArray[np.uint8]
Words = NDArray[np.uint32]

_READ, _WRITE = native.array, native.output
_SIZE, _UNSIGNED = ctypes.c_size_t, ctypes.c_uint

_q = native.checked("mf_twofish_parts_q", _WRITE(np.uint8))
_mds = native.function("mf_twofish_parts_mds", ctypes.c_uint32, ctypes.c_uint32)
_rs = native.function("mf_twofish_parts_rs", ctypes.c_uint32, ctypes.c_uint64)
_boxes = native.checked("mf_twofish_parts_boxes", _WRITE(np.uint8), _READ(np.uint32), _UNSIGNED)
_h = native.checked(
    "mf_twofish_parts_h", _WRITE(np.uint32), _READ(np.uint32), _SIZE, _READ(np.uint32), _UNSIGNED
)
_sbox_key = native.checked("mf_twofish_parts_sbox_key", _WRITE(np.uint32), ctypes.c_char_p, _SIZE)
_subkeys = native.checked(
    "mf_twofish_parts_subkeys", _WRITE(np.uint32), _SIZE, _SIZE, ctypes.c_char_p, _SIZE
)


def q() -> Bytes:
    """The tables of q0 and q1, two rows of 256."""
    table = np.empty((2, 256), np.uint8)
    _q(table)
    return table


def mds(y: int) -> int:
    """The product of MDS and the four bytes of a word."""
    return int(_mds(y))


def rs(m: bytes) -> int:
    """The product of RS and eight bytes of a key."""
    return int(_rs(int.from_bytes(m, "little")))


def boxes(L: ArrayLike) -> Bytes:
    """The four key-dependent S-boxes of a list, before MDS."""
    words = np.ascontiguousarray(L, np.uint32)
    box = np.empty((4, 256), np.uint8)
    _boxes(box, words, len(words))
    return box


def h(X: ArrayLike, L: ArrayLike) -> Words:
    """The function h of each word; with L = S it is g."""
    words, of = np.ascontiguousarray(L, np.uint32), np.ascontiguousarray(X, np.uint32)
    result = np.empty_like(of)
    _h(result, of, of.size, words, len(words))
    return result


def sbox_key(key: bytes) -> Words:
    """The list S of a key of 16, 24 or 32 bytes."""
    S = np.empty(4, np.uint32)
    _sbox_key(S, key, len(key))
    return S[: len(key) // 8]


def subkeys(key: bytes, first: int = 0, count: int = 40) -> Words:
    """The subkeys K_first, K_(first+1), ..; both numbers are even, their sum at most 256."""
    K = np.empty(count, np.uint32)
    _subkeys(K, first, count, key, len(key))
    return K


class _Variation(ctypes.Structure):
    """`mf_twofish_variation`."""

    _fields_ = (
        ("rounds", _UNSIGNED),
        ("no_whitening", ctypes.c_bool),
        ("family_key", ctypes.c_char_p),
    )


class _Expanded(ctypes.Structure):
    """`mf_twofish_variant`."""

    _fields_ = (
        ("rounds", ctypes.c_uint32),
        ("K", ctypes.c_uint32 * 256),
        ("box", ctypes.c_uint32 * 1024),
    )


_init = native.checked(
    "mf_twofish_variant_init",
    ctypes.POINTER(_Expanded),
    ctypes.POINTER(_Variation),
    ctypes.c_char_p,
    _SIZE,
)
_BLOCKS: tuple[Any, ...] = (
    ctypes.POINTER(_Expanded),
    _WRITE(np.uint8),
    _READ(np.uint8),
    _SIZE,
)
_encrypt = native.checked("mf_twofish_variant_encrypt_blocks", *_BLOCKS)
_decrypt = native.checked("mf_twofish_variant_decrypt_blocks", *_BLOCKS)


class Variant:
    """Twofish with 1 to 124 rounds, with or without whitening and family key."""

    def __init__(
        self,
        key: bytes,
        rounds: int = 16,
        whitening: bool = True,
        family_key: bytes | None = None,
    ) -> None:
        """A key has 16, 24 or 32 bytes, a family key 32."""
        if family_key is not None and len(family_key) != 32:
            raise ValueError(f"a family key has 32 bytes, this one has {len(family_key)}")
        self._key = _Expanded()
        _init(self._key, _Variation(rounds, not whitening, family_key), key, len(key))

    def encrypt(self, blocks: Bytes) -> Bytes:
        """Encrypts each row of 16 bytes."""
        return self._crypt(_encrypt, blocks)

    def decrypt(self, blocks: Bytes) -> Bytes:
        """Decrypts each row of 16 bytes."""
        return self._crypt(_decrypt, blocks)

    def _crypt(self, function: Any, blocks: Bytes) -> Bytes:
        given = np.ascontiguousarray(blocks, np.uint8)
        if given.size % 16:
            raise ValueError(f"blocks have 16 bytes each; these are {given.size} bytes")
        result = np.empty_like(given)
        function(self._key, result, given, given.size // 16)
        return result
