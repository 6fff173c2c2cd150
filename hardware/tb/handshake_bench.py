# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The handshakes of a core as a stranger to it sees them: in four-valued logic, by cocotb.

Beside the bench in C++ this shows that no ready or valid is ever unknown after one clock of reset,
and what a core makes of partners that break the rules: words that are missing, a valid that is
withdrawn, an out_ready that never comes. The model knows the right results.
"""

from __future__ import annotations

import os
import random
from collections.abc import Awaitable, Callable
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge, with_timeout

from twofish import BLOCK_BYTES, Twofish, words

KEY_BYTES = int(os.environ["KEY_BITS"]) // 8
DIRECTIONS = [int(text) for text in os.environ["DIRECTIONS"].split()]
CLOCK_NS = 10
LEVELS = int(os.environ["LEVELS"])
LONG = int(os.environ["LONG"])  # clocks in which a result would have come
LIMIT = 100 * LONG  # for what a test waits for

Job = tuple[bytes, int, bytes]  # what comes in, whether it is to be decrypted, what comes out
Take = Callable[[], Awaitable[None]]


class Bench:
    """A core, its clock, and partners that pause at random."""

    def __init__(self, dut: Any) -> None:
        self.dut = dut
        self.random = random.Random(cocotb.RANDOM_SEED)
        self.words_taken = 0
        self.blocks_taken = 0
        self.results: list[bytes] = []
        self.pauses = True
        self.out_ready = True

    async def start(self) -> None:
        for name in ("key_valid", "key_data", "in_valid", "in_decrypt", "in_data", "out_ready"):
            getattr(self.dut, name).value = 0
        self.dut.rst.value = self.dut.zeroise.value = 0
        Clock(self.dut.clk, CLOCK_NS, "ns").start()
        await self.pulse("rst")
        cocotb.start_soon(self.watch())

    async def pulse(self, name: str) -> None:
        signal = getattr(self.dut, name)
        await RisingEdge(self.dut.clk)
        signal.value = 1
        await RisingEdge(self.dut.clk)
        signal.value = 0

    async def watch(self) -> None:
        """Takes results, and checks in every clock what must always hold."""
        waits: Any = None
        while True:
            self.dut.out_ready.value = self.out_ready and not self.pause()
            await RisingEdge(self.dut.clk)
            for name in ("key_ready", "in_ready", "out_valid"):
                assert getattr(self.dut, name).value.is_resolvable, f"{name} is unknown"
            taken = [self.taken(name) for name in ("key", "in")]
            assert not all(taken), "a word and a block were taken at one edge"
            valid = bool(self.dut.out_valid.value)
            data = self.dut.out_data.value
            if self.dut.rst.value or self.dut.zeroise.value:
                waits = None
                continue
            assert waits is None or (valid and data == waits), "a result was withdrawn or changed"
            waits = data if valid and not self.dut.out_ready.value else None
            if valid and self.dut.out_ready.value:
                self.results.append(data.to_unsigned().to_bytes(BLOCK_BYTES, "little"))

    def taken(self, name: str) -> bool:
        return all(getattr(self.dut, f"{name}_{each}").value for each in ("valid", "ready"))

    def pause(self) -> bool:
        return self.pauses and self.random.random() < 0.5

    async def offer(self, name: str) -> None:
        """Holds key_valid or in_valid until what is offered is taken."""
        valid, ready = getattr(self.dut, f"{name}_valid"), getattr(self.dut, f"{name}_ready")
        while self.pause():
            await RisingEdge(self.dut.clk)
        valid.value = 1
        await RisingEdge(self.dut.clk)
        while not ready.value:
            await RisingEdge(self.dut.clk)
        valid.value = 0

    async def give_key(self, key: bytes, first: int = 0, last: int | None = None) -> None:
        for word in words(key)[first:last]:
            self.dut.key_data.value = word
            await self.offer("key")
            self.words_taken += 1

    async def give_block(self, text: bytes, decrypt: int) -> None:
        self.dut.in_data.value = int.from_bytes(text, "little")
        self.dut.in_decrypt.value = decrypt
        await self.offer("in")
        self.blocks_taken += 1

    async def give_blocks(self, jobs: list[Job]) -> None:
        for text, decrypt, _ in jobs:
            await self.give_block(text, decrypt)

    async def all_out(self, jobs: list[Job]) -> None:
        """Waits until as many results are out, and compares all of them."""
        while len(self.results) < len(jobs):
            await RisingEdge(self.dut.clk)
        await ClockCycles(self.dut.clk, 10)
        assert self.results == [right for _, _, right in jobs]

    def key(self) -> bytes:
        return self.random.randbytes(KEY_BYTES)

    def jobs(self, key: bytes, count: int) -> list[Job]:
        cipher = Twofish(key)
        texts = [self.random.randbytes(BLOCK_BYTES) for _ in range(count)]
        ways = [self.random.choice(DIRECTIONS) for _ in texts]
        both = (cipher.encrypt, cipher.decrypt)
        return [(text, way, both[way](text)) for text, way in zip(texts, ways)]

    async def still_works(self) -> None:
        """With a new key, whatever was before."""
        self.pauses, self.out_ready = True, True
        self.results.clear()
        key = self.key()
        jobs = self.jobs(key, 2)
        await self.give_key(key)
        await self.give_blocks(jobs)
        await self.all_out(jobs)

    async def nothing_comes(self, taken: int) -> None:
        """Nor is a block taken."""
        await ClockCycles(self.dut.clk, LONG)
        assert self.blocks_taken == taken, "a block was taken"
        assert not self.results, "a result came"


def handshake(test: Callable[[Bench], Awaitable[None]]) -> Any:
    """A test with a core that has been reset, and a limit to what it waits for."""

    async def run(dut: Any) -> None:
        bench = Bench(dut)
        await bench.start()
        await with_timeout(cocotb.start_soon(test(bench)), LIMIT * CLOCK_NS, "ns")

    run.__name__ = run.__qualname__ = test.__name__
    run.__doc__ = test.__doc__
    return cocotb.test()(run)


@handshake
async def pauses_on_all_sides(bench: Bench) -> None:
    """Two keys; the second is offered while the last blocks of the first are under way."""
    done: list[Job] = []
    for count in (4, 2):
        key = bench.key()
        jobs = bench.jobs(key, count)
        done += jobs
        await bench.give_key(key)
        await bench.give_blocks(jobs)
    await bench.all_out(done)


@handshake
async def block_before_any_key(bench: Bench) -> None:
    """It waits, and is the first under the key that comes."""
    key = bench.key()
    job = bench.jobs(key, 1)
    block = cocotb.start_soon(bench.give_blocks(job))
    await bench.nothing_comes(taken=0)
    await bench.give_key(key)
    await block
    await bench.all_out(job)


@handshake
async def key_without_all_words(bench: Bench) -> None:
    """With the first word the old key is gone; when the rest comes, the new one is there."""
    await bench.still_works()
    bench.results.clear()
    key = bench.key()
    job = bench.jobs(key, 1)
    await bench.give_key(key, last=-1)
    taken = bench.blocks_taken
    block = cocotb.start_soon(bench.give_blocks(job))
    await bench.nothing_comes(taken)
    await bench.give_key(key, first=-1)
    await block
    await bench.all_out(job)


@handshake
async def keys_and_blocks_at_the_same_time(bench: Bench) -> None:
    """Each block comes under the last key whose words were all there, and none between words."""
    keys = [bench.key() for _ in range(4)]
    done: list[Job] = []

    async def give_blocks() -> None:
        while bench.words_taken < len(keys) * KEY_BYTES // 4 or len(done) < 2 * LEVELS:
            text, way = bench.random.randbytes(BLOCK_BYTES), bench.random.choice(DIRECTIONS)
            await bench.give_block(text, way)
            number, words_after = divmod(bench.words_taken, KEY_BYTES // 4)
            assert number and not words_after, "a block was taken between the words of a key"
            cipher = Twofish(keys[number - 1])
            done.append((text, way, (cipher.encrypt, cipher.decrypt)[way](text)))

    blocks = cocotb.start_soon(give_blocks())
    for key in keys:
        await bench.give_key(key)
    await blocks
    await bench.all_out(done)


@handshake
async def half_a_key_and_reset(bench: Bench) -> None:
    """The words before rst or zeroise do not count."""
    for name in ("rst", "zeroise"):
        await bench.give_key(bench.key(), last=-1)
        await bench.pulse(name)
        await bench.still_works()


@handshake
async def valid_withdrawn(bench: Bench) -> None:
    """The core forgets a word that was offered and not taken."""
    bench.dut.in_valid.value = 1
    bench.dut.in_data.value = bench.random.getrandbits(8 * BLOCK_BYTES)
    await ClockCycles(bench.dut.clk, 5)
    bench.dut.in_valid.value = 0
    await bench.nothing_comes(taken=0)
    await bench.still_works()


@handshake
async def out_ready_never_comes(bench: Bench) -> None:
    """The core stops, and loses nothing: watch() sees the result stand still."""
    bench.pauses, bench.out_ready = False, False
    key = bench.key()
    jobs = bench.jobs(key, LEVELS + 3)
    await bench.give_key(key)
    blocks = cocotb.start_soon(bench.give_blocks(jobs))
    await ClockCycles(bench.dut.clk, 2 * LONG)
    assert bench.blocks_taken < len(jobs), "the core takes blocks for ever"
    assert bench.dut.out_valid.value, "there is no result"
    bench.out_ready = True
    await blocks
    await bench.all_out(jobs)


@handshake
async def wiped_at_any_time(bench: Bench) -> None:
    """rst and zeroise while blocks are inside: nothing of them comes out, and a key is needed."""
    for name, out_ready in (("rst", False), ("zeroise", True)):
        key = bench.key()
        bench.pauses, bench.out_ready = False, out_ready
        bench.results.clear()
        await bench.give_key(key)
        await bench.give_blocks(bench.jobs(key, 1))
        await ClockCycles(bench.dut.clk, bench.random.randrange(20))
        await bench.pulse(name)
        bench.results.clear()  # of those that left before
        bench.out_ready = True
        taken = bench.blocks_taken
        block = cocotb.start_soon(bench.give_block(bytes(BLOCK_BYTES), DIRECTIONS[0]))
        await bench.nothing_comes(taken)
        block.cancel()
        bench.dut.in_valid.value = 0
        await bench.still_works()
