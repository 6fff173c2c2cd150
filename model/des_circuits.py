# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The S-boxes of DES as C code without look-ups, for kernels that must not address memory by
a secret.

Each bit is a word or register of its own with a lane for each block, and gates work on all lanes
at once. The circuits are kept in des_circuits.txt, one for each S-box and each set of gates that
a processor may have; here they are checked against the tables of des.py, for every input, and
counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import des
from c_tables import array, head, lines

CIRCUITS = Path(__file__).with_name("des_circuits.txt")
BOXES = range(8)
N_INPUTS, N_OUTPUTS = 6, 4


@dataclass(frozen=True)
class GateSet:
    """The elements of a file of circuits: how a C expression spells each kind of gate."""

    name: str
    about: str
    spell: dict[str, str]


# A gate is an operation on nodes a, b, c; in the third set an operation is a truth table.
GATE_SETS = (
    GateSet(
        "standard",
        "AND, OR, XOR, and AND with a complement",
        {
            "&": "vec_and({0}, {1})",
            "|": "vec_or({0}, {1})",
            "^": "vec_xor({0}, {1})",
            "-": "vec_and_not({0}, {1})",
        },
    ),
    GateSet(
        "select",
        "AND, OR, XOR, NOT, AND with a complement, and the selection of a bit by another",
        {
            "&": "vec_and({0}, {1})",
            "|": "vec_or({0}, {1})",
            "^": "vec_xor({0}, {1})",
            "-": "vec_and_not({0}, {1})",
            "~": "vec_not({0})",
            "?": "vec_select({0}, {1}, {2})",
        },
    ),
    GateSet(
        "ternary",
        "any function of three bits",
        {"": "vec_ternary({0}, {1}, {2}, 0x{op})"},
    ),
)


@dataclass(frozen=True)
class Gate:
    """An operation on nodes."""

    op: str
    nodes: Sequence[int]

    def of(self, bits: Sequence[int]) -> int:
        a, b, c = (*bits, 0, 0)[:3]
        if len(self.op) == 2:
            return int(self.op, 16) >> (4 * a + 2 * b + c) & 1
        values = {"&": a & b, "|": a | b, "^": a ^ b, "-": a & ~b, "~": a ^ 1, "?": b if a else c}
        return values[self.op]

    def text(self, gates: GateSet) -> str:
        names = [f"n{node}" for node in self.nodes]
        return gates.spell["" if len(self.op) == 2 else self.op].format(*names, op=self.op)


@dataclass(frozen=True)
class Circuit:
    """Nodes 0 to 5 are the inputs, the first bit of the six that go into an S-box first; then one
    comes with each gate. The outputs are the bits of the S-box, the first one first. Those in
    negated_in and negated_out come in and out complemented.
    """

    negated_in: int
    negated_out: int
    gates: Sequence[Gate]
    outputs: Sequence[int]

    def run(self, x: int) -> int:
        nodes = [x >> (N_INPUTS - 1 - i) & 1 for i in range(N_INPUTS)]
        for gate in self.gates:
            nodes.append(gate.of([nodes[i] for i in gate.nodes]))
        result = 0
        for node in self.outputs:
            result = result << 1 | nodes[node]
        return result

    def computes(self, n: int) -> bool:
        """Whether it is S_(n+1)."""
        return all(
            self.run(x ^ self.negated_in) == des.s_box(n, x) ^ self.negated_out for x in range(64)
        )

    def live(self) -> int:
        """The largest number of values that wait in registers for gates after them: of gates, and
        of the two inputs that are not in memory as they are. The gate's own result counts.
        """
        last = {node: at for at, gate in enumerate(self.gates) for node in gate.nodes}
        kept = [0, N_INPUTS - 1, *range(N_INPUTS, N_INPUTS + len(self.gates))]
        counts = []
        for at in range(len(self.gates)):
            waiting = [i for i in kept if i < N_INPUTS + at and last.get(i, -1) > at]
            counts.append(len(waiting) + 1)
        return max(counts)


def _gate(text: str) -> Gate:
    op, nodes = text.split(":") if ":" in text else (text[0], text[1:])
    return Gate(op, [int(node) for node in nodes.split(",")])


