# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Cipher objects of the modes without authentication.

Anyone who can change such a ciphertext changes the plaintext, unnoticed: they are for existing
data and protocols. All of them take and return bytes; with `output`, which must be writable and
as long as the data, they write there and return None. `output` may be the data itself, or apart
from it, but not overlap it in part (ValueError).

An object is for one message in one direction: after encrypt(), decrypt() is a TypeError. The
objects of ECB and XTS hold no state but the key: they take both calls in any order, from any
threads at once. One of another mode that is used by two threads at once raises RuntimeError in
one of them; nothing worse happens.
"""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING, overload

from ._calls import DECRYPT, ENCRYPT, Calls, NoCopy
from ._manyfish import Cbc, Cfb, Ctr, Ecb, Key, Ofb, Xts

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Optional

    from typing_extensions import Buffer

    _Crypt = Callable[[Buffer, Optional[Buffer]], Optional[bytes]]


class EcbMode(NoCopy):
    """ECB: each block by itself, which shows where blocks are equal. [SP800-38A, 6.1]

    >>> from manyfish import Twofish
    >>> ecb = Twofish.new(bytes(16), Twofish.MODE_ECB)
    >>> ecb.decrypt(ecb.encrypt(b"sixteen bytes..."))
    b'sixteen bytes...'
    """

    def __init__(self, key: Key) -> None:
        self.block_size = key.block_size
        self._ecb = Ecb(key)

    @overload
    def encrypt(self, plaintext: Buffer, output: None = None) -> bytes: ...
    @overload
    def encrypt(self, plaintext: Buffer, output: Buffer) -> None: ...
    def encrypt(self, plaintext: Buffer, output: Buffer | None = None) -> bytes | None:
        """Encrypt whole blocks; ValueError for other lengths."""
        return self._ecb.encrypt(plaintext, output)

    @overload
    def decrypt(self, ciphertext: Buffer, output: None = None) -> bytes: ...
    @overload
    def decrypt(self, ciphertext: Buffer, output: Buffer) -> None: ...
    def decrypt(self, ciphertext: Buffer, output: Buffer | None = None) -> bytes | None:
        """Decrypt whole blocks; ValueError for other lengths."""
        return self._ecb.decrypt(ciphertext, output)


class _OneWay(Calls):
    """Common to the modes that go from piece to piece in one direction."""

    def __init__(self, key: Key, encrypt: _Crypt, decrypt: _Crypt) -> None:
        self.block_size = key.block_size
        self._encrypt, self._decrypt = encrypt, decrypt

    @overload
    def encrypt(self, plaintext: Buffer, output: None = None) -> bytes: ...
    @overload
    def encrypt(self, plaintext: Buffer, output: Buffer) -> None: ...
    def encrypt(self, plaintext: Buffer, output: Buffer | None = None) -> bytes | None:
        """Encrypt the next piece. TypeError after decrypt()."""
        self._call(ENCRYPT, ENCRYPT)
        return self._encrypt(plaintext, output)

    @overload
    def decrypt(self, ciphertext: Buffer, output: None = None) -> bytes: ...
    @overload
    def decrypt(self, ciphertext: Buffer, output: Buffer) -> None: ...
    def decrypt(self, ciphertext: Buffer, output: Buffer | None = None) -> bytes | None:
        """Decrypt the next piece. TypeError after encrypt()."""
        self._call(DECRYPT, DECRYPT)
        return self._decrypt(ciphertext, output)


class CbcMode(_OneWay):
    """CBC: each block is mixed with the ciphertext before it; pieces are whole blocks.

    `iv` is one block, unpredictable. [SP800-38A, 6.2]
    """

    def __init__(self, key: Key, iv: bytes) -> None:
        cbc = Cbc(key, iv)
        super().__init__(key, cbc.encrypt, cbc.decrypt)
        self.iv = self.IV = iv


class CfbMode(_OneWay):
    """CFB: a key stream that depends on the ciphertext before; pieces have any length.

    `iv` is one block, unpredictable; `segment_size` is in bits, a multiple of 8. [SP800-38A, 6.3]
    """

    def __init__(self, key: Key, iv: bytes, segment_size: int) -> None:
        most = 8 * key.block_size
        if index(segment_size) not in range(8, most + 1, 8):
            raise ValueError(
                f"segment_size must be a multiple of 8 from 8 to {most} bits, not {segment_size}"
            )
        cfb = Cfb(key, iv, segment_size // 8)
        super().__init__(key, cfb.encrypt, cfb.decrypt)
        self.iv = self.IV = iv


class OfbMode(_OneWay):
    """OFB: a key stream from a block encrypted again and again; pieces have any length.

    `iv` is one block, never used twice under one key. [SP800-38A, 6.4]
    """

    def __init__(self, key: Key, iv: bytes) -> None:
        ofb = Ofb(key, iv)
        super().__init__(key, ofb.crypt, ofb.crypt)
        self.iv = self.IV = iv


class CtrMode(_OneWay):
    """CTR: a key stream from an encrypted counter; pieces have any length. [SP800-38A, 6.5]

    `nonce` is what stands before the counter, if nothing stands after it. When all values of the
    counter are used up, MessageTooLongError.
    """

    def __init__(
        self,
        key: Key,
        prefix: bytes,
        counter_len: int,
        suffix: bytes,
        initial_value: int,
        little_endian: bool,
    ) -> None:
        ctr = Ctr(key, prefix, counter_len, suffix, initial_value, little_endian)
        super().__init__(key, ctr.crypt, ctr.crypt)
        if not suffix:
            self.nonce = prefix


class OpenPgpMode(Calls):
    """CFB as in OpenPGP's packet "symmetrically encrypted data". [RFC4880, 13.9]

    The ciphertext begins with the encrypted IV, two bytes longer than a block, which the first
    encrypt() puts before its result. To decrypt, give it as `iv` and the rest to decrypt().
    """

    def __init__(self, key: Key, iv: bytes) -> None:
        self.block_size = size = key.block_size
        first = Cfb(key, bytes(size), size)
        if len(iv) == size:
            self._prefix = first.encrypt(iv + iv[-2:])
        elif len(iv) == size + 2:
            self._prefix, iv = iv, first.decrypt(iv)[:-2]
        else:
            raise ValueError(
                f"iv must have {size} bytes to encrypt, {size + 2} to decrypt, not {len(iv)}"
            )
        self.iv = self.IV = iv
        self._cfb = Cfb(key, self._prefix[-size:], size)

    def encrypt(self, plaintext: Buffer) -> bytes:
        """Encrypt the next piece; the first result begins with the encrypted IV."""
        self._call(ENCRYPT, ENCRYPT)
        prefix, self._prefix = self._prefix, b""
        return prefix + self._cfb.encrypt(plaintext)

    def decrypt(self, ciphertext: Buffer) -> bytes:
        """Decrypt the next piece. TypeError after encrypt()."""
        self._call(DECRYPT, DECRYPT)
        return self._cfb.decrypt(ciphertext)


class XtsMode(NoCopy):
    """XTS, for sectors of disks: each is encrypted under its number and keeps its length.

    A tweak is the number of the sector, or 16 bytes. A sector has 16 bytes to 16 MiB. A change goes
    unnoticed, but garbles 16 bytes. [IEEE1619]

    >>> from manyfish import Twofish
    >>> xts = Twofish.new(bytes(range(64)), Twofish.MODE_XTS)
    >>> disk = xts.encrypt_sectors(bytes(2 * 512), 1000, 512)
    >>> xts.decrypt(disk[512:], 1001) == bytes(512)
    True
    """

    def __init__(self, data: Key, tweak: Key) -> None:
        self.block_size = data.block_size
        self._xts = Xts(data, tweak)

    @overload
    def encrypt(self, plaintext: Buffer, tweak: int | Buffer, output: None = None) -> bytes: ...
    @overload
    def encrypt(self, plaintext: Buffer, tweak: int | Buffer, output: Buffer) -> None: ...
    def encrypt(
        self, plaintext: Buffer, tweak: int | Buffer, output: Buffer | None = None
    ) -> bytes | None:
        """Encrypt one sector."""
        return self._xts.encrypt(_tweak(tweak), plaintext, output)

    @overload
    def decrypt(self, ciphertext: Buffer, tweak: int | Buffer, output: None = None) -> bytes: ...
    @overload
    def decrypt(self, ciphertext: Buffer, tweak: int | Buffer, output: Buffer) -> None: ...
    def decrypt(
        self, ciphertext: Buffer, tweak: int | Buffer, output: Buffer | None = None
    ) -> bytes | None:
        """Decrypt one sector."""
        return self._xts.decrypt(_tweak(tweak), ciphertext, output)

    @overload
    def encrypt_sectors(
        self, plaintext: Buffer, first_sector: int, sector_size: int, output: None = None
    ) -> bytes: ...
    @overload
    def encrypt_sectors(
        self, plaintext: Buffer, first_sector: int, sector_size: int, output: Buffer
    ) -> None: ...
    def encrypt_sectors(
        self,
        plaintext: Buffer,
        first_sector: int,
        sector_size: int,
        output: Buffer | None = None,
    ) -> bytes | None:
        """Encrypt consecutive sectors of `sector_size` bytes, numbered from `first_sector` on."""
        return self._xts.encrypt_sectors(first_sector, sector_size, plaintext, output)

    @overload
    def decrypt_sectors(
        self, ciphertext: Buffer, first_sector: int, sector_size: int, output: None = None
    ) -> bytes: ...
    @overload
    def decrypt_sectors(
        self, ciphertext: Buffer, first_sector: int, sector_size: int, output: Buffer
    ) -> None: ...
    def decrypt_sectors(
        self,
        ciphertext: Buffer,
        first_sector: int,
        sector_size: int,
        output: Buffer | None = None,
    ) -> bytes | None:
        """Decrypt consecutive sectors."""
        return self._xts.decrypt_sectors(first_sector, sector_size, ciphertext, output)


def _tweak(tweak: int | Buffer) -> bytes:
    """16 bytes; numbers are little-endian. [IEEE1619, 5.1]"""
    if isinstance(tweak, int):
        if not 0 <= tweak < 1 << 128:
            raise ValueError("the number of a sector is not negative and has at most 128 bits")
        return tweak.to_bytes(16, "little")
    tweak = bytes(memoryview(tweak))
    if len(tweak) != 16:
        raise ValueError(f"a tweak has 16 bytes, not {len(tweak)}")
    return tweak
