# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Facts about a register or a place on the stack: is it secret, and what may it point into."""

from __future__ import annotations

from dataclasses import dataclass, field

# The targets of a value: "argument 0", a stack frame, constants, other variables; or what code
# it may be the address of. Names begin so:
STACK = "stack of "
CONSTANTS = "constants"
VARIABLES = "variables"
CODE = "code "


@dataclass(frozen=True)
class Value:
    """`bases` is empty for a plain number; low and high bound the number, or the distance from the
    base; None is "unknown".
    """

    secret: bool
    bases: frozenset[str] = frozenset()
    low: int | None = None
    high: int | None = None

    @property
    def exact(self) -> int | None:
        """The number, or the distance from the base, if only one is possible."""
        return self.low if self.low == self.high else None

    @property
    def constant(self) -> int | None:
        """The number, if it is one and only one is possible."""
        return None if self.bases else self.exact

    @property
    def frame(self) -> str | None:
        """The stack frame into which it points, if into nothing else."""
        base = next(iter(self.bases)) if len(self.bases) == 1 else ""
        return base if base.startswith(STACK) else None

    @property
    def frames(self) -> list[str]:
        return [base for base in self.bases if base.startswith(STACK)]

    @property
    def may_be_global(self) -> bool:
        """As the address of a store: constants lie in memory that cannot be written, so what may
        point elsewhere as well does so.
        """
        return any(base.startswith(VARIABLES) for base in self.bases) or (
            bool(self.bases) and all(base.startswith(CONSTANTS) for base in self.bases)
        )

    def as_number(self) -> Value:
        """Scaled or cut to 32 bits it points nowhere; counts are not negative."""
        if not self.bases:
            return self
        return Value(self.secret, frozenset(), 0, None)

    def times(self, factor: int) -> Value:
        """A number that is scaled by a positive factor."""
        low, high = self.low, self.high
        return Value(
            self.secret,
            self.bases,
            None if low is None else low * factor,
            None if high is None else high * factor,
        )

    def truncated(self) -> Value:
        """The low 32 bits, or fewer: small numbers keep their bounds; pointers point no more."""
        is_small = (
            self.low is not None and self.high is not None and 0 <= self.low <= self.high < 128
        )
        return self if is_small and not self.bases else Value(self.secret, frozenset(), 0, None)

    def zero_extended(self) -> Value:
        """As it is in the whole register after 32 bits of it were written."""
        if self.constant is not None:
            n = self.constant & 0xFFFFFFFF
            return Value(self.secret, frozenset(), n, n)
        if self.low is not None and self.low >= 0:
            return self.as_number()
        return Value(self.secret, frozenset(), 0, None)

    def moved(self, other: Value, sign: int = 1) -> Value:
        """The sum, or the difference."""
        low, high = (other.low, other.high) if sign > 0 else (other.high, other.low)
        return Value(
            self.secret or other.secret,
            self.bases | other.bases,
            None if self.low is None or low is None else self.low + sign * low,
            None if self.high is None or high is None else self.high + sign * high,
        )

    def mixed(self, *others: Value) -> Value:
        """Any other computation on these."""
        everything = (self, *others)
        bases = frozenset[str]().union(*(value.bases for value in everything))
        return Value(any(value.secret for value in everything), bases)


SECRET = Value(True)
PUBLIC = Value(False)


def number(n: int) -> Value:
    return Value(False, frozenset(), n, n)


def pointer(base: str, offset: int = 0) -> Value:
    return Value(False, frozenset({base}), offset, offset)


def join(old: Value, new: Value, *, widen: bool) -> Value:
    """The facts that hold on both ways; a bound that still moves after many rounds is given up."""
    if old == new:
        return old
    low = None if old.low is None or new.low is None else min(old.low, new.low)
    high = None if old.high is None or new.high is None else max(old.high, new.high)
    if widen:
        low = low if low == old.low else None
        high = high if high == old.high else None
    return Value(old.secret or new.secret, old.bases | new.bases, low, high)


