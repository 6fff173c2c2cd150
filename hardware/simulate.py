#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Builds cores with Verilator, runs the bench of tb/ on them and prints their figures.

hardware/simulate.py               every core
hardware/simulate.py CORE...       these cores; a name may have * and ?
hardware/simulate.py --seed N ...  other random keys, blocks and pauses
hardware/simulate.py --list        the names of the cores

The figures are a line of JSON for each core. Builds of the same sources are in
build/hardware/simulation and are not built again.

Exit status: 0 all is well, 1 a core is wrong or could not be built, 2 wrong usage.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import hashlib
import json
import random
import re
import signal
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from cores import CORES, Core, named
from tools import (
    BUILD,
    HARDWARE,
    ROOT,
    RTL,
    HardwareError,
    alone_in,
    fault,
    places,
    run,
    run_tool,
    write,
)

sys.path.append(str(ROOT / "model"))  # which the cores are judged by

from rsp import parse
from twofish import BLOCK_BYTES, Twofish

FOLDER = BUILD / "simulation"
TB = HARDWARE / "tb"
SEED = 1998
RANDOM_KEYS, BLOCKS_OF_A_KEY = 1000, 2
TABLE = ROOT / "vectors" / "twofish_ecb_tbl.rsp"
MODEL = ROOT / "model" / "twofish.py"

# Of each signal `unique` makes one that comes up at random, so that only a reset gives it a value.
# Verilator 5.006 makes wrong code of some trees of one-bit operations, which netlists are full of.
VERILATOR = (
    *("verilator", "--cc", "--prefix", "Vcore", "-O3", "-Wno-fatal", "-Wno-lint", "-Wno-style"),
    *("--x-assign", "unique", "--x-initial", "unique", "-fno-const-bit-op-tree"),
)
COMPILER = ("g++", "-std=c++17", "-O1")
WARNINGS = ("-Wall", "-Wextra", "-Wshadow", "-Wconversion", "-Wpedantic", "-Werror")
BENCH_SOURCES = ("bench.cpp", "session.cpp")
VERILATED_SOURCES = ("verilated.cpp", "verilated_threads.cpp")


@dataclass(frozen=True)
class Figures:
    """The counts of the bench, in clocks.

    clocks   of a block in a full stream, times the blocks that are interleaved
    latency  of a block alone, from the clock that takes it to the first that offers its result
    startup  from the clock that takes the last word of a key to the first that can take a block
    chained  of a block, by the number of chains in turn, as in CBC encryption of as many messages
    inside   blocks that the core takes before one of them must leave
    zeroise  from the clock with zeroise to the first that can take a new key
    """

    core: str
    clocks: float
    latency: int
    startup: int
    chained: Mapping[int, float]
    inside: int
    zeroise: int


# --- what was made of what -----------------------------------------------------------------------


def digest(paths: Iterable[Path], words: Sequence[str]) -> str:
    """Of files and of the command that makes something of them."""
    found = hashlib.sha256(json.dumps(words).encode())
    for path in paths:
        found.update(hashlib.sha256(path.read_bytes()).digest())
    return found.hexdigest()


def is_made(stamp: Path, words: Sequence[str]) -> bool:
    """Whether the stamp is of this command, and the files that it lists are what they were."""
    if not stamp.is_file():
        return False
    then = json.loads(stamp.read_text(encoding="utf-8"))
    paths = [Path(name) for name in then["of"]]
    return all(map(Path.is_file, paths)) and digest(paths, words) == then["digest"]


def mark_made(stamp: Path, paths: Iterable[Path], words: Sequence[str]) -> None:
    of = sorted(paths)
    made = {"of": [str(path) for path in of], "digest": digest(of, words)}
    stamp.write_text(json.dumps(made), encoding="utf-8")


# --- vectors -------------------------------------------------------------------------------------


def write_vectors(path: Path, lines: Iterable[tuple[bytes, bytes, bytes]]) -> Path:
    write(path, "".join(" ".join(part.hex() for part in line) + "\n" for line in lines))
    return path


def table_vectors(key_bits: int) -> Path:
    """The 49 steps that use every entry of q0, q1 and MDS."""
    cases = parse(TABLE.read_text(encoding="ascii"))
    lines = [tuple(bytes.fromhex(case[name]) for name in ("KEY", "PT", "CT")) for case in cases]
    return write_vectors(
        FOLDER / "vectors" / f"table_{key_bits}.txt",
        [(key, plain, cipher) for key, plain, cipher in lines if len(key) * 8 == key_bits],
    )


