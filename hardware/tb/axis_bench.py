# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The bench that cocotb runs on twofish_axis: its modes against vectors/ and the model, and its
handshakes.

../test_axis.py starts it and tells by the environment what was built: KEY_BITS, STREAMS, ENCRYPT,
DECRYPT; LEVELS are the blocks that the core interleaves. Either the top is twofish_axis_core, with
a core in it, or twofish_axis, and class ModelCore plays the core, which is quicker.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, RisingEdge

from modes import cbc_decrypt, cbc_encrypt, ctr_crypt, pad
from rsp import parse
from twofish import Twofish

ROOT = Path(__file__).resolve().parent.parent.parent
KEY_BITS, STREAMS, LEVELS, ENCRYPT, DECRYPT = (
    int(os.environ[name]) for name in ("KEY_BITS", "STREAMS", "LEVELS", "ENCRYPT", "DECRYPT")
)
ECB, CBC, CTR, NO_MODE = range(4)
WHOLE = 0xFFFF
MODEL_CORE = os.environ["COCOTB_TOPLEVEL"] == "twofish_axis"
PATIENCE = 3000  # clocks without a transfer after which the wrapper counts as stuck


@dataclass
class Beat:
    tid: int
    data: bytes
    last: bool = False
    keep: int = WHOLE
    error: bool = False


@dataclass
class Message:
    """A message and what must come of it."""

    tid: int
    mode: int
    decrypt: bool
    iv: bytes
    text: bytes
    result: bytes

    def beats(self, text: bytes) -> list[Beat]:
        parts = [text[i : i + 16] for i in range(0, len(text), 16)]
        return [
            Beat(self.tid, part.ljust(16, b"\0"), part is parts[-1], (1 << len(part)) - 1)
            for part in parts
        ]


def message(cipher: Twofish, tid: int, mode: int, decrypt: bool, iv: bytes, text: bytes) -> Message:
    """The model's result for a text."""
    if mode == CTR:
        result = ctr_crypt(cipher, iv, text)
    elif mode == CBC:
        result = (cbc_decrypt if decrypt else cbc_encrypt)(cipher, iv, text)
    else:
        crypt = cipher.decrypt if decrypt else cipher.encrypt
        result = b"".join(crypt(text[i : i + 16]) for i in range(0, len(text), 16))
    return Message(tid, mode, decrypt, iv, text, result)


def always() -> bool:
    return True


def never() -> bool:
    return False


def often(source: random.Random, share: float) -> Callable[[], bool]:
    return lambda: source.random() < share


def number(data: bytes) -> int:
    return int.from_bytes(data, "little")


def in_turn(lists: Iterable[Sequence[Beat]]) -> list[Beat]:
    """The first of each, the second of each, .."""
    waiting = [list(beats) for beats in lists]
    found = []
    while any(waiting):
        found += [beats.pop(0) for beats in waiting if beats]
    return found


def one_by_one(lists: Iterable[Sequence[Beat]]) -> list[Beat]:
    return [beat for beats in lists for beat in beats]


