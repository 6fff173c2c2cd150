#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Shows exactly that no single probe on the masked core tells a secret, glitches included.

hardware/probing.py            the gadgets and the core
hardware/probing.py --netlist  also the core in cells, as synthesis.py makes it

With glitches, a probe on a wire sees every register and input that the wire's logic begins at
[FGMPS18]. So what the logic of each register sees is compared with the secrets:

gadgets  masked_t and masked_add, exactly. The values that a probe sees, as functions of the
         secrets, of their masks and of the random bits of several clocks, must have the same
         distribution for all secrets. The inputs are taken to be masked
         independently, each with a fresh bit.
core     its structure. Outside of the gadgets no logic begins at registers of both shares, each
         gadget's inputs are what its proof takes them for, each random bit has one use, and the
         control sees no share. That the masks which meet in a gadget are independent is argued in
         docs/hardware.md, and tried by power.py.
netlist  No register sees more than it does in the RTL.

Exit status: 0 all is well, 1 a probe may tell something, 2 wrong usage.
"""

from __future__ import annotations

import argparse
import functools
import json
import re
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cores import CORES
from synthesis import netlist as netlist_of
from tools import RTL, HardwareError, run, run_tool

Net = int  # as Yosys numbers them; constants are "0" and "1"

CORE = "twofish_quarter_h_masked"
SOURCES = (f"{CORE}.v", "twofish_rs_byte.v", "twofish_check.v", "masked_*.v", "tables/masked_*.v")
GADGETS_OF_CORE = ("t_a.", "t_b.", "add0.", "add1.")
CONTROL = (
    *("clearing", "setup", "run", "keyed", "decrypt", "words", "round", "kind", "layer", "column"),
    *("turns", "out_valid"),
)
PUBLIC_PORTS = ("clk", "rst", "zeroise", "key_valid", "in_valid", "in_decrypt", "out_ready")


# --- Boolean functions ---------------------------------------------------------------------------


class Functions:
    """Binary decision diagrams: a function is a number, equal functions are equal numbers.

    Variables are numbers too, tested from the lowest on; those below `secrets` are secret.
    """

    FALSE, TRUE = 0, 1
    LAST = 1 << 30

    def __init__(self, secrets: int) -> None:
        self.secrets = secrets
        self.nodes: list[tuple[int, int, int]] = [(self.LAST, 0, 0), (self.LAST, 1, 1)]
        self.numbers: dict[tuple[int, int, int], int] = {}
        self.sums: dict[tuple[int, int], int] = {}
        self.products: dict[tuple[int, int], int] = {}
        self.shares: dict[int, float] = {0: 0.0, 1: 1.0}
        self.supports: dict[int, frozenset[int]] = {0: frozenset(), 1: frozenset()}

    def node(self, variable: int, low: int, high: int) -> int:
        if low == high:
            return low
        key = (variable, low, high)
        if key not in self.numbers:
            self.numbers[key] = len(self.nodes)
            self.nodes.append(key)
        return self.numbers[key]

    def variable(self, number: int) -> int:
        return self.node(number, self.FALSE, self.TRUE)

    def _split(self, f: int, g: int) -> tuple[int, int, int, int, int]:
        top = min(self.nodes[f][0], self.nodes[g][0])
        halves = [
            half
            for h in (f, g)
            for half in (self.nodes[h][1:] if self.nodes[h][0] == top else (h, h))
        ]
        return top, *halves  # type: ignore[return-value]

    def xor(self, f: int, g: int) -> int:
        if f == g:
            return self.FALSE
        if f > g:
            f, g = g, f
        if f == self.FALSE:
            return g
        key = (f, g)
        if key not in self.sums:
            top, f0, f1, g0, g1 = self._split(f, g)
            self.sums[key] = self.node(top, self.xor(f0, g0), self.xor(f1, g1))
        return self.sums[key]

    def both(self, f: int, g: int) -> int:
        if f > g:
            f, g = g, f
        if f == self.FALSE:
            return self.FALSE
        if f in (self.TRUE, g):
            return g
        key = (f, g)
        if key not in self.products:
            top, f0, f1, g0, g1 = self._split(f, g)
            self.products[key] = self.node(top, self.both(f0, g0), self.both(f1, g1))
        return self.products[key]

    def support(self, f: int) -> frozenset[int]:
        if f not in self.supports:
            variable, low, high = self.nodes[f]
            self.supports[f] = self.support(low) | self.support(high) | {variable}
        return self.supports[f]

    def is_masked_by(self, f: int, variable: int) -> bool:
        """Whether f is the variable XOR something without it."""
        rest = self.xor(f, self.variable(variable))
        return variable not in self.support(rest)

    def share(self, f: int) -> float:
        """How much of all values of the variables make f true; exact, since these are dyadic."""
        if f not in self.shares:
            _, low, high = self.nodes[f]
            self.shares[f] = (self.share(low) + self.share(high)) / 2
        return self.shares[f]

    def tells(self, f: int) -> bool:
        """Whether the share of ones among all masks depends on the secrets, which are on top."""
        seen, found, waiting = set(), set(), [f]
        while waiting:
            g = waiting.pop()
            if g in seen:
                continue
            seen.add(g)
            if self.nodes[g][0] < self.secrets:
                waiting += self.nodes[g][1:]
            else:
                found.add(self.share(g))
        return len(found) > 1

    def any_tells(self, functions: Iterable[int]) -> bool:
        """Whether the functions together depend on the secrets.

        One that is XORed with a variable that no other has is uniform whatever the others are, and
        is left out. The joint distribution of all their sums gives that of the rest.
        """
        left = {f for f in functions if f > self.TRUE}
        while True:
            alone = self._uniform(left)
            if alone is None:
                break
            left.remove(alone)
        sums = [self.FALSE]
        for f in sorted(left):
            more = [self.xor(f, g) for g in sums]
            if any(map(self.tells, more)):
                return True
            sums += more
        return False

    def _uniform(self, functions: set[int]) -> int | None:
        owners: dict[int, list[int]] = {}
        for f in functions:
            for variable in self.support(f):
                if variable >= self.secrets:
                    owners.setdefault(variable, []).append(f)
        for variable, users in owners.items():
            if len(users) == 1 and self.is_masked_by(users[0], variable):
                return users[0]
        return None


# --- netlists ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Netlist:
    """A module in gates and flip-flops. Names are of the RTL, with the bit."""

    inputs: Mapping[Net, str]
    outputs: Mapping[str, Net]
    gates: Mapping[Net, tuple[str, tuple[Net | str, ...]]]  # by what they drive
    registers: Mapping[Net, Net | str]  # Q to D
    names: Mapping[Net, str]
    others: Mapping[str, Net]  # all names of the RTL that are left, and what has them

    @functools.cached_property
    def _cones(self) -> dict[Net, frozenset[Net]]:
        return {}

    def cone(self, net: Net | str) -> frozenset[Net]:
        """The registers and inputs at which its logic begins."""
        if isinstance(net, str):
            return frozenset()
        if net not in self.gates:
            return frozenset([net])
        if net not in self._cones:
            _, operands = self.gates[net]
            self._cones[net] = frozenset().union(*map(self.cone, operands))
        return self._cones[net]

    def probes(self) -> Iterator[tuple[str, frozenset[Net]]]:
        """The values on the wires that see most, the inputs of registers; others see a part of it.

        Each output port is taken as if a single wire came of all its bits.
        """
        for q, d in self.registers.items():
            yield self.names[q], self.cone(d)
        ports: dict[str, frozenset[Net]] = {}
        for name, net in self.outputs.items():
            port = name.partition("[")[0]
            ports[port] = ports.get(port, frozenset()) | self.cone(net)
        yield from ports.items()


def elaborate(top: str, parameters: Mapping[str, int], rtl: Path) -> Netlist:
    """The RTL as it stands: no logic is made simpler, so no probe is lost."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "netlist.json"
        script = [
            *(f"read_verilog {path}" for name in SOURCES for path in sorted(rtl.glob(name))),
            *(f"chparam -set {name} {value} {top}" for name, value in parameters.items()),
            f"hierarchy -top {top}",
            "proc; flatten; opt_clean; memory; techmap; simplemap; opt_clean",
            f"write_json {out}",
        ]
        run_tool(["yosys", "-q", "-p", "; ".join(script)], "yosys")
        module = json.loads(out.read_text(encoding="utf-8"))["modules"][top]
    return read_netlist(module)


