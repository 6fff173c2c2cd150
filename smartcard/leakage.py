#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Fixed-versus-random test of the masked programs on simulated traces [Goodwill11].

smartcard/leakage.py                      2,000 traces of each masked program
smartcard/leakage.py PROGRAM [TRACES]     of any program of the AVR or the Cortex-M0
smartcard/leakage.py record               as many traces as CASES says, into leakage.csv

A trace has every instruction of a key set-up, an encryption and a decryption, without noise, and
for each of them the five samples that avr/leak_avr.c and cortex-m0/leak_thumb.c describe. A sample
leaks if |t| exceeds 4.5 in both halves of the traces, with the same sign. By chance a half does so
once in 150,000 samples, and both halves of a sample once in 4e10; no program has a million samples.

Exit status: 0 all is well, 1 a program leaks, or the test finds nothing where it must, 2 wrong
usage.
"""

from __future__ import annotations

import csv
import hashlib
import io
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import astuple, dataclass, fields

from machine import BUILD, ROOT, ProgramError, run_tool
from machines import avr, cortex_m0
from measure import chosen, fault, run
from programs import PROGRAMS, Program
from twofish import BLOCK_BYTES, Twofish

RESULTS = ROOT / "smartcard" / "leakage.csv"
SEED = 1998
# Traces: where a leak must show, with the first fixed key and text, and with others, of the AVR and
# of the Cortex-M0.
FEW, MANY = 1000, 100_000
OTHERS, OTHERS_THUMB = 3000, 1500

# By the number that simulators take: what is random besides key and text.
NOTHING, SHARES, ALL = range(3)
MASKS = {
    NOTHING: "all zero",
    SHARES: "of key and text only",
    ALL: "all random",
}


@dataclass(frozen=True)
class Case:
    """Traces of a program with a fixed key and text, and whether they must leak."""

    program: str
    masks: int
    traces: int
    fixed: int = 0
    leaks: bool = False


CASES = (
    Case("avr_masked", ALL, MANY),
    *(Case("avr_masked", ALL, OTHERS, fixed) for fixed in (1, 2)),
    *(Case(f"avr_masked_{bits}", ALL, OTHERS, fixed) for bits in (192, 256) for fixed in (0, 1)),
    Case("cortex_m0_masked", ALL, MANY),
    *(Case("cortex_m0_masked", ALL, OTHERS_THUMB, fixed) for fixed in (1, 2)),
    *(
        Case(f"cortex_m0_masked_{bits}", ALL, OTHERS_THUMB, fixed)
        for bits in (192, 256)
        for fixed in (0, 1)
    ),
    Case("avr_masked", SHARES, FEW, leaks=True),
    Case("avr_masked", NOTHING, FEW, leaks=True),
    Case("avr_stored_small", NOTHING, FEW, leaks=True),
    Case("cortex_m0_masked", SHARES, FEW, leaks=True),
    Case("cortex_m0_masked", NOTHING, FEW, leaks=True),
    Case("cortex_m0_subkeys_0tables", NOTHING, FEW, leaks=True),
)


@dataclass(frozen=True)
class Leakage:
    """The outcome of a case.

    fixed         the number of the fixed key and text
    instructions  of a trace
    samples       those that vary, of all instructions
    random_bytes  that a trace takes
    leaks         how many samples leak
    t             the most that |t| reaches in both halves of a sample
    whole         the most |t| of all traces together
    image         the first half of the SHA-256 of the program: an order of instructions can leak
    """

    program: str
    masks: int
    fixed: int
    traces: int
    instructions: int
    samples: int
    random_bytes: int
    leaks: int
    t: float
    whole: float
    image: str

    def __str__(self) -> str:
        return (
            f"{self.program}, fixed key {self.fixed}, masks {MASKS[self.masks]}: {self.leaks:,} of "
            f"{self.samples:,} samples leak; |t| is at most {self.t}; {self.traces:,} traces"
        )


MACHINES = {"avr": avr, "cortex_m0": cortex_m0}


def measure(
    program: Program, masks: int, traces: int, fixed: int = 0, window: int = 0
) -> tuple[Leakage, list[str]]:
    """The outcome, and a line for each of the first samples that leak."""
    machine = MACHINES[program.machine]
    folder = BUILD / program.name / "leakage"
    folder.mkdir(parents=True, exist_ok=True)
    image, symbols = machine.leak_image(program, folder)
    routines = (f"twofish_{name}" for name in ("set_key", *program.directions))
    addresses = (f"{symbols[name]:x}" for name in ("twofish_key", "twofish_text", *routines))
    shares = 1 + program.masked
    numbers = map(str, (traces, SEED, fixed, window, shares, masks, program.key_bytes))
    said = run_tool([machine.leak_simulator(), image, *numbers, *addresses], machine.PACKAGE)
    first, *lines = said.splitlines()
    cells = dict(word.split("=") for word in first.split())
    cells["image"] = hashlib.sha256(image.read_bytes()).hexdigest()[:32]
    if not window:
        check_result(program, fixed, cells["text"])
    return leakage(program.name, masks, fixed, cells), lines


def fixed_bytes(number: int, count: int) -> bytes:
    """The fixed key or text of a number, as sim/leak_main.c makes it."""
    return bytes((0x9D * (i + 1) ^ number * (0x35 * i + 0x5B)) & 0xFF for i in range(count))


def check_result(program: Program, fixed: int, text: str) -> None:
    """That the simulator computes what the model does: a decryption comes last."""
    key = fixed_bytes(fixed, program.key_bytes)
    if bytes.fromhex(text) != Twofish(key).decrypt(fixed_bytes(fixed, BLOCK_BYTES)):
        raise ProgramError(f"{program.name}: the simulator of its traces decrypts wrong")


def leakage(program: str, masks: int, fixed: int, cells: Mapping[str, str]) -> Leakage:
    return Leakage(
        program,
        masks,
        fixed,
        int(cells["traces"]),
        int(cells["instructions"]),
        int(cells["samples"]),
        int(cells["random_bytes"]),
        int(cells["leaks"]),
        float(cells["t"]),
        float(cells["whole"]),
        cells["image"],
    )


def random_bytes(program: Program) -> int:
    """That each routine takes, as recorded; all take the same."""
    found = next(each for each in read() if each.program == program.name and each.random_bytes)
    return found.random_bytes // (1 + len(program.directions))


def wrong(case: Case, found: Leakage) -> bool:
    return case.leaks != (found.leaks > 0)


def show(name: str, traces: int) -> int:
    status = 0
    for program in chosen([name]):
        found, lines = measure(program, ALL if program.masked else NOTHING, traces)
        print("\n".join([str(found), *lines]), flush=True)
        status |= int(found.leaks > 0)
    return status


def _measured(case: Case) -> Leakage:
    return measure(PROGRAMS[case.program], case.masks, case.traces, case.fixed)[0]


def record() -> int:
    """All cases, into leakage.csv."""
    status, results = 0, []
    with ProcessPoolExecutor() as pool:
        for case, found in zip(CASES, pool.map(_measured, CASES)):
            results.append(found)
            print(found, flush=True)
            if wrong(case, found):
                status = fault(ProgramError(f"{case.program} must {'not ' * (not case.leaks)}leak"))
    if status == 0:
        RESULTS.write_text(csv_text(results), encoding="utf-8")
    return status


def csv_text(results: Sequence[Leakage]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(field.name for field in fields(Leakage))
    writer.writerows(map(astuple, results))
    return text.getvalue()


def read() -> list[Leakage]:
    with RESULTS.open(encoding="utf-8", newline="") as file:
        return [
            leakage(cells["program"], int(cells["masks"]), int(cells["fixed"]), cells)
            for cells in csv.DictReader(file)
        ]


def rows(results: Sequence[Leakage]) -> Iterator[Sequence[str]]:
    """Of the table in masked.md."""
    for found in results:
        yield (
            f"`{found.program}`",
            str(found.fixed),
            MASKS[found.masks] if PROGRAMS[found.program].masked else "none",
            f"{found.traces:,}",
            f"{found.instructions:,}",
            f"{found.samples:,}",
            f"{found.leaks:,}",
            f"{found.t:.1f}",
            f"{found.whole:.1f}",
        )


def main() -> int:
    words = sys.argv[1:]
    if words == ["record"]:
        return record()
    if len(words) > 2 or (words[1:] and not words[1].isdecimal()):
        print(__doc__, file=sys.stderr)
        return 2
    return show(words[0] if words else "*_masked*", int(words[1]) if words[1:] else 2 * FEW)


if __name__ == "__main__":
    sys.exit(run(main))
