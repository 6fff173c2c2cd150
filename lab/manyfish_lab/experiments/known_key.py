# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Sums of sets in the middle of the rounds: distinguishers for somebody who knows the key."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from manyfish_lab import integrals, scaled
from manyfish_lab.division import Texts, Trails, balanced
from manyfish_lab.errors import LabError
from manyfish_lab.experiment import Cell, Experiment, Findings, Json, Scale, Table, Task, ours
from manyfish_lab.experiments.integral import (
    HALF,
    MODEL_HALF,
    SHAPES,
    of_kind,
    outputs,
    size,
    varied,
    without,
)

SEED = 20071202
BYTES, WORD, MODEL, CODEBOOK = range(4)  # their own parts of it
STEPS = {"before": Trails.decrypt, "after": Trails.encrypt}
# Outputs that depend on few bits of g: bit 0 of F0, bits 0 and 1 of F1, where rotations put them.
LOW = {"before": [0, 32, 63], "after": [31, 32, 33]}
MODEL_LOW = {"before": [0, 8, 15], "after": [7, 8, 9]}
BEST = [63]  # before: bit 0 of F1 takes from T0 only
BITS = range(9)  # of R2: a byte for decryption, and one that encryption has rotated by a bit
CHUNK, PART = 1 << 18, 1 << 24  # texts at a time, texts of a task
HALVES = 1 << 10  # left halves of the model of a task


@dataclass(frozen=True)
class Middle:
    """Bits of both halves that take all values, the left one for F of the next round.

    before, after  rounds over which a sum vanishes for every key
    """

    left: Sequence[int]
    right: Sequence[int]
    before: int
    after: int

    @property
    def rounds(self) -> int:
        """All of them."""
        return self.before + self.after


SETS = {
    "Twofish": [
        Middle([], BITS, 2, 3),
        Middle([], HALF[:32], 3, 4),
        Middle([30, 31], HALF, 4, 5),
        Middle(without(HALF, 32), HALF, 5, 6),
    ],
    "model": [
        Middle([6, 7], MODEL_HALF, 4, 5),
        Middle(without(MODEL_HALF, 8), MODEL_HALF, 5, 6),
    ],
}
SIZES: dict[Scale, dict[str, Any]] = {
    "small": {"keys": 32, "model": 4, "codebook": 0, "words": 0, "bits": [30, 32],
              "outputs": [0, 31, 32, 63]},
    "full": {"keys": 4096, "model": 64, "codebook": 1 << 16, "words": 1 << 32, "bits": HALF,
             "outputs": HALF},
}  # fmt: skip


def _search(way: str, rounds: int, left: Sequence[int], right: Sequence[int],
            found: Sequence[int], shape: str = "Twofish") -> Task:  # fmt: skip
    return {"kind": "trails", "shape": shape, "way": way, "rounds": rounds, "left": list(left),
            "right": list(right), "outputs": list(found)}  # fmt: skip


def _searches(scale: Scale) -> list[Task]:
    """The sets above, and one round more; decryption with any single bit of the left half."""
    sizes, smallest, found = SIZES[scale], SETS["Twofish"][0], []
    for way in STEPS:
        for shape, low in (("Twofish", LOW), ("model", MODEL_LOW)):
            for texts in SETS[shape]:
                rounds = getattr(texts, way)
                found += [_search(way, n, texts.left, texts.right, low[way], shape)
                          for n in (rounds, rounds + 1)]  # fmt: skip
        found.append(_search(way, getattr(smallest, way), smallest.left, smallest.right,
                             sizes["outputs"]))  # fmt: skip
    found += [_search("before", 4, [bit], HALF, BEST) for bit in sizes["bits"]]
    found += [_search("before", rounds, without(HALF, bit), HALF, BEST)
              for rounds in (5, 6) for bit in sizes["bits"]]  # fmt: skip
    return found