def low_byte(register: str) -> str:
    """The name by which State knows it."""
    return f"{register}/1"


@dataclass
class State:
    """All registers and the stack before one instruction. Anything not listed is secret."""

    registers: dict[str, Value] = field(default_factory=dict)
    flags: bool = True  # secret?
    slots: dict[tuple[str, int], tuple[int, Value]] = field(default_factory=dict)
    written: set[str] = field(default_factory=set)  # registers, since the function began

    def copy(self) -> State:
        return State(dict(self.registers), self.flags, dict(self.slots), set(self.written))

    def get(self, register: str) -> Value:
        return self.registers.get(register, SECRET)

    def set(self, register: str, value: Value) -> None:
        self.registers[register] = value
        self.registers[low_byte(register)] = value
        self.written.add(register)

    def set_low_byte(self, register: str, value: Value) -> None:
        """The rest stays; it often does not matter, since only this byte is read."""
        self.set(register, self.get(register).mixed(value))
        self.registers[low_byte(register)] = value

    def merge(self, other: State, *, widen: bool) -> bool:
        """Adds what holds on another way that leads here; True if that changed anything."""
        before = (dict(self.registers), self.flags, dict(self.slots), set(self.written))
        self.registers = {
            name: join(value, other.registers[name], widen=widen)
            for name, value in self.registers.items()
            if name in other.registers
        }
        self.flags = self.flags or other.flags
        self.slots = {
            place: (size, join(value, other.slots[place][1], widen=widen))
            for place, (size, value) in self.slots.items()
            if place in other.slots and other.slots[place][0] == size
        }
        self.written |= other.written
        return before != (self.registers, self.flags, self.slots, self.written)

    # --- memory ---------------------------------------------------------------------------------

    def overlapping(self, frame: str, low: int | None, end: int | None) -> list[tuple[str, int]]:
        return [
            place
            for place, (size, _) in self.slots.items()
            if place[0] == frame
            and (end is None or place[1] < end)
            and (low is None or place[1] + size > low)
        ]

    def load(self, address: Value, size: int) -> Value:
        """Constants are public, the stack is followed, and what a caller points to is secret."""
        if address.bases and all(base.startswith(CONSTANTS) for base in address.bases):
            return Value(False, frozenset({CONSTANTS}))
        frame, offset = address.frame, address.exact
        if frame is None or offset is None:
            return SECRET
        if self.slots.get((frame, offset), (0, SECRET))[0] == size:
            return self.slots[frame, offset][1]
        parts = self.overlapping(frame, offset, offset + size)
        covered = sum(
            min(place[1] + self.slots[place][0], offset + size) - max(place[1], offset)
            for place in parts
        )
        if covered < size:
            return SECRET
        return PUBLIC.mixed(*(self.slots[place][1] for place in parts))

    def store(self, address: Value, size: int | None, value: Value) -> None:
        """At an address known only within a range, the old value may still be there."""
        for frame in address.frames:
            exact = address.exact if address.frame else None
            if exact is not None and size is not None:
                for place in self.overlapping(frame, exact, exact + size):
                    self.keep_rest(place, exact, exact + size)
                self.slots[frame, exact] = (size, value)
                continue
            low = address.low if address.frame else None
            end = address.high + size if address.frame and address.high and size else None
            for place in self.overlapping(frame, low, end):
                old_size, old = self.slots[place]
                self.slots[place] = (old_size, old.mixed(value))

    def keep_rest(self, place: tuple[str, int], start: int, end: int) -> None:
        """Of a slot that is partly overwritten, the rest remains."""
        frame, offset = place
        size, value = self.slots.pop(place)
        rest = PUBLIC.mixed(value)
        if offset < start:
            self.slots[frame, offset] = (start - offset, rest)
        if offset + size > end:
            self.slots[frame, end] = (offset + size - end, rest)

    def spoil(self, address: Value) -> None:
        """A function that is given this address may write anything from there on."""
        for frame in address.frames:
            low = address.low if address.frame else None
            for place in self.overlapping(frame, low, None):
                del self.slots[place]
