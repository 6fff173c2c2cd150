# SPDX-License-Identifier: Apache-2.0 OR MIT
"""CFB and OFB over any block cipher, in the words of [SP800-38A, 6.3, 6.4]."""

from __future__ import annotations

from modes import BlockCipher, blocks
from twofish import xor


def _cfb(cipher: BlockCipher, iv: bytes, data: bytes, segment_bits: int, decrypting: bool) -> bytes:
    """Strings of bits are numbers here, the first bit being the highest. The last segment may be
    short: the standard does not have that, but everybody does it for whole-block CFB.
    """
    block_bits, todo = 8 * cipher.block_bytes, 8 * len(data)
    text, out = int.from_bytes(data, "big"), 0
    I = int.from_bytes(iv, "big")  # noqa: E741
    while todo:
        s = min(segment_bits, todo)
        todo -= s
        O = int.from_bytes(cipher.encrypt(I.to_bytes(cipher.block_bytes, "big")), "big")  # noqa: E741
        X = text >> todo & (1 << s) - 1
        Y = X ^ O >> (block_bits - s)
        C = X if decrypting else Y
        I = (I << s | C) & (1 << block_bits) - 1  # noqa: E741
        out = out << s | Y
    return out.to_bytes(len(data), "big")


def cfb_encrypt(cipher: BlockCipher, iv: bytes, plaintext: bytes, segment_bits: int) -> bytes:
    """CFB with segments of this many bits."""
    return _cfb(cipher, iv, plaintext, segment_bits, decrypting=False)


def cfb_decrypt(cipher: BlockCipher, iv: bytes, ciphertext: bytes, segment_bits: int) -> bytes:
    return _cfb(cipher, iv, ciphertext, segment_bits, decrypting=True)


def ofb_crypt(cipher: BlockCipher, iv: bytes, data: bytes) -> bytes:
    """Encrypts or decrypts, which is the same."""
    O, out = iv, b""  # noqa: E741
    for P in blocks(data, cipher.block_bytes):
        O = cipher.encrypt(O)  # noqa: E741
        out += xor(P, O)
    return out
