#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Proves that modules compute what they should, for every input.

hardware/proofs.py [NAME...]   these proofs, or all; a name may have * and ?
hardware/proofs.py --quick     those that `make test` runs
hardware/proofs.py --faults    plants a fault for each and looks whether it is found
hardware/proofs.py --list      their names

Each proof says that two modules are the same function of their ports. Yosys makes gates of both.
Then abc looks for an input on which they differ: `&cec` finds what is equal within them, by
simulation, and lets a SAT solver prove it. Sums of many bits over GF(2) are its worst case and the
best one of binary decision diagrams, so these take the linear modules.

A core under a fixed key is made a function of the block by unrolling its clocks from reset on.

Exit status: 0 all hold (or find their faults), 1 one does not or could not be run, 2 wrong usage.
"""

from __future__ import annotations

import argparse
import fnmatch
import os
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from tools import HARDWARE, RTL, HardwareError, fault, places, run, run_tool

FORMAL = HARDWARE / "formal"
STORED = HARDWARE / "proofs.csv"


@dataclass(frozen=True)
class Proved:
    """A row of proofs.csv."""

    proof: str
    about: str
    seconds: float


@dataclass(frozen=True)
class Side:
    """A module with its parameters."""

    module: str
    parameters: Mapping[str, int | str] = field(default_factory=dict)


@dataclass(frozen=True)
class Fault:
    """A text that stands in a file once, and a fault to put there instead."""

    file: str
    right: str
    wrong: str


@dataclass(frozen=True)
class Proof:
    """One side is the same as the other, but not with the fault.

    method  of METHODS
    flow    whether modules are those of a "chip" or of an "fpga"
    quick   whether `make test` runs it
    core    that stands in `one_block`
    clocks  in which it surely ends, with reset and key set-up; 0 if there is no `one_block`
    """

    about: str
    one: Side
    other: Side
    fault: Fault
    method: str = "sat"
    flow: str = "chip"
    quick: bool = True
    core: str = "twofish_one_h"
    clocks: int = 0


def _linear() -> Iterator[tuple[str, Proof]]:
    yield (
        "mds",
        Proof(
            "MDS is the matrix of the paper",
            Side("mds_of_column"),
            Side("reference_mds"),
            Fault("twofish_mds.v", "a[6] ^ a[0]", "a[6]"),
            "bdd",
        ),
    )
    yield (
        "rs",
        Proof(
            "RS, a word at a time, is the matrix of the paper",
            Side("s_of_key"),
            Side("reference_rs"),
            Fault("twofish_rs.v", "b[5] ^ b[7]", "b[5]"),
            "bdd",
        ),
    )
    yield (
        "rs_byte",
        Proof(
            "RS, a byte at a time, is RS a word at a time",
            Side("rs_of_bytes"),
            Side("twofish_rs"),
            Fault("twofish_rs_byte.v", "s[15:8] ^ times", "s[15:8] ^ over"),
            "bdd",
        ),
    )


def _q() -> Iterator[tuple[str, Proof]]:
    faults = (
        Fault("twofish_q.v", "{x[4], 3'b000}", "{x[5], 3'b000}"),
        Fault("twofish_q.v", "a3 = a2 ^ b2", "a3 = a2 ^ b1"),
    )
    for i, wrong in enumerate(faults):
        table = Side("twofish_q_table", {"WHICH": i})
        nibbles = Side("twofish_q", {"WHICH": i})
        yield f"q{i}", Proof(f"q{i} from nibbles is the table", nibbles, table, wrong)


def _h() -> Iterator[tuple[str, Proof]]:
    forms = (
        ("", "nibbles", 0, Fault("twofish_sbox.v", "4'b1100", "4'b1010")),
        ("_table", "tables", 1, Fault("twofish_h.v", "l[32*i+8*j+:8]", "l[8*K*j+8*i+:8]")),
    )
    for bits in (128, 192, 256):
        h = Side("reference_h", {"KEY_BITS": bits})
        for name, what, table, wrong in forms:
            about = f"h for keys of {bits} bits, with q from {what}, is that of the paper"
            one = Side("twofish_h", {"KEY_BITS": bits, "TABLE": table})
            yield f"h_{bits}{name}", Proof(about, one, h, wrong, quick=bits == 128)


def _sums() -> Iterator[tuple[str, Proof]]:
    forms = (
        (
            "plain",
            Fault("twofish_add.v", "= a + b", "= a - b"),
            Fault("twofish_csa.v", "(c & (a | b))", "(c & a)"),
        ),
        (
            "fast",
            Fault("twofish_add.v", "g_step[n-1].p << (1 <<", "g_step[n-1].p << (2 <<"),
            Fault("twofish_pht.v", "{b[30:0], 1'b0}", "b"),
        ),
        (
            "halves",
            Fault("twofish_add.v", "p[i] & g_step[n-1].p[", "p[i] | g_step[n-1].p["),
            Fault("twofish_csa.v", "= a ^ b ^ c", "= a ^ b"),
        ),
    )
    for fast, (name, add_fault, pht_fault) in enumerate(forms):
        add = Side("twofish_add", {"FAST": fast})
        about = f"the {name} adder adds"
        yield f"add_{name}", Proof(about, add, Side("reference_add"), add_fault)
        pht = Side("twofish_pht", {"FAST": fast})
        about = f"PHT and round keys with the {name} adder are those of the paper"
        yield f"pht_{name}", Proof(about, pht, Side("reference_pht"), pht_fault)
    about = "the adder for FPGAs adds, whatever FAST is"
    wrong = Fault("twofish_add.v", "= a + b", "= a - b")
    add = Side("twofish_add", {"FAST": 1})
    yield "add_fpga", Proof(about, add, Side("reference_add"), wrong, flow="fpga")


def _rounds() -> Iterator[tuple[str, Proof]]:
    wrong = Fault("twofish_round.v", "decrypt ? f0 : ror(f0)", "decrypt ? f0 : f0")
    for bits in (128, 192, 256):
        parts = Side("encrypting_round", {"KEY_BITS": bits})
        paper = Side("reference_round", {"KEY_BITS": bits})
        about = f"a round for keys of {bits} bits is that of the paper"
        yield f"round_{bits}", Proof(about, parts, paper, wrong, quick=False)
    about = "a round of either direction undoes that of the other"
    yield "round_back", Proof(about, Side("there_and_back"), Side("nothing_at_all"), wrong)


# Any will do; it is the same in both sides.
KEY = "128'h0123456789ABCDEF_FEDCBA9876543210".replace("_", "")


def _blocks() -> Iterator[tuple[str, Proof]]:
    """The result of a core for a block after reset and key set-up, for every block under KEY."""
    wrong = Fault("twofish_one_h.v", "{r[55:32], r[63:56]}", "{r[39:32], r[63:40]}")
    for decrypt, name in enumerate(("encrypts", "decrypts")):
        values: dict[str, int | str] = {"KEY": KEY, "DECRYPT": decrypt}
        about = f"one_h {name} each block as the paper does, under one key"
        one, other = Side("one_block", values), Side("reference_cipher", values)
        yield (
            f"one_h_{name}",
            Proof(about, one, other, wrong, "clocks", quick=False, clocks=110),
        )


PROOFS = dict([*_q(), *_linear(), *_h(), *_sums(), *_rounds(), *_blocks()])

YOSYS = """\
read_verilog -defer -D TWOFISH_CORE={core} {sources}
hierarchy -check -top {module} {parameters}
rename -top side
proc -norom
opt_expr
techmap
opt_expr
aigmap
opt_clean -purge
splitnets -ports -format _
write_blif {blif}
"""

# The answers of abc for two networks that are the same, and for two that are not.
VERDICTS = ("Networks are equivalent", "Networks are NOT EQUIVALENT")

# Commands of abc for two networks, and its verdicts.
METHODS = {
    "sat": (
        "read_blif {one}; strash; &get; read_blif {other}; strash; write_aiger {other}.aig; "
        "&cec {other}.aig",
        *VERDICTS,
    ),
    "clocks": (
        "read_blif {one}; strash; init -z; frames -i -F {clocks}; &get; &cone -O {last} -R 129; "
        "&w {one}.aig; read_blif {other}; strash; write_aiger {other}.aig; &r {one}.aig; "
        "&cec {other}.aig",
        *VERDICTS,
    ),
    "bdd": ("miter {one} {other}; collapse; muxes; strash; sat", "UNSATISFIABLE", "\nSATISFIABLE"),
}


def modules(flow: str) -> dict[str, Path]:
    """Files by their names."""
    roots = (*places(RTL, flow), FORMAL, FORMAL / "tables")
    return {path.name: path for root in roots for path in sorted(root.glob("*.v"))}


def sources(flow: str, replaced: Mapping[str, str], folder: Path) -> list[Path]:
    """All modules; those in `replaced` by file name have another text."""
    files = modules(flow)
    for name, text in replaced.items():
        if name not in files:
            raise HardwareError(f"there is no {name} in hardware/rtl or hardware/formal")
        files[name] = folder / name
        files[name].write_text(text, encoding="utf-8")
    return list(files.values())


def make_blif(side: Side, core: str, files: Sequence[Path], blif: Path) -> None:
    parameters = (f"-chparam {name} {value}" for name, value in side.parameters.items())
    script = YOSYS.format(
        sources=" ".join(str(path) for path in files),
        core=core,
        module=side.module,
        parameters=" ".join(parameters),
        blif=blif,
    )
    path = blif.with_suffix(".ys")
    path.write_text(script, encoding="utf-8")
    run_tool(["yosys", "-q", path], "yosys")


def ports(blif: Path) -> list[str]:
    """The lines that name them, in their order, by which `&cec` matches them."""
    text = blif.read_text(encoding="utf-8").replace("\\\n", "")
    text = text[text.index(".model side\n") :]
    text = text[: text.index(".end\n")]
    return re.findall(r"^\.(?:inputs|outputs).*", text, re.M)


def are_same(command: str, same: str, different: str) -> bool:
    """Which of the two abc says of its networks."""
    told = "\n" + run_tool(["berkeley-abc", "-q", command], "berkeley-abc")
    if (same in told) == (different in told):
        raise HardwareError(f"berkeley-abc has no answer: {told.strip()[-300:]}")
    return same in told


def holds(proof: Proof, replaced: Mapping[str, str] | None = None) -> bool:
    """Whether the sides are the same; `replaced` has other texts for some files."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = sources(proof.flow, replaced or {}, folder)
        for blif, side in (("one.blif", proof.one), ("other.blif", proof.other)):
            make_blif(side, proof.core, files, folder / blif)
        if not proof.clocks and ports(folder / "one.blif") != ports(folder / "other.blif"):
            raise HardwareError(f"the ports of {proof.one.module} are not those of its other side")
        command, same, different = METHODS[proof.method]
        command = command.format(
            one=folder / "one.blif",
            other=folder / "other.blif",
            clocks=proof.clocks,
            last=129 * (proof.clocks - 1),
        )
        return are_same(command, same, different)


