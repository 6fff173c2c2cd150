#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Says in one line which kernels this processor can run that nobody has measured; else nothing.

`make check` asks it: such machines are rare.
"""

from __future__ import annotations

import platform
import re
from collections.abc import Iterator

import commands
from commands import RESULTS, ROOT

# The features that kernels need: their names in c/src/common/cpu.h, and in /proc/cpuinfo.
FEATURES = {
    "ANY": set(),
    "SSSE3": {"ssse3"},
    "AVX2": {"avx2"},
    "GFNI": {"gfni"},
    "AVX512": {"avx512f", "avx512bw", "avx512vl", "avx512vbmi"},
    "NEON": {"asimd"},
    "SIMD128": {"WebAssembly"},
}
# The files that have a row for each kernel.
STORED = {"twofish": "costs-*.csv", "des": "des-*.csv"}


def kernels() -> Iterator[tuple[str, str, set[str]]]:
    """Each kernel that the library has for some feature: cipher, name, features."""
    for cipher in STORED:
        for path in sorted((ROOT / "c/src" / cipher / "kernels").glob("*.c")):
            text = path.read_text(encoding="utf-8")
            name = re.search(r'\.name = "([\w-]+)"', text)
            needed = re.search(r"\.cpu_features = (MF_CPU_.+),", text)
            if name and needed:
                words = re.findall(r"MF_CPU_(\w+)", needed[1])
                yield cipher, name[1], set[str]().union(*(FEATURES[word] for word in words))


def measured(cipher: str) -> set[str]:
    """The kernels of a cipher that some machine was measured with."""
    files = RESULTS.glob(STORED[cipher])
    return {row["kernel"] for path in files for row in commands.read(path).rows}


def unmeasured(flags: set[str]) -> list[str]:
    """Those that a processor with these features can run."""
    known = {cipher: measured(cipher) for cipher in STORED}
    return [
        f"{name} ({cipher})"
        for cipher, name, needed in kernels()
        if needed and needed <= flags and name not in known[cipher]
    ]


def line(found: list[str], machine: str) -> str:
    return (
        f"not measured anywhere yet, and this processor runs it: {', '.join(found)}; please run "
        f"`make probe && build/probe/manyfish-probe-{machine}`, and see docs/measuring.md"
    )


def main() -> None:
    info = commands.cpu_info()
    flags = set(info.get("flags", info.get("Features", "")).split())
    if found := unmeasured(flags):
        print(line(found, platform.machine()))


if __name__ == "__main__":
    main()
