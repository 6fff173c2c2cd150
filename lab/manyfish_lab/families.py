# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The measurements of the experiment `family-key`; each function of `COMPUTE` does a task."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from manyfish_lab import schedule, streams, twofish
from manyfish_lab.experiment import Json, Task
from manyfish_lab.schedule import Bytes, Steps

BLOCK_BITS = 128
NONE = Steps(False, False, False, False, False)
FK = Steps()


# --- which part of a family key changes the set --------------------------------------------------


@dataclass(frozen=True)
class Case:
    """Keys under a family key, and where their subkeys and S are looked for.

    steps   what is done with the family key
    where   "plain": among all keys of Twofish; "own": among all keys under the same family key;
            "neighbour": under a family key that differs in one bit
    """

    what: str
    steps: Steps
    where: str = "plain"


CASES: dict[str, Case] = {
    "control": Case("no family key", NONE),
    "T0": Case("T_0 is XORed into the key, nothing else", Steps(True, False, False, False, False)),
    "T1": Case("T_0, and T_1 for S, without q_0", Steps(True, True, False, False, False)),
    "q0": Case("T_0, and T_1 and q_0 for S", Steps(True, True, True, False, False)),
    "T2": Case("T_2 and T_3 are XORed into the whitening", Steps(False, False, False, True, False)),
    "T4": Case("T_4 is XORed into the round subkeys", Steps(False, False, False, False, True)),
    "FK": Case("all of Twofish-FK", FK),
    "own": Case("all of Twofish-FK, looked for in its own family", FK, "own"),
    "neighbour": Case("all of Twofish-FK, looked for in a family one bit away", FK, "neighbour"),
}
COUNTS = ("rounds", "whitening", "sbox", "all")


