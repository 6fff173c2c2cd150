# SPDX-License-Identifier: Apache-2.0 OR MIT
"""In which bit positions of the S-boxes the words of a block are used.

Most of Twofish works on whole bytes. Rotations by one bit move the borders of bytes, so that they
lie elsewhere in each round. They are followed here in two ways: through a description of the round
in which words are only names with rotations, and through single rounds of the library.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from manyfish_lab import gf256, twofish
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

SEED = 9
ROUNDS = 16
KEYS = 2  # of each length
STATES = 8  # random states for each question to a round

State = npt.NDArray[np.uint32]  # rows R_0, R_1, R_2, R_3

# --- the description ---------------------------------------------------------------------------

# A word of the plaintext, and by how many bits it is rotated to the left.
Name = tuple[int, int]


def described() -> list[list[Name]]:
    """The words R_0 to R_3 before each round and after the last one [Twofish98, 4].

    The values added to R_2 and R_3 change their bits, not their positions.
    """
    words = [(i, 0) for i in range(4)]
    states = [words]
    for _ in range(ROUNDS):
        (a, r0), (b, r1), (c, r2), (d, r3) = words
        words = [(c, (r2 - 1) % 32), (d, (r3 + 1) % 32), (a, r0), (b, r1)]
        states.append(words)
    return states


def published_rotation(word: int, r: int) -> int:
    """By how many bits R_0 and R_2 are turned left, R_1 and R_3 right, before round r [TR5, 2.1].

    This makes Twofish a Feistel network without rotations in its halves.
    """
    return (r + 1) // 2 if word < 2 else r // 2


# --- single rounds of the library --------------------------------------------------------------


class Rounds:
    """The rounds of Twofish under one key, one at a time.

    Round r of a state is what r + 1 rounds make of that for which r rounds give the state.
    """

    def __init__(self, key: bytes) -> None:
        self.key = key
        self.variants = [twofish.Variant(key, r, False) for r in range(1, ROUNDS + 1)]

    def apply(self, r: int, states: State) -> State:
        """R_(r+1) for each R_r."""
        texts = as_bytes(states if r == 0 else swapped(states))
        plaintexts = self.variants[r - 1].decrypt(texts) if r else texts
        return swapped(as_words(self.variants[r].encrypt(plaintexts)))

    def g(self, r: int, states: State) -> tuple[State, State]:
        """T_0 and T_1 of round r, from what the round makes of the states."""
        after = self.apply(r, states)
        K = twofish.subkeys(self.key, 2 * r + 8, 2)
        f0 = gf256.rotate_right(after[:, 0], 31) ^ states[:, 2]
        f1 = gf256.rotate_right(states[:, 3], 31) ^ after[:, 1]
        t1 = (f1 - K[1]) - (f0 - K[0])
        return f0 - K[0] - t1, t1


def swapped(states: State) -> State:
    """The last swap, which the cipher undoes."""
    return states[:, [2, 3, 0, 1]]


def as_bytes(states: State) -> npt.NDArray[np.uint8]:
    return np.ascontiguousarray(states.astype("<u4")).view(np.uint8)


def as_words(blocks: npt.NDArray[np.uint8]) -> State:
    return np.ascontiguousarray(blocks).view("<u4").astype(np.uint32)


# --- tasks -------------------------------------------------------------------------------------


def tasks(scale: Scale) -> Sequence[Task]:
    return [
        {"key_bytes": key_bytes, "seed": [SEED, key_bytes, n]}
        for key_bytes in (16, 24, 32)
        for n in range(KEYS)
    ]


def compute(task: Task) -> Json:
    rng = np.random.default_rng(task["seed"])
    rounds = Rounds(rng.bytes(task["key_bytes"]))
    return {
        "routes": followed(rounds, rng),
        "borders": [[borders(rounds, r, word, rng) for word in (0, 1)] for r in range(ROUNDS)],
        "rewritten": [rewritten_is_equal(rounds, n, rng) for n in range(1, ROUNDS + 1)],
    }


def random_states(rng: np.random.Generator, n: int) -> State:
    return rng.integers(0, 2**32, (n, 4), np.uint32)


def followed(rounds: Rounds, rng: np.random.Generator) -> list[list[int]]:
    """Where each bit of the block is before each round and after the last one, as 32 * word + bit.

    A row a round; -1 stands for a bit that got lost.
    """
    places = [list(range(128))]
    for r in range(ROUNDS):
        after = next_places(rounds, r, rng)
        places.append([after[place] if place >= 0 else -1 for place in places[-1]])
    return places


def next_places(rounds: Rounds, r: int, rng: np.random.Generator) -> list[int]:
    """Where a round brings each bit: the one place that changes with it, in all of the states.

    A bit of R_0 or R_1 also goes into F, and what F changes in the other half does not count.
    """
    states = np.repeat(random_states(rng, STATES), 128, axis=0)
    one_bit = as_words(np.packbits(np.eye(128, dtype=np.uint8), axis=1, bitorder="little"))
    others = states ^ np.tile(one_bit, (STATES, 1))
    changed = as_bytes(rounds.apply(r, states) ^ rounds.apply(r, others))
    bits = np.unpackbits(changed.reshape(STATES, 128, 16), axis=2, bitorder="little")
    bits[:, :64, :64] = 0
    return [only_place(bits[:, place]) for place in range(128)]


def only_place(bits: npt.NDArray[np.uint8]) -> int:
    """The one column that is 1, in all rows; -1 if there are others, or none."""
    places = np.flatnonzero(bits.any(axis=0))
    return int(places[0]) if len(places) == 1 and bits[:, places[0]].all() else -1


def borders(rounds: Rounds, r: int, word: int, rng: np.random.Generator) -> list[int]:
    """The bits of R_0 or R_1 below which one S-box ends and another one begins.

    Two bits go into different S-boxes if g changes with both of them by the sum of what it changes
    with each: the outputs of S-boxes meet in exclusive or only.
    """
    found = []
    for bit in range(32):
        states = random_states(rng, STATES)
        total = np.zeros(STATES, np.uint32)
        for mask in (0, 1 << bit, 1 << (bit - 1) % 32, 1 << bit | 1 << (bit - 1) % 32):
            changed = states.copy()
            changed[:, word] ^= np.uint32(mask)
            total ^= rounds.g(r, changed)[word]
        if not total.any():
            found.append(bit)
    return found


def rewritten_is_equal(rounds: Rounds, n_rounds: int, rng: np.random.Generator) -> bool:
    """Whether the Feistel network of [TR5, 2.1] encrypts as Twofish with this many rounds."""
    plaintexts = random_states(rng, STATES)
    encrypted = as_words(rounds.variants[n_rounds - 1].encrypt(as_bytes(plaintexts)))
    return bool(np.array_equal(swapped(encrypted), rewritten(rounds.key, n_rounds, plaintexts)))


def rewritten(key: bytes, n_rounds: int, plaintexts: State) -> State:
    """R_(n_rounds) by rounds whose halves are not rotated, only what goes in and out of F."""
    S, K = twofish.sbox_key(key), twofish.subkeys(key)
    words = [plaintexts[:, i].copy() for i in range(4)]
    for r in range(n_rounds):
        r0, r1, _, _ = rotated(words, r)
        t0, t1 = twofish.h(r0, S), twofish.h(gf256.rotate_right(r1, 24), S)
        f0, f1 = t0 + t1 + K[2 * r + 8], t0 + t1 + t1 + K[2 * r + 9]
        new0 = words[2] ^ gf256.rotate_right(f0, -(r // 2))
        new1 = words[3] ^ gf256.rotate_right(f1, (r + 2) // 2)
        words = [new0, new1, words[0], words[1]]
    return np.stack(rotated(words, n_rounds), axis=1)


def rotated(words: Sequence[State], r: int) -> list[State]:
    """The words of Twofish before round r from those of the rewritten network."""
    turns = [published_rotation(word, r) for word in range(4)]
    return [gf256.rotate_right(x, -n if i % 2 else n) for i, (x, n) in enumerate(zip(words, turns))]


# --- what the tasks gave -----------------------------------------------------------------------

Use = tuple[int, int]  # a round, and a position in an S-box


def combine(scale: Scale, results: Sequence[Json]) -> Findings:
    first = results[0]
    uses = [[uses_of(first, 32 * word + bit) for bit in range(32)] for word in range(4)]
    tables = [
        claim_table(results),
        position_table(uses),
        description_table(results),
        rewriting_table(results),
    ]
    plot = Plot(
        "positions",
        "Where bit 0 of each word of the plaintext goes into S-boxes",
        "round",
        "bit of the S-box's input",
        "lines",
        {f"word {word}": uses[word][0] for word in range(4)},
    )
    return Findings(tables, [plot], REMARKS, {"keys": len(results), "first key": first})


def uses_of(result: Json, place: int) -> list[Use]:
    """The rounds in which a bit goes into an S-box, and as which of its input bits."""
    found = []
    for r in range(ROUNDS):
        word, bit = divmod(result["routes"][r][place], 32)
        if word in (0, 1):
            found.append((r, min((bit - border) % 32 for border in result["borders"][r][word])))
    return found


def is_once_in_each(uses: Sequence[Use]) -> bool:
    return sorted(position for _, position in uses) == list(range(8))


def claim_table(results: Sequence[Json]) -> Table:
    holds = [is_once_in_each(uses_of(one, place)) for one in results for place in range(128)]
    lost = sum(row.count(-1) for one in results for row in one["routes"])
    sizes = {
        gaps(one["borders"][r][word]) for one in results for r in range(ROUNDS) for word in (0, 1)
    }
    cells = [
        same("bits used once in each of 8 positions", "all", "all" if all(holds) else "not all"),
        ours("bits of the block under all keys that do", f"{sum(holds)} of {len(holds)}"),
        ours("keys, of three lengths", str(len(results))),
        ours("bits that were lost on their way", str(lost)),
        ours("bits between the borders of S-boxes", "; ".join(sorted(sizes))),
    ]
    return Table(
        "Each word of a block is used once in each bit position (mod 8)", cells, "[TwofishSlides98]"
    )


def gaps(found: Sequence[int]) -> str:
    """How far the borders lie from each other, around the word."""
    following = [*found[1:], *(border + 32 for border in found[:1])]
    return " ".join(str(after - border) for border, after in zip(found, following))


def position_table(uses: Sequence[Sequence[Sequence[Use]]]) -> Table:
    cells = []
    for word in range(4):
        rounds = ", ".join(str(r) for r, _ in uses[word][0])
        positions = " ".join(str(position) for _, position in uses[word][0])
        cells.append(ours(f"word {word}, bit 0, used in rounds {rounds}", positions))
    return Table("Positions in the S-boxes, round by round", cells)


def description_table(results: Sequence[Json]) -> Table:
    """The description of a round against where the library's rounds bring all bits."""
    cells: list[Cell] = []
    for r, state in list(enumerate(described()))[1:]:
        row = [places(state, place) for place in range(128)]
        agree = all(one["routes"][r] == row for one in results)
        words = ", ".join(f"P_{word} by {(n + 16) % 32 - 16}" for word, n in state)
        why = "" if agree else "the rounds of the library bring some bits elsewhere"
        cells.append(ours(f"R_0 to R_3 after round {r - 1}", words, why))
    return Table("By how many bits to the left the words have been rotated", cells)


