# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The counts of Verilator are read and added up rightly, and the stored ones are of the present
modules.
"""

from __future__ import annotations

import tempfile
import unittest
from collections import Counter
from dataclasses import replace
from pathlib import Path

import covered
import stored
from cores import CORES

COUNTED = (
    "# SystemC::Coverage-3\n"
    "C '\1f\2rtl/a.v\1l\0027\1n\0023\1page\2v_toggle/twofish_two_h\1o\2r[5]\1h\2TOP.a' 0\n"
    "C '\1f\2rtl/a.v\1l\0027\1n\0023\1page\2v_toggle/twofish_two_h\1o\2r[6]\1h\2TOP.a' 4\n"
    "C '\1f\2rtl/twofish_q.v\1l\0029\1n\0021\1page\2v_line/twofish_q\1o\2block\1h\2TOP.b' 0\n"
)


class Covered(unittest.TestCase):
    def test_counts(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "a.dat"
            path.write_text(COUNTED, encoding="utf-8")
            found = Counter(dict(covered.counted(path)))
        core = CORES["two_h"]
        counts = covered.Coverage("two_h", 1, 0, 2, 1, "a: r; twofish_q: line 9")
        expected = replace(counts, made_of=covered.fingerprint(core))
        self.assertEqual(covered.coverage(core, found), expected)

    def test_that_it_is_of_these_modules(self) -> None:
        for row in stored.read(covered.Coverage, covered.STORED):
            with self.subTest(row.core):
                now = covered.fingerprint(CORES[row.core])
                self.assertEqual(row.made_of, now, f"run hardware/covered.py {row.core}")


if __name__ == "__main__":
    unittest.main()
