# SPDX-License-Identifier: Apache-2.0 OR MIT
"""x86-64, as objdump writes it in Intel's syntax: what an instruction does to secrets."""

from __future__ import annotations

import re

from flow import Report, Step
from instructions import Listed, Table
from names import EXTERNAL, address_of, external_call, named, plain_name, split_name
from objects import Instruction, Place, Program
from values import (
    CODE,
    CONSTANTS,
    PUBLIC,
    SECRET,
    STACK,
    State,
    Value,
    low_byte,
    number,
    pointer,
)
from x86_operands import WIDTHS, Memory, Operand, operand, split

PREFIXES = {"rep", "repz", "repnz", "lock", "notrack", "bnd", "data16", "cs", "ds"}

TARGET = re.compile(r"^([0-9a-f]+)( <.*>)?$")

JUMPS = re.compile(r"^j(?!mp$|e?cxz$|rcxz$)[a-z]+$")
MOVES = re.compile(
    r"^(mov|movabs|movzx|movsxd?|movd|movq|movdq[au]|mov[au]p[sd]|lddqu|movnt\w+|movbe|kmov[bwdq]"
    r"|vmov(d|q|dq[au]\d*|[au]p[sd]|ntdqa?)|vlddqu)$"
)
FLAGS_SET = re.compile(
    r"^(add|sub|and|or|xor|adc|sbb|sh[lr]|sa[lr]|ro[lr]|rc[lr]|inc|dec|neg|imul|mul|i?div|cmp|test"
    r"|bt[src]?|bs[fr]|[tl]zcnt|popcnt|andn|bls(r|i|msk)|bzhi|bextr|sh[lr]d|ad[co]x)$"
)
FLAGS_KEPT_IN_PART = re.compile(r"^(inc|dec|ro[lr]|rc[lr]|sh[lr]|sa[lr]|sh[lr]d|bt[src]?|ad[co]x)$")
FLAGS_READ = {"adc", "sbb", "rcl", "rcr", "adcx", "adox"}
VECTOR_TESTS = re.compile(r"^v?(ptest|testp[sd]|u?comis[sd])$|^k(or)?test[bwdq]$")
ZEROING = re.compile(r"^v?p?(xor[bwdq]?|sub[bwdq]|xorp[sd]|cmpgt[bwdq])$|^vpxor[dq]$")
ONES = re.compile(r"^v?pcmpeq[bwdq]$")
GATHER = re.compile(r"^v?p?(gather|scatter)")
MASKED_MEMORY = re.compile(r"^v?p?maskmov")
# Instructions of three operands that read the first one too.
READS_DESTINATION = re.compile(
    r"^vp(ternlog|ermi2|ermt2|dp|sh[lr]dv|madd52)|^vfn?m|^shld$|^shrd$|^sha|^imul$"
)
STRINGS = {"stos": ("store",), "movs": ("load", "store")}


