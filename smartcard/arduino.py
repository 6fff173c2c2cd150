#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Writes two libraries for the Arduino tools, which want all sources in a folder src.

Manyfish is the C library, for boards of 32 bits; ManyfishAVR is a program in assembly, of which
one file is made. Both go to build/arduino, or to FOLDER.

Usage: smartcard/arduino.py [--program NAME] [FOLDER]
    NAME   the program of an AVR, of smartcard/measure.py --list; default: avr_stored

Exit status: 0 all is well, 1 a file could not be written, 2 wrong usage.
"""

from __future__ import annotations

import argparse
import re
import shutil
from pathlib import Path

from machine import ROOT
from machines import avr
from programs import PROGRAMS, Program

LICENCES = ("LICENSE", "LICENSE-APACHE", "LICENSE-MIT")
# Families of boards with a Cortex-M, by the names of Arduino's packages.
BOARDS = "samd,sam,renesas_uno,mbed_nano,mbed_rp2040,rp2040,stm32"
# Options of the compiler cannot be given: what library.json and zephyr/ give stands in each file.
SMALL = "#define MF_SMALL\n#line 1\n"
INCLUDED = re.compile(r'^ *(?:#include|\.include) (?:"(.+)"|KEPT)$', re.MULTILINE)


def properties(name: str, sentence: str, paragraph: str, architectures: str) -> str:
    """Of library.properties: all fields that the format requires."""
    fields = {
        "name": name,
        "version": (ROOT / "VERSION").read_text(encoding="ascii").strip(),
        "author": "The Manyfish authors",
        "maintainer": "The Manyfish authors",
        "sentence": sentence,
        "paragraph": paragraph,
        "category": "Data Processing",
        "url": (ROOT / "REPOSITORY").read_text(encoding="ascii").strip(),
        "architectures": architectures,
        "dot_a_linkage": "true",
    }
    return "".join(f"{field}={value}\n" for field, value in fields.items())


def begin(folder: Path, fields: str) -> Path:
    """A new library; returns its folder of sources."""
    shutil.rmtree(folder, ignore_errors=True)
    sources = folder / "src"
    sources.mkdir(parents=True)
    (folder / "library.properties").write_text(fields, encoding="utf-8")
    for name in LICENCES:
        shutil.copy(ROOT / name, folder)
    return sources


def stage_c(folder: Path) -> None:
    sources = begin(
        folder,
        properties(
            "Manyfish",
            "Twofish, DES and authenticated modes.",
            "The default is constant-time. For boards with an AVR take the library Manyfish AVR.",
            BOARDS,
        ),
    )
    shutil.copytree(ROOT / "c" / "src", sources, dirs_exist_ok=True)
    shutil.copytree(ROOT / "c" / "include", sources, dirs_exist_ok=True)
    for source in sources.rglob("*.c"):
        source.write_text(SMALL + source.read_text(encoding="utf-8"), encoding="utf-8")
    headers = sorted(path.name for path in (sources / "manyfish").iterdir())
    lines = ["#pragma once", *(f"#include <manyfish/{name}>" for name in headers)]
    (sources / "Manyfish.h").write_text("\n".join(lines) + "\n", encoding="utf-8")


def one_file(text: str, kept: str) -> str:
    """The text with each file that it includes in its place; KEPT stands for `kept`."""

    def read(match: re.Match[str]) -> str:
        path = avr.SOURCE / (match[1] or kept)
        return one_file(path.read_text(encoding="utf-8").rstrip("\n"), kept)

    return INCLUDED.sub(read, text)


def stage_avr(folder: Path, program: Program) -> None:
    sources = begin(
        folder,
        properties(
            "Manyfish AVR",
            f"Twofish with keys of {program.key_bits} bits in assembly, a block at a time.",
            f"The program {program.name}. Its time depends neither on the key nor on the text.",
            "avr",
        ),
    )
    shutil.copy(avr.SOURCE / "twofish.h", sources / "ManyfishAVR.h")
    text = one_file(avr.source(program, ["c.S"]), f"{avr.options(program)['kept']}.S")
    (sources / "ManyfishAVR.S").write_text(text, encoding="utf-8")


def main() -> None:
    names = [
        name
        for name, each in PROGRAMS.items()
        if (each.machine, each.cipher, each.masked) == ("avr", "twofish", False)
    ]
    parser = argparse.ArgumentParser(description="Writes two libraries for the Arduino tools.")
    parser.add_argument("--program", choices=names, default="avr_stored", metavar="NAME")
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "build" / "arduino")
    chosen = parser.parse_args()
    stage_c(chosen.folder / "Manyfish")
    stage_avr(chosen.folder / "ManyfishAVR", PROGRAMS[chosen.program])


if __name__ == "__main__":
    main()
