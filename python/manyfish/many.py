# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Many messages under one key: records of a table, packets, entries of a safe.

A call for each message costs more than its bytes, and in CBC, CFB, OFB, CMAC, EAX, CCM and SIV one
message alone leaves the processor's vector unit idle. These classes work on many messages at once;
the results are those of one call each, bit for bit.

>>> from manyfish import many
>>> key, nonces = bytes(32), [b"nonce 1", b"nonce 2"]
>>> sealed = many.Cipher("OCB", key).encrypt(nonces, [b"first", b"second"], aad=[b"1", b"2"])
>>> many.Cipher("OCB", key).decrypt(nonces, sealed, aad=[b"1", b"2"])
[b'first', b'second']

Messages come in one of these forms, and so do nonces, associated data and tags; none is copied:

- a list of buffers, such as bytes; other iterables are made lists
- an array of bytes in two dimensions, with a message in each row, such as one of NumPy (dtype
  uint8); rows may have gaps between them, so `table[:, :16]` and `table[:, 16:]` are arrays, too
- a `Column`: one buffer, and offsets into it; an array of Arrow of the type binary or string, or
  with 64-bit offsets, is taken for one

The form of the texts is that of the result: a list of bytes; a memoryview of two dimensions, of
which numpy.asarray() makes an array without a copy; or a `Column`. Without rows a result is empty.

If messages are wrong, the others are done, and then `ManyError` is raised, which has the results
and the errors. The GIL is released, and Ctrl-C ends a call within some megabytes. Buffers that a
call works on must not be written by others meanwhile. Objects hold a key, which any number of
threads may use at once.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any, Callable, Literal, Union, overload

from ._calls import NoCopy
from ._manyfish import Key
from ._manyfish import Many as _Many

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from typing_extensions import Buffer

    _Mode = Literal["CBC", "CFB", "OFB", "CTR", "OCB", "EAX", "GCM", "CCM", "SIV"]
    _CipherName = Literal["Twofish", "DES", "DES3"]
    _Progress = Callable[[int, int], object]
    _Results = Union["list[bytes | None]", memoryview, "Column"]
    # The number of the first message, nonces, texts, associated data, tags.
    _Arguments = tuple[int, Any, Any, Any, Any]
    # How many messages a call took, and their errors.
    _Taken = tuple[int, list[tuple[int, ValueError]]]
    _Strings = Union[Iterable[Buffer], Buffer, "Column"]

__all__ = ["Cipher", "Column", "Mac", "ManyError"]

_AUTHENTICATED = ("OCB", "EAX", "GCM", "CCM", "SIV")
_KEY_BYTES = {"Twofish": (16, 24, 32), "DES": (8,), "DES3": (16, 24)}
_ARROW_OFFSETS = {"binary": 4, "string": 4, "large_binary": 8, "large_string": 8}


class ManyError(ValueError):
    """Some messages are wrong, or their tags are.

    errors   the exception of each of them, by its number, counted from 0: InvalidTag for a wrong
             tag, MessageTooLongError, and ValueError for wrong lengths and padding
    results  the results of the call, where those of wrong messages are None in a list, zeros in
             rows, and no bytes in a column
    """

    errors: dict[int, ValueError]
    results: _Results | None

    def __init__(self, errors: dict[int, ValueError], results: _Results | None, total: int) -> None:
        """Tells the number of wrong messages and the first of them."""
        first = min(errors)
        super().__init__(f"{len(errors)} of {total} messages: number {first}: {errors[first]}")
        self.errors = errors
        self.results = results


