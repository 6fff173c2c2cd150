# SPDX-License-Identifier: Apache-2.0 OR MIT
"""CMAC [SP800-38B] and EAX [EAX04] over any block cipher; CCM [SP800-38C] and SIV [RFC5297], which
are built on CBC-MAC too, over one of 16-byte blocks. All are written as their documents write them.
"""

from __future__ import annotations

from collections.abc import Sequence

from modes import BlockCipher, TagMismatchError, blocks, ctr_crypt, double
from twofish import BLOCK_BYTES, xor

ZERO = bytes(BLOCK_BYTES)


def number(x: int, n_bytes: int = BLOCK_BYTES) -> bytes:
    return x.to_bytes(n_bytes, "big")


def cbc_mac(cipher: BlockCipher, data: bytes) -> bytes:
    """The last block of CBC encryption from zero."""
    X = bytes(cipher.block_bytes)
    for B in blocks(data, cipher.block_bytes):
        X = cipher.encrypt(xor(X, B))
    return X


# --- CMAC --------------------------------------------------------------------------------------


def cmac(cipher: BlockCipher, message: bytes, tag_bytes: int | None = None) -> bytes:
    """T of [SP800-38B, 6.2]; without tag_bytes, whole."""
    n = cipher.block_bytes
    if tag_bytes is not None and not 1 <= tag_bytes <= n:
        raise ValueError(f"a CMAC tag has 1 to {n} bytes, not {tag_bytes}")
    K1 = double(cipher.encrypt(bytes(n)))
    K2 = double(K1)
    M = blocks(message, n) or [b""]
    if len(M[-1]) == n:
        M[-1] = xor(M[-1], K1)
    else:
        M[-1] = xor((M[-1] + b"\x80").ljust(n, b"\0"), K2)
    return cbc_mac(cipher, b"".join(M))[:tag_bytes]


# --- EAX ---------------------------------------------------------------------------------------


class Eax:
    """EAX in the words of [EAX04, 3]: N is the nonce, H the header, tau the bytes of the tag."""

    def __init__(self, cipher: BlockCipher, tau: int | None = None) -> None:
        self.cipher, self.tau = cipher, tau

    def omac(self, t: int, message: bytes) -> bytes:
        return cmac(self.cipher, number(t, self.cipher.block_bytes) + message)

    def _tag(self, N: bytes, H: bytes, C: bytes) -> bytes:
        return xor(xor(self.omac(0, N), self.omac(1, H)), self.omac(2, C))[: self.tau]

    def encrypt(self, N: bytes, H: bytes, M: bytes) -> tuple[bytes, bytes]:
        C = ctr_crypt(self.cipher, self.omac(0, N), M)
        return C, self._tag(N, H, C)

    def decrypt(self, N: bytes, H: bytes, C: bytes, T: bytes) -> bytes:
        if self._tag(N, H, C) != T:
            raise TagMismatchError
        return ctr_crypt(self.cipher, self.omac(0, N), C)


# --- CCM ---------------------------------------------------------------------------------------


def _filled(data: bytes) -> bytes:
    """Zeros at the end, to whole blocks."""
    return data + bytes(-len(data) % BLOCK_BYTES)


class Ccm:
    """CCM [SP800-38C, 6] with the formatting of its appendix A; t is the bytes of the tag."""

    def __init__(self, cipher: BlockCipher, t: int = BLOCK_BYTES) -> None:
        if t not in range(4, 17, 2):
            raise ValueError(f"a CCM tag has 4, 6, .. or 16 bytes, not {t}")
        self.cipher, self.t = cipher, t

    def q(self, N: bytes) -> int:
        if not 7 <= len(N) <= 13:
            raise ValueError(f"a CCM nonce has 7 to 13 bytes, this one has {len(N)}")
        return 15 - len(N)

    def formatted(self, N: bytes, A: bytes, P: bytes) -> bytes:
        """B_0 B_1 .. B_r [SP800-38C, A.2]"""
        q, a = self.q(N), len(A)
        if len(P) >= 256**q:
            raise ValueError(f"CCM with a nonce of {len(N)} bytes takes less than {256**q} bytes")
        B = number((a > 0) << 6 | (self.t - 2) // 2 << 3 | q - 1, 1) + N + number(len(P), q)
        if 0 < a < 0xFF00:
            B += number(a, 2)
        elif 0xFF00 <= a < 1 << 32:
            B += b"\xff\xfe" + number(a, 4)
        elif a >= 1 << 32:
            B += b"\xff\xff" + number(a, 8)
        return _filled(B + A) + _filled(P)

    def keystream(self, N: bytes, n_bytes: int) -> bytes:
        """S_0, then n_bytes of S_1 S_2 .. [SP800-38C, A.3]"""
        q = self.q(N)
        counter = number(q - 1, 1) + N + bytes(q)
        return ctr_crypt(self.cipher, counter, bytes(BLOCK_BYTES + n_bytes))

    def encrypt(self, N: bytes, A: bytes, P: bytes) -> tuple[bytes, bytes]:
        T = cbc_mac(self.cipher, self.formatted(N, A, P))
        S = self.keystream(N, len(P))
        return xor(P, S[BLOCK_BYTES:]), xor(T, S[:BLOCK_BYTES])[: self.t]

    def decrypt(self, N: bytes, A: bytes, C: bytes, T: bytes) -> bytes:
        P = xor(C, self.keystream(N, len(C))[BLOCK_BYTES:])
        if self.encrypt(N, A, P)[1] != T:
            raise TagMismatchError
        return P


# --- SIV ---------------------------------------------------------------------------------------


class Siv:
    """SIV [RFC5297, 2] with the cipher of K1 for S2V, that of K2 for CTR. A nonce is the last of
    the strings A.
    """

    def __init__(self, s2v_cipher: BlockCipher, ctr_cipher: BlockCipher) -> None:
        self.s2v_cipher, self.ctr_cipher = s2v_cipher, ctr_cipher

    def s2v(self, *S: bytes) -> bytes:
        """[RFC5297, 2.4] for at least one string."""
        if len(S) > 127:
            raise ValueError(f"S2V takes at most 127 strings, not {len(S)}")
        D = cmac(self.s2v_cipher, ZERO)
        for S_i in S[:-1]:
            D = xor(double(D), cmac(self.s2v_cipher, S_i))
        S_n = S[-1]
        if len(S_n) >= BLOCK_BYTES:
            T = S_n[:-BLOCK_BYTES] + xor(S_n[-BLOCK_BYTES:], D)
        else:
            T = xor(double(D), (S_n + b"\x80").ljust(BLOCK_BYTES, b"\0"))
        return cmac(self.s2v_cipher, T)

    def _crypt(self, V: bytes, data: bytes) -> bytes:
        """[RFC5297, 2.5]: bits 63 and 31 of the counter are cleared."""
        Q = int.from_bytes(V, "big") & ~(1 << 63 | 1 << 31)
        return ctr_crypt(self.ctr_cipher, number(Q), data)

    def encrypt(self, A: Sequence[bytes], P: bytes) -> tuple[bytes, bytes]:
        V = self.s2v(*A, P)
        return self._crypt(V, P), V

    def decrypt(self, A: Sequence[bytes], C: bytes, V: bytes) -> bytes:
        P = self._crypt(V, C)
        if self.s2v(*A, P) != V:
            raise TagMismatchError
        return P
