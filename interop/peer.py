# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Peers: foreign programs in languages of their own, each a process that answers requests.

A request is a line: a word and then octets in hexadecimal digits, each behind one space. The answer
is `ok` and octets, or `refused` and the words of the error.
"""

from __future__ import annotations

import atexit
import subprocess
from pathlib import Path

from harness import ROOT, NotRun, Refused

BUILD = ROOT / "build" / "interop"
PEERS = ROOT / "interop" / "peers"
SECONDS_TO_END = 10


class Peer:
    """A process, started at the first request."""

    def __init__(self, *command: str | Path, needs: Path) -> None:
        """Take the command, and a folder without which it cannot work."""
        self.command, self.needs = command, needs
        self.process: subprocess.Popen[str] | None = None

    def ask(self, request: str, *given: bytes) -> bytes:
        """Return the octets of the answer."""
        process = self.started()
        assert process.stdin and process.stdout
        process.stdin.write(" ".join([request, *(data.hex() for data in given)]) + "\n")
        process.stdin.flush()
        word, _, rest = process.stdout.readline().rstrip("\n").partition(" ")
        if word == "refused":
            raise Refused(rest)
        if word != "ok":
            raise AssertionError(f"{self.command[0]} ended, or said {word!r}")
        return bytes.fromhex(rest)

    def started(self) -> subprocess.Popen[str]:
        """Return the process."""
        if self.process is None:
            if not self.needs.exists():
                raise NotRun(f"{self.needs.name} is missing")
            try:
                self.process = subprocess.Popen(
                    [str(each) for each in self.command],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    encoding="utf-8",
                )
            except FileNotFoundError:
                raise NotRun(f"{self.command[0]} is not installed") from None
            atexit.register(self.end, self.process)
        return self.process

    @staticmethod
    def end(process: subprocess.Popen[str]) -> None:
        """Let the process end: it reads until there is no more, unless it hangs."""
        assert process.stdin
        process.stdin.close()
        try:
            process.wait(SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            process.kill()
