# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Cipher objects of the authenticated modes.

An object is for one message under one nonce, which must never be used again under the same key.
The calls come in this order, and any other is a TypeError: update() with associated data, any
number of times; then encrypt() any number of times and digest(), or decrypt() any number of times
and verify(). encrypt_and_digest() and decrypt_and_verify() join the last two; they are the way to
prefer.

decrypt() returns unauthenticated text: do not act on it before verify() has returned. A wrong tag
is a ValueError. decrypt_and_verify() releases nothing then: it wipes `output`.

An object that is used by two threads at once raises RuntimeError in one of them; nothing worse
happens.
"""

from __future__ import annotations

import hmac
import threading
from typing import TYPE_CHECKING, overload

from ._calls import ANY, DECRYPT, DIGEST, ENCRYPT, UPDATE, VERIFY, Calls
from ._errors import InvalidTag, MessageTooLongError
from ._manyfish import Key, Pieces, Siv

if TYPE_CHECKING:
    from typing_extensions import Buffer, Self


class _Tagged(Calls):
    """The calls around the tag, which all authenticated modes have."""

    block_size: int
    nonce: bytes

    def digest(self) -> bytes:
        """The tag of the message, mac_len bytes."""
        self._call(DIGEST, DIGEST)
        return self._tag()

    def hexdigest(self) -> str:
        """The same, in hexadecimal."""
        return self.digest().hex()

    def verify(self, received_mac_tag: Buffer) -> None:
        """Check the tag; ValueError if it does not fit, in a time that does not tell where."""
        self._call(VERIFY, VERIFY)
        if not self._fits(received_mac_tag):
            raise InvalidTag("MAC check failed")

    def hexverify(self, hex_mac_tag: str) -> None:
        """The same, in hexadecimal."""
        self.verify(bytes.fromhex(hex_mac_tag))

    def _tag(self) -> bytes:
        raise NotImplementedError

    def _fits(self, tag: Buffer) -> bool:
        raise NotImplementedError


class _Streaming(_Tagged):
    """Common to EAX, GCM and CCM: pieces of any length."""

    _pieces: Pieces

    def __init__(self, key: Key, nonce: bytes) -> None:
        self.block_size = key.block_size
        self.nonce = nonce

    def update(self, assoc_data: Buffer) -> Self:
        """Take the next piece of the data that is authenticated, not encrypted."""
        self._call(UPDATE, ANY)
        self._pieces.aad(assoc_data)
        return self

    @overload
    def encrypt(self, plaintext: Buffer, output: None = None) -> bytes: ...
    @overload
    def encrypt(self, plaintext: Buffer, output: Buffer) -> None: ...
    def encrypt(self, plaintext: Buffer, output: Buffer | None = None) -> bytes | None:
        """Encrypt the next piece."""
        self._call(ENCRYPT, ENCRYPT | DIGEST)
        return self._pieces.encrypt(plaintext, output)

    @overload
    def decrypt(self, ciphertext: Buffer, output: None = None) -> bytes: ...
    @overload
    def decrypt(self, ciphertext: Buffer, output: Buffer) -> None: ...
    def decrypt(self, ciphertext: Buffer, output: Buffer | None = None) -> bytes | None:
        """Decrypt the next piece, whose result is not authenticated yet."""
        self._call(DECRYPT, DECRYPT | VERIFY)
        return self._pieces.decrypt(ciphertext, output)

    @overload
    def encrypt_and_digest(self, plaintext: Buffer, output: None = None) -> tuple[bytes, bytes]: ...
    @overload
    def encrypt_and_digest(self, plaintext: Buffer, output: Buffer) -> tuple[None, bytes]: ...
    def encrypt_and_digest(
        self, plaintext: Buffer, output: Buffer | None = None
    ) -> tuple[bytes | None, bytes]:
        """Encrypt the last piece, and the tag."""
        ciphertext = self.encrypt(plaintext, output)
        return ciphertext, self.digest()

    @overload
    def decrypt_and_verify(
        self, ciphertext: Buffer, received_mac_tag: Buffer, output: None = None
    ) -> bytes: ...
    @overload
    def decrypt_and_verify(
        self, ciphertext: Buffer, received_mac_tag: Buffer, output: Buffer
    ) -> None: ...
    def decrypt_and_verify(
        self, ciphertext: Buffer, received_mac_tag: Buffer, output: Buffer | None = None
    ) -> bytes | None:
        """Decrypt the last piece and check the tag; ValueError if it does not fit."""
        self._call(DECRYPT, VERIFY)
        return self._pieces.decrypt_and_verify(ciphertext, received_mac_tag, output)

    def _tag(self) -> bytes:
        return self._pieces.digest()

    def _fits(self, tag: Buffer) -> bool:
        return self._pieces.verify(tag)


class EaxMode(_Streaming):
    """EAX [EAX04]: a nonce of 1 byte and more, tags of 4 bytes to a block (DES: 2 to 8).

    >>> from manyfish import Twofish
    >>> eax = Twofish.new(bytes(32), Twofish.MODE_EAX, nonce=b"once")
    >>> ciphertext, tag = eax.update(b"public").encrypt_and_digest(b"secret")
    >>> eax = Twofish.new(bytes(32), Twofish.MODE_EAX, nonce=b"once")
    >>> eax.update(b"public").decrypt_and_verify(ciphertext, tag)
    b'secret'
    """

    def __init__(self, key: Key, nonce: bytes, mac_len: int) -> None:
        super().__init__(key, nonce)
        self._pieces = Pieces.eax(key, nonce, mac_len)


class GcmMode(_Streaming):
    """GCM [SP800-38D]: a nonce of 1 byte and more, tags of 4, 8 or 12 to 16 bytes.

    A nonce used twice lets anyone who sees both messages forge at will.
    """

    def __init__(self, key: Key, nonce: bytes, mac_len: int) -> None:
        super().__init__(key, nonce)
        self._pieces = Pieces.gcm(key, nonce, mac_len)


class CcmMode(_Streaming):
    """CCM [SP800-38C]: a nonce of 7 to 13 bytes, tags of 4, 6, 8, 10, 12, 14 or 16 bytes.

    The lengths of the text and of the associated data come first in what is authenticated. Without
    `msg_len` the text must come in one call; without `assoc_len` the associated data is kept until
    then. ValueError if what comes is shorter or longer than declared.
    """

    def __init__(
        self,
        key: Key,
        nonce: bytes,
        mac_len: int,
        msg_len: int | None,
        assoc_len: int | None,
    ) -> None:
        super().__init__(key, nonce)
        self._key, self._mac_len = key, mac_len
        self._msg_len, self._assoc_len = msg_len, assoc_len
        self._msg_done = self._assoc_done = 0
        self._waiting: list[bytes] = []
        self._beginning = threading.Lock()
        # Wrong lengths are found now, not when the message begins.
        self._pieces = Pieces.ccm(key, nonce, mac_len, assoc_len or 0, msg_len or 0)
        self._begun = msg_len is not None and assoc_len is not None

    def update(self, assoc_data: Buffer) -> Self:
        """Take the next piece of the data that is authenticated, not encrypted."""
        self._call(UPDATE, ANY)
        done = self._assoc_done + memoryview(assoc_data).nbytes
        if self._assoc_len is not None and done > self._assoc_len:
            raise MessageTooLongError(
                f"the associated data is longer than declared, {self._assoc_len} bytes"
            )
        if self._begun:
            self._pieces.aad(assoc_data)
        else:
            self._waiting.append(bytes(memoryview(assoc_data)))
        self._assoc_done = done
        return self

    @overload
    def encrypt(self, plaintext: Buffer, output: None = None) -> bytes: ...
    @overload
    def encrypt(self, plaintext: Buffer, output: Buffer) -> None: ...
    def encrypt(self, plaintext: Buffer, output: Buffer | None = None) -> bytes | None:
        """Encrypt the next piece, or the only one if msg_len was not given."""
        self._call(ENCRYPT, DIGEST if self._msg_len is None else ENCRYPT | DIGEST)
        done = self._begin(plaintext)
        ciphertext = self._pieces.encrypt(plaintext, output)
        self._msg_done = done
        return ciphertext

    @overload
    def decrypt(self, ciphertext: Buffer, output: None = None) -> bytes: ...
    @overload
    def decrypt(self, ciphertext: Buffer, output: Buffer) -> None: ...
    def decrypt(self, ciphertext: Buffer, output: Buffer | None = None) -> bytes | None:
        """Decrypt the next piece, or the only one; the result is not authenticated yet."""
        self._call(DECRYPT, VERIFY if self._msg_len is None else DECRYPT | VERIFY)
        done = self._begin(ciphertext)
        plaintext = self._pieces.decrypt(ciphertext, output)
        self._msg_done = done
        return plaintext

    @overload
    def decrypt_and_verify(
        self, ciphertext: Buffer, received_mac_tag: Buffer, output: None = None
    ) -> bytes: ...
    @overload
    def decrypt_and_verify(
        self, ciphertext: Buffer, received_mac_tag: Buffer, output: Buffer
    ) -> None: ...
    def decrypt_and_verify(
        self, ciphertext: Buffer, received_mac_tag: Buffer, output: Buffer | None = None
    ) -> bytes | None:
        """Decrypt the last piece and check the tag; ValueError if it does not fit."""
        self._call(DECRYPT, VERIFY)
        self._end(ciphertext)
        return self._pieces.decrypt_and_verify(ciphertext, received_mac_tag, output)

    def _begin(self, text: Buffer) -> int:
        """Make ready for a piece; returns how much of the message is done after it."""
        if not self._beginning.acquire(blocking=False):
            raise RuntimeError("another thread uses this object")
        try:
            done = self._msg_done + memoryview(text).nbytes
            if self._msg_len is None:
                self._msg_len = done
            self._encode_lengths()
        finally:
            self._beginning.release()
        if done > self._msg_len:
            raise MessageTooLongError(f"the message is longer than declared, {self._msg_len} bytes")
        return done

    def _encode_lengths(self) -> None:
        """Known by now; then take what waited for them."""
        if self._assoc_len is None:
            self._assoc_len = self._assoc_done
        if self._assoc_done < self._assoc_len:
            raise ValueError(
                f"the associated data has {self._assoc_done} bytes, less than declared, "
                f"{self._assoc_len}"
            )
        if not self._begun:
            lengths = self._assoc_len, self._msg_len or 0
            self._pieces = Pieces.ccm(self._key, self.nonce, self._mac_len, *lengths)
            for piece in self._waiting:
                self._pieces.aad(piece)
            self._waiting.clear()
            self._begun = True

    def _end(self, text: Buffer = b"") -> None:
        """Make ready for the last piece."""
        done = self._begin(text)
        if done < (self._msg_len or 0):
            raise ValueError(f"the message has {done} bytes, less than declared, {self._msg_len}")
        self._msg_done = done

    def _tag(self) -> bytes:
        self._end()
        return super()._tag()

    def _fits(self, tag: Buffer) -> bool:
        self._end()
        return super()._fits(tag)


class OcbMode(_Tagged):
    """OCB3 [RFC7253], the mode to prefer: a nonce of 1 to 15 bytes, tags of 16 bytes.

    encrypt() and decrypt() return whole blocks and keep the rest. Called without data they return
    that, and end the text. encrypt_and_digest() and decrypt_and_verify() need no such call.

    >>> from manyfish import Twofish
    >>> ocb = Twofish.new(bytes(32), Twofish.MODE_OCB, nonce=b"once")
    >>> ciphertext, tag = ocb.update(b"public").encrypt_and_digest(b"secret")
    >>> ocb = Twofish.new(bytes(32), Twofish.MODE_OCB, nonce=b"once")
    >>> ocb.update(b"public").decrypt_and_verify(ciphertext, tag)
    b'secret'
    """

    def __init__(self, key: Key, nonce: bytes, mac_len: int) -> None:
        self.block_size = key.block_size
        self.nonce = nonce
        self._pieces = Pieces.ocb(key, nonce, mac_len)

    def update(self, assoc_data: Buffer) -> Self:
        """Take the next piece of the data that is authenticated, not encrypted."""
        self._call(UPDATE, ANY)
        self._pieces.aad(assoc_data)
        return self

    def encrypt(self, plaintext: Buffer | None = None) -> bytes:
        """Encrypt the next piece, as far as it makes whole blocks; None ends the text."""
        self._call(ENCRYPT, DIGEST if plaintext is None else ENCRYPT)
        if plaintext is None:
            return self._pieces.encrypt(b"", last=True)
        return self._pieces.encrypt(plaintext)

    def decrypt(self, ciphertext: Buffer | None = None) -> bytes:
        """Decrypt the next piece likewise; the result is not authenticated yet."""
        self._call(DECRYPT, VERIFY if ciphertext is None else DECRYPT)
        if ciphertext is None:
            return self._pieces.decrypt(b"", last=True)
        return self._pieces.decrypt(ciphertext)

    @overload
    def encrypt_and_digest(self, plaintext: Buffer, output: None = None) -> tuple[bytes, bytes]: ...
    @overload
    def encrypt_and_digest(self, plaintext: Buffer, output: Buffer) -> tuple[None, bytes]: ...
    def encrypt_and_digest(
        self, plaintext: Buffer, output: Buffer | None = None
    ) -> tuple[bytes | None, bytes]:
        """Encrypt the last piece, and the tag. `output` is for a message in one piece."""
        self._call(ENCRYPT, DIGEST)
        ciphertext = self._pieces.encrypt(plaintext, output, last=True)
        return ciphertext, self.digest()

    @overload
    def decrypt_and_verify(
        self, ciphertext: Buffer, received_mac_tag: Buffer, output: None = None
    ) -> bytes: ...
    @overload
    def decrypt_and_verify(
        self, ciphertext: Buffer, received_mac_tag: Buffer, output: Buffer
    ) -> None: ...
    def decrypt_and_verify(
        self, ciphertext: Buffer, received_mac_tag: Buffer, output: Buffer | None = None
    ) -> bytes | None:
        """Decrypt the last piece and check the tag; ValueError if it does not fit."""
        self._call(DECRYPT, VERIFY)
        return self._pieces.decrypt_and_verify(ciphertext, received_mac_tag, output)

    def _tag(self) -> bytes:
        return self._pieces.digest()

    def _fits(self, tag: Buffer) -> bool:
        return self._pieces.verify(tag)


class SivMode(_Tagged):
    """SIV [RFC5297]: a key of 32, 48 or 64 bytes, tags of 16 bytes, a nonce or none.

    With a nonce used twice, or none, an observer learns whether two messages are equal and nothing
    else. Each update() is a string of its own; there are at most 126, the nonce counted. The
    whole message comes in one call, so there is no encrypt() and no decrypt().
    """

    def __init__(self, s2v: Key, ctr: Key, nonce: bytes | None) -> None:
        self.block_size = s2v.block_size
        if nonce is not None:
            if not nonce:
                raise ValueError("a nonce of SIV has 1 byte and more; leave it out for none")
            self.nonce = nonce
        self._siv = Siv(s2v, ctr)
        self._aad: list[bytes] = []
        self._mac_tag: bytes | None = None

    def update(self, component: Buffer) -> Self:
        """Take the next string that is authenticated, not encrypted."""
        self._call(UPDATE, ANY)
        self._aad.append(bytes(memoryview(component)))
        return self

    def encrypt(self, plaintext: Buffer) -> bytes:
        """TypeError: see encrypt_and_digest()."""
        raise TypeError("SIV needs the whole message at once: use encrypt_and_digest()")

    def decrypt(self, ciphertext: Buffer) -> bytes:
        """TypeError: see decrypt_and_verify()."""
        raise TypeError("SIV needs the whole message at once: use decrypt_and_verify()")

    @overload
    def encrypt_and_digest(self, plaintext: Buffer, output: None = None) -> tuple[bytes, bytes]: ...
    @overload
    def encrypt_and_digest(self, plaintext: Buffer, output: Buffer) -> tuple[None, bytes]: ...
    def encrypt_and_digest(
        self, plaintext: Buffer, output: Buffer | None = None
    ) -> tuple[bytes | None, bytes]:
        """Encrypt the message; its tag is needed to decrypt it."""
        self._call(ENCRYPT, ENCRYPT)  # after an error there is no tag to give
        nonce = getattr(self, "nonce", b"")
        ciphertext, tag = self._siv.encrypt(nonce, self._aad, plaintext, output)
        self._mac_tag, self._next = tag, DIGEST
        return ciphertext, tag

    @overload
    def decrypt_and_verify(
        self, ciphertext: Buffer, mac_tag: Buffer, output: None = None
    ) -> bytes: ...
    @overload
    def decrypt_and_verify(self, ciphertext: Buffer, mac_tag: Buffer, output: Buffer) -> None: ...
    def decrypt_and_verify(
        self, ciphertext: Buffer, mac_tag: Buffer, output: Buffer | None = None
    ) -> bytes | None:
        """Decrypt the message and check its tag; ValueError if it does not fit."""
        self._call(DECRYPT, VERIFY)
        self._mac_tag = b""  # after an error no tag fits
        nonce = getattr(self, "nonce", b"")
        plaintext = self._siv.decrypt(nonce, self._aad, ciphertext, mac_tag, output)
        self._mac_tag = bytes(memoryview(mac_tag))
        return plaintext

    def _tag(self) -> bytes:
        if self._mac_tag is None:
            self._mac_tag = self._s2v()
        return self._mac_tag

    def _fits(self, tag: Buffer) -> bool:
        right = self._tag()
        return right != b"" and hmac.compare_digest(right, memoryview(tag))

    def _s2v(self) -> bytes:
        """S2V of the strings alone: that of the last one as a text after the others."""
        if not self._aad:
            raise ValueError("there is nothing to authenticate: call update() first")
        return self._siv.encrypt(b"", self._aad[:-1], self._aad[-1])[1]
