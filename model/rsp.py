# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Response files, the text form of all test vectors; vectors/README.md has its grammar."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

Case = Mapping[str, object]


def _value(value: object) -> str:
    return value.hex().upper() if isinstance(value, bytes) else str(value)


def text(about: Iterable[str], cases: Iterable[Case]) -> str:
    """A whole file: its comment, then the cases with an empty line before each."""
    lines = [f"# {line}".rstrip() for line in about]
    for case in cases:
        lines.append("")
        lines += [f"{name} = {_value(value)}".rstrip() for name, value in case.items()]
    return "\n".join(lines) + "\n"


def parse(file_text: str) -> list[dict[str, str]]:
    """The cases as dictionaries of field name to text."""
    cases: list[dict[str, str]] = [{}]
    for number, line in enumerate(file_text.splitlines(), 1):
        if line.startswith("#"):
            continue
        if not line.strip():
            cases.append({})
            continue
        name, equals, value = line.partition("=")
        if not equals:
            raise ValueError(f'line {number}: expected "NAME = VALUE", found "{line}"')
        cases[-1][name.strip()] = value.strip()
    return [case for case in cases if case]