@dataclass
class Bench:
    """Inputs change after the rising edge; all is looked at when the clock falls."""

    dut: Any
    keys: list[int] = field(default_factory=list)
    ivs: list[Message] = field(default_factory=list)
    beats: list[Beat] = field(default_factory=list)
    expected: list[Beat] = field(default_factory=list)
    may_iv: Callable[[], bool] = always
    may_send: Callable[[], bool] = always
    may_take: Callable[[], bool] = always
    clock: int = 0
    took: list[int] = field(default_factory=list)  # when
    gave: list[int] = field(default_factory=list)
    lost: int = 0  # clocks in which the core could have taken the block that was offered
    iv_errors: int = 0

    def __post_init__(self) -> None:
        self.core = ModelCore(self.dut) if MODEL_CORE else None
        self.wrapper = self.dut if MODEL_CORE else self.dut.axis

    async def start(self, key: bytes | None = None) -> None:
        Clock(self.dut.clk, 10, unit="ns").start()
        for name in ("iv_id", "iv_mode", "iv_decrypt", "iv_data"):
            getattr(self.dut, name).value = 0
        for name in ("tid", "tlast", "tkeep", "tdata"):
            getattr(self.dut, f"s_axis_{name}").value = 0
        self.dut.zeroise.value = 0
        self.dut.rst.value = 1
        self.quiet()
        await self.tick()
        self.dut.rst.value = 0
        if key is not None:
            self.set_key(key)
            await self.run()

    def set_key(self, key: bytes) -> None:
        if self.core:
            self.core.cipher = Twofish(key)
        else:
            self.keys += [number(key[i : i + 4]) for i in range(0, len(key), 4)]

    def quiet(self) -> None:
        for name in ("iv_valid", "s_axis_tvalid", "m_axis_tready"):
            getattr(self.dut, name).value = 0
        if not self.core:
            self.dut.key_valid.value = 0

    def send(self, messages: Sequence[Message], mixed: bool = False) -> None:
        self.ivs += messages
        ways = [[m.beats(m.text) for m in messages], [m.beats(m.result) for m in messages]]
        order = in_turn if mixed else one_by_one
        beats, expected = map(order, ways)
        self.beats += beats
        self.expected += expected

    def drive(self) -> None:
        dut = self.dut
        if self.core:
            self.core.drive(self.clock)
        else:
            dut.key_valid.value = bool(self.keys)
            dut.key_data.value = self.keys[0] if self.keys else 0
        # An offer stays until it is taken [AXI4-Stream, 2.2.1].
        offers = bool(self.ivs) and (self.offered_iv or self.may_iv())
        self.offered_iv = offers
        dut.iv_valid.value = offers
        if offers:
            first = self.ivs[0]
            dut.iv_id.value, dut.iv_mode.value = first.tid, first.mode
            dut.iv_decrypt.value, dut.iv_data.value = first.decrypt, number(first.iv)
        offers = bool(self.beats) and (self.offered or self.may_send())
        self.offered = offers
        dut.s_axis_tvalid.value = offers
        if offers:
            beat = self.beats[0]
            dut.s_axis_tid.value, dut.s_axis_tlast.value = beat.tid, beat.last
            dut.s_axis_tkeep.value, dut.s_axis_tdata.value = beat.keep, number(beat.data)
        dut.m_axis_tready.value = self.may_take()

    offered = False
    offered_iv = False

    def look(self) -> bool:
        """Whether something was transferred."""
        dut = self.dut
        moved = False
        if self.core:
            self.core.look(self.clock)
        elif dut.key_valid.value and dut.key_ready.value:
            self.keys.pop(0)
            moved = True
        if dut.iv_valid.value and dut.iv_ready.value:
            self.ivs.pop(0)
            self.offered_iv = False
            moved = True
        if dut.s_axis_tvalid.value and dut.s_axis_tready.value:
            self.beats.pop(0)
            self.took.append(self.clock)
            self.offered = False
            moved = True
        elif dut.s_axis_tvalid.value and self.wrapper.core_in_ready.value:
            self.lost += 1
        if dut.m_axis_tvalid.value and dut.m_axis_tready.value:
            self.check()
            self.gave.append(self.clock)
            moved = True
        self.iv_errors += int(dut.iv_error.value)
        return moved

    def check(self) -> None:
        dut = self.dut
        assert self.expected, "a result of nothing"
        want = self.expected.pop(0)
        mask = bytes(255 * (want.keep >> i & 1) for i in range(16))
        data = bytes(a & b for a, b in zip(want.data, mask))
        found = Beat(
            dut.m_axis_tid.value.to_unsigned(),
            dut.m_axis_tdata.value.to_unsigned().to_bytes(16, "little"),
            bool(dut.m_axis_tlast.value),
            dut.m_axis_tkeep.value.to_unsigned(),
            bool(dut.m_axis_tuser.value),
        )
        assert found == Beat(want.tid, data, want.last, want.keep, want.error)

    async def tick(self) -> bool:
        self.drive()
        await FallingEdge(self.dut.clk)
        moved = self.look()
        await RisingEdge(self.dut.clk)
        self.clock += 1
        return moved

    async def run(self) -> None:
        """Until all is sent and all has come."""
        idle = 0
        while self.keys or self.ivs or self.beats or self.expected:
            idle = 0 if await self.tick() else idle + 1
            assert idle < PATIENCE, "stuck"
        self.quiet()

    async def wait(self, clocks: int) -> None:
        for _ in range(clocks):
            await self.tick()


