# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The C library of the lab, by ctypes: the kernels of `lab/native` and the interface of Manyfish.

    count = native.function("lab_count", ctypes.c_int, native.array(np.uint8), ctypes.c_size_t)

Nothing is loaded before the first call, so what needs no kernel runs without the library. Calls let
other threads run meanwhile.
"""

from __future__ import annotations

import ctypes
import functools
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.ctypeslib import ndpointer
from numpy.typing import DTypeLike

from manyfish_lab.errors import LabError

FILE = "libmanyfish_lab.so"
# Another file than the usual one, for instance one with sanitizers.
VARIABLE = "MANYFISH_LAB_LIBRARY"

BUILD = "cmake -S lab/native -B build/lab && cmake --build build/lab"
HINT = f"in a checkout build it: {BUILD}"


def candidates() -> list[Path]:
    """Where the library may be: in the installed package, or in the build folder of a checkout."""
    if chosen := os.environ.get(VARIABLE):
        return [Path(chosen)]
    package = Path(__file__).resolve().parent
    return [package / FILE, package.parents[1] / "build" / "lab" / FILE]


@functools.cache
def library() -> ctypes.CDLL:
    """The library, loaded once in a process."""
    places = candidates()
    for place in places:
        if place.exists():
            try:
                return ctypes.CDLL(str(place))
            except OSError as error:
                raise LabError(f"{place} cannot be loaded: {error}", HINT) from error
    raise LabError(f"no {FILE} in {' nor in '.join(map(str, places))}", HINT)


def array(dtype: DTypeLike) -> Any:
    """An argument type: a contiguous array of this element type, which the function reads."""
    return ndpointer(dtype=np.dtype(dtype), flags=("C", "A"))


def output(dtype: DTypeLike) -> Any:
    """The same for an array that the function writes."""
    return ndpointer(dtype=np.dtype(dtype), flags=("C", "A", "W"))


def function(name: str, restype: Any, *argtypes: Any) -> Callable[..., Any]:
    """The function of that name; restype None is void.

    An argument that does not fit its type is a ctypes.ArgumentError.
    """

    @functools.cache
    def resolved() -> Any:
        try:
            found = library()[name]
        except AttributeError as error:
            raise LabError(f"{FILE} has no {name}: it is older than this package", HINT) from error
        found.restype, found.argtypes = restype, argtypes
        return found

    def call(*arguments: Any) -> Any:
        return resolved()(*arguments)

    call.__name__ = name
    return call


_status_text = function("mf_status_text", ctypes.c_char_p, ctypes.c_int)
_sources = function("lab_sources", ctypes.c_char_p)


def sources() -> bytes:
    """A hash of the kernels' sources. It does not change with the C library, nor with compilers."""
    found: bytes = _sources()
    return found


def checked(name: str, *argtypes: Any) -> Callable[..., None]:
    """The same for a function that returns an mf_status: anything but MF_OK is a LabError."""
    raw = function(name, ctypes.c_int, *argtypes)

    def call(*arguments: Any) -> None:
        if status := raw(*arguments):
            raise LabError(f"{name}: {_status_text(status).decode()}")

    call.__name__ = name
    return call
