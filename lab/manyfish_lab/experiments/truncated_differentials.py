# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Which bytes of a difference become zero: patterns through g, F and rounds, and the best paths."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb, log2

import numpy as np

from manyfish_lab import pattern_pairs, patterns
from manyfish_lab.chi_square import wilson
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
    within,
)
from manyfish_lab.pattern_pairs import MEASURED_ROUNDS, Counts
from manyfish_lab.pattern_search import (
    NOISE,
    between,
    data_needed,
    differentials,
    of_all,
    paths,
    pattern_text,
    round_shares,
    with_zeros,
    zero_shares,
)

SEED = 20000607
# [MoriaiYin00], abstract: 16 rounds; texts for one good pair; good pairs in all.
PATH_LOG2 = -57.3
TEXTS_LOG2 = 51
GOOD_LOG2 = 77
DATA_ROUNDS = (3, 4, 5)
EVERY_ROUNDS = (3, 4, 5, 6)
Z = 3.29  # 99.9 %

# Tasks of a scale by kind, and pairs of each.
PAPER = {"g": (16, 1 << 21), "F": (16, 1 << 21), "rounds": (32, 1 << 21)}
SIZES: dict[Scale, dict[str, tuple[int, int]]] = {
    "small": {"g": (2, 1 << 18), "F": (2, 1 << 18), "rounds": (4, 1 << 18)},
    "paper": PAPER,
    "full": PAPER,
}
KEYS = 64  # of a task
# Active bytes of the right half whose need of data is looked at: whole words, or all sets.
HALVES: dict[Scale, list[int]] = {
    "small": [0x0F, 0xF0, 0xFF],
    "paper": list(range(1, 256)),
    "full": list(range(1, 256)),
}
# Patterns from which every truncated differential is looked at: left halves, end of right halves.
STARTS: dict[Scale, tuple[int, int]] = {"small": (1, 5), "paper": (1, 256), "full": (256, 256)}


def tasks(scale: Scale) -> list[Task]:
    """The model in parts, then the measured pairs."""
    lefts, end = STARTS[scale]
    every = [{"kind": "every", "left": left, "end": end} for left in range(lefts)]
    measured = [
        {"kind": kind, "seed": [SEED, place, index], "pairs": pairs}
        for place, (kind, (count, pairs)) in enumerate(SIZES[scale].items())
        for index in range(count)
    ]
    return [{"kind": "model"}, {"kind": "data", "halves": HALVES[scale]}, *every, *measured]


def _data_part(task: Task) -> Json:
    model = patterns.model()
    return data_needed(model, model.rounds(), task["halves"], DATA_ROUNDS)


def _model_part(_: Task) -> Json:
    model = patterns.model()
    rounds = model.rounds()
    found = paths(model)
    g = patterns.mds(model.bits, model.cells)
    weights = [pattern.bit_count() for pattern in range(16)]
    by_weight = [
        [sum(g[(1 << a) - 1, o] for o in range(16) if weights[o] == b) for b in range(5)]
        for a in range(5)
    ]
    return {
        "g": by_weight,
        "F": zero_shares(model),
        "rounds": round_shares(model, rounds, MEASURED_ROUNDS),
        "paths": found,
        "between": between(model, rounds, found[0]),
        "knudsen": with_zeros(model, rounds),
    }


def _every_part(task: Task) -> Json:
    model, left = patterns.model(), task["left"]
    return differentials(model, model.rounds(), left, range(left == 0, task["end"]), EVERY_ROUNDS)


PARTS = {"model": _model_part, "data": _data_part, "every": _every_part}
MEASURES = {
    "g": pattern_pairs.measure_g,
    "F": pattern_pairs.measure_F,
    "rounds": pattern_pairs.measure_rounds,
}


def compute(task: Task) -> Json:
    """The model, or counts of pairs over many keys."""
    if task["kind"] in PARTS:
        return {"kind": task["kind"], "found": PARTS[task["kind"]](task)}
    random = np.random.default_rng(task["seed"])
    each = task["pairs"] // KEYS
    counts = sum(MEASURES[task["kind"]](random, each) for _ in range(KEYS))
    return {"kind": task["kind"], "counts": np.asarray(counts).tolist()}


# --- the figures -------------------------------------------------------------------------------


def _power(log: float | None) -> str:
    return "0" if log is None else f"2^{log:.2f}"