def places(state: Sequence[Name], place: int) -> int:
    """Where a bit of the plaintext is in a described state, as 32 * word + bit."""
    word, bit = divmod(place, 32)
    for slot, (origin, n) in enumerate(state):
        if origin == word:
            return 32 * slot + (bit + n) % 32
    return -1


def rewriting_table(results: Sequence[Json]) -> Table:
    cells = []
    for slot in range(4):
        side = "left" if slot % 2 else "right"
        published = " ".join(str(published_rotation(slot, r)) for r in range(ROUNDS + 1))
        lefts = [measured_rotation(results[0]["routes"][r], slot) for r in range(ROUNDS + 1)]
        turns = " ".join(str((n if slot % 2 else -n) % 32) for n in lefts)
        cells.append(same(f"R_{slot} has been rotated to the {side} by", published, turns))
    equal = all(all(one["rewritten"]) for one in results)
    cells.append(same("encrypts alike for 1 to 16 rounds", "yes", "yes" if equal else "no"))
    return Table(
        "Twofish as a Feistel network without rotations in its halves", cells, "[TR5, 2.1]"
    )


def measured_rotation(row: Sequence[int], slot: int) -> int:
    """By how many bits to the left the word has been rotated of which bit 0 is in this slot."""
    return next(row[32 * word] % 32 for word in range(4) if row[32 * word] // 32 == slot)


REMARKS = (
    "Each time that the cipher XORs F into a word, it rotates the word by one bit: words 0 and 2 "
    "to the right, words 1 and 3 to the left. In 16 rounds each word is an input of F eight "
    "times, each time with its byte borders at another place. With fewer rounds some positions "
    "are missing; with more some repeat.",
)

EXPERIMENT = Experiment(
    name="bit-positions",
    question="Is each word of a block used once in each of the eight bit positions of the S-boxes?",
    method="To get single rounds from the library's variants, the program decrypts r rounds and "
    "encrypts r + 1. It flips each bit of the block and sees which bits change with it. It also "
    "measures where S-boxes begin: two bits enter different S-boxes if their effects on g add up. "
    "It compares all this with a description that only follows how each round swaps and rotates "
    "words, and with Twofish rewritten as a Feistel network without rotations.",
    sources=("[TwofishSlides98]", "[TR5, 2.1]", "[Twofish98, 4]"),
    covers={"small": "six random keys of three lengths, all bits, all rounds"},
    tasks=tasks,
    compute=compute,
    combine=combine,
    seed=SEED,
)
