# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A core that watches itself: no wrong result leaves it when a bit changes by itself."""

from __future__ import annotations

import unittest

import faults
import stored
from cores import CORES
from test_masked import planted
from tools import BUILD, LONG

FEW = 300


class Faults(unittest.TestCase):
    def test_that_the_watched_core_finds_them(self) -> None:
        found = faults.measure(CORES[faults.WATCHED], FEW)
        self.assertTrue(found.sound, found)

    def test_that_a_plain_core_gives_wrong_results(self) -> None:
        found = faults.measure(CORES[faults.PLAIN], FEW)
        self.assertGreater(found.wrong, FEW // 4, found)

    @unittest.skipUnless(LONG, "planted faults of lockstep: scripts/test-hardware --long")
    def test_that_a_comparison_that_is_missing_is_found(self) -> None:
        core, place = CORES[faults.WATCHED], "twofish_lockstep.v"
        for right in ("both & ~same", "said != {key_ready_1, in_ready_1, out_valid_1}"):
            with self.subTest(right), planted({place: (right, "1'b0")}) as rtl:
                folder = BUILD / "faulty" / "planted"
                program = faults.build(core, rtl, folder)
                self.assertFalse(faults.measure(core, FEW, program=program).sound)

    def test_that_the_stored_table_says_so(self) -> None:
        found = {each.core: each for each in stored.read(faults.Faults, faults.STORED)}
        self.assertTrue(found[faults.WATCHED].sound)
        self.assertGreater(found[faults.PLAIN].wrong, 0)


if __name__ == "__main__":
    unittest.main()
