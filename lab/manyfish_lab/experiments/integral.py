# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Integrals: sets of texts whose sums after some rounds are 0, found by division trails."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from manyfish_lab import integrals, scaled
from manyfish_lab.division import TWOFISH, Shape, Texts, balanced
from manyfish_lab.errors import LabError
from manyfish_lab.experiment import Experiment, Findings, Json, Scale, Table, Task, ours, same

SEED = 20000914
BYTES, PAIRS, CODEBOOK, BOXES, PARTNERS = range(5)  # their own parts of it
MODEL = Shape(8, 4)
SHAPES = {"Twofish": TWOFISH, "model": MODEL}
# Outputs that depend on few bits of g: bit 0 of F0, which a rotation has moved, bits 0 and 1 of F1.
LOW = [31, 32, 33]
BEST = [32]  # bit 0 of F1 takes from T0 only
SPECIAL = [63, 0, 32]  # bits of the left half that are added to them: bit 31 of R1, ..
HALF, MODEL_HALF, MODEL_LOW = list(range(64)), list(range(16)), [7, 8, 9]
BYTE = range(1, 9)  # of R2: a rotation by one bit makes it byte 0 of the next round's input
WORDS = {2: HALF[:32], 3: HALF[32:]}
BOX_KEYS = 64
TEXTS = 256  # of a key, each with its partner
PART = 4096  # values of the model's left half of a task
# Rounds of a distinguisher for all keys, with up to 2^127 texts [Lucks01, abstract].
PUBLISHED = "6"

SIZES: dict[Scale, dict[str, Any]] = {
    "small": {"keys": 8, "pairs": 4, "bits": [7], "codebook": 0, "step": 64, "outputs": [0, 7]},
    "paper": {"keys": 512, "pairs": 32, "bits": MODEL_HALF, "codebook": 0, "step": 2,
              "outputs": [*range(9), *range(31, 42)]},
    "full": {"keys": 4096, "pairs": 64, "bits": MODEL_HALF, "codebook": 16, "step": 1,
             "outputs": HALF},
}  # fmt: skip


def _trails(rounds: int, left: Sequence[int], right: Sequence[int], outputs: Sequence[int],
            shape: str = "Twofish") -> Task:  # fmt: skip
    return {"kind": "trails", "shape": shape, "rounds": rounds, "left": list(left),
            "right": list(right), "outputs": list(outputs)}  # fmt: skip


def without(bits: Sequence[int], *constant: int) -> list[int]:
    """All bits but these."""
    return [bit for bit in bits if bit not in constant]


def searches(scale: Scale) -> list[Task]:
    """The sets of Twofish whose trails are searched, by rounds."""
    sizes, step = SIZES[scale], SIZES[scale]["step"]
    some = sorted({31, *HALF[::step]})
    found = [_trails(3, [], BYTE, sizes["outputs"])]
    found += [_trails(3, [], without(BYTE, bit), BEST) for bit in BYTE[:: min(step, 8)]]
    found += [_trails(4, [], WORDS[word], LOW) for word in WORDS]
    found += [_trails(4, [], without(WORDS[2], bit), BEST) for bit in WORDS[2][::step]]
    found += [_trails(5, [], HALF, LOW)]
    found += [_trails(5, [bit], HALF, BEST) for bit in some]
    found += [_trails(6, without(HALF, bit), HALF, LOW) for bit in SPECIAL]
    found += [_trails(6, without(HALF, bit), HALF, BEST) for bit in without(some, *SPECIAL)]
    found += [_trails(6, without(HALF, 63, bit), HALF, BEST) for bit in without(some, 63)]
    found += [_trails(7, without(HALF, bit), HALF, BEST) for bit in sorted({63, *some})]
    return found


