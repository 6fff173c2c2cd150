# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Keys and texts as two shares, whose xor they are."""

from __future__ import annotations

import random
from typing import Self

from ciphers import CIPHERS
from machine import Machine


def joined(share: bytes, other: bytes) -> bytes:
    return bytes(x ^ y for x, y in zip(share, other))


def shares(data: bytes, source: random.Random) -> tuple[bytes, bytes]:
    mask = source.randbytes(len(data))
    return joined(data, mask), mask


class InShares(Machine):
    """Of a masked program: load() splits a key or a text into its shares, dump() joins a text.

    It stands before the class of the machine, which has load and dump.
    """

    random: random.Random

    def share(self, key_bytes: int) -> Self:
        sizes = {"twofish_key": key_bytes, "twofish_text": CIPHERS["twofish"].block_bytes}
        self.shared = {(self.symbols[name], count) for name, count in sizes.items()}
        return self

    def load(self, address: int, data: bytes) -> None:
        if (address, len(data)) in self.shared:
            data = b"".join(shares(data, self.random))
        super().load(address, data)  # type: ignore[safe-super]

    def dump(self, address: int, count: int) -> bytes:
        if (address, count) not in self.shared:
            return super().dump(address, count)  # type: ignore[safe-super]
        both = super().dump(address, 2 * count)  # type: ignore[safe-super]
        return joined(both[:count], both[count:])
