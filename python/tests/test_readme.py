# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The examples of README.md, one after the other as they stand there."""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
import unittest
from collections.abc import Iterator
from pathlib import Path
from typing import Any

README = Path(__file__).resolve().parents[1] / "README.md"


@contextlib.contextmanager
def new_folder() -> Iterator[Path]:
    """A folder to be in for a while."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            yield Path(folder)
        finally:
            os.chdir(before)


class Readme(unittest.TestCase):
    def test_its_examples(self) -> None:
        examples = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
        self.assertGreater(len(examples), 3)
        names: dict[str, Any] = {}
        with new_folder() as folder:
            (folder / "notes.txt").write_text("a note\n", encoding="utf-8")
            for example in examples:
                exec(example, names)
            self.assertEqual((folder / "again.txt").read_text(encoding="utf-8"), "a note\n")
        self.assertEqual(names["text"], b"attack at dawn")
        self.assertEqual(names["rows"].shape, (1000, 16))


if __name__ == "__main__":
    unittest.main()
