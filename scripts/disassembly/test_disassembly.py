# SPDX-License-Identifier: Apache-2.0 OR MIT
"""check-disassembly must find the faults that are planted in planted.c, and nothing else in it."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
CHECKER = HERE.parent / "check-disassembly"
LISTS = HERE.parent.parent / "c" / "tests"

# Compiler, with options for the target; objdump of the target; list of instructions.
TARGETS = (
    (["gcc"], "objdump", "doit.txt"),
    (["clang"], "objdump", "doit.txt"),
    (["aarch64-linux-gnu-gcc"], "aarch64-linux-gnu-objdump", "dit.txt"),
)


def check(target: tuple[list[str], str, str], obj: Path) -> subprocess.CompletedProcess[str]:
    options = ["--objdump", target[1], "--list", str(LISTS / target[2])]
    command = [sys.executable, str(CHECKER), *options, str(obj)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


class Planted(unittest.TestCase):
    """The same source by each compiler, at each level at which users may build."""

    def compile(self, target: tuple[list[str], str, str], *options: str) -> Path:
        if not shutil.which(target[0][0]) or not shutil.which(target[1]):
            self.skipTest(f"{target[0][0]} is not installed")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        obj = Path(folder.name) / "planted.o"
        source = str(HERE / "planted.c")
        subprocess.run([*target[0], *options, "-fPIC", "-c", source, "-o", str(obj)], check=True)
        return obj

    def faults(self, target: tuple[list[str], str, str], obj: Path) -> set[str]:
        result = check(target, obj)
        self.assertEqual(result.returncode, 1, result.stderr)
        return set(re.findall(r": ((?:bad|good)_\w+)\+0x", result.stdout))

    def test_planted(self) -> None:
        for target in TARGETS:
            for level in ("-O1", "-O2", "-O3", "-Os"):
                with self.subTest(compiler=target[0][0], level=level):
                    obj = self.compile(target, level)
                    names = subprocess.run(
                        [target[1], "-t", str(obj)], capture_output=True, text=True, check=True
                    ).stdout
                    bad = set(re.findall(r"\bF \.text\S*\t.*\b(bad_\w+)", names))
                    self.assertGreater(len(bad), 15)
                    self.assertEqual(self.faults(target, obj), bad)

    def test_lists(self) -> None:
        """An instruction that the list does not have is a fault, whatever it does."""
        target = TARGETS[0]
        obj = self.compile(target, "-O2")
        with tempfile.TemporaryDirectory() as folder:
            short = Path(folder) / "short.txt"
            rows = (LISTS / target[2]).read_text(encoding="utf-8").splitlines()
            short.write_text(
                "\n".join(row for row in rows if "pshufb" not in row), encoding="utf-8"
            )
            found = check((target[0], target[1], str(short)), obj)
        self.assertIn("good_vectors", found.stdout)
        self.assertIn("vpshufb is not in the list", found.stdout)

    def test_refusals(self) -> None:
        """Nothing to check, and a list that cannot be read, are errors and not successes."""
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder) / "empty.c"
            source.write_text("static const int unused = 1;\n", encoding="utf-8")
            obj = Path(folder) / "empty.o"
            subprocess.run(["gcc", "-c", str(source), "-o", str(obj)], check=True)
            self.assertEqual(check(TARGETS[0], obj).returncode, 2)
            wrong = Path(folder) / "wrong.txt"
            wrong.write_text("mov surely\n", encoding="utf-8")
            self.assertEqual(check((["gcc"], "objdump", str(wrong)), obj).returncode, 2)


if __name__ == "__main__":
    unittest.main()
