# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The bench that cocotb runs on twofish_axis_core with a real core in it: a little of each mode.

axis_bench.py tests the wrapper; this shows that it and a core are joined.
"""

from __future__ import annotations

import json
import os
import random
from pathlib import Path
from typing import Any

import cocotb

from axis_bench import CBC, CTR, ECB, KEY_BITS, LEVELS, STREAMS, Bench, message
from twofish import Twofish


@cocotb.test()
async def all_modes(dut: Any) -> None:
    source = random.Random(15)
    bench = Bench(dut)
    for _ in range(2):
        key = source.randbytes(KEY_BITS // 8)
        cipher = Twofish(key)
        if not bench.clock:
            await bench.start()
        bench.set_key(key)
        modes = [(ECB, False), (CBC, True), (CTR, False), (CBC, False)]
        bench.send(
            [
                message(cipher, i % STREAMS, mode, back, source.randbytes(16), source.randbytes(32))
                for i, (mode, back) in enumerate(modes)
            ],
            mixed=len(modes) <= STREAMS,
        )
        await bench.run()


async def clocks_of_a_block(bench: Bench, cipher: Twofish, chains: int) -> float:
    """Of results that leave, once all messages are under way; they come LEVELS at a time."""
    source = random.Random(chains)
    texts = [source.randbytes(16 * 8) for _ in range(chains)]
    bench.gave.clear()
    bench.send(
        [
            message(cipher, i, CBC, False, source.randbytes(16), text)
            for i, text in enumerate(texts)
        ],
        mixed=True,
    )
    await bench.run()
    first, last = bench.gave[chains], bench.gave[(1 + LEVELS) * chains]
    return (last - first) / (LEVELS * chains)


@cocotb.test(skip="CHAINS" not in os.environ)
async def chains(dut: Any) -> None:
    """Measures CBC encryption of some messages in turn, for ../chains.py."""
    bench = Bench(dut)
    key = bytes(range(KEY_BITS // 8))
    await bench.start()
    bench.set_key(key)
    counts = sorted({1, LEVELS, LEVELS + 1})
    found = {count: await clocks_of_a_block(bench, Twofish(key), count) for count in counts}
    Path(os.environ["CHAINS"]).write_text(json.dumps(found), encoding="utf-8")