def tasks(scale: Scale) -> list[Task]:
    """Searches, and sums of texts beside them."""
    sizes = SIZES[scale]
    return [
        *_searches(scale),
        {"kind": "bytes", "seed": [SEED, BYTES], "keys": sizes["keys"]},
        *({"kind": "words", "seed": [SEED, WORD], "first": first, "texts": PART}
          for first in range(0, sizes["words"], PART)),
        {"kind": "model", "seed": [SEED, MODEL], "keys": sizes["model"]},
        *({"kind": "codebook", "seed": [SEED, CODEBOOK], "first": first, "halves": HALVES}
          for first in range(0, sizes["codebook"], HALVES)),
    ]  # fmt: skip


# --- what is computed --------------------------------------------------------------------------


def _trails(task: Task) -> Json:
    """The outputs without a trail. For decryption the right half goes into F first."""
    halves = [frozenset(task["left"]), frozenset(task["right"])]
    texts = Texts(*(halves if task["way"] == "after" else halves[::-1]))
    step = STEPS[task["way"]]
    found, nodes = balanced(SHAPES[task["shape"]], texts, task["rounds"], task["outputs"], step)
    return {**task, "balanced": found, "nodes": nodes}


def _bytes(task: Task) -> Json:
    """Twofish: for each bit the keys with an odd sum, over the smallest set."""
    random, texts = np.random.default_rng(task["seed"]), SETS["Twofish"][0]
    values = np.arange(1 << len(BITS), dtype=np.uint32)
    odd = np.zeros((2, 64), np.int64)
    for _ in range(task["keys"]):
        key, block = random.bytes(16), np.frombuffer(random.bytes(16), "<u4")
        odd += integrals.middle_sums(key, block, values, texts.before, texts.after)
    return {"keys": task["keys"], **dict(zip(STEPS, odd.tolist()))}


def _words(task: Task) -> Json:
    """Twofish: the sums over a part of the set of 2^32 texts, under the one key."""
    random, texts = np.random.default_rng(task["seed"]), SETS["Twofish"][1]
    key, block = random.bytes(16), np.frombuffer(random.bytes(16), "<u4")
    odd = np.zeros((2, 64), np.uint8)
    for first in range(task["first"], task["first"] + task["texts"], CHUNK):
        values = np.arange(first, first + CHUNK, dtype=np.uint32)
        odd ^= integrals.middle_sums(key, block, values, texts.before, texts.after)
    about = {"key": key.hex(), "middle": block.tobytes().hex()}
    return {**about, **dict(zip(STEPS, odd.tolist()))}


def _both_sums(cipher: scaled.Scaled, texts: Middle) -> Callable[[int], NDArray[np.int64]]:
    """For a left half, the sums before and after over all right halves."""
    back = integrals.rounds_back(cipher, texts.before)[: texts.before - 1]
    on = integrals.rounds_of(cipher)[texts.before + 1 : texts.rounds - 1]
    return lambda left: np.array(
        [integrals.half_sums(tables, left)[-1] for tables in (back, on)], np.int64
    )


def _model(task: Task) -> Json:
    """The model: for each bit the keys with an odd sum, over the set of 2^18 texts."""
    random, texts = np.random.default_rng(task["seed"]), SETS["model"][0]
    varying = sum(1 << bit for bit in texts.left)
    odd = np.zeros((2, 16), np.int64)
    for _ in range(task["keys"]):
        sums = _both_sums(scaled.random_key(random, 2), texts)
        first = int(random.integers(2**16)) & ~varying
        lefts = [first | value << texts.left[0] for value in range(1 << len(texts.left))]
        odd += bits(np.bitwise_xor.reduce([sums(left) for left in lefts]))
    return {"keys": task["keys"], **dict(zip(STEPS, odd.tolist()))}


def _codebook(task: Task) -> Json:
    """The model: the same over a part of half of all texts, under one key."""
    texts = SETS["model"][1]
    (constant,) = without(MODEL_HALF, *texts.left)
    sums = _both_sums(scaled.random_key(np.random.default_rng(task["seed"]), 2), texts)
    lefts = range(task["first"], task["first"] + task["halves"])
    odd = np.zeros(2, np.int64)
    for left in lefts:
        if not left >> constant & 1:
            odd ^= sums(left)
    return dict(zip(STEPS, bits(odd).tolist()))


