#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Proves that netlists are what their Verilog says.

hardware/equal.py            the cores of the table
hardware/equal.py CORE...    these cores; a name may have * and ?

A small core with flip-flops only is compared from end to end, by abc's `dsec`: its Verilog, read in
the plainest way, and its netlist give the same outputs for all inputs, beginning with zeros in all
registers. For a larger one, and with latches, gated clocks or RAM, that has no end in useful time.
Then the netlist is compared with what abc was given: registers, RAMs and full adders are cut out of
both, and the gates between them are the same functions. The steps of yosys before that are not
proven for these cores; gates.py simulates them.

Exit status: 0 all are equal, 1 one is not or could not be compared, 2 wrong usage.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
import time
from pathlib import Path

import cells
import gates
import synthesis
from cores import Core
from proofs import VERDICTS, are_same
from tools import HardwareError, fault, run, run_tool

ADDERS = {"FAX1", "HAX1"}
CUT = ADDERS | set(gates.SEQUENTIAL) | set(cells.RAMS)
# dsec takes half a minute for one_h, and for the 1,083 of the masked core gave nothing in three.
MOST_FLIP_FLOPS = 700

# The first part of both ways: the plain reading of the Verilog, and the netlist as gates.
PLAIN = """\
read_verilog {sources}
hierarchy -check -top {module} {parameters}
proc -norom
flatten
opt_clean
memory_map
techmap
dfflegalize -cell $_DFF_P_ x
opt_clean
write_blif {blif}
"""
GATES = """\
read_json {netlist}
hierarchy -top {name}
delete =A:blackbox
techmap -map {models}
techmap
opt_clean -purge
write_blif {blif}
"""
WITHOUT_CELLS = """\
read_json {netlist}
hierarchy -top {name}
expose -evert c:cut*
techmap -map {models}
techmap
opt_clean -purge
rename -top side
write_blif {blif}
"""


def yosys(folder: Path, script: str) -> None:
    path = folder / "script.ys"
    path.write_text(script, encoding="utf-8")
    run_tool(["yosys", "-q", path], "yosys")


def models(folder: Path, flip_flops: bool) -> Path:
    """The cells as gates; flip-flops are those of yosys, or not there."""
    flip_flop = (
        "module DFFPOSX1 (input CLK, input D, output Q);\n"
        "  \\$_DFF_P_ flip_flop (.C(CLK), .D(D), .Q(Q));\nendmodule\n"
    )
    left_out = gates.SEQUENTIAL if flip_flops else CUT
    texts = [text for cell, text in gates.models() if cell not in left_out]
    path = folder / "models.v"
    path.write_text("".join(texts) + flip_flop * flip_flops, encoding="utf-8")
    return path


# --- from end to end ---------------------------------------------------------------------------


def equal_to_the_verilog(core: Core, netlist: Path, folder: Path) -> bool:
    job = synthesis.job_of(core)
    parameters = (synthesis.hierarchy_parameter(*each) for each in job.parameters.items())
    one, other = folder / "one.blif", folder / "other.blif"
    plain = PLAIN.format(
        sources=" ".join(map(str, synthesis.sources(job.module, adder_cells=False))),
        module=job.module,
        parameters=" ".join(f"-chparam {each}" for each in parameters),
        blif=one,
    )
    yosys(folder, plain)
    with_models = models(folder, flip_flops=True)
    yosys(folder, GATES.format(netlist=netlist, name=core.name, models=with_models, blif=other))
    return are_same(f"dsec {one} {other}", *VERDICTS)


# --- between the registers ---------------------------------------------------------------------


def with_named_cells(path: Path) -> None:
    """Gives the cells that are cut out names that yosys keeps; abc has not touched these cells."""
    design = json.loads(path.read_text(encoding="utf-8"))
    for module in design["modules"].values():
        if "blackbox" in module["attributes"]:
            continue
        named = {}
        for name, cell in module["cells"].items():
            new = "cut" + re.sub(r"\W", "_", name) if cell["type"] in CUT else name
            if new in named:
                raise HardwareError(f"two cells would be {new}")
            named[new] = cell
        module["cells"] = named
    path.write_text(json.dumps(design), encoding="utf-8")


def ports(blif: Path) -> list[list[str]]:
    text = blif.read_text(encoding="utf-8").replace("\\\n", "")
    return [sorted(words.split()) for words in re.findall(r"^\.(?:in|out)puts (.*)", text, re.M)]


def equal_between_registers(core: Core, netlist: Path, folder: Path) -> bool:
    script = (synthesis.folder_of(synthesis.job_of(core)) / "yosys.ys").read_text(encoding="utf-8")
    before = folder / "before.json"
    script = script[: script.index("\nabc ")] + "\nsetattr -mod -unset keep_hierarchy *\nflatten\n"
    yosys(folder, f"{script}write_json {before}\n")
    after = folder / "after.json"
    after.write_bytes(netlist.read_bytes())
    with_models = models(folder, flip_flops=False)
    sides = []
    for path in (before, after):
        with_named_cells(path)
        blif = path.with_suffix(".blif")
        what = {"netlist": path, "name": core.name, "models": with_models, "blif": blif}
        yosys(folder, WITHOUT_CELLS.format(**what))
        sides.append(blif)
    if ports(sides[0]) != ports(sides[1]):
        raise HardwareError(f"{core.name}: registers before and after abc are not the same")
    return are_same(f"cec {sides[0]} {sides[1]}", *VERDICTS)


# --- a core ------------------------------------------------------------------------------------


def is_plain(netlist: Path, name: str) -> bool:
    """Whether it has one clock, and flip-flops only, and not too many."""
    module = json.loads(netlist.read_text(encoding="utf-8"))["modules"][name]
    registers = [cell for cell in module["cells"].values() if cell["type"] in CUT - ADDERS]
    kinds = {cell["type"] for cell in registers}
    clocks = {tuple(cell["connections"].get("CLK", [])) for cell in registers}
    return kinds == {"DFFPOSX1"} and len(clocks) == 1 and len(registers) <= MOST_FLIP_FLOPS


def holds(core: Core, netlist: Path | None = None) -> tuple[str, bool]:
    """How the netlist was compared, and whether it is right; `netlist` is JSON, its own or not."""
    netlist = netlist or synthesis.netlist(core).with_suffix(".json")
    with tempfile.TemporaryDirectory() as name:
        if is_plain(netlist, core.name):
            return "from end to end", equal_to_the_verilog(core, netlist, Path(name))
        return "between registers", equal_between_registers(core, netlist, Path(name))


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("cores", nargs="*", metavar="CORE")
    asked = parser.parse_args()
    try:
        chosen = synthesis.chosen(asked.cores)
    except HardwareError as error:
        fault(error)
        return 2
    status = 0
    for core in chosen:
        start = time.monotonic()
        try:
            how, right = holds(core)
        except HardwareError as error:
            status = fault(error)
            continue
        verdict = "is equal to its Verilog" if right else "DIFFERS from its Verilog"
        seconds = time.monotonic() - start
        print(f"{core.name}: the netlist {verdict}, {how} ({seconds:.1f} s)", flush=True)
        status |= not right
    return status


if __name__ == "__main__":
    sys.exit(run(main))