def tasks(scale: Scale) -> list[Task]:
    """Searches, and sums of texts beside them."""
    sizes = SIZES[scale]
    found = searches(scale)
    found += [_trails(5, [bit], MODEL_HALF, MODEL_LOW, "model") for bit in sizes["bits"]]
    found += [{"kind": kind, "seed": [SEED, place], "rounds": rounds, "keys": sizes["keys"]}
              for kind, place, least in (("bytes", BYTES, 3), ("partners", PARTNERS, 5))
              for rounds in (least, least + 1)]  # fmt: skip
    found.append({"kind": "boxes", "seed": [SEED, BOXES], "keys": BOX_KEYS})
    found += [{"kind": "pairs", "seed": [SEED, PAIRS, bit], "bit": bit, "keys": sizes["pairs"]}
              for bit in sizes["bits"]]  # fmt: skip
    if sizes["codebook"]:
        found += [_trails(6, without(MODEL_HALF, bit), MODEL_HALF, MODEL_LOW, "model")
                  for bit in MODEL_HALF]  # fmt: skip
    found += [{"kind": "codebook", "seed": [SEED, CODEBOOK, key], "first": first}
              for key in range(sizes["codebook"]) for first in range(0, 2**16, PART)]  # fmt: skip
    return found


# --- what is computed --------------------------------------------------------------------------


def _bytes(task: Task) -> Json:
    """Twofish: for each bit of words 0 and 1, the keys with an odd sum over bits 1 to 8 of R2."""
    random = np.random.default_rng(task["seed"])
    odd = sum((integrals.byte_sum(random, task["rounds"], BYTE[0]) for _ in range(task["keys"])),
              np.zeros(64, np.int64))  # fmt: skip
    return {"keys": task["keys"], "odd": odd.tolist()}


def _partners(task: Task) -> Json:
    """Twofish: for each bit of words 0 and 1, the pairs of texts that differ in it."""
    random = np.random.default_rng(task["seed"])
    differ = np.zeros(64, np.int64)
    for _ in range(task["keys"]):
        key = random.bytes(16)
        texts = np.frombuffer(random.bytes(16 * TEXTS), "<u4").reshape(TEXTS, 4)
        differ += integrals.differing(key, task["rounds"], texts, integrals.partners(key, texts))
    return {"pairs": TEXTS * task["keys"], "differ": differ.tolist()}


def _boxes(task: Task) -> Json:
    """Products of 7 input bits in output bits of the four S-boxes: of a key, and of some key."""
    random = np.random.default_rng(task["seed"])
    found = np.array([integrals.products_of_seven(random.bytes(16)) for _ in range(task["keys"])])
    return {"of": found[0].size, "mean": float(found.mean()), "any": int(found.any(axis=0).sum())}


def _pairs(task: Task) -> Json:
    """The model, 5 rounds: for each output, the sets with an odd sum if one left bit varies."""
    random = np.random.default_rng(task["seed"])
    odd = np.zeros(16, np.int64)
    for _ in range(task["keys"]):
        tables = integrals.rounds_of(scaled.random_key(random, 2))
        left = int(random.integers(2**16))
        (one,), (other,) = (
            integrals.half_sums(tables[1:4], each) for each in (left, left ^ 1 << task["bit"])
        )
        odd += (one ^ other) >> np.arange(16) & 1
    return {"bit": task["bit"], "keys": task["keys"], "odd": odd.tolist()}


def _codebook(task: Task) -> Json:
    """The model, 6 and 7 rounds: sums over a part of all texts, for each left bit that is 0."""
    tables = integrals.rounds_of(scaled.random_key(np.random.default_rng(task["seed"]), 2))
    left = np.arange(task["first"], task["first"] + PART)
    found = np.array([integrals.half_sums(tables[1:6], int(half))[1:] for half in left])
    zero = [np.bitwise_xor.reduce(found[left >> bit & 1 == 0], initial=0) for bit in range(16)]
    return {"key": task["seed"][-1], "sums": np.array(zero).tolist()}


def _search(task: Task) -> Json:
    """The outputs without a trail."""
    texts = Texts(frozenset(task["left"]), frozenset(task["right"]))
    found, nodes = balanced(SHAPES[task["shape"]], texts, task["rounds"], task["outputs"])
    return {**task, "balanced": found, "nodes": nodes}


KINDS = {
    "trails": _search,
    "bytes": _bytes,
    "partners": _partners,
    "boxes": _boxes,
    "pairs": _pairs,
    "codebook": _codebook,
}


def compute(task: Task) -> Json:
    """The findings of one task, with its kind."""
    about = {"kind": task["kind"], "rounds": task.get("rounds", 0)}
    return {**about, **KINDS[task["kind"]](task)}


