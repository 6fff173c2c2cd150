# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Claims about trails that a solver proves, and bounds of many rounds from them, as tables.

A claim is a task with a "pattern" of active rounds or a number of active "boxes"; its result has
the proof too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import floor

from manyfish_lab import sat, trail_rounds
from manyfish_lab.errors import LabError
from manyfish_lab.experiment import Cell, Json, Plot, Table, ours
from manyfish_lab.trail_costs import Costs
from manyfish_lab.trails import Model

ROUNDS = range(2, 17)
Bounds = Mapping[int, float]  # by rounds


def prove(model: Model) -> Json:
    """The size of a checked proof that there is no solution."""
    proof = sat.solve(model.formula).proof
    if proof is None:
        raise LabError("the solver found a trail that a claim says does not exist")
    size = {"variables": model.formula.variables, "clauses": len(model.formula.clauses)}
    return {**size, "bytes": proof.bytes, "formula": proof.formula, "sha256": proof.sha256}


def find(model: Model) -> Json:
    """The rounds of a solution."""
    solution = sat.solve(model.formula).solution
    if solution is None:
        raise LabError("the solver found no trail")
    return [[step.R, step.T, step.F] for step in model.steps(solution)]


def bounds(costs: Costs, least: Sequence[int], done: Sequence[Json], key_bits: int) -> Bounds:
    """Of all numbers of rounds; none unless `least` was proved, which helped the solver."""
    if tuple(least) != costs.least:
        return {}
    proved = {
        part["pattern"]: float(part["cost"]) for part in done if part.get("key_bits") == key_bits
    }
    known = {"1": costs.cheapest(), **proved}
    return {n: trail_rounds.bound(n, known)[0] for n in ROUNDS}


def power(cost: float) -> str:
    """An upper bound, rounded to the safe side."""
    return f"at most 2^-{floor(10 * cost) / 10:.1f}"


def rounds_table(
    title: str,
    of: Bounds,
    published: Mapping[int, str] | None = None,
    why: str = "",
    source: str = "",
) -> Table:
    """The bounds, beside published ones that another model gave."""
    printed = published or {}
    cells = [
        Cell(f"{n} rounds", printed.get(n), power(cost), None, why if n in printed else "")
        for n, cost in of.items()
    ]
    return Table(title, cells, source)


def claims_table(done: Sequence[Json]) -> Table:
    """All claims, with the beginning of the digest of each proof."""
    return Table("Claims with checked proofs", list(_claims(done)))


def _claims(done: Sequence[Json]) -> Iterator[Cell]:
    for part in (each for each in done if "proof" in each):
        proof = part["proof"]
        text = (
            f"proved: {proof['clauses']:,} clauses, {proof['bytes']:,} bytes of proof, "
            f"SHA-256 {proof['sha256'][:16]}"
        )
        if "boxes" in part:
            what = f"at most {part['boxes']} active S-boxes: carries cost {part['carries']}"
        else:
            what = (
                f"active rounds {part['pattern']}, {part['key_bits']}-bit keys: "
                f"at most 2^-{part['cost']}"
            )
        yield ours(what, text)


def plots(name: str, what: str, lines: Mapping[str, Bounds]) -> list[Plot]:
    """A line for each, of those that there are."""
    series = {
        label: [(float(n), 2.0**-cost) for n, cost in of.items()]
        for label, of in lines.items()
        if of
    }
    title = f"Upper bounds of the {what} of a trail"
    return [Plot(name, title, "rounds", what, "lines", series, log_y=True)] if series else []
