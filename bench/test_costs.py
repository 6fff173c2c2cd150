# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The table of costs, and what its choices are worth: on each machine that was measured, the kernel
that the library's own costs choose is within 15 % of the best one there.
"""

from __future__ import annotations

import unittest
from collections.abc import Iterator
from typing import NamedTuple

import costs

TOLERANCE = 1.15
PERIOD = 64


class Work(NamedTuple):
    """A key, blocks under it, so many in a call; and whether tables may be addressed by secrets."""

    key_bits: int
    n_blocks: int
    a_call: int
    any_leaks: bool


def call(figures: dict[str, float], n_blocks: int) -> float:
    """A call costs what its periods of 64 blocks cost, and the rest; in between a straight line."""
    if n_blocks == 0:
        return 0.0
    periods, rest = divmod(n_blocks - 1, PERIOD)
    rest += 1
    above = next(n for n in costs.CALLS if n >= rest)
    cost = periods * (figures["128"] - figures["64"]) + figures[str(above)]
    if above != rest:
        below = max(n for n in costs.CALLS if n < rest)
        step = (figures[str(above)] - figures[str(below)]) / (above - below)
        cost -= step * (above - rest)
    return cost


def total(figures: dict[str, float], work: Work) -> float:
    calls, rest = divmod(work.n_blocks, work.a_call)
    return figures["set_up"] + calls * call(figures, work.a_call) + call(figures, rest)


def is_constant_time(kernel: str) -> bool:
    path = costs.KERNELS.parent / "kernels" / f"{kernel.replace('-', '_')}.c"
    return ".constant_time = true" in path.read_text(encoding="utf-8")


def everything() -> Iterator[Work]:
    """Messages of 16 bytes to 1 MiB: block after block, all at once, in pieces of some blocks."""
    sizes = {n + more for n in (2**i for i in range(17)) for more in (0, 1, n // 3, n // 2)}
    for key_bits in costs.KEY_BITS:
        for n_blocks in sorted(n for n in sizes if n <= 2**16):
            for a_call in {1, min(4, n_blocks), min(32, n_blocks), n_blocks}:
                for any_leaks in (False, True):
                    yield Work(key_bits, n_blocks, a_call, any_leaks)


class Costs(unittest.TestCase):
    def test_the_table_is_up_to_date(self) -> None:
        self.assertEqual(costs.make_table(check=True), 0)

    def test_every_kernel_is_there_or_has_none(self) -> None:
        kernels = {kernel for kernel, _ in costs.shipped()}
        self.assertGreaterEqual(len(kernels & set(costs.order())), 8)
        self.assertEqual(kernels - set(costs.order()), set())

    def test_choices_are_good_on_each_machine(self) -> None:
        shipped = costs.shipped()
        machines = costs.runs(costs.MEASURED)
        self.assertGreater(len(machines), 0)
        constant_time = {kernel: is_constant_time(kernel) for kernel, _ in shipped}
        for name, machine in machines.items():
            kernels = {kernel for kernel, _ in machine.rows}
            for work in everything():
                bits = work.key_bits
                may = [k for k in sorted(kernels) if work.any_leaks or constant_time[k]]
                chosen = min(may, key=lambda k: total(shipped[k, bits], work))
                there = {k: total(machine.rows[k, bits], work) for k in may}
                with self.subTest(machine=name, work=work, chosen=chosen):
                    self.assertLess(there[chosen], TOLERANCE * min(there.values()))

    def test_runs_are_merged_by_ratios(self) -> None:
        def run(speed: float, slow: float) -> costs.Run:
            def row(scale: float) -> dict[str, float]:
                return {name: speed * scale * i for i, name in enumerate(costs.FIGURES, 1)}

            return costs.Run({}, {("full", 128): row(1), ("slow", 128): row(slow)})

        rows = costs.merged([run(1, 2), run(100, 8)], [])
        for name in costs.FIGURES:
            full, slow = rows["full", 128][name], rows["slow", 128][name]
            self.assertAlmostEqual(slow / full, 4.0)
        predicted = run(7, 3).rows | {("new", 128): run(7, 1).rows["full", 128]}
        rows = costs.merged([run(1, 2)], [costs.Run({}, predicted)])
        self.assertAlmostEqual(rows["new", 128]["64"], rows["full", 128]["64"])
        self.assertAlmostEqual(rows["slow", 128]["64"], 2 * rows["full", 128]["64"])


if __name__ == "__main__":
    unittest.main()
