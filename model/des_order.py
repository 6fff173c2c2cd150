#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Puts the gates of each circuit of des_circuits.txt into an order in which few results wait for
the gates after them, by simulated annealing, and prints the lines of the file again.

python3 model/des_order.py [STEPS [SEED]] > new.txt

The printed order never has more waiting than the one there. With 20000 steps it takes some minutes.
"""

from __future__ import annotations

import math
import random
import sys
from collections.abc import Sequence
from dataclasses import replace

from des_circuits import CIRCUITS, N_INPUTS, Circuit, Gate, parse

SUM_WEIGHT = 0.02  # of the sum of those that wait, where their largest number is the same


def waiting(gates: Sequence[Gate], order: Sequence[int]) -> list[int]:
    """How many values are kept in registers after each gate, as Circuit.live counts them."""
    last = {node: at for at, i in enumerate(order) for node in gates[i].nodes}
    counts = [0] * (len(order) + 1)
    kept = {0: 0, N_INPUTS - 1: 0, **{N_INPUTS + i: at + 1 for at, i in enumerate(order)}}
    for node, since in kept.items():
        until = last.get(node, -1)
        if until > since:
            counts[since] += 1
            counts[until] -= 1
    total = 1  # the gate's own result
    return [total := total + count for count in counts[:-1]]


def cost(gates: Sequence[Gate], order: Sequence[int]) -> float:
    counts = waiting(gates, order)
    return max(counts) + SUM_WEIGHT * sum(counts)


def room(gates: Sequence[Gate], order: Sequence[int], at: int) -> tuple[int, int]:
    """From where to where the gate at a place can move."""
    places = {i: place for place, i in enumerate(order)}
    gate = order[at]
    before = [places[node - N_INPUTS] for node in gates[gate].nodes if node >= N_INPUTS]
    after = [places[i] for i, other in enumerate(gates) if N_INPUTS + gate in other.nodes]
    return max(before, default=-1) + 1, min(after, default=len(order)) - 1


def best_order(gates: Sequence[Gate], steps: int, chance: random.Random) -> list[int]:
    order = list(range(len(gates)))
    best, best_cost = list(order), cost(gates, order)
    now = best_cost
    for step in range(steps):
        at = chance.randrange(len(order))
        low, high = room(gates, order, at)
        new = list(order)
        new.insert(chance.randint(low, high), new.pop(at))
        then = cost(gates, new)
        heat = 0.5 * (1 - step / steps) + 0.001
        if then <= now or chance.random() < math.exp((now - then) / heat):
            order, now = new, then
        if now < best_cost:
            best, best_cost = list(order), now
    return best


def reordered(circuit: Circuit, steps: int, chance: random.Random) -> Circuit:
    order = best_order(circuit.gates, steps, chance)
    new_node = {i: i for i in range(N_INPUTS)}
    new_node.update({N_INPUTS + i: N_INPUTS + at for at, i in enumerate(order)})

    def moved(nodes: Sequence[int]) -> list[int]:
        return [new_node[node] for node in nodes]

    gates = [replace(circuit.gates[i], nodes=moved(circuit.gates[i].nodes)) for i in order]
    return replace(circuit, gates=gates, outputs=moved(circuit.outputs))


def text(gate: Gate) -> str:
    return gate.op + ":" * (len(gate.op) == 2) + ",".join(map(str, gate.nodes))


def main() -> None:
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 20000
    chance = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    for line in CIRCUITS.read_text(encoding="ascii").splitlines():
        if not line.startswith("#"):
            circuit = reordered(parse(line)[1], steps, chance)
            gates = " ".join(map(text, circuit.gates))
            outputs = " ".join(map(str, circuit.outputs))
            line = f"{line.split(';')[0]}; {gates}; {outputs}"
        print(line)


if __name__ == "__main__":
    main()
