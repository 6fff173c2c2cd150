#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The pages of the site, from the Markdown of the repository; and a check of a built site's links.

scripts/site_pages.py pages FOLDER   copy there the pages that docs/SUMMARY.md lists, and the files
                                     that they link
scripts/site_pages.py check FOLDER   exit 1 if a link within the site in FOLDER leads nowhere

Pages keep their places in the repository, so their links stay right. Three things change:
README.md becomes index.md, as mdBook wants it. A link to a folder without a page, to the source of
a page of HTML, or to the table of contents, becomes plain text. `build/site/PATH` becomes a link to
that path.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

ROOT = Path(__file__).resolve().parent.parent
SUMMARY = ROOT / "docs" / "SUMMARY.md"

LINK = re.compile(r"(?P<text>!?\[(?:[^][]|\[[^]]*\])*\])\((?P<target>[^)\s]+)\)")
FENCE = re.compile(r"(^ *```.*?^ *```$)", re.DOTALL | re.MULTILINE)
BUILT = re.compile(r"`build/site/([a-z/]+)`")


class SiteError(Exception):
    """A page that cannot be part of the site."""


# --- pages ---------------------------------------------------------------------------------------


def linked(path: Path) -> Iterator[tuple[re.Match[str], Path]]:
    """The links of a page to files and folders of the repository."""
    for match in LINK.finditer(path.read_text(encoding="utf-8")):
        name = match["target"].partition("#")[0]
        if name and ":" not in name:
            yield match, Path(os.path.normpath(path.parent / name))


@cache
def listed() -> frozenset[Path]:
    """The pages that the table of contents lists."""
    return frozenset(target for _, target in linked(SUMMARY))


def tracked() -> set[Path]:
    """All Markdown files of the repository, but those for the forge."""
    command = [
        "git",
        "-C",
        str(ROOT),
        "ls-files",
        "--cached",
        "--others",
        "--exclude-standard",
        "*.md",
    ]
    names = subprocess.check_output(command, text=True).splitlines()
    return {ROOT / name for name in names if name[0] != "." and (ROOT / name).is_file()}


def place(path: Path, folder: Path) -> Path:
    """Where a page goes."""
    if path == SUMMARY:
        return folder / "SUMMARY.md"
    there = folder / path.relative_to(ROOT)
    return there.with_name("index.md") if path.name == "README.md" else there


def rewritten(text: str, path: Path, folder: Path) -> str:
    """The text of a page, with the links of the site. Blocks of code stay as they are."""

    def link(match: re.Match[str]) -> str:
        name, hash_, anchor = match["target"].partition("#")
        if not name or ":" in name:
            return match[0]
        target = Path(os.path.normpath(path.parent / name))
        if target.is_dir() and target / "README.md" in listed():
            target /= "README.md"
        elif target.is_dir() or target.suffix == ".html" or target == SUMMARY:
            return match["text"][1:-1]
        if target.suffix == ".md" and target not in listed():
            raise SiteError(f"{path}: links {target}, which docs/SUMMARY.md does not list")
        if target.suffix != ".md":
            copy(target, folder)
        name = os.path.relpath(place(target, folder), place(path, folder).parent)
        return f"{match['text']}({name}{hash_}{anchor})"

    def built(match: re.Match[str]) -> str:
        name = os.path.relpath(folder / match[1], place(path, folder).parent)
        return f"[{match[0]}]({name}/index.html)"

    parts = FENCE.split(text)
    parts[::2] = [BUILT.sub(built, LINK.sub(link, part)) for part in parts[::2]]
    return "".join(parts)


def copy(file: Path, folder: Path) -> None:
    there = folder / file.relative_to(ROOT)
    there.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(file, there)


def pages(folder: Path) -> None:
    """Writes all pages; those that nobody listed are an error."""
    if missing := tracked() - listed() - {SUMMARY}:
        names = ", ".join(str(path.relative_to(ROOT)) for path in sorted(missing))
        raise SiteError(f"docs/SUMMARY.md does not list {names}")
    shutil.rmtree(folder, ignore_errors=True)
    for path in (SUMMARY, *sorted(listed())):
        there = place(path, folder)
        text = path.read_text(encoding="utf-8")
        there.parent.mkdir(parents=True, exist_ok=True)
        there.write_text(rewritten(text, path, folder), encoding="utf-8")


# --- the check -----------------------------------------------------------------------------------


class Targets(HTMLParser):
    """The links of a page, and the names that can be linked in it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.names = {""}
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        for name, value in attributes:
            if value and (name == "id" or (name == "name" and tag == "a")):
                self.names.add(value)
            if value and name in ("href", "src"):
                self.links.append(value)


@cache
def targets(path: Path) -> Targets:
    return Targets(path.read_text(encoding="utf-8", errors="replace"))


def bad_links(path: Path, folder: Path) -> Iterator[str]:
    """In references and in page/ scripts make what anchors name, so only files are looked for."""
    for link in targets(path).links:
        name, _, anchor = link.partition("#")
        name = unquote(name.partition("?")[0])
        if ":" in name or name.startswith("//"):
            continue  # another site
        target = path.parent / name if name else path
        target = target / "index.html" if target.is_dir() else target
        if not target.is_file():
            yield f"{path}: the link to {link} leads nowhere"
        elif target.suffix != ".html" or target.relative_to(folder).parts[0] in ("api", "page"):
            continue
        elif unquote(anchor) not in targets(target).names:
            yield f"{path}: the link to {link} names no place in that page"


def check(folder: Path) -> None:
    # 404.html has links from the root of the server.
    found = sorted(set(folder.rglob("*.html")) - {folder / "404.html"})
    wrong = [message for path in found for message in bad_links(path, folder)]
    if not found or wrong:
        raise SiteError("\n".join(wrong) or f"{folder} has no pages")
    n_links = sum(len(targets(path).links) for path in found)
    print(f"{n_links:,} links of {len(found)} pages lead somewhere")


def main() -> int:
    commands = {"pages": pages, "check": check}
    if len(sys.argv) != 3 or sys.argv[1] not in commands:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        commands[sys.argv[1]](Path(sys.argv[2]).resolve())
    except SiteError as error:
        print(f"site_pages: error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
