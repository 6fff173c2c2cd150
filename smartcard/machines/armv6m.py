# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The instructions of ARMv6-M: how long each takes, and what it does to the stack pointer.

Nothing is executed here. The encodings are those of [ARMv6-M, A5], the clocks those of
[CortexM0, 3.3] and [CortexM0+, 3.3], without wait states and with the fast multiplier.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


class NotArmv6MError(ValueError):
    """Not an instruction of ARMv6-M, or one without known clocks."""


@dataclass(frozen=True)
class Core:
    """Clocks of what differs between the cores. The rest: [CortexM0, 3.3].

    taken    a branch that is taken: B, BX, BLX, and what else writes to the program counter
    call     BL
    pop_pc   a POP with the program counter, besides one for each register
    special  MRS, MSR and the barriers
    """

    taken: int
    call: int
    pop_pc: int
    special: int


CORES = {
    "m0": Core(taken=3, call=4, pop_pc=4, special=4),
    "m0plus": Core(taken=2, call=3, pop_pc=3, special=3),
}

LOAD = 2  # of one register; stores likewise. Lists take 1 and one for each register.


@dataclass(frozen=True)
class Instruction:
    """One at its address.

    clocks  if a conditional branch, of the one that is not taken
    taken   of a conditional branch that is taken; else 0
    ends    whether it ends a straight run of instructions
    stack   by how many bytes the stack grows; None if that cannot be told
    """

    size: int
    clocks: int
    taken: int = 0
    ends: bool = False
    stack: int | None = 0


Rule = Callable[[int, Core], Instruction]

PC, SP = 15, 13


def _bits(word: int) -> int:
    return bin(word).count("1")


def _one(_word: int, _core: Core) -> Instruction:
    return Instruction(2, 1)


def _memory(_word: int, _core: Core) -> Instruction:
    return Instruction(2, LOAD)


def _list(word: int, _core: Core) -> Instruction:
    return Instruction(2, 1 + _bits(word & 0xFF))


def _high_register(word: int, core: Core) -> Instruction:
    """ADD and MOV that reach all registers."""
    target = word >> 4 & 8 | word & 7
    if target == PC:
        return Instruction(2, core.taken, ends=True)
    return Instruction(2, 1, stack=None if target == SP else 0)


def _jump(_word: int, core: Core) -> Instruction:
    return Instruction(2, core.taken, ends=True)


def _branch_if(word: int, core: Core) -> Instruction:
    if word & 0xFF == 0xFF:
        raise NotArmv6MError(f"{word:04X} leads to the next instruction whether taken or not")
    return Instruction(2, 1, taken=core.taken, ends=True)


def _add_sp(word: int, _core: Core) -> Instruction:
    return Instruction(2, 1, stack=-4 * (word & 0x7F))


def _sub_sp(word: int, _core: Core) -> Instruction:
    return Instruction(2, 1, stack=4 * (word & 0x7F))


def _push(word: int, _core: Core) -> Instruction:
    count = _bits(word & 0x1FF)
    return Instruction(2, 1 + count, stack=4 * count)


def _pop(word: int, core: Core) -> Instruction:
    count = _bits(word & 0x1FF)
    if word & 0x100:
        return Instruction(2, core.pop_pc + count, ends=True, stack=-4 * count)
    return Instruction(2, 1 + count, stack=-4 * count)


# Patterns of 16 bits, first that fits.
_SHORT: tuple[tuple[str, Rule | None], ...] = (
    ("00011...........", _one),  # ADD, SUB of registers or 3 bits
    ("000.............", _one),  # LSL, LSR, ASR by a number
    ("001.............", _one),  # MOV, CMP, ADD, SUB of 8 bits
    ("010000..........", _one),  # data processing, MUL among it
    ("01000101........", _one),  # CMP of high registers
    ("010001.0........", _high_register),
    ("01000111.....000", _jump),  # BX, BLX
    ("01001...........", _memory),  # LDR of a literal
    ("0101............", _memory),  # by two registers
    ("011.............", _memory),  # words and bytes
    ("100.............", _memory),  # halves, and words on the stack
    ("1010............", _one),  # ADR, ADD of SP
    ("101100000.......", _add_sp),
    ("101100001.......", _sub_sp),
    ("10110010........", _one),  # SXTH, SXTB, UXTH, UXTB
    ("1011010.........", _push),
    ("1011101000......", _one),  # REV
    ("1011101001......", _one),  # REV16
    ("1011101011......", _one),  # REVSH
    ("1011110.........", _pop),
    ("1011111100000000", _one),  # NOP
    ("1100............", _list),  # STM, LDM
    ("11011110........", None),  # UDF
    ("11011111........", None),  # SVC
    ("1101............", _branch_if),
    ("11100...........", _jump),
)


def _fits(word: int, pattern: str) -> bool:
    return all(bit in (".", has) for bit, has in zip(pattern, f"{word:0{len(pattern)}b}"))


def _long(first: int, second: int, core: Core) -> Instruction:
    pair = first << 16 | second
    if _fits(pair, "11110...........11.1............"):  # BL
        return Instruction(4, core.call, ends=True)
    if _fits(pair, "11110011100.....1000............"):  # MSR
        return Instruction(4, core.special, stack=None)
    if _fits(pair, "11110011111.....1000............"):  # MRS
        return Instruction(4, core.special)
    if _fits(pair, "111100111011....10001111010.....") or _fits(
        pair, "111100111011....100011110110...."
    ):  # DSB, DMB, ISB
        return Instruction(4, core.special)
    raise NotArmv6MError(f"{first:04X} {second:04X} is no instruction of ARMv6-M")


def decode(first: int, second: int, core: Core) -> Instruction:
    """The instruction that begins with a halfword; the second one counts if it has 32 bits."""
    if first >> 11 in (0b11101, 0b11110, 0b11111):
        return _long(first, second, core)
    for pattern, rule in _SHORT:
        if _fits(first, pattern):
            if rule is None:
                break
            return rule(first, core)
    raise NotArmv6MError(f"{first:04X} is no instruction of ARMv6-M whose clocks are known")


@dataclass(frozen=True)
class Run:
    """Straight instructions, of which the last may be a branch.

    clocks  of all of them, if a conditional branch at the end is not taken
    taken   what one that is taken adds
    ends    whether a branch is the last
    calls   whether that is BL
    stack   by how many bytes the stack has grown at the end
    deepest by how many it had grown at most
    """

    next: int
    clocks: int
    taken: int
    ends: bool
    calls: bool
    stack: int
    deepest: int


def run(code: bytes, at: int, size: int, core: Core) -> Run:
    """The run of this many bytes, code beginning at address `at`."""
    clocks = stack = deepest = offset = 0
    last = Instruction(0, 0)
    while offset < size:
        if last.ends:
            raise NotArmv6MError(f"there is a branch within the run at {at:X}")
        first, second = (int.from_bytes(code[i : i + 2], "little") for i in (offset, offset + 2))
        last = decode(first, second, core)
        if last.stack is None:
            raise NotArmv6MError(f"the stack pointer is written at {at + offset:X}")
        offset += last.size
        clocks += last.clocks
        stack += last.stack
        deepest = max(deepest, stack)
    if offset != size:
        raise NotArmv6MError(f"the run at {at:X} ends within an instruction")
    taken = max(0, last.taken - last.clocks)
    calls = last.ends and last.size == 4
    return Run(at + size, clocks, taken, last.ends, calls, stack, deepest)
