# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Enough of LUKS version 1 to open a volume with a passphrase, with `manyfish raw` as the cipher.

The layout and the splitting of keys are those of the LUKS1 On-Disk Format Specification 1.2.3.
"""

from __future__ import annotations

import hashlib
import struct
from dataclasses import dataclass
from pathlib import Path

from harness import Refused, manyfish

SECTOR = 512
HEADER = struct.Struct(">6sH32s32s32sII20s32sI40s")
SLOT = struct.Struct(">II32sII")
SLOTS = 8
ACTIVE = 0x00AC71F3


def text(field: bytes) -> str:
    """Return a field of the header without the zeros behind it."""
    return field.rstrip(b"\0").decode()


@dataclass(frozen=True)
class Volume:
    """An opened volume: where its payload begins and how it is encrypted."""

    mode: str
    key: bytes
    payload: int

    def crypt(self, verb: str, data: bytes, first_sector: int = 0) -> bytes:
        """Encrypt or decrypt sectors; "plain64" counts them from the payload's first."""
        base = ["raw", verb, "--key", self.key.hex()]
        if self.mode == "xts-plain64":
            place = ["--sector-bytes", str(SECTOR), "--first-sector", str(first_sector)]
            return manyfish(*base, "--mode", "xts", *place, data=data)
        if self.mode != "cbc-plain64":
            raise Refused(f"{self.mode} is not read here")
        sectors = [data[at : at + SECTOR] for at in range(0, len(data), SECTOR)]
        ivs = [struct.pack("<QQ", first_sector + i, 0).hex() for i in range(len(sectors))]
        pairs = zip(sectors, ivs)
        return b"".join(manyfish(*base, "--mode", "cbc", "--iv", iv, data=s) for s, iv in pairs)


def unlock(path: Path, passphrase: str) -> Volume:
    """Return the volume in a file."""
    data = path.read_bytes()
    magic, version, cipher, mode, hash_name, payload, key_bytes, digest, salt, rounds, _ = (
        HEADER.unpack_from(data)
    )
    if magic != b"LUKS\xba\xbe" or version != 1 or text(cipher) != "twofish":
        raise Refused(f"{path.name}: not LUKS1 with Twofish")
    name = text(hash_name)
    for number in range(SLOTS):
        state, slot_rounds, slot_salt, offset, stripes = SLOT.unpack_from(
            data, HEADER.size + number * SLOT.size
        )
        if state != ACTIVE:
            continue
        slot_key = hashlib.pbkdf2_hmac(name, passphrase.encode(), slot_salt, slot_rounds, key_bytes)
        n = -(-key_bytes * stripes // SECTOR) * SECTOR
        material = data[offset * SECTOR : offset * SECTOR + n]
        split = Volume(text(mode), slot_key, 0).crypt("decrypt", material)
        key = merge(split, key_bytes, stripes, name)
        if hashlib.pbkdf2_hmac(name, key, salt, rounds, len(digest)) == digest:
            return Volume(text(mode), key, payload * SECTOR)
    raise Refused(f"{path.name}: no slot opens")


def merge(split: bytes, n: int, stripes: int, name: str) -> bytes:
    """Return the key from its stripes, all of which are needed [specification, section 2.4]."""
    d = bytes(n)
    for i in range(stripes):
        stripe = split[i * n : (i + 1) * n]
        d = bytes(a ^ b for a, b in zip(d, stripe))
        if i < stripes - 1:
            d = diffuse(d, name)
    return d


def diffuse(data: bytes, name: str) -> bytes:
    """Hash each piece of the size of a digest, with its number in front."""
    size = hashlib.new(name).digest_size
    pieces = [data[at : at + size] for at in range(0, len(data), size)]
    hashes = [hashlib.new(name, struct.pack(">I", i) + p).digest() for i, p in enumerate(pieces)]
    return b"".join(h[: len(p)] for h, p in zip(hashes, pieces))
