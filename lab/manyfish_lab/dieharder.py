# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Dieharder, a program of statistical tests, run on bytes that this package made.

Each test takes words of 32 bits and gives p-values, uniform in 0..1 for random words. Both ends
are bad: a counter is as far from random as a constant.
"""

from __future__ import annotations

import functools
import math
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .errors import LabError

PROGRAM = "dieharder"
HINT = (
    "it is the package dieharder of Debian and Ubuntu: scripts/setup or apt-get install dieharder"
)

# Output: test_name, ntuple, pvalues (the one that sums up) and psample_values (those that it sums
# up) as `dieharder -F` numbers them; the last is not known by its name.
_FIELDS = (8, 16, 128, 65536)


@dataclass(frozen=True)
class Test:
    """One test and its size.

    number   of the test, as `dieharder -l` has it
    samples  the option -t
    words    of 32 bits that one p-value takes
    ntuple   the option -n, if the test has one
    """

    number: int
    samples: int
    words: int
    ntuple: int | None = None

    def command(self, n_p_values: int) -> list[str]:
        sizes = ["-d", str(self.number), "-t", str(self.samples), "-p", str(n_p_values)]
        ntuple = [] if self.ntuple is None else ["-n", str(self.ntuple)]
        fields = [option for field in _FIELDS for option in ("-D", str(field))]
        return ["-g", "200", *sizes, *ntuple, *fields]


# Sizes are such that a p-value takes 2^20 bits where the test allows it.
TESTS: tuple[Test, ...] = (
    Test(100, 32768, 32768),  # STS monobit
    Test(101, 32768, 32768),  # STS runs
    Test(102, 32768, 32768),  # STS serial, tuples of 1 to 16 bits
    Test(2, 1024, 32768),  # ranks of 32x32 matrices
    Test(3, 5461, 32766),  # ranks of 6x8 matrices
    Test(0, 100, 38403),  # birthday spacings
    Test(8, 256000, 64001),  # count of ones in a stream of bytes
    Test(202, 6553, 32765, 5),  # permutations of five words
    Test(203, 32768, 32768, 0),  # sum of all words
    Test(203, 8192, 32768, 3),  # sum of each fourth word, which is the same word of each block
    Test(205, 10922, 32766),  # distribution of bytes
)

# The rest. The figures for AES were found with Dieharder's own generator 205, by 800 to 4,000
# p-values of each test; the tests above passed that.
LEFT_OUT = (
    "opso, oqso, dna and sums, which Dieharder itself marks as doubtful; runs up and down, where "
    "13 % of the p-values for AES lie in the lowest tenth; bitstream, which has too few p-values "
    "near 0 and 1; dct, whose p-values rise towards 1 at this size; craps, which is too coarse at "
    "this size; and tests that need more than 2^21 bits for a p-value"
)


@functools.cache
def program() -> str:
    """The path of the program."""
    found = shutil.which(PROGRAM)
    if found is None:
        raise LabError(f"{PROGRAM} is not installed", HINT)
    return found


@functools.cache
def version() -> str:
    """As it prints it: "3.31.1"."""
    said = subprocess.run([program(), "-h"], capture_output=True, text=True, check=False).stdout
    number = re.search(r"dieharder version (\S+)", said)
    if number is None:
        raise LabError(f"{program()} is not the program that was expected", HINT)
    return number[1]


def _parsed(output: str) -> dict[str, list[float]]:
    """The p-values of each statistic. A test with several repeats its name and ntuple."""
    found: dict[str, list[float]] = {}
    values: list[float] = []
    for line in output.splitlines():
        fields = [field.strip() for field in line.split("|")]
        if line.startswith("#") or not line.strip():
            continue
        if fields[0]:
            name = fields[0] if fields[1] == "0" else f"{fields[0]} {fields[1]}"
            name = name if name not in found else f"{name}, second"
            found[name] = values = []
        else:
            p = float(fields[1])
            # A p-value that divides by zero where all bits are equal is as improbable as can be.
            values.append(0.0 if math.isnan(p) else p)
    return found


def p_values(test: Test, data: NDArray[np.uint8]) -> dict[str, list[float]]:
    """As many p-values of each statistic of the test as the data are enough for."""
    count = data.size // (4 * test.words)
    if count == 0:
        return {}
    # The program takes words in the byte order of the machine; they shall be the same on all.
    words = data[: data.size // 4 * 4].view("<u4").astype("=u4")
    done = subprocess.run(
        [program(), *test.command(count)], input=words.tobytes(), capture_output=True, check=False
    )
    said = done.stdout.decode(errors="replace")
    found = _parsed(said) if done.returncode == 0 else {}
    if not found or any(len(values) != count for values in found.values()):
        error = (done.stderr.decode(errors="replace") + said)[-300:].strip()
        raise LabError(f"{program()}: test {test.number} gave no {count} p-values: {error}", HINT)
    return found


def all_p_values(data: NDArray[np.uint8], tests: Sequence[Test] = TESTS) -> dict[str, list[float]]:
    """The same for several tests."""
    found: dict[str, list[float]] = {}
    for test in tests:
        found |= p_values(test, data)
    return found
