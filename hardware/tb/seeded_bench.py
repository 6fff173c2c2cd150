# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The bench that cocotb runs on twofish_quarter_h_masked_seeded: what its generator gives it.

The bench of all cores shows that the core computes Twofish, but not that the random bits are those
of Trivium, since results do not depend on them.
"""

from __future__ import annotations

import random
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, RisingEdge

SEED_WORDS, WARM_CLOCKS, STEPS = 5, 37, 32


class Trivium:
    """s_1 to s_288 as the paper numbers them, in s[1] to s[288]; a step at a time."""

    def __init__(self) -> None:
        self.s = [0] * 286 + [1] * 3

    def add(self, number: int, word: int) -> None:
        """Adds a word of a seed to the key, s_1 to s_80, or the IV, s_94 to s_173."""
        for i in range(32 * number, 32 * number + 32):
            self.s[i + 1 if i < 80 else i + 14] ^= word >> i % 32 & 1

    def step(self) -> int:
        s = self.s
        t1, t2, t3 = s[66] ^ s[93], s[162] ^ s[177], s[243] ^ s[288]
        z = t1 ^ t2 ^ t3
        t1 ^= s[91] & s[92] ^ s[171]
        t2 ^= s[175] & s[176] ^ s[264]
        t3 ^= s[286] & s[287] ^ s[69]
        self.s = [0, t3, *s[1:93], t1, *s[94:177], t2, *s[178:288]]
        return z

    def word(self) -> int:
        """32 steps, the first in the highest bit."""
        return int("".join(str(self.step()) for _ in range(STEPS)), 2)


def published() -> None:
    """The first 16 bytes of vector 0 in set 1 of eSTREAM: the model is Trivium."""
    model = Trivium()
    model.s[73] = 1  # the key 80 00 .. 00
    for _ in range(4 * 288):
        model.step()
    bits = [model.step() for _ in range(128)]
    found = bytes(sum(bits[8 * i + j] << j for j in range(8)) for i in range(16))
    assert found.hex() == "38eb86ff730d7a9caf8df13a4420540d", found.hex()


class Bench:
    """The generator and its model, in step."""

    def __init__(self, dut: Any) -> None:
        self.dut = dut
        self.source = random.Random(cocotb.RANDOM_SEED)

    async def reset(self, name: str) -> None:
        signal = getattr(self.dut, name)
        await RisingEdge(self.dut.clk)
        signal.value = 1
        await RisingEdge(self.dut.clk)
        signal.value = 0
        self.model, self.words, self.since, self.expected = Trivium(), 0, 0, 0

    async def clock(self, seed: bool) -> None:
        """One clock, and what must hold in it."""
        word = self.source.getrandbits(32)
        self.dut.seed_valid.value, self.dut.seed_data.value = seed, word
        await FallingEdge(self.dut.clk)
        seeded = bool(self.dut.seeded.value)
        assert seeded == (self.since >= WARM_CLOCKS), f"seeded {self.since} clocks after the seed"
        assert seeded or not self.dut.key_ready.value, "a key is taken without random bits"
        if seeded:
            assert self.dut.core.random.value == self.expected, "not the bits of Trivium"
        await RisingEdge(self.dut.clk)
        if self.words >= SEED_WORDS:
            self.expected, self.since = self.model.word(), self.since + 1
        if seed:
            self.model.add(self.words % SEED_WORDS, word)
            self.words += 1


@cocotb.test()
async def random_bits(dut: Any) -> None:
    """From a seed that comes with pauses, and later words of it, after rst and zeroise."""
    published()
    for name in ("rst", "zeroise", "key_valid", "in_valid", "out_ready", "seed_valid"):
        getattr(dut, name).value = 0
    Clock(dut.clk, 10, unit="ns").start()
    bench = Bench(dut)
    for name in ("rst", "zeroise"):
        await bench.reset(name)
        while bench.words < SEED_WORDS:
            await bench.clock(bench.source.random() < 0.3)
        for i in range(200):
            await bench.clock(i > 20 and bench.source.random() < 0.1)
