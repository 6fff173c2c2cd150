# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Cortex-M0 and Cortex-M0+: Thumb assembly and the C library's kernels, executed by Unicorn.

Unicorn executes and knows no clocks. It tells each straight run of instructions that it enters;
armv6m.py says what a run takes, and the run that follows says whether its last branch was taken.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import unicorn
from unicorn import arm_const

from machine import ROOT, Cost, Machine, Profile, ProgramError, run_tool
from machines.armv6m import CORES, NotArmv6MError, Run, run
from machines.c_program import SIM, c_program
from machines.shares import InShares
from programs import Program

TIMINGS = tuple(CORES)

SOURCES = ROOT / "smartcard" / "cortex-m0"
C_LIBRARY = ROOT / "c"
PACKAGE = "gcc-arm-none-eabi libnewlib-arm-none-eabi"

FLASH, FLASH_BYTES = 0, 0x10000
RAM, RAM_BYTES = 0x20000000, 0x2000
RETURN = 0x10000000  # no image is there: a call ends when it comes here
PAGE_BYTES = 0x1000
RANDOM = 0x40000000
MOST_RUNS = 1_000_000  # of a call

COMPILER: Sequence[str | Path] = (
    "arm-none-eabi-gcc",
    *("-mcpu=cortex-m0", "-mthumb", "-std=c11", "-ffreestanding"),
    *("-ffunction-sections", "-fdata-sections"),
    *("-Wall", "-Wextra", "-Wpedantic", "-Werror"),
    *(f"-I{folder}" for folder in (C_LIBRARY / "include", C_LIBRARY / "src", SOURCES)),
    *("-nostartfiles", "-Wl,--gc-sections", f"-T{SOURCES / 'program.ld'}"),
)

_LOW_AND_HIGH = [getattr(arm_const, f"UC_ARM_REG_R{n}") for n in range(13)]
_CALL_SAVED = _LOW_AND_HIGH[4:12]  # [AAPCS32, 6.1.1]


class Calls:
    """The routines at work: who began when, and where it returns to."""

    def __init__(self) -> None:
        self.open: list[tuple[str, int, int]] = []
        self.back = RETURN

    def enter(self, function: str | None, clocks: int) -> None:
        """At a run that begins a function, or does not."""
        if function and not (self.open and self.open[-1][0] == function):
            self.open.append((function, clocks, self.back))

    def leave(self, it: Run, after: int, clocks: int) -> Iterator[tuple[str, int]]:
        """Behind a run: those that have returned, and the clocks that each took."""
        while self.open and self.open[-1][2] == after:
            function, began, _ = self.open.pop()
            yield function, clocks - began
        if it.calls:
            self.back = it.next
        elif self.open:
            self.back = self.open[-1][2]