class X86:
    """The machine, for flow.py."""

    stack_pointer = "rsp"
    arguments: tuple[str, ...] = ("rdi", "rsi", "rdx", "rcx", "r8", "r9")
    preserved: frozenset[str] = frozenset(("rbx", "rbp", "rsp", "r12", "r13", "r14", "r15"))

    def __init__(self, program: Program, table: Table) -> None:
        self.program = program
        self.table = table
        self.parsed: dict[Place, tuple[str, str, list[Operand]]] = {}
        self.current = Instruction(("", "", 0), "")

    def parts(self, instruction: Instruction) -> tuple[str, str, list[Operand]]:
        """Prefix, mnemonic and operands."""
        found = self.parsed.get(instruction.place)
        if found is None:
            words = instruction.text.split(None, 1)
            prefix = ""
            while words[0] in PREFIXES and len(words) > 1:
                prefix = words[0] if words[0].startswith("rep") else prefix
                words = words[1].split(None, 1)
            mnemonic, rest = words[0], words[1] if len(words) > 1 else ""
            is_jump = JUMPS.match(mnemonic) is not None or mnemonic in ("jmp", "call")
            skipped = (
                is_jump or mnemonic.startswith("nop") or (mnemonic == "xchg" and rest == "ax,ax")
            )
            found = (prefix, mnemonic, [] if skipped else [operand(part) for part in split(rest)])
            self.parsed[instruction.place] = found
        return found

    def target(self, instruction: Instruction) -> Place | None:
        words = instruction.text.split(None, 1)
        while words[0] in PREFIXES and len(words) > 1:
            words = words[1].split(None, 1)
        if not JUMPS.match(words[0]) and words[0] not in ("jmp", "call"):
            return None
        if "[" in words[1] or words[1] in WIDTHS:
            return None
        if instruction.symbol:
            return self.program.resolve(instruction.place[0], instruction.symbol, 4)
        match = TARGET.match(words[1])
        return match and (*instruction.place[:2], int(match[1], 16))

    # --- reading and writing --------------------------------------------------------------------

    def address(self, memory: Memory, state: State) -> Value:
        result = number(memory.displacement)
        if memory.is_constant:
            result = self.named(memory.displacement)
        for register, factor in memory.registers:
            value = state.get(register)
            if factor != 1:
                value = value.as_number().times(factor)
            result = result.moved(value)
        return result

    def named(self, displacement: int) -> Value:
        """The target that the instruction names: by a relocation, or by its distance."""
        obj, section, at = self.program.following.get(self.current.place, self.current.place)
        if not self.current.symbol:
            return address_of(self.program, (obj, section, at + displacement))
        return named(self.program, self.current, at - self.current.field)

    def checked_address(self, memory: Memory, state: State, fault: Report) -> Value:
        address = self.address(memory, state)
        if memory.size == 0:
            fault("memory of a size that is not known")
        if any(register.startswith("v") for register, _ in memory.registers):
            fault("an address from a vector register")
        elif address.secret:
            fault("an address that depends on a secret")
        return address

    def read(self, op: Operand, state: State, fault: Report) -> Value:
        if op.number is not None:
            return number(op.number)
        if op.memory is None:
            value = state.get(op.register)
            if op.register.startswith(("v", "k")) or op.width == 8:
                return value
            if op.width == 1 and not op.is_high_byte:
                value = state.registers.get(low_byte(op.register), SECRET)
            return value.truncated()
        if op.memory.segment == "fs":
            return PUBLIC  # the canary of the stack protector
        if "GOTPCREL" in self.current.kind and op.memory.is_constant:
            return self.named(0)
        address = self.checked_address(op.memory, state, fault)
        obj, size = self.current.place[0], op.memory.size
        if self.program.is_public(obj, address.bases, address.exact, size):
            return PUBLIC
        value = state.load(address, size)
        if value.bases == {CONSTANTS}:
            value = Value(False, value.bases | self.program.code_behind(address.bases))
        return value

    def write(self, op: Operand, value: Value, state: State, fault: Report) -> None:
        if op.mask and not op.zeroing and op.memory is None:
            value = value.mixed(state.get(op.register))
        if op.mask:
            mask = state.get(op.mask)
            if op.memory is not None and mask.secret:
                fault("memory selected by a secret mask")
            value = value.mixed(mask)
        if op.memory is not None:
            address = self.checked_address(op.memory, state, fault)
            if value.secret and address.may_be_global:
                fault("a secret stored in a global variable")
            obj, size = self.current.place[0], op.memory.size
            if value.secret and self.program.is_public(obj, address.bases, address.exact, size):
                fault("a secret stored in a public field")
            if op.mask:
                value = value.mixed(state.load(address, size))
            state.store(address, size, value)
        elif op.register.startswith(("v", "k")) or op.width >= 4:
            if op.width == 4 and not op.register.startswith(("v", "k")):
                value = value.zero_extended()
            state.set(op.register, value)
        elif op.width == 1 and not op.is_high_byte:
            state.set_low_byte(op.register, value)
        else:
            state.set(op.register, state.get(op.register).mixed(value))

    # --- one instruction ------------------------------------------------------------------------

    def step(self, instruction: Instruction, state: State, fault: Report) -> Step:
        self.current = instruction
        prefix, mnemonic, operands = self.parts(instruction)
        listed = self.table.find(mnemonic)
        if listed is None:
            fault(f"{mnemonic} is not in the list of instructions")
        if GATHER.match(mnemonic):
            fault("gather or scatter")
        if listed in (Listed.CONTROL, None):
            step = self.control(instruction, mnemonic, operands, state, fault)
            if step is not None:
                return step
        if mnemonic[:4] in STRINGS and not operands[0].register and len(operands) == 2 and prefix:
            self.string(mnemonic[:4], operands, state, fault)
            return Step()
        if listed is Listed.PUBLIC and self.sources(mnemonic, operands, state, fault).secret:
            fault(f"{mnemonic} of a secret")
        self.compute(mnemonic, operands, state, fault)
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
        if JUMPS.match(mnemonic):
            if state.flags:
                fault("a branch on a secret")
            return Step(target=self.target(instruction))
        if mnemonic == "jmp":
            return self.jump(instruction, state, fault)
        if mnemonic == "call":
            return self.call(instruction, state, fault)
        if mnemonic == "ret":
            return Step(falls=False, returns=True)
        if mnemonic.startswith("j"):
            fault("a jump that is not understood")
            return Step(falls=False)
        if mnemonic in ("ud2", "hlt"):
            return Step(falls=False)
        if mnemonic in ("push", "pop", "leave"):
            self.stack(mnemonic, operands, state, fault)
            return Step()
        if mnemonic.startswith(("nop", "endbr")) or mnemonic in (
            "xchg",
            "vzeroupper",
            "prefetcht0",
        ):
            return Step() if not operands or mnemonic != "xchg" else None
        return None

    def jump(self, instruction: Instruction, state: State, fault: Report) -> Step:
        target = self.target(instruction)
        if target is not None:
            return Step(falls=False, target=target)
        step = self.call(instruction, state, fault)
        return Step(falls=False, calls=step.calls, returns=step.falls)

    def call(self, instruction: Instruction, state: State, fault: Report) -> Step:
        target = self.target(instruction)
        text = instruction.text.split(None, 1)[1]
        if target is not None and plain_name(instruction) not in EXTERNAL:
            return Step(calls=(target,))
        if target is None and ("[" in text or text in WIDTHS):
            value = self.read(operand(text), state, fault)
            if value.secret:
                fault("a call of an address that depends on a secret")
            found = sorted(base for base in value.bases if base.startswith(CODE))
            if found:
                return Step(calls=tuple(split_name(base) for base in found))
        return self.external(instruction, state, fault)

    def external(self, instruction: Instruction, state: State, fault: Report) -> Step:
        step = external_call(instruction, self.arguments, "rax", state, fault)
        for register in {register for register, _ in WIDTHS.values()} - self.preserved - {"rax"}:
            state.set(register, SECRET)
        return step

    def stack(self, mnemonic: str, operands: list[Operand], state: State, fault: Report) -> None:
        if mnemonic == "leave":
            state.set("rsp", state.get("rbp"))
            operands = [Operand(register="rbp", width=8)]
        top = state.get("rsp")
        if mnemonic == "push":
            value = self.read(operands[0], state, fault)
            top = top.moved(number(-8))
            state.store(top, 8, value)
            state.set("rsp", top)
            return
        state.set("rsp", top.moved(number(8)))
        self.write(operands[0], state.load(top, 8), state, fault)

    def string(self, kind: str, operands: list[Operand], state: State, fault: Report) -> None:
        """rep stos and rep movs."""
        to, count = state.get("rdi"), state.get("rcx")
        value = state.get("rax")
        if count.secret:
            fault("a repetition that depends on a secret")
        if to.secret or (kind == "movs" and state.get("rsi").secret):
            fault("an address that depends on a secret")
        unit = operands[0].memory.size if operands[0].memory else 1
        size = None if count.constant is None else count.constant * unit
        if kind == "movs":
            value = SECRET if size is None else state.load(state.get("rsi"), size)
            state.set("rsi", Value(False, state.get("rsi").bases, state.get("rsi").low, None))
        state.store(to, size, value)
        state.set("rdi", Value(False, to.bases, to.low, None))
        state.set("rcx", number(0))

    def sources(self, mnemonic: str, operands: list[Operand], state: State, fault: Report) -> Value:
        return PUBLIC.mixed(*(self.read(op, state, fault) for op in operands))

    def compute(self, mnemonic: str, operands: list[Operand], state: State, fault: Report) -> None:
        """All that computes: its result is secret if one of its sources is."""
        if mnemonic == "lea":
            memory = operands[1].memory
            assert memory is not None
            self.write(operands[0], self.address(memory, state), state, fault)
            return
        if not operands:
            self.implicit(mnemonic, state)
            return
        result = self.result(mnemonic, operands, state, fault)
        if FLAGS_SET.match(mnemonic):
            canary = any(op.memory and op.memory.segment == "fs" for op in operands)
            kept = state.flags and FLAGS_KEPT_IN_PART.match(mnemonic) is not None
            state.flags = not canary and (result.secret or kept)
        if VECTOR_TESTS.match(mnemonic):
            state.flags = True
        elif mnemonic in ("mul", "div", "idiv") or (mnemonic == "imul" and len(operands) == 1):
            state.set("rax", result.mixed())
            state.set("rdx", result.mixed())
        elif mnemonic == "mulx":
            self.write(operands[0], result, state, fault)
            self.write(operands[1], result, state, fault)
        elif mnemonic == "xchg":
            second = self.read(operands[1], state, fault)
            first = self.read(operands[0], state, fault)
            self.write(operands[0], second, state, fault)
            self.write(operands[1], first, state, fault)
        elif mnemonic not in ("cmp", "test", "bt"):
            self.write(operands[0], result, state, fault)

    def result(self, mnemonic: str, operands: list[Operand], state: State, fault: Report) -> Value:
        if is_constant(mnemonic, operands):
            return number(0)
        values = [self.read(op, state, fault) for op in operands]
        if MASKED_MEMORY.match(mnemonic) and any(value.secret for value in values[:-1]):
            fault("memory selected by a secret mask")
        if MOVES.match(mnemonic) and len(operands) == 2:
            return values[1]
        if mnemonic in ("add", "sub", "inc", "dec"):
            other = values[1] if len(values) > 1 else number(1)
            sum_ = values[0].moved(other, 1 if mnemonic in ("add", "inc") else -1)
            is_wide = operands[0].width == 8 or operands[0].memory is not None
            return sum_ if is_wide or sum_.constant is not None else sum_.truncated()
        if mnemonic in ("and", "shl", "sal", "shr") and len(values) == 2:
            return masked_or_shifted(mnemonic, operands[0], values, state)
        if mnemonic.startswith(("set", "cmov")):
            condition = Value(state.flags)
            return condition if mnemonic.startswith("set") else joined(values, condition)
        if mnemonic in ("mul", "imul", "div", "idiv") and len(operands) == 1:
            values.append(state.get("rax"))
        if mnemonic in ("mulx", "div", "idiv"):
            values.append(state.get("rdx"))
        if mnemonic in FLAGS_READ:
            values.append(Value(state.flags))
            if mnemonic == "sbb" and operands[0].register == operands[1].register:
                return Value(state.flags)
        is_three = len([op for op in operands if op.number is None]) >= 3 or mnemonic.startswith(
            "v"
        )
        only_writes = is_three and not READS_DESTINATION.match(mnemonic)
        if len(operands) >= 2 and (only_writes or (mnemonic == "imul" and len(operands) == 3)):
            values = values[1:]
        if mnemonic == "mulx" or mnemonic in ("blendvps", "blendvpd", "pblendvb"):
            values.append(state.get("v0"))
        return PUBLIC.mixed(*values)

    def implicit(self, mnemonic: str, state: State) -> None:
        """cdq and the like."""
        if mnemonic in ("cdq", "cqo", "cwd"):
            state.set("rdx", state.get("rax").mixed())
        elif mnemonic in ("cdqe", "cwde", "cbw"):
            state.set("rax", state.get("rax").mixed())