def parse(line: str) -> tuple[tuple[str, int], Circuit]:
    """Reads "set S-box negated_in negated_out; gates; outputs"."""
    about, gates, outputs = line.split(";")
    gate_set, box, negated_in, negated_out = about.split()
    circuit = Circuit(
        negated_in=int(negated_in, 16),
        negated_out=int(negated_out, 16),
        gates=[_gate(text) for text in gates.split()],
        outputs=[int(node) for node in outputs.split()],
    )
    return (gate_set, int(box) - 1), circuit


def circuits() -> dict[tuple[str, int], Circuit]:
    """The circuits of des_circuits.txt by gate set and S-box, each checked."""
    lines = CIRCUITS.read_text(encoding="ascii").splitlines()
    found = dict(parse(line) for line in lines if line and not line.startswith("#"))
    for (gate_set, n), circuit in found.items():
        if not circuit.computes(n):
            raise ValueError(f"des_circuits.txt: S{n + 1} of the set {gate_set} is wrong")
    return found


def gate_counts(gate_set: str) -> list[int]:
    found = circuits()
    return [len(found[gate_set, n].gates) for n in BOXES]


# --- files -------------------------------------------------------------------------------------


def _statements(circuit: Circuit, gates: GateSet) -> Iterator[str]:
    """Each output is added as soon as it is there, so that no register keeps it."""
    for i, gate in enumerate(circuit.gates, N_INPUTS):
        yield f"const vec n{i} = {gate.text(gates)};"
        for j, node in enumerate(circuit.outputs):
            if node == i:
                yield f"s_add(to, {j}, n{i});"


def _function(circuit: Circuit, gates: GateSet, n: int) -> str:
    body = "\n".join(f"    {statement}" for statement in _statements(circuit, gates))
    return f"""\
/* {len(circuit.gates)} gates, of whose results at most {circuit.live()} wait at a time. */
VEC_FN void s_{n + 1}(const s_outputs *to, vec n0, vec n1, vec n2, vec n3, vec n4, vec n5)
{{
{body}
}}
"""


def _masks(bits: int, count: int) -> list[int]:
    return [0xFFFFFFFF * (bits >> (count - 1 - i) & 1) for i in range(count)]


def s_boxes_h(gates: GateSet) -> str:
    found = [circuits()[gates.name, n] for n in BOXES]
    functions = "\n".join(_function(circuit, gates, n) for n, circuit in enumerate(found))
    guard = f"MF_SRC_DES_S_BOXES_{gates.name.upper()}_H"
    taken = [mask for circuit in found for mask in _masks(circuit.negated_in, N_INPUTS)]
    kept, shared = round_places()
    negated = {
        "kept": [taken[place] for place in kept],
        "given": [mask for circuit in found for mask in _masks(circuit.negated_out, N_OUTPUTS)],
        "shared": [taken[own] ^ taken[neighbour] for own, neighbour in shared],
    }
    negated_arrays = "\n".join(
        f"static const uint32_t s_negated_{name}[{len(masks)}] = {{\n{lines(masks, 8)}\n}};\n"
        for name, masks in negated.items()
    )
    counts = [len(circuit.gates) for circuit in found]
    return (
        head(
            "The S-boxes of DES without look-ups, on vectors with a bit of many blocks each, by",
            f"{gates.about}: {sum(counts)} gates.",
            "The circuits are those of model/des_circuits.txt, which names their source;",
            "model/des_circuits.py checks them.",
        )
        + f"""\
#ifndef {guard}
#define {guard}

#include <stdint.h>

/* Each S-box takes six bits, the first one first, and hands bit j of its four to
 * s_add(to, j, bit), which bitslice_add.h has. */

/* All ones where a complement is to be added, else 0, in the order of round_bits.h: to the bits of
 * subkeys that slices are kept with, for S-boxes take some bits complemented; to what S-boxes give,
 * some of it complemented; and to the bits that an S-box shares with its neighbours. */
{negated_arrays}
{functions}
#endif
"""
    )


# --- bits as slices ----------------------------------------------------------------------------


def slice_of(bit: int) -> int:
    """Where bit 1, 2, .. of a block or key stands if bytes are read with the lowest bit first."""
    byte, place = divmod(bit - 1, 8)
    return 8 * byte + 7 - place