def best_name(item: tuple[str, object]) -> tuple[int, int, str]:
    """Of the names that a wire has in several modules, a share's tells most, then a register's."""
    name, _ = item
    known = name.startswith("share") or name in CONTROL
    return (0 if known else 1 if "." in name else 2), len(name), name


def read_netlist(module: Mapping[str, object]) -> Netlist:
    ports, cells, netnames = (module[part] for part in ("ports", "cells", "netnames"))
    inputs, outputs, gates, registers = {}, {}, {}, {}
    for name, port in ports.items():  # type: ignore[attr-defined]
        for i, net in enumerate(port["bits"]):
            if port["direction"] == "input":
                inputs[net] = f"{name}[{i}]"
            else:
                outputs[f"{name}[{i}]"] = net
    for cell in cells.values():  # type: ignore[attr-defined]
        pins = {pin: nets[0] for pin, nets in cell["connections"].items()}
        kind = cell["type"]
        if kind in ("$_DFF_P_", "DFFPOSX1"):
            registers[pins["Q"]] = pins["D"]
            continue
        if re.match(r"\$_(DFF|SDFF|DLATCH)|DFF|LATCH", kind):
            raise HardwareError(f"a register of the kind {kind}")
        operands = tuple(
            pins[pin] for pin, way in cell["port_directions"].items() if way == "input"
        )
        for pin, way in cell["port_directions"].items():
            if way == "output":
                gates[pins[pin]] = (kind, operands)
    names: dict[Net, str] = dict(inputs)
    others: dict[str, Net] = {}
    for name, wire in sorted(netnames.items(), key=best_name):  # type: ignore[attr-defined]
        for i, net in enumerate(wire["bits"]):
            names.setdefault(net, f"{name}[{i}]")
            others[f"{name}[{i}]"] = net
    return Netlist(inputs, outputs, gates, registers, names, others)


