# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The 6805's instructions as the manuals tell them, for the tests of sim/: [M68HC05], [M6805].

A description beside the simulator in C, which shares nothing with it: opcodes are put together from
the lists of operations and addressing modes, clocks from the rules that the tables follow.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass


def _names(*lines: str) -> list[str]:
    return " ".join(lines).split()


BIT_BRANCHES = [f"{name}{bit}" for bit in range(8) for name in ("BRSET", "BRCLR")]
BIT_CHANGES = [f"{name}{bit}" for bit in range(8) for name in ("BSET", "BCLR")]
BRANCHES = _names("BRA BRN BHI BLS BCC BCS BNE BEQ BHCC BHCS BPL BMI BMC BMS BIL BIH")
READ_MODIFY_WRITE = _names("NEG - - COM LSR - ROR ASR ASL ROL DEC - INC TST - CLR")
CONTROL = _names(
    "RTI RTS - SWI - - - - - - - - - - STOP WAIT",
    "- - - - - - - TAX CLC SEC CLI SEI RSP NOP - TXA",
)
OPERATIONS = _names("SUB CMP SBC CPX AND BIT LDA STA EOR ADC ORA ADD JMP JSR LDX STX")
NO_IMMEDIATE = ("STA", "JMP", "JSR", "STX")
HC05_ONLY = ("MUL", "STOP", "WAIT")

RMW_MODES = {3: "DIR", 4: "A", 5: "X", 6: "IX1", 7: "IX"}
MODES = {0xA: "IMM", 0xB: "DIR", 0xC: "EXT", 0xD: "IX2", 0xE: "IX1", 0xF: "IX"}
OPERAND_BYTES = {"IMM": 1, "DIR": 1, "EXT": 2, "IX2": 2, "IX1": 1, "IX": 0, "A": 0, "X": 0}


@dataclass(frozen=True)
class Opcode:
    """mode: of MODES and RMW_MODES, INH without an operand, BTB for BRSET, BSC for BSET, REL."""

    code: int
    name: str
    mode: str


def _opcodes() -> list[Opcode]:
    found = [Opcode(0x42, "MUL", "INH"), Opcode(0xAD, "BSR", "REL")]
    for group, mode, names in (
        (0x00, "BTB", BIT_BRANCHES),
        (0x10, "BSC", BIT_CHANGES),
        (0x20, "REL", BRANCHES),
        (0x80, "INH", CONTROL),
        *((16 * digit, mode, READ_MODIFY_WRITE) for digit, mode in RMW_MODES.items()),
        *((16 * digit, mode, OPERATIONS) for digit, mode in MODES.items()),
    ):
        for code, name in enumerate(names, group):
            if name != "-" and not (mode == "IMM" and name in NO_IMMEDIATE):
                found.append(Opcode(code, name, mode))
    return found


OPCODES = _opcodes()

# Clocks of an operation with an operand, and of read-modify-write, by addressing mode.
HC05_OPERAND = {"IMM": 2, "DIR": 3, "EXT": 4, "IX2": 5, "IX1": 4, "IX": 3}
HC05_MODIFY = {"DIR": 5, "A": 3, "X": 3, "IX1": 6, "IX": 5}
HC05_OTHER = {"BTB": 5, "BSC": 5, "REL": 3, "INH": 2}
HC05_NAMED = {"BSR": 6, "MUL": 11, "RTI": 9, "RTS": 6, "SWI": 10}
HMOS_OPERAND = {"IMM": 2, "DIR": 4, "EXT": 5, "IX2": 6, "IX1": 5, "IX": 4}
HMOS_MODIFY = {"DIR": 6, "A": 4, "X": 4, "IX1": 7, "IX": 6}
HMOS_OTHER = {"BTB": 10, "BSC": 7, "REL": 4, "INH": 2}
HMOS_NAMED = {"BSR": 8, "RTI": 9, "RTS": 6, "SWI": 11}


def hc05_clocks(opcode: Opcode) -> int:
    if opcode.name in HC05_NAMED:
        return HC05_NAMED[opcode.name]
    if opcode.name in READ_MODIFY_WRITE:
        does_not_write = opcode.name == "TST" and opcode.mode not in ("A", "X")
        return HC05_MODIFY[opcode.mode] - does_not_write
    more = {"STA": 1, "STX": 1, "JMP": -1, "JSR": 2}.get(opcode.name, 0)
    return {**HC05_OTHER, **HC05_OPERAND}[opcode.mode] + more


def hmos_clocks(opcode: Opcode) -> int:
    """Of those that it has: all but HC05_ONLY."""
    if opcode.name in HMOS_NAMED:
        return HMOS_NAMED[opcode.name]
    if opcode.name in READ_MODIFY_WRITE:
        return HMOS_MODIFY[opcode.mode]
    more = {"STA": 1, "STX": 1, "JMP": -1, "JSR": 3}.get(opcode.name, 0)
    return {**HMOS_OTHER, **HMOS_OPERAND}[opcode.mode] + more


