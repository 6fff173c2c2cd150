# SPDX-License-Identifier: Apache-2.0 OR MIT
"""AES [FIPS197], as short as it gets: the documents of the modes have vectors for it alone."""

from __future__ import annotations

from twofish import gf_multiply, xor

POLYNOMIAL = 0x11B


def _s_box() -> bytes:
    def s(x: int) -> int:
        inverse = next((y for y in range(256) if gf_multiply(x, y, POLYNOMIAL) == 1), 0)
        spread = 0  # the XOR of the inverse rotated by 0 to 4
        for i in range(5):
            spread ^= inverse << i
        return (spread ^ spread >> 8) & 0xFF ^ 0x63

    return bytes(s(x) for x in range(256))


S = _s_box()
S_INVERSE = bytes(S.index(x) for x in range(256))
SHIFT_ROWS = [(5 * i) % 16 for i in range(16)]
TIMES = {
    a: bytes(gf_multiply(a, x, POLYNOMIAL) for x in range(256)) for a in (1, 2, 3, 9, 11, 13, 14)
}


def _mix(state: bytes, row: tuple[int, ...]) -> bytes:
    """Each column times the circulant matrix whose first row is given."""
    out = bytearray(16)
    for i in range(16):
        for j in range(4):
            out[i] ^= TIMES[row[(j - i) % 4]][state[i - i % 4 + j]]
    return bytes(out)


class Aes:
    block_bytes = 16

    def __init__(self, key: bytes) -> None:
        words, constant = [key[i : i + 4] for i in range(0, len(key), 4)], 1
        Nk = len(words)
        self.rounds = Nk + 6
        for i in range(Nk, 4 * self.rounds + 4):
            last = words[-1]
            if i % Nk == 0:
                last = xor((last[1:] + last[:1]).translate(S), bytes([constant, 0, 0, 0]))
                constant = gf_multiply(constant, 2, POLYNOMIAL)
            elif Nk > 6 and i % Nk == 4:
                last = last.translate(S)
            words.append(xor(words[i - Nk], last))
        self.keys = [b"".join(words[i : i + 4]) for i in range(0, len(words), 4)]

    def encrypt(self, block: bytes) -> bytes:
        state = xor(block, self.keys[0])
        for r in range(1, self.rounds + 1):
            state = bytes(S[state[i]] for i in SHIFT_ROWS)
            state = xor(state if r == self.rounds else _mix(state, (2, 3, 1, 1)), self.keys[r])
        return state

    def decrypt(self, block: bytes) -> bytes:
        state = block
        for r in range(self.rounds, 0, -1):
            state = xor(state, self.keys[r])
            state = state if r == self.rounds else _mix(state, (14, 11, 13, 9))
            state = bytes(S_INVERSE[state[SHIFT_ROWS.index(i)]] for i in range(16))
        return xor(state, self.keys[0])


Aes128 = Aes  # for documents that use no other key size
