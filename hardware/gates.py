#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Simulates netlists: the bench of all cores on what synthesis has made of them.

hardware/gates.py                 the cores of the table, in Verilator
hardware/gates.py CORE...         these cores; a name may have * and ?
hardware/gates.py --icarus ...    the tests of handshakes, in four-valued logic: all begins unknown
hardware/gates.py --osu ...       the same by the models that come with OSU's cells

Models of the cells are made of the functions in the Liberty file; with --osu they are those that
come with the cells, of which Icarus leaves out the delays.

Exit status: 0 all is well, 1 a netlist is wrong or could not be made, 2 wrong usage.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import cells
import handshakes
import simulate
import synthesis
from cores import Core
from tools import BUILD, RTL, HardwareError, fault, run

FOLDER = BUILD / "gates"

# --- models of cells ---------------------------------------------------------------------------

SEQUENTIAL = {
    "DFFPOSX1": "  always @(posedge CLK) Q <= D;",
    "DFFNEGX1": "  always @(negedge CLK) Q <= D;",
    "LATCH": "  always @* if (CLK) Q = D;",
}
_PIN = re.compile(r"pin\((\w+)\)\s+\{(.*?)(?=^  pin\(|\Z)", re.S | re.M)


def verilog_of(function: str) -> str:
    """A function of the Liberty file, which writes `and` as a blank and `or` as +."""
    text = re.sub(r"\s*\+\s*", "|", function).replace("!", "~")
    return re.sub(r"(?<=[\w)])\s+(?=[\w(~])", " & ", text).replace("|", " | ")


def functions(cell: str) -> dict[str, str]:
    """The outputs of a cell, with their functions."""
    found = {}
    for pin, body in _PIN.findall(cells.cells()[cell]):
        function = re.search(r'^\s*function\s*:\s*"(.*?)"', body, re.M)
        if function:
            found[pin] = function[1]
    return found


def pins(cell: str) -> list[str]:
    return [pin for pin, _ in _PIN.findall(cells.cells()[cell])]


def model(cell: str) -> str:
    """A cell in Verilog, without delays."""
    outputs = functions(cell)
    kind = "reg" if cell in SEQUENTIAL else "wire"
    ports = (
        f"output {kind} {pin}" if pin in outputs else f"input wire {pin}" for pin in pins(cell)
    )
    body = SEQUENTIAL.get(cell)
    if body is None:
        body = "\n".join(f"  assign {pin} = {verilog_of(f)};" for pin, f in outputs.items())
    return f"module {cell} ({', '.join(ports)});\n{body}\nendmodule\n"


def models() -> Iterator[tuple[str, str]]:
    """Of all cells that netlists have; what else there is, no netlist may have."""
    for cell in cells.cells():
        if cell in SEQUENTIAL or cell not in cells.FLIP_FLOPS:
            yield cell, model(cell)


def osu_models() -> Iterator[tuple[str, str]]:
    """Those that come with the cells: each with all primitives, which have their own files."""
    text = cells.MODELS.read_text(encoding="latin-1")
    for name, body in re.findall(
        r"^(?:module|primitive) (\w+)(.*?^end(?:module|primitive))", text, re.S | re.M
    ):
        kind = "primitive" if body.endswith("primitive") else "module"
        if kind == "primitive" or name in cells.cells():
            yield name, f"`timescale 1ns/10ps\n{kind} {name}{body}\n"


# --- a folder that stands for rtl/ ---------------------------------------------------------------


def wrapper(core: Core, ports: str) -> str:
    """The module of the core with its parameters, which the netlist no longer has."""
    parameters = ", ".join(f"parameter {name} = 0" for name in core.parameters)
    names = re.findall(r"(\w+)(?:,|$)", ports, re.M)
    links = ", ".join(f".{name}({name})" for name in names)
    head = f"module {core.module} #({parameters}) (\n{ports}\n);\n"
    return f"{head}  netlist_of_{core.name} netlist ({links});\nendmodule\n"


def ports_of(netlist: str) -> str:
    """The ports of the one module of a netlist, each on a line with its direction and width."""
    found = re.findall(r"^  ((?:input|output) (?:\[\d+:0\] )?\w+);", netlist, re.M)
    return ",\n".join(f"  {port.replace('put ', 'put wire ', 1)}" for port in found)


def folder_of(core: Core, osu: bool) -> Path:
    """A folder in which the core is its netlist."""
    text = synthesis.netlist(core).read_text(encoding="utf-8")
    inner = f"netlist_of_{core.name}"
    folder = FOLDER / f"{core.name}{'_osu' * osu}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    files = dict(osu_models() if osu else models())
    files[inner] = re.sub(rf"\bmodule {core.name}\b", f"module {inner}", text)
    files[core.module] = wrapper(core, ports_of(text))
    files |= {name: ram(name) for name in cells.RAMS}
    files["twofish_ram"] = (RTL / "twofish_ram.v").read_text(encoding="utf-8")
    for name, each in files.items():
        (folder / f"{name}.v").write_text(each, encoding="utf-8")
    return folder


def ram(name: str) -> str:
    words, width = cells.RAMS[name]
    bits = words.bit_length() - 1
    return f"""\
module {name} (
  input wire clk, input wire write, input wire [{bits - 1}:0] write_address,
  input wire [{width - 1}:0] write_data, input wire [{bits - 1}:0] address,
  output wire [{width - 1}:0] data
);
  twofish_ram #(.ADDRESS_BITS({bits}), .WIDTH({width})) ram (
    .clk(clk), .write(write), .write_address(write_address), .write_data(write_data),
    .address(address), .data(data)
  );
endmodule
"""


# --- simulation --------------------------------------------------------------------------------


def in_verilator(core: Core) -> simulate.Figures:
    """The bench of the core on its netlist."""
    return bench_of(core, folder_of(core, osu=False))


def bench_of(core: Core, folder: Path) -> simulate.Figures:
    """The bench of the core on what is in the folder."""
    program = simulate.build(core, folder, folder.with_name(f"{folder.name}_bench"))
    return simulate.run_bench(core, program, simulate.SEED)


def in_icarus(core: Core, *, osu: bool) -> int:
    """The tests of handshakes on its netlist; returns how many passed."""
    return handshakes.run_on_core(core, folder_of(core, osu), f"{core.name}_gates{'_osu' * osu}")


def tried(core: Core, asked: argparse.Namespace) -> str:
    if asked.icarus or asked.osu:
        return f"{in_icarus(core, osu=asked.osu)} tests of handshakes passed"
    found = in_verilator(core)
    return f"bench passed, {found.clocks:g} clocks of a block"


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("cores", nargs="*", metavar="CORE")
    parser.add_argument("--icarus", action="store_true")
    parser.add_argument("--osu", action="store_true")
    asked = parser.parse_args()
    try:
        chosen = synthesis.chosen(asked.cores)
    except HardwareError as error:
        fault(error)
        return 2
    status = 0
    for core in chosen:
        try:
            print(f"{core.name}: {tried(core, asked)}", flush=True)
        except HardwareError as error:
            status = fault(HardwareError(f"{core.name}: {error.error}", error.hint))
    return status


if __name__ == "__main__":
    sys.exit(run(main))
