# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The S-boxes of DES as circuits, and where its bits lie among slices."""

from __future__ import annotations

import random
import tempfile
import unittest
from dataclasses import replace
from pathlib import Path
from unittest import mock

import des
import des_circuits
import des_order
from des_circuits import BOXES, GATE_SETS, N_INPUTS, Circuit, Gate

# The published circuits have 49 44 46 33 48 46 46 41 gates of the standard set, one of them a NOT.
N_GATES = {
    "standard": [48, 43, 45, 32, 47, 45, 45, 40],
    "select": [36, 33, 33, 26, 35, 34, 34, 32],
    "ternary": [23, 22, 24, 17, 23, 22, 23, 23],
}


def wrong_gate(gate: Gate) -> Gate:
    """Another gate on the same nodes."""
    if len(gate.op) == 2:
        return replace(gate, op=f"{int(gate.op, 16) ^ 0xFF:02X}")
    other = {"&": "|", "|": "&", "^": "&", "-": "|", "~": "^", "?": "~"}
    nodes = (gate.nodes[0], gate.nodes[0]) if gate.op == "~" else gate.nodes
    return replace(gate, op=other[gate.op], nodes=nodes)


class Circuits(unittest.TestCase):
    def test_every_s_box_in_every_set(self) -> None:
        self.assertEqual(
            set(des_circuits.circuits()), {(gates.name, n) for gates in GATE_SETS for n in BOXES}
        )

    def test_numbers_of_gates(self) -> None:
        for gates in GATE_SETS:
            self.assertEqual(des_circuits.gate_counts(gates.name), N_GATES[gates.name])
        totals = {name: sum(counts) for name, counts in N_GATES.items()}
        self.assertEqual(totals, {"standard": 345, "select": 263, "ternary": 177})

    def test_each_gate_is_needed(self) -> None:
        for name, circuit in des_circuits.circuits().items():
            used = {node for gate in circuit.gates for node in gate.nodes} | set(circuit.outputs)
            self.assertEqual(used, set(range(N_INPUTS + len(circuit.gates))), name)

    def test_only_what_the_set_has(self) -> None:
        for gates in GATE_SETS:
            for n in BOXES:
                ops = {gate.op for gate in des_circuits.circuits()[gates.name, n].gates}
                ternary = {op for op in ops if len(op) == 2}
                self.assertLessEqual(ops - ternary, set(gates.spell))
                self.assertEqual(bool(ternary), gates.name == "ternary")

    def test_a_wrong_gate_is_found_out(self) -> None:
        for (name, n), circuit in des_circuits.circuits().items():
            for i, gate in enumerate(circuit.gates):
                gates = list(circuit.gates)
                gates[i] = wrong_gate(gate)
                self.assertFalse(replace(circuit, gates=gates).computes(n), f"{name} S{n + 1}, {i}")

    def test_a_wrong_file_is_refused(self) -> None:
        text = des_circuits.CIRCUITS.read_text(encoding="ascii")
        wrong = text.replace("select 1 00 0;", "select 1 00 1;")
        self.assertNotEqual(wrong, text)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "circuits.txt"
            path.write_text(wrong, encoding="ascii")
            wrong_is_said = self.assertRaisesRegex(ValueError, "S1 of the set select is wrong")
            with mock.patch.object(des_circuits, "CIRCUITS", path), wrong_is_said:
                des_circuits.circuits()

    def test_live_values(self) -> None:
        chain = Circuit(0, 0, [Gate("&", (0, 1)), Gate("&", (2, 5)), Gate("^", (6, 7))], (8,))
        self.assertEqual(chain.live(), 2)


class Order(unittest.TestCase):
    def test_counts_what_waits(self) -> None:
        for name, circuit in des_circuits.circuits().items():
            in_order = range(len(circuit.gates))
            self.assertEqual(max(des_order.waiting(circuit.gates, in_order)), circuit.live(), name)

    def test_a_wasteful_order_gets_better_and_stays_right(self) -> None:
        # All products are made before the first sum.
        products = [Gate("&", (0, 5)), Gate("|", (0, 5)), Gate("-", (0, 5)), Gate("-", (5, 0))]
        sums = [Gate("^", (6, 1)), Gate("^", (7, 2)), Gate("^", (8, 3)), Gate("^", (9, 4))]
        circuit = Circuit(0, 0, products + sums, (10, 11, 12, 13))
        better = des_order.reordered(circuit, 300, random.Random(1))
        self.assertLess(better.live(), circuit.live())
        self.assertEqual([better.run(x) for x in range(64)], [circuit.run(x) for x in range(64)])


class Slices(unittest.TestCase):
    def test_a_permutation_moved_is_found_out(self) -> None:
        halves_swapped = mock.patch.object(des, "IP", (*des.IP[32:], *des.IP[:32]))
        with halves_swapped, self.assertRaisesRegex(ValueError, "side by side"):
            des_circuits.l_slices()

    def test_each_slice_is_given_once(self) -> None:
        given = [i for n in BOXES for i in des_circuits.round_slices(n)[1]]
        self.assertEqual(sorted(given), list(range(0, 64, 2)))

    def test_no_round_asks_for_a_parity_bit(self) -> None:
        asked = {bit for row in des_circuits.subkey_bits() for bit in row}
        self.assertEqual(asked, {i for i in range(64) if i % 8 != 0})


if __name__ == "__main__":
    unittest.main()
