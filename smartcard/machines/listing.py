# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Reads listings of sdas6808: .lst of the assembler, .rst with final addresses of the linker.

A line has columns: letters of errors, address, bytes, clocks by the HMOS table, number and text of
the source's line. In place of bytes a condition has its value, 1 or 0. Long data goes on in lines
that have an address and bytes only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ADDRESS, BYTES, NUMBER, TEXT = 3, 8, 26, 32  # where the columns begin
MNEMONIC = re.compile(r"\s*(?:[\w$.]+::?\s*)*([\w.]+)")  # after labels
TRUE = "0001"
BYTES_AND_CLOCKS = re.compile(r"((?:[0-9A-F]{2} ?)*) *(?:\[ ?(\d+)\])?")


@dataclass(frozen=True)
class Line:
    """clocks is None where the assembler gives none: for data and MUL.

    is_true: a condition, and true
    """

    errors: str
    address: int | None
    data: bytes
    clocks: int | None
    number: int | None
    text: str
    is_true: bool

    @property
    def mnemonic(self) -> str:
        """Of the instruction or directive, in small letters; "" where there is none."""
        found = MNEMONIC.match(self.text)
        return found[1].lower() if found else ""


def read(listing: Path) -> Iterator[Line]:
    for text in listing.read_text().splitlines():
        address = text[ADDRESS:BYTES].strip()
        number = text[NUMBER:TEXT].strip()
        found = BYTES_AND_CLOCKS.fullmatch(text[BYTES:NUMBER].rstrip())
        data, clocks = found.groups() if found else ("", None)
        yield Line(
            text[:ADDRESS].strip(),
            int(address, 16) if address else None,
            bytes.fromhex(data),
            int(clocks) if clocks else None,
            int(number) if number.isdigit() else None,  # a negative value takes more columns
            text[TEXT:],
            text[BYTES:NUMBER].split() == [TRUE],
        )
