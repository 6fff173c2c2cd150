# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Fingerprints: they change with what figures depend on, and with nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from manyfish_lab import fingerprint

LAB = Path(__file__).resolve().parents[1]
CODE = "from manyfish_lab.fingerprint import of_modules; print(of_modules(('study',)))"


class Fingerprints(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.write("study", "import helper\nfrom manyfish_lab.experiment import same\n")
        self.write("helper", "X = 1\n")

    def write(self, module: str, text: str) -> None:
        (self.folder / f"{module}.py").write_text(text)

    def code(self, **variables: str) -> str:
        """The fingerprint of the module `study`, in a process of its own."""
        path = os.pathsep.join((str(self.folder), str(LAB)))
        run = subprocess.run(
            [sys.executable, "-c", CODE],
            env={**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1", **variables},
            capture_output=True,
            text=True,
            check=True,
        )
        return run.stdout.strip()

    def test_the_module_and_what_it_imports(self) -> None:
        before = self.code()
        self.assertEqual(before, self.code())
        self.write("helper", "X = 2\n")
        changed = self.code()
        self.assertNotEqual(before, changed)
        self.write("study", "import helper\n")
        self.assertNotIn(self.code(), (before, changed))

    def test_another_module_is_of_no_concern(self) -> None:
        before = self.code()
        self.write("other", "X = 1\n")
        self.assertEqual(before, self.code())

    def test_the_native_library(self) -> None:
        self.write("study", "from manyfish_lab import native\n")
        script = "from manyfish_lab import native; native.sources = lambda: b'{}';"
        codes = set()
        for sources in ("1", "2"):
            with mock.patch(f"{__name__}.CODE", script.format(sources) + CODE):
                codes.add(self.code())
        self.assertEqual(len(codes), 2)

    def test_the_version_of_another_package(self) -> None:
        self.write("study", "import numpy\n")
        script = "from importlib import metadata; metadata.version = lambda name: '{}';"
        codes = set()
        for version in ("1.0", "2.0"):
            with mock.patch(f"{__name__}.CODE", script.format(version) + CODE):
                codes.add(self.code())
        self.assertEqual(len(codes), 2)

    def test_tasks(self) -> None:
        one = fingerprint.of_task({"a": 1, "b": [2, "x"]})
        self.assertEqual(one, fingerprint.of_task({"b": [2, "x"], "a": 1}))
        self.assertNotEqual(one, fingerprint.of_task({"a": 1, "b": ["x", 2]}))
        self.assertNotEqual(one, fingerprint.of_task({"a": "1", "b": [2, "x"]}))


if __name__ == "__main__":
    unittest.main()
