# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Follows secrets through a program until nothing new is found: a data-flow analysis."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from objects import Function, Instruction, Place, Program
from values import STACK, State, pointer

# Visits of one place before bounds that still move are given up.
PATIENCE = 4

Report = Callable[[str], None]


@dataclass
class Step:
    """Where control goes: on, to `target`, or to both; into one of `calls`; back."""

    falls: bool = True
    target: Place | None = None
    calls: tuple[Place, ...] = ()
    returns: bool = False


class Machine(Protocol):
    """An instruction set."""

    stack_pointer: str
    arguments: tuple[str, ...]
    preserved: frozenset[str]

    def step(self, instruction: Instruction, state: State, fault: Report) -> Step:
        """Changes the state as the instruction does, and reports what is wrong with it."""

    def target(self, instruction: Instruction) -> Place | None:
        """Where a jump or a call goes, if it is known."""


@dataclass
class Analysis:
    """A function, as called by all of its callers. States are kept where ways can meet."""

    function: Function
    entry: State
    exit: State | None = None
    callers: set[Place] = field(default_factory=set)
    states: dict[Place, State] = field(default_factory=dict)
    visits: dict[Place, int] = field(default_factory=dict)


class Flow:
    """Analyses entry functions and whatever these call; collects faults by place."""

    def __init__(self, program: Program, machine: Machine) -> None:
        self.program = program
        self.machine = machine
        self.analyses: dict[Place, Analysis] = {}
        self.faults: dict[Place, set[str]] = {}
        self.seen: set[Place] = set()
        self.pending: list[Place] = []
        self.meetings = {machine.target(i) for i in program.instructions.values()}

    def frame(self, function: Function) -> str:
        return f"{STACK}{function.name} in {function.place[0]}"

    def entry_state(self, function: Function) -> State:
        """The arguments of a function that anybody may call are pointers and counts, and public."""
        state = State()
        for i, register in enumerate(self.machine.arguments):
            state.set(register, pointer(f"argument {i}"))
        state.set(self.machine.stack_pointer, pointer(self.frame(function)))
        state.written.clear()
        return state

    def analyse(self, entries: list[Function]) -> None:
        for function in entries:
            self.enter(function.place, self.entry_state(function), None)
        while self.pending:
            self.run(self.analyses[self.pending.pop()])

    def enter(self, place: Place, state: State, caller: Place | None) -> Analysis:
        """Notes one more way into a function, which is to be analysed if that is news."""
        analysis = self.analyses.get(place)
        if analysis is None:
            analysis = Analysis(self.program.functions[place], state)
            self.analyses[place] = analysis
            self.pending.append(place)
        elif analysis.entry.merge(state, widen=True) and place not in self.pending:
            self.pending.append(place)
        if caller is not None:
            analysis.callers.add(caller)
        return analysis

    # --- one function ---------------------------------------------------------------------------

    def run(self, analysis: Analysis) -> None:
        """From the start, and from each place known: a callee may have changed since."""
        self.arrive(analysis, analysis.function.place, analysis.entry.copy())
        todo = list(analysis.states)
        while todo:
            for place, state in self.follow(analysis, todo.pop()):
                if self.arrive(analysis, place, state):
                    todo.append(place)

    def arrive(self, analysis: Analysis, place: Place, state: State) -> bool:
        known = analysis.states.get(place)
        if known is None:
            analysis.states[place] = state
            return True
        visits = analysis.visits[place] = analysis.visits.get(place, 0) + 1
        return known.merge(state, widen=visits > PATIENCE)

    def follow(self, analysis: Analysis, place: Place) -> list[tuple[Place, State]]:
        """Runs straight on to where ways part or meet; the places where control may be then."""
        state = analysis.states[place].copy()
        while True:
            instruction = self.program.instructions.get(place)
            if instruction is None:
                self.fault(analysis.function.place, "control leaves the code")
                return []
            self.seen.add(place)
            step = self.machine.step(instruction, state, self.reporter(place))
            ways: list[tuple[Place, State]] = []
            if step.calls and not self.call_any(analysis, place, step.calls, state):
                return []
            if step.returns:
                self.leave(analysis, state)
            if step.target is not None:
                ways += self.jump(analysis, place, step.target, state.copy())
            if not step.falls:
                return ways
            following = self.program.following.get(place)
            if following is None:
                return ways
            if ways or following in self.meetings:
                return [*ways, (following, state)]
            place = following

    def jump(
        self, analysis: Analysis, place: Place, target: Place, state: State
    ) -> list[tuple[Place, State]]:
        function = self.program.functions.get(target)
        if function is None or function is analysis.function or ".cold" in function.name:
            return [(target, state)]
        # A tail call: it returns to our caller.
        if self.call(analysis, place, target, state):
            self.leave(analysis, state)
        return []

    def reporter(self, place: Place) -> Report:
        return lambda text: self.fault(place, text)

    def fault(self, place: Place, text: str) -> None:
        self.faults.setdefault(place, set()).add(text)

    # --- calls ----------------------------------------------------------------------------------

    def call_any(
        self, analysis: Analysis, place: Place, targets: tuple[Place, ...], state: State
    ) -> bool:
        """A call of one of several functions."""
        before = state.copy()
        ended = False
        for target in targets:
            after = before.copy()
            if not self.call(analysis, place, target, after):
                continue
            if ended:
                state.merge(after, widen=False)
            else:
                state.registers, state.flags = after.registers, after.flags
                state.slots, state.written = after.slots, after.written
            ended = True
        return ended

    def call(self, analysis: Analysis, place: Place, target: Place, state: State) -> bool:
        """Enters a function with the state of its caller; False if it is not known how it ends."""
        function = self.program.functions.get(target)
        if function is None:
            self.fault(place, "a call into the middle of a function")
            return False
        entry = State(dict(state.registers), state.flags)
        entry.set(self.machine.stack_pointer, pointer(self.frame(function)))
        entry.written.clear()
        callee = self.enter(target, entry, analysis.function.place)
        for register in self.machine.arguments:
            state.spoil(state.get(register))
        if callee.exit is None:
            return False
        state.flags = callee.exit.flags
        for register in callee.exit.written - self.machine.preserved:
            state.set(register, callee.exit.get(register))
        return True

    def leave(self, analysis: Analysis, state: State) -> None:
        """One more way out; if that is news, the callers have to look again."""
        leaving = State(dict(state.registers), state.flags, {}, set(state.written))
        if analysis.exit is None:
            analysis.exit = leaving
        elif not analysis.exit.merge(leaving, widen=True):
            return
        self.pending += [caller for caller in analysis.callers if caller not in self.pending]