def bits(halves: NDArray[np.int64]) -> NDArray[np.int64]:
    """A row of 16 bits for each half of the model."""
    return halves[:, None] >> np.arange(16) & 1


KINDS = {
    "trails": _trails,
    "bytes": _bytes,
    "words": _words,
    "model": _model,
    "codebook": _codebook,
}


def compute(task: Task) -> Json:
    """The findings of one task, with its kind."""
    return {"kind": task["kind"], **KINDS[task["kind"]](task)}


# --- the figures -------------------------------------------------------------------------------


def claims(done: Sequence[Json], shape: str, texts: Middle, way: str, more: int = 0) -> list[int]:
    """The outputs without a trail, of the search that asked for most of them.

    more: rounds beyond those of the set
    """
    wanted = {"shape": shape, "way": way, "rounds": getattr(texts, way) + more,
              "left": list(texts.left), "right": list(texts.right)}  # fmt: skip
    found = [each for each in of_kind(done, "trails") if wanted.items() <= each.items()]
    most: Json = max(found, key=lambda each: len(each["outputs"]))
    return list(most["balanced"])


def _sets_table(done: Sequence[Json]) -> Table:
    cells = []
    for texts in SETS["Twofish"]:
        n = len(texts.left) + len(texts.right)
        parts = (varied(texts.left, 0), varied(texts.right, 2))
        cells += [
            ours(f"{texts.rounds} rounds: texts", f"2^{n}"),
            ours(f"{texts.rounds} rounds: all values of", ", ".join(filter(None, parts))),
        ]
        for way, text in (("before", "plaintexts"), ("after", "ciphertexts")):
            what = f"{texts.rounds} rounds: {getattr(texts, way)} {way}, sum 0 of the {text}"
            cells.append(ours(what, outputs(claims(done, "Twofish", texts, way))))
    return Table("Sets in the middle, for every key", cells)


def _more_table(done: Sequence[Json]) -> Table:
    cells = []
    for texts in SETS["Twofish"]:
        for way in STEPS:
            what = f"2^{len(texts.left) + len(texts.right)} texts, {getattr(texts, way) + 1} {way}"
            cells.append(ours(what, outputs(claims(done, "Twofish", texts, way, 1))))
    nodes = sum(each["nodes"] for each in of_kind(done, "trails"))
    return Table(
        "One round more: those of three outputs",
        [*cells, ours("nodes of all searches", f"{nodes:,}")],
    )


def _single_table(done: Sequence[Json]) -> Table:
    """Which single bits of the left half may vary, or be constant."""
    cells = []
    for rounds, n, verb in ((4, 65, "varies"), (5, 127, "is constant"), (6, 127, "is constant")):
        wanted = {"shape": "Twofish", "way": "before", "rounds": rounds, "outputs": BEST}
        searched = [each for each in of_kind(done, "trails")
                    if wanted.items() <= each.items() and size(each) == n]  # fmt: skip
        lefts = [each["left"] for each in searched if each["balanced"]]
        which = lefts if n == 65 else [without(HALF, *left) for left in lefts]
        what = f"{rounds} before: the bit that {verb}, of {len(searched)} that were tried"
        cells.append(ours(what, "; ".join(varied(each, 0) for each in which) or "none"))
    return Table("Single bits of the left half", cells)


def _checked(what: str, claimed: Sequence[int], odd: Sequence[int], keys: int = 1) -> list[Cell]:
    """Sums beside their claims; an error if a claim is wrong."""
    wrong, rest = sum(odd[bit] for bit in claimed), np.delete(np.array(odd), claimed)
    if wrong:
        raise LabError(f"{what}: a sum is odd where there is no trail")
    return [
        ours(f"{what}, outputs without a trail", f"{wrong} of {keys * len(claimed):,}"),
        ours(f"{what}, the other bits", f"{rest.sum():,} of {keys * len(rest):,}"),
    ]