def _published_table(model: Json) -> Table:
    best, other = (model["paths"][word]["log2"] for word in (0, 1))
    texts = -best - log2(comb(256, 2)) + 8
    good = 127 + log2(255) + best
    cells = [
        Cell(
            "best path over 16 rounds: one active byte of R0 (R1) in, seven zero bytes out",
            f"about 2^{PATH_LOG2}",
            f"{_power(best)} ({_power(other)})",
            False,
            "Every pattern on the way is fixed, that of F's output too.",
        ),
        Cell(
            "chosen plaintexts for one pair that follows it",
            f"about 2^{TEXTS_LOG2}",
            _power(texts),
            False,
            "Sets of 256 plaintexts that differ in the active byte; the source rounds up.",
        ),
        Cell(
            "pairs that follow it, of all",
            f"2^{GOOD_LOG2}",
            _power(good),
            False,
            "2^127 * 255 pairs differ in that byte only; the source rounds down.",
        ),
    ]
    return Table("The 16-round truncated differential", cells, "[MoriaiYin00]")


def _chance_table(model: Json) -> Table:
    cells = [
        ours(f"best path, active byte in R{word}", _power(path["log2"]))
        for word, path in enumerate(model["paths"])
    ]
    cells.append(ours("all paths between the ends of that of R0", _power(model["between"]["all"])))
    cells.append(ours("a random permutation, same ends", _power(model["between"]["chance"])))
    return Table("The same ends by one path, by all paths, and by chance", cells)


def _knudsen_table(model: Json) -> Table:
    log = model["knudsen"][-1]
    good = 255 + log
    cell = within(
        "pairs with four or more zero bytes after each of 16 rounds, of 2^255",
        "at least one",
        f"2^{good:.1f} expected on one path",
        good >= 0,
        f"The best such path has probability {_power(log)}.",
    )
    return Table("32 bits known after every round", [cell], "[Knudsen00]")


def _share(count: int, total: int, model: float) -> tuple[str, bool]:
    model = min(model, 1.0)
    low, high = wilson(count, total, Z)
    return f"model {model:.3g}; measured {count / total:.3g} ({low:.3g} to {high:.3g})", (
        low - NOISE <= model <= high + NOISE
    )


def _g_table(model: Json, counts: Counts) -> Table:
    cells = []
    for a in range(1, 5):
        total = int(counts[a].sum())
        for b in range(1, 5):
            if model["g"][a][b] > 0 or counts[a, 4 - b] > 0:
                text, inside = _share(int(counts[a, 4 - b]), total, model["g"][a][b])
                cells.append(ours(f"g: {a} active to {b}", text, "" if inside else "outside"))
    return Table("Bytes through g, real S-boxes; 99.9 % intervals (Wilson)", cells)


def _zeros_table(title: str, names: Sequence[str], model: Json, counts: Counts) -> Table:
    """Pairs with at least one, two, three zero bytes."""
    cells = []
    for name, expected, row in zip(names, model, counts):
        total = int(row.sum())
        for least in (1, 2, 3):
            text, inside = _share(int(row[least:].sum()), total, float(sum(expected[least:])))
            why = "" if inside else "outside: the model takes bytes as independent"
            cells.append(ours(f"{name}: {least} or more zero bytes", text, why))
    return Table(f"{title}; 99.9 % intervals (Wilson)", cells)


def _times(excess: float) -> str:
    return f"2^{log2(1 + excess):.2f}" if excess >= 1 else f"1 + 2^{log2(excess):.1f}"


def _every_table(every: Sequence[Json], starts: int) -> Table:
    """By the rounds what is most above chance, and what never comes."""
    cells = []
    for told in every:
        r, above = told["rounds"], told["above"]
        start, end = (pattern_text(*state) for state in above["states"])
        cells += [
            ours(f"{r} rounds: most above chance", f"{_times(above['excess'])} times"),
            ours(f"{r} rounds: from", start),
            ours(f"{r} rounds: to", f"{end}, with 2^{log2(above['probability']):.2f}"),
            ours(f"{r} rounds: pairs of patterns without a path", f"{told['never']:,}"),
        ]
    return Table(f"All truncated differentials of bytes, from {starts:,} patterns", cells)


def _likely_plot(every: Sequence[Json]) -> Plot:
    lines = {
        f"{told['rounds']} rounds": [
            (float(zeros), one["probability"])
            for zeros, one in enumerate(told["likely"])
            if one["probability"]
        ]
        for told in every
    }
    chance = [(float(zeros), 255.0 ** (16 - zeros) / 2.0**128) for zeros in range(16)]
    return Plot(
        "truncated-likely",
        "The most probable truncated differential by the zero bytes of its end",
        "zero bytes",
        "probability",
        "lines",
        {**lines, "chance": chance},
        log_y=True,
    )