def joined(values: list[Value], condition: Value) -> Value:
    """The result of a conditional move."""
    mixed = condition.mixed(*values)
    lows = [value.low for value in values]
    low = None if None in lows else min(low for low in lows if low is not None)
    return Value(mixed.secret, mixed.bases, low, None)


def masked_or_shifted(
    mnemonic: str, destination: Operand, values: list[Value], state: State
) -> Value:
    """Bounds survive here: indexes are made so, and stacks are aligned so."""
    value, amount = values[0], values[1].constant
    if mnemonic != "and":
        value = value.as_number()
    mixed = value.mixed(values[1])
    if amount is None:
        return mixed
    if mnemonic == "and":
        if destination.register == "rsp":
            return pointer(f"{STACK}aligned {value.frame or ''}")
        if amount >= 0:
            return Value(mixed.secret, mixed.bases, 0 if not mixed.bases else None, None)
        low = None if value.low is None else value.low + amount + 1
        return Value(mixed.secret, mixed.bases, low, value.high)
    if mnemonic == "shr":
        return Value(mixed.secret, mixed.bases, 0 if amount else value.low, None)
    is_unsigned = value.low is not None and value.low >= 0
    return (
        mixed
        if not is_unsigned
        else Value(mixed.secret, mixed.bases, value.low, value.high).times(1 << amount)
    )


def is_constant(mnemonic: str, operands: list[Operand]) -> bool:
    """xor of a register with itself, and other ways to make zeros or ones."""
    registers = [op.register for op in operands if op.number is None]
    if operands[0].mask or "" in registers:
        return False
    if re.match(r"^vpternlog[dq]$", mnemonic) and operands[-1].number in (0, 0xFF):
        return True
    last = operands[-2:]
    same = registers[-2:] == [registers[-1]] * 2 and last[0].is_high_byte == last[1].is_high_byte
    return same and bool(ZEROING.match(mnemonic) or ONES.match(mnemonic))
