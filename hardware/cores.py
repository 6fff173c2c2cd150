# SPDX-License-Identifier: Apache-2.0 OR MIT
"""CORES: every configuration that is built, tested and measured, a row for each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase

from tools import HardwareError


@dataclass(frozen=True)
class Paper:
    """A row of [TR3, Table 4]: its estimate for keys of 128 bits in 0.35 um.

    h       h functions that work at once
    levels  blocks that are interleaved
    """

    gates: int
    h: float
    clocks: int
    levels: int
    mhz: int
    mbits: int
    startup: int


@dataclass(frozen=True)
class Core:
    """A configuration.

    module      the top module, in rtl/MODULE.v
    bench       the module in tb/ that gives it the ports that all cores have, if it has others
    about       what sets it apart, in a few words for a table
    row         of the core in it, if it is a wrapper around any of twofish_row
    store       where subkeys are kept: one of STORES, or "" if none are kept
    flow        the folder of rtl/ with its adders and registers: "chip" or "fpga"
    levels      blocks that are in the core at once
    clocks      of a block in a full stream; with `levels` blocks under way one is taken, and one
                leaves, every clocks / levels
    latency     clocks from the one that takes a block to the first that offers its result
    startup     clocks from the one that takes the last word of the key to the first that can take
                a block
    paper       the row of Table 4 that it answers
    aim_gates   gate equivalents that we want it to stay below
    exceptions  why it does not reach the paper's figure or the aim: of "gates", "mhz", "aim", and
                "placed" for MHz with the wires of its layout
    """

    name: str
    module: str
    bench: str = ""
    about: str = ""
    key_bits: int = 128
    encrypt: bool = True
    decrypt: bool = True
    row: int = 0
    store: str = ""
    flow: str = "chip"
    levels: int = 1
    clocks: int = 0
    latency: int = 0
    startup: int = 0
    paper: Paper | None = None
    aim_gates: int | None = None
    exceptions: Mapping[str, str] = field(default_factory=dict)

    @property
    def top(self) -> str:
        """The module that has the ports that all cores have."""
        return self.bench or self.module

    @property
    def parameters(self) -> Mapping[str, int | str]:
        """Of the top module."""
        values: dict[str, int | str] = {
            "KEY_BITS": self.key_bits,
            "ENCRYPT": int(self.encrypt),
            "DECRYPT": int(self.decrypt),
        }
        values |= {"ROW": self.row} if self.row else {}
        return values | ({"STORE": self.store} if self.store else {})


STORES = ("FLOPS", "LATCHES", "RAM")

# [TR3, Table 4], in its order.
_TABLE_4 = (
    Core(
        "quarter_h",
        "twofish_quarter_h",
        about="one S-box, subkeys on the fly",
        clocks=296,
        latency=293,
        startup=16,
        paper=Paper(8000, 0.25, 324, 1, 80, 32, 20),
        aim_gates=7300,
    ),
    Core(
        "one_h",
        "twofish_one_h",
        about="one h, subkeys on the fly",
        clocks=72,
        latency=72,
        startup=3,
        paper=Paper(14000, 1, 72, 1, 40, 71, 4),
        aim_gates=8300,
    ),
    Core(
        "one_h_stored",
        "twofish_one_h_stored",
        about="one h, stored subkeys",
        store="LATCHES",
        clocks=32,
        latency=32,
        startup=41,
        paper=Paper(19000, 1, 32, 1, 40, 160, 40),
        aim_gates=15600,
    ),
    Core(
        "two_h",
        "twofish_two_h",
        about="two h, stored subkeys",
        store="LATCHES",
        clocks=16,
        latency=16,
        startup=21,
        paper=Paper(23000, 2, 16, 1, 40, 320, 20),
        aim_gates=18200,
    ),
    Core(
        "two_h_pipe2",
        "twofish_two_h_pipe2",
        about="two h in two stages",
        store="LATCHES",
        levels=2,
        clocks=32,
        latency=32,
        startup=21,
        paper=Paper(26000, 2, 32, 2, 80, 640, 20),
        aim_gates=19500,
    ),
    Core(
        "two_h_pipe3",
        "twofish_two_h_pipe3",
        about="two h in three stages",
        store="LATCHES",
        levels=3,
        clocks=48,
        latency=48,
        startup=21,
        paper=Paper(28000, 2, 48, 3, 120, 960, 20),
        aim_gates=19100,
    ),
    Core(
        "two_h_pipe4",
        "twofish_two_h_pipe4",
        about="two h in four stages",
        store="LATCHES",
        levels=4,
        clocks=64,
        latency=64,
        startup=21,
        paper=Paper(30000, 2, 64, 4, 150, 1200, 20),
        aim_gates=20600,
    ),
    Core(
        "sbox_ram",
        "twofish_sbox_ram",
        about="S-boxes of the key in RAM",
        store="LATCHES",
        clocks=16,
        latency=16,
        startup=298,
        paper=Paper(80000, 2, 16, 1, 80, 640, 300),
    ),
)

# The most blocks per gate: see explore.py.
_OURS = (
    Core(
        "two_h_pipe12",
        "twofish_two_h_pipe12",
        about="two h in twelve stages",
        store="LATCHES",
        levels=12,
        clocks=192,
        latency=192,
        startup=24,
    ),
)


def _variants(core: Core) -> Iterator[Core]:
    """Longer keys, one direction only, subkeys stored elsewhere, and modules for FPGAs."""
    plain = replace(core, paper=None, aim_gates=None, exceptions={})
    for bits in (192, 256):
        yield replace(plain, name=f"{core.name}_{bits}", key_bits=bits)
    yield replace(plain, name=f"{core.name}_enc", decrypt=False)
    yield replace(plain, name=f"{core.name}_dec", encrypt=False)
    for store in STORES if core.store else ():
        if store != core.store:
            yield replace(plain, name=f"{core.name}_{store.lower()}", store=store)
    if core.store:
        yield replace(plain, name=f"{core.name}_fpga", flow="fpga")


def _masked() -> Iterator[Core]:
    """The first row in two shares; h takes 4 clocks for each half of a q."""
    core = Core(
        "quarter_h_masked",
        "twofish_quarter_h_masked",
        bench="masked_bench_top",
        about="one S-box, subkeys on the fly, masked",
    )
    for variant in (core, *_variants(core)):
        levels = variant.key_bits // 64
        h = 8 * (levels + 1)
        clocks = 73 * h + 21
        yield replace(variant, clocks=clocks, latency=clocks, startup=levels * h + 1)


CORES = {core.name: core for row in (*_TABLE_4, *_OURS) for core in (row, *_variants(row))}
CORES |= {core.name: core for core in _masked()}


# Whole, with a generator of random bits.
CORES["quarter_h_masked_seeded"] = replace(
    CORES["quarter_h_masked"],
    name="quarter_h_masked_seeded",
    module="twofish_quarter_h_masked_seeded",
    bench="seeded_bench_top",
    about="the masked core with a generator of random bits",
)

# Two of the first row that watch each other.
CORES["lockstep"] = replace(
    CORES["quarter_h"],
    name="lockstep",
    module="twofish_lockstep",
    about="two of the first row, one a clock behind, against faults",
    row=1,
    latency=294,
    paper=None,
    aim_gates=None,
)


def named(patterns: Iterable[str]) -> list[Core]:
    """The cores of these names, each once; a name may have * and ?."""
    found: dict[str, Core] = {}
    for pattern in patterns:
        fitting = {name: core for name, core in CORES.items() if fnmatchcase(name, pattern)}
        if not fitting:
            raise HardwareError(
                f"no core is called {pattern}", "hardware/simulate.py --list has the names"
            )
        found |= fitting
    return list(found.values())
