# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Runs tests that are written for cocotb, in the simulator Icarus."""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ET
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from cores import Core
from simulate import SEED, TB, source_of, sources_in, value_text
from tools import BUILD, ROOT, RTL, HardwareError

if TYPE_CHECKING:
    from cocotb_tools.runner import Runner

FOLDER = BUILD / "cocotb"
# As one sum: Icarus takes ten times as long for cores whose carries are gates. Proofs compare both.
ADDER = RTL / "fpga" / "twofish_add.v"
# cocotb hands the path to the simulation; the model is what cores are judged by.
sys.path += [str(TB), str(ROOT / "model")]


def icarus() -> Runner:
    try:
        from cocotb_tools.runner import get_runner
    except ImportError:
        raise HardwareError("cocotb is not installed", "run make setup") from None
    return get_runner("icarus")


def passed(name: str, results: Path, log: Path) -> int:
    """How many tests, if all did."""
    cases = list(ET.parse(results).iter("testcase"))
    wrong = [
        f"{case.get('name')}: {why.get('message')}"
        for case in cases
        for kind in ("failure", "error")
        for why in case.iter(kind)
    ]
    if wrong:
        raise HardwareError(f"{name}: {'; '.join(wrong)}", f"more is in {log}")
    return len(cases)


def run_cocotb(
    tests: str,
    top: str,
    parameters: Mapping[str, int | str],
    name: str,
    environment: Mapping[str, str],
    rtl: Path = RTL,
    flow: str = "chip",
) -> int:
    """Runs the tests of tb/TESTS.py on a module, in a folder of that name, and returns how many.

    The tests find what is in `environment` in os.environ.
    """
    folder = FOLDER / name
    folder.mkdir(parents=True, exist_ok=True)
    results, built, ran = (folder / each for each in ("results.xml", "build.log", "run.log"))
    results.unlink(missing_ok=True)
    runner = icarus()
    try:
        runner.build(
            sources=[source_of(top, rtl), ADDER],
            build_args=["-g2005", *(f"-y{place}" for place in sources_in(rtl, flow))],
            hdl_toplevel=top,
            parameters={name: value_text(value) for name, value in parameters.items()},
            build_dir=folder,
            always=True,
            timescale=("1ns", "1ps"),
            log_file=built,
        )
        runner.test(
            test_module=tests,
            hdl_toplevel=top,
            build_dir=folder,
            results_xml=str(results),
            seed=SEED,
            extra_env=environment,
            log_file=ran,
        )
    except (RuntimeError, SystemExit) as error:
        if not results.is_file():
            said = (ran if ran.is_file() else built).read_text(encoding="utf-8").strip()
            raise HardwareError(f"{name}: {error}: {said[-2000:]}") from None
    return passed(name, results, ran)


def run_on_core(core: Core, rtl: Path = RTL, name: str = "") -> int:
    """The handshakes of a core; the number of tests."""
    ways = " ".join(way for way, has in (("0", core.encrypt), ("1", core.decrypt)) if has)
    environment = {
        "KEY_BITS": str(core.key_bits),
        "DIRECTIONS": ways,
        "LEVELS": str(core.levels),
        "LONG": str(core.startup + core.latency + 100),
    }
    name = name or core.name
    return run_cocotb(
        "handshake_bench", core.top, core.parameters, name, environment, rtl, core.flow
    )
