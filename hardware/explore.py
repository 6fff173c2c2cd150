#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Pipelines of 2 to 12 stages and their throughput per gate, to find the row of our own.

hardware/explore.py           makes build/hardware/pipelines.csv, in many minutes
hardware/explore.py STAGES..  prints these rows only

A block takes 16 clocks in each of them. Mbit/s are those of 128-bit keys, both directions.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor

from synthesis import Figures, Job, Recipe, figures
from tools import BUILD, run

MODULE = "twofish_two_h_pipe"
FILE = BUILD / "pipelines.csv"
BITS, CLOCKS = 128, 16
RECIPE = Recipe("speed", adder_cells=False)


def _cuts(first: int, h: int, mds: int, add: int, pair: int, s: int) -> Mapping[str, int]:
    """See twofish_two_h_pipe.v."""
    return {
        "FIRST_CUT": first,
        "H_CUTS": h,
        "MDS_CUT": mds,
        "ADD_CUTS": add,
        "PAIR_CUT": pair,
        "S_CUT": s,
        "FAST": 1,
    }


# By stages.
PIPELINES: Mapping[int, Mapping[str, int]] = {
    2: _cuts(0, 0b000001, 0, 0, 0, 0),
    3: _cuts(0, 0b001001, 0, 0, 0, 0),
    4: _cuts(0, 0b010010, 1, 0, 1, 0),
    5: _cuts(0, 0b010101, 1, 0, 1, 1),
    6: _cuts(0, 0b010101, 1, 1, 1, 1),
    7: _cuts(1, 0b010101, 1, 1, 1, 1),
    8: _cuts(1, 0b010101, 1, 2, 1, 1),
    10: _cuts(0, 0b111111, 1, 2, 1, 1),
    11: _cuts(1, 0b111111, 1, 2, 1, 1),
    12: _cuts(1, 0b111111, 1, 3, 1, 1),
}


def job(stages: int) -> Job:
    return Job(f"pipe{stages}", MODULE, {"STAGES": stages, **PIPELINES[stages]}, RECIPE)


def row(stages: int, found: Figures) -> dict[str, str]:
    rates = {wires: found.mhz(wires) * BITS / CLOCKS for wires in ("without", "with")}
    return {
        "stages": str(stages),
        "cuts": " ".join(f"{name}={value}" for name, value in PIPELINES[stages].items() if value),
        "gates": f"{found.gates:.0f}",
        "mhz": f"{found.mhz('without'):.0f}",
        "mbits": f"{rates['without']:.0f}",
        "mbits_per_kgate": f"{1000 * rates['without'] / found.gates:.1f}",
        "mhz_wires": f"{found.mhz('with'):.0f}",
        "mbits_wires": f"{rates['with']:.0f}",
        "mbits_per_kgate_wires": f"{1000 * rates['with'] / found.gates:.1f}",
    }


def rows(stages: Iterable[int]) -> list[dict[str, str]]:
    chosen = list(stages)
    with ThreadPoolExecutor(2) as pool:
        return list(map(row, chosen, pool.map(figures, map(job, chosen))))


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("stages", nargs="*", type=int, choices=list(PIPELINES), metavar="STAGES")
    asked = parser.parse_args().stages
    found = rows(asked or PIPELINES)
    if asked:
        for each in found:
            print(each)
        return 0
    with FILE.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, found[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(found)
    return 0


if __name__ == "__main__":
    sys.exit(run(main))
