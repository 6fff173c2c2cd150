# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The 6805: sdas6808 and sdld6808 make the image, sim/sim6805.c runs it.

To build, check and measure a program: smartcard/measure.py fly_2tables. The build leaves in the
program's folder under build/smartcard/: program.asm, which has the options and includes
6805/twofish.asm; program.rst, the listing with final addresses; program.ihx, the image.

What the assembly can rely on:
- Symbols: key_bits, encrypt and decrypt (1 or 0: the directions), host and eeprom (1 or 0), and
  each option of the program.
- Areas: TABLES, CIPHER, SET_KEY in this order, the first at the address `rom` (0x100 unless the
  program's option says otherwise); each is a part of the ROM in the results. RAM is absolute: it
  needs `.org`. RAM is 20-FF and, if rom is above 0x100, from there to rom; the stack is C0-FF. A
  program that wants more RAM, or EEPROM, defines far_ram and far_ram_end, above all ROM.
- Direct addressing must be asked for: `lda *R0`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from machine import ROOT, ProgramError, SimulatedMachine, Simulator, run_tool
from machines.c_program import SIM, c_program
from machines.listing import read
from machines.routine_sizes import sizes
from programs import Program

TIMINGS = ("hc05", "hmos")
SOURCE = ROOT / "smartcard" / "6805"
AREAS = ("TABLES", "CIPHER", "SET_KEY")
ROM, RAM = 0x100, 0x20
SIMULATOR = [SIM / f"{name}.c" for name in ("sim6805", "cpu6805", "board", "ihex", "monitor")]


@dataclass(frozen=True)
class Image:
    """The output of the linker. rom: where it begins; sizes: bytes of each area."""

    ihx: Path
    listing: Path
    symbols: Mapping[str, int]
    sizes: Mapping[str, int]
    rom: int

    @property
    def ram(self) -> list[range]:
        ranges = [range(RAM, min(0x100, self.rom))]
        if self.rom > 0x100:
            ranges.append(range(0x100, self.rom))
        if "far_ram" in self.symbols:
            ranges.append(range(self.symbols["far_ram"], self.symbols["far_ram_end"]))
        return ranges

    def bytes(self) -> dict[int, int]:
        """By address."""
        return {at: byte for at, data in _records(self.ihx) for at, byte in enumerate(data, at)}


def _records(ihx: Path) -> Iterator[tuple[int, bytes]]:
    for line in ihx.read_text().split():
        record = bytes.fromhex(line[1:])
        if record[3] == 0:
            yield int.from_bytes(record[1:3], "big"), record[4:-1]


def options(program: Program) -> dict[str, int | str]:
    """The settings of the program for the assembler."""
    return {
        "key_bits": program.key_bits,
        "encrypt": int("encrypt" in program.directions),
        "decrypt": int("decrypt" in program.directions),
        "host": int(program.host),
        "eeprom": int(program.eeprom),
        "rom": ROM,
        "keeps": 0,
        "tiny": 0,
        "nibbles": 0,
        "rs_tables": 0,
        "interrupts": 0,
        "fast_key": 0,
        **program.options,
    }


def build(program: Program, folder: Path) -> Image:
    lines = [f"\t.title {program.name}", "\t.6805"]
    lines += [f"{name} = {value}" for name, value in options(program).items()]
    lines += [f"\t.area {area} (REL,CON)" for area in AREAS]
    lines += ["\t.area RAM (ABS,OVR)", f'\t.include "{program.cipher}.asm"']
    source = folder / "program.asm"
    source.write_text("\n".join(lines) + "\n")
    return assemble(source, int(str(options(program)["rom"]), 0), SOURCE)


def assemble(source: Path, rom: int, includes: Path) -> Image:
    """The image of a source that names the areas above; made in the folder of the source."""
    folder, name = source.parent, source.stem
    try:
        run_tool(["sdas6808", "-plosa", f"-I{includes}", source.name], "sdcc", folder)
    except ProgramError as error:
        places = list(_places(folder / f"{name}.lst", [source, *includes.rglob("*.*")], str(error)))
        raise ProgramError("\n".join(places) or str(error), error.hint) from None
    said = run_tool(
        ["sdld6808", "-nuimjw", "-b", f"{AREAS[0]}={rom:#x}", f"{name}.ihx", f"{name}.rel"],
        "sdcc",
        folder,
    )
    if "ASlink" in said:
        raise ProgramError(f"sdld6808: {said.strip()}")
    values = {
        name: int(value, 0)
        for name, value in re.findall(
            r"^DEF (\S+) (\S+)$", (folder / f"{name}.noi").read_text(), re.M
        )
    }
    sizes = {area: values[f"l_{area}"] for area in AREAS if f"l_{area}" in values}
    image = Image(
        folder / f"{name}.ihx",
        folder / f"{name}.rst",
        {symbol: at for symbol, at in values.items() if symbol[:2] not in ("l_", "s_", "._")},
        sizes,
        rom,
    )
    if sum(sizes.values()) != len(image.bytes()):
        raise ProgramError(f"{source}: has bytes outside of the areas {', '.join(AREAS)}")
    return image


def _places(listing: Path, sources: Iterable[Path], said: str) -> Iterator[str]:
    """The errors with file and line: sdas itself names a wrong file where one is included.

    A line of the listing that has an error begins with its letters; sdas tells what they mean.
    """
    meanings = dict(re.findall(r"Error: <(\w)> (.*)", said))
    files = {
        (number, text): path
        for path in sources
        for number, text in enumerate(path.read_text().splitlines(), 1)
    }
    place = ""
    for line in read(listing) if listing.exists() else ():
        path = files.get((line.number or 0, line.text))
        if path:
            place = f"{path.relative_to(ROOT) if path.is_relative_to(ROOT) else path}:{line.number}"
        if line.errors:
            what = ", ".join(meanings.get(letter, letter) for letter in line.errors)
            yield f"{place}: {what}: {line.text.strip()}" + ("" if path else " (in a macro)")


class M6805(SimulatedMachine):
    def __init__(self, image: Image, timing: str) -> None:
        ram = ",".join(f"{part.start:X}-{part.stop - 1:X}" for part in image.ram)
        options = ["--timing", timing, "--no-mul", "--ram", ram]
        super().__init__(Simulator([c_program("sim6805", SIMULATOR), *options, image.ihx]))
        self.image = image
        self.symbols = image.symbols
        self.rom = {area.lower(): size for area, size in image.sizes.items() if size}
        self.ram = image.ram
        self.sizes = sizes(image.listing)


def open_program(program: Program, folder: Path, timing: str = TIMINGS[0]) -> M6805:
    return M6805(build(program, folder), timing)