def random_lines(key_bits: int, seed: int) -> Iterator[tuple[bytes, bytes, bytes]]:
    """Two keys of which all bits are the same, and random ones, each with some blocks."""
    source = random.Random(seed)
    for i in range(RANDOM_KEYS):
        key = source.randbytes(key_bits // 8) if i > 1 else bytes([-i % 256]) * (key_bits // 8)
        cipher = Twofish(key)
        for _ in range(BLOCKS_OF_A_KEY):
            text = source.randbytes(BLOCK_BYTES)
            yield key, text, cipher.encrypt(text)


def random_vectors(key_bits: int, seed: int) -> Path:
    path = FOLDER / "vectors" / f"random_{key_bits}_{seed}.txt"
    stamp = path.with_suffix(".json")
    if not (path.is_file() and is_made(stamp, [])):
        write_vectors(path, random_lines(key_bits, seed))
        mark_made(stamp, [MODEL, Path(__file__)], [])
    return path


# --- building ------------------------------------------------------------------------------------


@functools.cache
def verilator_root() -> Path:
    """Where the sources are that every model needs."""
    said = run_tool(["verilator", "--getenv", "VERILATOR_ROOT"], "verilator")
    return Path(said.strip())


def compiler(*more: str | Path) -> list[str]:
    include = verilator_root() / "include"
    words = [*COMPILER, "-isystem", include, "-isystem", include / "vltstd", f"-I{TB}", *more]
    return [str(word) for word in words]


def objects(folder: Path) -> list[Path]:
    return [folder / Path(name).with_suffix(".o") for name in (*BENCH_SOURCES, *VERILATED_SOURCES)]


def build_common() -> Path:
    """The common sources: the bench, Verilator's own, headers in the compiler's form."""
    with alone_in(FOLDER / "common") as folder:
        words = compiler(*WARNINGS)
        if not is_made(folder / "made.json", words):
            make_common(folder, words)
    return folder


def make_common(folder: Path, words: Sequence[str]) -> None:
    include = verilator_root() / "include"
    ours = [TB / name for name in BENCH_SOURCES]
    theirs = [include / name for name in VERILATED_SOURCES]
    (folder / "headers.h").write_text('#include "core.h"\n#include "verilated.h"\n')
    header = folder / "headers.h"
    jobs = [compiler(*WARNINGS, "-x", "c++-header", header, "-o", f"{header}.gch")]
    jobs += [[*words, "-c", str(path), "-o", str(folder / path.stem) + ".o"] for path in ours]
    jobs += [compiler("-c", path, "-o", folder / f"{path.stem}.o") for path in theirs]
    with ThreadPoolExecutor() as pool:
        list(pool.map(lambda job: run_tool(job, "g++"), jobs))
    mark_made(folder / "made.json", [*ours, *theirs, *TB.glob("*.h")], words)


def sources_in(folder: Path, flow: str = "chip") -> Sequence[Path]:
    """Where modules are looked for, by their names."""
    return *places(folder, flow), TB


def source_of(module: str, rtl: Path = RTL) -> Path:
    for place in sources_in(rtl):
        if (place / f"{module}.v").is_file():
            return place / f"{module}.v"
    raise HardwareError(f"there is no {module}.v in {rtl}")


def verilator(
    top: str,
    parameters: Mapping[str, int | str],
    rtl: Path,
    folder: Path,
    flow: str = "chip",
    more: Sequence[str] = (),
) -> list[str]:
    """The command that makes C++ of a module."""
    options = [f"-G{name}={value_text(value)}" for name, value in parameters.items()]
    command = [*VERILATOR, *more, *options, "--top-module", top, "-Mdir", str(folder)]
    command += [word for place in sources_in(rtl, flow) for word in ("-y", str(place))]
    return [*command, str(source_of(top, rtl))]


def verilate(command: Sequence[str], folder: Path) -> None:
    """Makes the C++, and the header that includes it."""
    for old in folder.glob("Vcore*"):
        old.unlink()
    run_tool(command, "verilator")
    write_includes(folder)


def value_text(value: int | str) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)


def read_dependencies(folder: Path) -> list[Path]:
    """The RTL that Verilator has read."""
    text = (folder / "Vcore__ver.d").read_text(encoding="utf-8")
    _, _, inputs = text.partition(":")
    return [Path(word) for word in inputs.split() if word.endswith(".v")]


def registers_in(header: str) -> list[str]:
    """The signals that Verilator keeps; not its own helpers, whose names begin with __V."""
    return [name for name in re.findall(r"\b(\w+__DOT__\w+);", header) if name[:3] != "__V"]


def is_slow(path: Path) -> bool:
    """Whether Verilator says so of it, by its name."""
    return "Slow" in path.name


