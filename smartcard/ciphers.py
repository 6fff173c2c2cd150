# SPDX-License-Identifier: Apache-2.0 OR MIT
"""CIPHERS: what the programs compute, by the name that their symbols begin with."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from machine import ROOT  # it also finds the model

# isort: split
import des
import twofish
from rsp import parse


class Model(Protocol):
    """A cipher under one key."""

    def encrypt(self, block: bytes, /) -> bytes: ...


@dataclass(frozen=True)
class Cipher:
    """A block cipher.

    model    computes it for a key
    vectors  names of files in vectors/, in ECB, whose blocks every program of it must compute
    """

    block_bytes: int
    model: Callable[[bytes], Model]
    vectors: tuple[str, ...]

    def blocks(self) -> Iterator[tuple[bytes, bytes, bytes]]:
        """Key, plaintext and ciphertext of each block of the vectors."""
        for name in self.vectors:
            for case in parse(_path(name).read_text(encoding="ascii")):
                key, plain, cipher = (bytes.fromhex(case[field]) for field in ("KEY", "PT", "CT"))
                for i in range(0, len(plain), self.block_bytes):
                    end = i + self.block_bytes
                    yield key, plain[i:end], cipher[i:end]


def _path(name: str) -> Path:
    return ROOT / "vectors" / f"{name}.rsp"


# The steps of ECB_TBL use every entry of q and of MDS, the tests of SP 500-20 every one of S and P.
CIPHERS: Mapping[str, Cipher] = {
    "twofish": Cipher(twofish.BLOCK_BYTES, twofish.Twofish, ("twofish_ecb_tbl",)),
    "des": Cipher(des.BLOCK_BYTES, des.Des, ("des_ecb", "tdes_ecb")),
}
