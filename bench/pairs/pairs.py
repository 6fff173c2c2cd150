#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Is the working tree slower than a commit? For changes whose limit is a few per cent.

bench/pairs/pairs.py COMMIT KERNEL...   as in: bench/pairs/pairs.py main avx2 bitslice
  --compiler CC     gcc without it
  --layouts N       N random link orders, 8 without it
  --des             kernels of DES

The same machine code takes up to a tenth longer at some places in a library. So both libraries are
linked in several random orders, and pairs.c measures each pair at random places of key, blocks and
stack. It prints the ratio of the medians over all orders, after to before, and the spread of the
orders before: a ratio within the spread says little. A kernel whose machine code did not change is
not measured.
"""

from __future__ import annotations

import argparse
import random
import re
import statistics
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
FLAGS = ["-std=c11", "-O2", "-fPIC", "-ffunction-sections", "-fdata-sections"]
ROUNDS = 25
# Ratios that are printed: more than this away from 1.
NOTABLE = 0.02

# Of each kernel, by what was measured: medians before and after, a pair for each link order.
Figures = defaultdict[str, dict[str, list[tuple[int, int]]]]


def run(*command: str | Path) -> str:
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def objects(tree: Path, place: Path, compiler: str) -> list[Path]:
    """Compiles the library of a tree."""
    source = tree / "c" / "src"
    place.mkdir()
    made = []
    for file in sorted(source.rglob("*.c")):
        made.append(place / (file.relative_to(source).as_posix().replace("/", "_") + ".o"))
        run(compiler, *FLAGS, "-I", tree / "c/include", "-I", source, "-c", file, "-o", made[-1])
    return made


def code(file: Path) -> str:
    """Disassembled, without what changes with names and order of functions and data."""
    text = run("objdump", "-d", "--no-show-raw-insn", file)
    functions = text.split("\n\n0000000000000000 ")[1:]
    bodies = [
        re.sub(r"<[^>]*>|#.*|^ *[0-9a-f]+:|^Dis.*", "", f, flags=re.MULTILINE) for f in functions
    ]
    return "\n".join(sorted(bodies))


def linked(objects: list[Path], library: Path, order: random.Random) -> Path:
    shuffled = order.sample(objects, len(objects))
    run("cc", "-shared", "-Wl,-Bsymbolic", *shuffled, "-o", library)
    return library


def has_changed(kernel: str, before: list[Path], after: list[Path]) -> bool:
    """By the object that defines it; True where a file has another name than the kernel."""
    name = f"_kernels_{kernel.replace('-', '_')}.c.o"
    pair = [[o for o in side if o.name.endswith(name)] for side in (before, after)]
    return not all(pair) or code(pair[0][0]) != code(pair[1][0])


def report(kernel: str, figures: dict[str, list[tuple[int, int]]]) -> None:
    ratios = {}
    for name, pairs in figures.items():
        before, after = ([p[i] for p in pairs] for i in (0, 1))
        ratios[name] = statistics.median(after) / statistics.median(before)
        if abs(ratios[name] - 1) > NOTABLE or name == "set-up":
            print(f"  {name:12} {ratios[name]:.3f}  (spread {max(before) / min(before):.2f})")
    print(f"{kernel}: mean ratio {statistics.mean(ratios.values()):.3f}", flush=True)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("commit")
    parser.add_argument("kernels", nargs="+", metavar="KERNEL")
    parser.add_argument("--compiler", default="gcc")
    parser.add_argument("--layouts", type=int, choices=range(1, 100), metavar="N", default=8)
    parser.add_argument("--des", action="store_true")
    return parser.parse_args()


def tree_of(commit: str, place: Path) -> Path:
    """The C library as it was at that commit."""
    place.mkdir()
    archive = place / "c.tar"
    run("git", "-C", ROOT, "archive", "--output", archive, commit, "c")
    run("tar", "-x", "-C", place, "-f", archive)
    return place


def measure(
    prefix: str, key_bytes: int, kernels: list[str], libraries: list[Path], figures: Figures
) -> None:
    program = libraries[0].parent / "pairs"
    for kernel in kernels:
        text = run(program, prefix, kernel, str(key_bytes), str(ROUNDS), *libraries)
        for line in text.splitlines():
            name, before, after = line.split()
            figures[kernel][name].append((int(before), int(after)))


def compare(given: argparse.Namespace, place: Path) -> None:
    prefix, key_bytes = ("mf_des", 8) if given.des else ("mf_twofish", 16)
    before = objects(tree_of(given.commit, place / "tree"), place / "before", given.compiler)
    after = objects(ROOT, place / "after", given.compiler)
    changed = [k for k in given.kernels if has_changed(k, before, after)]
    for kernel in sorted(set(given.kernels) - set(changed)):
        print(f"{kernel}: the same machine code")
    run("cc", "-O2", ROOT / "bench/pairs/pairs.c", "-o", place / "pairs", "-ldl")
    figures: Figures = defaultdict(lambda: defaultdict(list))
    order = random.Random(1)
    for _ in range(given.layouts if changed else 0):
        libraries = [
            linked(before, place / "before.so", order),
            linked(after, place / "after.so", order),
        ]
        measure(prefix, key_bytes, changed, libraries, figures)
    for kernel in changed:
        report(kernel, figures[kernel])


def main() -> int:
    given = arguments()
    with tempfile.TemporaryDirectory() as folder:
        try:
            compare(given, Path(folder))
        except subprocess.CalledProcessError as failure:
            print(f"pairs: error: this failed: {' '.join(map(str, failure.cmd))}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
