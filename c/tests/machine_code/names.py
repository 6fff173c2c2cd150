# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Names in relocations, and functions that are known by their name only."""

from __future__ import annotations

import re

from flow import Report, Step
from objects import Instruction, Place, Program
from values import CODE, CONSTANTS, SECRET, VARIABLES, State, Value, number, pointer

# Functions of the C library, and one of ours that is like them.
EXTERNAL = ("memcpy", "memmove", "memset", "mf_wipe")


def plain_name(instruction: Instruction) -> str:
    return re.split(r"[+-]0x", instruction.symbol)[0]


def join_name(place: Place) -> str:
    return "|".join(map(str, place))


def split_name(base: str) -> Place:
    """The reverse of join_name behind a word."""
    obj, section, at = base.partition(" ")[2].split("|")
    return obj, section, int(at)


def named(program: Program, instruction: Instruction, correction: int = 0) -> Value:
    """The address that a relocation names."""
    place = program.resolve(instruction.place[0], instruction.symbol, correction)
    return pointer(CONSTANTS) if place is None else address_of(program, place)


def address_of(program: Program, place: Place) -> Value:
    """A pointer to a function, a constant or a variable."""
    if place in program.functions:
        return pointer(f"{CODE}{join_name(place)}")
    start = program.variable_at(place)
    is_constant = start[1].startswith((".rodata", ".data.rel.ro"))
    name = f"{CONSTANTS if is_constant else VARIABLES} {join_name(start)}"
    return pointer(name, place[2] - start[2])


def external_call(
    instruction: Instruction, arguments: tuple[str, ...], result: str, state: State, fault: Report
) -> Step:
    """memcpy and its like: lengths and addresses must be public. The caller forgets registers."""
    name = plain_name(instruction)
    if name in ("__stack_chk_fail", "abort"):
        return Step(falls=False)
    if name not in EXTERNAL:
        fault(f"a call of {name or 'something unknown'}, which was not given")
        return Step(falls=False)
    to, second, third = (state.get(register) for register in arguments[:3])
    size, value = (second, number(0)) if name == "mf_wipe" else (third, second)
    if name in ("memcpy", "memmove"):
        value = SECRET
        if second.secret:
            fault(f"{name} from an address that depends on a secret")
        elif size.constant is not None:
            value = state.load(second, size.constant)
    if to.secret or size.secret:
        fault(f"{name} of a secret length or to an address that depends on a secret")
    state.store(to, size.constant, value)
    state.set(result, to)
    state.flags = True
    return Step()
