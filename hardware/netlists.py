# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A netlist of cells: read from what yosys writes, and written as Verilog."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

CLOCK_PINS = frozenset({"CLK", "clk"})
CONSTANTS = {"0": "1'b0", "1": "1'b1", "x": "1'b0"}


@dataclass
class Instance:
    """A cell, and the net at each of its pins."""

    cell: str
    pins: dict[str, str]


@dataclass
class Netlist:
    """Of single bits.

    ports    the direction and the net of each
    cells    by name
    outputs  the pins of each kind of cell that drive a net
    """

    name: str
    ports: dict[str, tuple[str, str]]
    cells: dict[str, Instance]
    outputs: Mapping[str, frozenset[str]]

    def pins(self) -> Iterator[tuple[str, str, str]]:
        """Each net with a cell at it, and the cell's pin there."""
        for name, cell in self.cells.items():
            for pin, net in cell.pins.items():
                if net not in CONSTANTS.values():
                    yield net, name, pin

    def drives(self, name: str, pin: str) -> bool:
        return pin.partition("[")[0] in self.outputs[self.cells[name].cell]

    def clocks(self) -> set[str]:
        """The nets of clocks, also of those behind gates."""
        return {net for net, _, pin in self.pins() if pin in CLOCK_PINS}

    def verilog(self) -> str:
        """A module whose nets and ports are single wires."""
        ports = self.ports.items()
        lines = [f"module {self.name} ({', '.join(self.ports)});"]
        lines += [f"  {direction} {port};" for port, (direction, _) in ports]
        lines += [f"  assign {port} = {net};" for port, (_, net) in ports if port != net]
        for name, cell in self.cells.items():
            lines.append(f"  {cell.cell} {name} ({', '.join(_connections(cell))});")
        return "\n".join([*lines, "endmodule", ""])


def _connections(cell: Instance) -> Iterator[str]:
    """Of a cell in Verilog, the pins of a bus together."""
    buses: dict[str, list[str]] = {}
    for pin, net in cell.pins.items():
        buses.setdefault(pin.partition("[")[0], []).append(net)
    for name, nets in buses.items():
        yield f".{name}({nets[0] if len(nets) == 1 else '{' + ', '.join(reversed(nets)) + '}'})"


Bit = Any  # a number, or a string for a constant


def _port_bits(ports: Mapping[str, Any]) -> Iterator[tuple[str, str, Bit]]:
    for name, port in ports.items():
        for i, bit in enumerate(port["bits"]):
            yield port["direction"], name if len(port["bits"]) == 1 else f"{name}_{i}_", bit


class _Names:
    """Of nets: the first port that has one, or its number."""

    def __init__(self, ports: Sequence[tuple[str, str, Bit]]) -> None:
        self.of_ports: dict[Bit, str] = {}
        for _, name, bit in sorted(ports, key=lambda port: port[0] != "input"):
            self.of_ports.setdefault(bit, name)

    def net(self, bit: Bit) -> str:
        return CONSTANTS.get(bit) or self.of_ports.get(bit, f"n{bit}")


def read(path: Path, name: str) -> Netlist:
    """Of the file that yosys' write_json makes."""
    modules = json.loads(path.read_text(encoding="utf-8"))["modules"]
    module = modules[name]
    ports = list(_port_bits(module["ports"]))
    names = _Names(ports)
    cells = {
        f"u{i}": Instance(cell["type"], _pins(cell["connections"], names))
        for i, cell in enumerate(module["cells"].values())
    }
    outputs = {
        kind: frozenset(pin for pin, each in one["ports"].items() if each["direction"] == "output")
        for kind, one in modules.items()
    }
    return Netlist(name, {port: (way, names.net(bit)) for way, port, bit in ports}, cells, outputs)


def _pins(connections: Mapping[str, Sequence[Bit]], names: _Names) -> dict[str, str]:
    return {
        pin if len(bits) == 1 else f"{pin}[{i}]": names.net(bit)
        for pin, bits in connections.items()
        for i, bit in enumerate(bits)
    }