def _plots(model: Json, data: Json) -> list[Plot]:
    knudsen = [(float(r + 1), 2.0**p) for r, p in enumerate(model["knudsen"])]
    texts = [(float(d["rounds"]), 2.0 ** d["texts"]) for d in data]
    return [
        Plot(
            "truncated-paths",
            "Best path with four or more zero bytes after every round",
            "rounds",
            "probability",
            "lines",
            {"ours": knudsen},
            log_y=True,
        ),
        Plot(
            "truncated-data",
            "Chosen plaintexts that byte patterns need, by the model",
            "rounds",
            "plaintexts",
            "bars",
            {"ours": texts},
            log_y=True,
        ),
    ]


def _remarks(model: Json, every: Sequence[Json], starts: int) -> list[str]:
    states, between = model["paths"][0]["states"], model["between"]
    no_more = (
        f"Each of {starts:,} patterns was a start and each pattern an end, with all paths between "
        "them, so no better differential of the model was missed."
    )
    if starts == 65535:
        last = every[-1]
        no_more += (
            f" Over {last['rounds']} rounds none is more than {_times(last['above']['excess'])} "
            "times as probable as by chance. Over more rounds none can be, since there each is an "
            "average of these."
        )
    return [
        "A path is a pattern for every half and for every output of F; a truncated differential "
        "is all paths between two ends. The published probability is that of one path. All paths "
        f"between the same ends have {_power(between['all'])} together, and a random permutation "
        f"has {_power(between['chance'])}. So pairs that follow the path exist, and prove nothing.",
        f"The states of the path (R0 R1 R2 R3, x active): `{pattern_text(*states[0])}`, "
        f"`{pattern_text(*states[1])}`, then all active, last `{pattern_text(*states[-2])}`, "
        f"`{pattern_text(*states[-1])}`.",
        "We infer that one byte is active at the start: 2^51 texts for a path of 2^-57.3 are sets "
        "of 2^8, and 2^77 pairs are 2^128 * 2^7 of them times 2^-57.3. We have not seen the "
        "report itself.",
        "Where two or more bytes are active, the model lies within the intervals of F. From a "
        "single byte MDS makes only 255 differences, whose bytes depend on each other.",
        "The data of byte patterns are the amounts at which a pattern stands out by one standard "
        "deviation, with active bytes in the right half only. For them an excess below 1e-9 counts "
        "as none, so six rounds are not among them.",
        no_more,
    ]


def combine(scale: Scale, done: Sequence[Json]) -> Findings:
    """The model's figures beside the published ones and beside what was measured."""
    found = {kind: [p["found"] for p in done if p["kind"] == kind] for kind in PARTS}
    (model,), (data,), every = found["model"], found["data"], of_all(found["every"])
    lefts, end = STARTS[scale]
    starts = lefts * end - 1  # a pair of equal texts is none
    counts = {
        kind: np.sum([part["counts"] for part in done if part["kind"] == kind], axis=0)
        for kind in MEASURES
    }
    active = [f"F: {w} active" for w in range(1, 9)]
    after = [f"{r} rounds" for r in MEASURED_ROUNDS]
    needs = [
        ours(
            f"{d['rounds']} rounds, active {d['active']}: pairs, plaintexts",
            f"2^{d['pairs']}, 2^{d['texts']}",
        )
        for d in data
    ]
    tables = [
        _published_table(model),
        _chance_table(model),
        _knudsen_table(model),
        _g_table(model, counts["g"]),
        _zeros_table("Bytes through F", active, model["F"][1:], counts["F"][1:]),
        _zeros_table(
            "One active byte of the right half, through rounds",
            after,
            model["rounds"],
            counts["rounds"],
        ),
        Table("What byte patterns need to tell rounds from chance (the model, one sigma)", needs),
        _every_table(every, starts),
    ]
    measured = {kind: table.tolist() for kind, table in counts.items()}
    everything = {"model": model, "data": data, "every": every, "counts": measured}
    plots = [*_plots(model, data), _likely_plot(every)]
    return Findings(tables, plots, _remarks(model, every, starts), everything)


EXPERIMENT = Experiment(
    name="truncated-differentials",
    question="How far can the zero bytes of a difference be followed through Twofish?",
    method=(
        "The model knows of a difference only which bytes are zero. It computes g by the weights "
        "of an MDS code, the PHT and the key addition by an automaton over the carries, and then "
        "the 1-bit rotations and the XOR. The program finds the best path over rounds step by "
        "step, over all 2^16 patterns, and the probability of each differential with all its "
        "paths. It also counts pairs with real keys."
    ),
    sources=["[MoriaiYin00]", "[Knudsen00]", "[Twofish98, 4.2]"],
    covers={
        "small": "the model; 2^21 pairs over 512 keys",
        "paper": "the model, with all differentials from differences in the right half; 2^27 pairs "
        "over 4,096 keys",
        "full": "the model with all differentials; 2^27 pairs over 4,096 keys",
    },
    tasks=tasks,
    compute=compute,
    combine=combine,
    seed=SEED,
)
