# SPDX-License-Identifier: Apache-2.0 OR MIT
"""How many bits of the output change with one bit of the plaintext or of the key, round by round.

The kernel runs the library's variants of Twofish with 1 to 16 rounds; bit n of a block is bit n % 8
of byte n / 8.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt

import numpy as np

from manyfish_lab import changes, chi_square
from manyfish_lab.changes import Bytes
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
)

SEED = 20261122
ROUNDS = range(1, 17)

# The input that is changed, and for each scale the number of keys and of blocks under each.
CHANGED = ("plaintext", "key")
KEYS = {"small": {"plaintext": 128, "key": 32}, "paper": {"plaintext": 8192, "key": 1024}}
BLOCKS = {"plaintext": 8, "key": 16}
KEY_BYTES = {"small": (16,), "paper": (16, 24, 32)}

# A result less likely than this in an ideal cipher counts as a deviation: of 192 results, two in a
# hundred runs would have one by chance.
DEVIATION = 1e-4

DRAWN = (2, 3)  # rounds that have a picture of all pairs


# --- tasks -------------------------------------------------------------------------------------


def tasks(scale: Scale) -> Sequence[Task]:
    """One for each setting; the seed is the setting's own, whatever the scale leaves out."""
    found = []
    for n, (changed, key_bytes, whitening, rounds) in enumerate(settings()):
        if key_bytes in KEY_BYTES[scale]:
            found.append(
                {
                    "changed": changed,
                    "key_bytes": key_bytes,
                    "whitening": whitening,
                    "rounds": rounds,
                    "keys": KEYS[scale][changed],
                    "seed": [SEED, n],
                }
            )
    return found


def settings() -> list[tuple[str, int, int, int]]:
    """The changed input, bytes of the key, whether there is whitening, rounds."""
    return [
        (changed, key_bytes, whitening, rounds)
        for changed in CHANGED
        for key_bytes in KEY_BYTES["paper"]
        for whitening in (1, 0)
        for rounds in ROUNDS
    ]


def compute(task: Task) -> Json:
    """Counts over all pairs of an input and an output bit, and their picture for some rounds."""
    keys, blocks = random_inputs(task)
    counts, weights, per_key = changes.count(
        task["changed"], task["rounds"], task["whitening"], keys, blocks
    )
    samples = task["keys"] * BLOCKS[task["changed"]]
    off = 2 * counts - samples
    return {
        "samples": samples,
        "keys": task["keys"],
        "never": int(np.count_nonzero(counts == 0)),
        "always": int(np.count_nonzero(counts == samples)),
        "deviation": int(np.sum(off * off)),
        "furthest": int(np.max(np.abs(off))),
        "weights": weights.tolist(),
        "changed": int(np.sum(per_key)),
        "changed squared": int(np.sum(per_key * per_key)),
        "map": counts.tolist() if is_drawn(task) else None,
    }


def random_inputs(task: Task) -> tuple[Bytes, Bytes]:
    """Keys, and blocks for each of them."""
    rng = np.random.default_rng(task["seed"])
    n_keys, n_blocks = task["keys"], BLOCKS[task["changed"]]
    keys = rng.integers(0, 256, (n_keys, task["key_bytes"]), np.uint8)
    return keys, rng.integers(0, 256, (n_keys, n_blocks, 16), np.uint8)


def is_drawn(task: Task) -> bool:
    first = (task["changed"], task["key_bytes"], task["whitening"]) == ("plaintext", 16, 1)
    return first and task["rounds"] in DRAWN


# --- what the tasks gave -----------------------------------------------------------------------


Setting = tuple[str, int, int]


def combine(scale: Scale, results: Sequence[Json]) -> Findings:
    by_rounds: dict[Setting, dict[int, Json]] = {}
    for task, result in zip(tasks(scale), results):
        setting = (task["changed"], task["key_bytes"], task["whitening"])
        by_rounds.setdefault(setting, {})[task["rounds"]] = result
    tables = [
        round_table("plaintext", by_rounds["plaintext", 16, 1]),
        round_table("key", by_rounds["key", 16, 1]),
        summary_table(by_rounds),
        structure_table(by_rounds),
    ]
    maps = [map_plot(r, by_rounds["plaintext", 16, 1][r]) for r in DRAWN]
    plots = [mean_plot(by_rounds), deviation_plot(by_rounds), weight_plot(by_rounds), *maps]
    data = {name(s): {str(r): kept(s, one) for r, one in of.items()} for s, of in by_rounds.items()}
    return Findings(tables, plots, REMARKS, data)