# --- the figures -------------------------------------------------------------------------------


def of_kind(done: Sequence[Json], kind: str) -> list[Json]:
    """The findings of that kind."""
    return [each for each in done if each["kind"] == kind]


def select(done: Sequence[Json], shape: str, rounds: int) -> list[Json]:
    """The searches of these rounds."""
    return [
        each
        for each in of_kind(done, "trails")
        if (each["shape"], each["rounds"]) == (shape, rounds)
    ]


def size(search: Json) -> int:
    """Bits that vary."""
    return len(search["left"]) + len(search["right"])


def outputs(found: Sequence[int]) -> str:
    """Where bits stand in the ciphertext."""
    words = [[bit % 32 for bit in found if bit // 32 == word] for word in (0, 1)]
    named = [f"{runs(bits)} of word {word}" for word, bits in enumerate(words) if bits]
    return "; ".join(named) or "none"


def runs(bits: Sequence[int]) -> str:
    """Bits as "bits 0 to 6, 31"."""
    starts = [bit for bit in bits if bit - 1 not in bits]
    ends = [bit for bit in bits if bit + 1 not in bits]
    named = [str(a) if a == b else f"{a} to {b}" for a, b in zip(starts, ends)]
    return f"bit{'s' if len(bits) > 1 else ''} {', '.join(named)}"


def smallest(done: Sequence[Json], rounds: int) -> Json | None:
    """The set of fewest texts with a balanced output, and of these the one with most."""
    found = [each for each in select(done, "Twofish", rounds) if each["balanced"]]
    return min(found, key=lambda each: (size(each), -len(each["balanced"])), default=None)


def varied(bits: Sequence[int], first: int) -> str:
    """The bits of a half in words."""
    words = [[bit % 32 for bit in bits if bit // 32 == word] for word in (0, 1)]
    return ", ".join(
        f"R{first + word}" + ("" if len(each) == 32 else f" {_ranges(each)}")
        for word, each in enumerate(words)
        if each
    )


def _ranges(bits: Sequence[int]) -> str:
    """Either the bits or those that are missing, whichever is shorter."""
    missing = without(range(32), *bits)
    if len(missing) < len(bits) and len(missing) < 4:
        return "without bit " + " and ".join(map(str, missing))
    return runs(bits)


def _longest_table(done: Sequence[Json]) -> Table:
    rounds = [r for r in range(3, 8) if smallest(done, r)]
    return Table(
        "The longest distinguisher for all keys",
        [same("rounds, with up to 2^127 texts", PUBLISHED, str(max(rounds)))],
        "[Lucks01]",
    )


def _sets_table(done: Sequence[Json]) -> Table:
    cells = []
    for rounds in range(3, 8):
        best = smallest(done, rounds)
        if best:
            where = ", ".join(filter(None, (varied(best["left"], 0), varied(best["right"], 2))))
            cells += [
                ours(f"{rounds} rounds: texts", f"2^{size(best)}"),
                ours(f"{rounds} rounds: all values of", where),
                ours(f"{rounds} rounds: outputs with the sum 0", outputs(best["balanced"])),
            ]
        else:
            cells.append(ours(f"{rounds} rounds", "none found"))
    return Table("The smallest sets that were found", cells)


def _searched_table(done: Sequence[Json]) -> Table:
    cells = []
    for rounds in range(3, 8):
        searched = select(done, "Twofish", rounds)
        for n in sorted({size(each) for each in searched}):
            sets = [each for each in searched if size(each) == n]
            held = sum(bool(each["balanced"]) for each in sets)
            cells.append(ours(f"{rounds} rounds, 2^{n} texts", f"{held} of {len(sets)} sets"))
    nodes = sum(each["nodes"] for each in of_kind(done, "trails"))
    cells.append(ours("nodes of all searches", f"{nodes:,}"))
    return Table("Sets with an output that no trail reaches", cells)


def _constant_table(done: Sequence[Json]) -> Table:
    """Which single bits may be constant in six rounds, which may vary alone in five."""
    cells = []
    six = [each for each in select(done, "Twofish", 6) if size(each) == 127 and each["balanced"]]
    for each in six:
        (bit,) = without(HALF, *each["left"])
        what = f"6 rounds, constant: {varied([bit], 0)}"
        cells.append(ours(what, outputs(each["balanced"])))
    five = [each for each in select(done, "Twofish", 5) if size(each) == 65 and each["balanced"]]
    cells += [
        ours(f"5 rounds, varies: {varied(e['left'], 0)}", outputs(e["balanced"])) for e in five
    ]
    return Table("Single bits of the left half", cells)


def _boxes_table(done: Sequence[Json]) -> Table:
    (found,) = of_kind(done, "boxes")
    return Table(
        "Products of seven input bits in the output bits of the S-boxes",
        [
            ours(f"one key of 128 bits, on average of {BOX_KEYS}", f"{found['mean']:.3f} of all"),
            ours(f"at least one of {BOX_KEYS} keys", f"{found['any']} of {found['of']}"),
        ],
    )


def _bytes_table(done: Sequence[Json]) -> Table:
    """Twofish encrypts; each claim beside the sums."""
    (search,) = [each for each in select(done, "Twofish", 3) if size(each) == 8]
    cells = []
    for each in of_kind(done, "bytes"):
        odd = [each["odd"][bit] for bit in search["balanced"]]
        rest = [each["odd"][bit] for bit in search["outputs"] if bit not in search["balanced"]]
        rounds = each["rounds"]
        if rounds == search["rounds"] and sum(odd):
            raise LabError("a sum of Twofish's texts is odd where there is no trail")
        cells.append(ours(f"{rounds} rounds, {len(odd)} outputs without a trail", f"{sum(odd)}"))
        if rest:
            cells.append(ours(f"{rounds} rounds, {len(rest)} others", f"{sum(rest):,}"))
    return Table("Twofish: odd sums over bits 1 to 8 of R2, over all keys", cells)


def _partners_table(done: Sequence[Json]) -> Table:
    (bit,) = BEST
    cells = []
    for each in of_kind(done, "partners"):
        differ, rounds, pairs = each["differ"], each["rounds"], each["pairs"]
        if rounds == 5 and differ[bit]:
            raise LabError("texts that the argument makes partners differ in the output")
        rest = np.delete(np.array(differ), bit) / pairs
        cells += [
            ours(f"{rounds} rounds, {outputs(BEST)}", f"{differ[bit]:,} of {pairs:,}"),
            ours(f"{rounds} rounds, least of the other bits", f"{rest.min():.3f} of all"),
        ]
    return Table("Twofish: pairs of the set of 2^65 texts that differ in an output", cells)


class Truth(NamedTuple):
    """Sums of the texts of the model: how many keys, and for each output those with an odd sum."""

    keys: int
    odd: NDArray[np.int64]

    def ever_odd(self, outputs: Sequence[int]) -> int:
        """Of these outputs."""
        return int((self.odd[outputs] > 0).sum())

    def constant(self, outputs: Sequence[int]) -> int:
        """Outputs with the same sum for all keys."""
        return int(np.isin(self.odd[outputs], (0, self.keys)).sum())


def of_half(done: Sequence[Json], rounds: int) -> list[Truth]:
    """With half of all texts, by the left bit that is 0."""
    sums: dict[int, NDArray[np.int64]] = {}
    for each in of_kind(done, "codebook"):
        part = np.array(each["sums"], np.int64)[:, rounds - 6]
        sums[each["key"]] = sums.get(each["key"], np.zeros_like(part)) ^ part
    odd = sum(of_key[:, None] >> np.arange(16) & 1 for of_key in sums.values())
    return [Truth(len(sums), each) for each in np.array(odd)]


def truth(done: Sequence[Json], rounds: int) -> list[tuple[Json, Truth]]:
    """Searches of the model, beside the sums."""
    searched = select(done, "model", rounds)
    if rounds == 5:
        sums = {each["bit"]: each for each in of_kind(done, "pairs")}
        found = [sums[search["left"][0]] for search in searched]
        return [(e, Truth(f["keys"], np.array(f["odd"]))) for e, f in zip(searched, found)]
    bits = [without(MODEL_HALF, *search["left"])[0] for search in searched]
    halves = of_half(done, rounds) if searched else []
    return [(search, halves[bit]) for search, bit in zip(searched, bits)]


def _model_table(done: Sequence[Json]) -> Table:
    cells = []
    for rounds in (5, 6):
        claims = wrong = others = constant = 0
        for search, sums in truth(done, rounds):
            rest = without(search["outputs"], *search["balanced"])
            claims, others = claims + len(search["balanced"]), others + len(rest)
            wrong += sums.ever_odd(search["balanced"])
            constant += sums.constant(rest)
        if wrong:
            raise LabError("a sum of the model's texts is odd where there is no trail")
        if claims:
            what = f"{rounds} rounds: "
            cells.append(ours(what + "outputs without a trail, ever odd", f"{wrong} of {claims}"))
            cells.append(ours(what + "others, the same for all keys", f"{constant} of {others}"))
    if of_kind(done, "codebook"):
        seven, n = of_half(done, 7), len(MODEL_HALF)
        constant = sum(sums.constant(MODEL_HALF) for sums in seven)
        what = "7 rounds: outputs, the same for all keys"
        cells.append(ours(what, f"{constant} of {n * len(seven)}"))
    return Table("The scale model of 32 bits: trails beside sums", cells)


REMARKS = (
    "The three outputs that the searches ask for are bit 0 of F0, which a rotation has moved to "
    "bit 31, and bits 0 and 1 of F1, all of the round before the last: each is a sum of bits of "
    "g, plus constants of the key. They come out as bit 31 of word 0 and bits 0 and 1 of word 1 of "
    "the ciphertext.",
    "Four rounds: over all values of R2 these are the sums that "
    "[distinguisher](distinguisher.md) takes over all 2^32 texts of Twofish itself.",
    "Five rounds with 2^65 texts: R2, R3 and bit 31 of R0 take all values. This can be shown "
    "without a solver. The top bit of T1 reaches the top bit of F0 and nothing else, since F1 "
    "takes T1 twice. Now change a text: flip this bit of T1 in the second round, with the same T0, "
    "and change the bit of R0, which the second round adds to the top bit of F0. Then "
    "both outputs of the second round stay the same, and so does the first word that g reads "
    "in the fourth round. The output is a sum of that T0, of the second round's output, and of a "
    "constant. So all texts of the set go in pairs of equal outputs. The program makes such pairs "
    "with random keys at real size. With that bit constant there are trails.",
    "The rule for S-boxes is the best one for all keys at once, and q0 and q1 one by one would not "
    "improve it: each product of seven input bits is in each output bit, for some key. Of a single "
    "known key half of them are missing.",
    "Whitening changes no sum. The one-bit rotations decide only at which places these bits stand.",
)


def combine(scale: Scale, done: Sequence[Json]) -> Findings:
    """The tables, if no sum of texts contradicts a trail."""
    return Findings(
        tables=[
            _longest_table(done),
            _sets_table(done),
            _searched_table(done),
            _constant_table(done),
            _boxes_table(done),
            _bytes_table(done),
            _partners_table(done),
            _model_table(done),
        ],
        remarks=REMARKS,
        data={"searches": of_kind(done, "trails")},
    )


EXPERIMENT = Experiment(
    name="integral",
    question="After how many rounds does a sum over a part of all texts still vanish for every "
    "key?",
    method="Division trails say which sums cannot be anything but 0, whatever the key. An integer "
    "program describes all trails of a set of texts, with each S-box as any permutation of a byte "
    "and each matrix as any linear one; HiGHS finds a trail or shows that there is none. Sums over "
    "real texts check what the trails say: for Twofish where few texts suffice, and for a scale "
    "model of 32 bits over all its texts.",
    sources=["[Lucks01]", "[TodoMorii16]", "[Xiang16]", "[Sun17]"],
    covers={
        "small": "one or two sets for each of three to seven rounds; the model with one set",
        "paper": "every other constant bit of the left half for six and seven rounds, every other "
        "single bit for five; the model with all sets of a single bit",
        "full": "every bit; the model with all of its texts under 16 keys too",
    },
    tasks=tasks,
    compute=compute,
    combine=combine,
    seed=SEED,
)
