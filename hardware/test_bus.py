# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Cores behind APB and AXI4-Lite: the driver in C runs on them in simulation; registers that are
made of registers.py are up to date.

The bench of the cores knows nothing of a bus, and that of AXI4-Stream nothing of registers. Only
this finds faults of the driver, of the map of registers, of refusals, interrupts and CLEAR, and of
the handshakes of these two buses.
"""

from __future__ import annotations

import ctypes
import functools
import re
import unittest

import buses
import registers
from buses import BUSES, DRIVER
from simulate import SEED, WARNINGS, sources_in
from test_simulation import FAULTS_FOLDER, Fault
from tools import LONG, RTL, HardwareError, run_tool

REGISTERS, APB, AXIL = "twofish_registers.v", "twofish_apb.v", "twofish_axil.v"
FAULTS = (
    Fault("busy_text", "apb_128", REGISTERS, "to_text & ~busy", "to_text", "block is in work"),
    Fault(
        "part_of_a_word",
        "apb_128",
        REGISTERS,
        "good = write_whole & ",
        "good = ",
        "a part of a word",
    ),
    Fault(
        "order_of_a_key",
        "apb_128",
        REGISTERS,
        " & {1'b0, write_word[2:0]} == key_count",
        "",
        "a word of a key that is not the next",
    ),
    Fault(
        "no_wait",
        "apb_128",
        REGISTERS,
        "write_ready = ~(to_key & key_waits & ~busy)",
        "write_ready = 1'b1",
        "set_key: the driver says 8, not 0",
    ),
    Fault("bare_text", "apb_128", REGISTERS, "] & {32{result}}", "]", "RESULT shows something"),
    Fault(
        "left_over",
        "apb_128",
        REGISTERS,
        "if (wipe) block[32*i+:32] <= 32'd0;\n        else if",
        "if",
        "wiping leaves a block",
    ),
    Fault("deaf_core", "axil_256", REGISTERS, "clear & ~rst", "1'b0", "was not refused while it"),
    Fault(
        "time_of_data",
        "apb_128",
        REGISTERS,
        "(zeroise | ~key_ready)",
        "(zeroise | ~key_ready | write_data[0])",
        "the clocks depend on the key or the text",
    ),
    Fault("ready_early", "apb_128", REGISTERS, "~busy & ~key_waits}", "~busy}", "KEY_READY"),
    Fault("no_event", "apb_128", REGISTERS, "= key_done;", "= 1'b0;", "other events"),
    Fault("always_irq", "apb_128", REGISTERS, "events & enable", "events", "irq is not what"),
    Fault("bare_error", "apb_128", APB, "write & write_ready & ", "", "pslverr or prdata is not"),
    Fault("bare_data", "apb_128", APB, " & {32{read}}", "", "pslverr or prdata is not"),
    Fault("withdrawn_b", "axil_256", AXIL, " | s_axil_bvalid & ~s_axil_bready", "", "withdrawn"),
    Fault("changed_r", "axil_256", AXIL, "else if (read) s_axil_r", "else s_axil_r", "changed"),
    Fault("early_b", "axil_256", AXIL, "has_address & has_data &", "has_address &", "did not come"),
    Fault("kept_word", "axil_256", AXIL, "(rst | written)", "(rst)", "stays outside of the core"),
    Fault(
        "through",
        "axil_256",
        AXIL,
        "arready = ~s_axil_rvalid",
        "arready = ~s_axil_rvalid | s_axil_rready",
        "an output depends on an input",
    ),
)


class Buses(unittest.TestCase):
    def works(self, name: str) -> None:
        error = buses.test(BUSES[name])
        if error:
            self.fail(f"{error.error} ({error.hint})")

    def test_apb(self) -> None:
        self.works("apb_128")

    def test_apb_decryption_only(self) -> None:
        self.works("apb_192_dec")

    def test_axil(self) -> None:
        self.works("axil_256")

    def test_axil_encryption_only(self) -> None:
        self.works("axil_128_enc")


class Faults(unittest.TestCase):
    @unittest.skipUnless(
        LONG, f"{len(FAULTS)} planted faults of buses: scripts/test-hardware --long"
    )
    def test_that_each_is_found(self) -> None:
        for fault in FAULTS:
            bus = BUSES[fault.core]
            program = buses.build(bus, fault.plant(), FAULTS_FOLDER / fault.name)
            with self.subTest(fault.name), self.assertRaisesRegex(HardwareError, fault.words):
                buses.run_bench(bus, program, SEED)


class Made(unittest.TestCase):
    def test_that_what_is_made_of_the_registers_is_up_to_date(self) -> None:
        for path, text in registers.made_files().items():
            with self.subTest(path.name):
                self.assertEqual(path.read_text(encoding="utf-8"), text, "hardware/registers.py")

    def test_that_registers_and_their_bits_lie_apart(self) -> None:
        """And inside the window; the decoder looks at whole blocks of words."""
        words = [
            register.offset // 4 + i
            for register in registers.REGISTERS
            for i in range(register.words)
        ]
        self.assertEqual(len(words), len(set(words)))
        self.assertLess(4 * max(words), registers.WINDOW_BYTES)
        for register in registers.REGISTERS:
            self.assertEqual(register.offset % (4 * register.words), 0, register.name)
            masks = [field.mask for field in register.fields]
            self.assertEqual(sum(masks), functools.reduce(int.__or__, masks, 0), register.name)


class Page(unittest.TestCase):
    def test_that_the_instance_of_the_page_elaborates(self) -> None:
        """With the names of ports and parameters that are there, and no others."""
        page = registers.PAGE.read_text(encoding="utf-8")
        found = re.search(
            r"<!-- hardware: a test elaborates this -->\n```verilog\n(.*?)```", page, re.S
        )
        assert found
        top = buses.FOLDER / "page.v"
        top.parent.mkdir(parents=True, exist_ok=True)
        top.write_text(f"module page;\n{found[1]}endmodule\n", encoding="utf-8")
        places = [word for place in sources_in(RTL) for word in ("-y", place)]
        run_tool(["iverilog", "-g2005", "-t", "null", "-s", "page", *places, top], "iverilog")


class InMemory(unittest.TestCase):
    """The accesses through a pointer, which the simulation has others for."""

    def test_that_an_access_is_one_word_at_its_offset(self) -> None:
        library = buses.FOLDER / "twofish_io.so"
        library.parent.mkdir(parents=True, exist_ok=True)
        words = [*buses.C_COMPILER, *WARNINGS, "-shared", "-fPIC"]
        run_tool([*words, DRIVER / "twofish_io.c", "-o", library], "gcc")
        io = ctypes.CDLL(str(library))
        io.twofish_io_read.restype = ctypes.c_uint32
        device = (ctypes.c_uint32 * 32)(*range(100, 132))
        io.twofish_io_write(device, 0x14, ctypes.c_uint32(0xFEDCBA98))
        self.assertEqual(list(device), [*range(100, 105), 0xFEDCBA98, *range(106, 132)])
        self.assertEqual(io.twofish_io_read(device, 0x14), 0xFEDCBA98)


if __name__ == "__main__":
    unittest.main()