# --- gadgets -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Gadget:
    """How a module is used.

    shares    ports that are the two shares of something
    settings  public ports and their values, in one clock after the other (the last one stays)
    clocks    as many are looked at
    """

    module: str
    parameters: Mapping[str, int]
    shares: Mapping[str, str]
    settings: Mapping[str, Sequence[int]]
    clocks: int

    def __str__(self) -> str:
        values = {**self.parameters, **{name: v[-1] for name, v in self.settings.items()}}
        return " ".join([self.module, *(f"{name}={value}" for name, value in values.items())])


GADGETS = [
    Gadget("masked_t", {"B": b}, {"x0": "x1"}, {"which": (which,), "later": (later,)}, clocks=5)
    for b in (0, 1)
    for which in (0, 1)
    for later in (0, 1)
] + [Gadget("masked_add", {}, {"a0": "a1", "b0": "b1"}, {"clear": (0, 0, 1, 0)}, clocks=9)]


class Unrolled:
    """A gadget's nets as functions of its inputs, clock by clock. Registers begin with 0."""

    def __init__(self, gadget: Gadget, netlist: Netlist) -> None:
        self.gadget = gadget
        self.netlist = netlist
        self.values: dict[tuple[Net, int], int] = {}
        others = {other: one for one, other in gadget.shares.items()}
        bits = sorted(netlist.inputs.items(), key=lambda item: item[1])
        ports = {net: name.partition("[") for net, name in bits}
        secret = [net for net in ports if ports[net][0] in others]
        masks = [net for net in ports if ports[net][0] in ("random", *gadget.shares)]
        self.functions = Functions(len(secret) * gadget.clocks)
        number = {
            (net, clock): i
            for i, (clock, net) in enumerate(
                [(clock, net) for clock in range(gadget.clocks) for net in secret]
                + [(clock, net) for clock in range(gadget.clocks) for net in masks]
            )
        }
        by_name = {name: net for net, name in netlist.inputs.items()}
        for clock in range(gadget.clocks):
            for net, (port, bracket, rest) in ports.items():
                if port in gadget.settings:
                    values = gadget.settings[port]
                    self.values[net, clock] = values[min(clock, len(values) - 1)]
                elif port in others:
                    mask = by_name[others[port] + bracket + rest]
                    self.values[net, clock] = self.functions.xor(
                        self.functions.variable(number[net, clock]),
                        self.functions.variable(number[mask, clock]),
                    )
                elif (net, clock) in number:
                    self.values[net, clock] = self.functions.variable(number[net, clock])

    def value(self, net: Net | str, clock: int) -> int:
        if isinstance(net, str):
            return int(net == "1")
        if (net, clock) not in self.values:
            self.values[net, clock] = self._value(net, clock)
        return self.values[net, clock]

    def _value(self, net: Net, clock: int) -> int:
        functions = self.functions
        if net in self.netlist.registers:
            return self.value(self.netlist.registers[net], clock - 1) if clock else functions.FALSE
        kind, operands = self.netlist.gates[net]
        values = [self.value(operand, clock) for operand in operands]
        if kind == "$_NOT_":
            return functions.xor(values[0], functions.TRUE)
        if kind == "$_AND_":
            return functions.both(*values)
        if kind == "$_XOR_":
            return functions.xor(*values)
        if kind == "$_OR_":
            return functions.xor(functions.xor(*values), functions.both(*values))
        if kind == "$_MUX_":
            a, b, s = values
            return functions.xor(a, functions.both(s, functions.xor(a, b)))
        raise HardwareError(f"a gate of the kind {kind}")

    def leaks(self) -> Iterator[str]:
        for clock in range(self.gadget.clocks):
            for name, sources in self.netlist.probes():
                seen = [self.value(source, clock) for source in sources]
                if self.functions.any_tells(seen):
                    yield f"{self.gadget}: clock {clock}: {name}"


