# SPDX-License-Identifier: Apache-2.0 OR MIT
"""q0 and q1 as C code without look-ups, for kernels that must not address memory by a secret.

As circuits: each bit of a byte is a word of its own with a lane for each input, and gates work on
whole words. The gates for the 4-bit permutations were found by model/circuit_search.c and are kept
in model/q_circuits.txt.

As polynomials: eight bytes stand side by side in a word, and the 4-bit permutations of all of them
are evaluated at once by their algebraic normal forms, whose coefficients are words as well.

Both are checked here against the tables of twofish.py, for every input.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from c_tables import head
from twofish import Q_NIBBLES, Q_ORDER, Q

CIRCUITS = Path(__file__).with_name("q_circuits.txt")

# A circuit may take or give complemented bits where a key byte is added before or after, since the
# complement can go into that. So q has three: first in h (exact inputs), middle, last (exact
# outputs).
KINDS = ("first", "middle", "last")

MONOMIALS = 15  # of four variables, without their product: a permutation has a degree below 4


def bits(x: int, count: int) -> list[int]:
    return [x >> i & 1 for i in range(count)]


def number(some_bits: Sequence[int]) -> int:
    return sum(b << i for i, b in enumerate(some_bits))


# --- circuits ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Gate:
    """Node a op node b; NOT is `~` with b = a."""

    op: str
    a: int
    b: int

    def of(self, x: int, y: int) -> int:
        return {"&": x & y, "|": x | y, "^": x ^ y, "~": x ^ 1}[self.op]

    def text(self) -> str:
        return f"~n{self.a}" if self.op == "~" else f"n{self.a} {self.op} n{self.b}"


@dataclass(frozen=True)
class Circuit:
    """Nodes 0, 1, .. are the inputs, lowest bit first, then one comes with each gate.

    It computes t(n ^ negated_in) ^ negated_out from n.
    """

    n_inputs: int
    negated_in: int
    negated_out: int
    gates: Sequence[Gate]
    outputs: Sequence[int]

    def run(self, x: int) -> int:
        nodes = bits(x, self.n_inputs)
        for gate in self.gates:
            nodes.append(gate.of(nodes[gate.a], nodes[gate.b]))
        return number([nodes[i] for i in self.outputs])

    def computes(self, table: Sequence[int]) -> bool:
        return all(
            self.run(x) == table[x ^ self.negated_in] ^ self.negated_out for x in range(len(table))
        )


def parse(line: str) -> tuple[tuple[int, str, int], Circuit]:
    """Reads "q kind i negated_in negated_out: gates: outputs", the circuit of t_i of that q."""
    about, gates, outputs = line.split(":")
    q, kind, i, negated_in, negated_out = about.split()
    circuit = Circuit(
        n_inputs=4,
        negated_in=int(negated_in, 16),
        negated_out=int(negated_out, 16),
        gates=[
            Gate(text[0], *(int(node) for node in text[1:].split(","))) for text in gates.split()
        ],
        outputs=[int(node) for node in outputs.split()],
    )
    return (int(q), kind, int(i)), circuit


def nibble_circuits() -> dict[tuple[int, str, int], Circuit]:
    """The circuits of q_circuits.txt, each checked against its 4-bit permutation."""
    lines = CIRCUITS.read_text(encoding="ascii").splitlines()
    found = dict(parse(line) for line in lines if line and not line.startswith("#"))
    for (q, kind, i), circuit in found.items():
        if not circuit.computes([int(digit, 16) for digit in Q_NIBBLES[q][i]]):
            raise ValueError(f"q_circuits.txt: t{i} of q{q}, {kind}, is wrong")
    return found


class Builder:
    """Puts a circuit for a byte together."""

    def __init__(self) -> None:
        self.gates: list[Gate] = []

    def add(self, op: str, a: int, b: int) -> int:
        self.gates.append(Gate(op, a, b))
        return 8 + len(self.gates) - 1

    def mix_a(self, a: Sequence[int], b: Sequence[int]) -> list[int]:
        return [self.add("^", x, y) for x, y in zip(a, b)]

    def mix_b(self, a: Sequence[int], b: Sequence[int], a_b: Sequence[int]) -> list[int]:
        """Bits of a ^ ROR4(b, 1) ^ 8a; a_b is a ^ b, which the top bit can share."""
        return [self.add("^", a[i], b[i + 1]) for i in range(3)] + [self.add("^", a[3], a_b[0])]

    def insert(self, circuit: Circuit, inputs: Sequence[int]) -> list[int]:
        nodes = list(inputs)
        for gate in circuit.gates:
            nodes.append(self.add(gate.op, nodes[gate.a], nodes[gate.b]))
        return [nodes[i] for i in circuit.outputs]


def mixed(x: int) -> int:
    """The linear step in front of each pair of 4-bit permutations; a is the high half."""
    a, b = bits(x >> 4, 4), bits(x & 15, 4)
    b_mixed = [a[i] ^ b[(i + 1) % 4] for i in range(4)]
    b_mixed[3] ^= a[0]
    return number(b_mixed + [x ^ y for x, y in zip(a, b)])


def unmixed(x: int) -> int:
    return next(y for y in range(256) if mixed(y) == x)


def q_circuit(q: int, kind: str) -> Circuit:
    """q as a circuit, checked against its table."""
    t = [nibble_circuits()[q, kind, i] for i in range(4)]
    if mixed(t[0].negated_out << 4 | t[1].negated_out) != t[2].negated_in << 4 | t[3].negated_in:
        raise ValueError(f"q_circuits.txt: the complements of q{q}, {kind}, do not fit")
    builder = Builder()
    b, a = [0, 1, 2, 3], [4, 5, 6, 7]
    for t_a, t_b in (t[:2], t[2:]):
        a_mixed = builder.mix_a(a, b)
        b_mixed = builder.mix_b(a, b, a_mixed)
        a, b = builder.insert(t_a, a_mixed), builder.insert(t_b, b_mixed)
    circuit = Circuit(
        n_inputs=8,
        negated_in=unmixed(t[0].negated_in << 4 | t[1].negated_in),
        negated_out=t[3].negated_out << 4 | t[2].negated_out,
        gates=builder.gates,
        outputs=a + b,
    )
    if not circuit.computes(Q[q]):
        raise ValueError(f"the circuit of q{q}, {kind}, is wrong")
    if (kind == "first" and circuit.negated_in) or (kind == "last" and circuit.negated_out):
        raise ValueError(f"the circuit of q{q}, {kind}, complements what it must not")
    return circuit


def _statements(circuit: Circuit) -> Iterator[str]:
    for i in range(8):
        yield f"const uint64_t n{i} = x[{i}];"
    for i, gate in enumerate(circuit.gates, 8):
        yield f"const uint64_t n{i} = {gate.text()};"
    for i, node in enumerate(circuit.outputs):
        yield f"x[{i}] = n{node};"


def _function(q: int, kind: str) -> str:
    circuit = q_circuit(q, kind)
    body = "\n".join(f"    {statement}" for statement in _statements(circuit))
    return f"""\