class CortexM0(Machine):
    """An image on one of the two cores."""

    return_bytes = 0  # it is in LR; a routine that stores it has it on its own stack

    def __init__(
        self,
        image: bytes,
        symbols: Mapping[str, int],
        rom: Mapping[str, int],
        sizes: Mapping[str, int],
        timing: str,
        *,
        callable_by_c: bool = True,
    ) -> None:
        self.callable_by_c = callable_by_c
        self.symbols = symbols
        self.rom = rom
        self.sizes = sizes
        self.functions = {symbols[name]: name for name in sizes}
        self.calls: dict[str, Profile] = {}
        self.ram: Sequence[range] = (range(RAM, RAM + RAM_BYTES),)
        self.core = CORES[timing]
        self.image = image
        self.runs: dict[tuple[int, int], Run] = {}
        self.entered: list[tuple[int, int]] = []
        self.accesses: set[tuple[int, int]] = set()
        self.random = random.Random(0)
        self.unicorn = self._processor()
        self.watching: int | None = None
        self.watch(True)

    def _processor(self) -> unicorn.Uc:
        processor = unicorn.Uc(unicorn.UC_ARCH_ARM, unicorn.UC_MODE_THUMB | unicorn.UC_MODE_MCLASS)
        processor.ctl_set_cpu_model(arm_const.UC_CPU_ARM_CORTEX_M0)
        executable = unicorn.UC_PROT_READ | unicorn.UC_PROT_EXEC
        processor.mem_map(FLASH, FLASH_BYTES, executable)
        processor.mem_map(RAM, RAM_BYTES, unicorn.UC_PROT_READ | unicorn.UC_PROT_WRITE)
        processor.mem_map(RETURN, PAGE_BYTES, executable)
        processor.mem_write(FLASH, self.image)
        processor.hook_add(unicorn.UC_HOOK_BLOCK, self._enter)
        return processor

    def watch(self, on: bool) -> None:
        """A call takes several times as long with it."""
        if on and self.watching is None:
            kinds = unicorn.UC_HOOK_MEM_READ | unicorn.UC_HOOK_MEM_WRITE
            last = RAM + RAM_BYTES - 1
            self.watching = self.unicorn.hook_add(kinds, self._access, begin=RAM, end=last)
        elif not on and self.watching is not None:
            self.unicorn.hook_del(self.watching)
            self.watching = None

    def _enter(self, _uc: unicorn.Uc, address: int, size: int, _data: object) -> None:
        self.entered.append((address, size))
        if len(self.entered) > MOST_RUNS:
            self.unicorn.emu_stop()

    def _access(
        self, _uc: unicorn.Uc, _kind: int, address: int, size: int, _value: int, _data: object
    ) -> None:
        self.accesses.add((address, size))

    def load(self, address: int, data: bytes) -> None:
        self.unicorn.mem_write(address, bytes(data))

    def dump(self, address: int, count: int) -> bytes:
        return bytes(self.unicorn.mem_read(address, count))

    def call(self, routine: str) -> Cost:
        stack_top = self.symbols["stack_top"]
        before = self._set_registers(stack_top)
        self.entered.clear()
        try:
            self.unicorn.emu_start(self.symbols[routine] | 1, RETURN)
        except unicorn.UcError as error:
            at = self.unicorn.reg_read(arm_const.UC_ARM_REG_PC)
            raise ProgramError(f"{routine}: at {at:X}: {error}") from None
        self._check_registers(routine, before, stack_top)
        self._check_alignment(routine)
        return self._cost(routine)

    def _set_registers(self, stack_top: int) -> list[int]:
        """Nothing may depend on what registers hold at first."""
        values = [self.random.getrandbits(32) for _ in _LOW_AND_HIGH]
        for register, value in zip(_LOW_AND_HIGH, values):
            self.unicorn.reg_write(register, value)
        self.unicorn.reg_write(arm_const.UC_ARM_REG_SP, stack_top)
        self.unicorn.reg_write(arm_const.UC_ARM_REG_LR, RETURN | 1)
        return values[4:12]

    def _check_registers(self, routine: str, before: list[int], stack_top: int) -> None:
        if self.unicorn.reg_read(arm_const.UC_ARM_REG_PC) & ~1 != RETURN:
            raise ProgramError(f"{routine} has not come back after {MOST_RUNS} branches")
        if self.unicorn.reg_read(arm_const.UC_ARM_REG_SP) != stack_top:
            raise ProgramError(f"{routine} has moved the stack pointer")
        after = [self.unicorn.reg_read(register) for register in _CALL_SAVED]
        if self.callable_by_c and after != before:
            raise ProgramError(
                f"{routine} has changed a register that a callee must keep, R4 to R11"
            )

    def _check_alignment(self, routine: str) -> None:
        """ARMv6-M faults where Unicorn does not."""
        for address, size in self.accesses:
            if address % size:
                raise ProgramError(f"{routine} reads or writes {size} bytes at {address:X}")

    def _cost(self, routine: str) -> Cost:
        clocks = stack = deepest = 0
        calls = Calls()
        following = [address for address, _ in self.entered[1:]] + [RETURN]
        for entered, after in zip(self.entered, following):
            it = self.runs.get(entered) or self._run(entered)
            calls.enter(self.functions.get(entered[0]), clocks)
            deepest = max(deepest, stack + it.deepest)
            stack += it.stack
            clocks += it.clocks
            if after != it.next:
                clocks += it.taken
                if not it.ends:
                    raise ProgramError(
                        f"{routine}: no branch leads from {it.next - 2:X} to {after:X}"
                    )
            for name, took in calls.leave(it, after, clocks):
                self._called(name, took)
        return Cost(clocks, deepest)

    def _called(self, name: str, clocks: int) -> None:
        old = self.calls.get(name, Profile(0, 0))
        self.calls[name] = Profile(old.calls + 1, max(old.clocks, clocks))

    def profile(self) -> Mapping[str, Profile]:
        return dict(self.calls)

    def _run(self, entered: tuple[int, int]) -> Run:
        at, size = entered
        try:
            it = run(self.dump(at, size + 2), at, size, self.core)
        except NotArmv6MError as error:
            raise ProgramError(str(error)) from None
        self.runs[entered] = it
        return it

    def touched(self) -> frozenset[int]:
        return frozenset(address + i for address, size in self.accesses for i in range(size))

    def forget(self) -> None:
        self.accesses.clear()
        self.calls.clear()

    def close(self) -> None:
        """Unicorn frees what it has with its object."""


