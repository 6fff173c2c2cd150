# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The model of patterns for the rounds of Twofish: the best paths, and what they tell."""

from __future__ import annotations

from collections.abc import Sequence
from math import log2

import numpy as np
from numpy.typing import NDArray

from manyfish_lab import patterns
from manyfish_lab.experiment import Json

ROUNDS = 16
KNOWN_BYTES = 4  # after every round, as in [Knudsen00]
NOISE = 1e-9  # what doubles cannot tell from no difference


def pattern_text(left: int, right: int) -> str:
    """A state as sixteen marks, bytes 0 to 15: x active, . zero."""
    order = (left >> 4, left & 15, right >> 4, right & 15)
    return " ".join("".join(".x"[word >> i & 1] for i in range(4)) for word in order)


def _starts(model: patterns.Model, word: int) -> patterns.Table:
    """One active byte in the word R_word of the plaintext, certain."""
    start = np.zeros((model.halves, model.halves))
    size = 2**model.cells
    for byte in range(model.cells):
        half = (1 << byte) * (1 if word % 2 else size)
        start[(half, 0) if word < 2 else (0, half)] = 1
    return start


def logarithm(p: float) -> float | None:
    return round(log2(p), 3) if p > 0 else None


def _zeros(model: patterns.Model) -> NDArray[np.int64]:
    """The zero bytes of each state."""
    weights = model.weights()
    zeros: NDArray[np.int64] = 4 * model.cells - weights[:, None] - weights[None, :]
    return zeros


def _highest(values: patterns.Table) -> tuple[int, int]:
    """The state with the highest value."""
    at = np.unravel_index(int(values.argmax()), values.shape)
    return int(at[0]), int(at[1])


def paths(model: patterns.Model) -> list[Json]:
    """The best paths from one active byte to seven zero ones, by the word of that byte."""
    steps, zeros = model.steps(), _zeros(model)
    found = []
    for word in (0, 1):
        reached = patterns.best_paths(_starts(model, word), steps, ROUNDS)
        last = _highest(reached[-1] * (zeros == 7))
        states = patterns.path_to(reached, steps, last)
        by_zeros = [logarithm(float(np.where(zeros == z, reached[-1], 0).max())) for z in range(9)]
        found.append({"log2": by_zeros[7], "states": states, "by_zeros": by_zeros})
    return found


def between(model: patterns.Model, rounds: patterns.Table, path: Json) -> Json:
    """Between the ends of a path: all paths, and a random permutation."""
    state = np.zeros((model.halves, model.halves))
    state[path["states"][0]] = 1
    for _ in range(ROUNDS):
        state = patterns.propagate(state, rounds)
    last = path["states"][-1]
    return {"all": logarithm(float(state[last])), "chance": logarithm(float(model.chance()[last]))}


def with_zeros(model: patterns.Model, rounds: patterns.Table) -> list[float | None]:
    """The best path with this many zero bytes after each round, by the rounds."""
    allowed = (_zeros(model) >= KNOWN_BYTES).astype(float)
    allowed[0, 0] = 0
    reached = patterns.best_paths(np.ones_like(allowed), rounds, ROUNDS, allowed)
    return [logarithm(float(state.max())) for state in reached[1:]]


def differentials(
    model: patterns.Model,
    rounds: patterns.Table,
    left: int,
    rights: Sequence[int],
    numbers: Sequence[int],
) -> list[Json]:
    """Of the truncated differentials that start from these halves, after these rounds: `_told`."""
    state = np.zeros((len(rights), model.halves, model.halves))
    state[np.arange(len(rights)), left, rights] = 1
    found = []
    for count in range(1, max(numbers) + 1):
        state = patterns.propagate(state, rounds)
        if count in numbers:
            told = _told(model, state, [(left, right) for right in rights])
            found.append({"rounds": count, **told})
    return found


def _told(model: patterns.Model, state: patterns.Table, starts: list[tuple[int, int]]) -> Json:
    """The most that differentials with all their paths tell, from each start to any end.

    likely  by the zero bytes at the end: the most probable one
    above   the one that is most above chance: how far, in parts of what chance gives
    never   how many have no path; no difference at the end is none of them
    """
    most, start = state.max(axis=0), state.argmax(axis=0)
    excess, zeros = most / model.chance() - 1, _zeros(model)

    def about(value: patterns.Table) -> Json:
        end = _highest(value)
        return {"probability": float(most[end]), "states": [starts[start[end]], end]}

    return {
        "likely": [about(most * (zeros == z)) for z in range(4 * model.cells)],
        "above": about(excess) | {"excess": float(excess.max())},
        "never": int((state == 0).sum()) - len(starts),
    }


def of_all(parts: Sequence[Sequence[Json]]) -> list[Json]:
    """The same of the starts of all parts."""
    return [
        {
            "rounds": same[0]["rounds"],
            "likely": [
                _most(each, "probability") for each in zip(*(one["likely"] for one in same))
            ],
            "above": _most([one["above"] for one in same], "excess"),
            "never": sum(one["never"] for one in same),
        }
        for same in zip(*parts)
    ]


def _most(those: Sequence[Json], what: str) -> Json:
    return max(those, key=lambda one: float(one[what]))


def _texts(pairs: float, freedom: float) -> float:
    """log2 of the chosen plaintexts that hold 2^pairs pairs, `freedom` bits being active."""
    if 2 * freedom - 1 >= pairs:
        return (pairs + 1) / 2
    return pairs - freedom + 1


def data_needed(
    model: patterns.Model, rounds: patterns.Table, halves: list[int], numbers: Sequence[int]
) -> Json:
    """The information in the pattern of the ciphertexts' difference, for active right halves."""
    chance, weights = model.chance(), model.weights()[halves]
    state = np.zeros((len(halves), model.halves, model.halves))
    state[np.arange(len(halves)), 0, halves] = 1
    found = []
    for count in range(1, max(numbers) + 1):
        state = patterns.propagate(state, rounds)
        if count not in numbers:
            continue
        share = state / chance - 1
        share[np.abs(share) < NOISE] = 0
        share[:, 0, 0] = 0  # two texts are never one, by a cipher nor by chance
        told = (share * share * chance).sum(axis=(1, 2))
        need = [
            _texts(-log2(t), model.bits * w) if t > 0 else np.inf
            for t, w in zip(told.tolist(), weights.tolist())
        ]
        best = int(np.argmin(need))
        if told[best] > 0:
            pairs, texts = round(-log2(float(told[best])), 1), round(need[best], 1)
            active = pattern_text(0, halves[best])
            found.append({"rounds": count, "pairs": pairs, "texts": texts, "active": active})
    return found


def zero_shares(model: patterns.Model) -> Json:
    """Pr(zero bytes of F's difference), by the active bytes of the input, over its patterns."""
    weights = model.weights()
    F = model.F.reshape(model.halves, model.halves)
    shares = np.zeros((9, 9))
    for w in range(1, 9):
        rows = F[weights == w].mean(axis=0)
        shares[w] = [rows[weights == 8 - z].sum() for z in range(9)]
    return shares.tolist()


def round_shares(model: patterns.Model, rounds: patterns.Table, numbers: Sequence[int]) -> Json:
    """Pr(zero bytes of the ciphertexts' difference) for a random active byte of the right half."""
    zeros = _zeros(model)
    state = sum((_starts(model, word) for word in (2, 3)), np.zeros_like(model.chance())) / 8
    shares = []
    for count in range(1, max(numbers) + 1):
        state = patterns.propagate(state, rounds)
        if count in numbers:
            shares.append([float(state[zeros == z].sum()) for z in range(17)])
    return shares
