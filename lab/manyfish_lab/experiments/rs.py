# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The RS matrix of Twofish: its code, and how far it keeps keys apart.

RS makes a word of S from eight bytes of the key. Both together are a word of a code of twelve
bytes. The matrix is the one that the C library multiplies by.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import comb

import numpy as np

from manyfish_lab import codes, gf256, twofish
from manyfish_lab.experiment import (
    Experiment,
    Findings,
    Json,
    Plot,
    Scale,
    Table,
    Task,
    ours,
    same,
)
from manyfish_lab.gf256 import Words

ELEMENTS = "Elements of the RS matrix"
POLYNOMIAL = 0x14D  # [Twofish98, 4.3]
ROWS = (
    "01 A4 55 87 5A 58 DB 9E",
    "A4 56 82 F3 1E C6 68 E5",
    "02 A1 FC C1 47 AE 3D 19",
    "A4 55 87 5A 58 DB 9E 03",
)
# [TwofishC98, TABLE.H]: "(12,8) reversible code", and its generator of degree 4, where a is 2.
LENGTH, MESSAGE = 12, 8
GENERATOR = "1, a + 1/a, a, a + 1/a, 1"

KEY_BYTES, S_BYTES = MESSAGE, LENGTH - MESSAGE
MOST_CHANGED = {"small": 3, "paper": 4}  # key bytes
PLACES_IN_A_TASK = 10


def columns() -> list[Words]:
    """Column j: what the library makes of each value of key byte j alone."""
    eight = [[bytes(j) + bytes([x]) + bytes(7 - j) for x in range(256)] for j in range(8)]
    return [np.array([twofish.rs(m) for m in column], np.uint32) for column in eight]


def check_columns() -> list[Words]:
    """The same for the twelve bytes of a word of the code: S must be what the key bytes give.

    Their sum is 0 for the words of the code, and for no others.
    """
    values = np.arange(256, dtype=np.uint32)
    return [*columns(), *(values << np.uint32(8 * i) for i in range(S_BYTES))]


# --- tasks -------------------------------------------------------------------------------------


def tasks(scale: Scale) -> Sequence[Task]:
    places = [list(some) for n in range(1, MOST_CHANGED[scale] + 1) for some in of_key(n)]
    starts = range(0, len(places), PLACES_IN_A_TASK)
    return [
        {"part": "matrix"},
        {"part": "close words"},
        {"part": "lightest words"},
        *({"part": "changes", "places": places[i : i + PLACES_IN_A_TASK]} for i in starts),
    ]


def of_key(n: int) -> list[tuple[int, ...]]:
    return list(combinations(range(KEY_BYTES), n))


def compute(task: Task) -> Json:
    if task["part"] == "changes":
        return codes.counts_by_places(columns(), task["places"], slice(1, 256))
    parts = {"matrix": of_matrix, "close words": close_words, "lightest words": lightest_words}
    return parts[task["part"]]()


def of_matrix() -> Json:
    """Facts about the elements themselves."""
    cols = columns()
    m = codes.elements(cols)
    minors = list(gf256.square_minors(m, POLYNOMIAL))
    generator = reversible_generator()
    roots = [n for n in range(255) if value(generator, gf256.power(2, n, POLYNOMIAL)) == 0]
    return {
        "rows": [" ".join(f"{a:02X}" for a in row) for row in m],
        "minors": len(minors),
        "minors that are 0": minors.count(0),
        "order of a": next(n for n in range(1, 256) if gf256.power(2, n, POLYNOMIAL) == 1),
        "made by the generator": all(
            remainder(4 + j, generator) == [row[j] for row in m] for j in range(KEY_BYTES)
        ),
        "generator": " ".join(f"{c:02X}" for c in generator),
        "roots": roots,
        "linear": codes.are_products(cols, m, POLYNOMIAL),
    }