def finds_fault(proof: Proof) -> bool:
    """Whether the proof fails with its fault."""
    text = modules(proof.flow)[proof.fault.file].read_text(encoding="utf-8")
    if text.count(proof.fault.right) != 1:
        raise HardwareError(f"`{proof.fault.right}` does not stand once in {proof.fault.file}")
    changed = text.replace(proof.fault.right, proof.fault.wrong)
    return not holds(proof, {proof.fault.file: changed})


Answer = tuple[str, float, "bool | HardwareError"]


def answers(names: Sequence[str], question: Callable[[Proof], bool]) -> Iterator[Answer]:
    """For each proof the answer or why there is none, and its seconds."""

    def answer(name: str) -> Answer:
        start = time.monotonic()
        try:
            found: bool | HardwareError = question(PROOFS[name])
        except HardwareError as error:
            found = HardwareError(f"{name}: {error.error}", error.hint)
        return name, time.monotonic() - start, found

    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        yield from pool.map(answer, names)


def measured() -> Iterator[Proved | HardwareError]:
    for name, seconds, answer in answers(list(PROOFS), holds):
        if isinstance(answer, HardwareError):
            yield answer
        elif not answer:
            yield HardwareError(f"the proof {name} fails")
        else:
            yield Proved(name, PROOFS[name].about, round(seconds, 1))


