# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Shared parts of the programs that are shared libraries: loading them, buffers, tags."""

from __future__ import annotations

import ctypes
import ctypes.util

from harness import NotRun

TAG = 16
# Larger than any context of these libraries; the callers cannot know their sizes.
CONTEXT_BYTES = 1 << 16


def load(*names: str) -> ctypes.CDLL:
    """Return the first of these libraries that is there."""
    for name in names:
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    raise NotRun(f"{names[0]} is not installed")


def context() -> ctypes.Array[ctypes.c_char]:
    """Return memory for a context."""
    return ctypes.create_string_buffer(CONTEXT_BYTES)


def room(n: int) -> ctypes.Array[ctypes.c_char]:
    """Return memory for n octets; n may be 0."""
    return ctypes.create_string_buffer(max(n, 1))


def split(data: bytes, encrypting: bool) -> tuple[bytes, bytes]:
    """Return the text and the tag behind it; there is none yet when encrypting."""
    return (data, b"") if encrypting else (data[:-TAG], data[-TAG:])