def _flipped(family_keys: Bytes, rng: Generator) -> Bytes:
    bits = rng.integers(0, 8 * schedule.FAMILY_KEY_BYTES, len(family_keys))
    flipped = family_keys.copy()
    flipped[np.arange(len(flipped)), bits // 8] ^= (1 << bits % 8).astype(np.uint8)
    return flipped


def _random(rng: Generator, count: int, n_bytes: int) -> Bytes:
    return rng.integers(0, 256, (count, n_bytes), np.uint8)


def search(case: Case, keys: Bytes, family_keys: Bytes, rng: Generator) -> Json:
    """For how many keys there is a key elsewhere with the same subkeys and S, and parts of them."""
    K, S = schedule.in_family(keys, family_keys, case.steps)
    where = family_keys if case.where != "neighbour" else _flipped(family_keys, rng)
    steps = NONE if case.where == "plain" else case.steps
    found, fits = schedule.solve_in_family(K, where, steps)
    other_K, other_S = schedule.in_family(found, where, steps)
    whitening = fits & (K[:, :8] == other_K[:, :8]).all(axis=1)
    sbox = fits & (other_S == S).all(axis=1)
    counts = [int(x.sum()) for x in (fits, whitening, sbox, whitening & sbox)]
    return {"count": len(keys), **dict(zip(COUNTS, counts, strict=True))}


def _compute_search(task: Task, rng: Generator) -> Json:
    keys = _random(rng, task["count"], schedule.KEY_BYTES)
    family_keys = _random(rng, task["count"], schedule.FAMILY_KEY_BYTES)
    return search(CASES[task["case"]], keys, family_keys, rng)


# --- whether the subkeys here are those of the library -------------------------------------------


def _compute_library(task: Task, rng: Generator) -> Json:
    """How often the library encrypts a block as subkeys and S of `schedule` do."""
    keys = _random(rng, task["count"], schedule.KEY_BYTES)
    family_keys = _random(rng, task["count"], schedule.FAMILY_KEY_BYTES)
    blocks = _random(rng, task["count"], 16)
    equal = 0
    for steps, given in ((NONE, None), (FK, family_keys)):
        K, S = schedule.in_family(keys, family_keys, steps)
        expected = streams.encrypt(keys, blocks, 16, given)
        for i, block in enumerate(blocks):
            equal += schedule.encrypt_block(K[i], S[i], block.tobytes()) == expected[i].tobytes()
    return {"count": 2 * task["count"], "equal": int(equal)}


# --- what can be said of all keys ----------------------------------------------------------------


def _rank(images: Sequence[int]) -> int:
    """Of a linear map, given by the images of the bits."""
    basis: list[int] = []
    for image in images:
        for row in basis:
            image = min(image, image ^ row)
        if image:
            basis.append(image)
    return len(basis)


def constant_differences(sequences: NDArray[np.uint8]) -> int:
    """In how many cases a sequence is that of an earlier row, XORed with one byte in all places."""
    relative = np.ascontiguousarray(sequences ^ sequences[:, :1])
    rows = relative.view(f"V{relative.shape[1]}")[:, 0]
    return len(rows) - len(np.unique(rows))


def _compute_columns(task: Task, rng: Generator) -> Json:
    flat = schedule.columns().reshape(8, schedule.CHOICES, schedule.PAIRS)
    q0 = twofish.q()[0]
    return {
        "constant": [constant_differences(c[:, schedule.ROUND_PAIRS]) for c in flat],
        "equal": [len(c) - len(np.unique(c[:, schedule.ROUND_PAIRS], axis=0)) for c in flat],
        "rs_rank": _rank(schedule.rs_images()),
        "q0_values": len(np.unique(q0)),
    }


# --- how near the subkeys of a family come to those of a key -------------------------------------


NEAREST = ("Twofish", "Twofish-FK", "random bytes")


def nearest(wanted: Bytes) -> list[int]:
    """How many of a column's 16 round bytes any choice of its two key bytes gives, at most."""
    flat = schedule.columns().reshape(8, schedule.CHOICES, schedule.PAIRS)
    best = []
    for row in wanted.reshape(-1, 8, schedule.PAIRS):
        for c in range(8):
            equal = flat[c, :, schedule.ROUND_PAIRS] == row[c, schedule.ROUND_PAIRS]
            best.append(int(equal.sum(axis=1).max()))
    return best


def _compute_nearest(task: Task, rng: Generator) -> Json:
    count = task["count"]
    keys = _random(rng, count, schedule.KEY_BYTES)
    family_keys = _random(rng, count, schedule.FAMILY_KEY_BYTES)
    wanted = (
        schedule.column_bytes(schedule.in_family(keys, family_keys, NONE)[0]),
        schedule.column_bytes(schedule.in_family(keys, family_keys, FK)[0]),
        rng.integers(0, 256, (count, 2, 4, schedule.PAIRS), np.uint8),
    )
    counts = [np.bincount(nearest(values), minlength=17).tolist() for values in wanted]
    return dict(zip(NEAREST, counts, strict=True))


# --- families that are near each other -----------------------------------------------------------

AVALANCHES = {"family key": schedule.FAMILY_KEY_BYTES, "key": schedule.KEY_BYTES, "plaintext": 16}


def _compute_avalanche(task: Task, rng: Generator) -> Json:
    """How many ciphertext bits change, by the bit of the input that is flipped."""
    n_bits = 8 * AVALANCHES[task["what"]]
    total, histogram = np.zeros(n_bits, np.int64), np.zeros(BLOCK_BITS + 1, np.int64)
    for _ in range(task["count"]):
        once = {what: _random(rng, 1, size) for what, size in AVALANCHES.items()}
        inputs = {what: np.repeat(value, n_bits, axis=0) for what, value in once.items()}
        one = streams.encrypt(once["key"], once["plaintext"], 16, once["family key"])
        inputs[task["what"]] = streams.one_bit_flips(once[task["what"]], n_bits)[1]
        other = streams.encrypt(inputs["key"], inputs["plaintext"], 16, inputs["family key"])
        changed = np.unpackbits(one ^ other, axis=1).sum(axis=1).astype(np.int64)
        total += changed
        histogram += np.bincount(changed, minlength=BLOCK_BITS + 1)
    return {"total": total.tolist(), "histogram": histogram.tolist()}


def _compute_relation(task: Task, rng: Generator) -> Json:
    """How many differences there are between a family and Twofish under the keys XOR T_0."""
    keys = _random(rng, task["count"], schedule.KEY_BYTES)
    family_keys = np.repeat(_random(rng, 1, schedule.FAMILY_KEY_BYTES), len(keys), axis=0)
    K, S = schedule.in_family(keys ^ family_keys[:, : schedule.KEY_BYTES], family_keys, NONE)
    found = {}
    for name in ("T1", "FK"):
        other_K, other_S = schedule.in_family(keys, family_keys, CASES[name].steps)
        found[name] = [len(np.unique(x, axis=0)) for x in (K ^ other_K, S ^ other_S)]
    return {"count": len(keys), "differences": found}


# --- the project's vectors -----------------------------------------------------------------------


def _compute_vectors(task: Task, rng: Generator) -> Json:
    family_key = np.arange(schedule.FAMILY_KEY_BYTES, dtype=np.uint8)[None]
    zero = np.zeros((1, 32), np.uint8)
    return {
        str(8 * n): streams.encrypt(zero[:, :n], zero[:, :16], 16, family_key).tobytes().hex()
        for n in (16, 24, 32)
    }


COMPUTE = {
    "search": _compute_search,
    "library": _compute_library,
    "columns": _compute_columns,
    "nearest": _compute_nearest,
    "avalanche": _compute_avalanche,
    "relation": _compute_relation,
    "vectors": _compute_vectors,
}
