# SPDX-License-Identifier: Apache-2.0 OR MIT
"""q0 and q1 as circuits and as polynomials, and the search for circuits."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import unittest
from dataclasses import replace
from pathlib import Path
from unittest import mock

import circuit_search
import q_circuits
from q_circuits import KINDS, Circuit, Gate
from twofish import Q_NIBBLES, Q_ORDER, Q

SEARCH = Path(q_circuits.__file__).with_name("circuit_search.c")
COMPILER = shutil.which("cc")


def table(q: int, i: int) -> list[int]:
    return [int(digit, 16) for digit in Q_NIBBLES[q][i]]


def polynomial(c: int, n: int) -> int:
    """The algebraic normal forms with these coefficients, four bits each, at n."""
    value = 0
    for s in range(q_circuits.MONOMIALS):
        if s & n == s:
            value ^= c >> 4 * s & 15
    return value


class Circuits(unittest.TestCase):
    def test_each_gate_is_needed(self) -> None:
        for q in range(2):
            for kind in KINDS:
                circuit = q_circuits.q_circuit(q, kind)
                used = {node for gate in circuit.gates for node in (gate.a, gate.b)}
                used |= set(circuit.outputs)
                self.assertEqual(used, set(range(8 + len(circuit.gates))), f"q{q} {kind}")

    def test_a_wrong_gate_is_found_out(self) -> None:
        other = {"&": "|", "|": "&", "^": "&", "~": "&"}
        for (q, kind, i), circuit in q_circuits.nibble_circuits().items():
            for n, gate in enumerate(circuit.gates):
                gates = list(circuit.gates)
                gates[n] = replace(gate, op=other[gate.op])
                wrong = replace(circuit, gates=gates)
                self.assertFalse(wrong.computes(table(q, i)), f"q{q} {kind} t{i}, gate {n}")

    def test_a_wrong_file_is_refused(self) -> None:
        text = q_circuits.CIRCUITS.read_text(encoding="ascii")
        lines = text.splitlines()
        first = next(n for n, line in enumerate(lines) if not line.startswith("#"))
        swapped = lines[first].replace("first", "middle")
        for wrong, message in (
            (text.replace("&", "|", 1), "is wrong"),
            ("\n".join([*lines, swapped]), "do not fit"),
        ):
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "wrong.txt"
                path.write_text(wrong, encoding="ascii")
                with (
                    mock.patch.object(q_circuits, "CIRCUITS", path),
                    self.assertRaisesRegex(ValueError, message),
                ):
                    q_circuits.q_circuits_h()

    def test_evaluation(self) -> None:
        gates = [Gate("&", 0, 1), Gate("|", 2, 3), Gate("^", 4, 5), Gate("~", 6, 6)]
        circuit = Circuit(4, 0, 0, gates, (4, 5, 6, 7))
        self.assertEqual([circuit.run(x) for x in (0, 3, 7, 15)], [8, 5, 11, 11])


class Polynomials(unittest.TestCase):
    def test_normal_forms(self) -> None:
        for q in range(2):
            for i in range(4):
                c = sum(n << 4 * s for s, n in enumerate(q_circuits.normal_form(table(q, i))))
                self.assertEqual([polynomial(c, n) for n in range(16)], table(q, i))

    def test_coefficients_give_q(self) -> None:
        for level, order in enumerate(Q_ORDER):
            steps = [q_circuits.coefficients(level, step) for step in (0, 1)]
            for byte, j in enumerate((0, 1, 2, 3, 1, 2, 3, 0)):
                # The polynomials of the halves of this byte, as polynomial() takes them.
                low, high = (
                    [
                        sum((c >> 8 * byte + at & 15) << 4 * s for s, c in enumerate(step))
                        for step in steps
                    ]
                    for at in (0, 4)
                )
                for x in range(256):
                    y = q_circuits.mixed(x)
                    a, b = polynomial(high[0], y >> 4), polynomial(low[0], y & 15)
                    y = q_circuits.mixed(a << 4 | b)
                    found = polynomial(high[1], y & 15) << 4 | polynomial(low[1], y >> 4)
                    self.assertEqual(found, Q[order[j]][x])


class Search(unittest.TestCase):
    def test_every_combination_was_searched(self) -> None:
        found = dict.fromkeys(circuit_search.jobs(), "0 0: &0,1: 4")
        for q in range(2):
            for kind in KINDS:
                for between in range(256):
                    lines = circuit_search.fitting(found, q, kind, between)
                    self.assertEqual(circuit_search.total(lines), 4)

    @unittest.skipUnless(COMPILER, "no C compiler")
    def test_it_finds_circuits(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            program = str(Path(folder) / "circuit_search")
            subprocess.run([str(COMPILER), "-O2", "-o", program, str(SEARCH)], check=True)
            for job in ((0, 3, "any", "any"), (0, 3, "5", "0")):
                line = circuit_search.search(program, "50", job)
                _, circuit = q_circuits.parse(f"0 last 3 {line}")
                self.assertTrue(circuit.computes(table(0, 3)), line)


if __name__ == "__main__":
    unittest.main()