/* {len(circuit.gates)} gates. */
MF_INLINE void mf_twofish_q{q}_{kind}(uint64_t x[8])
{{
{body}
}}
"""


def _negated() -> str:
    rows = []
    for kind in KINDS:
        pairs = [q_circuit(q, kind) for q in range(2)]
        row = ", ".join(f"{{0x{c.negated_in:02X}, 0x{c.negated_out:02X}}}" for c in pairs)
        rows.append(f"    {{{row}}}, /* {kind} */")
    return "\n".join(rows)


# --- polynomials ---------------------------------------------------------------------------------


def normal_form(table: Sequence[int]) -> list[int]:
    """The coefficients of the algebraic normal forms of all output bits at once.

    Entry S has, bit by bit, that of the product of the variables in the set S.
    """
    c = list(table)
    for i in range(4):
        for x in range(16):
            if x >> i & 1:
                c[x] ^= c[x ^ 1 << i]
    return c


NORMAL_FORMS = [
    [normal_form([int(digit, 16) for digit in t]) for t in nibbles] for nibbles in Q_NIBBLES
]


def coefficients(level: int, step: int) -> list[int]:
    """Of the q at byte positions 0, 1, 2, 3 and 1, 2, 3, 0 of h, the latter for a word that is yet
    to be rotated left by 8 bits. In step 0 the high half of each byte goes through t0 and the low
    half through t1, in step 1 it is t3 and t2.
    """
    high, low = ((0, 1), (3, 2))[step]
    c = [0] * MONOMIALS
    for n in range(8):
        forms = NORMAL_FORMS[Q_ORDER[level][n if n < 4 else (n - 3) % 4]]
        for s in range(MONOMIALS):
            c[s] |= (forms[high][s] << 4 | forms[low][s]) << 8 * n
    if any(t[MONOMIALS] for forms in NORMAL_FORMS for t in forms):
        raise ValueError("a 4-bit permutation has degree 4")
    return c


def _words(numbers: Sequence[int]) -> str:
    texts = [f"0x{n:016X}," for n in numbers]
    rows = [texts[i : i + 4] for i in range(0, len(texts), 4)]
    return "\n".join("        " + " ".join(row) for row in rows)


def _levels() -> str:
    levels = []
    for level in range(len(Q_ORDER)):
        steps = "\n    }, {\n".join(_words(coefficients(level, step)) for step in (0, 1))
        levels.append(f"    {{{{\n{steps}\n    }}}},")
    return "\n".join(levels)


# --- files ---------------------------------------------------------------------------------------


def q_circuits_h() -> str:
    functions = "\n".join(_function(q, kind) for q in range(2) for kind in KINDS)
    return (
        head(
            "q0 and q1 without look-ups. As circuits on bit slices: x[i] holds bit i of 64 bytes.",
            "As polynomials: the coefficients for eight bytes in a word. The circuits come from",
            "model/circuit_search.c; model/q_circuits.py checks them.",
        )
        + f"""\
