# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the programs here that make tables from CSV share."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path


def run(usage: str | None, commands: dict[str, Callable[[], int]]) -> int:
    """Calls the command that the one argument names; without it prints the usage, and returns 2."""
    if len(sys.argv) != 2 or sys.argv[1] not in commands:
        print(usage, file=sys.stderr)
        return 2
    return commands[sys.argv[1]]()


def remake(path: Path, made: str, error: str, *, check: bool) -> int:
    """Writes a made document; to check prints the error and returns 1 where it is another."""
    if not check:
        path.write_text(made, encoding="utf-8")
    elif path.read_text(encoding="utf-8") != made:
        program = Path(sys.argv[0]).name
        print(f"{program}: error: {error}", file=sys.stderr)
        print(f"{program}: hint: run bench/{program} tables", file=sys.stderr)
        return 1
    return 0