class ModelCore:
    """Plays a core: LEVELS blocks under way, each for some clocks, and a register of results."""

    def __init__(self, dut: Any) -> None:
        self.dut = dut
        self.clocks = 16
        self.empty()

    def empty(self) -> None:
        self.cipher: Twofish | None = None
        self.next = 0  # when a block can be taken
        self.inside: list[tuple[int, bytes]] = []  # when it comes out, and what

    def drive(self, clock: int) -> None:
        room = len(self.inside) <= LEVELS and clock >= self.next
        self.dut.core_in_ready.value = self.cipher is not None and room
        out = bool(self.inside) and self.inside[0][0] <= clock
        self.dut.core_out_valid.value = out
        self.dut.core_out_data.value = number(self.inside[0][1]) if out else 0

    def look(self, clock: int) -> None:
        dut = self.dut
        if dut.rst.value or dut.zeroise.value:
            self.empty()
            return
        if dut.core_out_valid.value and dut.core_out_ready.value:
            self.inside.pop(0)
        if dut.core_in_valid.value and dut.core_in_ready.value:
            assert self.cipher
            crypt = self.cipher.decrypt if dut.core_in_decrypt.value else self.cipher.encrypt
            data = dut.core_in_data.value.to_unsigned().to_bytes(16, "little")
            self.inside.append((clock + self.clocks, crypt(data)))
            self.next = clock + self.clocks // LEVELS


def random_message(source: random.Random, cipher: Twofish, tid: int, blocks: int) -> Message:
    mode = source.choice([ECB, CBC, CTR] if ENCRYPT else [ECB, CBC])
    decrypt = bool(DECRYPT and (not ENCRYPT or source.random() < 0.5))
    short = source.randrange(16) if mode == CTR else 0
    return message(
        cipher, tid, mode, decrypt, source.randbytes(16), source.randbytes(16 * blocks - short)
    )


# --- tests ---------------------------------------------------------------------------------------


@cocotb.test()
async def vectors(dut: Any) -> None:
    """CBC both ways, with PKCS#7 padding made here, and CTR, short blocks and wraps included."""
    bench = Bench(dut)
    if bench.core:
        bench.core.clocks = LEVELS  # saves time
    await bench.start()
    done = 0
    for name, mode in (("cbc", CBC), ("ctr", CTR)):
        cases = parse((ROOT / "vectors" / f"twofish_{name}.rsp").read_text(encoding="ascii"))
        for case in cases:
            key, iv, plain, cipher = (
                bytes.fromhex(case[name]) for name in ("KEY", "IV", "PT", "CT")
            )
            if 8 * len(key) != KEY_BITS or not cipher or case.get("COUNTER_BITS") == "32":
                continue
            if case.get("PADDING") == "pkcs7":
                plain = pad(plain)
            bench.set_key(key)
            await bench.run()
            if ENCRYPT:
                bench.send([Message(0, mode, False, iv, plain, cipher)])
            if ENCRYPT if mode == CTR else DECRYPT:
                bench.send([Message(0, mode, True, iv, cipher, plain)])
            await bench.run()
            done += 1
    assert done >= 20, done


