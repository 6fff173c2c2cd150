# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The committed list of instructions whose time is known not to depend on their data."""

from __future__ import annotations

import re
from enum import Enum
from pathlib import Path

from objects import UnreadableError


class Listed(Enum):
    """The verdict of the list on an instruction."""

    DOIT = "doit"  # on the vendor's list
    UNLISTED = "unlisted"  # not on it, and taken on another ground, which the list names
    CONTROL = "control"  # jumps and the like: what they depend on is checked
    PUBLIC = "public"  # may take a time that depends on data, which then must be public


class Table:
    """Lines of "mnemonic class [remark]"; a mnemonic is a regular expression without spaces."""

    def __init__(self, path: Path) -> None:
        self.rows: list[tuple[re.Pattern[str], Listed]] = []
        self.known: dict[str, Listed | None] = {}
        for line in path.read_text(encoding="utf-8").splitlines():
            words = line.split()
            if not words or words[0].startswith("#"):
                continue
            if len(words) < 2 or words[1] not in [listed.value for listed in Listed]:
                raise UnreadableError(f"{path}: {line}")
            if words[1] == "unlisted" and len(words) < 3:
                raise UnreadableError(f"{path}: no reason in: {line}")
            self.rows.append((re.compile(f"^(?:{words[0]})$"), Listed(words[1])))

    def find(self, mnemonic: str) -> Listed | None:
        if mnemonic not in self.known:
            matches = (listed for pattern, listed in self.rows if pattern.match(mnemonic))
            self.known[mnemonic] = next(matches, None)
        return self.known[mnemonic]
