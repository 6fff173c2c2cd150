# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The SAT solver CaDiCaL, and the checker of its proofs, rate."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from manyfish_lab.cnf import Formula
from manyfish_lab.errors import LabError

SOLVER, CHECKER = "cadical", "rate"
HINT = (
    "cadical is a package of Debian and Ubuntu, rate one of crates.io: scripts/setup lab, or "
    "apt-get install cadical and cargo install rate"
)
SATISFIABLE, UNSATISFIABLE = 10, 20  # exit statuses of solvers


@dataclass(frozen=True)
class Proof:
    """A checked proof that a formula has no solution: digests of both, and its size."""

    formula: str
    sha256: str
    bytes: int


@dataclass(frozen=True)
class Answer:
    """A solution, that is, whether each variable holds (0 is none), or a proof."""

    solution: list[bool] | None
    proof: Proof | None


def solve(formula: Formula) -> Answer:
    """Solve it, and check the proof if there is one."""
    with tempfile.TemporaryDirectory() as folder:
        cnf, proof = Path(folder, "formula.cnf"), Path(folder, "proof")
        cnf.write_text(formula.dimacs())
        done = _run([SOLVER, "-q", str(cnf), str(proof)])
        if done.returncode == SATISFIABLE:
            return Answer(_solution(done.stdout, formula.variables), None)
        if done.returncode != UNSATISFIABLE:
            raise LabError(f"{SOLVER} stopped with {done.returncode}: {done.stderr[-300:].strip()}")
        check(cnf, proof)
        return Answer(None, Proof(_sha256(cnf), _sha256(proof), proof.stat().st_size))


def check(cnf: Path, proof: Path) -> None:
    """A LabError if the proof proves nothing."""
    done = _run([CHECKER, str(cnf), str(proof)])
    if done.returncode != 0 or "s VERIFIED" not in done.stdout.splitlines():
        raise LabError(f"{CHECKER} does not accept the proof: {done.stdout[-300:].strip()}")


def _solution(said: str, variables: int) -> list[bool]:
    holds = [False] * (variables + 1)
    for line in said.splitlines():
        if line.startswith("v "):
            for literal in map(int, line.split()[1:]):
                holds[abs(literal)] = literal > 0
    return holds


def _run(command: list[str]) -> subprocess.CompletedProcess[str]:
    ours = Path(sys.prefix).parent / "cargo" / "bin"  # where scripts/setup puts rate
    program = shutil.which(command[0], path=f"{os.environ['PATH']}{os.pathsep}{ours}")
    if program is None:
        raise LabError(f"{command[0]} is not installed", HINT)
    return subprocess.run([program, *command[1:]], capture_output=True, text=True, check=False)


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
