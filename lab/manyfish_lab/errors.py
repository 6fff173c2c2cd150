# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Errors that a user of the lab can do something about."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class LabError(Exception):
    """Says what was expected and what was found, and `hint` what to do; needs no traceback."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


@contextmanager
def writing(folder: Path) -> Iterator[None]:
    """Makes the folder for files that the body writes; an error is a sentence."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        yield
    except OSError as error:
        raise LabError(
            f"{error.filename or folder} cannot be written: {error.strerror}",
            "make room, or name another folder with --out",
        ) from error