class Column:
    """Messages one after the other in a buffer, as Arrow has them; a sequence of memoryviews.

    data     the bytes, a contiguous buffer
    offsets  n + 1 numbers of 32 or 64 bits, an array or a memoryview: message i is
             data[offsets[i]:offsets[i + 1]]
    start    of each message the bytes from here on count,
    stop     and up to here; to its end if None. So `Column(data, offsets, stop=16)` are the IVs in
             front of ciphertexts, and `Column(data, offsets, start=16)` are the ciphertexts

    TypeError for offsets of another form. A call with wrong offsets is a ValueError.

    >>> from array import array
    >>> column = Column(b"onetwothree", array("i", [0, 3, 6, 11]))
    >>> [bytes(message) for message in column]
    [b'one', b'two', b'three']
    """

    def __init__(
        self, data: Buffer, offsets: Buffer, start: int = 0, stop: int | None = None
    ) -> None:
        """Keep the buffers, without a copy."""
        view = memoryview(offsets)
        if view.ndim != 1 or view.format not in ("i", "l", "q") or view.itemsize not in (4, 8):
            raise TypeError("offsets must be whole numbers of 32 or 64 bits, in one dimension")
        if start < 0 or (stop is not None and stop < 0):
            raise ValueError("start and stop cannot be negative")
        self.data = data
        self.offsets = view
        self.start = start
        self.stop = stop

    @classmethod
    def from_arrow(cls, array: Any, start: int = 0, stop: int | None = None) -> Column:
        """The messages of an array of Arrow: its types binary and string, or with 64-bit offsets.

        TypeError for other types, ValueError for an array with nulls.
        """
        width = _ARROW_OFFSETS.get(str(array.type))
        if width is None:
            raise TypeError(f"an array of Arrow must be of the type binary, not {array.type}")
        if array.null_count:
            raise ValueError("the array has nulls: fill them, or leave them out")
        _, offsets, data = array.buffers()
        first, n_bytes = width * array.offset, width * (len(array) + 1)
        view = memoryview(offsets if len(array) else bytes(n_bytes)).cast("B")
        if len(array):
            view = view[first : first + n_bytes]
        return cls(data or b"", view.cast("i" if width == 4 else "q"), start, stop)

    def __len__(self) -> int:
        """The number of messages."""
        return max(len(self.offsets) - 1, 0)

    def __getitem__(self, i: int) -> memoryview:
        """Message number i, counted from 0."""
        if not 0 <= i < len(self):
            raise IndexError(i)
        message = memoryview(self.data).cast("B")[self.offsets[i] : self.offsets[i + 1]]
        return message[self.start : self.stop]

    def __iter__(self) -> Iterator[memoryview]:
        """All messages."""
        return map(self.__getitem__, range(len(self)))

    def _parts(self) -> tuple[Buffer, memoryview, int, int, int]:
        stop = 2**62 if self.stop is None else self.stop
        offsets = self.offsets.cast("B") if len(self.offsets) else self.offsets
        return self.data, offsets, self.offsets.itemsize, self.start, stop


class Cipher(NoCopy):
    """A mode under one key, for any number of messages.

    mode          "OCB", "EAX", "GCM", "CCM" or "SIV", which authenticate; or "CBC", "CFB" with
                  segments of a block, "OFB" or "CTR", for data that exists
    key           16, 24 or 32 bytes for Twofish, 8 for DES, 16 or 24 for DES3; for SIV twice those
                  of Twofish, with halves that differ
    cipher        "Twofish"; or "DES" or "DES3" (Triple-DES), which have CBC, CFB, OFB, CTR and EAX
    padding       "pkcs7" for CBC alone
    tag_length    bytes of a tag: for EAX 4 to 16 (2 to 8 with DES), for GCM 4, 8 or 12 to 16, for
                  CCM 4, 6 to 16 by twos; a block if None
    counter_bits  of the counter of CTR: 32, or a block if None
    kernel        one of manyfish.kernels(cipher); the default one if None

    ValueError for others, TypeError for an option that the mode does not have.
    """

    def __init__(
        self,
        mode: _Mode,
        key: Buffer,
        *,
        cipher: _CipherName = "Twofish",
        padding: Literal["pkcs7"] | None = None,
        tag_length: int | None = None,
        counter_bits: int | None = None,
        kernel: str | None = None,
    ) -> None:
        """Expand the key."""
        if mode == "SIV" and cipher == "Twofish":
            first, second = _siv_keys(key, kernel)
        else:
            first, second = _key(cipher, key, kernel), None
        _check_options(mode, padding, tag_length, counter_bits)
        block = first.block_size
        option = int(padding is not None)
        if mode in _AUTHENTICATED:
            option = block if tag_length is None else tag_length
        elif mode == "CTR":
            option = 8 * block if counter_bits is None else counter_bits
        self._encrypt = _Many(mode, False, first, second, option)
        self._decrypt = _Many(mode, True, first, second, option)
        self._lengths_vary = padding is not None
        self._without_nonces = mode == "SIV"

    @overload
    def encrypt(  # type: ignore[overload-overlap]
        self,
        nonces: _Strings | None,
        texts: Column,
        aad: _Strings | None = None,
        *,
        progress: _Progress | None = None,
    ) -> Column: ...
    @overload
    def encrypt(
        self,
        nonces: _Strings | None,
        texts: Iterable[Buffer],
        aad: _Strings | None = None,
        *,
        progress: _Progress | None = None,
    ) -> list[bytes]: ...
    @overload
    def encrypt(
        self,
        nonces: _Strings | None,
        texts: Buffer,
        aad: _Strings | None = None,
        *,
        progress: _Progress | None = None,
    ) -> memoryview: ...
    def encrypt(
        self,
        nonces: _Strings | None,
        texts: _Strings,
        aad: _Strings | None = None,
        *,
        progress: _Progress | None = None,
    ) -> Any:
        """Encrypt each text and return the results, with its tag behind each; for SIV, in front.

        nonces    as many nonces, IVs (a block), or first counter blocks (a block), by the mode: for
                  OCB 1 to 15 bytes, for CCM 7 to 13; the same never twice under one key. None for
                  SIV without nonces
        texts     of any length; for CBC without padding, whole blocks
        aad       associated data, which the tags cover: as many strings, or None
        progress  called after each few megabytes with the number of messages done and of all; its
                  exceptions end the call

        ValueError if the numbers differ, ManyError for messages that are wrong.
        """
        return self._crypt(self._encrypt, False, nonces, texts, aad, progress)

    @overload
    def decrypt(  # type: ignore[overload-overlap]
        self,
        nonces: _Strings | None,
        texts: Column,
        aad: _Strings | None = None,
        *,
        progress: _Progress | None = None,
    ) -> Column: ...
    @overload
    def decrypt(
        self,
        nonces: _Strings | None,
        texts: Iterable[Buffer],
        aad: _Strings | None = None,
        *,
        progress: _Progress | None = None,
    ) -> list[bytes]: ...
    @overload
    def decrypt(
        self,
        nonces: _Strings | None,
        texts: Buffer,
        aad: _Strings | None = None,
        *,
        progress: _Progress | None = None,
    ) -> memoryview | Column: ...
    def decrypt(
        self,
        nonces: _Strings | None,
        texts: _Strings,
        aad: _Strings | None = None,
        *,
        progress: _Progress | None = None,
    ) -> Any:
        """Decrypt what `encrypt` made; all as there.

        With padding the results of an array are a `Column`, since their lengths differ. ManyError
        if a tag is wrong: nothing of that message is released. A wrong padding is a padding oracle
        for anyone who can probe it: check a MAC over the ciphertext first.
        """
        return self._crypt(self._decrypt, self._lengths_vary, nonces, texts, aad, progress)

    def _crypt(
        self,
        many: _Many,
        lengths_vary: bool,
        nonces: _Strings | None,
        texts: _Strings,
        aad: _Strings | None,
        progress: _Progress | None,
    ) -> _Results | None:
        if nonces is None and not self._without_nonces:
            raise TypeError("this mode needs nonces")
        given = {"nonces": nonces, "aad": aad, "tags": None}
        return _run(many, given, texts, lengths_vary, progress)


