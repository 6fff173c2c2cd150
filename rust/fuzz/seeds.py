#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Writes what the fuzz targets start from, a folder for each target: seeds.py FOLDER"""

from __future__ import annotations

import gzip
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "model"))

import rsp  # noqa: E402


def cases(name: str) -> list[dict[str, str]]:
    return rsp.parse((ROOT / name).read_text(encoding="ascii"))


def seeds() -> Iterator[tuple[str, str, str]]:
    """Targets, name and octets of each."""
    for case in cases("rust/fuzz/seeds.rsp"):
        yield case["TARGETS"], case["NAME"], case["OCTETS"]
    for name, start, end in (("luks1-cbc-essiv", 8, 592), ("luks2-xts-plain64", 4096, 8192)):
        image = gzip.decompress((ROOT / f"interop/fixtures/{name}.img.gz").read_bytes())
        yield name[:5], name, image[start:end].rstrip(b"\0").hex()
    for name in (
        "safe.psafe3",
        "kdb.kdb",
        "kdbx3-aeskdf-pykeepass.kdbx",
        "mcrypt-ctr-short.nc",
        "keystore.ubr",
    ):
        yield "files", name, (ROOT / "interop/fixtures" / name).read_bytes().hex()
    for file in ("messages", "sequoia"):
        for case in cases(f"vectors/openpgp/{file}.rsp"):
            yield "message", case["NAME"].replace("/", "-"), case["MESSAGE"]


def main() -> None:
    for targets, name, octets in seeds():
        for target in targets.split():
            folder = Path(sys.argv[1]) / target
            folder.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(bytes.fromhex(octets))


if __name__ == "__main__":
    main()
