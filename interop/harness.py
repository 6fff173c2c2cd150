# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Shared parts of the programs of this folder: cases, their outcome, our own command.

A case is one row of the matrix: a program, what is exchanged, a direction. It says what ought to
happen: that the reader gets back what went in, or that it refuses in the words written down.
Another outcome is a failure, a refusal that has turned into success too.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import results

ROOT = Path(__file__).resolve().parent.parent
FIXTURES = ROOT / "interop" / "fixtures"
PASSPHRASE = (FIXTURES / "passphrase").read_text(encoding="utf-8").rstrip("\n")

# Our command.
COMMAND = os.environ.get("MANYFISH", str(ROOT / "rust/target/release/manyfish"))

# The directions.
THEY_READ = "ours to theirs"
WE_READ = "theirs to ours"
# Both find the same in what a third one wrote.
BOTH = "both"

# The areas, in the order of the page.
OPENPGP = "OpenPGP messages"
KEEPASS = "KeePass databases"
DISK = "Disks"
MODES = "Bare modes"
INSIDE = "Programs with this cipher in them"


class Refused(Exception):  # noqa: N818 - no error: a result
    """The reader did not take what it was given; the text is what it said."""


class NotRun(Exception):  # noqa: N818 - the same
    """The case cannot be tried here; the text says why."""


@dataclass(frozen=True)
class Case:
    """One row of the matrix."""

    area: str
    what: str
    direction: str
    run: Callable[[], None]
    # The words of the refusal that is expected, as a pattern; without them success is.
    refusal: str | None = None


@dataclass(frozen=True)
class Program:
    """A foreign program: one for each file in programs/."""

    name: str
    # Where it comes from, by the name that it has there.
    source: str
    # Its version as it tells it. Raises NotRun if it is not installed.
    version: Callable[[], str]
    # Asked only if there is a version.
    cases: Callable[[], list[Case]]


def failure(program: str, words: str) -> AssertionError:
    """A result that is wrong rather than refused."""
    return AssertionError(f"{program}: {words}")


def same(found: bytes, wanted: bytes) -> None:
    """Raise unless the reader got back what was written."""
    if found != wanted:
        raise failure("the text read back", f"{len(found)} octets differ from {len(wanted)}")


def run(*command: str | Path, data: bytes = b"", words: str = "") -> bytes:
    """Return what a command writes to standard output.

    If it fails, raise Refused with the last line of its error output, or the first one that matches
    the pattern `words`.
    """
    try:
        done = subprocess.run(command, input=data, capture_output=True, check=False)
    except FileNotFoundError:
        raise NotRun(f"{command[0]} is not installed") from None
    if done.returncode != 0:
        raise Refused(telling_line(done.stderr or done.stdout, words))
    return done.stdout


def telling_line(output: bytes, words: str = "") -> str:
    """Return the line of an error output that says most: the matching one, or else the last."""
    lines = [line.strip() for line in output.decode(errors="replace").splitlines() if line.strip()]
    matching = [line for line in lines if words and re.search(words, line)]
    return re.sub(r"^\w+: (error: )?", "", (matching or lines[-1:] or ["without a word"])[0])


def version_line(*command: str) -> str:
    """Return the first version number that a command tells."""
    try:
        done = subprocess.run(command, capture_output=True, check=False)
    except (FileNotFoundError, PermissionError):
        raise NotRun(f"{command[0]} is not installed") from None
    found = re.search(r"\d+(\.\d+)+", (done.stdout + done.stderr).decode(errors="replace"))
    if done.returncode != 0 or not found:
        raise NotRun(f"{command[0]} does not tell its version")
    return found[0]


def package_version(package: str) -> str:
    """Return the version of a Debian package without what Debian adds to it."""
    command = ["dpkg-query", "-W", "-f", "${Version}", package]
    try:
        done = subprocess.run(command, capture_output=True, check=False, text=True)
    except FileNotFoundError:
        raise NotRun("the version is known on Debian only") from None
    if done.returncode != 0 or not done.stdout:
        raise NotRun(f"the package {package} is not installed")
    return re.sub(r"^\d+:|[-+].*$", "", done.stdout)


def manyfish(*arguments: str | Path, data: bytes = b"") -> bytes:
    """Return what our command writes; Refused has the line of its error."""
    return run(COMMAND, *arguments, data=data, words="error:")


def encrypt(data: bytes, *options: str) -> bytes:
    """Return an OpenPGP message of ours under the passphrase of the fixtures."""
    return manyfish("encrypt", "--passphrase-file", FIXTURES / "passphrase", *options, data=data)


def decrypt(message: bytes) -> bytes:
    """Return what is in an OpenPGP message, read by us."""
    return manyfish("decrypt", "--passphrase-file", FIXTURES / "passphrase", data=message)


def writes_as(*options: str) -> bool:
    """Whether our command knows these options of `encrypt`."""
    try:
        encrypt(b"", *options)
    except Refused:
        return False
    return True


def outcome(case: Case) -> tuple[str, str]:
    """Run a case; return its result and the words that go with it."""
    try:
        case.run()
    except NotRun as why:
        return results.NOT_RUN, str(why)
    except Refused as refusal:
        words = str(refusal)
        if case.refusal is None:
            return results.WRONG, f"refuses: {words}"
        if not re.search(case.refusal, words):
            return results.WRONG, f'refuses, but without "{case.refusal}": {words}'
        return results.REFUSES, words
    except AssertionError as error:
        return results.WRONG, str(error)
    if case.refusal is not None:
        return results.WRONG, f'should be refused with "{case.refusal}"'
    return results.OK, ""