def kept(setting: Setting, result: Json) -> Json:
    """The part worth keeping: sums, and for 128-bit keys with whitening the numbers of bits."""
    left_out = {"map"} if setting[1:] == (16, 1) else {"map", "weights"}
    return {key: value for key, value in result.items() if key not in left_out}


def name(setting: Setting) -> str:
    changed, key_bytes, whitening = setting
    return f"{changed}, {8 * key_bytes}-bit key, {'with' if whitening else 'no'} whitening"


def pairs(setting: Setting) -> int:
    return changes.input_bits(*setting[:2]) * changes.BLOCK_BITS


def mean(setting: Setting, result: Json) -> tuple[float, float]:
    """Bits that change on average, and half of the interval of 95 %, from what keys differ by."""
    n, blocks = result["keys"], result["samples"] // result["keys"]
    each = blocks * changes.input_bits(*setting[:2])
    average = result["changed"] / n
    variance = (result["changed squared"] / n - average**2) * n / (n - 1)
    return average / each, chi_square.CONFIDENCE_95 * sqrt(variance / n) / each


def strict(setting: Setting, result: Json) -> tuple[float, int]:
    """Chi-square of the strict avalanche criterion: each pair changes in half of the samples."""
    return result["deviation"] / result["samples"], pairs(setting)


def strict_of_others(setting: Setting, result: Json) -> tuple[float, int]:
    """The same without the pairs that never changed."""
    x, degrees = strict(setting, result)
    return x - result["never"] * result["samples"], degrees - result["never"]


def distribution(result: Json) -> tuple[float, int]:
    """Chi-square of the numbers of changed bits against the binomial distribution."""
    expected = chi_square.binomial(changes.BLOCK_BITS, sum(result["weights"]))
    return chi_square.of_counts(result["weights"], expected)


def deviates(setting: Setting, result: Json) -> bool:
    tests = (strict(setting, result), distribution(result))
    return any(chi_square.upper_tail(*test) < DEVIATION for test in tests)


def round_table(changed: str, results: Mapping[int, Json]) -> Table:
    setting = (changed, 16, 1)
    cells = []
    for rounds, result in results.items():
        average, half = mean(setting, result)
        tests = f"strict {p(strict(setting, result))}, binomial {p(distribution(result))}"
        figures = f"{average:.3f} ± {half:.3f} bits, {result['never']} pairs never; {tests}"
        others = f"strict {p(strict_of_others(setting, result))} for all pairs that ever change"
        cells.append(ours(f"after round {rounds}", figures, others if result["never"] else ""))
    samples = next(iter(results.values()))["samples"]
    title = (
        f"One bit of the {changed} changed: 128-bit keys, whitening, {samples} samples of each bit"
    )
    return Table(title, cells)


def p(test: tuple[float, int]) -> str:
    return chi_square.shown(*test)


def summary_table(by_rounds: Mapping[Setting, Mapping[int, Json]]) -> Table:
    cells: list[Cell] = []
    for setting, results in by_rounds.items():
        complete = next(r for r in ROUNDS if all(results[n]["never"] == 0 for n in ROUNDS[r - 1 :]))
        cells.append(ours(f"{name(setting)}: complete after round", str(complete)))
        cells.append(
            ours(f"{name(setting)}: no deviation from round", first_without(setting, results))
        )
        average, half = mean(setting, results[16])
        cells.append(ours(f"{name(setting)}: changed bits after 16", f"{average:.4f} ± {half:.4f}"))
    return Table("Rounds until avalanche is complete, all settings", cells)


def first_without(setting: Setting, results: Mapping[int, Json]) -> str:
    """The first round from which on no result deviates."""
    bad = [r for r in ROUNDS if deviates(setting, results[r])]
    return str(bad[-1] + 1 if bad else 1) if bad != [16] else "none"


def structure_table(by_rounds: Mapping[Setting, Mapping[int, Json]]) -> Table:
    cells = []
    for setting, results in by_rounds.items():
        for rounds in (1, 2, 3, 4):
            allowed = changes.unreachable(*setting, rounds)
            never = results[rounds]["never"]
            why = "as the structure says" if allowed == never else f"the structure says {allowed}"
            if allowed or never:
                cells.append(
                    ours(
                        f"{name(setting)}: after round {rounds}",
                        f"{never} of {pairs(setting)}",
                        why,
                    )
                )
    return Table("Pairs of an input and an output bit that never change together", cells)


# --- pictures ----------------------------------------------------------------------------------

LINES: Mapping[str, Setting] = {
    "a bit of the plaintext": ("plaintext", 16, 1),
    "a bit of the key, whitening": ("key", 16, 1),
    "a bit of the key, no whitening": ("key", 16, 0),
}


