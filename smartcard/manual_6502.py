# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The 6502's instructions as the manual tells them [MCS6500], for the tests of sim/cpu6502.c.

A description that shares nothing with the simulator: it knows instructions by name and addressing
mode, and leaves opcodes to the assembler.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

C, Z, I, D, V, N = 0x01, 0x02, 0x04, 0x08, 0x40, 0x80  # noqa: E741 (bits of P by their names)


def _names(line: str) -> list[str]:
    return line.split()


# How the assembler writes the operand of each mode.
SYNTAX = {
    "imp": "",
    "acc": "a",
    "imm": "#${:02X}",
    "zp": "z:${:02X}",
    "zpx": "z:${:02X}, x",
    "zpy": "z:${:02X}, y",
    "abs": "a:${:04X}",
    "absx": "a:${:04X}, x",
    "absy": "a:${:04X}, y",
    "indx": "(${:02X}, x)",
    "indy": "(${:02X}), y",
}
INDEX = {"zpx": "X", "zpy": "Y", "absx": "X", "absy": "Y", "indx": "X", "indy": "Y"}
ZERO_PAGE = ("zp", "zpx", "zpy")
IN_MEMORY = tuple(mode for mode in SYNTAX if mode not in ("imp", "acc", "imm"))

READS = {
    **dict.fromkeys(_names("ORA AND EOR ADC LDA CMP SBC"), "imm zp zpx abs absx absy indx indy"),
    "LDX": "imm zp zpy abs absy",
    "LDY": "imm zp zpx abs absx",
    "CPX": "imm zp abs",
    "CPY": "imm zp abs",
    "BIT": "zp abs",
}
WRITES = {"STA": "zp zpx abs absx absy indx indy", "STX": "zp zpy abs", "STY": "zp zpx abs"}
MODIFIES = {
    **dict.fromkeys(_names("ASL LSR ROL ROR"), "acc zp zpx abs absx"),
    **dict.fromkeys(_names("INC DEC"), "zp zpx abs absx"),
}
IMPLIED = _names("CLC SEC CLI SEI CLD CLV TAX TAY TXA TYA TSX INX INY DEX DEY NOP")
BRANCHES = {"BPL": (N, 0), "BMI": (N, 1), "BVC": (V, 0), "BVS": (V, 1)}
BRANCHES |= {"BCC": (C, 0), "BCS": (C, 1), "BNE": (Z, 0), "BEQ": (Z, 1)}

READ_CLOCKS = {"imm": 2, "zp": 3, "zpx": 4, "zpy": 4, "abs": 4, "absx": 4, "absy": 4}
READ_CLOCKS |= {"indx": 6, "indy": 5}
MODIFY_CLOCKS = {"acc": 2, "zp": 5, "zpx": 6, "abs": 6, "absx": 7}
MAY_CROSS = ("absx", "absy", "indy")


@dataclass(frozen=True)
class Instruction:
    name: str
    mode: str

    def clocks(self, crosses: bool) -> int:
        """crosses: whether the index leads into another page."""
        if self.mode == "imp":
            return 2
        if self.name in MODIFIES:
            return MODIFY_CLOCKS[self.mode]
        can = self.mode in MAY_CROSS and (crosses or self.name in WRITES)
        return READ_CLOCKS[self.mode] + can


def instructions() -> Iterator[Instruction]:
    """Those that neither jump nor use the stack."""
    for name, modes in {**READS, **WRITES, **MODIFIES}.items():
        yield from (Instruction(name, mode) for mode in modes.split())
    yield from (Instruction(name, "imp") for name in IMPLIED)


@dataclass
class State:
    """Registers, and M, what the operand is."""

    A: int
    X: int
    Y: int
    P: int
    M: int
    SP: int = 0xFD

    def put(self, mask: int, value: bool) -> None:
        self.P = self.P | mask if value else self.P & ~mask

    def nz(self, result: int) -> int:
        self.put(N, bool(result & 0x80))
        self.put(Z, result & 0xFF == 0)
        return result & 0xFF


def _adc(s: State, operand: int) -> None:
    signed = sum(x - 256 if x > 127 else x for x in (s.A, operand)) + (s.P & C)
    unsigned = s.A + operand + (s.P & C)
    s.put(V, not -128 <= signed <= 127)
    s.put(C, unsigned > 255)
    s.A = s.nz(unsigned)


def _compare(s: State, register: int) -> None:
    s.put(C, register >= s.M)
    s.nz(register - s.M)


def _bit(s: State) -> None:
    s.put(Z, s.A & s.M == 0)
    s.put(N, s.M >= 128)
    s.put(V, s.M % 128 >= 64)


def _set(register: str, value: Callable[[State], int]) -> Callable[[State], None]:
    return lambda s: setattr(s, register, s.nz(value(s)))


def _copy(register: str) -> Callable[[State], None]:
    return lambda s: setattr(s, "M", getattr(s, register))


def _flag(mask: int, value: bool) -> Callable[[State], None]:
    return lambda s: s.put(mask, value)


EFFECTS: Mapping[str, Callable[[State], None]] = {
    "ORA": _set("A", lambda s: s.A | s.M),
    "AND": _set("A", lambda s: s.A & s.M),
    "EOR": _set("A", lambda s: s.A ^ s.M),
    "ADC": lambda s: _adc(s, s.M),
    "SBC": lambda s: _adc(s, 255 - s.M),
    "LDA": _set("A", lambda s: s.M),
    "LDX": _set("X", lambda s: s.M),
    "LDY": _set("Y", lambda s: s.M),
    "CMP": lambda s: _compare(s, s.A),
    "CPX": lambda s: _compare(s, s.X),
    "CPY": lambda s: _compare(s, s.Y),
    "BIT": _bit,
    "STA": _copy("A"),
    "STX": _copy("X"),
    "STY": _copy("Y"),
    "INC": _set("M", lambda s: s.M + 1),
    "DEC": _set("M", lambda s: s.M - 1),
    "CLC": _flag(C, False),
    "SEC": _flag(C, True),
    "CLI": _flag(I, False),
    "SEI": _flag(I, True),
    "CLD": _flag(D, False),
    "CLV": _flag(V, False),
    "TAX": _set("X", lambda s: s.A),
    "TAY": _set("Y", lambda s: s.A),
    "TXA": _set("A", lambda s: s.X),
    "TYA": _set("A", lambda s: s.Y),
    "TSX": _set("X", lambda s: s.SP),
    "INX": _set("X", lambda s: s.X + 1),
    "INY": _set("Y", lambda s: s.Y + 1),
    "DEX": _set("X", lambda s: s.X - 1),
    "DEY": _set("Y", lambda s: s.Y - 1),
    "NOP": lambda _: None,
}


def _shifted(name: str, value: int, carry: int) -> tuple[int, bool]:
    """The result, and the bit that falls out."""
    if name in ("ASL", "ROL"):
        return value * 2 % 256 + (name == "ROL") * carry, value >= 128
    return value // 2 + (name == "ROR") * 128 * carry, value % 2 == 1


def apply(s: State, instruction: Instruction) -> None:
    name = instruction.name
    if name in EFFECTS:
        EFFECTS[name](s)
        return
    register = "A" if instruction.mode == "acc" else "M"
    result, out = _shifted(name, getattr(s, register), s.P & C)
    setattr(s, register, s.nz(result))
    s.put(C, out)