def reversible_generator() -> list[int]:
    """The generator of TABLE.H, the coefficient of x^4 first."""
    a, one_over_a = 2, gf256.inverse(2, POLYNOMIAL)
    return [1, a ^ one_over_a, a, a ^ one_over_a, 1]


def value(polynomial: Sequence[int], x: int) -> int:
    """A polynomial over the field, highest coefficient first, at x."""
    total = 0
    for coefficient in polynomial:
        total = gf256.multiply(total, x, POLYNOMIAL) ^ coefficient
    return total


def remainder(degree: int, generator: Sequence[int]) -> list[int]:
    """x^degree modulo the generator, the coefficient of 1 first."""
    rest = [1] + [0] * degree
    while len(rest) >= len(generator):
        first = rest[0]
        for i, coefficient in enumerate(generator):
            rest[i] ^= gf256.multiply(first, coefficient, POLYNOMIAL)
        rest = rest[1:]
    return rest[::-1]


def close_words() -> Json:
    """All patterns of at most two of twelve bytes, and how many of their checks are different.

    Two words of the code that differ in at most four bytes would give two patterns the same check.
    """
    cols = check_columns()
    pairs = [gf256.sums(a[1:], b[1:]) for a, b in combinations(cols, 2)]
    checks = np.concatenate([np.zeros(1, np.uint32), *(column[1:] for column in cols), *pairs])
    checks.sort()
    return {"patterns": len(checks), "checks": 1 + int(np.count_nonzero(np.diff(checks)))}


