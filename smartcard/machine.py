# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A machine for people who measure and test: an image that is loaded, called and watched.

Each machine is a module in machines/ with

    TIMINGS: tuple[str, ...]    its tables of clocks; the first is the one that counts
    def open_program(program: Program, folder: Path, timing: str = TIMINGS[0]) -> Machine
    def made_by(program: Program) -> str   only if figures depend on it: compiler and release

where open_program builds the program's image in the folder, which exists. It raises ProgramError.

Every image has the same symbols, those of a cipher with its name in place of twofish:

    twofish_text     a block, in and out
    twofish_key      the key as it came, 16, 24 or 32 bytes
    twofish_s        S, in the program's own order (programs.py says if it is not one piece)
    twofish_memory   what else stays between blocks: subkeys, S-boxes (or twofish_sboxes apart)
    twofish_set_key  makes S, and what a program stores besides, of the key; absent if a host does
    twofish_encrypt, twofish_decrypt
"""

from __future__ import annotations

import importlib
import subprocess
import sys
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from programs import Program

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "smartcard"

sys.path.append(str(ROOT / "model"))  # which the programs are judged by


class ProgramError(Exception):
    """A sentence that says what is wrong, and one that says what to do."""

    def __init__(self, error: str, hint: str = "") -> None:
        super().__init__(error, hint)
        self.error = error
        self.hint = hint

    def __str__(self) -> str:
        return self.error


@dataclass(frozen=True)
class Cost:
    """The cost of a call.

    clocks  from the first instruction of the routine to its return, both included
    stack   the deepest stack below the entry in bytes, without the caller's return address
    """

    clocks: int
    stack: int


@dataclass(frozen=True)
class Profile:
    """How often a routine was called since forget(), and the most clocks that it took."""

    calls: int
    clocks: int


class Machine(ABC):
    """One image, loaded.

    symbols       every label of the image; data addresses as load() takes them
    rom           bytes of code and tables by part: cipher, tables, set_key; together all of it
    ram           what of RAM the image may use, the stack included
    sizes         bytes of each routine and macro whose comment states its cost
    return_bytes  of the caller's return address that touched() shows (0 where it is in a register)
    """

    symbols: Mapping[str, int]
    rom: Mapping[str, int]
    ram: Sequence[range]
    sizes: Mapping[str, int] = MappingProxyType({})
    return_bytes: int = 2

    @abstractmethod
    def load(self, address: int, data: bytes) -> None: ...

    @abstractmethod
    def dump(self, address: int, count: int) -> bytes: ...

    @abstractmethod
    def call(self, routine: str) -> Cost: ...

    def watch(self, on: bool) -> None:  # noqa: B027, most machines always watch
        """Whether touched() must tell of the calls that follow; some machines are faster without.

        It is on at first.
        """

    @abstractmethod
    def touched(self) -> frozenset[int]:
        """RAM addresses that a call has read or written since forget()."""

    @abstractmethod
    def forget(self) -> None:
        """Clears what touched() and profile() tell."""

    def profile(self) -> Mapping[str, Profile]:
        """By label; only of machines whose simulator tells."""
        return {}

    @abstractmethod
    def close(self) -> None: ...

    def __enter__(self) -> Machine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Simulator:
    """A simulator in C that answers a line to each line, as sim/monitor.h describes."""

    def __init__(self, command: Sequence[str | Path]) -> None:
        self.name = Path(command[0]).name
        try:
            self.process = subprocess.Popen(
                [str(word) for word in command],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
        except FileNotFoundError:
            raise ProgramError(f"{command[0]} is not there", "run make setup") from None

    def ask(self, line: str) -> str:
        assert self.process.stdin and self.process.stdout
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            raise self._ended() from None
        answer = self.process.stdout.readline()
        if not answer:
            raise self._ended()
        answer = answer.rstrip("\n")
        if answer.startswith("error: "):
            raise ProgramError(f"{self.name}: {answer[7:]}", f"it was asked: {line[:60]}")
        return answer

    def _ended(self) -> ProgramError:
        self.process.wait()
        assert self.process.stderr
        said = self.process.stderr.read().strip() or f"status {self.process.returncode}"
        return ProgramError(f"{self.name} has ended: {said}")

    def load(self, address: int, data: bytes) -> None:
        self.ask(f"load {address:X} {data.hex()}")

    def dump(self, address: int, count: int) -> bytes:
        return bytes.fromhex(self.ask(f"dump {address:X} {count:X}"))

    def call(self, address: int) -> Cost:
        fields = dict(field.split("=") for field in self.ask(f"call {address:X}").split())
        return Cost(int(fields["clocks"]), int(fields["stack"]))

    def touched(self) -> frozenset[int]:
        found: set[int] = set()
        for text in self.ask("touched").split():
            first, _, last = text.partition("-")
            found.update(range(int(first, 16), int(last or first, 16) + 1))
        return frozenset(found)

    def forget(self) -> None:
        self.ask("forget")

    def profile(self) -> dict[int, Profile]:
        """By address."""
        found = {}
        for text in self.ask("profile").split():
            address, calls, clocks = text.split(":")
            found[int(address, 16)] = Profile(int(calls), int(clocks))
        return found

    def close(self) -> None:
        assert self.process.stdin and self.process.stdout and self.process.stderr
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()
        self.process.stderr.close()


class SimulatedMachine(Machine):
    """A machine whose simulator speaks the line protocol."""

    def __init__(self, simulator: Simulator) -> None:
        self.simulator = simulator

    def load(self, address: int, data: bytes) -> None:
        self.simulator.load(address, data)

    def dump(self, address: int, count: int) -> bytes:
        return self.simulator.dump(address, count)

    def call(self, routine: str) -> Cost:
        return self.simulator.call(self.symbols[routine])

    def touched(self) -> frozenset[int]:
        return self.simulator.touched()

    def forget(self) -> None:
        self.simulator.forget()

    def profile(self) -> Mapping[str, Profile]:
        found = self.simulator.profile()
        return {name: found[at] for name, at in self.symbols.items() if at in found}

    def close(self) -> None:
        self.simulator.close()


def run_tool(command: Sequence[str | Path], package: str, folder: Path | None = None) -> str:
    """The output of an assembler, compiler or such; what it complains of becomes the error."""
    words = [str(word) for word in command]
    try:
        done = subprocess.run(words, cwd=folder, capture_output=True, text=True)
    except FileNotFoundError:
        raise ProgramError(
            f"{words[0]} is not installed", f"apt-get install {package}, or make setup"
        ) from None
    if done.returncode:
        said = (done.stdout + done.stderr).strip() or f"status {done.returncode}"
        raise ProgramError(f"{words[0]}: {said}", " ".join(words))
    return done.stdout


def timings(program: Program) -> tuple[str, ...]:
    found: tuple[str, ...] = _module(program.machine).TIMINGS
    return found


def made_by(program: Program) -> str:
    """The compiler that the program's figures depend on; an assembler makes the same everywhere."""
    found: str = getattr(_module(program.machine), "made_by", lambda _: "")(program)
    return found


def open_program(program: Program, folder: Path, timing: str = "") -> Machine:
    """Builds the program in the folder, which is made, and loads it."""
    folder.mkdir(parents=True, exist_ok=True)
    module = _module(program.machine)
    machine: Machine = module.open_program(program, folder, timing or module.TIMINGS[0])
    return machine


def _module(machine: str) -> Any:
    try:
        return importlib.import_module(f"machines.{machine}")
    except ModuleNotFoundError as error:
        if error.name == f"machines.{machine}":
            raise ProgramError(f"there is no smartcard/machines/{machine}.py") from None
        raise ProgramError(
            f"{sys.executable} has no package {error.name}",
            "run make setup, then build/venv/bin/python smartcard/measure.py",
        ) from None
