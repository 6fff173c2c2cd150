# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The AXI4-Stream wrapper: tb/axis_bench.py and, with real cores, tb/axis_core_bench.py."""

from __future__ import annotations

import unittest

import chains
import stored
from cores import CORES
from handshakes import run_cocotb


def run_bench(
    levels: int, streams: int, row: int | None = None, key_bits: int = 128, ways: str = "ed"
) -> None:
    """Without a row of Table 4, a core in Python stands in for the core."""
    directions = {"ENCRYPT": int("e" in ways), "DECRYPT": int("d" in ways)}
    rest = {"ROW": row, "KEY_BITS": key_bits} if row else {"DEPTH": levels + 1}
    run_cocotb(
        "axis_core_bench" if row else "axis_bench",
        "twofish_axis_core" if row else "twofish_axis",
        {"STREAMS": streams, **directions, **rest},
        f"axis_{row or 'model'}_{levels}_{streams}_{key_bits}_{ways}",
        {
            "STREAMS": str(streams),
            "LEVELS": str(levels),
            "KEY_BITS": str(key_bits),
            **{name: str(value) for name, value in directions.items()},
        },
    )


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

    def test_a_core_of_one_level(self) -> None:
        run_bench(row=2, levels=1, streams=1)

    def test_a_core_of_four_levels(self) -> None:
        core = CORES["two_h_pipe4"]
        rows = [
            each for each in stored.read(chains.Chained, chains.STORED) if each.core == core.name
        ]
        self.assertEqual(chains.in_axis(core), [each for each in rows if each.where == chains.AXIS])


if __name__ == "__main__":
    unittest.main()
