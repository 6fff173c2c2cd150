# SPDX-License-Identifier: Apache-2.0 OR MIT
"""x86-64, as objdump writes it in Intel's syntax: what an instruction does to secrets."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .flow import Report, Step
from .instructions import Listed, Table
from .objects import Instruction, Place, Program, Unreadable
from .values import (
    CODE,
    CONSTANTS,
    PUBLIC,
    SECRET,
    STACK,
    VARIABLES,
    State,
    Value,
    low_byte,
    number,
    pointer,
)

GENERAL = ("rax", "rbx", "rcx", "rdx", "rsi", "rdi", "rbp", "rsp")
SIZES = {"BYTE": 1, "WORD": 2, "DWORD": 4, "QWORD": 8, "XMMWORD": 16, "YMMWORD": 32, "ZMMWORD": 64}
PREFIXES = {"rep", "repz", "repnz", "lock", "notrack", "bnd", "data16", "cs", "ds"}

# The same register under its other widths.
WIDTHS: dict[str, tuple[str, int]] = {}
for name in GENERAL:
    letters = name[1:]
    low = letters[0] + "l" if letters[1] == "x" else letters + "l"
    WIDTHS |= {name: (name, 8), "e" + letters: (name, 4), letters: (name, 2), low: (name, 1)}
    if letters[1] == "x":
        WIDTHS[letters[0] + "h"] = (name, 1)
for n in range(8, 16):
    WIDTHS |= {f"r{n}{suffix}": (f"r{n}", size) for suffix, size in zip(["", "d", "w", "b"], [8, 4, 2, 1])}
for n in range(32):
    WIDTHS |= {f"{kind}mm{n}": (f"v{n}", size) for kind, size in zip("xyz", [16, 32, 64])}
for n in range(8):
    WIDTHS |= {f"k{n}": (f"k{n}", 8)}

MEMORY = re.compile(r"^(?:(\w+) (?:PTR|BCST) )?(?:(\w\w):)?(?:\[(.*)\]|(0x[0-9a-f]+))$")
TERM = re.compile(r"([+-]?)([^+-]+)")
TARGET = re.compile(r"^([0-9a-f]+)( <.*>)?$")

CONDITIONS = "o no b c nae ae nb nc e z ne nz be na a nbe s ns p pe np po l nge ge nl le ng g nle".split()
JUMPS = {"j" + condition for condition in CONDITIONS}
MOVES = re.compile(
    r"^(mov|movabs|movzx|movsxd?|movd|movq|movdq[au]|mov[au]p[sd]|lddqu|movnt\w+|movbe|kmov[bwdq]"
    r"|vmov(d|q|dq[au]\d*|[au]p[sd]|ntdqa?)|vlddqu)$"
)
FLAGS_SET = set(
    "add sub and or xor adc sbb shl sal shr sar rol ror rcl rcr inc dec neg imul mul cmp test bt bts btr "
    "btc bsf bsr tzcnt lzcnt popcnt andn blsr blsi blsmsk bzhi bextr shld shrd adcx adox div idiv".split()
)
FLAGS_KEPT_IN_PART = set("inc dec rol ror rcl rcr shl sal shr sar shld shrd bt bts btr btc adcx adox".split())
FLAGS_READ = {"adc", "sbb", "rcl", "rcr", "adcx", "adox"}
VECTOR_TESTS = re.compile(r"^v?(ptest|testp[sd]|u?comis[sd])$|^k(or)?test[bwdq]$")
ZEROING = re.compile(r"^v?p?(xor[bwdq]?|sub[bwdq]|xorp[sd]|cmpgt[bwdq])$|^vpxor[dq]$")
ONES = re.compile(r"^v?pcmpeq[bwdq]$")
GATHER = re.compile(r"^v?p?(gather|scatter)")
MASKED_MEMORY = re.compile(r"^v?p?maskmov")
# Instructions of three operands that read the first one too.
READS_DESTINATION = re.compile(r"^vp(ternlog|ermi2|ermt2|dp|sh[lr]dv|madd52)|^vfn?m|^shld$|^shrd$|^sha|^imul$")
STRINGS = {"stos": ("store",), "movs": ("load", "store")}
EXTERNAL = {"memcpy": 3, "memmove": 3, "memset": 3, "mf_wipe": 2}


@dataclass
class Memory:
    """A memory operand."""

    size: int
    registers: list[tuple[str, int]]  # and what each is multiplied with
    displacement: int
    is_constant: bool  # relative to the instruction pointer
    segment: str


@dataclass
class Operand:
    """One operand, with the masks that it is decorated with."""

    register: str = ""
    width: int = 0
    is_high_byte: bool = False
    number: int | None = None
    memory: Memory | None = None
    mask: str = ""
    zeroing: bool = False


def split(text: str) -> list[str]:
    """Operands, at commas outside of brackets."""
    return [part.strip() for part in re.split(r",(?![^\[]*\])", text)] if text else []


def memory_operand(match: re.Match[str]) -> Memory:
    size, segment, inside, absolute = match.groups()
    memory = Memory(SIZES.get(size or "", 0), [], int(absolute or "0", 16), False, segment or "")
    for sign, term in TERM.findall(inside or ""):
        name, _, factor = term.strip().partition("*")
        if name == "rip":
            memory.is_constant = True
        elif name in WIDTHS:
            memory.registers.append((WIDTHS[name][0], int(factor or "1")))
        elif name not in ("riz", "eiz"):
            memory.displacement += int(name, 16) * (-1 if sign == "-" else 1)
    return memory


def operand(text: str) -> Operand:
    masks = re.findall(r"\{(\w+)\}", text)
    plain = re.sub(r"\{[^}]*\}", "", text).strip()
    found = Operand(zeroing="z" in masks)
    found.mask = next((mask for mask in masks if re.match(r"^k\d$", mask)), "")
    if plain in WIDTHS:
        found.register, found.width = WIDTHS[plain]
        found.is_high_byte = plain in ("ah", "bh", "ch", "dh")
    elif re.match(r"^-?(0x[0-9a-f]+|\d+)$", plain):
        found.number = int(plain, 0)
        found.number -= 1 << 64 if found.number >= 1 << 63 else 0
    elif match := MEMORY.match(plain):
        found.memory = memory_operand(match)
    else:
        raise Unreadable(f"operand {text}")
    return found


class X86:
    """The machine, for flow.py."""

    stack_pointer = "rsp"
    arguments = ("rdi", "rsi", "rdx", "rcx", "r8", "r9")
    preserved = frozenset(("rbx", "rbp", "rsp", "r12", "r13", "r14", "r15"))

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
            is_jump = mnemonic in JUMPS or mnemonic in ("jmp", "call")
            skipped = is_jump or mnemonic.startswith("nop") or mnemonic == "xchg" and rest == "ax,ax"
            found = (prefix, mnemonic, [] if skipped else [operand(part) for part in split(rest)])
            self.parsed[instruction.place] = found
        return found

    def target(self, instruction: Instruction) -> Place | None:
        words = instruction.text.split(None, 1)
        while words[0] in PREFIXES and len(words) > 1:
            words = words[1].split(None, 1)
        if words[0] not in JUMPS and words[0] not in ("jmp", "call"):
            return None
        if "[" in words[1] or words[1] in WIDTHS:
            return None
        if instruction.symbol:
            return self.program.resolve(instruction.place[0], instruction.symbol, 4)
        match = TARGET.match(words[1])
        return match and (*instruction.place[:2], int(match[1], 16))

    # --- reading and writing -----------------------------------------------------------------------

    def address(self, memory: Memory, state: State) -> Value:
        result = number(memory.displacement)
        if memory.is_constant:
            result = self.named(self.current)
        for register, factor in memory.registers:
            value = state.get(register)
            if factor != 1:
                value = value.as_number()
                low, high = value.low, value.high
                value = Value(
                    value.secret,
                    value.bases,
                    None if low is None else low * factor,
                    None if high is None else high * factor,
                )
            result = result.moved(value)
        return result

    def named(self, instruction: Instruction) -> Value:
        """The address that a relocation names."""
        following = self.program.following.get(instruction.place)
        correction = following[2] - instruction.field if following else 4
        obj = instruction.place[0]
        place = self.program.resolve(obj, instruction.symbol, correction)
        if place is None:
            return pointer(CONSTANTS)
        if place in self.program.functions:
            return pointer(f"{CODE}{'|'.join(map(str, place))}")
        start = self.program.variable_at(place)
        is_constant = start[1].startswith((".rodata", ".data.rel.ro"))
        name = f"{CONSTANTS if is_constant else VARIABLES} {'|'.join(map(str, start))}"
        return pointer(name, place[2] - start[2])

    def checked_address(self, memory: Memory, state: State, fault: Report) -> Value:
        address = self.address(memory, state)
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
            return truncated(value)
        if op.memory.segment == "fs":
            return PUBLIC  # the canary of the stack protector
        if "GOTPCREL" in self.current.kind and op.memory.is_constant:
            return self.named(self.current)
        address = self.checked_address(op.memory, state, fault)
        value = state.load(address, op.memory.size)
        if value.bases == {CONSTANTS}:
            value = Value(False, value.bases | self.code(address), None, None)
        return value

    def code(self, address: Value) -> set[str]:
        """The functions whose addresses stand there."""
        found = set()
        for base in address.bases:
            parts = base.partition(" ")[2].split("|")
            if len(parts) == 3:
                functions = self.program.code_in((parts[0], parts[1], int(parts[2])))
                found |= {f"{CODE}{'|'.join(map(str, place))}" for place in functions}
        return found

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
            if value.secret and any(base.startswith((CONSTANTS, VARIABLES)) for base in address.bases):
                fault("a secret stored in a global variable")
            state.store(address, op.memory.size, value)
        elif op.register.startswith(("v", "k")) or op.width >= 4:
            if op.width == 4 and not op.register.startswith(("v", "k")):
                value = zero_extended(value)
            state.set(op.register, value)
        elif op.width == 1 and not op.is_high_byte:
            state.set_low_byte(op.register, value)
        else:
            state.set(op.register, state.get(op.register).mixed(value))

    # --- one instruction ---------------------------------------------------------------------------

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
        if mnemonic in JUMPS:
            if state.flags:
                fault("a branch on a secret")
            return Step(target=self.target(instruction))
        if mnemonic == "jmp":
            return self.jump(instruction, state, fault)
        if mnemonic == "call":
            return self.call(instruction, state, fault)
        if mnemonic == "ret":
            return Step(falls=False, returns=True)
        if mnemonic in ("ud2", "hlt"):
            return Step(falls=False)
        if mnemonic in ("push", "pop", "leave"):
            self.stack(mnemonic, operands, state, fault)
            return Step()
        if mnemonic.startswith(("nop", "endbr")) or mnemonic in ("xchg", "vzeroupper", "prefetcht0"):
            return Step() if not operands or mnemonic != "xchg" else None
        return None

    def jump(self, instruction: Instruction, state: State, fault: Report) -> Step:
        target = self.target(instruction)
        if target is not None:
            return Step(falls=False, target=target)
        step = self.call(instruction, state, fault)
        return Step(falls=False, calls=step.calls, returns=step.falls)

    def call(self, instruction: Instruction, state: State, fault: Report) -> Step:
        name = re.split(r"[+-]0x", instruction.symbol)[0]
        target = self.target(instruction)
        text = instruction.text.split(None, 1)[1]
        if target is not None and name not in EXTERNAL:
            return Step(calls=(target,))
        if target is None and ("[" in text or text in WIDTHS):
            value = self.read(operand(text), state, fault)
            if value.secret:
                fault("a call of an address that depends on a secret")
            found = [base[len(CODE) :].split("|") for base in value.bases if base.startswith(CODE)]
            if found:
                return Step(calls=tuple((obj, section, int(at)) for obj, section, at in sorted(found)))
        return self.external(instruction, state, fault)

    def external(self, instruction: Instruction, state: State, fault: Report) -> Step:
        """A function of the C library, or of ours that is known to be of that kind."""
        name = re.split(r"[+-]0x", instruction.symbol)[0]
        if name in ("__stack_chk_fail", "abort"):
            return Step(falls=False)
        if name not in EXTERNAL:
            fault(f"a call of {name or 'something unknown'}, which was not given")
            return Step(falls=False)
        to, second, third = (state.get(register) for register in self.arguments[:3])
        size, value = third, number(0)
        if name == "mf_wipe":
            size = second
        elif name != "memset":
            value = SECRET
            if size.constant is not None and not second.secret:
                value = state.load(second, size.constant)
            if second.secret:
                fault(f"{name} from an address that depends on a secret")
        else:
            value = second
        if to.secret or size.secret:
            fault(f"{name} of a secret length or to an address that depends on a secret")
        state.store(to, size.constant, value)
        for register in {register for register, _ in WIDTHS.values()} - self.preserved:
            state.set(register, SECRET)
        state.set("rax", to)
        state.flags = True
        return Step()

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

    def sources(
        self, mnemonic: str, operands: list[Operand], state: State, fault: Report
    ) -> Value:
        return PUBLIC.mixed(*(self.read(op, state, fault) for op in operands))

    def compute(
        self, mnemonic: str, operands: list[Operand], state: State, fault: Report
    ) -> None:
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
        if mnemonic in FLAGS_SET:
            canary = any(op.memory and op.memory.segment == "fs" for op in operands)
            kept = state.flags and mnemonic in FLAGS_KEPT_IN_PART
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

    def result(
        self, mnemonic: str, operands: list[Operand], state: State, fault: Report
    ) -> Value:
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
            return sum_ if is_wide or sum_.constant is not None else truncated(sum_)
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
        is_three = len([op for op in operands if op.number is None]) >= 3 or mnemonic.startswith("v")
        if len(operands) >= 2 and is_three and not READS_DESTINATION.match(mnemonic):
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


def truncated(value: Value) -> Value:
    """The low bits of a register: small numbers keep their bounds."""
    is_small = value.low is not None and value.high is not None and 0 <= value.low <= value.high < 128
    if is_small and not value.bases:
        return value
    return Value(value.secret, frozenset(), 0, None)


def zero_extended(value: Value) -> Value:
    if value.constant is not None:
        return Value(value.secret, frozenset(), value.constant & 0xFFFFFFFF, value.constant & 0xFFFFFFFF)
    if value.low is not None and value.low >= 0:
        return value.as_number()
    return Value(value.secret, frozenset(), 0, None)


def joined(values: list[Value], condition: Value) -> Value:
    """What a conditional move leaves."""
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
    low, high = value.low, value.high
    return Value(
        mixed.secret,
        mixed.bases,
        None if low is None or low < 0 else low << amount,
        None if high is None or high < 0 else high << amount,
    )


def is_constant(mnemonic: str, operands: list[Operand]) -> bool:
    """xor of a register with itself, and other ways to make zeros or ones."""
    registers = [op.register for op in operands if op.number is None]
    if operands[0].mask or "" in registers:
        return False
    if re.match(r"^vpternlog[dq]$", mnemonic) and operands[-1].number in (0, 0xFF):
        return True
    same = registers[-2:] == [registers[-1]] * 2
    return same and bool(ZEROING.match(mnemonic) or ONES.match(mnemonic))