class Mac(NoCopy):
    """CMAC under one key, for any number of messages; `cipher`, `key`, `kernel` as for `Cipher`.

    tag_length is 1 to the bytes of a block; a block if None.

    >>> mac = Mac(bytes(16))
    >>> tags = mac.compute([b"first", b"second"])
    >>> mac.verify([b"first", b"second"], tags)
    """

    def __init__(
        self,
        key: Buffer,
        *,
        cipher: _CipherName = "Twofish",
        tag_length: int | None = None,
        kernel: str | None = None,
    ) -> None:
        """Expand the key."""
        expanded = _key(cipher, key, kernel)
        option = expanded.block_size if tag_length is None else tag_length
        self._compute = _Many("CMAC", False, expanded, None, option)
        self._verify = _Many("CMAC", True, expanded, None, option)

    @overload
    def compute(self, texts: Column, *, progress: _Progress | None = None) -> Column: ...  # type: ignore[overload-overlap]
    @overload
    def compute(
        self, texts: Iterable[Buffer], *, progress: _Progress | None = None
    ) -> list[bytes]: ...
    @overload
    def compute(self, texts: Buffer, *, progress: _Progress | None = None) -> memoryview: ...
    def compute(self, texts: _Strings, *, progress: _Progress | None = None) -> Any:
        """Return the tag of each text, in the form of the texts; `progress` as for `Cipher`."""
        return _run(
            self._compute, {"nonces": None, "aad": None, "tags": None}, texts, False, progress
        )

    def verify(self, texts: _Strings, tags: _Strings, *, progress: _Progress | None = None) -> None:
        """ManyError unless all tags are right, which names the wrong ones.

        The time does not tell where tags differ.
        """
        _run(self._verify, {"nonces": None, "aad": None, "tags": tags}, texts, False, progress)


def _key(cipher: str, key: Buffer, kernel: str | None) -> Key:
    lengths = _KEY_BYTES.get(cipher)
    if lengths is None:
        raise ValueError(f"there is no cipher {cipher!r}: expected Twofish, DES or DES3")
    n_bytes = memoryview(key).nbytes
    if n_bytes not in lengths:
        allowed = " or ".join(map(str, lengths))
        raise ValueError(f"a key for {cipher} has {allowed} bytes, not {n_bytes}")
    return Key.twofish(key, kernel) if cipher == "Twofish" else Key.des(key, kernel)


