# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Where things are, how tools of others are run, and how errors are reported."""

from __future__ import annotations

import contextlib
import fcntl
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HARDWARE = ROOT / "hardware"
RTL = HARDWARE / "rtl"
BUILD = ROOT / "build" / "hardware"
LONG = bool(os.environ.get("MF_TEST_LONG"))  # of scripts/test-hardware --long


def places(rtl: Path = RTL, flow: str = "chip") -> tuple[Path, ...]:
    """The folders with the modules of a core, for a "chip" or for an "fpga"."""
    return rtl, rtl / "tables", rtl / flow


class HardwareError(Exception):
    """A sentence that says what is wrong, and one that says what to do."""

    def __init__(self, error: str, hint: str = "") -> None:
        super().__init__(error, hint)
        self.error = error
        self.hint = hint

    def __str__(self) -> str:
        return self.error


def run_tool(
    command: Sequence[str | Path],
    package: str,
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> str:
    """The output of a tool; what it complains of becomes the error."""
    words = [str(word) for word in command]
    try:
        done = subprocess.run(
            words,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=None if environment is None else {**os.environ, **environment},
        )
    except FileNotFoundError:
        raise HardwareError(
            f"{words[0]} is not installed", f"apt-get install {package}, or make setup"
        ) from None
    if done.returncode:
        said = "\n".join(done.stdout.strip().splitlines()[-8:]) or f"status {done.returncode}"
        raise HardwareError(f"{words[0]}: {said}", " ".join(words)[:200])
    return done.stdout


def write(path: Path, text: str) -> None:
    """All of it or nothing, also where other threads and processes write the same."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f"{path.name}.{os.getpid()}.{threading.get_ident()}")
    try:
        new.write_text(text, encoding="utf-8")
        new.replace(path)
    finally:
        new.unlink(missing_ok=True)


@contextlib.contextmanager
def alone_in(folder: Path) -> Iterator[Path]:
    """Makes a folder in which no other process builds meanwhile: what two write is nobody's."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield folder


def fault(error: HardwareError) -> int:
    """Prints it, and returns the status of a failure."""
    program = Path(sys.argv[0]).name
    print(f"{program}: error: {error.error}", file=sys.stderr)
    if error.hint:
        print(f"{program}: hint: {error.hint}", file=sys.stderr)
    return 1


def run(main: Callable[[], int]) -> int:
    """The exit status of a program."""
    try:
        status = main()
        sys.stdout.flush()
        return status
    except HardwareError as error:
        return fault(error)
    except BrokenPipeError:
        # The reader has enough. The rest of the output must not fail again at the exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + signal.SIGPIPE
    except OSError as error:
        return fault(HardwareError(str(error)))
    except KeyboardInterrupt:
        return 130
