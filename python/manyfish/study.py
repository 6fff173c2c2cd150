# SPDX-License-Identifier: Apache-2.0 OR MIT
"""For experiments with the cipher: many keys, each for few blocks, and variants of Twofish.

Keys and blocks are any contiguous buffers, such as arrays of numpy, which is not needed here. Many
keys are worked on at once: with AVX2 a key and its block take less than a tenth of a microsecond.
The GIL is released, so threads that work on parts of the arrays run at once.

>>> keys = bytes(range(48))             # three keys of 16 bytes
>>> result = encrypt_all(keys, bytes(16), key_bytes=16)
>>> result.shape                        # numpy.asarray(result) is an array over the same memory
(3, 16)
>>> blocks = decrypt_each(keys, result, key_bytes=16)
>>> bytes(blocks) == bytes(48)
True

Results are those of the default kernel, in constant time, unless `kernel` names another one
(`manyfish.kernels()`): "zero" needs the fewest cycles for one block a key, and leaks.

>>> cipher = TwofishVariant(bytes(16), rounds=8, whitening=False)
>>> cipher.decrypt(cipher.encrypt(b"sixteen bytes..."))
b'sixteen bytes...'
"""

from __future__ import annotations

from typing import TYPE_CHECKING, overload

from manyfish._calls import NoCopy as _NoCopy
from manyfish._manyfish import Variant as _Variant
from manyfish._manyfish import crypt_each as _crypt_each

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = ["TwofishVariant", "decrypt_each", "encrypt_all", "encrypt_each"]

_BLOCK_BYTES = 16


class TwofishVariant(_NoCopy):
    """Almost Twofish: other rounds, no whitening, a family key, or a longer key. [Twofish98, 11]

    key         a multiple of 8 bytes from 16 to 512, or to 32 with a family key
    rounds      1 to 124; Twofish has 16
    whitening   whether subkeys are added before the first round and after the last one
    family_key  32 bytes that choose the cipher, which key is then a key of

    ValueError for other lengths and rounds. Nobody claims security for any of these, no other
    program knows them, and secrets index tables: they are not for protecting anything. Each block
    is encrypted by itself (ECB). Threads may share an object.
    """

    block_size = _BLOCK_BYTES

    def __init__(
        self,
        key: Buffer,
        *,
        rounds: int = 16,
        whitening: bool = True,
        family_key: Buffer | None = None,
    ) -> None:
        self._variant = _Variant(key, rounds, whitening, family_key)

    @overload
    def encrypt(self, plaintext: Buffer, output: None = None) -> bytes: ...
    @overload
    def encrypt(self, plaintext: Buffer, output: Buffer) -> None: ...
    def encrypt(self, plaintext: Buffer, output: Buffer | None = None) -> bytes | None:
        """Encrypt whole blocks; ValueError for other lengths.

        output: as many bytes, writable; the memory of plaintext, or apart from it.
        """
        return self._variant.encrypt(plaintext, output)

    @overload
    def decrypt(self, ciphertext: Buffer, output: None = None) -> bytes: ...
    @overload
    def decrypt(self, ciphertext: Buffer, output: Buffer) -> None: ...
    def decrypt(self, ciphertext: Buffer, output: Buffer | None = None) -> bytes | None:
        """Decrypt whole blocks; all as for `encrypt`."""
        return self._variant.decrypt(ciphertext, output)


def encrypt_each(
    keys: Buffer,
    blocks: Buffer,
    out: Buffer | None = None,
    *,
    key_bytes: int | None = None,
    kernel: str | None = None,
) -> memoryview:
    """Encrypt blocks, each or each few under a key of their own.

    keys       n keys of 16, 24 or 32 bytes; an array of n rows, or in one dimension with key_bytes
    blocks     n times the same number of blocks of 16 bytes; an array of any shape
    out        as many bytes as blocks, writable; may be the memory of blocks, but overlap neither
               blocks in part nor keys
    key_bytes  bytes of a key, if keys has no rows that say it
    kernel     which kernel computes it; the default one if None

    Returns out, or new memory, as n rows of bytes. ValueError for wrong lengths and unknown
    kernels, TypeError or BufferError for what is no contiguous buffer, or not writable.
    """
    return _each(False, keys, blocks, out, key_bytes, kernel)


def decrypt_each(
    keys: Buffer,
    blocks: Buffer,
    out: Buffer | None = None,
    *,
    key_bytes: int | None = None,
    kernel: str | None = None,
) -> memoryview:
    """Decrypt what `encrypt_each` encrypted; all as there."""
    return _each(True, keys, blocks, out, key_bytes, kernel)


def encrypt_all(
    keys: Buffer,
    block: Buffer,
    out: Buffer | None = None,
    *,
    key_bytes: int | None = None,
    kernel: str | None = None,
) -> memoryview:
    """Encrypt one block of 16 bytes under each of n keys into n rows; else as `encrypt_each`."""
    flat, key_bytes = _keys(keys, key_bytes)
    one = _flat(block)
    if len(one) != _BLOCK_BYTES:
        raise ValueError(f"block must have 16 bytes, not {len(one)}")
    blocks = bytes(one) * (len(flat) // key_bytes)
    return _each(False, flat, blocks, out, key_bytes, kernel)


def _flat(buffer: Buffer) -> memoryview:
    """The bytes of a contiguous buffer, whatever its items are."""
    view = memoryview(buffer)
    return view if view.format == "B" and view.ndim == 1 else view.cast("B")


def _keys(keys: Buffer, key_bytes: int | None) -> tuple[memoryview, int]:
    """The keys one after the other, and the bytes of each."""
    view = memoryview(keys)
    if view.ndim > 1 and view.shape:
        row = view.nbytes // view.shape[0] if view.shape[0] else key_bytes or _BLOCK_BYTES
        if key_bytes not in (None, row):
            raise ValueError(f"key_bytes is {key_bytes}, but the rows of keys have {row} bytes")
        key_bytes = row
    if key_bytes is None:
        raise ValueError("keys has no rows: expected key_bytes, 16, 24 or 32")
    if key_bytes not in (16, 24, 32):
        raise ValueError(f"a key has 16, 24 or 32 bytes, not {key_bytes}")
    return _flat(keys), key_bytes


def _each(
    decrypt: bool,
    keys: Buffer,
    blocks: Buffer,
    out: Buffer | None,
    key_bytes: int | None,
    kernel: str | None,
) -> memoryview:
    flat, key_bytes = _keys(keys, key_bytes)
    data = _flat(blocks)
    result = _flat(bytearray(len(data)) if out is None else out)
    _crypt_each(decrypt, flat, key_bytes, data, result, kernel)
    n_keys = len(flat) // key_bytes
    return result.cast("B", (n_keys, len(data) // n_keys)) if n_keys else result
