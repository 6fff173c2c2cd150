# SPDX-License-Identifier: Apache-2.0 OR MIT
#
# scripts/test-dist calls it.
"""The Windows command under Wine: it asks for a passphrase, and Ctrl-C leaves no file.

Usage: dist_console.py manyfish.exe FOLDER     (FOLDER holds a file `letter`)
"""

import os
import pty
import select
import sys
import time
from pathlib import Path

SECONDS = 60


class Console:
    """A terminal with the command in it."""

    def __init__(self, program: Path, folder: Path, *arguments: str) -> None:
        self.shown = b""
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.chdir(folder)
            os.execvp("wine", ["wine", str(program), *arguments])

    def read(self) -> bool:
        """Waits for more to be shown; false at its end."""
        if not select.select([self.terminal], [], [], SECONDS)[0]:
            raise SystemExit(f"nothing came in {SECONDS} s after {self.shown!r}")
        try:
            more = os.read(self.terminal, 4096)
        except OSError:
            more = b""
        self.shown += more
        return bool(more)

    def answer(self, question: bytes, answer: bytes) -> None:
        while question not in self.shown:
            if not self.read():
                raise SystemExit(f"expected {question!r}, and this was shown: {self.shown!r}")
        self.shown = b""
        time.sleep(0.5)
        os.write(self.terminal, answer)

    def status(self) -> int:
        while self.read():
            pass
        return os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1])


def expect(condition: bool, otherwise: str) -> None:
    if not condition:
        raise SystemExit(otherwise)


def asks_for_a_passphrase(program: Path, folder: Path) -> None:
    console = Console(program, folder, "encrypt", "-p", "-o", "console.pgp", "letter")
    console.answer(b"assphrase", b"correct horse\r")
    console.answer(b"gain", b"correct horse\r")
    expect(console.status() == 0, f"encrypt failed: {console.shown!r}")
    console = Console(program, folder, "decrypt", "-o", "console.back", "console.pgp")
    console.answer(b"assphrase", b"correct horse\r")
    expect(console.status() == 0, f"decrypt failed: {console.shown!r}")
    expect(b"correct horse" not in console.shown, "the passphrase was shown")
    same = (folder / "console.back").read_bytes() == (folder / "letter").read_bytes()
    expect(same, "another text came back")


def ends_by_control_c(program: Path, folder: Path) -> None:
    place = folder / "interrupted"
    place.mkdir()
    console = Console(program, folder, "encrypt", "-p", "-o", "interrupted/letter.pgp", "letter")
    console.answer(b"assphrase", b"\x03")
    expect(console.status() != 0, "Ctrl-C did not end it")
    expect(not list(place.iterdir()), f"left behind: {list(place.iterdir())}")


if __name__ == "__main__":
    asks_for_a_passphrase(Path(sys.argv[1]), Path(sys.argv[2]))
    ends_by_control_c(Path(sys.argv[1]), Path(sys.argv[2]))
