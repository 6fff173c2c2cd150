# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The way into the C library: found, missing, wrong; arguments that do not fit; statuses."""

from __future__ import annotations

import ctypes
import hashlib
import os
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import numpy as np

from manyfish_lab import native
from manyfish_lab.errors import LabError


class Loading(unittest.TestCase):
    """Which file is taken, and what a user reads if there is none."""

    def setUp(self) -> None:
        """Loads again in each test, and once more for those after it."""
        native.library.cache_clear()
        self.addCleanup(native.library.cache_clear)

    def load(self, path: Path) -> None:
        """Loads this file instead of the usual one."""
        with mock.patch.dict(os.environ, {native.VARIABLE: str(path)}):
            native.library()

    def test_missing(self) -> None:
        """The message has the path and the command."""
        with self.assertRaisesRegex(LabError, r"no libmanyfish_lab\.so in /nowhere/x") as caught:
            self.load(Path("/nowhere/x"))
        self.assertIn("cmake -S lab/native", caught.exception.hint)

    def test_damaged(self) -> None:
        """A file that is no library is named with the system's reason."""
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, native.FILE)
            file.write_text("no library")
            with self.assertRaisesRegex(LabError, "/libmanyfish_lab.so cannot be loaded: ."):
                self.load(file)

    def test_importing_loads_nothing(self) -> None:
        """A function can be named where there is no library; only its call fails."""
        sources = native.function("lab_sources", ctypes.c_char_p)
        with mock.patch.dict(os.environ, {native.VARIABLE: "/nowhere/x"}):
            self.assertRaises(LabError, sources)

    def test_usual_places(self) -> None:
        """The installed package comes first, then the build folder of the checkout."""
        with mock.patch.dict(os.environ):
            os.environ.pop(native.VARIABLE, None)
            first, second = native.candidates()
        self.assertEqual(first.parent, Path(native.__file__).resolve().parent)
        self.assertEqual(second.parts[-3:], ("build", "lab", native.FILE))


class Calling(unittest.TestCase):
    """Calls into the library."""

    def test_sources(self) -> None:
        """The kernels were built of the files that are here."""
        folder = Path(__file__).resolve().parents[1] / "native"
        hashes = [
            hashlib.sha256(path.read_bytes()).hexdigest()
            for kind in ("*.c", "*.h")
            for path in sorted(folder.glob(kind))
        ]
        found = hashlib.sha256("".join(hashes).encode()).hexdigest()
        self.assertEqual(native.sources().decode(), found)

    def test_older_library(self) -> None:
        """A function that is not there is a message, too."""
        with self.assertRaisesRegex(LabError, "has no lab_no_such_function: it is older"):
            native.function("lab_no_such_function", None)()

    def test_two_signatures(self) -> None:
        """A type that one caller gives to a function does not change it for another."""
        text = native.function("mf_version", ctypes.c_char_p)
        address = native.function("mf_version", ctypes.c_void_p)
        self.assertIsInstance(address(), int)
        self.assertIsInstance(text(), bytes)

    def test_arrays_are_checked(self) -> None:
        """Another element type, gaps, and output that cannot be written are refused."""
        equal = native.function(
            "mf_equal",
            ctypes.c_bool,
            native.array(np.uint8),
            native.array(np.uint8),
            ctypes.c_size_t,
        )
        some = np.arange(8, dtype=np.uint8)
        self.assertTrue(equal(some, some.copy(), 8))
        self.assertFalse(equal(some, some[::-1].copy(), 8))
        self.assertRaises(ctypes.ArgumentError, equal, some, some[::2], 4)
        self.assertRaises(ctypes.ArgumentError, equal, some, some.astype(np.int8), 8)
        wipe = native.function("mf_wipe", None, native.output(np.uint8), ctypes.c_size_t)
        some.flags.writeable = False
        self.assertRaises(ctypes.ArgumentError, wipe, some, 8)
        some.flags.writeable = True
        wipe(some, 8)
        self.assertEqual(some.tolist(), [0] * 8)

    def test_status(self) -> None:
        """A status other than MF_OK is raised with the library's own sentence."""
        init = native.checked(
            "mf_twofish_init", native.output(np.uint8), native.array(np.uint8), ctypes.c_size_t
        )
        memory, key = np.zeros(1 << 14, np.uint8), np.zeros(32, np.uint8)
        with self.assertRaisesRegex(LabError, "^mf_twofish_init: .*key"):
            init(memory, key, 17)
        init(memory, key, 32)


if __name__ == "__main__":
    unittest.main()
