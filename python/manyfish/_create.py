# SPDX-License-Identifier: Apache-2.0 OR MIT
"""`new` of each cipher finds the mode and sorts the arguments."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any, Callable, NamedTuple

from . import _authenticated, _classic

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from ._manyfish import Key

# The numbers of PyCryptodome, which has no XTS.
ECB, CBC, CFB, OFB, CTR, OPENPGP, CCM, EAX, SIV, GCM, OCB = 1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12
XTS = 1001

_WITH_IV = (CBC, CFB, OFB, OPENPGP)
_WITH_NONCE = (CCM, EAX, SIV, GCM, OCB)


class Factory(NamedTuple):
    """A block cipher: its name, what expands a key, the bytes of a block."""

    name: str
    expand: Callable[[Buffer, str | None], Key]
    block_size: int


class _Arguments:
    """The keyword arguments of `new`, each to be taken once."""

    def __init__(self, factory: Factory, kwargs: dict[str, Any]) -> None:
        self._kwargs = kwargs
        self.block_size = factory.block_size
        kernel = self.take("kernel")
        self.expand: Callable[[Buffer], Key] = lambda key: factory.expand(key, kernel)

    def take(self, name: str, default: Any = None) -> Any:
        """The argument of that name."""
        return self._kwargs.pop(name, default)

    def given_or_random(self, name: str, default_bytes: int) -> bytes:
        """The same as bytes; random ones if it is not there."""
        value = self.take(name)
        if value is None:
            return secrets.token_bytes(default_bytes)
        return _bytes(name, value)

    def iv(self, default_bytes: int) -> bytes:
        """The argument iv or IV."""
        if self._kwargs.get("iv") is not None and self._kwargs.get("IV") is not None:
            raise TypeError("iv and IV are the same: give one of them")
        name = "iv" if self._kwargs.get("iv") is not None else "IV"
        iv = self.given_or_random(name, default_bytes)
        self._kwargs = {k: v for k, v in self._kwargs.items() if k not in ("iv", "IV")}
        return iv

    def end(self, mode: str) -> None:
        """TypeError if there are others."""
        if self._kwargs:
            raise TypeError(f"{mode} has no argument {', '.join(map(repr, self._kwargs))}")


def _bytes(name: str, value: Buffer) -> bytes:
    try:
        return bytes(memoryview(value))
    except TypeError:
        raise TypeError(f"{name} must be bytes, not {type(value).__name__}") from None


def _iv_mode(key: Buffer, mode: int, args: _Arguments) -> Any:
    expanded = args.expand(key)
    iv = args.iv(args.block_size)
    if mode == CBC:
        args.end("CBC")
        return _classic.CbcMode(expanded, iv)
    if mode == OFB:
        args.end("OFB")
        return _classic.OfbMode(expanded, iv)
    if mode == OPENPGP:
        args.end("OPENPGP")
        return _classic.OpenPgpMode(expanded, iv)
    segment_size = args.take("segment_size", 8)
    args.end("CFB")
    return _classic.CfbMode(expanded, iv, segment_size)


def _ctr(key: Buffer, args: _Arguments) -> _classic.CtrMode:
    expanded = args.expand(key)
    counter, nonce = args.take("counter"), args.take("nonce")
    initial_value = args.take("initial_value")
    args.take("threads")  # of PyCryptodome; the result does not depend on it
    args.end("CTR")
    if counter is not None:
        if nonce is not None or initial_value is not None:
            raise TypeError("give counter, or nonce and initial_value")
        return _classic.CtrMode(expanded, *_counter(counter))
    if nonce is None:
        if args.block_size < 16:
            raise TypeError("a random nonce would be too short for this cipher: give one")
        nonce = secrets.token_bytes(args.block_size // 2)
    nonce = _bytes("nonce", nonce)
    counter_len = args.block_size - len(nonce)
    if counter_len < 1:
        raise ValueError(f"nonce must have at most {args.block_size - 1} bytes, not {len(nonce)}")
    if initial_value is None:
        initial_value = 0
    elif not isinstance(initial_value, int):
        value = _bytes("initial_value", initial_value)
        if len(value) != counter_len:
            raise ValueError(f"initial_value must have {counter_len} bytes, not {len(value)}")
        initial_value = int.from_bytes(value, "big")
    _check_value(initial_value, counter_len)
    return _classic.CtrMode(expanded, nonce, counter_len, b"", initial_value, False)


def _counter(counter: Any) -> tuple[bytes, int, bytes, int, bool]:
    """The fields of a counter of Crypto.Util.Counter.new."""
    fields = ("prefix", "counter_len", "suffix", "initial_value", "little_endian")
    try:
        values = dict(counter)
        prefix, counter_len, suffix, initial, little_endian = (values[name] for name in fields)
    except (KeyError, TypeError, ValueError):
        raise TypeError("counter must be what Crypto.Util.Counter.new() makes") from None
    _check_value(initial, counter_len)
    return _bytes("prefix", prefix), counter_len, _bytes("suffix", suffix), initial, little_endian


def _check_value(value: int, counter_len: int) -> None:
    if not 0 <= value < 1 << 8 * counter_len:
        raise ValueError(f"initial_value must fit the {8 * counter_len} bits of the counter")


def _authenticated_mode(key: Buffer, mode: int, args: _Arguments) -> Any:
    if mode == SIV:
        return _siv(key, args)
    expanded = args.expand(key)
    default = {CCM: 11, EAX: 16, GCM: 16, OCB: 15}[mode]
    nonce = args.given_or_random("nonce", default)
    mac_len = args.take("mac_len", args.block_size)
    if mode == EAX:
        args.end("EAX")
        return _authenticated.EaxMode(expanded, nonce, mac_len)
    if mode == CCM:
        msg_len, assoc_len = (_length(name, args.take(name)) for name in ("msg_len", "assoc_len"))
        args.end("CCM")
        return _authenticated.CcmMode(expanded, nonce, mac_len, msg_len, assoc_len)
    args.take("threads")
    if mode == GCM:
        args.end("GCM")
        return _authenticated.GcmMode(expanded, nonce, mac_len)
    args.end("OCB")
    return _authenticated.OcbMode(expanded, nonce, mac_len)


def _length(name: str, value: Any) -> Any:
    if value is not None and value < 0:
        raise ValueError(f"{name} cannot be negative, as {value} is")
    return value


def _halves(mode: str, key: Buffer, args: _Arguments) -> tuple[Key, Key]:
    """Two keys given as one, which must differ."""
    view = memoryview(key).cast("B")
    if len(view) not in (32, 48, 64):
        raise ValueError(f"a key for {mode} has 32, 48 or 64 bytes, not {len(view)}")
    first, second = view[: len(view) // 2], view[len(view) // 2 :]
    if secrets.compare_digest(first, second):
        raise ValueError(f"the two halves of a key for {mode} must differ")
    return args.expand(first), args.expand(second)


def _siv(key: Buffer, args: _Arguments) -> _authenticated.SivMode:
    s2v, ctr = _halves("SIV", key, args)
    nonce = args.take("nonce")
    args.end("SIV")
    if nonce is not None:
        nonce = _bytes("nonce", nonce)
    return _authenticated.SivMode(s2v, ctr, nonce)


def create(
    factory: Factory, key: Buffer, mode: int, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """The cipher object of the mode. TypeError for arguments that it does not have."""
    known = _WITH_IV + _WITH_NONCE + (ECB, CTR, XTS)
    if mode not in known or (factory.block_size < 16 and mode in (CCM, SIV, GCM, OCB, XTS)):
        raise ValueError(f"{factory.name} has no mode {mode!r}")
    if len(args) > (1 if mode in _WITH_IV + _WITH_NONCE else 0):
        raise TypeError("too many arguments for this mode")
    if args:
        kwargs["IV" if mode in _WITH_IV else "nonce"] = args[0]
    arguments = _Arguments(factory, kwargs)
    if mode in _WITH_IV:
        return _iv_mode(key, mode, arguments)
    if mode in _WITH_NONCE:
        return _authenticated_mode(key, mode, arguments)
    if mode == CTR:
        return _ctr(key, arguments)
    if mode == XTS:
        keys = _halves("XTS", key, arguments)
        arguments.end("XTS")
        return _classic.XtsMode(*keys)
    expanded = arguments.expand(key)
    arguments.end("ECB")
    return _classic.EcbMode(expanded)
