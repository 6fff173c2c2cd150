#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Writes every file that is made by the model, or checks that they are up to date."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import c_tables
import vector_files

ROOT = Path(__file__).resolve().parent.parent

FILES: dict[str, Callable[[], str]] = {
    "c/src/twofish/tables/tables.h": c_tables.tables_h,
    "c/src/twofish/tables/tables.c": c_tables.tables_c,
    "c/src/twofish/tables/known_answers.h": c_tables.known_answers_h,
    **vector_files.FILES,
}


def write(name: str, text: str) -> None:
    path = ROOT / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode("ascii"))


if __name__ == "__main__":
    for name, make in FILES.items():
        write(name, make())
    sys.exit(0)
