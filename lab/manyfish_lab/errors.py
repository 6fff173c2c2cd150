# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Errors that a user of the lab can do something about."""

from __future__ import annotations


class LabError(Exception):
    """Says what was expected and what was found, and `hint` what to do; needs no traceback."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint
