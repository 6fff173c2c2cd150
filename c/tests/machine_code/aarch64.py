# SPDX-License-Identifier: Apache-2.0 OR MIT
"""AArch64, as objdump writes it: what an instruction does to secrets."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from flow import Report, Step
from instructions import Listed, Table
from names import EXTERNAL, external_call, named, plain_name, split_name
from objects import Instruction, Place, Program, UnreadableError
from values import CODE, CONSTANTS, PUBLIC, SECRET, State, Value, number

REGISTER = re.compile(r"^(?:([xw])(\d+|zr)|(w?sp)|([vqdshb])(\d+))(?:\.(\w+))?(?:\[(\d+)\])?$")
TARGET = re.compile(r"([0-9a-f]+) <[^>]*>$")
# Shifts and extensions of a general register before it is added to a base.
EXTENSION = re.compile(
    r"^(lsl|uxtw|sxtw|sxtx|uxtb|uxth|sxtb|sxth|lsr|asr|ror|msl)(?: #(\d+|0x[0-9a-f]+))?$"
)

LOADS = re.compile(r"^ld(u?r(s?[bhw])?|n?p|psw|[1-4]r?)$")
STORES = re.compile(r"^st(u?r[bh]?|n?p|[1-4])$")
WIDTHS = {"x": 8, "w": 4, "q": 16, "d": 8, "s": 4, "h": 2, "b": 1, "v": 16}
COMPARES = {"cmp", "cmn", "tst", "ccmp", "ccmn"}
FLAGS_SET = COMPARES | {"adds", "subs", "ands", "bics", "adcs", "sbcs", "negs"}
FLAGS_READ = re.compile(
    r"^(adcs?|sbcs?|ngcs?|cset|csetm|csel|csinc|csinv|csneg|cinc|cinv|cneg|ccmp|ccmn|fcsel)$"
)
READS_DESTINATION = re.compile(
    r"^(movk|bfi|bfm|bfxil|bfc|ins|bsl|bit|bif|tbx|[us]?m(la|ls)l?2?|sli|sri|[usr]*sra|[us]aba\w*"
    r"|xtn2|shrn2|rshrn2|addhn2|subhn2|sha\w+)$"
)
CONDITION = re.compile(r"^(eq|ne|cs|hs|cc|lo|mi|pl|vs|vc|hi|ls|ge|lt|gt|le|al|nv)$")
ZEROING = {"eor", "sub"}


@dataclass
class Memory:
    """A memory operand, with what is added to the base before or after."""

    base: str
    index: str = ""
    factor: int = 1
    is_narrow: bool = False  # an index of 32 bits
    displacement: int = 0
    writes_back: bool = False


@dataclass
class Operand:
    """One operand; `registers` has several for {v0.16b, v1.16b}."""

    registers: list[str] = field(default_factory=list)
    width: int = 0
    is_part: bool = False  # one element of a vector
    number: int | None = None
    memory: Memory | None = None
    other: str = ""


def split(text: str) -> list[str]:
    """Operands, at commas outside of brackets and braces."""
    return [part.strip() for part in re.split(r",(?![^\[]*\])(?![^{]*\})", text)] if text else []


def register(text: str) -> tuple[str, int, bool] | None:
    """Its name in State, its bytes, and whether only a part of it is meant."""
    match = REGISTER.match(text)
    if not match:
        return None
    kind, n, stack, vector, v, _, element = match.groups()
    if stack:
        return "sp", 8, False
    if vector:
        return f"v{v}", WIDTHS[vector], element is not None
    return ("zr" if n == "zr" else f"x{n}"), WIDTHS[kind], False


def immediate(text: str) -> int | None:
    match = re.match(r"^#?(-?(?:0x[0-9a-f]+|\d+))$", text)
    return int(match[1], 0) if match else None


def memory(text: str) -> Memory:
    inside = split(text.rstrip("!")[1:-1])
    base = register(inside[0])
    assert base is not None
    found = Memory(base[0], writes_back=text.endswith("!"))
    for part in inside[1:]:
        value, index, extension = immediate(part), register(part), EXTENSION.match(part)
        if value is not None:
            found.displacement = value
        elif index:
            found.index, found.is_narrow = index[0], index[1] == 4
        elif extension:
            found.factor = 1 << int(extension[2] or "0", 0)
        else:
            raise UnreadableError(f"address {text}")
    return found


def operand(text: str) -> Operand:
    if text.startswith("["):
        return Operand(memory=memory(text))
    if text.startswith("{"):
        lane = re.search(r"\}\[\d+\]$", text)
        inside = text[1 : text.index("}")]
        if "-" in inside:
            first, last = (int(re.findall(r"v(\d+)", part)[0]) for part in inside.split("-"))
            count = (last - first) % 32 + 1
            return Operand([f"v{(first + i) % 32}" for i in range(count)], 16, lane is not None)
        return Operand([f"v{n}" for n in re.findall(r"v(\d+)", inside)], 16, lane is not None)
    if found := register(text):
        return Operand([found[0]], found[1], found[2])
    value = immediate(text)
    return Operand(number=value) if value is not None else Operand(other=text)


class AArch64:
    """The machine, for flow.py."""

    stack_pointer = "sp"
    arguments: tuple[str, ...] = tuple(f"x{n}" for n in range(8))
    # Of v8 to v15 only the low halves are preserved: that is no matter of secrets.
    preserved: frozenset[str] = frozenset(("sp", *(f"x{n}" for n in range(19, 30))))

    def __init__(self, program: Program, table: Table) -> None:
        self.program = program
        self.table = table
        self.parsed: dict[Place, tuple[str, list[Operand]]] = {}
        self.current = Instruction(("", "", 0), "")

    def parts(self, instruction: Instruction) -> tuple[str, list[Operand]]:
        found = self.parsed.get(instruction.place)
        if found is None:
            mnemonic, _, rest = instruction.text.partition("\t")
            is_jump = mnemonic in ("b", "bl") or mnemonic.startswith("b.")
            found = (mnemonic, [] if is_jump else [operand(part) for part in split(rest.strip())])
            self.parsed[instruction.place] = found
        return found

    def target(self, instruction: Instruction) -> Place | None:
        mnemonic = instruction.mnemonic
        if not (mnemonic in ("b", "bl") or mnemonic.startswith(("b.", "cb", "tb"))):
            return None
        if mnemonic.startswith(("tbl", "tbx")):
            return None
        if instruction.symbol:
            return self.program.resolve(instruction.place[0], instruction.symbol)
        match = TARGET.search(instruction.text)
        return match and (*instruction.place[:2], int(match[1], 16))

    # --- reading and writing --------------------------------------------------------------------

    def get(self, name: str, state: State) -> Value:
        return number(0) if name == "zr" else state.get(name)

    def address(self, op: Memory, state: State, fault: Report) -> Value:
        if "LO12" in self.current.kind:
            result = named(self.program, self.current)
        else:
            result = self.get(op.base, state).moved(number(op.displacement))
        if op.index:
            if op.index.startswith("v"):
                fault("an address from a vector register")
            index = self.get(op.index, state)
            if op.is_narrow or op.factor != 1:
                index = index.as_number()
            result = result.moved(index.times(op.factor))
        if result.secret:
            fault("an address that depends on a secret")
        return result

    def write_back(self, op: Memory, after: Operand | None, state: State) -> None:
        """Change the base, as pre- and post-indexed forms do."""
        base = self.get(op.base, state)
        if op.writes_back:
            state.set(op.base, base.moved(number(op.displacement)))
        elif after is not None:
            step = number(after.number) if after.number is not None else None
            state.set(op.base, base.moved(step or self.get(after.registers[0], state)))

    def read(self, op: Operand, state: State) -> Value:
        if op.number is not None:
            return number(op.number)
        value = PUBLIC
        for i, name in enumerate(op.registers):
            one = self.get(name, state)
            value = one if i == 0 else value.mixed(one)
        if op.width == 4 and op.registers and op.registers[0].startswith("x"):
            return value.truncated()
        return value

    def write(self, op: Operand, value: Value, state: State) -> None:
        for name in op.registers:
            if name == "zr":
                continue
            if name.startswith("x") and op.width == 4:
                value = value.zero_extended()
            state.set(name, value.mixed(state.get(name)) if op.is_part else value)

    # --- one instruction ------------------------------------------------------------------------

    def step(self, instruction: Instruction, state: State, fault: Report) -> Step:
        self.current = instruction
        mnemonic, operands = self.parts(instruction)
        listed = self.table.find(mnemonic)
        if listed is None:
            fault(f"{mnemonic} is not in the list of instructions")
        control = self.control(instruction, mnemonic, operands, state, fault)
        if control is not None:
            return control
        if LOADS.match(mnemonic) or STORES.match(mnemonic):
            self.transfer(mnemonic, operands, state, fault)
            return Step()
        sources = [self.read(op, state) for op in operands]
        if listed is Listed.PUBLIC and any(value.secret for value in sources):
            fault(f"{mnemonic} of a secret")
        self.compute(mnemonic, operands, sources, state)
        return Step()

    def control(
        self,
        instruction: Instruction,
        mnemonic: str,
        operands: list[Operand],
        state: State,
        fault: Report,
    ) -> Step | None:
        """Jumps, calls, and what else does not compute."""
        target = self.target(instruction)
        if mnemonic.startswith("b."):
            if state.flags:
                fault("a branch on a secret")
            return Step(target=target)
        if mnemonic in ("cbz", "cbnz", "tbz", "tbnz"):
            if self.read(operands[0], state).secret:
                fault("a branch on a secret")
            return Step(target=target)
        if mnemonic in ("b", "bl", "br", "blr"):
            return self.jump(instruction, mnemonic, operands, target, state, fault)
        if mnemonic == "ret":
            return Step(falls=False, returns=True)
        if mnemonic in ("brk", "udf", "hlt"):
            return Step(falls=False)
        is_hint = mnemonic in ("nop", "bti", "hint", "prfm", "paciasp", "autiasp", "csdb")
        return Step() if is_hint else None

    def jump(
        self,
        instruction: Instruction,
        mnemonic: str,
        operands: list[Operand],
        target: Place | None,
        state: State,
        fault: Report,
    ) -> Step:
        calls: tuple[Place, ...] = ()
        if mnemonic == "b" and target is not None and plain_name(instruction) not in EXTERNAL:
            return Step(falls=False, target=target)
        if mnemonic in ("br", "blr"):
            value = self.read(operands[0], state)
            if value.secret:
                fault("a call of an address that depends on a secret")
            found = sorted(base for base in value.bases if base.startswith(CODE))
            calls = tuple(split_name(base) for base in found)
        elif target is not None and plain_name(instruction) not in EXTERNAL:
            calls = (target,)
        ends = mnemonic in ("b", "br")
        if calls:
            return Step(falls=not ends, calls=calls, returns=ends)
        step = external_call(instruction, self.arguments, "x0", state, fault)
        for n in range(19):
            if n > 0:
                state.set(f"x{n}", SECRET)
        for n in range(32):
            state.set(f"v{n}", SECRET)
        return Step(falls=step.falls and not ends, returns=step.falls and ends)

    def transfer(self, mnemonic: str, operands: list[Operand], state: State, fault: Report) -> None:
        """Loads and stores, of one register, of a pair, of some vectors."""
        at = next((i for i, op in enumerate(operands) if op.memory is not None), None)
        if at is None:
            raise UnreadableError(f"no address in {self.current.text}")
        place = operands[at].memory
        assert place is not None
        after = operands[at + 1] if at + 1 < len(operands) else None
        units = [(op, name) for op in operands[:at] for name in op.registers]
        address = self.address(place, state, fault)
        size = units[0][0].width
        if suffix := re.search(r"r(s?[bhw])$", mnemonic):
            size = {"b": 1, "h": 2, "w": 4}[suffix[1][-1]]
        is_vectors = mnemonic[2] in "1234"
        values = []
        for i, (op, name) in enumerate(units):
            here = address.moved(number(i * size))
            if mnemonic.startswith("st"):
                value = self.get(name, state)
                if value.secret and address.may_be_global:
                    fault("a secret stored in a global variable")
                state.store(address if is_vectors and op.is_part else here, size, value)
            else:
                values.append((op, name, self.load(address if is_vectors else here, size, state)))
        self.write_back(place, after, state)
        whole = PUBLIC.mixed(*(value for _, _, value in values)) if is_vectors else None
        for op, name, value in values:
            self.write(Operand([name], op.width, op.is_part), whole or value, state)

    def load(self, address: Value, size: int, state: State) -> Value:
        if "GOT" in self.current.kind:
            return named(self.program, self.current)
        if self.program.is_public(self.current.place[0], address.bases, address.exact, size):
            return PUBLIC
        value = state.load(address, size)
        if value.bases == {CONSTANTS}:
            value = Value(False, value.bases | self.program.code_behind(address.bases))
        return value

    def compute(
        self, mnemonic: str, operands: list[Operand], sources: list[Value], state: State
    ) -> None:
        """All that computes: its result is secret if one of its sources is."""
        result = self.result(mnemonic, operands, sources, state)
        if mnemonic in FLAGS_SET:
            condition = state.flags and mnemonic in ("ccmp", "ccmn", "adcs", "sbcs")
            state.flags = result.secret or condition
        if mnemonic.startswith("fcmp") or mnemonic.startswith("fccmp"):
            state.flags = True
        elif mnemonic not in COMPARES:
            self.write(operands[0], result, state)

    def result(
        self, mnemonic: str, operands: list[Operand], sources: list[Value], state: State
    ) -> Value:
        if mnemonic in ("adrp", "adr"):
            return named(self.program, self.current)
        if mnemonic in ("movi", "mvni", "movz", "movn"):
            return number(operands[1].number or 0) if len(operands) == 2 else PUBLIC
        same = [op.registers for op in operands[1:3]]
        if mnemonic in ZEROING and len(same) == 2 and same[0] == same[1] and len(operands) == 3:
            return number(0)
        if mnemonic == "mov" and len(operands) == 2:
            return sources[1]
        if "LO12" in self.current.kind:
            return named(self.program, self.current)
        is_vector = bool(operands[0].registers) and operands[0].registers[0].startswith("v")
        if mnemonic in ("add", "adds", "sub", "subs") and not is_vector:
            other = self.shifted(operands, sources)
            total = sources[1].moved(other, 1 if mnemonic.startswith("add") else -1)
            return total if operands[0].width == 8 else total.truncated()
        if mnemonic == "and" and operands[2].number is not None:
            mixed = sources[1].mixed()
            if operands[2].number >= 0 and operands[2].number < 1 << 32:
                return Value(mixed.secret, frozenset(), 0, None)
            return Value(mixed.secret, mixed.bases, None, sources[1].high)
        if mnemonic in ("lsl", "lsr", "ubfx", "ubfiz") and operands[2].number is not None:
            value = sources[1].as_number()
            if mnemonic == "lsl":
                return value.times(1 << operands[2].number)
            return Value(value.secret, frozenset(), 0, None)
        used = sources[1:]
        if mnemonic in COMPARES or operands[0].is_part or READS_DESTINATION.match(mnemonic):
            used = sources
        if FLAGS_READ.match(mnemonic):
            used = [*used, Value(state.flags)]
        return PUBLIC.mixed(*used)

    def shifted(self, operands: list[Operand], sources: list[Value]) -> Value:
        """The last source of an addition, with the shift or extension that may follow it."""
        other = sources[2]
        extension = EXTENSION.match(operands[3].other) if len(operands) > 3 else None
        if not extension:
            return other
        if extension[1] in ("lsl", "uxtw", "sxtw"):
            return other.as_number().times(1 << int(extension[2] or "0", 0))
        return other.mixed()