def mean_plot(by_rounds: Mapping[Setting, Mapping[int, Json]]) -> Plot:
    return Plot(
        "mean",
        "Bits that change with one bit, 128-bit keys",
        "rounds",
        "changed bits of 128, mean",
        "lines",
        {
            line: [(r, mean(setting, one)[0]) for r, one in by_rounds[setting].items()]
            for line, setting in LINES.items()
        },
    )


def deviation_plot(by_rounds: Mapping[Setting, Mapping[int, Json]]) -> Plot:
    def points(setting: Setting) -> list[tuple[float, float]]:
        tests = {r: strict(setting, one) for r, one in by_rounds[setting].items()}
        return [(r, x / degrees) for r, (x, degrees) in tests.items()]

    return Plot(
        "strict",
        "Strict avalanche criterion, 128-bit keys: 1 is an ideal cipher",
        "rounds",
        "chi-square for each pair",
        "lines",
        {line: points(setting) for line, setting in LINES.items()},
        log_y=True,
    )


def weight_plot(by_rounds: Mapping[Setting, Mapping[int, Json]]) -> Plot:
    results = by_rounds["plaintext", 16, 1]
    weights = {f"{rounds} rounds": results[rounds]["weights"] for rounds in (1, 2, 3, 16)}
    weights["binomial"] = chi_square.binomial(changes.BLOCK_BITS, 1)
    return Plot(
        "weights",
        "How many bits change with one bit of the plaintext",
        "changed bits",
        "share of samples",
        "lines",
        {line: shares(of) for line, of in weights.items()},
    )


def shares(weights: Sequence[float]) -> list[tuple[float, float]]:
    total = sum(weights)
    return [(n, round(weight / total, 6)) for n, weight in enumerate(weights)]


def map_plot(rounds: int, result: Json) -> Plot:
    """Row by row the input bits, from the top."""
    grid = [[round(n / result["samples"], 2) for n in row] for row in result["map"]]
    return Plot(
        f"pairs-{rounds}",
        f"How often an output bit changes with a bit of the plaintext: {rounds} rounds",
        "output bit",
        "plaintext bit",
        "heat",
        grid=grid,
    )


REMARKS = (
    "Whitening does not affect a change of the plaintext, since the plaintexts are random. It "
    "does affect a change of the key: with whitening one round changes half of all bits, without "
    "it one round leaves half of the block unchanged.",
    "After three rounds all but 32 of the 16,384 pairs of a plaintext bit and an output bit "
    "change together. Bit 0 of F_1 = T_0 + 2 T_1 + K does not depend on T_1, so bit 0 of one word "
    "does not yet depend on the 32 bits of another. From four rounds on every pair changes.",
    "Of the other pairs, those of the right half of the plaintext and the left half of the output "
    "still vary more than chance after three rounds. On this path a bit has passed only one layer "
    "of S-boxes. So under one key some changes of the output are more likely than others; over "
    "all keys they are not.",
    "After one round with whitening every output bit depends on the whole key, except bit 9 of "
    "C_1, which does not depend on half of the key. This bit is the XOR of bit 9 of P_1, K_1 and "
    "K_5. K_(2i+1) is A + 2B rotated by 9, and bit 0 of this sum does not depend on B.",
    "Two theses of the Middle East Technical University report that NIST's tests and the "
    "avalanche criterion disagree on Twofish with two and three rounds [ElMETU], [ArikanMETU]; we "
    "have read their abstracts. Our figures fit: the bias that is left after three rounds shows "
    "in few pairs, and not in the output for random plaintexts.",
)

EXPERIMENT = Experiment(
    name="avalanche",
    question="After how many rounds does each bit of plaintext and key change half of the output?",
    method="The program takes random keys and plaintexts, changes each bit in turn, and encrypts "
    "with 1 to 16 rounds of the library's variants. For each pair of an input bit and an output "
    "bit it counts how often the output bit changes. The 95 % intervals of the means come from "
    "the variance between keys. Two chi-square tests compare the counts with an ideal cipher: "
    "each pair should change in half of the samples (the strict avalanche criterion), and the "
    "number of changed bits should be binomial. If a pair never changes, the cipher is not "
    "complete.",
    sources=("[WebsterTavares85]", "[KamDavida79]", "[ElMETU]", "[ArikanMETU]", "[Twofish98, 4]"),
    covers={
        "small": "128-bit keys; 1,024 samples for each bit of the plaintext, 512 for each of the "
        "key",
        "paper": "all key lengths; 65,536 samples for each bit of the plaintext, 16,384 for each "
        "of the key",
    },
    tasks=tasks,
    compute=compute,
    combine=combine,
    seed=SEED,
)
