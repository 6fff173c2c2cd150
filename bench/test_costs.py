# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The table of costs, and what its choices are worth: on each machine that was measured or
predicted, the kernel that the library's own costs choose is within 15 % of the best one there.

The same figures that the table is made of are a weak check where there is one machine. So it is
also held against other measurements: whole messages, single blocks and bulk by `manyfish speed`,
also of machines and days of which the table knows nothing. A choice against the best kernel of the
same run, by the clock, is `make bench-choice`: tests do not depend on times.
"""

from __future__ import annotations

import re
import unittest
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import commands
import costs

TOLERANCE = 1.15
PERIOD = 64
BLOCK_BYTES = 16
LEAKS = ("none", "text", "any")


class Way(NamedTuple):
    """A kernel, and whether its constant-time set-up is taken although it has another."""

    kernel: str
    ct: bool

    def set_up(self) -> str:
        return "ct_set_up" if self.ct else "set_up"


class Work(NamedTuple):
    """A key: blocks under it, blocks in a call, and single blocks; what may leak, and whether
    tables that all keys share are allowed.
    """

    key_bits: int
    n_blocks: int
    a_call: int
    n_single: int
    leaks: str
    shared: bool


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


def total(figures: dict[str, float], way: Way, work: Work) -> float:
    calls, rest = divmod(work.n_blocks, work.a_call)
    sum_of_calls = calls * call(figures, work.a_call) + call(figures, rest)
    return figures[way.set_up()] + sum_of_calls + work.n_single * call(figures, 1)


@cache
def is_constant_time(kernel: str) -> bool:
    return costs.field(kernel, "constant_time")


@cache
def is_shared(kernel: str) -> bool:
    return costs.field(kernel, "shared_bytes")


def ways(rows: costs.Rows, work: Work) -> list[Way]:
    """Of what a machine has, all that may be chosen."""
    found = []
    for (kernel, bits), figures in sorted(rows.items()):
        if bits != work.key_bits or (is_shared(kernel) and not work.shared):
            continue
        if is_constant_time(kernel) or work.leaks == "any":
            found.append(Way(kernel, ct=False))
        if "ct_set_up" in figures and work.leaks != "none":
            found.append(Way(kernel, ct=True))
    return found


def everything() -> Iterator[Work]:
    """Messages of 16 bytes to 1 MiB: block after block, all at once, in pieces of some blocks, and
    both at once and in a chain.
    """
    sizes = {n + more for n in (2**i for i in range(17)) for more in (0, 1, n // 3, n // 2)}
    for key_bits in costs.KEY_BITS:
        for n in sorted(n for n in sizes if n <= 2**16):
            shapes = {(a_call, 0) for a_call in (1, min(4, n), min(32, n), n)} | {(n, n + 5)}
            for a_call, n_single in sorted(shapes):
                for leaks in LEAKS:
                    yield Work(key_bits, n, a_call, n_single, leaks, shared=False)
                yield Work(key_bits, n, a_call, n_single, "any", shared=True)


class Speed(NamedTuple):
    """The figures of `manyfish speed`: of (kernel, key bits), by the names of its CSV."""

    name: str
    rows: dict[tuple[str, int], dict[str, float]]


def speeds() -> Iterator[Speed]:
    for path in sorted(costs.MEASURED.glob("*.csv")):
        if re.match(r"(paper-)?\d{4}-", path.name):
            yield Speed(path.name, read_speed(path))


def read_speed(path: Path) -> dict[tuple[str, int], dict[str, float]]:
    rows: dict[tuple[str, int], dict[str, float]] = {}
    for row in commands.read(path).rows:
        figures = rows.setdefault((row["kernel"], int(row["key_bits"])), {})
        figures[row["measure"]] = float(row["value"])
    return rows


def measured_work() -> Iterator[tuple[Work, dict[str, int]]]:
    """Work whose cost follows from figures there, and how many of each; by the ordinary set-up."""
    for bits in costs.KEY_BITS:
        for leaks in ("none", "any"):
            for n in (1, 2, 3, 5, 8, 12, 20, 40, 100, 1000):
                serial = Work(bits, n, 1, 0, leaks, shared=False)
                yield serial, {"setup_cycles": 1, "block_cycles/encrypt": n}
                bulk = Work(bits, 64 * n, 64, 0, leaks, shared=False)
                yield bulk, {"setup_cycles": 1, "cycles_per_byte/1024/encrypt": 1024 * n}
            for n in (2**i for i in range(13)):
                message = Work(bits, n, n, 0, leaks, shared=False)
                yield message, {f"message/{BLOCK_BYTES * n}": 1}


class Costs(unittest.TestCase):
    def test_the_table_is_up_to_date(self) -> None:
        self.assertEqual(costs.make_table(check=True), 0)

    def test_every_kernel_is_there(self) -> None:
        self.assertEqual({kernel for kernel, _ in costs.shipped()}, set(costs.order()))

    def test_every_server_has_figures(self) -> None:
        for by in costs.servers():
            rows = costs.shipped(by)
            for kernel in costs.served():
                for bits in costs.KEY_BITS:
                    with self.subTest(by=by, kernel=kernel, bits=bits):
                        self.assertGreater(rows[kernel, bits]["ct_set_up"], 0)

    def check_run(self, name: str, machine: costs.Run) -> None:
        shipped = costs.shipped(costs.server(machine))
        n_chosen: dict[Way, int] = {}
        for work in everything():
            bits = work.key_bits
            may = ways(machine.rows, work)
            if not may:
                continue
            chosen = min(may, key=lambda way: total(shipped[way.kernel, bits], way, work))
            n_chosen[chosen] = n_chosen.get(chosen, 0) + 1
            there = {way: total(machine.rows[way.kernel, bits], way, work) for way in may}
            with self.subTest(machine=name, work=work, chosen=chosen):
                self.assertLess(there[chosen], TOLERANCE * min(there.values()))
        self.assertGreater(len(n_chosen), 1, "there was something to choose")

    def test_choices_are_good_on_each_machine(self) -> None:
        machines = costs.runs(costs.MEASURED)
        self.assertGreater(len(machines), 0)
        for name, machine in machines.items():
            self.check_run(name, machine)

    def test_choices_are_good_on_each_predicted_machine(self) -> None:
        machines = costs.runs(costs.PREDICTED)
        self.assertGreater(len(machines), 0)
        for name, machine in machines.items():
            self.check_run(name, machine)

    def test_choices_are_good_by_other_measurements(self) -> None:
        shipped = costs.shipped()
        n_checked = 0
        for speed in speeds():
            for work, parts in measured_work():
                bits = work.key_bits
                there = {}
                for way in ways(shipped, work):
                    figures = speed.rows.get((way.kernel, bits), {})
                    if parts.keys() <= figures.keys():
                        there[way] = sum(n * figures[name] for name, n in parts.items())
                if len(there) < 2:
                    continue
                chosen = min(there, key=lambda way: total(shipped[way.kernel, bits], way, work))
                n_checked += 1
                with self.subTest(machine=speed.name, work=work, chosen=chosen):
                    self.assertLess(there[chosen], TOLERANCE * min(there.values()))
        self.assertGreater(n_checked, 300)

    def test_a_wrong_table_is_noticed(self) -> None:
        """With one figure that is three times what it should be, some choice is bad."""
        name, machine = next(iter(costs.runs(costs.MEASURED).items()))
        shipped = costs.shipped(costs.server(machine))
        works = [work for work in everything() if work.leaks == "any" and not work.shared]
        for kernel, figure in (("full", "1"), ("avx2", "64"), ("full", "ct_set_up")):
            if (kernel, 128) not in machine.rows:
                continue
            figures = shipped[kernel, 128]
            wrong = shipped | {(kernel, 128): figures | {figure: 3 * figures[figure]}}
            worst = 1.0
            for work in (work for work in works if work.key_bits == 128):
                may = ways(machine.rows, work)
                chosen = min(may, key=lambda way: total(wrong[way.kernel, 128], way, work))
                there = [total(machine.rows[way.kernel, 128], way, work) for way in may]
                worst = max(worst, there[may.index(chosen)] / min(there))
            with self.subTest(machine=name, kernel=kernel, figure=figure):
                self.assertGreater(worst, TOLERANCE)

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
