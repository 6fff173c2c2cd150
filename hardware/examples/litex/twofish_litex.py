# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A core as a peripheral of a LiteX SoC: registers on its bus, and an interrupt.

In your SoC, with this folder in PYTHONPATH:

    import twofish_litex
    twofish_litex.add(self, row=1)  # a core for few cells; twofish_row.v has the others

Software takes the driver in hardware/driver, with TWOFISH_BASE of generated/mem.h.
"""

from __future__ import annotations

from pathlib import Path

from litex.build.generic_platform import GenericPlatform
from litex.gen import LiteXModule
from litex.soc.integration.soc import SoC, SoCRegion
from litex.soc.interconnect.axi import AXILiteInterface
from litex.soc.interconnect.csr_eventmanager import EventManager, EventSourceLevel
from migen import ClockSignal, Instance, ResetSignal, Signal

RTL = Path(__file__).resolve().parents[2] / "rtl"
WINDOW_BYTES = 0x80
CHANNELS = {
    "aw": ("addr",),
    "w": ("data", "strb"),
    "b": ("resp",),
    "ar": ("addr",),
    "r": ("resp", "data"),
}
FROM_SLAVE = ("b", "r")


class Twofish(LiteXModule):
    """twofish_axil: `bus` is its slave port, `ev` its interrupt."""

    def __init__(self, platform: GenericPlatform, row: int = 4, key_bits: int = 128) -> None:
        self.bus = AXILiteInterface(data_width=32, address_width=32)
        irq = Signal()
        self.ev = EventManager()
        self.ev.core = EventSourceLevel()
        self.ev.finalize()
        self.comb += self.ev.core.trigger.eq(irq)
        self.specials += Instance(
            "twofish_axil",
            p_ROW=row,
            p_KEY_BITS=key_bits,
            i_aclk=ClockSignal(),
            i_aresetn=~ResetSignal(),
            o_irq=irq,
            **self._ports(),
        )
        for folder in (RTL, RTL / "tables", RTL / "fpga"):
            platform.add_source_dir(str(folder), recursive=False)

    def _ports(self) -> dict[str, Signal]:
        ports = {}
        for name, fields in CHANNELS.items():
            channel = getattr(self.bus, name)
            there, back = ("o", "i") if name in FROM_SLAVE else ("i", "o")
            ports[f"{there}_s_axil_{name}valid"] = channel.valid
            ports[f"{back}_s_axil_{name}ready"] = channel.ready
            for field in fields:
                wires = getattr(channel, field)
                ports[f"{there}_s_axil_{name}{field}"] = wires[:7] if field == "addr" else wires
        return ports


def add(soc: SoC, origin: int | None = None, **parameters: int) -> None:
    """Puts a core into the SoC: a region `twofish` on its bus, and an interrupt of that name."""
    soc.twofish = Twofish(soc.platform, **parameters)
    region = SoCRegion(origin=origin, size=WINDOW_BYTES, cached=False)
    soc.bus.add_slave("twofish", soc.twofish.bus, region)
    if soc.irq.enabled:
        soc.irq.add("twofish", use_loc_if_exists=True)
