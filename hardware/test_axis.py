# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The AXI4-Stream wrapper around several cores: tb/axis_bench.py in cocotb on Icarus Verilog."""

from __future__ import annotations

import sys
import unittest
from collections.abc import Sequence

from tools import BUILD, HARDWARE, RTL

sys.path.append(str(HARDWARE / "tb"))  # cocotb hands it to the simulation


def run_bench(
    levels: int,
    streams: int,
    row: int | None = None,
    key_bits: int = 128,
    ways: str = "ed",
    tests: Sequence[str] = (),
) -> None:
    """Without a row of Table 4, a core in Python stands in for the core."""
    # Only those who have set up the virtual environment have cocotb.
    from cocotb_tools.check_results import get_results
    from cocotb_tools.runner import get_runner

    top = "twofish_axis_core" if row else "twofish_axis"
    parameters: dict[str, object] = {
        "STREAMS": streams,
        "ENCRYPT": int("e" in ways),
        "DECRYPT": int("d" in ways),
    }
    parameters |= {"ROW": row, "KEY_BITS": key_bits} if row else {"DEPTH": levels + 1}
    folder = BUILD / "axis" / f"{row or 'model'}_{levels}_{streams}_{key_bits}_{ways}"
    runner = get_runner("icarus")
    runner.build(
        sources=sorted(RTL.glob("**/*.v")),
        hdl_toplevel=top,
        parameters=parameters,
        build_dir=folder,
        build_args=["-g2005"],
        timescale=("1ns", "1ps"),
        log_file=folder / "build.log",
        always=True,
    )
    words = {name: str(value) for name, value in parameters.items()}
    results = runner.test(
        test_module="axis_bench",
        hdl_toplevel=top,
        testcase=list(tests) or None,
        build_dir=folder,
        test_dir=folder,
        extra_env={**words, "LEVELS": str(levels), "KEY_BITS": str(key_bits)},
        log_file=folder / "run.log",
        results_xml=str(folder / "results.xml"),
    )
    count, failed = get_results(results)
    if failed or not count:
        raise AssertionError(f"{failed} of {count} tests failed: {folder / 'run.log'}")


class Wrapper(unittest.TestCase):
    def test_one_level(self) -> None:
        run_bench(levels=1, streams=1)

    def test_one_level_two_messages(self) -> None:
        run_bench(levels=1, streams=2)

    def test_four_levels(self) -> None:
        run_bench(levels=4, streams=4, key_bits=192)

    def test_four_levels_five_messages(self) -> None:
        run_bench(levels=4, streams=5, key_bits=256)

    def test_encryption_only(self) -> None:
        run_bench(levels=2, streams=2, ways="e")

    def test_decryption_only(self) -> None:
        run_bench(levels=1, streams=3, ways="d")


if __name__ == "__main__":
    unittest.main()
