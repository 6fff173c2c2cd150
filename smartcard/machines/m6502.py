# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The 6502: ca65 and ld65 make the image, sim/sim6502.c runs it.

What the build leaves in the card's folder under build/smartcard/: card.s, which has the options and
includes 6502/twofish.s; card.lst, the listing; card.cfg, the linker's configuration; card.map and
card.lbl, where everything is; card.bin, the image. Each segment of ROM is a part of the results.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from cards import Card
from machine import ROOT, CardError, SimulatedMachine, Simulator, run_tool
from machines.c_program import SIM, c_program

TIMINGS = ("6502",)
SOURCE = ROOT / "smartcard" / "6502"
SEGMENTS = ("SETUP_TABLES", "TABLES", "CIPHER", "SET_KEY")  # of ROM; tables begin at pages
RAM_LAST, ROM = 0xFFF, 0xC000
MAX_PADDING = 32  # bytes; they count
CROSSES = "a balanced branch crosses a page"  # as the assembly says it

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
    """What the linker made. sizes: bytes of each segment."""

    binary: Path
    symbols: Mapping[str, int]
    sizes: Mapping[str, int]


def options(card: Card) -> dict[str, int | str]:
    """What the assembly is told about the card."""
    return {
        "key_bits": card.key_bits,
        "memory": card.memory,
        "small": 0,
        "encrypt": int("encrypt" in card.directions),
        "decrypt": int("decrypt" in card.directions),
        **card.options,
    }


def build(card: Card, folder: Path) -> Image:
    """With the least padding before the code that keeps each balanced branch within a page."""
    source = folder / "card.s"
    for padding in range(MAX_PADDING + 1):
        settings = {**options(card), "padding": padding}
        lines = [f"{name} = {value}" for name, value in settings.items()]
        source.write_text("\n".join([*lines, '.include "twofish.s"']) + "\n")
        try:
            return assemble(source, SOURCE)
        except CardError as error:
            if padding == MAX_PADDING or CROSSES not in str(error):
                raise
    raise AssertionError


def assemble(source: Path, includes: Path) -> Image:
    """The image of a source with the segments above; made in the folder of the source."""
    folder = source.parent
    (folder / "card.cfg").write_text(CONFIGURATION)
    run_tool(
        ["ca65", "-g", "-I", includes, "-l", "card.lst", "-o", "card.o", source.name],
        "cc65",
        folder,
    )
    outputs = ["-m", "card.map", "-Ln", "card.lbl", "-o", "card.bin"]
    run_tool(["ld65", "-C", "card.cfg", *outputs, "card.o"], "cc65", folder)
    symbols = {
        name: int(value, 16)
        for value, name in re.findall(
            r"^al (\w+) \.(\w+)$", (folder / "card.lbl").read_text(), re.M
        )
    }
    image = Image(folder / "card.bin", symbols, _sizes((folder / "card.map").read_text()))
    if sum(image.sizes.values()) != image.binary.stat().st_size:
        raise CardError(f"{source}: has bytes outside of the segments {', '.join(SEGMENTS)}")
    return image


def _sizes(link_map: str) -> dict[str, int]:
    """Of the segments in ROM, in the linker's list of them."""
    listed = re.findall(r"^(\w+) +\w{6}  \w{6}  (\w{6})  \w{5}$", link_map, re.M)
    sizes = {name: int(size, 16) for name, size in listed}
    return {name: sizes[name] for name in SEGMENTS if sizes.get(name)}


def sim6502() -> Path:
    sources = ("sim6502.c", "cpu6502.c", "monitor.c")
    return c_program("sim6502", [SIM / source for source in sources])


class M6502(SimulatedMachine):
    ram = (range(RAM_LAST + 1),)

    def __init__(self, image: Image) -> None:
        super().__init__(Simulator([sim6502(), f"{RAM_LAST:X}", f"{ROM:X}", image.binary]))
        self.image = image
        self.symbols = image.symbols
        sizes = dict(image.sizes)
        sizes["SET_KEY"] += sizes.pop("SETUP_TABLES", 0)
        self.rom = {name.lower(): size for name, size in sizes.items()}


def open_card(card: Card, folder: Path, timing: str = TIMINGS[0]) -> M6502:
    return M6502(build(card, folder))
