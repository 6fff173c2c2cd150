#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Checks the RTL: Verible each file, Verilator each module alone, and each core and bus as built.

hardware/lint.py             all files, and all cores
hardware/lint.py CORE...     all files, and these cores; a name may have * and ?

Exit status: 0 all is well, 1 something was found, 2 wrong usage.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from buses import BUSES
from cores import Core
from simulate import chosen, source_of, sources_in, value_text
from tools import HARDWARE, RTL, HardwareError, fault, run, run_tool

RULES = HARDWARE / ".rules.verible_lint"


@dataclass(frozen=True)
class Job:
    """A module, with these parameters and the other modules of this flow."""

    source: Path
    parameters: Mapping[str, int | str] = field(default_factory=dict)
    flow: str = "chip"

    def run(self, rtl: Path) -> HardwareError | None:
        options = [f"-G{name}={value_text(value)}" for name, value in self.parameters.items()]
        places = [word for place in sources_in(rtl, self.flow) for word in ("-y", str(place))]
        command = ["verilator", "--lint-only", "-Wall", *options, *places]
        try:
            run_tool([*command, "--top-module", self.source.stem, self.source], "verilator")
        except HardwareError as error:
            return error
        return None


def files(*places: Path) -> list[Path]:
    return sorted(path for place in places for path in place.glob("*.v"))


def verible(paths: Sequence[Path]) -> Iterator[HardwareError]:
    # Beside the Python that runs this, where make setup has put it.
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    program = shutil.which("verible-verilog-lint", path=path)
    if program is None:
        raise HardwareError("verible-verilog-lint is not installed", "run make setup")
    try:
        run_tool([program, "--rules_config", RULES, *paths], "verible")
    except HardwareError as error:
        yield error


def found(cores: Sequence[Core], rtl: Path = RTL) -> Iterator[HardwareError]:
    """The faults."""
    jobs = [Job(path) for path in files(*sources_in(rtl))]
    jobs += [Job(path, flow="fpga") for path in files(rtl / "fpga")]
    yield from verible([job.source for job in jobs])
    jobs += [Job(source_of(core.top, rtl), core.parameters, core.flow) for core in cores]
    jobs += [Job(source_of(bus.module, rtl), bus.parameters) for bus in BUSES.values()]
    with ThreadPoolExecutor() as pool:
        yield from filter(None, pool.map(lambda job: job.run(rtl), jobs))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", metavar="CORE", nargs="*")
    errors = list(found(chosen(parser.parse_args().names)))
    for error in errors:
        fault(error)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(run(main))