def _siv_keys(key: Buffer, kernel: str | None) -> tuple[Key, Key | None]:
    view = memoryview(key).cast("B")
    half = len(view) // 2
    if len(view) not in (32, 48, 64):
        raise ValueError(f"a key for SIV has 32, 48 or 64 bytes, not {len(view)}")
    if secrets.compare_digest(view[:half], view[half:]):
        raise ValueError("the two halves of a key for SIV must differ")
    return Key.twofish(view[:half], kernel), Key.twofish(view[half:], kernel)


def _check_options(
    mode: str, padding: str | None, tag_length: int | None, counter_bits: int | None
) -> None:
    if padding is not None and mode != "CBC":
        raise TypeError(f"{mode} has no padding")
    if padding not in (None, "pkcs7"):
        raise ValueError(f'padding must be "pkcs7" or None, not {padding!r}')
    if tag_length is not None and mode not in _AUTHENTICATED:
        raise TypeError(f"{mode} has no tags")
    if counter_bits is not None and mode != "CTR":
        raise TypeError(f"{mode} has no counter that could be chosen")


def _strings(strings: Any) -> Any:
    """A list, an array of two dimensions, or the parts of a column, for the Rust code."""
    if isinstance(strings, Column):
        return strings._parts()
    if isinstance(strings, list):
        return list(strings)  # the caller's may change during the call
    if hasattr(strings, "buffers") and hasattr(strings, "null_count"):
        return Column.from_arrow(strings)._parts()
    try:
        view = memoryview(strings)
    except TypeError:
        return list(strings)
    if view.ndim != 2 or view.itemsize != 1:
        raise ValueError("an array must have two dimensions, of bytes, with a message in each row")
    return strings


def _count(strings: Any) -> int:
    if isinstance(strings, tuple):
        return max(memoryview(strings[1]).nbytes // int(strings[2]) - 1, 0)
    if isinstance(strings, list):
        return len(strings)
    shape = memoryview(strings).shape
    return shape[0] if shape else 0


def _run(
    many: _Many,
    given: dict[str, _Strings | None],
    texts: _Strings,
    lengths_vary: bool,
    progress: _Progress | None,
) -> _Results | None:
    """All messages, some at a time."""
    texts = _strings(texts)
    total = _count(texts)
    others = {name: None if s is None else _strings(s) for name, s in given.items()}
    for name, strings in others.items():
        if strings is not None and _count(strings) != total:
            raise ValueError(f"there are {_count(strings)} {name}, but {total} texts")
    if isinstance(texts, list):
        sink: Any = _ToList(many)
    elif lengths_vary or isinstance(texts, tuple):
        sink = _ToColumn(many, texts, total)
    else:
        sink = _ToRows(many, texts, total)
    errors: dict[int, ValueError] = {}
    done = 0
    while done < total:
        arguments = (done, others["nonces"], texts, others["aad"], others["tags"])
        n, wrong = sink.take(arguments)
        done += n
        errors.update(wrong)
        if progress is not None:
            progress(done, total)
    if errors:
        raise ManyError(errors, sink.results(), total)
    return sink.results()  # type: ignore[no-any-return]


class _ToList:
    def __init__(self, many: _Many) -> None:
        self._many, self._list = many, list[Any]()

    def take(self, arguments: _Arguments) -> _Taken:
        n, _, wrong = self._many.to_list(*arguments, self._list)
        return n, wrong

    def results(self) -> list[bytes | None]:
        return self._list


class _ToRows:
    def __init__(self, many: _Many, texts: Any, total: int) -> None:
        row_bytes = many.out_bytes(memoryview(texts).shape[1])  # type: ignore[index]
        self._many, self._shape = many, (total, row_bytes)
        self._out, self._at = bytearray(total * row_bytes), 0

    def take(self, arguments: _Arguments) -> _Taken:
        n, n_bytes, wrong = self._many.to_rows(*arguments, self._out, self._at)
        self._at += n_bytes
        return n, wrong

    def results(self) -> memoryview:
        view = memoryview(self._out)
        return view.cast("B", self._shape) if self._out else view


class _ToColumn:
    def __init__(self, many: _Many, texts: Any, total: int) -> None:
        self._many, self._at = many, 0
        self._out = bytearray(many.all_out_bytes(texts))
        self._offsets = bytearray(8 * (total + 1))

    def take(self, arguments: _Arguments) -> _Taken:
        ends = memoryview(self._offsets)[8:]
        n, n_bytes, wrong = self._many.to_column(*arguments, self._out, self._at, ends)
        self._at += n_bytes
        return n, wrong

    def results(self) -> Column:
        del self._out[self._at :]
        return Column(self._out, memoryview(self._offsets).cast("q"))
