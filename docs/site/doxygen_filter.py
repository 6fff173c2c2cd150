#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Shows the headers of C to Doxygen in its manner: comments of declarations, arguments as @param.

Usage: doxygen_filter.py HEADER
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

# A comment that begins a line, and the declaration behind it.
COMMENT = re.compile(
    r"^/\* (?P<words>.*?) ?\*/\n(?P<next>.*?(?:;|\{|\n\n|\Z))", re.DOTALL | re.MULTILINE
)
# "   key_bytes  16, 24 or 32", and lines that go on.
ARGUMENT = re.compile(
    r"^ \*   (?P<name>\w+(?:, \w+)*) {2,}(?P<words>\S.*(?:\n \*     +\S.*)*)", re.MULTILINE
)


def shown(match: re.Match[str]) -> str:
    following = match["next"]

    def argument(row: re.Match[str]) -> str:
        names = row["name"].split(", ")
        if not all(re.search(rf"\b{name}\b", following) for name in names):
            return row[0]
        return f" * @param {','.join(names)} {row['words']}\n *"

    words = ARGUMENT.sub(argument, match["words"])
    if match.start() == 0:  # the first comment is that of the file
        words = "@file\n" + words.partition("\n")[2]
    # A word before < or # is no HTML and no link; @ and \ begin no command.
    words = re.sub(r"(?<![\\@])[<#]", r"\\\g<0>", words)
    return f"/** {words} */\n{following}"


print(COMMENT.sub(shown, Path(sys.argv[1]).read_text(encoding="utf-8")), end="")
