# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The ways to compute a cipher, and whether they work here."""

from __future__ import annotations

from typing import NamedTuple

from . import _manyfish


class Kernel(NamedTuple):
    """One way to compute a cipher; all of one cipher give the same results."""

    name: str
    """As `kernel=` takes it."""
    summary: str
    """One line: what it precomputes."""
    cpu_features: str
    """Instructions that it needs, separated by spaces; "" if none."""
    expanded_key_size: int
    """Bytes that it fills for one key."""
    lanes: int
    """Blocks that it works on at a time."""
    max_key_size: int
    """Bytes of the longest key that it takes."""
    constant_time: bool
    """No branch on, and no address from, key or data."""
    runnable: bool
    """This CPU can run it, and its tables are ready."""
    is_default: bool
    """Taken where none is named."""


def kernels(cipher: str = "Twofish") -> list[Kernel]:
    """List the kernels of "Twofish" or "DES" (which Triple-DES shares), best first.

    The environment variables MANYFISH_KERNEL and MANYFISH_DES_KERNEL name another default, a
    constant-time one unless MANYFISH_LEAKS is "any": with a name that they may not have, there is
    no default, and a key without a kernel is a ValueError.
    ValueError for another cipher.

    >>> any(kernel.is_default and kernel.constant_time for kernel in kernels())
    True
    """
    return [Kernel(*fields) for fields in _manyfish.kernels(cipher)]


def selftest(kernel: str | None = None, cipher: str = "Twofish") -> None:
    """Run known answers through a kernel, or through each that runs here.

    RuntimeError if one gives wrong results: a broken build or machine. ValueError for a name that
    is not among kernels(cipher), or one that cannot run here.

    >>> selftest()
    """
    names = [kernel] if kernel is not None else [k.name for k in kernels(cipher) if k.runnable]
    for name in names:
        _manyfish.selftest(cipher, name)
