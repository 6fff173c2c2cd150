# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The test vectors of the repository, as vectors/README.md describes them."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "vectors"


class Case(dict[str, str]):
    """The fields of one case."""

    def bytes(self, name: str) -> bytes:
        """A byte string."""
        return bytes.fromhex(self[name])

    def number(self, name: str) -> int:
        """A decimal number."""
        return int(self[name])


def cases(name: str) -> list[Case]:
    """The cases of a file, named from vectors/ on."""
    text = (FOLDER / f"{name}.rsp").read_text("ascii")
    found = []
    for paragraph in text.split("\n\n"):
        lines = [
            line.partition("=") for line in paragraph.splitlines() if line[:1] not in ("#", "")
        ]
        if lines:
            found.append(Case((field.strip(), value.strip()) for field, _, value in lines))
    return found
