# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Statistical tests of ciphertext, with all rounds and with fewer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from manyfish_lab import dieharder, streams
from manyfish_lab.experiment import (
    Cell,
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
from manyfish_lab.second_level import ALPHA, Stream, binomial_tail, gathered, most_extreme

SEED = 9
ROUNDS = 16
# NIST's words on 192 and 256 bits [NISTIR6483, abstract]; 128 bits were the subject of
# [NISTIR6390], whose abstract has no result.
PUBLISHED = "random"
PUBLISHED_KEY_BITS = (192, 256)

# The chance that a flawless cipher is noticed anywhere in the experiment.
FALSE_ALARM = 0.001
HISTOGRAM_BINS = 20
COUNTER = "counter mode"


@dataclass(frozen=True)
class Size:
    """How much a scale tests: sequences of 2^20 bits, and how many of them a task has.

    sweep      numbers of rounds below 16, with keys of 128 bits
    per_sweep  sequences for each of them
    key_bits   for 16 rounds
    per_full   sequences for each of these
    """

    sweep: Sequence[int]
    per_sweep: int
    key_bits: Sequence[int]
    per_full: int
    per_task: int


SIZES: dict[Scale, Size] = {
    "small": Size((1, 3), 4, (128,), 4, 4),
    "paper": Size(range(1, ROUNDS), 12, (128, 192, 256), 56, 14),
    "full": Size(range(1, ROUNDS), 256, (128, 192, 256), 1024, 32),
}


# --- tasks ---------------------------------------------------------------------------------------


def _task(kind: str, key_bits: int, rounds: int, first: int, count: int) -> Task:
    return {
        "kind": kind,
        "key_bits": key_bits,
        "rounds": rounds,
        "first": first,
        "count": count,
        "seed": SEED,
    }


def tasks(scale: Scale) -> Sequence[Task]:
    size = SIZES[scale]

    def parts(kind: str, key_bits: int, rounds: int, sequences: int) -> Iterator[Task]:
        for first in range(0, sequences, size.per_task):
            count = min(size.per_task, sequences - first)
            yield _task(kind, key_bits, rounds, first, count)

    found = [*parts(streams.NO_CIPHER, 128, ROUNDS, size.per_full)]
    for kind in streams.KINDS:
        if kind != streams.NO_CIPHER:
            for rounds in size.sweep:
                found += parts(kind, 128, rounds, size.per_sweep)
            for key_bits in size.key_bits:
                found += parts(kind, key_bits, ROUNDS, size.per_full)
    return found


def compute(task: Task) -> Json:
    data = streams.stream(
        task["kind"],
        task["key_bits"] // 8,
        task["rounds"],
        task["first"],
        task["count"],
        task["seed"],
    )
    return {
        "task": task,
        "version": dieharder.version(),
        "constant_bits": streams.constant_bits(data),
        "p_values": dieharder.all_p_values(data),
    }


# --- what the p-values say -----------------------------------------------------------------------


def _share(part: int, whole: int) -> str:
    return f"{part} of {whole} ({100 * part / whole:.2f} %)"


def _full(found: Sequence[Stream], key_bits: int) -> list[Stream]:
    return [
        s
        for s in found
        if s.rounds == ROUNDS and s.key_bits == key_bits and s.kind != streams.NO_CIPHER
    ]


def _seen(found: Sequence[Stream], threshold: float) -> str:
    seen = [f"{s.kind}: {name}" for s in found for name in s.noticing(threshold)]
    return "; ".join(seen) if seen else PUBLISHED


def _full_cells(found: Sequence[Stream], threshold: float) -> Iterator[Cell]:
    for key_bits in sorted({s.key_bits for s in found}):
        of = _full(found, key_bits)
        result, what = _seen(of, threshold), f"keys of {key_bits} bits, 16 rounds"
        why = (
            f"chance does this in one of {1 / FALSE_ALARM:,.0f} runs, with this seed or another; "
            "if another seed does it too, it is a finding"
        )
        if key_bits in PUBLISHED_KEY_BITS:
            yield same(what, PUBLISHED, result, why)
        else:
            yield ours(what, result)
        extreme, count = sum(s.extreme for s in of), sum(s.count for s in of)
        yield ours(f"{what}: extreme p-values, 1 % expected", _share(extreme, count))
    of = [s for s in found if s.kind == streams.NO_CIPHER]
    extreme, count = sum(s.extreme for s in of), sum(s.count for s in of)
    yield ours(f"{streams.NO_CIPHER}: the same tests", _seen(of, threshold))
    yield ours(f"{streams.NO_CIPHER}: extreme p-values", _share(extreme, count))


def _sweep(found: Sequence[Stream], kind: str) -> list[Stream]:
    return sorted(
        (s for s in found if s.kind == kind and s.key_bits == 128), key=lambda s: s.rounds
    )


def _kinds(found: Sequence[Stream]) -> list[str]:
    return [k for k in dict.fromkeys(s.kind for s in found) if k != streams.NO_CIPHER]


def _sweep_cells(found: Sequence[Stream], threshold: float) -> Iterator[Cell]:
    for kind in _kinds(found):
        texts = []
        for s in _sweep(found, kind):
            noticing = len(s.noticing(threshold))
            if noticing:
                texts.append(f"{s.rounds}: {noticing} of {len(s.verdicts)}")
        yield ours(kind, "; ".join(texts) if texts else "none")


def _constant_cell(results: Sequence[Json]) -> Cell:
    found = {
        result["task"]["rounds"]: result["constant_bits"]
        for result in results
        if result["task"]["kind"] == COUNTER and result["task"]["key_bits"] == 128
    }
    texts = [f"{rounds}: {n}" for rounds, n in sorted(found.items()) if n]
    return ours(
        "counter mode: bits of a block that 8192 counters leave as they are",
        "; ".join(texts) if texts else "none",
        "the one that three rounds leave is the lowest bit of T_0 + 2 T_1 in the second round, "
        "where the counter is in T_1 alone",
    )


def _most_rounds(found: Sequence[Stream], threshold: float) -> int:
    """The greatest number of rounds with which any stream is noticed, 0 if there is none."""
    return max((s.rounds for s in found if s.noticing(threshold)), default=0)


# --- pictures ------------------------------------------------------------------------------------

# Kinds whose curves differ; the others lie on one of these.
DRAWN = (
    COUNTER,
    "CBC of zero blocks",
    "one plaintext bit changes",
    "plaintexts of low weight",
    "one key bit changes",
    "keys of low weight",
)


def _pass_plot(found: Sequence[Stream]) -> Plot:
    return Plot(
        "by-rounds",
        "P-values that are not extreme, by rounds (128-bit keys; 0.99 expected)",
        "rounds",
        "share of p-values",
        "lines",
        {kind: [(s.rounds, s.passed) for s in _sweep(found, kind)] for kind in DRAWN},
    )


def _histogram(found: Sequence[Stream], rounds: int) -> list[tuple[float, float]]:
    bins = [0] * HISTOGRAM_BINS
    for s in found:
        if s.rounds == rounds and s.kind != streams.NO_CIPHER:
            for values in s.p_values.values():
                for p in values:
                    bins[min(int(p * HISTOGRAM_BINS), HISTOGRAM_BINS - 1)] += 1
    total = sum(bins)
    return [((i + 0.5) / HISTOGRAM_BINS, n / total) for i, n in enumerate(bins)]


def _p_value_plot(found: Sequence[Stream]) -> Plot:
    return Plot(
        "p-values",
        f"All p-values of all kinds of streams ({1 / HISTOGRAM_BINS} expected in each bar)",
        "p-value",
        "share",
        "bars",
        {f"{rounds} rounds": _histogram(found, rounds) for rounds in (3, ROUNDS)},
    )


# --- findings ------------------------------------------------------------------------------------


def _second_level_cells(found: Sequence[Stream]) -> Iterator[Cell]:
    """The two rules of [SP800-22, 4.2], where there are enough p-values for them."""
    of = [
        v
        for s in found
        if s.rounds == ROUNDS and s.kind != streams.NO_CIPHER
        for v in s.verdicts.values()
        if v.uniform is not None
    ]
    if not of:
        return
    above = sum(v.extreme > most_extreme(v.count) for v in of)
    expected = sum(binomial_tail(int(most_extreme(v.count)) + 1, v.count, ALPHA) for v in of)
    yield ours(
        "16 rounds: sets of p-values with more extreme ones than 1 % and 3 standard deviations",
        f"{above} of {len(of)}",
        f"{expected:.1f} are expected",
    )
    low = sum(v.uniform is not None and v.uniform < ALPHA for v in of)
    yield ours(
        "16 rounds: sets of p-values less uniform than 1 % of such sets",
        f"{low} of {len(of)}",
        f"{ALPHA * len(of):.1f} are expected",
    )


def _data(found: Sequence[Stream], results: Sequence[Json]) -> Json:
    """Counts and extreme ones of each stream, statistic by statistic as `statistics` names them."""
    names = list(dict.fromkeys(name for s in found for name in s.verdicts))
    return {
        "dieharder": sorted({result["version"] for result in results}),
        "statistics": names,
        "streams": [
            {
                "kind": s.kind,
                "key_bits": s.key_bits,
                "rounds": s.rounds,
                "counts": [s.verdicts[name].count for name in names],
                "extreme": [s.verdicts[name].extreme for name in names],
                "uniform": [_rounded(s.verdicts[name].uniform) for name in names],
            }
            for s in found
        ],
    }


def _rounded(p: float | None) -> float | None:
    return None if p is None else float(f"{p:.4g}")


def _remarks(found: Sequence[Stream], threshold: float) -> list[str]:
    most = _most_rounds(found, threshold)
    checks = sum(s.checks for s in found)
    return [
        "The tests notice a stream if one of its statistics is less probable than "
        f"{threshold:.1e}: that is {FALSE_ALARM} for the whole experiment, divided by its "
        f"{checks:,} checks (Bonferroni). With more than {most} rounds they notice nothing; with "
        "fewer they do, which shows that they can.",
        "Tests that notice nothing say little about security: they look for plain flaws, not for "
        "the structure that an attack uses, and a cipher of a few rounds passes them.",
        "Dieharder has monobit, runs, serial and matrix rank of [SP800-22], and tests that go "
        "further, but not the other eleven of [SP800-22]. Of Dieharder's own tests we leave out: "
        f"{dieharder.LEFT_OUT}.",
        "The kinds of streams are NIST's, from memory; we have read only the abstracts of its two "
        "reports. We leave out its random plaintexts under random keys: any permutation, even one "
        "without rounds, turns random blocks into random blocks.",
        "We tried the package nistrng of PyPI (1.2.3) for [SP800-22], and do not use it: for "
        "20,000 bits of SHAKE128 six of its tests say p = 0 (spectral, linear complexity, serial, "
        "approximate entropy, both random excursions), and one stops with an error.",
        "Others report that NIST's tests and the avalanche of Twofish disagree in the second and "
        "third round [ElMETU].",
    ]


def combine(scale: Scale, results: Sequence[Json]) -> Findings:
    found = gathered(results)
    threshold = FALSE_ALARM / sum(s.checks for s in found)
    full = Table(
        "Output of Twofish passes tests of randomness",
        [*_full_cells(found, threshold), *_second_level_cells(found)],
        "[NISTIR6483, abstract]",
    )
    sweep = Table(
        "With few rounds it does not (128-bit keys): statistics that notice, by number of rounds",
        [*_sweep_cells(found, threshold), _constant_cell(results)],
    )
    return Findings(
        [full, sweep],
        [_pass_plot(found), _p_value_plot(found)],
        _remarks(found, threshold),
        _data(found, results),
    )


EXPERIMENT = Experiment(
    name="randomness",
    question="Can statistical tests tell the output of Twofish from random data, and with how few "
    "rounds?",
    method="The program makes streams in which a weak cipher would show itself (counter mode, "
    "inputs of low and high weight, single flipped bits), with 1 to 16 rounds. It gives them to "
    "Dieharder in sequences of 2^20 bits. For each statistic it compares the number of p-values "
    f"outside of {ALPHA / 2} to {1 - ALPHA / 2} with the binomial distribution, and tests by "
    "chi-square whether the p-values are uniform.",
    sources=("[SP800-22]", "[NISTIR6390, abstract]", "[NISTIR6483, abstract]", "[Dieharder]"),
    covers={
        "small": "1, 3 and 16 rounds, 128-bit keys, 4 sequences of each kind of stream",
        "paper": "1 to 15 rounds with 12 sequences of each kind (128-bit keys); 16 rounds with 56 "
        "for each key length",
        "full": "1 to 15 rounds with 256 sequences of each kind (128-bit keys); 16 rounds with "
        "1,024 for each key length",
    },
    tasks=tasks,
    compute=compute,
    combine=combine,
    seed=SEED,
)
