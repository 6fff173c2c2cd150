# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Programs whose memory is searched for secrets, while they work and at their end. Linux alone.

A program that makes itself undumpable keeps everybody out, except those who came in before: its
parent opens its memory at the moment when it starts. No privilege is needed for that.
"""

from __future__ import annotations

import ctypes
import errno
import os
import select
import signal
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO

TRACEME, CONT, SETOPTIONS = 0, 7, 0x4200
EVENT_EXIT = 6
OPTIONS = 1 << EVENT_EXIT | 1 << 20  # stop at the exit; die with the parent
WINDOW = 8  # bytes of a secret that are looked for
PATIENCE_SECONDS = 120
TRIES = 10


def _ptrace(request: int, pid: int, data: int = 0) -> bool:
    """Loads the C library when it is called: this module can be imported on every system."""
    ptrace = ctypes.CDLL(None, use_errno=True).ptrace
    ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
    ptrace.restype = ctypes.c_long
    return bool(ptrace(request, pid, None, data) != -1)


def refusal() -> str:
    """Why memory cannot be searched here; empty if it can."""
    if not sys.platform.startswith("linux"):
        return "the memory of programs is searched on Linux alone"
    try:
        with Traced(["true"]) as program:
            program.run_to_exit()
            return "" if program.memory() else "no memory can be read here"
    except OSError as error:
        return f"programs cannot be traced here: {error.strerror}"


class Traced:
    """A program that runs; nobody reads its output before `run_to_exit`."""

    def __init__(
        self,
        command: Sequence[str | Path],
        environment: Mapping[str, str] | None = None,
        prepare: Callable[[], object] = lambda: None,
    ) -> None:
        self.output = b""
        self._at_exit = threading.Event()
        reading, writing = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            try:
                os.dup2(writing, 1)
                prepare()
                _ptrace(TRACEME, 0)
                os.execvpe(
                    command[0],
                    [str(word) for word in command],
                    {**os.environ, **(environment or {})},
                )
            finally:
                os._exit(127)
        os.close(writing)
        self._pipe: IO[bytes] = os.fdopen(reading, "rb")
        stopped = os.waitpid(self.pid, 0)[1]
        if not os.WIFSTOPPED(stopped):
            raise OSError(None, f"{command[0]} did not start")
        self._maps = os.open(f"/proc/{self.pid}/maps", os.O_RDONLY)
        self._memory = os.open(f"/proc/{self.pid}/mem", os.O_RDONLY)
        self._ptrace(SETOPTIONS, OPTIONS)
        self._ptrace(CONT, 0)

    def __enter__(self) -> Traced:
        return self

    def __exit__(self, *_: object) -> None:
        self._pipe.close()
        os.close(self._maps)
        os.close(self._memory)
        os.kill(self.pid, signal.SIGKILL)
        # A process that has stopped on its way out does not hear the signal.
        _ptrace(CONT, self.pid)
        while os.WIFSTOPPED(os.waitpid(self.pid, 0)[1]):
            _ptrace(CONT, self.pid)

    def _ptrace(self, request: int, data: int) -> None:
        if not _ptrace(request, self.pid, data):
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))

    def run_until_blocked(self) -> None:
        """Waits until every thread sleeps, and none has run for a while."""
        before = None
        end = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < end:
            now = self._threads()
            if now and now == before and all("\nState:\tS" in status for status in now):
                return
            before = now
            time.sleep(0.2)
        raise TimeoutError("the program does not come to rest")

    def _threads(self) -> list[str]:
        """The system's words on each; none if one ends meanwhile."""
        tasks = list(Path(f"/proc/{self.pid}/task").iterdir())
        try:
            return [(task / "status").read_text() for task in tasks]
        except (FileNotFoundError, ProcessLookupError):
            return []

    def run_to_exit(self) -> None:
        """Reads the output, and stops where the program calls exit; its memory is still there."""
        reader = threading.Thread(target=self._read)
        reader.start()
        while True:
            status = os.waitpid(self.pid, 0)[1]
            if not os.WIFSTOPPED(status):
                raise OSError(None, "the program has gone")
            if status >> 16 == EVENT_EXIT:
                break
            self._ptrace(CONT, 0 if status >> 16 else os.WSTOPSIG(status))
        self._at_exit.set()
        reader.join()

    def _read(self) -> None:
        """To the end, which does not show: the stopped program still holds the pipe."""
        while True:
            if select.select([self._pipe], [], [], 0.05)[0]:
                self.output += os.read(self._pipe.fileno(), 1 << 16)
            elif self._at_exit.is_set():
                return

    def available(self) -> bytes:
        """The output of the program so far."""
        return os.read(self._pipe.fileno(), 1 << 16)

    def locked_kib(self) -> int:
        """Memory that the system keeps out of the swap file."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        return int(status.split("VmLck:")[1].split()[0])

    def owner(self) -> int:
        """The users who may look at the program: root alone where it has made itself undumpable."""
        return Path(f"/proc/{self.pid}/mem").stat().st_uid

    def limits(self) -> str:
        return Path(f"/proc/{self.pid}/limits").read_text()

    def memory(self) -> list[tuple[str, bytes]]:
        """All that the program can write to, by its name."""
        for _ in range(TRIES):
            try:
                return self._areas()
            except OSError as error:
                # The program runs, and has given an area back since it was listed.
                if error.errno != errno.EIO:
                    raise
        return self._areas()

    def _areas(self) -> list[tuple[str, bytes]]:
        os.lseek(self._maps, 0, os.SEEK_SET)
        lines = b""
        while piece := os.read(self._maps, 1 << 16):
            lines += piece
        areas = []
        for line in lines.decode().splitlines():
            addresses, rights, _, _, _, *name = line.split(maxsplit=5)
            if rights.startswith("rw"):
                start, end = (int(address, 16) for address in addresses.split("-"))
                content = b""
                while start + len(content) < end:
                    content += os.pread(
                        self._memory, end - start - len(content), start + len(content)
                    )
                areas.append((f"{addresses} {' '.join(name)}", content))
        return areas


def places(areas: list[tuple[str, bytes]], secret: bytes) -> list[str]:
    """Where a secret is, in part or as a whole: one entry for parts that hang together.

    Of a copy, wherever it begins, some part is a whole word of the memory.
    """
    pieces = {int.from_bytes(piece, sys.byteorder) for piece in windows(secret)}
    found = []
    for name, content in areas:
        words = pieces.intersection(memoryview(content).cast("Q"))
        parts = [word.to_bytes(WINDOW, sys.byteorder) for word in words]
        hits = sorted(at for part in parts for at in _all(content, part))
        before = [-len(secret), *hits]
        apart = [at for last, at in zip(before, hits) if at - last >= len(secret)]
        found += [f"{name} + {at:#x}" for at in apart]
    return found


def windows(secret: bytes) -> set[bytes]:
    """Parts of a secret as bytes, and in words of the other order, as hashes hold them."""
    pieces = {secret[i : i + WINDOW] for i in range(len(secret) - WINDOW + 1)}
    halves = {piece[3::-1] + piece[:3:-1] for piece in pieces}
    return pieces | halves | {piece[::-1] for piece in pieces}


def _all(content: bytes, piece: bytes) -> list[int]:
    hits = [content.find(piece)]
    while hits[-1] >= 0:
        hits.append(content.find(piece, hits[-1] + 1))
    return hits[:-1]
