# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The standard cells of OSU for 0.35 um CMOS, read where Debian's package puts them.

Areas are those of the LEF, which is what a layout would take: the Liberty file has others for some
cells (and none for LATCH). Four setup times of LATCH stand out of their rows by 5 ns; what lies
between their neighbours is taken instead. Pads, clock buffers and tri-state buffers are left out.
The Liberty file that synthesis and timing read is made of the package's, in build/hardware/, with
RAMs in a second one.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from pathlib import Path

from tools import BUILD, HardwareError, write

FOLDER = Path("/usr/share/qflow/tech/osu035")
LIBERTY = FOLDER / "osu035_stdcells.lib"
LEF = FOLDER / "osu035_stdcells.lef"
MODELS = FOLDER / "osu035_stdcells.v"

# Attributes that no netlist of ours uses.
LEFT_OUT = re.compile(r"PAD|CLKBUF|TBUF")
FLIP_FLOPS = frozenset({"DFFPOSX1", "DFFNEGX1", "DFFSR"})
LATCHES = frozenset({"LATCH"})

# Estimate of wires: 0.2 fF for each um; 100 um to one input, and 50 um to each further one.
WIRE_PF_PER_UM = 0.0002
WIRE_UM = 100.0
WIRE_UM_MORE = 50.0

# RAMs with one port to write and one to read, whose word comes in the clock after its address:
# words and bits of each. Their times are an assumption, for the 256 x 8; RESULTS.md says what clock
# rate a core would have with others.
RAMS = {"RAM_256X8": (256, 8), "RAM_16X64": (16, 64)}
RAM_SETUP_NS = 0.5
RAM_READ_NS = 3.0
RAM_SLEW_NS = 0.2
RAM_PIN_PF = 0.03
STANDS_OUT_NS = 3.0

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
    """The facts that the package's Liberty file has of each cell that we use."""
    found = dict(_CELL.findall(_text(LIBERTY)))
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


def _without_clock_load(body: str) -> str:
    """Clock pins are no load: what drives many of them is a tree, which a layout adds."""
    pin = re.compile(r"(pin\(CLK\)  \{.*?)^    internal_power", re.S | re.M)
    return pin.sub(lambda found: re.sub(r"capacitance : [\d.]+", "capacitance : 0", found[0]), body)


def _interpolated(row: str) -> str:
    """A row of setup times, without those that stand out."""
    values = [float(value) for value in row.split(",")]
    kept = [i for i, value in enumerate(values) if value < STANDS_OUT_NS]
    for i in set(range(len(values))) - set(kept):
        left, right = max(k for k in kept if k < i), min(k for k in kept if k > i)
        part = (i - left) / (right - left)
        values[i] = values[left] + part * (values[right] - values[left])
    return ", ".join(f"{value:g}" for value in values)


def _with_sane_setup(body: str) -> str:
    return re.sub(
        r"(setup_rising|setup_falling)(.*?)(?=timing_type|^  \})",
        lambda found: re.sub(r'(?<=")-?[\d.]+(?:, -?[\d.]+){5}(?=")', _row, found[0]),
        body,
        flags=re.S | re.M,
    )


def _row(found: re.Match[str]) -> str:
    return _interpolated(found[0])


def ram_bits(cell: str) -> int:
    words, width = RAMS[cell]
    return words * width


def _ram_pin(name: str, width: int, timing: str, *, output: bool = False) -> str:
    """A pin or bus of a RAM."""
    inside = f"direction : {'output' if output else 'input'}; "
    inside += "" if output else f"capacitance : {RAM_PIN_PF}; "
    if width == 1:
        return f"  pin({name}) {{ {inside}{timing} }}\n"
    return f"  bus({name}) {{ bus_type : bits{width}; {inside}{timing} }}\n"


def _ram(name: str) -> str:
    """A cell of fixed times, since nothing is known of its transistors."""
    words, width = RAMS[name]
    address = words.bit_length() - 1
    setup = (
        "timing() { related_pin : clk; timing_type : setup_rising; "
        f'rise_constraint(scalar) {{ values("{RAM_SETUP_NS}"); }} '
        f'fall_constraint(scalar) {{ values("{RAM_SETUP_NS}"); }} }}'
    )
    read = "timing() { related_pin : clk; timing_type : rising_edge; " + "".join(
        f'cell_{edge}(scalar) {{ values("{RAM_READ_NS}"); }} '
        f'{edge}_transition(scalar) {{ values("{RAM_SLEW_NS}"); }} '
        for edge in ("rise", "fall")
    )
    pins = [
        _ram_pin("clk", 1, "clock : true;"),
        _ram_pin("write", 1, setup),
        _ram_pin("write_address", address, setup),
        _ram_pin("write_data", width, setup),
        _ram_pin("address", address, setup),
        _ram_pin("data", width, read + "}", output=True),
    ]
    return f"cell ({name}) {{\n  area : 0;\n{''.join(pins)}}}\n"


def _bus_types() -> str:
    widths = {width for _, width in RAMS.values()}
    widths |= {words.bit_length() - 1 for words, _ in RAMS.values()}
    return "".join(
        f"  type (bits{n}) {{ base_type : array; data_type : bit; bit_width : {n}; "
        f"bit_from : {n - 1}; bit_to : 0; downto : true; }}\n"
        for n in sorted(widths)
    )


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
    return head + wires + _without_clock_load(_with_sane_setup("".join(bodies))) + "}\n"


def rams_text() -> str:
    """A Liberty file of the RAMs; abc would not read it."""
    head = _text(LIBERTY)
    units = head[head.index("  delay_model") : head.index("  nom_process")]
    return f"library (rams) {{\n{units}\n{_bus_types()}{''.join(map(_ram, RAMS))}}}\n"


@functools.cache
def liberty() -> tuple[Path, Path]:
    """The files that synthesis and timing read: the cells, and the RAMs."""
    return _made("cells.lib", liberty_text()), _made("rams.lib", rams_text())


def _made(name: str, text: str) -> Path:
    """A file of this text, which is written if it is not there."""
    path = BUILD / name
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        write(path, text)
    return path