def lightest_words() -> Json:
    """How many words of the code have five nonzero bytes, by key bytes among these.

    A word is three bytes of it, with a 1 first, whose check is that of two others; it is found in
    ten ways. Its 255 multiples are not counted.
    """
    cols = check_columns()
    pairs = list(combinations(range(LENGTH), 2))
    checks = np.concatenate([gf256.sums(cols[d][1:], cols[e][1:]) for d, e in pairs])
    order = np.argsort(checks)
    checks, pair_of = checks[order], (order // 255**2).astype(np.uint32)
    maybe = np.zeros(2**24, bool)
    maybe[checks >> np.uint32(8)] = True
    found = [0] * 6
    for places in combinations(range(LENGTH), 3):
        a, b, c = (cols[place] for place in places)
        sums = gf256.sums(a[1:2], b[1:], c[1:])
        sums = sums[maybe[sums >> np.uint32(8)]]
        at = np.minimum(np.searchsorted(checks, sums), len(checks) - 1)
        for pair in pair_of[at[checks[at] == sums]]:
            found[sum(place < KEY_BYTES for place in (*places, *pairs[pair]))] += 1
    return {"found": found}


# --- what the tasks gave -----------------------------------------------------------------------


def combine(scale: Scale, results: Sequence[Json]) -> Findings:
    elements, close, light = results[:3]
    counts = (255 * np.sum(results[3:], axis=0)).tolist()
    found = {"matrix": elements, "close words": close, "lightest words": light, "changes": counts}
    tables = [
        matrix_table(elements),
        code_table(close, light),
        change_table(MOST_CHANGED[scale], counts),
    ]
    return Findings(tables, [change_plot(MOST_CHANGED[scale], counts)], REMARKS, found)


def yes(truth: bool) -> str:
    return "yes" if truth else "no"


def matrix_table(found: Json) -> Table:
    roots = found["roots"]
    steps = {b - a for a, b in zip(roots, roots[1:])}
    mirrored = sorted(-n % 255 for n in roots) == roots
    cells = [
        *(same(f"row {i}", row, found["rows"][i]) for i, row in enumerate(ROWS)),
        ours(f"the generator {GENERATOR}, as bytes", found["generator"]),
        same(
            "column j is x^(4+j) modulo the generator", "yes", yes(found["made by the generator"])
        ),
        same("a is primitive: its order", "255", str(found["order of a"])),
        same("reversible: with each root its inverse", "yes", yes(mirrored)),
        ours("roots: exponents of a", " ".join(map(str, roots))),
        ours("steps between the exponents", " ".join(map(str, sorted(steps)))),
        ours("the library multiplies as the field does", yes(found["linear"])),
        ours("square minors", str(found["minors"])),
        ours("square minors that are 0", str(found["minors that are 0"])),
    ]
    return Table(ELEMENTS, cells, "[Twofish98, 4.3], [TwofishC98, TABLE.H]")


def code_table(close: Json, light: Json) -> Table:
    different = close["checks"] == close["patterns"]
    ways = comb(5, 2)
    lightest = sum(light["found"]) // ways
    cells = [
        ours("patterns of at most two nonzero bytes", str(close["patterns"])),
        ours("different checks of these", str(close["checks"])),
        ours(
            "words of weight 5",
            str(255 * lightest),
            codes.against_theory(codes.mds_code_words(12, 8, 5), 255 * lightest),
        ),
        ours(
            "least distance, which is also the branch number",
            "5" if different and lightest else "another",
            "no two words are closer, since the checks differ; the words of weight 5 have it",
        ),
    ]
    for key_bytes in range(1, 6):
        n = 255 * light["found"][key_bytes] // ways
        cells.append(
            ours(
                f"words of weight 5, of this {key_bytes} in the key part",
                str(n),
                codes.against_theory(codes.mds_pairs(8, 4, key_bytes, 5 - key_bytes), n),
            )
        )
    return Table("Distance of the RS code", cells, "[TwofishC98, TABLE.H]")


def change_table(most: int, counts: Sequence[Sequence[int]]) -> Table:
    cells = []
    for i in range(1, most + 1):
        least = next(o for o in range(5) if counts[i][o])
        cells.append(ours(f"{i} of 8 key bytes: S changes in at least", f"{least} of 4 bytes"))
        for o in range(least, 5):
            why = codes.against_theory(codes.mds_pairs(8, 4, i, o), counts[i][o])
            share = f"{counts[i][o]} ({100 * counts[i][o] / sum(counts[i]):.3g} %)"
            cells.append(ours(f"{i} of 8 key bytes, {o} of S", share, why))
    return Table("Bytes of S that change with few bytes of the key", cells)


def change_plot(most: int, counts: Sequence[Sequence[int]]) -> Plot:
    series = {
        f"changed key bytes: {i}": [(o, counts[i][o] / sum(counts[i])) for o in range(1, 5)]
        for i in range(1, most + 1)
    }
    return Plot(
        "changes",
        "How many bytes of S a change of the key changes",
        "changed bytes of the word of S",
        "share of all changes",
        "bars",
        {name: [(o, share) for o, share in points if share] for name, points in series.items()},
        log_y=True,
    )


REMARKS = (
    "If two keys differ in one of eight bytes, their words of S differ in all four bytes; in two "
    "bytes, in at least three; in three, in at least two; in four, in at least one. So two "
    "different parts of keys with the same word of S differ in five bytes or more. Each word of S "
    "comes from 2^32 parts of keys.",
    "The four roots of the generator are powers of a with equally spaced exponents. That alone "
    "proves a distance of at least five, as for every Reed-Solomon code; the search here does not "
    "use it.",
)

EXPERIMENT = Experiment(
    name="rs",
    question="How far apart does the RS matrix keep the S-box keys of different keys?",
    method="The program goes through all square minors; all patterns of at most two bytes, whose "
    "checks must differ if the code has distance 5; all words of weight 5, by a search for "
    "triples of bytes that match pairs; and all changes of few key bytes (as multiples of those "
    "that begin with 1). It uses the library's matrix for each, and samples nothing.",
    sources=("[Twofish98, 4.3]", "[TwofishC98, TABLE.H]"),
    covers={
        "small": "all, with changes of up to three of eight key bytes",
        "paper": "all, with changes of up to four of eight key bytes",
    },
    tasks=tasks,
    compute=compute,
    combine=combine,
    kinds={ELEMENTS: "definition"},
)
