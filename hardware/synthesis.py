#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Synthesises cores with the OSU cells for 0.35 um CMOS, and tells gates and clock rates.

hardware/synthesis.py                       the cores of the table
hardware/synthesis.py CORE...               these cores; a name may have * and ?
hardware/synthesis.py --module M [-P K=V]   a module of rtl/, with these parameters
hardware/synthesis.py --list                the names of the cores
  --recipe NAME   another way to make the netlist than the core's own, or `all` for each of them
  --path without  shows the critical path, without wires or `with` their estimate

A gate equivalent (GE) is the area of NAND2X1. MHz are of the typical corner at 3.3 V. Results of
the same sources by the same tools are kept in build/hardware/synthesis and not made again.

Exit status: 0 all is well, 1 a core could not be built, 2 wrong usage.
"""

from __future__ import annotations

import argparse
import functools
import hashlib
import json
import os
import re
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Protocol

import cells
from cores import CORES, Core, named
from tools import BUILD, HARDWARE, RTL, HardwareError, alone_in, fault, places, run, run_tool, write

SYNTH = HARDWARE / "synth"
KEPT = BUILD / "synthesis"
INSTEAD = SYNTH / "instead"
LATCH_RAM = SYNTH / "ram_of_latches.v"
CONSTRAINTS = HARDWARE / "constraints" / "twofish.sdc"


@dataclass(frozen=True)
class Recipe:
    """How a netlist is made.

    abc          the script synth/ABC.abc: `area` saves gates at the cost of depth (its `dc2` makes
                 adders that run of those that do not), `speed` and `depth` keep the depth
    adder_cells  full adders of twofish_csa are cells, which abc does not look into; they are
                 smaller than what it makes, but not always faster
    """

    abc: str = "area"
    adder_cells: bool = True

    def __str__(self) -> str:
        return self.abc + ("" if self.adder_cells else "_gates")


# Modules that nothing is shared with: what is masked must not be merged with the other share.
KEPT_APART = "*masked_*"

# Of a core, by its module: what makes the fewest gates at the clock rate of its row of the paper,
# with wires.
RECIPES: Mapping[str, Recipe] = {
    "twofish_one_h_stored": Recipe("depth"),
    "twofish_two_h": Recipe("depth"),
    "twofish_two_h_pipe3": Recipe("speed", adder_cells=False),
    "twofish_two_h_pipe4": Recipe("speed", adder_cells=False),
    "twofish_two_h_pipe12": Recipe("speed", adder_cells=False),
    "twofish_sbox_ram": Recipe("depth", adder_cells=False),
}


@dataclass(frozen=True)
class Job:
    """A module to be synthesised, with its parameters."""

    name: str
    module: str
    parameters: Mapping[str, int | str] = field(default_factory=dict)
    recipe: Recipe = Recipe()


@dataclass(frozen=True)
class Figures:
    """The result of a job.

    ge            gate equivalents by kind: "flip-flops", "latches", "the rest"
    count         cells by name
    ram_bits      in modules that are black boxes
    ns            the shortest clock period "without" and "with" wires (the longest path of what has
                  no clock)
    sequential    whether it has a clock
    seconds       that it took
    """

    ge: Mapping[str, float]
    count: Mapping[str, int]
    ram_bits: int
    ns: Mapping[str, float]
    hold: float
    sequential: bool
    seconds: float

    @property
    def gates(self) -> float:
        return sum(self.ge.values())

    def mhz(self, wires: str) -> float:
        return 1000 / self.ns[wires]


class Committed(Protocol):
    """The figures of a core in results.csv."""

    @property
    def gates(self) -> float: ...
    @property
    def ns(self) -> float: ...
    @property
    def ns_wires(self) -> float: ...
    @property
    def ram_bits(self) -> int: ...


# --- sources -----------------------------------------------------------------------------------


def modules_in(folders: Iterable[Path]) -> dict[str, Path]:
    """Their files by name."""
    return {path.stem: path for folder in folders for path in folder.glob("*.v")}


def sources(module: str, adder_cells: bool = True) -> list[Path]:
    """The file of a module, and those of all modules that it uses; cells instead of some."""
    files = modules_in(places(RTL))
    files[LATCH_RAM.stem] = LATCH_RAM
    instead = modules_in([INSTEAD])
    files |= {name: path for name, path in instead.items() if adder_cells or "ram" in name}
    if module not in files:
        raise HardwareError(f"there is no module {module} in hardware/rtl")
    return used_by(module, files)


def used_by(module: str, files: Mapping[str, Path]) -> list[Path]:
    """Of files by their modules: that of this one, and those of all that it uses."""
    found: dict[str, Path] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        found[name] = files[name]
        words = set(re.findall(r"\w+", files[name].read_text(encoding="utf-8")))
        waiting += sorted((words & set(files)) - set(found))
    return [found[name] for name in sorted(found)]


@functools.cache
def tools() -> str:
    """The tools that figures depend on, with their releases."""
    yosys = run_tool(["yosys", "-V"], "yosys").split()[1]
    sta = run_tool(["sta", "-version"], "opensta").strip()
    abc = run_tool(["dpkg-query", "-W", "-f", "${Version}", "yosys"], "dpkg")
    return f"yosys {yosys} ({abc}), OpenSTA {sta}"


def digest(paths: Iterable[Path], *texts: str) -> str:
    state = hashlib.sha256()
    for path in paths:
        state.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    for text in texts:
        state.update(text.encode())
    return state.hexdigest()[:16]


def fingerprint(job: Job) -> str:
    """Of all that the figures depend on."""
    scripts = (
        SYNTH / f"{job.recipe.abc}.abc",
        SYNTH / "latches.v",
        SYNTH / "timing.tcl",
        CONSTRAINTS,
    )
    paths = (*sources(job.module, job.recipe.adder_cells), *scripts)
    words = json.dumps([asdict(job), tools(), YOSYS, KEPT_APART], sort_keys=True)
    return digest(paths, cells.liberty_text(), cells.rams_text(), words)


# --- synthesis ---------------------------------------------------------------------------------

YOSYS = """\
read_liberty -lib -ignore_miss_func {liberty}
read_liberty -lib -ignore_miss_func {rams}
read_verilog {sources}
hierarchy -check -top {module} {parameters}
setattr -mod -set keep_hierarchy 1 {kept}
synth -flatten -noabc -top {module} -run begin:fine
memory -nomap
opt -full
memory_map
opt -full
synth -flatten -noabc -top {module} -run fine:check
dfflegalize -cell $_DFF_P_ x -cell $_DLATCH_P_ x
opt_merge
rename -top {name}
techmap -map {synth}/latches.v
dfflibmap -liberty {liberty}
opt
abc -liberty {liberty} -constr {constraints} -script {recipe}
setundef -zero
setattr -mod -unset keep_hierarchy *
flatten
opt_clean -purge
check -assert -mapped
write_json {folder}/netlist.json
write_verilog -noattr -noexpr -nodec {folder}/netlist.v
splitnets -ports -format __
opt_clean -purge
write_verilog -noattr -noexpr -nodec {folder}/timed.v
"""


def hierarchy_parameter(name: str, value: int | str) -> str:
    """As yosys takes it: no strings, but their bits."""
    text = str(value)
    if isinstance(value, str):
        text = f"{8 * len(value)}'b" + "".join(f"{byte:08b}" for byte in value.encode("ascii"))
    return f"{name} {text}"


def synthesise(job: Job, folder: Path) -> None:
    """Makes the netlist in the folder."""
    constraints = folder / "constraints"
    constraints.write_text("set_driving_cell INVX8\nset_load 0.05\n", encoding="utf-8")
    script = YOSYS.format(
        sources=" ".join(map(str, sources(job.module, job.recipe.adder_cells))),
        module=job.module,
        name=job.name,
        parameters=" ".join(
            f"-chparam {hierarchy_parameter(*each)}" for each in job.parameters.items()
        ),
        kept=KEPT_APART,
        synth=SYNTH,
        liberty=cells.liberty()[0],
        rams=cells.liberty()[1],
        constraints=constraints,
        recipe=SYNTH / f"{job.recipe.abc}.abc",
        folder=folder,
    )
    (folder / "yosys.ys").write_text(script, encoding="utf-8")
    log = run_tool(["yosys", "-Q", "-T", folder / "yosys.ys"], "yosys")
    (folder / "yosys.log").write_text(log, encoding="utf-8")


def cell_counts(folder: Path, name: str) -> dict[str, int]:
    text = (folder / "netlist.json").read_text(encoding="utf-8")
    try:
        module = json.loads(text)["modules"][name]
    except json.JSONDecodeError:
        raise HardwareError(
            f"{folder / 'netlist.json'} is not what yosys writes", "is the disk full?"
        ) from None
    count: dict[str, int] = {}
    for cell in module["cells"].values():
        count[cell["type"]] = count.get(cell["type"], 0) + 1
    return dict(sorted(count.items()))


def latch_ram() -> Figures:
    """The figures of a RAM of 256 x 8, built of latches."""
    return figures(Job("ram_of_latches", "ram_of_latches"))


def by_kind(count: Mapping[str, int]) -> dict[str, float]:
    """Gate equivalents."""
    ge = {"flip-flops": 0.0, "latches": 0.0, "the rest": 0.0}
    for name, number in count.items():
        if name in cells.RAMS:
            continue
        kind = "flip-flops" if name in cells.FLIP_FLOPS else "the rest"
        kind = "latches" if name in cells.LATCHES else kind
        ge[kind] += number * cells.gate_equivalents(name)
    return ge


def _has_the_ports(job: Job) -> bool:
    """Those that all cores have; the masked one has others."""
    return job.name in CORES and not CORES[job.name].bench


def timing(job: Job, folder: Path, sequential: bool, show: str = "", spef: str = "") -> str:
    """The output of OpenSTA; the file `spef` has wires in place of their estimate."""
    environment = {
        "LIBERTY": " ".join(map(str, cells.liberty())),
        "NETLIST": str(folder / "timed.v"),
        "TOP": job.name,
        "SEQUENTIAL": str(int(sequential)),
        "CONSTRAINTS": str(CONSTRAINTS) if _has_the_ports(job) else "",
        "SPEF": spef,
        "SHOW": show,
        "SHOW_BY": str(SYNTH / "path.tcl"),
    }
    command: list[str | Path] = ["sta", "-no_init", "-no_splash", "-exit", SYNTH / "timing.tcl"]
    told = run_tool(command, "opensta", environment=environment)
    complaint = re.search(r"^(?:Error|Warning): .*", told, re.M)
    if complaint:
        raise HardwareError(f"sta: {complaint[0]}")
    return told


def measure(job: Job, folder: Path) -> Figures:
    """Synthesis and timing, again."""
    start = time.monotonic()
    synthesise(job, folder)
    count = cell_counts(folder, job.name)
    kinds = cells.FLIP_FLOPS | cells.LATCHES | set(cells.RAMS)
    sequential = any(name in kinds for name in count)
    told = timing(job, folder, sequential)
    ns = {what: float(value) for what, value in re.findall(r"^period (\w+) (\S+)", told, re.M)}
    hold = re.search(r"^hold (\S+)", told, re.M)
    if set(ns) != {"without", "with"} or not hold:
        raise HardwareError(f"sta: {told.strip()}")
    seconds = time.monotonic() - start
    bits = sum(cells.ram_bits(name) * count[name] for name in cells.RAMS if name in count)
    return Figures(by_kind(count), count, bits, ns, float(hold[1]), sequential, seconds)


def figures(job: Job) -> Figures:
    """Of a job; those of an earlier time if nothing has changed since."""
    with alone_in(folder_of(job)) as folder:
        kept = folder / "figures.json"
        if kept.exists():
            return Figures(**json.loads(kept.read_text(encoding="utf-8")))
        found = measure(job, folder)
        write(kept, json.dumps(asdict(found), indent=1))
        return found


def folder_of(job: Job) -> Path:
    return KEPT / f"{job.name}-{job.recipe}-{fingerprint(job)}"


# --- cores -------------------------------------------------------------------------------------


def job_of(core: Core, recipe: Recipe | None = None) -> Job:
    recipe = recipe or RECIPES.get(core.module, Recipe())
    return Job(core.name, core.module, core.parameters, recipe)


def netlist(core: Core) -> Path:
    """The netlist of a core, in Verilog, of the cells; made if it is not there."""
    figures(job_of(core))
    return folder_of(job_of(core)) / "netlist.v"


def all_recipes() -> dict[str, Recipe]:
    scripts = sorted(path.stem for path in SYNTH.glob("*.abc"))
    found = [Recipe(abc, adders) for abc in scripts for adders in (True, False)]
    return {str(recipe): recipe for recipe in found}


def line(name: str, found: Figures) -> str:
    kinds = ", ".join(f"{kind} {ge:,.0f}" for kind, ge in found.ge.items() if ge)
    if found.sequential:
        rates = f"{found.mhz('without'):.1f} MHz, {found.mhz('with'):.1f} with wires"
    else:
        rates = f"{found.ns['without']:.2f} ns, {found.ns['with']:.2f} with wires"
    return f"{name}: {found.gates:,.0f} GE ({kinds}); {rates}; {found.seconds:.0f} s"


WORSE = 1.02


def worse(found: Figures, old: Committed) -> list[str]:
    """In what a core is worse by more than 2 % than in results.csv."""
    said = []
    if found.gates > WORSE * old.gates:
        said.append(f"{found.gates:,.0f} gates, not {old.gates:,.0f}")
    for what, ns, before in (
        ("without", found.ns["without"], old.ns),
        ("with", found.ns["with"], old.ns_wires),
    ):
        if ns > WORSE * before:
            said.append(f"{ns:.2f} ns {what} wires, not {before:.2f}")
    if found.ram_bits > old.ram_bits:
        said.append(f"{found.ram_bits:,} bits of RAM, not {old.ram_bits:,}")
    return said


def chosen(patterns: Sequence[str]) -> list[Core]:
    """The cores for chips of these names; without any, those that answer a row of the paper."""
    cores = named(patterns) if patterns else [core for core in CORES.values() if core.paper]
    return [core for core in cores if core.flow == "chip"]


def in_parallel(jobs: Iterable[Job]) -> Iterator[tuple[Job, Figures | HardwareError]]:
    """The jobs in their order, on all processors."""

    def attempt(job: Job) -> Figures | HardwareError:
        try:
            return figures(job)
        except HardwareError as error:
            return HardwareError(f"{job.name}: {error.error}", error.hint)

    waiting = list(jobs)
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        yield from zip(waiting, pool.map(attempt, waiting))


def parameter(text: str) -> tuple[str, int | str]:
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise argparse.ArgumentTypeError(f"'{text}' is not NAME=VALUE")
    return name, int(value) if value.isdecimal() else value


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("cores", nargs="*", metavar="CORE")
    parser.add_argument("--module", metavar="M", help="a module of rtl/")
    parser.add_argument("-P", dest="parameters", type=parameter, action="append", default=[])
    parser.add_argument("--recipe", default="", choices=("", "all", *all_recipes()))
    parser.add_argument("--path", default="", choices=("with", "without"))
    parser.add_argument("--list", action="store_true", help="print the names of the cores")
    return parser.parse_args()


def jobs_of(asked: argparse.Namespace) -> list[Job]:
    recipes = [all_recipes().get(asked.recipe)]
    if asked.recipe == "all":
        recipes = list(all_recipes().values())
    if asked.module:
        name, values = asked.module, dict(asked.parameters)
        return [Job(name, name, values, recipe or Recipe()) for recipe in recipes]
    return [job_of(core, recipe) for recipe in recipes for core in chosen(asked.cores)]


def show(jobs: Sequence[Job], path: str) -> int:
    status = 0
    for job, found in in_parallel(jobs):
        if isinstance(found, HardwareError):
            status = fault(found)
            continue
        print(line(f"{job.name} ({job.recipe})", found), flush=True)
        if path:
            print(timing(job, folder_of(job), found.sequential, path), flush=True)
    return status


def main() -> int:
    asked = arguments()
    if asked.list:
        print("\n".join(CORES))
        return 0
    try:
        jobs = jobs_of(asked)
    except HardwareError as error:
        fault(error)
        return 2
    return show(jobs, asked.path)


if __name__ == "__main__":
    sys.exit(run(main))