def _sums_table(done: Sequence[Json], shape: str, few: str, many: str, title: str) -> Table:
    """The sums over the first set under many keys, and over the second one under one key."""
    small, large = SETS[shape][:2]
    (of_keys,), parts, cells = of_kind(done, few), of_kind(done, many), []
    for way in STEPS:
        claimed, keys = claims(done, shape, small, way), of_keys["keys"]
        cells += _checked(f"{small.rounds} rounds, {way}", claimed, of_keys[way], keys)
    for way in STEPS if parts else ():
        claimed = claims(done, shape, large, way)
        cells += _checked(f"{large.rounds} rounds, {way}", claimed, _total(parts, way).tolist())
    return Table(title, cells)


def _sums(done: Sequence[Json]) -> Json:
    """For programs: odd sums by their bits, of all parts of a set."""
    found = {kind: of_kind(done, kind) for kind in KINDS if kind != "trails"}
    return {
        kind: {**parts[0], **{way: _total(parts, way).tolist() for way in STEPS}}
        for kind, parts in found.items()
        if parts
    }


def _total(parts: Sequence[Json], way: str) -> NDArray[np.int64]:
    return np.array(np.bitwise_xor.reduce([part[way] for part in parts]), np.int64)


REMARKS = (
    "After the middle the first F reads the left half; before it the last F reads the right half. "
    "The right half is what varies, so the first round of encryption costs almost nothing, and "
    "that of decryption costs a round. This is why one round less stands before the middle.",
    "The outputs that the searches ask for are bit 0 of F0 and bits 0 and 1 of F1 in the round "
    "next to the last, as in [integral](integral.md); the set of 2^9 texts was asked for more. "
    "Decryption rotates at other places, so its bits stand elsewhere. The set of 2^66 texts has "
    "bit 31 of R0 for encryption and bit 30 for decryption, which rotates it to the top bit of F0.",
    "With one round more each of these three outputs has a trail. That proves nothing, and other "
    "outputs were not asked for. At their real size nine and eleven rounds rest on trails alone.",
    "For any permutation somebody can put together texts with a few sums that are 0, by trying. "
    "Here the sets are known before a text is computed, and they are the same for every key: all "
    "texts in the middle fall into such sets, whatever the constant bits are. Nothing follows for "
    "a key that is secret.",
)


def combine(scale: Scale, done: Sequence[Json]) -> Findings:
    """The tables, if no sum of texts contradicts a trail."""
    return Findings(
        tables=[
            _sets_table(done),
            _more_table(done),
            _single_table(done),
            _sums_table(done, "Twofish", "bytes", "words", "Twofish: odd sums"),
            _sums_table(done, "model", "model", "codebook", "The scale model of 32 bits: odd sums"),
        ],
        remarks=REMARKS,
        data={"searches": of_kind(done, "trails"), **_sums(done)},
    )


EXPERIMENT = Experiment(
    name="known-key",
    question="How many rounds have sums that vanish, if the texts are chosen in the middle?",
    method="A set of texts after some rounds is decrypted to its plaintexts and encrypted to its "
    "ciphertexts. Division trails in both directions say which sums are 0 for every key, as in "
    "the experiment `integral`. Sums over real texts check them: for Twofish over sets of 2^9 "
    "texts and one of 2^32, for a scale model of 32 bits over 2^18 and over half of all texts.",
    sources=["[KnudsenRijmen07]", "[TodoMorii16]", "[Xiang16]", "[Sun17]"],
    covers={
        "small": "one set for each number of rounds; 32 keys of Twofish, 4 of the model",
        "full": "every single bit of the left half; 4,096 keys of Twofish, and one with 2^32 "
        "texts; 64 keys of the model, and one with half of all texts",
    },
    tasks=tasks,
    compute=compute,
    combine=combine,
    seed=SEED,
)
