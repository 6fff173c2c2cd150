# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The 6502: ca65 and ld65 make the image, sim/sim6502.c runs it.

The build leaves in the program's folder under build/smartcard/: program.s, which has the options
and includes 6502/twofish.s; program.lst, the listing; program.cfg, the linker's configuration;
program.map and program.lbl, where everything is; program.bin, the image. Each segment of ROM is a
part of the results.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from claims import HEADER
from machine import ROOT, ProgramError, SimulatedMachine, Simulator, run_tool
from machines.c_program import SIM, c_program
from programs import Program

TIMINGS = ("6502",)
SOURCE = ROOT / "smartcard" / "6502"
SEGMENTS = ("SETUP_TABLES", "TABLES", "CIPHER", "SET_KEY")  # of ROM; tables begin at pages
RAM_LAST, ROM = 0xFFF, 0xC000
SIMULATOR = [SIM / f"{name}.c" for name in ("sim6502", "cpu6502", "board", "monitor")]
MAX_PADDING = 32  # bytes; they count
CROSSES = "a branch crosses a page"  # as the assembly says it

CONFIGURATION = f"""\
MEMORY {{
    PAGE_ZERO: start = $0000, size = $0100;
    MEMORY: start = $0200, size = ${RAM_LAST + 1 - 0x200:04X};
    ROM: start = ${ROM:04X}, size = $4000, file = %O;
}}
SEGMENTS {{
    ZEROPAGE: load = PAGE_ZERO, type = zp;
    MEMORY: load = MEMORY, type = bss, align = $100, optional = yes;
    SETUP_TABLES: load = ROM, type = ro, align = $100, optional = yes;
    TABLES: load = ROM, type = ro, align = $100, optional = yes;
    CIPHER: load = ROM, type = ro;
    SET_KEY: load = ROM, type = ro;
}}
"""


@dataclass(frozen=True)
class Image:
    """The output of the linker.

    segments  of ROM, in the order of their addresses
    sizes     bytes of what has a comment of its own: routines and macros
    """

    binary: Path
    symbols: Mapping[str, int]
    segments: Mapping[str, range]
    sizes: Mapping[str, int]


def options(program: Program) -> dict[str, int | str]:
    """The settings of the program for the assembler."""
    return {
        "key_bits": program.key_bits,
        "memory": program.memory,
        "small": 0,
        "unrolled": 0,
        "one_g": 0,
        "fast_whitening": 0,
        "encrypt": int("encrypt" in program.directions),
        "decrypt": int("decrypt" in program.directions),
        **program.options,
    }


def build(program: Program, folder: Path) -> Image:
    """With the least padding before the code that keeps the branches within a page."""
    source = folder / "program.s"
    for padding in range(MAX_PADDING + 1):
        settings = {**options(program), "padding": padding}
        lines = [f"{name} = {value}" for name, value in settings.items()]
        source.write_text("\n".join([*lines, '.include "twofish.s"']) + "\n")
        try:
            return assemble(source, SOURCE)
        except ProgramError as error:
            if padding == MAX_PADDING or CROSSES not in str(error):
                raise
    raise AssertionError


def assemble(source: Path, includes: Path) -> Image:
    """The image of a source with the segments above; made in the folder of the source."""
    folder = source.parent
    (folder / "program.cfg").write_text(CONFIGURATION)
    listing = ["--list-bytes", "0", "-l", "program.lst"]
    run_tool(
        ["ca65", "-g", *listing, "-I", includes, "-o", "program.o", source.name], "cc65", folder
    )
    outputs = ["-m", "program.map", "-Ln", "program.lbl", "-o", "program.bin"]
    run_tool(["ld65", "-C", "program.cfg", *outputs, "program.o"], "cc65", folder)
    symbols = {
        name: int(value, 16)
        for value, name in re.findall(
            r"^al (\w+) \.(\w+)$", (folder / "program.lbl").read_text(), re.M
        )
    }
    segments = _segments((folder / "program.map").read_text())
    image = Image(
        folder / "program.bin",
        symbols,
        segments,
        {
            **dict(_routine_sizes(includes, symbols, segments)),
            **_macro_sizes((folder / "program.lst").read_text()),
        },
    )
    if sum(map(len, segments.values())) != image.binary.stat().st_size:
        raise ProgramError(f"{source}: has bytes outside of the segments {', '.join(SEGMENTS)}")
    return image


def _segments(link_map: str) -> dict[str, range]:
    """Those in ROM, of the linker's list of all."""
    listed = re.findall(r"^(\w+) +(\w{6})  \w{6}  (\w{6})  \w{5}$", link_map, re.M)
    found = {name: range(int(at, 16), int(at, 16) + int(size, 16)) for name, at, size in listed}
    return {name: found[name] for name in SEGMENTS if found.get(name)}


def _routine_sizes(
    sources: Path, symbols: Mapping[str, int], segments: Mapping[str, range]
) -> Iterator[tuple[str, int]]:
    """Of routines that have a comment: each goes on to the next one that has, or to the end."""
    lines = (line for file in sources.glob("*.s") for line in file.read_text().splitlines())
    names = {found[1] for line in lines if (found := HEADER.match(line))} & symbols.keys()
    for segment in segments.values():
        starts = sorted({symbols[name] for name in names} & set(segment))
        ends = dict(zip(starts, [*starts[1:], segment.stop]))
        yield from ((name, ends[at] - at) for name in names if (at := symbols[name]) in ends)


def _macro_sizes(listing: str) -> dict[str, int]:
    """Of the first use of each macro outside of others.

    A line has an offset, the depth of the file, four bytes and the source; the bytes of a macro go
    on in lines without a source.
    """
    line = re.compile(r"\w{6}[ r] \d  ((?:\w\w ){0,4}) *(.*)")
    lines = [found.groups() for text in listing.splitlines() if (found := line.fullmatch(text))]
    names = {found[1] for _, text in lines if (found := re.match(r"\.macro (\w+)", text))}
    found_sizes: dict[str, int] = {}
    name = ""
    for code, text in lines:
        if text:
            words = re.match(r"(?:@?\w+: +)?(\w+)", text)
            name = words[1] if words and words[1] in names - found_sizes.keys() else ""
        if name and code:
            found_sizes[name] = found_sizes.get(name, 0) + len(code.split())
    return found_sizes


class M6502(SimulatedMachine):
    ram = (range(RAM_LAST + 1),)

    def __init__(self, image: Image) -> None:
        program = c_program("sim6502", SIMULATOR)
        super().__init__(Simulator([program, f"{RAM_LAST:X}", f"{ROM:X}", image.binary]))
        self.image = image
        self.symbols = image.symbols
        self.sizes = image.sizes
        parts = {name.lower(): len(part) for name, part in image.segments.items()}
        parts["set_key"] += parts.pop("setup_tables", 0)
        self.rom = parts


def open_program(program: Program, folder: Path, timing: str = TIMINGS[0]) -> M6502:
    return M6502(build(program, folder))