@dataclass
class State:
    """Registers, flags as 0 or 1, and the operand in memory."""

    A: int
    X: int
    M: int
    H: int
    I: int  # noqa: E741 - the manual's name
    N: int
    Z: int
    C: int

    @classmethod
    def of(cls, a: int, x: int, m: int, cc: int) -> State:
        return cls(a, x, m, *(cc >> bit & 1 for bit in (4, 3, 2, 1, 0)))

    @property
    def CC(self) -> int:
        return 0b11100000 | self.H << 4 | self.I << 3 | self.N << 2 | self.Z << 1 | self.C

    def result(self, value: int) -> int:
        """Sets N and Z of a byte."""
        self.N, self.Z = value // 128 % 2, int(value % 256 == 0)
        return value % 256


def _add(s: State, carry: int) -> None:
    s.H = int(s.A % 16 + s.M % 16 + carry >= 16)
    s.C, s.A = divmod(s.A + s.M + carry, 256)
    s.result(s.A)


def _subtract(s: State, value: int, subtrahend: int) -> int:
    s.C = int(value - subtrahend < 0)
    return s.result((value - subtrahend) % 256)


def _adc(s: State) -> None:
    _add(s, s.C)


def _add_(s: State) -> None:
    _add(s, 0)


def _and(s: State) -> None:
    s.A = s.result(s.A & s.M)


def _bit(s: State) -> None:
    s.result(s.A & s.M)


def _cmp(s: State) -> None:
    _subtract(s, s.A, s.M)


def _cpx(s: State) -> None:
    _subtract(s, s.X, s.M)


def _eor(s: State) -> None:
    s.A = s.result(s.A ^ s.M)


def _lda(s: State) -> None:
    s.A = s.result(s.M)


def _ldx(s: State) -> None:
    s.X = s.result(s.M)


def _ora(s: State) -> None:
    s.A = s.result(s.A | s.M)


def _sbc(s: State) -> None:
    s.A = _subtract(s, s.A, s.M + s.C)


def _sta(s: State) -> None:
    s.M = s.result(s.A)


def _stx(s: State) -> None:
    s.M = s.result(s.X)


def _sub(s: State) -> None:
    s.A = _subtract(s, s.A, s.M)


def _mul(s: State) -> None:
    s.X, s.A = divmod(s.X * s.A, 256)
    s.H = s.C = 0


def _tax(s: State) -> None:
    s.X = s.A


def _txa(s: State) -> None:
    s.A = s.X


def _clc(s: State) -> None:
    s.C = 0


def _sec(s: State) -> None:
    s.C = 1


def _cli(s: State) -> None:
    s.I = 0


def _sei(s: State) -> None:
    s.I = 1


def _nop(s: State) -> None:
    pass


EFFECTS: Mapping[str, Callable[[State], None]] = {
    **{"ADC": _adc, "ADD": _add_, "AND": _and, "BIT": _bit, "CMP": _cmp, "CPX": _cpx},
    **{"EOR": _eor, "LDA": _lda, "LDX": _ldx, "ORA": _ora, "SBC": _sbc, "STA": _sta},
    **{"STX": _stx, "SUB": _sub, "MUL": _mul, "TAX": _tax, "TXA": _txa, "CLC": _clc},
    **{"SEC": _sec, "CLI": _cli, "SEI": _sei, "NOP": _nop},
}


def modified(s: State, name: str, value: int) -> int:
    """The result of read-modify-write on a byte; sets the flags."""
    carry_in, low, high = s.C, value % 2, value // 128
    results = {
        "NEG": (-value % 256, int(value != 0)),
        "COM": (255 - value, 1),
        "LSR": (value // 2, low),
        "ROR": (value // 2 + 128 * carry_in, low),
        "ASR": (value // 2 + 128 * high, low),
        "ASL": (value * 2 % 256, high),
        "ROL": (value * 2 % 256 + carry_in, high),
        "DEC": ((value - 1) % 256, carry_in),
        "INC": ((value + 1) % 256, carry_in),
        "TST": (value, carry_in),
        "CLR": (0, carry_in),
    }
    result, s.C = results[name]
    return s.result(result)


def apply(s: State, opcode: Opcode) -> None:
    """Executes what neither jumps nor waits."""
    if opcode.mode == "BSC":
        weight = 1 << int(opcode.name[-1])
        s.M = s.M | weight if opcode.name.startswith("BSET") else s.M & (255 - weight)
    elif opcode.name not in READ_MODIFY_WRITE:
        EFFECTS[opcode.name](s)
    elif opcode.mode == "A":
        s.A = modified(s, opcode.name, s.A)
    elif opcode.mode == "X":
        s.X = modified(s, opcode.name, s.X)
    else:
        s.M = modified(s, opcode.name, s.M)


def taken(s: State, name: str) -> bool:
    """Whether a branch is, after the names of the conditions; the interrupt pin is high."""
    if name.startswith("BR") and name[-1].isdigit():
        bit = s.M >> int(name[-1]) & 1
        s.C = bit
        return bit == int(name.startswith("BRSET"))
    return {
        **{"BRA": True, "BRN": False, "BIL": False, "BIH": True},
        **{"BHI": s.C + s.Z == 0, "BLS": s.C + s.Z > 0, "BCC": s.C == 0, "BCS": s.C == 1},
        **{"BNE": s.Z == 0, "BEQ": s.Z == 1, "BHCC": s.H == 0, "BHCS": s.H == 1},
        **{"BPL": s.N == 0, "BMI": s.N == 1, "BMC": s.I == 0, "BMS": s.I == 1},
    }[name]