def write_includes(folder: Path) -> None:
    """The header of tb/core.cpp and its like. Code that runs once is not worth being made fast."""
    header = folder / "Vcore___024root.h"
    files = sorted(folder.glob("Vcore*.cpp"), key=is_slow)
    lines = [f'#include "{file.name}"' for file in (header, *files)]
    lines.insert(-sum(map(is_slow, files)), '#pragma GCC optimize("O0")')
    (folder / "sources.inc").write_text("\n".join(lines) + "\n")
    names = registers_in(header.read_text(encoding="utf-8"))
    (folder / "registers.inc").write_text("".join(f"REGISTER({name})\n" for name in names))


def build(core: Core, rtl: Path = RTL, folder: Path | None = None) -> Path:
    """The program that tests the core; with changed RTL in a place of its own."""
    common = build_common()
    with alone_in(folder or FOLDER / core.name) as place:
        command = verilator(core.top, core.parameters, rtl, place, core.flow)
        if not is_made(place / "made.json", command):
            make_bench(command, place, common)
    return place / "bench"


def make_bench(command: Sequence[str], folder: Path, common: Path) -> None:
    program, stamp = folder / "bench", folder / "made.json"
    verilate(command, folder)
    words = compiler(*WARNINGS, "-include", common / "headers.h", "-isystem", folder)
    run_tool([*words, "-c", str(TB / "core.cpp"), "-o", str(folder / "core.o")], "g++")
    parts = [str(part) for part in (*objects(common), folder / "core.o")]
    run_tool([COMPILER[0], "-o", str(program), *parts, "-pthread"], "g++")
    made_of = [*read_dependencies(folder), common / "made.json", TB / "core.cpp", program]
    mark_made(stamp, made_of, command)


# --- running -------------------------------------------------------------------------------------


def directions(core: Core) -> str:
    return "both" if core.encrypt and core.decrypt else "encrypt" if core.encrypt else "decrypt"


def run_bench(core: Core, program: Path, seed: int) -> Figures:
    table, others = table_vectors(core.key_bits), random_vectors(core.key_bits, seed)
    which = [directions(core), str(core.levels)]
    said = run_tool([program, *which, table, others, str(seed)], "verilator")
    found = json.loads(said)
    clocks = max(found.pop("stream").values()) * core.levels
    chained = {int(count): each for count, each in found.pop("chained").items()}
    return Figures(core=core.name, clocks=clocks, chained=chained, **found)


def simulate(core: Core, seed: int = SEED) -> Figures:
    """Tests a core. The HardwareError says what is wrong with it."""
    try:
        return run_bench(core, build(core), seed)
    except HardwareError as error:
        said = error.error.removeprefix(f"{FOLDER / core.name / 'bench'}: ")
        raise HardwareError(f"{core.name}: {said}", error.hint) from None


def _tried(core: Core, seed: int) -> Figures | HardwareError:
    try:
        return simulate(core, seed)
    except HardwareError as error:
        return error


@contextlib.contextmanager
def processes() -> Iterator[ProcessPoolExecutor]:
    """As many as there are processors. Ctrl-C is left to the first, which ends the others."""
    ignore = (signal.SIGINT, signal.SIG_IGN)
    pool = ProcessPoolExecutor(initializer=signal.signal, initargs=ignore)
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


def in_parallel(
    cores: Sequence[Core], seed: int = SEED
) -> Iterator[tuple[Core, Figures | HardwareError]]:
    """Each core and what came of it, as many at once as there are processors."""
    build_common()
    with processes() as pool:
        sizes = sorted({core.key_bits for core in cores})
        list(pool.map(random_vectors, sizes, [seed] * len(sizes)))
        yield from zip(cores, pool.map(_tried, cores, [seed] * len(cores)))


def expected(core: Core, found: Figures) -> Figures:
    """The figures that cores.py expects of it."""
    return replace(found, clocks=core.clocks, latency=core.latency, startup=core.startup)


def chosen(patterns: Sequence[str]) -> list[Core]:
    """The cores of these names; without any, all."""
    return named(patterns) if patterns else list(CORES.values())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", metavar="CORE", nargs="*")
    parser.add_argument("--seed", type=int, default=SEED, help="of all that is random")
    parser.add_argument("--list", action="store_true", help="the names of the cores")
    arguments = parser.parse_args()
    cores = chosen(arguments.names)
    if arguments.list:
        print("\n".join(core.name for core in cores))
        return 0
    status = 0
    for core, found in in_parallel(cores, arguments.seed):
        if isinstance(found, HardwareError):
            status = fault(found)
        else:
            print(json.dumps(asdict(found)), flush=True)
            if found != expected(core, found):
                status = fault(HardwareError(f"{core.name}: cores.py says {expected(core, found)}"))
    return status


if __name__ == "__main__":
    sys.exit(run(main))