@cocotb.test()
async def mixed_messages(dut: Any) -> None:
    """Messages of all modes at once, block by block, with pauses everywhere."""
    source = random.Random(7)
    bench = Bench(dut)
    key = source.randbytes(KEY_BITS // 8)
    cipher = Twofish(key)
    await bench.start(key)
    for share in (1.0, 0.5, 0.03):
        bench.may_iv, bench.may_send = often(source, share), often(source, share)
        bench.may_take = often(source, min(1.0, 2 * share))
        for _ in range(6):
            blocks = [source.randrange(1, 6) for _ in range(STREAMS)]
            messages = [random_message(source, cipher, t, n) for t, n in enumerate(blocks)]
            bench.send(messages, mixed=True)
        await bench.run()


@cocotb.test()
async def no_clock_is_lost(dut: Any) -> None:
    """ECB, CTR and CBC decryption of one message take a block whenever the core can."""
    source = random.Random(8)
    key = source.randbytes(KEY_BITS // 8)
    cipher = Twofish(key)
    for mode, decrypt in ((ECB, False), (ECB, True), (CTR, False), (CBC, True)):
        if not (DECRYPT if decrypt else ENCRYPT):
            continue
        bench = Bench(dut)
        await bench.start(key)
        bench.ivs = [message(cipher, 0, mode, decrypt, source.randbytes(16), b"")]
        bench.ivs[0].text = source.randbytes(16 * 12)
        first = message(cipher, 0, mode, decrypt, bench.ivs[0].iv, bench.ivs[0].text)
        while bench.ivs:
            await bench.tick()
        bench.lost = 0
        bench.beats, bench.expected = first.beats(first.text), first.beats(first.result)
        await bench.run()
        assert bench.lost == 0, (mode, decrypt, bench.lost)


@cocotb.test()
async def cbc_keeps_the_core_full(dut: Any) -> None:
    """With a message more than levels, CBC encryption is as fast as ECB; with as many, nearly."""
    if not ENCRYPT:
        return
    source = random.Random(9)
    key = source.randbytes(KEY_BITS // 8)
    cipher = Twofish(key)
    spans = {}
    blocks = 12
    for mode, streams in ((ECB, STREAMS), (CBC, STREAMS), (CBC, 1)):
        bench = Bench(dut)
        await bench.start(key)
        each = blocks * STREAMS // streams
        texts = [source.randbytes(16 * each) for _ in range(streams)]
        bench.send(
            [message(cipher, t, mode, False, bytes(16), x) for t, x in enumerate(texts)], True
        )
        await bench.run()
        spans[mode, streams] = bench.gave[-1] - bench.gave[0]
    dut._log.info("clocks for %d results: %s", blocks * STREAMS, spans)
    full, chained = spans[ECB, STREAMS], spans[CBC, STREAMS]
    assert chained <= full * (1.0 if STREAMS > LEVELS else 1.13), spans
    if STREAMS > 1 and LEVELS > 1:
        assert spans[(CBC, 1)] > 1.8 * chained, spans


@cocotb.test()
async def blocks_before_their_message(dut: Any) -> None:
    """They wait; so do those of a TID that does not exist, and all before a key."""
    source = random.Random(10)
    key = source.randbytes(KEY_BITS // 8)
    bench = Bench(dut)
    await bench.start()
    one = random_message(source, Twofish(key), STREAMS - 1, 3)
    bench.beats, bench.expected = one.beats(one.text), one.beats(one.result)
    await bench.wait(300)
    assert not bench.took
    bench.ivs = [one]
    await bench.wait(300)  # a message, and no key
    assert not bench.ivs and not bench.took
    bench.set_key(key)
    await bench.run()
    # The message has ended: the next block of its TID waits.
    bench.beats = [Beat(one.tid, bytes(16))]
    taken = len(bench.took)
    await bench.wait(300)
    assert len(bench.took) == taken
    if STREAMS < 256:
        bench.offered, bench.beats = False, [Beat(STREAMS, bytes(16))]
        bench.ivs = [Message(STREAMS, ECB, not ENCRYPT, bytes(16), b"", b"")]
        await bench.wait(300)
        assert len(bench.took) == taken and bench.iv_errors == 1


@cocotb.test()
async def refused_messages(dut: Any) -> None:
    """Each gives one clock of iv_error and stays unopened; a good one afterwards works."""
    source = random.Random(11)
    key = source.randbytes(KEY_BITS // 8)
    bench = Bench(dut)
    await bench.start(key)
    refused = [(NO_MODE, False), (NO_MODE, True)]
    if not ENCRYPT:
        refused += [(ECB, False), (CBC, False), (CTR, False), (CTR, True)]
    if not DECRYPT:
        refused += [(ECB, True), (CBC, True)]
    for count, (mode, decrypt) in enumerate(refused, 1):
        bench.ivs = [Message(0, mode, decrypt, bytes(16), b"", b"")]
        bench.beats, bench.offered = [Beat(0, bytes(16))], False
        await bench.wait(50)
        assert not bench.ivs and bench.iv_errors == count and not bench.took
    bench.beats, bench.offered = [], False
    good = random_message(source, Twofish(key), 0, 4)
    bench.send([good])
    await bench.run()
    assert bench.iv_errors == len(refused)


@cocotb.test()
async def bad_keep(dut: Any) -> None:
    """TKEEP that the mode does not allow gives an error and zeros; the message goes on."""
    source = random.Random(12)
    key = source.randbytes(KEY_BITS // 8)
    cipher = Twofish(key)
    bench = Bench(dut)
    await bench.start(key)
    modes = [(ECB, True), (CBC, True)] if DECRYPT else []
    modes += [(ECB, False), (CBC, False), (CTR, False)] if ENCRYPT else []
    for mode, decrypt in modes:
        whole = message(cipher, 0, mode, decrypt, source.randbytes(16), source.randbytes(64))
        bench.send([whole])
        bad = [(1, 0x00FF), (2, 0x0000)] if mode == CTR else [(1, 0x7FFF), (3, 0x000F)]
        for i, keep in [*bad, (3, 0xFEFF) if mode == CTR else (2, 0xFFFE)]:
            want = bench.expected[i]
            bench.beats[i].keep = want.keep = keep
            want.data, want.error = bytes(16), True
        await bench.run()


@cocotb.test()
async def results_wait(dut: Any) -> None:
    """m_axis_tready low: the same result stays offered, nothing is lost, the input stops."""
    source = random.Random(13)
    key = source.randbytes(KEY_BITS // 8)
    bench = Bench(dut, may_take=never)
    await bench.start(key)
    one = random_message(source, Twofish(key), 0, 3 * LEVELS + 3)
    bench.send([one])
    await bench.wait(400)
    assert dut.m_axis_tvalid.value and bench.beats and not dut.s_axis_tready.value
    then = dut.m_axis_tdata.value
    await bench.wait(100)
    assert dut.m_axis_tdata.value == then
    bench.may_take = always
    await bench.run()


@cocotb.test()
async def wiping(dut: Any) -> None:
    """rst and zeroise in mid-message close it and wipe; afterwards all works as after a start."""
    source = random.Random(14)
    for signal in (dut.rst, dut.zeroise):
        for after in (3, 17, 40):
            key = source.randbytes(KEY_BITS // 8)
            bench = Bench(dut)
            await bench.start(key)
            bench.send([random_message(source, Twofish(key), STREAMS - 1, 9)])
            await bench.wait(after)
            bench.keys, bench.ivs, bench.beats = [], [], []
            bench.may_take = never
            signal.value = 1
            await bench.tick()
            signal.value = 0
            await FallingEdge(dut.clk)
            wrapper = bench.wrapper
            assert not wrapper.chains.value.to_unsigned() and not wrapper.notes.value.to_unsigned()
            assert not dut.m_axis_tvalid.value
            await RisingEdge(dut.clk)
            key = source.randbytes(KEY_BITS // 8)
            bench = Bench(dut)
            bench.set_key(key)
            bench.send([random_message(source, Twofish(key), t, 3) for t in range(STREAMS)], True)
            await bench.run()