def report(names: Sequence[str], faults: bool) -> int:
    """Prints an answer and a time for each, and returns the exit status."""
    status = 0
    words = ("finds its fault", "DOES NOT FIND its fault") if faults else ("holds", "FAILS")
    for name, seconds, answer in answers(names, finds_fault if faults else holds):
        if isinstance(answer, HardwareError):
            status = fault(answer)
            continue
        verdict = words[0] if answer else words[1]
        print(f"{name}: {verdict}: {PROOFS[name].about} ({seconds:.1f} s)", flush=True)
        status |= not answer
    return status


def chosen(patterns: Sequence[str], quick: bool) -> list[str]:
    found: dict[str, None] = {}
    for pattern in patterns or ["*"]:
        names = fnmatch.filter(PROOFS, pattern)
        if not names:
            raise HardwareError(
                f"there is no proof '{pattern}'", "hardware/proofs.py --list names them"
            )
        found.update(dict.fromkeys(names))
    return [name for name in found if PROOFS[name].quick or not quick]


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--quick", action="store_true", help="those that `make test` runs")
    parser.add_argument("--faults", action="store_true", help="plant a fault for each")
    parser.add_argument("--list", action="store_true", help="print the names of the proofs")
    asked = parser.parse_args()
    try:
        names = chosen(asked.names, asked.quick)
    except HardwareError as error:
        fault(error)
        return 2
    if asked.list:
        print("\n".join(names))
        return 0
    return report(names, asked.faults)


if __name__ == "__main__":
    sys.exit(run(main))
