# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The bench that cocotb runs on twofish_axis_core with a real core in it: a little of each mode.

axis_bench.py tests the wrapper; this shows that it and a core are joined.
"""

from __future__ import annotations

import random
from typing import Any

import cocotb

from axis_bench import CBC, CTR, ECB, KEY_BITS, STREAMS, Bench, message
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
