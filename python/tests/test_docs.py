# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The examples in the documentation run, and type checkers find the types."""

from __future__ import annotations

import doctest
import importlib
import os
import pkgutil
import subprocess
import sys
import unittest
from pathlib import Path

import manyfish


def modules() -> list[str]:
    """Every Python module of the package."""
    found = pkgutil.walk_packages(manyfish.__path__, "manyfish.")
    return ["manyfish", *(module.name for module in found if module.name != "manyfish._manyfish")]


def load_tests(
    loader: unittest.TestLoader, tests: unittest.TestSuite, pattern: str | None
) -> unittest.TestSuite:
    """Add each example as a test."""
    for name in modules():
        tests.addTests(doctest.DocTestSuite(importlib.import_module(name)))
    return tests


class Package(unittest.TestCase):
    def test_modules_are_described(self) -> None:
        for name in modules():
            self.assertTrue(importlib.import_module(name).__doc__, name)

    def test_type_checkers_find_types(self) -> None:
        for name in ("py.typed", "_manyfish.pyi"):
            self.assertTrue((Path(manyfish.__path__[0]) / name).is_file(), name)

    def test_the_selftest_of_each_cipher(self) -> None:
        for cipher in ("Twofish", "DES"):
            manyfish.selftest(cipher=cipher)
            for kernel in manyfish.kernels(cipher):
                if kernel.runnable:
                    manyfish.selftest(kernel.name, cipher)
            with self.assertRaises(ValueError):
                manyfish.selftest("none of this name", cipher)
        with self.assertRaises(ValueError):
            manyfish.kernels("AES")

    def test_the_environment_names_no_kernel_that_leaks_unless_it_allows_leaks(self) -> None:
        program = """if True:
            import manyfish
            from manyfish import DES, Twofish
            for cipher, key in (Twofish, bytes(16)), (DES, bytes(8)):
                try:
                    print(cipher.new(key, cipher.MODE_ECB).encrypt(bytes(16)).hex())
                except ValueError as error:
                    print(error)
            print([kernel.name for kernel in manyfish.kernels() if kernel.is_default])
        """
        kernels = {"MANYFISH_KERNEL": "full", "MANYFISH_DES_KERNEL": "sp2k"}
        refused = "is not constant-time: name another, or allow leaks by MANYFISH_LEAKS=any"
        for leaks, expected in (
            ("", [refused, refused, "[]"]),
            ("any", ["9f589f5cf6122c32b6bfec2f2ae8c35a", "8ca64de9c1b123a7", "['full']"]),
            ("all", ['takes the value any alone, not "all"'] * 2 + ["[]"]),
        ):
            environment = os.environ | kernels | {"MANYFISH_LEAKS": leaks}
            command = [sys.executable, "-c", program]
            said = subprocess.run(
                command, env=environment, stdout=subprocess.PIPE, text=True, check=True
            )
            for line, part in zip(said.stdout.splitlines(), expected):
                self.assertIn(part, line)


if __name__ == "__main__":
    unittest.main()
