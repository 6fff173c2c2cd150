# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Parameters that make no sense are errors of elaboration, which say what would be right."""

from __future__ import annotations

import re
import unittest
from collections.abc import Mapping

from simulate import sources_in
from tools import RTL, HardwareError, run_tool

KEY_BITS = "KEY_BITS_must_be_128_192_or_256"
DIRECTION = "ENCRYPT_or_DECRYPT_must_be_1"
STORE = "STORE_must_be_LATCHES_FLOPS_or_RAM"

# The changes that a user may try, and the module that then is missing.
WRONG: tuple[tuple[Mapping[str, str], str], ...] = (
    ({"KEY_BITS": "100"}, KEY_BITS),
    ({"KEY_BITS": "0"}, KEY_BITS),
    ({"KEY_BITS": "512"}, KEY_BITS),
    ({"ENCRYPT": "0", "DECRYPT": "0"}, DIRECTION),
    ({"STORE": '"FOO"'}, STORE),
    ({"STORE": '"latches"'}, STORE),
    ({"STREAMS": "0"}, "STREAMS_must_be_1_to_256"),
    ({"STREAMS": "257"}, "STREAMS_must_be_1_to_256"),
    ({"ROW": "0"}, "ROW_must_be_1_to_8"),
    ({"ROW": "9"}, "ROW_must_be_1_to_8"),
)


def elaborate(module: str, parameters: Mapping[str, str]) -> str:
    """The messages of Icarus Verilog; the empty string if nothing is wrong."""
    places = [word for place in sources_in(RTL) for word in ("-y", str(place))]
    given = [f"-P{module}.{name}={value}" for name, value in parameters.items()]
    command = ["iverilog", "-g2005", "-t", "null", *places, *given, "-s", module]
    try:
        return run_tool([*command, RTL / f"{module}.v"], "iverilog")
    except HardwareError as error:
        return str(error)


def cores() -> Mapping[str, set[str]]:
    """All modules that take a key and blocks, with the names of their parameters."""
    texts = {
        path.stem: path.read_text(encoding="utf-8") for path in sorted(RTL.glob("twofish_*.v"))
    }
    return {
        name: set(re.findall(r"parameter (?:integer |\[.*\] )?(\w+)", text))
        for name, text in texts.items()
        if "key_valid," in text
    }


class ParameterTest(unittest.TestCase):
    def test_that_each_core_elaborates(self) -> None:
        self.assertGreaterEqual(len(cores()), 8)
        for module in cores():
            with self.subTest(module):
                self.assertEqual(elaborate(module, {}), "")

    def test_that_wrong_parameters_are_refused(self) -> None:
        for module, names in cores().items():
            for parameters, missing in WRONG:
                if set(parameters) <= names:
                    with self.subTest(f"{module} {parameters}"):
                        said = elaborate(module, parameters)
                        self.assertIn(f"Unknown module type: {missing}", said)


if __name__ == "__main__":
    unittest.main()
