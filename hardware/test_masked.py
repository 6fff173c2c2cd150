# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The masked core: no probe tells a secret, and its simulated power does not, as far as tried.

Both checks must find what is planted.
"""

from __future__ import annotations

import shutil
import tempfile
import unittest
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import power
import probing
from cores import CORES
from handshakes import run_cocotb
from tools import RTL, HardwareError

Changes = Mapping[str, tuple[str, str]]  # by file: what is replaced, and by what

GADGET_FAULTS: Mapping[str, Changes] = {
    "a random bit for six products": {
        "masked_t.v": (".random(random[5:0])", ".random({6{random[0]}})"),
    },
    "the result not masked again": {
        "masked_t.v": ("by_x1_1 ^ random[9:6]", "by_x1_1"),
    },
    "products not in registers before the next ones": {
        "masked_t.v": (
            "always @(posedge clk) begin\n    {x_0, x_1} <=",
            "always @* begin\n    {x_0, x_1} =",
        ),
    },
    "no random bits at all": {
        "masked_cross.v": ("& b1 ^ random", "& b1"),
    },
    "a product of an addition without its random bit": {
        "masked_add.v": (".random(random[2:0])", ".random({random[2:1], 1'b0})"),
    },
}
CORE_FAULTS: Mapping[str, Changes] = {
    "multiplexers before an AND": {
        "masked_add.v": (
            "always @(posedge clk) {a_0, a_1, b_0, b_1} <=",
            "always @* {a_0, a_1, b_0, b_1} =",
        ),
    },
    "a wire between the shares": {
        "twofish_quarter_h_masked.v": (".t_a(t_a1)", ".t_a(t_a0)"),
    },
    "a random bit for two uses": {
        "twofish_quarter_h_masked.v": (".random(random[31:26])", ".random(random[30:25])"),
    },
    "control by a share": {
        "twofish_quarter_h_masked.v": ("(setup & last_column", "(setup & ~a0[0] & last_column"),
    },
}


@contextmanager
def planted(changes: Changes) -> Iterator[Path]:
    """A copy of the RTL with a fault in it."""
    with tempfile.TemporaryDirectory() as folder:
        rtl = Path(folder) / "rtl"
        shutil.copytree(RTL, rtl)
        for name, (old, new) in changes.items():
            text = (rtl / name).read_text(encoding="utf-8")
            if old not in text:
                raise AssertionError(f"{name} has no {old}")
            (rtl / name).write_text(text.replace(old, new, 1), encoding="utf-8")
        yield rtl


class Probes(unittest.TestCase):
    def all_found(
        self, faults: Mapping[str, Changes], leaks: Callable[[Path], Iterable[str]]
    ) -> None:
        for name, changes in faults.items():
            with self.subTest(fault=name), planted(changes) as rtl:
                self.assertTrue(any(leaks(rtl)))

    def test_gadgets_tell_nothing(self) -> None:
        self.assertEqual(list(probing.gadget_leaks()), [])

    def test_faults_of_gadgets_are_found(self) -> None:
        self.all_found(GADGET_FAULTS, probing.gadget_leaks)

    def test_core_keeps_its_shares_apart(self) -> None:
        self.assertEqual(probing.core_leaks(probing.core_netlist()), [])

    def test_faults_of_the_core_are_found(self) -> None:
        self.all_found(CORE_FAULTS, lambda rtl: probing.core_leaks(probing.core_netlist(rtl)))


class Generator(unittest.TestCase):
    def bits(self, rtl: Path = RTL) -> None:
        run_cocotb("seeded_bench", "twofish_quarter_h_masked_seeded", {}, "seeded", {}, rtl)

    def test_that_the_core_gets_the_bits_of_trivium(self) -> None:
        self.bits()

    def test_that_a_core_without_them_is_found(self) -> None:
        top = "twofish_quarter_h_masked_seeded.v"
        with planted({top: (".random(random),\n    .key", ".random(32'd0),\n    .key")}) as rtl:
            self.assertRaisesRegex(HardwareError, "not the bits of Trivium", self.bits, rtl)
        with planted({top: ("rst | ~seeded", "rst")}) as rtl:
            self.assertRaisesRegex(HardwareError, "without random bits", self.bits, rtl)


class SimulatedPower(unittest.TestCase):
    core = CORES["quarter_h_masked"]

    def test_masked(self) -> None:
        found = power.measure(self.core, traces=400)
        self.assertFalse(found.leaks, found)

    def test_without_random_bits(self) -> None:
        found = power.measure(self.core, power.FEW, random=False)
        self.assertTrue(found.leaks, found)

    def test_without_masks(self) -> None:
        found = power.measure(self.core, power.FEW, masks=False, random=False)
        self.assertTrue(found.leaks, found)


if __name__ == "__main__":
    unittest.main()
