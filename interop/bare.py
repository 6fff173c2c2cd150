# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Bare modes: random messages that a library and `manyfish raw` exchange in both directions."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from harness import MODES, THEY_READ, WE_READ, Case, Refused, failure, manyfish, same

KEY_BYTES = (16, 24, 32)
# Each mode of each library sees this many messages a key length, in each direction.
MESSAGES = 7
LONGEST = 9000


@dataclass(frozen=True)
class Mode:
    """A mode as `manyfish raw` knows it, and what both sides can do in it."""

    name: str
    # Lengths of the initial block or the nonce.
    ivs: tuple[int, ...] = (16,)
    # The text's length is a multiple of this, and at least `least`.
    unit: int = 1
    least: int = 0
    # Octets of the key beside the key of the cipher: modes with two keys.
    keys: int = 1
    key_bytes: tuple[int, ...] = KEY_BYTES
    authenticated: bool = False
    options: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The mode's name for the page."""
        return self.name.upper() if self.name != "cfb8" else "CFB8"


ALL = {
    mode.name: mode
    for mode in [
        Mode("ecb", ivs=(0,), unit=16),
        Mode("cbc", unit=16),
        Mode("cts", least=17, options=("--cts", "cs3")),
        Mode("cfb"),
        Mode("cfb8"),
        Mode("ofb"),
        Mode("ctr"),
        Mode("xts", least=16, keys=2),
        Mode("ocb", ivs=(12, 1, 8, 15), authenticated=True),
        Mode("eax", ivs=(16, 1, 12, 40), authenticated=True),
        Mode("gcm", ivs=(12, 8, 16, 40), authenticated=True),
        Mode("ccm", ivs=(12, 7, 8, 13), authenticated=True),
        Mode("siv", ivs=(16, 1, 12), keys=2, authenticated=True),
        Mode("cmac", ivs=(0,)),
    ]
}


@dataclass(frozen=True)
class Message:
    """The inputs of both sides."""

    mode: Mode
    key: bytes
    iv: bytes
    aad: bytes
    text: bytes


# The function of a library: crypt(mode, key, iv, aad, data, encrypting). Authenticated modes put
# the tag behind the text, SIV in front; a wrong tag raises Refused. "cmac" returns the tag.
Crypt = Callable[[str, bytes, bytes, bytes, bytes, bool], bytes]


def ours(message: Message, data: bytes, encrypting: bool) -> bytes:
    """Do the same with `manyfish raw`."""
    mode = message.mode
    if mode.name == "cmac":
        arguments = ["raw", "mac", "--mode", "cmac", "--key", message.key.hex()]
        return bytes.fromhex(manyfish(*arguments, data=data).decode())
    verb = "encrypt" if encrypting else "decrypt"
    arguments = ["raw", verb, "--mode", mode.name, "--key", message.key.hex(), *mode.options]
    if message.iv:
        arguments += ["--iv", message.iv.hex()]
    if mode.authenticated:
        arguments += ["--aad", message.aad.hex()]
    return manyfish(*arguments, data=data)


def messages(mode: Mode, chance: random.Random) -> Iterable[Message]:
    """Yield messages of each key length: short ones, one of whole blocks, random ones."""
    for key_bytes in mode.key_bytes:
        lengths = [0, 1, 64, *(chance.randrange(300) for _ in range(MESSAGES - 4))]
        for number, length in enumerate([*lengths, chance.randrange(300, LONGEST)]):
            length = max(length // mode.unit * mode.unit, mode.least)
            iv = chance.randbytes(mode.ivs[number % len(mode.ivs)])
            if mode.name == "ctr":
                # The counter overflows in its last 32 bits, or as a whole.
                iv = iv[: (12, 0, 16)[number % 3]].ljust(16, b"\xff")
            aad = (
                chance.randbytes(chance.choice([0, 1, 16, 33, 200])) if mode.authenticated else b""
            )
            key = chance.randbytes(key_bytes * mode.keys)
            yield Message(mode, key, iv, aad, chance.randbytes(length))


def we_read(message: Message, crypt: Crypt) -> None:
    """They encrypt and we decrypt, and we refuse what was altered."""
    mode = message.mode
    theirs = crypt(mode.name, message.key, message.iv, message.aad, message.text, True)
    if mode.name == "cmac":
        return same(ours(message, message.text, True), theirs)
    same(ours(message, theirs, False), message.text)
    if mode.authenticated:
        refuses(lambda: ours(message, altered(theirs), False))
    return None


def they_read(message: Message, crypt: Crypt) -> None:
    """We encrypt and they decrypt, and they refuse what was altered."""
    mode = message.mode

    def theirs(data: bytes) -> bytes:
        return crypt(mode.name, message.key, message.iv, message.aad, data, mode.name == "cmac")

    if mode.name == "cmac":
        return same(theirs(message.text), ours(message, message.text, True))
    sealed = ours(message, message.text, True)
    same(theirs(sealed), message.text)
    if mode.authenticated:
        refuses(lambda: theirs(altered(sealed)))
    return None


def altered(data: bytes) -> bytes:
    """Return the data with one bit of its last octet flipped."""
    return data[:-1] + bytes([data[-1] ^ 1])


def refuses(action: Callable[[], object]) -> None:
    """Raise unless the action is refused."""
    try:
        action()
    except Refused:
        return
    raise failure("the reader", "took an altered message")


def exchange(mode: Mode, crypt: Crypt, step: Callable[[Message, Crypt], None]) -> None:
    """Exchange all messages of a mode; a failure names the number that makes them again."""
    seed = random.SystemRandom().getrandbits(32)
    for message in messages(mode, random.Random(seed)):
        try:
            step(message, crypt)
        except AssertionError as error:
            where = f"seed {seed}, key of {len(message.key)}, text of {len(message.text)} octets"
            raise AssertionError(f"{error} ({where})") from error


def cases(crypt: Crypt, names: str, **limits: dict[str, object]) -> list[Case]:
    """Return two cases for each mode named; `limits` has what this library restricts, by mode."""
    rows = []
    for name in names.split():
        mode = replace(ALL[name], **limits.get(name, {}))  # type: ignore[arg-type]
        rows += both_ways(crypt, MODES, f"Twofish-{mode.title}, {sizes(mode)}", [mode])
    return rows


def together(crypt: Crypt, area: str, names: str, **limits: dict[str, object]) -> list[Case]:
    """Return two cases for all of the modes named."""
    chosen = [replace(ALL[name], **limits.get(name, {})) for name in names.split()]  # type: ignore[arg-type]
    what = ", ".join(mode.title for mode in chosen)
    return both_ways(crypt, area, f"Twofish in {what}, {sizes(chosen[0])}", chosen)


def sizes(mode: Mode) -> str:
    """Return the lengths of its keys in words."""
    return f"keys of {'/'.join(str(8 * n) for n in mode.key_bytes)} bits"


def both_ways(crypt: Crypt, area: str, what: str, chosen: list[Mode]) -> list[Case]:
    """Return the two cases of an exchange."""

    def all_modes(step: Callable[[Message, Crypt], None]) -> Callable[[], None]:
        def call() -> None:
            for mode in chosen:
                exchange(mode, crypt, step)

        return call

    return [
        Case(area, what, THEY_READ, all_modes(they_read)),
        Case(area, what, WE_READ, all_modes(we_read)),
    ]