def gadget_leaks(rtl: Path = RTL) -> Iterator[str]:
    netlists: dict[str, Netlist] = {}
    for gadget in GADGETS:
        key = f"{gadget.module} {gadget.parameters}"
        if key not in netlists:
            netlists[key] = elaborate(gadget.module, gadget.parameters, rtl)
        yield from Unrolled(gadget, netlists[key]).leaks()


# --- the core ------------------------------------------------------------------------------------


def share_of(name: str) -> int | None:
    """The share that a register or input belongs to; None for the control and its inputs."""
    path, _, index = name.rstrip("]").partition("[")
    if path in ("key_data", "in_data"):
        return int(index) // {"key_data": 32, "in_data": 128}[path]
    if path in (*CONTROL, *PUBLIC_PORTS):
        return None
    first = re.match(r"share([01])\.", path)
    last = re.search(r"([01])$", path)
    if not (first or (last and path.startswith(GADGETS_OF_CORE))):
        raise HardwareError(f"{name}: of which share is it?")
    return int((first or last)[1])  # type: ignore[index]


def inside(name: str, gadget: str) -> bool:
    """Whether a register is the gadget's, or one of those that masked_t takes its nibble from."""
    taken = {"t_a.": "a", "t_b.": "b"}.get(gadget)
    return name.startswith(gadget) or bool(taken and re.match(rf"share[01]\.{taken}\[", name))


def core_leaks(netlist: Netlist) -> list[str]:
    """The places where the structure of the core is not as the proof of the gadgets needs it."""
    found = []
    users: dict[str, set[str]] = {}
    for name, sources in netlist.probes():
        names = {netlist.names[source] for source in sources}
        random = {source for source in names if source.startswith("random[")}
        for bit in random:
            users.setdefault(bit, set()).add(name)
        secret = {source for source in names - random if share_of(source) is not None}
        shares = {share_of(source) for source in secret}
        gadget = next((prefix for prefix in GADGETS_OF_CORE if name.startswith(prefix)), None)
        if name in netlist.outputs or name in ("out_data",):
            allowed = True
        else:
            allowed = len(shares) < 2 or bool(
                gadget and random and all(inside(source, gadget) for source in secret)
            )
        if not allowed:
            found.append(f"{name} sees both shares: {', '.join(sorted(secret))}")
        control = name.partition("[")[0] in (*CONTROL, "key_ready", "in_ready", "out_valid")
        if control and secret:
            found.append(f"{name}, of the control, sees {', '.join(sorted(secret))}")
    for bit, registers in users.items():
        pair = {re.sub(r"[01](\[|$)", r"\1", name) for name in registers}
        if len(registers) != 2 or len(pair) != 1:
            found.append(f"{bit} is used by {', '.join(sorted(registers))}")
    return found


def new_probes(netlist: Netlist, mapped: Netlist) -> list[str]:
    """Registers that see more in a netlist of cells than they do in the RTL."""
    found = []

    def original(net: Net) -> str:
        names = [name for name, other in mapped.others.items() if other == net]
        nets = {netlist.others[name] for name in names if name in netlist.others}
        same = {netlist.names[net] for net in nets if net not in netlist.gates}
        if len(same) != 1:
            raise HardwareError(f"{mapped.names[net]}: which register is it? {sorted(same)}")
        return same.pop()

    names = {net: original(net) for net in (*mapped.registers, *mapped.inputs)}
    seen = {netlist.names[q]: netlist.cone(d) for q, d in netlist.registers.items()}
    seen |= {name: netlist.cone(net) for name, net in netlist.outputs.items()}
    wires = {names[q]: d for q, d in mapped.registers.items()} | dict(mapped.outputs)
    for name, net in wires.items():
        before = {netlist.names[source] for source in seen[name]}
        more = {names[source] for source in mapped.cone(net)} - before
        if more:
            found.append(f"{name} also sees {', '.join(sorted(more))}")
    return found


def core_netlist(rtl: Path = RTL) -> Netlist:
    return elaborate(CORE, {}, rtl)


def cells_netlist() -> Netlist:
    """The core as synthesis.py makes it of cells."""
    core = CORES["quarter_h_masked"]
    path = netlist_of(core).with_suffix(".json")
    return read_netlist(json.loads(path.read_text(encoding="utf-8"))["modules"][core.name])


def leaks(rtl: Path = RTL) -> list[str]:
    return [*gadget_leaks(rtl), *core_leaks(core_netlist(rtl))]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--netlist", action="store_true", help="also the core in cells")
    asked = parser.parse_args()
    found = leaks()
    if asked.netlist:
        found += new_probes(core_netlist(), cells_netlist())
    for leak in found:
        print(leak)
    gadgets = sorted({gadget.module for gadget in GADGETS})
    print(f"{', '.join(gadgets)} and the core: {len(found)} probes may tell a secret")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(run(main))