def l_slices() -> list[int]:
    """The slices of the bits of L_0; those of R_0 are one further."""
    l_0, r_0 = ([slice_of(bit) for bit in half] for half in (des.IP[:32], des.IP[32:]))
    if r_0 != [i + 1 for i in l_0]:
        raise ValueError("IP does not put the bits of L and R side by side")
    if list(des.INVERSE_IP) != [des.IP.index(bit) + 1 for bit in range(1, 65)]:
        raise ValueError("the two permutations of the block do not undo each other")
    return l_0


def round_slices(n: int) -> tuple[list[int], list[int]]:
    """Where the six bits that S_(n+1) takes and the four that it gives lie in a half."""
    slices = l_slices()
    takes = des.E[6 * n : 6 * n + 6]
    gives = [des.P.index(4 * n + j) for j in range(1, 5)]
    return [slices[bit - 1] for bit in takes], [slices[i] for i in gives]


def subkey_bits() -> list[list[int]]:
    """For each bit of K_1 .. K_16, in the order of E, the bit of the key that it is."""
    rows: list[list[int]] = [[-1] * 48 for _ in range(des.ROUNDS)]
    for bit in range(1, 65):
        key = (1 << (64 - bit)).to_bytes(8, "big")
        for row, K in zip(rows, des.subkeys(key)):
            if K:
                row[48 - K.bit_length()] = slice_of(bit)
    return rows


def round_places() -> tuple[list[int], list[tuple[int, int]]]:
    """Which of the 48 bits of a subkey a round's masks are made of. The first 32 are those that
    slices are kept with, in the order in which S-boxes give them: E takes some bits of R twice, but
    each once among the middle four of an S-box. Then, for the first and the last bit that each
    S-box takes, the bit of the subkey there and the one that the slice is kept with.
    """
    kept = {des.E[6 * n + i]: 6 * n + i for n in BOXES for i in range(1, 5)}
    gives = [des.P.index(4 * n + j) + 1 for n in BOXES for j in range(1, 5)]
    ends = [place for n in BOXES for place in (6 * n, 6 * n + 5)]
    return [kept[bit] for bit in gives], [(place, kept[des.E[place]]) for place in ends]


def round_bits(subkey: Sequence[int]) -> list[int]:
    """The bits of the key in these places."""
    kept, shared = round_places()
    return [subkey[place] for place in kept + [place for pair in shared for place in pair]]


def slices_h() -> str:
    takes, gives = zip(*(round_slices(n) for n in BOXES))
    return (
        head(
            "Where the bits of DES lie among slices: slice 8 i + j is bit j of byte i of a block,",
            "the lowest bit being number 0. IP, E and P are nothing else here [FIPS46-3].",
        )
        + f"""\
#ifndef MF_SRC_DES_SLICES_H
#define MF_SRC_DES_SLICES_H

#include <stdint.h>

/* The six bits of R that S_(n+1) takes, and the four of L that it changes. Counted from the first
 * slice of a half, which is 0 for L and 1 for R. */
static const uint8_t mf_des_takes[8][6] = {{
{array(takes, 2)}
}};

static const uint8_t mf_des_gives[8][4] = {{
{array(gives, 2)}
}};

#endif
"""
    )


def round_bits_h() -> str:
    return (
        head(
            "The key schedule of DES, bit by bit [FIPS46-3], for bitslice_key.h.",
        )
        + f"""\
#ifndef MF_SRC_DES_ROUND_BITS_H
#define MF_SRC_DES_ROUND_BITS_H

#include <stdint.h>

/* Of which bits of the key a round's masks are made, bit 8 i + j being bit j of byte i, the lowest
 * bit number 0: for each bit that an S-box gives, the bit of the subkey that the slice which it is
 * added to is kept with in this round; then, for the first and the last bit that each S-box takes,
 * the bit of the subkey there, and the one that the slice is kept with, its neighbour's. */
static const uint8_t mf_des_round_bits[16][64] = {{
{array([round_bits(row) for row in subkey_bits()], 2)}
}};

#endif
"""
    )


FILES: dict[str, Callable[[], str]] = {
    f"c/src/des/tables/s_boxes_{gates.name}.h": lambda gates=gates: s_boxes_h(gates)  # type: ignore[misc]
    for gates in GATE_SETS
}
FILES["c/src/des/tables/slices.h"] = slices_h
FILES["c/src/des/tables/round_bits.h"] = round_bits_h
