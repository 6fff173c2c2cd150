# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The AVR, an ATmega328P: avr-gcc makes the image, avr/sim_avr.c runs it in libsimavr.

twofish_text is 0, the address of r0: the text is in registers. A program's options go to
avr/twofish.S as lines name = value; avr/twofish.S says which there are. DES is alike.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from ciphers import CIPHERS
from machine import ROOT, Cost, Profile, SimulatedMachine, Simulator, run_tool
from machines import avr_listing
from machines.c_program import SIM, c_program
from machines.shares import InShares
from programs import Program

TIMINGS = ("avr",)
SOURCE = ROOT / "smartcard" / "avr"
PACKAGE = "gcc-avr avr-libc libsimavr-dev"
COMPILER = ("avr-gcc", "-mmcu=atmega328p", f"-I{SOURCE}")
DATA = 0x800000  # where avr-ld puts data space among its addresses
RAM = range(0x100, 0x900)
REGISTERS = 32
PARTS = ("cipher", "set_key")


def options(program: Program) -> dict[str, int | str]:
    """The settings of the program for the assembler."""
    return {
        "key_bits": program.key_bits,
        "decrypt": int("decrypt" in program.directions),
        "kept": "fly",
        "nibbles": 0,
        "u_tables": 0,
        "inline": 0,
        "unroll": 1,
        **program.options,
    }


def source(program: Program, more: Sequence[str] = ()) -> str:
    """The top of a program; `more` names files that it includes besides."""
    named = options(program)
    lines = [f'#define KEPT "{named.pop("kept")}.S"']
    lines += [f"{name} = {value}" for name, value in named.items()]
    lines += [f'#include "{name}"' for name in (f"{program.cipher}.S", *more)]
    return "\n".join(lines) + "\n"


def assemble(program: Program, folder: Path, more: Sequence[str] = ()) -> Path:
    """The object file of a program; `more` names sources that it includes besides."""
    top = folder / "program.S"
    top.write_text(source(program, more))
    made, listing = folder / "program.o", folder / "program.lst"
    flags = ("-Wa,-I", f"-Wa,{SOURCE}", f"-Wa,-alnm={listing}", "-c")
    run_tool([*COMPILER, *flags, "-o", made, top], "gcc-avr avr-libc")
    return made


def link(objects: Sequence[Path], folder: Path, more: Sequence[str] = ()) -> Path:
    """The image and beside it program.elf."""
    elf, image = folder / "program.elf", folder / "program.ihx"
    run_tool([*COMPILER, *more, "-o", elf, *objects], "gcc-avr avr-libc")
    run_tool(["avr-objcopy", "-O", "ihex", "-R", ".eeprom", elf, image], "binutils-avr")
    return image


def sizes(made: Path, cipher: str) -> dict[str, int]:
    """Bytes of code and tables by part, without what aligns them."""
    listed = run_tool(["avr-size", "-A", made], "binutils-avr")
    counted = {name: int(size) for name, size in re.findall(r"^(\.\S+) +(\d+)", listed, re.M)}
    _, code = symbols(made)
    parts = {part: counted[f".text.{cipher}_{part}"] for part in PARTS}
    return {"tables": code["tables_end"] - code["tables"], **parts}


def symbols(elf: Path) -> tuple[dict[str, int], dict[str, int]]:
    """Labels of data, by their address in data space, and of code."""
    data, code = {}, {}
    for line in run_tool(["avr-nm", elf], "binutils-avr").splitlines():
        value, kind, name = line.split()
        if kind in "tTrR":  # tables are data before they are linked
            code[name] = int(value, 16)
        elif int(value, 16) >= DATA:
            data[name] = int(value, 16) - DATA
    return {**{f"{cipher}_text": 0 for cipher in CIPHERS}, **data}, code


def sim_avr() -> Path:
    sources = [SOURCE / "sim_avr.c", SOURCE / "access.c", SIM / "ihex.c", SIM / "monitor.c"]
    return c_program("sim_avr", sources, [f"-I{SIM}", "-lsimavr"], "libsimavr-dev")


def leak_simulator() -> Path:
    sources = [SOURCE / "leak_avr.c", SOURCE / "access.c"]
    sources += [SIM / f"{name}.c" for name in ("ihex", "leak", "leak_main")]
    return c_program("leak_avr", sources, [f"-I{SIM}", "-lsimavr", "-lm"], "libsimavr-dev")


class Avr(SimulatedMachine):
    """The registers that hold no text are filled with something else before each call."""

    def __init__(self, image: Path, rom: Mapping[str, int], text_bytes: int) -> None:
        super().__init__(Simulator([sim_avr(), image]))
        data, self.code = symbols(image.with_suffix(".elf"))
        self.symbols = {**data, **self.code}
        self.rom = rom
        listing = image.with_suffix(".lst")
        self.sizes = avr_listing.sizes(listing.read_text()) if listing.exists() else {}
        self.ram = [RAM]
        self.first = text_bytes
        self.random = random.Random(0)

    def call(self, routine: str) -> Cost:
        self.load(self.first, self.random.randbytes(REGISTERS - self.first))
        return super().call(routine)

    def profile(self) -> Mapping[str, Profile]:
        found = self.simulator.profile()
        return {name: found[at] for name, at in self.code.items() if at in found}


class MaskedAvr(InShares, Avr):
    """Key and text are in RAM, as shares."""


def build(program: Program, folder: Path) -> Path:
    """The image, and beside it program.o and program.elf."""
    made = assemble(program, folder, ["random_port.S"] if program.masked else [])
    return link([made], folder, ["-nostartfiles"])


def leak_image(program: Program, folder: Path) -> tuple[Path, dict[str, int]]:
    """For leak_simulator; the symbols are of data and code."""
    image = build(program, folder)
    data, code = symbols(image.with_suffix(".elf"))
    return image, {**data, **code}


def open_program(program: Program, folder: Path, timing: str = TIMINGS[0]) -> Avr:
    image = build(program, folder)
    rom = sizes(image.with_suffix(".o"), program.cipher)
    if program.masked:
        return MaskedAvr(image, rom, 0).share(program.key_bytes)
    return Avr(image, rom, CIPHERS[program.cipher].block_bytes)
