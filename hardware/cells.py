# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The standard cells of OSU for 0.35 um CMOS, read where Debian's package puts them.

Areas are those of the LEF, which is what a layout would take: the Liberty file has others for some
cells (and none for LATCH). Pads, clock buffers and tri-state buffers are left out. The Liberty
file that synthesis and timing read is made of the package's, in build/hardware/.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from pathlib import Path

from tools import BUILD, HardwareError

FOLDER = Path("/usr/share/qflow/tech/osu035")
LIBERTY = FOLDER / "osu035_stdcells.lib"
LEF = FOLDER / "osu035_stdcells.lef"
MODELS = FOLDER / "osu035_stdcells.v"

# What no netlist of ours uses.
LEFT_OUT = re.compile(r"PAD|CLKBUF|TBUF")
FLIP_FLOPS = frozenset({"DFFPOSX1", "DFFNEGX1", "DFFSR"})
LATCHES = frozenset({"LATCH"})

# Estimate of wires: 0.2 fF for each um; 100 um to one input, and 50 um to each further one.
WIRE_PF_PER_UM = 0.0002
WIRE_UM = 100.0
WIRE_UM_MORE = 50.0

_CELL = re.compile(r"^cell \((\w+)\) \{\n(.*?)^\}\n", re.S | re.M)
_AREA = re.compile(r"^\s*area\s*:\s*([\d.]+)\s*;", re.M)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="latin-1")
    except FileNotFoundError:
        raise HardwareError(
            f"{path} is not installed", "apt-get install qflow-tech-osu035, or make setup"
        ) from None


@functools.cache
def areas() -> Mapping[str, float]:
    """Square micrometres by cell, of the LEF."""
    sizes = re.findall(r"^MACRO (\S+)$.*?SIZE\s+([\d.]+)\s+BY\s+([\d.]+)", _text(LEF), re.S | re.M)
    return {name: float(width) * float(height) for name, width, height in sizes}


@functools.cache
def cells() -> Mapping[str, str]:
    """What the package's Liberty file says of each cell that we use."""
    found = {name: body for name, body in _CELL.findall(_text(LIBERTY))}
    return {name: body for name, body in found.items() if not LEFT_OUT.match(name)}


def gate_equivalents(cell: str) -> float:
    """In areas of the two-input NAND."""
    return areas()[cell] / areas()["NAND2X1"]


def wrong_areas() -> Mapping[str, tuple[float, float]]:
    """Cells whose area in the Liberty file is not that of the LEF: (Liberty, LEF)."""
    found = {}
    for name, body in cells().items():
        told = _AREA.search(body)
        area = float(told[1]) if told else 0.0
        if abs(area - areas()[name]) > 0.01:
            found[name] = area, areas()[name]
    return found


def liberty_text() -> str:
    """The package's Liberty file with the LEF's areas and a wire load of our own."""
    text = _text(LIBERTY)
    head = text[: text.index("/* --------------- *\n * Design")]
    wires = (
        '  wire_load ("estimate") {\n'
        f"    capacitance : {WIRE_PF_PER_UM};\n    resistance : 0;\n    area : 0;\n"
        f"    slope : {WIRE_UM_MORE};\n    fanout_length (1, {WIRE_UM});\n  }}\n"
    )
    bodies = (
        f"cell ({name}) {{\n{_AREA.sub(f'  area : {areas()[name]:g};', body, count=1)}}}\n"
        for name, body in cells().items()
    )
    return head + wires + "".join(bodies) + "}\n"


@functools.cache
def liberty() -> Path:
    """The file that synthesis and timing read."""
    path = BUILD / "cells.lib"
    text = liberty_text()
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return path