#ifndef MF_SRC_TWOFISH_Q_CIRCUITS_H
#define MF_SRC_TWOFISH_Q_CIRCUITS_H

#include <stdint.h>

#include "../../common/bytes.h"

/* The circuits come in three kinds. Complements are free where a key byte is added, so except the
 * inputs of the first and the outputs of the last kind some bits are complemented: of
 * mf_twofish_negated[kind][q], [0] tells which inputs, [1] which outputs. */
enum {{ MF_TWOFISH_FIRST, MF_TWOFISH_MIDDLE, MF_TWOFISH_LAST }};

static const uint8_t mf_twofish_negated[3][2][2] = {{
{_negated()}
}};

{functions}
/* The algebraic normal forms of the 4-bit permutations: [level of h][step][product of variables],
 * the set of variables being read as a number; four bits, one for each output, for each half of
 * eight bytes. Bytes 0 to 3 are those of h. Bytes 4 to 7 are byte positions 1, 2, 3, 0: a word that
 * is yet to be rotated left by 8 bits. In step 0 the high halves go through t0 and the low ones
 * through t1, in step 1 it is t3 and t2. Not static: as immediate operands they are slower. */
extern const uint64_t mf_twofish_q_forms[{len(Q_ORDER)}][2][{MONOMIALS}];

#endif
"""
    )


def q_circuits_c() -> str:
    return (
        head("The coefficients that q_circuits.h declares.")
        + f"""\
#include "q_circuits.h"

const uint64_t mf_twofish_q_forms[{len(Q_ORDER)}][2][{MONOMIALS}] = {{
{_levels()}
}};
"""
    )


FILES: dict[str, Callable[[], str]] = {
    "c/src/twofish/tables/q_circuits.h": q_circuits_h,
    "c/src/twofish/tables/q_circuits.c": q_circuits_c,
}
