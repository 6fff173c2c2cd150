#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""manyfish at a terminal: prompts, the progress bar, no binary.

Run by scripts/test-interop.
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import signal
import struct
import tempfile
import termios
import time
import unittest
from collections.abc import Iterator
from pathlib import Path

ASK = b"Passphrase: "
AGAIN = b"Repeat passphrase: "
WAITING = b"Ctrl-D ends it\r\n"
COLUMNS = 80


def at_terminal(
    folder: Path,
    *arguments: str,
    answers: tuple[bytes, ...] = (),
    typing_seconds: float = 0,
    colours: bool = False,
) -> tuple[int, str]:
    """Exit status, negative for a signal, and all that the terminal showed. One answer a prompt."""
    child, terminal = pty.fork()
    if child == 0:
        for number in (signal.SIGINT, signal.SIGQUIT):  # ignored in the background of a script
            signal.signal(number, signal.SIG_DFL)
        os.environ["TERM"] = "xterm"  # without a name no terminal gets a bar
        os.environ["NO_COLOR"] = "" if colours else "1"
        os.chdir(folder)
        os.execvp("manyfish", ["manyfish", *arguments])
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("4H", 24, COLUMNS, 0, 0))
    shown, waiting = b"", list(answers)
    while True:
        try:
            piece = os.read(terminal, 65536)
        except OSError:  # so Linux tells that the other side is closed
            break
        if not piece:
            break
        shown += piece
        if waiting and shown.endswith((ASK, AGAIN)):
            wait_until_nothing_is_echoed(terminal)
            time.sleep(typing_seconds)
            os.write(terminal, waiting.pop(0))
        elif waiting and shown.endswith(WAITING):
            os.write(terminal, waiting.pop(0))
    assert termios.tcgetattr(terminal)[3] & termios.ECHO, "what is typed would stay unseen"
    os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), shown.decode()


def wait_until_nothing_is_echoed(terminal: int) -> None:
    """The prompt comes a moment before that; nobody types so fast, but a test does."""
    for _ in range(1000):
        if not termios.tcgetattr(terminal)[3] & termios.ECHO:
            return
        time.sleep(0.01)
    raise AssertionError("the passphrase would be shown")


class Terminal(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "plain").write_bytes(b"some text\n")

    def encrypt(self, *arguments: str, answers: tuple[bytes, ...]) -> tuple[int, str]:
        return at_terminal(self.folder, "encrypt", *arguments, answers=answers)

    def attempts(
        self, *arguments: str, answers: tuple[bytes, ...] = (), typing_seconds: float = 0
    ) -> Iterator[tuple[int, str]]:
        """A busy machine may make a short run long enough for a bar, but not each of them."""
        for _ in range(20):
            yield at_terminal(
                self.folder, *arguments, answers=answers, typing_seconds=typing_seconds
            )

    def test_it_asks_twice_then_once_and_shows_neither(self) -> None:
        answers = (b"open sesame\n", b"open sesame\n")
        runs = self.attempts("encrypt", "--force", "-o", "message", "plain", answers=answers)
        self.assertIn((0, "Passphrase: \r\nRepeat passphrase: \r\n"), runs)
        status, shown = at_terminal(self.folder, "decrypt", "message", answers=answers[:1])
        self.assertEqual((status, shown), (0, "Passphrase: \r\nsome text\r\n"))

    def test_typing_is_not_shown_as_progress(self) -> None:
        self.encrypt("-o", "message", "plain", answers=(b"phrase\n", b"phrase\n"))
        arguments = ("decrypt", "--force", "-o", "back", "message")
        runs = self.attempts(*arguments, answers=(b"phrase\n",), typing_seconds=0.7)
        self.assertIn((0, "Passphrase: \r\n"), runs)

    def test_a_slip_is_noticed(self) -> None:
        status, shown = self.encrypt("-o", "message", "plain", answers=(b"one\n", b"two\n"))
        self.assertEqual(status, 1)
        self.assertTrue(shown.endswith("manyfish: error: the two passphrases differ\r\n"))
        self.assertFalse((self.folder / "message").exists())

    def test_an_empty_passphrase_is_refused(self) -> None:
        status, shown = self.encrypt("-o", "message", "plain", answers=(b"\n",))
        self.assertEqual(status, 1)
        self.assertTrue(shown.endswith("manyfish: error: the passphrase (typed) is empty\r\n"))

    def test_interrupted_at_the_prompt(self) -> None:
        status, _ = self.encrypt("-o", "message", "plain", answers=(b"half\x03",))
        self.assertEqual(status, -signal.SIGINT)
        self.assertEqual([path.name for path in self.folder.iterdir()], ["plain"])

    def test_it_says_that_it_waits_for_a_message(self) -> None:
        self.encrypt("-a", "-o", "message", "plain", answers=(b"phrase\n", b"phrase\n"))
        pasted = (self.folder / "message").read_bytes() + b"\x04"
        status, shown = at_terminal(self.folder, "decrypt", answers=(pasted, b"phrase\n"))
        self.assertEqual(status, 0)
        self.assertTrue(
            shown.startswith(
                "manyfish: note: reading the input from this terminal; Ctrl-D ends it\r\n"
            )
        )
        self.assertTrue(shown.endswith("Passphrase: \r\nsome text\r\n"))

    def test_an_error_has_a_colour_unless_nobody_wants_it(self) -> None:
        missing = ("inspect", "missing")
        _, plain = at_terminal(self.folder, *missing)
        _, coloured = at_terminal(self.folder, *missing, colours=True)
        self.assertTrue(plain.startswith("manyfish: error: cannot read missing"))
        self.assertIn("\x1b[31merror:\x1b[0m cannot read missing", coloured)

    def test_binary_is_kept_from_the_terminal_before_any_question(self) -> None:
        for output in ((), ("-o", "/dev/tty"), ("-o", "/dev/stdout"), ("-o", "/dev/stderr")):
            status, shown = self.encrypt(*output, "plain", answers=())
            self.assertEqual(status, 1)
            self.assertIn("binary output would garble the terminal", shown)
            self.assertNotIn(ASK.decode(), shown)

    def test_a_long_run_shows_how_far_it_is(self) -> None:
        with (self.folder / "long").open("wb") as file:
            file.truncate(512 << 20)
        phrase = self.folder / "phrase"
        phrase.write_text("open sesame\n")
        phrase.chmod(0o600)  # else a warning is shown
        arguments = ("--passphrase-file", "phrase", "--chunk", "64", "-o", "message")
        status, shown = self.encrypt(*arguments, "long", answers=())
        self.assertEqual(status, 0)
        self.assertRegex(shown, r"%  .* of 512\.00 MiB  .*/s  .* left")
        first, *_, last = re.findall(r"([\d.]+) ([KMG])iB/s", shown)
        rate = {"K": 1 / 1024, "M": 1, "G": 1024}
        first_rate, last_rate = (float(n) * rate[unit] for n, unit in (first, last))
        self.assertLess(first_rate, 10 * last_rate, "the first figures are no wild guess")
        lines = re.split(r"(?:[\r\n]|\x1b\[\w+)+", shown)
        self.assertLessEqual(max(map(len, lines)), COLUMNS, "the bar does not wrap")
        short = self.attempts("encrypt", *arguments, "--force", "plain")
        self.assertIn((0, ""), short, "a short run shows nothing")


if __name__ == "__main__":
    unittest.main()
