# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Progress: a bar on a terminal, elsewhere a line from time to time."""

from __future__ import annotations

import contextlib
import io
import unittest
from unittest import mock

from manyfish_lab import progress
from manyfish_lab.progress import Progress, duration


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Shown(unittest.TestCase):
    def test_lines_are_sparse_and_tell_what_is_left(self) -> None:
        heard = io.StringIO()
        clock = mock.patch("time.monotonic", side_effect=[0.0, 10.0, 31.0, 31.0, 31.0, 40.0])
        with clock, contextlib.redirect_stderr(heard), Progress("squares", 100, 20) as shown:
            shown.show(22)
            shown.show(30)
            shown.show(31)
        self.assertEqual(heard.getvalue(), "squares: 30 of 100 tasks, 3.6 min left\n")

    def test_nothing_is_foretold_before_the_first_task(self) -> None:
        heard = io.StringIO()
        clock = mock.patch("time.monotonic", side_effect=[0.0, 31.0, 31.0])
        with clock, contextlib.redirect_stderr(heard), Progress("squares", 100, 20) as shown:
            shown.show(20)
        self.assertEqual(heard.getvalue(), "squares: 20 of 100 tasks\n")

    def test_a_bar_on_a_terminal(self) -> None:
        terminal = Terminal()
        with contextlib.redirect_stderr(terminal), Progress("squares", 100, 20) as shown:
            shown.show(60)
            shown.say("a line")
        self.assertIn("squares:  20%", terminal.getvalue())
        self.assertIn("a line\n", terminal.getvalue())

    def test_lengths_of_time(self) -> None:
        self.assertEqual(
            [duration(seconds) for seconds in (0.04, 119, 121, 7201, 172801)],
            ["0.0 s", "119.0 s", "2.0 min", "2.0 h", "2.0 days"],
        )
        self.assertEqual(progress.duration(7199), "120.0 min")


if __name__ == "__main__":
    unittest.main()
