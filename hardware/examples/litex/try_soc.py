#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Tries twofish_litex.py: makes Verilog of a SoC with it, and simulates that with Icarus Verilog.

try_soc.py   needs litex (pip install litex) and iverilog

The SoC has no CPU. In its place bench.v is the master of its Wishbone bus, and does what the
driver does: sets a key, encrypts the third of the published known answers, and reads the result.
It takes offsets and bits from hardware/registers.py.

Exit status: 0 the result is right, else not.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import twofish_litex
from litex.build.generic_platform import GenericPlatform, Pins
from litex.soc.integration.soc_core import SoCMini
from litex.soc.interconnect.wishbone import Interface
from migen import ClockDomain

sys.path.append(str(Path(__file__).resolve().parents[2]))
import registers

HERE = Path(__file__).resolve().parent
BUILD = HERE / "build"
ORIGIN = 0x8000_0000
PINS = [("clk", 0, Pins(1)), ("rst", 0, Pins(1)), *Interface().get_ios("bus")]


class System(SoCMini):
    """A SoC whose only master is outside."""

    def __init__(self, platform: GenericPlatform) -> None:
        super().__init__(platform, clk_freq=int(50e6), ident="", with_timer=False)
        self.cd_sys = ClockDomain()
        self.comb += self.cd_sys.clk.eq(platform.request("clk"))
        self.comb += self.cd_sys.rst.eq(platform.request("rst"))
        twofish_litex.add(self, origin=ORIGIN, row=1)
        master = Interface()
        self.bus.add_master("bench", master)
        self.comb += master.connect_to_pads(platform.request("bus"), mode="slave")


def constants() -> str:
    """The file that bench.v includes."""
    lines = [f"localparam [31:0] ORIGIN = 32'h{ORIGIN:08x};"]
    for each in registers.REGISTERS:
        lines.append(f"localparam [31:0] {each.name} = 32'h{each.offset:x};")
        masks = ((f"{each.name}_{field.name}", field.mask) for field in each.fields)
        lines += [f"localparam [31:0] {name} = 32'h{mask:x};" for name, mask in masks]
    return "\n".join(lines) + "\n"


def main() -> None:
    BUILD.mkdir(exist_ok=True)
    os.chdir(BUILD)  # LiteX writes beside the Verilog
    platform = GenericPlatform("none", PINS)
    system = System(platform)
    platform.finalize(system)
    # Icarus Verilog never settles in the usual form of combinational logic.
    platform.get_verilog(system, name="system", regular_comb=False).write("system.v")
    Path("constants.vh").write_text(constants(), encoding="utf-8")
    sources = ["system.v", HERE / "bench.v", *(source for source, *_ in platform.sources)]
    subprocess.run(["iverilog", "-g2005", "-s", "bench", "-o", "bench", *sources], check=True)
    subprocess.run(["vvp", "-n", "bench"], check=True)


if __name__ == "__main__":
    main()
