# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Compiles simulators, which are small: when they are first needed, and when changed."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from machine import BUILD, ROOT, run_tool

SIM = ROOT / "smartcard" / "sim"
FLAGS = "-std=c11 -O2 -Wall -Wextra -Wconversion -Wpedantic -Wshadow -Wstrict-prototypes -Werror"


def c_program(
    name: str, sources: Sequence[Path], more: Sequence[str] = (), package: str = "gcc"
) -> Path:
    """The program that the sources make; `more` goes to the compiler's command line as it is.

    Processes that run at the same time may each make it; none sees half of it.
    """
    program = BUILD / name
    headers = {header for source in sources for header in source.parent.glob("*.h")}
    inputs = [*sources, *headers, *SIM.glob("*.h"), Path(__file__)]
    if program.exists() and program.stat().st_mtime > max(f.stat().st_mtime for f in inputs):
        return program
    BUILD.mkdir(parents=True, exist_ok=True)
    new = BUILD / f"{name}.{os.getpid()}"
    compiler = os.environ.get("CC", "cc")
    try:
        run_tool([*compiler.split(), *FLAGS.split(), "-o", new, *sources, *more], package)
        new.replace(program)
    finally:
        new.unlink(missing_ok=True)
    return program
