# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The examples in the documentation run, and type checkers are told what there is."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
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


if __name__ == "__main__":
    unittest.main()
