#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Builds programs, checks them against the model and measures them.

smartcard/measure.py             every program, 20 random keys and blocks each
smartcard/measure.py PROGRAM...     these programs; a name may have * and ?
smartcard/measure.py --all ...   1,000 random keys and blocks
smartcard/measure.py --list      the names of the programs

Exit status: 0 all is well, 1 a program is wrong or could not be built, 2 wrong usage.
"""

from __future__ import annotations

import argparse
import fnmatch
import functools
import os
import random
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import claims
from ciphers import CIPHERS
from machine import BUILD, Machine, Profile, ProgramError, open_program, timings
from machines import host
from programs import PROGRAMS, Program

QUICK, FULL = 20, 1000
WATCHED = 10  # one random block in this many has all RAM compared, and its accesses counted
OTHER_TIMINGS = 100  # random keys where a program is measured by another table of clocks
DIRECTIONS = ("encrypt", "decrypt")


@dataclass
class Figures:
    """The cost of a program by one table of clocks.

    sizes     bytes of routines and macros
    clocks    the least and the most of each routine that it has
    work_ram  RAM bytes that a block touches besides key memory; return_bytes of them are the
              caller's return address
    set_ram   the same of set_key
    stack     the deepest of a block's, without that return address
    profile   the calls of each routine, and the most clocks of one
    """

    program: str
    timing: str
    rom: dict[str, int]
    sizes: dict[str, int]
    return_bytes: int
    clocks: dict[str, tuple[int, int]] = field(default_factory=dict)
    work_ram: int = 0
    set_ram: int = 0
    stack: int = 0
    profile: dict[str, Profile] = field(default_factory=dict)

    def took(self, routine: str, clocks: int) -> None:
        least, most = self.clocks.get(routine, (clocks, clocks))
        self.clocks[routine] = min(least, clocks), max(most, clocks)

    def called(self, profile: Mapping[str, Profile]) -> None:
        for name, new in profile.items():
            old = self.profile.get(name, Profile(0, 0))
            self.profile[name] = Profile(old.calls + new.calls, max(old.clocks, new.clocks))


class Session:
    """A program at work: every call is checked."""

    def __init__(self, program: Program, machine: Machine, timing: str) -> None:
        self.program = program
        self.machine = machine
        self.check_symbols()
        self.random = random.Random(program.name)  # what RAM holds at first
        self.figures = Figures(
            program.name, timing, dict(machine.rom), dict(machine.sizes), machine.return_bytes
        )
        self.kept: dict[str, bytes] = {}
        self.key_addresses = {
            machine.symbols[name] + i
            for name, count in program.key_memory.items()
            for i in range(count)
        }

    @property
    def text_addresses(self) -> range:
        at = self.machine.symbols[self.program.symbol("text")]
        return range(at, at + CIPHERS[self.program.cipher].block_bytes)

    def check_symbols(self) -> None:
        routines = [*self.program.directions, *([] if self.program.host else ["set_key"])]
        wanted = map(self.program.symbol, ("text", *routines))
        for name in (*wanted, *self.program.key_memory):
            if name not in self.machine.symbols:
                raise ProgramError(f"{self.program.name}: the image has no label {name}")

    def fill(self) -> None:
        """Nothing may depend on what RAM holds at first."""
        for part in self.machine.ram:
            self.machine.load(part.start, self.random.randbytes(len(part)))

    def kept_bytes(self) -> dict[str, bytes]:
        """Key memory that blocks leave as it is, by symbol."""
        sizes = self.program.key_memory
        return {
            name: self.machine.dump(self.machine.symbols[name], sizes[name])
            for name in self.program.unchanged
        }

    def set_key(self, key: bytes, *, watched: bool = True) -> None:
        """Also counts the RAM that this takes, if it is watched."""
        self.machine.watch(watched)
        if watched:
            self.fill()
        self.machine.load(self.machine.symbols[self.program.symbol("key")], key)
        if self.program.host:
            for name, data in host.prepared(self.program, key).items():
                self.machine.load(self.machine.symbols[name], data)
        else:
            if watched:
                self.forget()
            cost = self.machine.call(self.program.symbol("set_key"))
            self.figures.took("set_key", cost.clocks)
            if watched:
                self.figures.set_ram = max(self.figures.set_ram, self.touched_work())
        self.kept = self.kept_bytes()

    def forget(self) -> None:
        """Forget the touched addresses; the profile is kept."""
        self.figures.called(self.machine.profile())
        self.machine.forget()

    def block(self, direction: str, text: bytes) -> bytes:
        at = self.text_addresses.start
        self.machine.load(at, text)
        cost = self.machine.call(self.program.symbol(direction))
        self.figures.took(direction, cost.clocks)
        self.figures.stack = max(self.figures.stack, cost.stack)
        return self.machine.dump(at, len(text))

    def check(self, key: bytes, direction: str, text: bytes, expected: bytes) -> None:
        found = self.block(direction, text)
        if found != expected:
            raise ProgramError(
                f"{self.program.name}: {direction} is wrong: key {key.hex()}, text {text.hex()}, "
                f"expected {expected.hex()}, found {found.hex()}"
            )

    def check_key(self) -> None:
        """Key memory is as set_key left it."""
        for name, data in self.kept_bytes().items():
            if data != self.kept[name]:
                raise ProgramError(f"{self.program.name}: {name} is not left intact")

    def touched_work(self, text: Iterable[int] = ()) -> int:
        """RAM bytes, except key memory, that calls have touched since forget(), and the text.

        A block's text counts wherever it is: some machines have it in registers.
        """
        touched = self.machine.touched()
        outside = sorted(touched.difference(*self.machine.ram))
        if outside:
            raise ProgramError(f"{self.program.name}: {outside[0]:X} is used, which is not its RAM")
        return len(touched.union(text) - self.key_addresses)

    def ram(self) -> list[bytes]:
        return [self.machine.dump(part.start, len(part)) for part in self.machine.ram]

    def check_told(self, before: Sequence[bytes]) -> None:
        """All changed bytes are among the touched ones, since the counts rest on that."""
        touched = self.machine.touched()
        for part, old, new in zip(self.machine.ram, before, self.ram()):
            untold = [a for a, x, y in zip(part, old, new) if x != y and a not in touched]
            if untold:
                raise ProgramError(
                    f"{self.program.name}: {untold[0]:X} has changed, and was not touched"
                )


def one_block(session: Session, key: bytes, plain: bytes, cipher: bytes) -> None:
    """In each direction that the program has."""
    for direction, text, expected in (("encrypt", plain, cipher), ("decrypt", cipher, plain)):
        if direction in session.program.directions:
            session.check(key, direction, text, expected)


def watched_block(session: Session, key: bytes, plain: bytes, cipher: bytes) -> None:
    """The same; looks at all RAM after each direction."""
    session.set_key(key)
    for direction, text, expected in (("encrypt", plain, cipher), ("decrypt", cipher, plain)):
        if direction in session.program.directions:
            session.forget()
            before = session.ram()
            session.check(key, direction, text, expected)
            session.check_told(before)
            session.check_key()
            work = session.touched_work(session.text_addresses)
            session.figures.work_ram = max(session.figures.work_ram, work)


@functools.cache
def random_blocks(name: str, key_bits: int, count: int) -> Sequence[tuple[bytes, bytes, bytes]]:
    """Keys, plaintexts and ciphertexts of a cipher; the same ones each time."""
    cipher, source = CIPHERS[name], random.Random(key_bits)
    triples = []
    for _ in range(count):
        key, plain = source.randbytes(key_bits // 8), source.randbytes(cipher.block_bytes)
        triples.append((key, plain, cipher.model(key).encrypt(plain)))
    return triples


@functools.cache
def vectors(name: str) -> Sequence[tuple[bytes, bytes, bytes]]:
    """Those of a cipher, for all key sizes."""
    return list(CIPHERS[name].blocks())


def all_blocks(session: Session, blocks: Iterable[tuple[bytes, bytes, bytes]]) -> None:
    """The vectors, then random keys and blocks; some of them are watched."""
    for key, plain, cipher in vectors(session.program.cipher):
        if len(key) == session.program.key_bytes:
            watched_block(session, key, plain, cipher)
    for i, (key, plain, cipher) in enumerate(blocks):
        if i % WATCHED == 0:
            watched_block(session, key, plain, cipher)
        else:
            session.set_key(key, watched=False)
            one_block(session, key, plain, cipher)
            session.check_key()
    session.forget()


def measure(program: Program, count: int, timing: str = "") -> Figures:
    """By the vectors and random keys and blocks."""
    timing = timing or timings(program)[0]
    blocks = random_blocks(program.cipher, program.key_bits, count)
    if timing != timings(program)[0]:
        blocks = blocks[:OTHER_TIMINGS]
    with open_program(program, BUILD / program.name / timing, timing) as machine:
        session = Session(program, machine, timing)
        all_blocks(session, blocks)
    for sentence in claims.broken(program, session.figures.clocks):
        raise ProgramError(sentence)
    return session.figures


def line(figures: Figures) -> str:
    program = PROGRAMS[figures.program]
    parts = ", ".join(f"{part} {n}" for part, n in figures.rom.items())
    clocks = ", ".join(
        f"{routine} {least}" + (f"..{most}" if most != least else "")
        for routine, (least, most) in figures.clocks.items()
    )
    text = (
        f"{program.name} ({figures.timing}): ROM {sum(figures.rom.values())} ({parts}); RAM "
        f"{sum(program.key_memory.values())} + {figures.work_ram} (stack {figures.stack} + "
        f"{figures.return_bytes}; set_key {figures.set_ram}); {clocks}"
    )
    paper = program.paper
    if paper:
        text += f"; paper {paper.rom} B, {paper.key_ram} + {paper.work_ram}, {paper.clocks} clocks"
    return text


def _attempt(program: Program, count: int, timing: str) -> Figures | ProgramError:
    try:
        return measure(program, count, timing)
    except ProgramError as error:
        return error
    except OSError as error:
        return ProgramError(f"{program.name}: {error}")


def _leave_interrupts_to_the_first_process() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def in_parallel(
    programs: Sequence[Program], count: int
) -> Iterator[tuple[Program, Figures | ProgramError]]:
    """In the order of the programs, all timings of each."""
    jobs = [(program, timing) for program in programs for timing in timings(program)]
    if not jobs:
        return
    for cipher, bits in {(program.cipher, program.key_bits) for program in programs}:
        random_blocks(cipher, bits, count)  # once, for all processes
    at_a_time = min(len(jobs), os.cpu_count() or 1)
    pool = ProcessPoolExecutor(at_a_time, initializer=_leave_interrupts_to_the_first_process)
    try:
        done = pool.map(_attempt, *zip(*((program, count, timing) for program, timing in jobs)))
        for (program, _), result in zip(jobs, done):
            yield program, result
    finally:
        pool.shutdown(cancel_futures=True)


def chosen(patterns: Sequence[str]) -> list[Program]:
    """The programs of these names."""
    if not patterns:
        return list(PROGRAMS.values())
    names: dict[str, None] = {}
    for pattern in patterns:
        found = fnmatch.filter(PROGRAMS, pattern)
        if not found:
            raise ProgramError(
                f"there is no program '{pattern}'", "smartcard/measure.py --list names them"
            )
        names.update(dict.fromkeys(found))
    return [PROGRAMS[name] for name in names]


def fault(error: ProgramError) -> int:
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
    except ProgramError as error:
        return fault(error)
    except BrokenPipeError:
        # The reader has enough. The rest of the output must not fail again at the exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + signal.SIGPIPE
    except OSError as error:
        return fault(ProgramError(str(error)))
    except KeyboardInterrupt:
        return 130


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("programs", nargs="*", metavar="PROGRAM")
    parser.add_argument("--all", action="store_true", help="1,000 random keys and blocks")
    parser.add_argument("--list", action="store_true", help="print the names of the programs")
    arguments = parser.parse_args()
    try:
        programs = chosen(arguments.programs)
    except ProgramError as error:
        fault(error)
        return 2
    if arguments.list:
        print("\n".join(program.name for program in programs))
        return 0
    return show(programs, FULL if arguments.all else QUICK)


def show(programs: Sequence[Program], count: int) -> int:
    status = 0
    for _, result in in_parallel(programs, count):
        if isinstance(result, ProgramError):
            status = fault(result)
        else:
            print(line(result), flush=True)
    return status


if __name__ == "__main__":
    sys.exit(run(main))
