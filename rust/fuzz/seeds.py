#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Writes what the fuzz targets start from, a folder for each target: seeds.py FOLDER"""

from __future__ import annotations

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
