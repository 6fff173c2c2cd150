# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Hamming weights of the products of MDS, beside what the authors' program printed of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from manyfish_lab import mds_matrices
from manyfish_lab.experiment import Json, Plot, Table, ours, same
from manyfish_lab.gf256 import Words

# [TwofishC98, TABLE.H]: numbers of differences by the weight of what comes out.
ONE_BYTE_FIRST = mds_matrices.WEIGHT
ONE_BYTE = (7, 23, 42, 20, 52, 95, 88, 94, 121, 128, 91, 102, 76, 41, 24, 8, 4, 1, 3)
TWO_BYTES_FIRST = 3
TWO_BYTES = (
    *(7, 18, 55, 149, 270, 914, 2185, 5761, 11363, 20719, 32079, 43492, 51612, 53851),
    *(52098, 42015, 31117, 20854, 11538, 6223, 2492, 1033, 253, 48, 3, 1),
)
# How many of those in one byte, for the weights 8 to 15, have the highest bit set.
TOP_BITS = (1, 4, 15, 8, 18, 38, 40, 43)
# "Runs", for the same weights.
RUNS = (2, 4, 5, 6, 7, 8, 9, 11)
# The differences of weight 8 and 9, as that program prints words: byte 0 first.
LIGHTEST = {
    8: "01499101 05040705 0A080E0A 14101C14 28203828 50407050 A080E0A0",
    9: "02924B02 04050707 05070407 07070504 080A0E0E 089A4508 0A0E080E 0E0E0A08 10141C1C "
    "141C101C 1C1C1410 202043C6 20283838 28382038 38382820 40507070 4320C620 50704070 "
    "70705040 80A0E0E0 A0E080E0 C6432020 E0E0A080",
}

# [Twofish99, table 7.6]: weight, differences, of these with the highest bit set.
BOOK = ((8, "7/1020", "1"), (9, "23/1020", "4"), (10, "42/1020", "15"))


def of_products(one: Words, two: Words) -> Json:
    """Weights of all differences, and the highest bits in both orders of the bytes."""
    weights = np.bitwise_count(one)
    light = {str(w): printed(one[weights == w]) for w in LIGHTEST}
    return {
        "one": histogram(weights.tolist()),
        "two": histogram(np.bitwise_count(two).tolist()),
        "bit 7": histogram(weights[one >> 7 & 1 == 1].tolist()),
        "bit 31": histogram(weights[one >> 31 == 1].tolist()),
        "neighbours": {
            str(w): int(np.bitwise_count(one & one >> 1)[weights == w].max(initial=0))
            for w in range(ONE_BYTE_FIRST, ONE_BYTE_FIRST + len(RUNS))
        },
        "lightest": light,
    }


def histogram(values: Iterable[int]) -> dict[str, int]:
    return {str(value): n for value, n in sorted(Counter(values).items())}


def printed(words: Words) -> str:
    """Sorted, with byte 0 first."""
    return " ".join(sorted(int(w).to_bytes(4, "little").hex().upper() for w in words))


def tables(found: Mapping[str, Json]) -> list[Table]:
    return [
        weight_table("one", ONE_BYTE_FIRST, ONE_BYTE, found),
        weight_table("two", TWO_BYTES_FIRST, TWO_BYTES, found),
        top_bit_table(found),
        book_table(found),
        runs_table(found),
        lightest_table(found),
    ]


def weight_table(
    changed: str, first: int, published: Sequence[int], found: Mapping[str, Json]
) -> Table:
    """Differences by the weight of what comes out; all weights that occur or are published."""
    counts = {int(weight): n for weight, n in found[changed].items()}
    printed = dict(enumerate(published, first))
    cells = [
        same(f"weight {weight}", str(printed.get(weight, 0)), str(counts.get(weight, 0)))
        for weight in sorted(counts | printed)
    ]
    total = sum(counts.values())
    cells.append(same("differences", str(sum(published)), str(total)))
    bytes_changed = "one byte" if changed == "one" else "two bytes"
    title = f"Hamming weights of MDS products, differences in {bytes_changed}"
    return Table(title, cells, "[TwofishC98, TABLE.H]")


def top_bit_table(found: Mapping[str, Json]) -> Table:
    why = "the highest bit of the word as the cipher has it, where byte 3 is the highest"
    rows = [(weight, str(n)) for weight, n in enumerate(TOP_BITS, ONE_BYTE_FIRST)]
    cells = [
        *(same(f"weight {w}, bit 7", n, str(found["bit 7"].get(str(w), 0))) for w, n in rows),
        *(ours(f"weight {w}, bit 31", str(found["bit 31"].get(str(w), 0)), why) for w, _ in rows),
    ]
    return Table("MDS products with the highest bit set, by weight", cells, "[TwofishC98, TABLE.H]")


def book_table(found: Mapping[str, Json]) -> Table:
    cells = []
    for weight, differences, top in BOOK:
        of_all = f"{found['one'].get(str(weight), 0)}/{sum(found['one'].values())}"
        cells.append(same(f"weight {weight}", differences, of_all))
        cells.append(
            same(f"weight {weight}, MSB set", top, str(found["bit 7"].get(str(weight), 0)))
        )
    return Table(
        "Weights and highest bits as the book prints them", cells, "[Twofish99, table 7.6]"
    )


def runs_table(found: Mapping[str, Json]) -> Table:
    why = "the source does not say what it counts; this is a property that gives its numbers"
    cells = [
        same(f"weight {weight}", str(most), str(found["neighbours"][str(weight)]), why)
        for weight, most in enumerate(RUNS, ONE_BYTE_FIRST)
    ]
    return Table(
        "Most pairs of neighbouring ones in an MDS product, by weight",
        cells,
        "[TwofishC98, TABLE.H]",
    )


def lightest_table(found: Mapping[str, Json]) -> Table:
    cells = [
        same(f"weight {w}", listed, found["lightest"][str(w)]) for w, listed in LIGHTEST.items()
    ]
    return Table("The lightest MDS products, byte 0 first", cells, "[TwofishC98, TABLE.H]")


def plots(found: Mapping[str, Json]) -> list[Plot]:
    return [
        weight_plot("one", "one byte", ONE_BYTE_FIRST, ONE_BYTE, found["one"]),
        weight_plot("two", "two bytes", TWO_BYTES_FIRST, TWO_BYTES, found["two"]),
    ]


def weight_plot(
    name: str, changed: str, first: int, published: Sequence[int], found: Mapping[str, int]
) -> Plot:
    return Plot(
        f"{name}-changed",
        f"Differences in {changed}",
        "Hamming weight of the product",
        "differences",
        "bars",
        {
            "ours": [(int(weight), n) for weight, n in found.items()],
            "published": list(enumerate(published, first)),
        },
        log_y=name == "two",
    )
