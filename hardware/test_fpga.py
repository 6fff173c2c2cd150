# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A core without parameters suits its flow, which the bench cannot tell: it sees no gates. And the
stored figures are of the present sources.
"""

from __future__ import annotations

import functools
import re
import unittest
from collections.abc import Mapping

import fpga
import stored
from cores import CORES
from tools import RTL, places, run_tool

CORE = "twofish_two_h_pipe4"


@functools.cache
def cells(flow: str) -> Mapping[str, int]:
    """The cells that yosys reads from the core, before it makes gates of them."""
    sources = " ".join(str(path) for place in places(RTL, flow) for path in place.glob("*.v"))
    steps = (
        f"read_verilog -defer {sources}",
        f"hierarchy -top {CORE}",
        "proc",
        "flatten",
        "tee -a /dev/stdout stat",
    )
    script = "; ".join(steps)
    said = run_tool(["yosys", "-q", "-p", script], "yosys")
    return {name: int(count) for name, count in re.findall(r"(\$\w+) +(\d+)\n", said)}


class DefaultTest(unittest.TestCase):
    def test_that_an_fpga_gets_carry_chains_ram_and_no_latches(self) -> None:
        chip, fpga = cells("chip"), cells("fpga")
        self.assertNotIn("$dlatch", fpga)
        self.assertEqual(fpga["$memwr_v2"], 1)
        # Those of F0 and F1, and of the address of the RAM.
        self.assertEqual(fpga["$add"] - chip["$add"], 3)

    def test_that_a_chip_gets_latches_and_no_ram(self) -> None:
        found = cells("chip")
        self.assertGreater(found["$dlatch"], 40)
        self.assertNotIn("$memwr_v2", found)


class Stored(unittest.TestCase):
    def test_that_it_is_of_these_sources(self) -> None:
        devices = {each.name: each for each in fpga.DEVICES}
        for row in stored.read(fpga.Figures, fpga.STORED):
            with self.subTest(f"{row.core}, {row.device}"):
                now = fpga.fingerprint(CORES[row.core], devices[row.device])
                self.assertEqual(row.made_of, now, f"run hardware/fpga.py {row.core}")


if __name__ == "__main__":
    unittest.main()