class RandomCortexM0(CortexM0):
    """With a device that gives random words."""

    def _processor(self) -> unicorn.Uc:
        processor = super()._processor()
        processor.mmio_map(RANDOM, PAGE_BYTES, self._random_word, None, None, None)
        return processor

    def _random_word(self, _uc: unicorn.Uc, _offset: int, size: int, _data: object) -> int:
        """The device that cortex-m0/random_device.S reads."""
        return self.random.getrandbits(8 * size)


class MaskedCortexM0(InShares, RandomCortexM0):
    """Key and text are shares."""


def sources(program: Program) -> list[Path]:
    """The sources of the program. The tables are those of the C library, made by the model."""
    tables = C_LIBRARY / "src" / program.cipher / "tables" / "tables.c"
    if program.cipher == "des":
        return [SOURCES / "des.S", tables]
    if "c_kernel" in program.options:
        more = [C_LIBRARY / "src" / name for name in ("twofish/schedule.c", "common/wipe.c")]
        return [SOURCES / "c_kernel.c", *more, tables]
    if program.masked:
        names = ("program", "masked", "masked_masks", "masked_set_key", "random_device")
        return [*(SOURCES / f"{name}.S" for name in names), tables]
    kernel = SOURCES / f"{program.options['keeps']}.S"
    return [SOURCES / "program.S", kernel, SOURCES / "set_key.S", tables]


def definitions(program: Program) -> list[str]:
    """Options of the compiler for the program's options."""
    values = {"key_bits": program.key_bits, "memory": program.memory, **program.options}
    if "keeps" in values:
        values[f"keeps_{values.pop('keeps')}"] = 1
    level = values.pop("optimise", "s")
    return [f"-O{level}", *(f"-D{name.upper()}={value}" for name, value in values.items())]


def build(program: Program, folder: Path) -> Path:
    """The program's image as an ELF file."""
    elf = folder / f"{program.name}.elf"
    roots = [f"-Wl,-u,{program.symbol(name)}" for name in ("set_key", *program.directions)]
    roots.append(f"-Wl,-e,{program.symbol('encrypt')}")
    run_tool([*COMPILER, *definitions(program), *roots, "-o", elf, *sources(program)], PACKAGE)
    return elf


def read_symbols(elf: Path) -> tuple[dict[str, int], dict[str, int]]:
    """Addresses of all symbols, and bytes of the functions."""
    addresses, sizes = {}, {}
    for line in run_tool(["arm-none-eabi-nm", "-S", "--defined-only", elf], PACKAGE).splitlines():
        address, *size, kind, name = line.split()
        addresses[name] = int(address, 16)
        if size and kind == "T":
            sizes[name] = int(size[0], 16)
    return addresses, sizes


def section_sizes(elf: Path) -> dict[str, int]:
    """Bytes of each section by its name, without the dot."""
    sizes = {}
    for line in run_tool(["arm-none-eabi-size", "-A", elf], PACKAGE).splitlines():
        words = line.split()
        if len(words) == 3 and words[0].startswith("."):
            sizes[words[0][1:]] = int(words[1])
    return sizes


def binary(elf: Path) -> Path:
    """The image from address 0 on."""
    image = elf.with_suffix(".bin")
    run_tool(["arm-none-eabi-objcopy", "-O", "binary", elf, image], PACKAGE)
    return image


def leak_simulator() -> Path:
    sources = [SOURCES / "leak_thumb.c", SIM / "leak.c", SIM / "leak_main.c"]
    return c_program("leak_thumb", sources, [f"-I{SIM}", "-lm"])


def leak_image(program: Program, folder: Path) -> tuple[Path, dict[str, int]]:
    """For leak_simulator."""
    elf = build(program, folder)
    return binary(elf), read_symbols(elf)[0]


def load(
    elf: Path, timing: str, core: type[CortexM0] = CortexM0, *, callable_by_c: bool = True
) -> CortexM0:
    image = binary(elf)
    sizes = section_sizes(elf)
    rom = {part: sizes.get(part, 0) for part in ("cipher", "tables", "set_key")}
    symbols, functions = read_symbols(elf)
    return core(image.read_bytes(), symbols, rom, functions, timing, callable_by_c=callable_by_c)


def open_program(program: Program, folder: Path, timing: str = TIMINGS[0]) -> CortexM0:
    elf = build(program, folder)
    if program.masked:
        machine = load(elf, timing, MaskedCortexM0)
        assert isinstance(machine, MaskedCortexM0)
        return machine.share(program.key_bytes)
    callable_by_c = program.options.get("saves_registers") != 0
    return load(elf, timing, callable_by_c=callable_by_c)


def made_by(program: Program) -> str:
    if "c_kernel" not in program.options:
        return ""
    return "gcc " + run_tool(["arm-none-eabi-gcc", "-dumpfullversion"], PACKAGE).strip()
