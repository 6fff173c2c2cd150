# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The examples for boards and other flows: the core that tests itself, and the list for FuseSoC."""

from __future__ import annotations

import re
import unittest

from tools import BUILD, HARDWARE, RTL, HardwareError, places, run_tool

BOARD = HARDWARE / "examples" / "board"
CORE = HARDWARE / "manyfish_twofish.core"


def simulated(source: str, name: str) -> str:
    """The output of the bench on this text of board.v."""
    folder = BUILD / "examples"
    folder.mkdir(parents=True, exist_ok=True)
    board, program = folder / f"{name}.v", folder / name
    board.write_text(source, encoding="utf-8")
    folders = [word for place in places(flow="fpga") for word in ("-y", place)]
    run_tool(["iverilog", "-g2005", "-o", program, *folders, board, BOARD / "bench.v"], "iverilog")
    return run_tool(["vvp", "-n", program], "iverilog")


class BoardTest(unittest.TestCase):
    SOURCE = (BOARD / "board.v").read_text(encoding="utf-8")

    def test_that_it_lights_the_right_led(self) -> None:
        self.assertRegex(simulated(self.SOURCE, "board"), r"^good after \d+ clocks$")

    def test_that_a_wrong_result_lights_the_other(self) -> None:
        for wrong in ("9f589f5c", "d491db16"):  # the key; the text, which decryption compares
            with self.subTest(wrong):
                source = self.SOURCE.replace(wrong, "00000000")
                self.assertRaisesRegex(
                    HardwareError, "good 0, bad 1", simulated, source, f"wrong_{wrong}"
                )


class FuseSocTest(unittest.TestCase):
    def test_that_it_has_every_module(self) -> None:
        listed = re.findall(r"^      - (rtl/.*)$", CORE.read_text(encoding="utf-8"), re.M)
        there = [str(path.relative_to(HARDWARE)) for path in RTL.rglob("*.v")]
        self.assertEqual(sorted(listed), sorted(there), "change hardware/manyfish_twofish.core")


if __name__ == "__main__":
    unittest.main()
