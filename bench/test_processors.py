# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Tests of processors.py: what it takes from a trace and from sizes, and the tables it makes."""

from __future__ import annotations

import unittest

import processors
from processors import Counts


def trace(*functions: str) -> list[str]:
    """The lines of a trace, in the form of qemu 7.2."""
    return [
        f"Trace 0: 0x7f0420581400 [00000000/{4 * i:016x}/00000000/00000201] {function}\n"
        for i, function in enumerate(functions)
    ]


class Segments(unittest.TestCase):
    """Between count_begin and count_end, without the instructions of these."""

    def test_counts_what_stands_between(self) -> None:
        lines = trace("main", "count_begin", "count_begin", "main", "g", "", "count_end", "main")
        self.assertEqual(list(processors.segments(lines)), [3])

    def test_counts_each_pair(self) -> None:
        pair = ["count_begin", "main", "count_end", "count_end"]
        lines = trace(*pair, "printf", *pair, *["count_begin", "g", "g", "count_end"])
        self.assertEqual(list(processors.segments(lines)), [1, 1, 2])

    def test_leaves_out_other_lines(self) -> None:
        lines = ["warning: something]\n", *trace("count_begin"), "cpu_io_recompile\n"]
        lines += trace("main", "count_end")
        self.assertEqual(list(processors.segments(lines)), [1])


class Sizes(unittest.TestCase):
    """Sections by the start of their names, as with -ffunction-sections."""

    LISTING = """full.c.o  :
section                     size   addr
.text                         10      0
.text.unlikely                 5      0
.data                          7      0
.rodata.str1.1                 3      0
Total                         25
"""

    def test_sums_sections(self) -> None:
        self.assertEqual(processors.section_bytes(self.LISTING, ".text"), 15)
        self.assertEqual(processors.section_bytes(self.LISTING, ".rodata"), 3)
        self.assertEqual(processors.section_bytes(self.LISTING, ".bss"), 0)


class Tables(unittest.TestCase):
    """The part of a CSV that is shown."""

    COUNTS = Counts(
        {},
        {("i386", "full", bits, "set-up"): 1000.0 * i for i, bits in enumerate((128, 192, 256), 1)}
        | {("i386", "full", bits, "encrypt 1"): 1234.0 for bits in (128, 192, 256)}
        | {
            ("i386", "full", 0, "code bytes"): 4000.0,
            ("i386", "schedule", 0, "code bytes"): 3000.0,
        },
    )

    def test_three_key_sizes_or_one(self) -> None:
        self.assertEqual(
            processors.three(self.COUNTS, "i386", "full", "set-up"), "1,000 / 2,000 / 3,000"
        )
        self.assertEqual(processors.three(self.COUNTS, "i386", "full", "encrypt 1"), "1,234")

    def test_what_was_not_counted_is_a_dash(self) -> None:
        self.assertEqual(processors.three(self.COUNTS, "m68k", "full", "set-up"), "-")

    def test_whole_code_is_that_of_the_paper(self) -> None:
        self.assertEqual(processors.whole_code(self.COUNTS, "i386", "full"), "7,000")
        self.assertEqual(processors.whole_code(self.COUNTS, "m68k", "full"), "-")

    def test_each_processor_of_1998_is_in_the_list(self) -> None:
        known = {processor.name for processor in processors.processors()}
        self.assertLessEqual({row["name"] for row in processors.rows_of_1998()}, known)


if __name__ == "__main__":
    unittest.main()
