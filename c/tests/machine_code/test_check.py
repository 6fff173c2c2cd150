# SPDX-License-Identifier: Apache-2.0 OR MIT
"""check.py must find the faults that are planted in planted.c, and nothing else in it."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent

# Compiler and objdump of the target.
TARGETS = (
    ("gcc", "objdump"),
    ("clang", "objdump"),
    ("aarch64-linux-gnu-gcc", "aarch64-linux-gnu-objdump"),
)


def check(obj: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(HERE / "check.py"), *options, str(obj)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


class Planted(unittest.TestCase):
    """The same source by each compiler, at each level at which users may build."""

    def compile(self, compiler: str, objdump: str, *options: str) -> Path:
        if not shutil.which(compiler) or not shutil.which(objdump):
            self.skipTest(f"{compiler} is not installed")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        obj = Path(folder.name) / "planted.o"
        source = str(HERE / "planted.c")
        subprocess.run([compiler, *options, "-fPIC", "-c", source, "-o", str(obj)], check=True)
        return obj

    def faults(self, obj: Path, objdump: str) -> set[str]:
        result = check(obj, "--objdump", objdump)
        self.assertEqual(result.returncode, 1, result.stderr)
        return set(re.findall(r": ((?:bad|good)_\w+)\+0x", result.stdout))

    def refused(self, result: subprocess.CompletedProcess[str], why: str) -> None:
        self.assertEqual(result.returncode, 2)
        self.assertIn(why, result.stderr)

    def test_planted(self) -> None:
        for compiler, objdump in TARGETS:
            for level in ("-O1", "-O2", "-O3", "-Os"):
                with self.subTest(compiler=compiler, level=level):
                    obj = self.compile(compiler, objdump, level)
                    names = subprocess.run(
                        [objdump, "-t", str(obj)], capture_output=True, text=True, check=True
                    ).stdout
                    bad = set(re.findall(r"\bF \.text\S*\t.*\b(bad_\w+)", names))
                    self.assertGreater(len(bad), 15)
                    self.assertEqual(self.faults(obj, objdump), bad)

    def test_lists(self) -> None:
        """An instruction that the list does not have is a fault, whatever it does."""
        obj = self.compile(*TARGETS[0], "-O2")
        rows = (HERE / "doit.txt").read_text(encoding="utf-8").splitlines(keepends=True)
        with tempfile.TemporaryDirectory() as folder:
            short = Path(folder) / "short.txt"
            short.write_text("".join(row for row in rows if "pshufb" not in row), encoding="utf-8")
            found = check(obj, "--list", str(short))
        self.assertIn("good_vectors", found.stdout)
        self.assertIn("vpshufb is not in the list", found.stdout)

    def test_refusals(self) -> None:
        """Nothing to check, and a list that cannot be read, are errors and not successes."""
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder) / "empty.c"
            source.write_text("static const int unused = 1;\n", encoding="utf-8")
            obj = Path(folder) / "empty.o"
            subprocess.run(["gcc", "-c", str(source), "-o", str(obj)], check=True)
            self.refused(check(obj), "no function in these objects")
            wrong = Path(folder) / "wrong.txt"
            wrong.write_text("mov surely\n", encoding="utf-8")
            self.refused(check(obj, "--list", str(wrong)), "wrong.txt: mov surely")


if __name__ == "__main__":
    unittest.main()
