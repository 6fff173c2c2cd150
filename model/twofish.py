# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Twofish, to be read beside the paper: B. Schneier, J. Kelsey, D. Whiting, D. Wagner, C. Hall,
N. Ferguson, "Twofish: A 128-Bit Block Cipher", 15 June 1998, cited as [Twofish98, section].

This file is the specification that all other implementations of the project are tested against.
It is short rather than fast and shares nothing with them. It is no place for secrets: its running
time depends on key and data.

Bytes stand in strings of 4, words are 32-bit numbers; byte i of a word has the weight 2^8i
[Twofish98, 4]. K, L, S, M, R, T, F are the paper's names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

BLOCK_BYTES = 16
MAX_KEY_BYTES = 32
ROUNDS = 16
# h takes the index of a subkey as one byte: 256 subkeys, of which 8 whiten and 2 go to each round.
MAX_ROUNDS = 124
FAMILY_KEY_BYTES = 32

RHO = 0x01010101  # [Twofish98, 4.3.4]

MDS_POLYNOMIAL = 0x169  # v(x) = x^8 + x^6 + x^5 + x^3 + 1 [Twofish98, 4.2]
MDS = (
    (0x01, 0xEF, 0x5B, 0x5B),
    (0x5B, 0xEF, 0xEF, 0x01),
    (0xEF, 0x5B, 0x01, 0xEF),
    (0xEF, 0x01, 0xEF, 0x5B),
)

RS_POLYNOMIAL = 0x14D  # w(x) = x^8 + x^6 + x^3 + x^2 + 1 [Twofish98, 4.3]
RS = (
    (0x01, 0xA4, 0x55, 0x87, 0x5A, 0x58, 0xDB, 0x9E),
    (0xA4, 0x56, 0x82, 0xF3, 0x1E, 0xC6, 0x68, 0xE5),
    (0x02, 0xA1, 0xFC, 0xC1, 0x47, 0xAE, 0x3D, 0x19),
    (0xA4, 0x55, 0x87, 0x5A, 0x58, 0xDB, 0x9E, 0x03),
)

# The 4-bit permutations t0..t3 of q0 and of q1, entry n as hexadecimal digit n [Twofish98, 4.3.5].
Q_NIBBLES = (
    ("817D6F320B59ECA4", "ECB81235F4A6709D", "BA5E6D90C8F32471", "D7F4126E9B3085CA"),
    ("28BDF76E31940AC5", "1E2B4C376DA5F908", "4C75169A0ED82B3F", "B951C3DE647F208A"),
)

# Which q stands at which level of byte j of h; level 0 is the outermost [Twofish98, 4.3.2].
Q_ORDER = (
    (1, 0, 1, 0),
    (0, 0, 1, 1),
    (0, 1, 0, 1),
    (1, 1, 0, 0),  # keys of 192 and 256 bits
    (1, 0, 0, 1),  # keys of 256 bits
)

Words = tuple[int, ...]
Block = tuple[int, int, int, int]


# --- words -------------------------------------------------------------------------------------


def word(four_bytes: bytes) -> int:
    return int.from_bytes(four_bytes, "little")


def words(data: bytes) -> Words:
    return tuple(word(data[i : i + 4]) for i in range(0, len(data), 4))


def word_bytes(*numbers: int) -> bytes:
    return b"".join(n.to_bytes(4, "little") for n in numbers)


def add(*numbers: int) -> int:
    return sum(numbers) % 2**32


def rol(x: int, n: int) -> int:
    return (x << n | x >> (32 - n)) % 2**32


def ror(x: int, n: int) -> int:
    return rol(x, 32 - n)


def xor(a: bytes, b: bytes) -> bytes:
    """The exclusive or of two strings, as long as the shorter one."""
    return bytes(x ^ y for x, y in zip(a, b))


# --- building blocks ---------------------------------------------------------------------------


def gf_multiply(a: int, b: int, polynomial: int) -> int:
    """The product of two bytes in GF(2^8) modulo a polynomial of degree 8 [Twofish98, 4.2]."""
    product = 0
    while b:
        if b & 1:
            product ^= a
        a <<= 1
        if a & 0x100:
            a ^= polynomial
        b >>= 1
    return product


def _product_table(polynomial: int, matrix: Sequence[Sequence[int]]) -> dict[int, bytes]:
    """All multiples of each number that occurs in the matrix."""
    numbers = {a for row in matrix for a in row}
    return {a: bytes(gf_multiply(a, x, polynomial) for x in range(256)) for a in numbers}


_MDS_TIMES = _product_table(MDS_POLYNOMIAL, MDS)
_RS_TIMES = _product_table(RS_POLYNOMIAL, RS)


def _matrix_times(
    times: dict[int, bytes], matrix: Sequence[Sequence[int]], column: Sequence[int]
) -> bytes:
    result = bytearray(len(matrix))
    for i, row in enumerate(matrix):
        for a, x in zip(row, column):
            result[i] ^= times[a][x]
    return bytes(result)


def mds_multiply(y: Sequence[int]) -> bytes:
    """MDS times a column of 4 bytes [Twofish98, 4.2]."""
    return _matrix_times(_MDS_TIMES, MDS, y)


def rs_multiply(m: bytes) -> bytes:
    """RS times a column of 8 key bytes [Twofish98, 4.3]."""
    return _matrix_times(_RS_TIMES, RS, m)


def _ror4(x: int) -> int:
    """A rotation by one within four bits."""
    return x >> 1 | (x & 1) << 3


def q_mix(a: int, b: int) -> tuple[int, int]:
    """The mixing before each pair of 4-bit permutations [Twofish98, 4.3.5]; it is linear."""
    return a ^ b, a ^ _ror4(b) ^ (8 * a) % 16


def q_permutation(nibbles: Sequence[str]) -> bytes:
    """The table of a q from its four 4-bit permutations [Twofish98, 4.3.5]."""
    t = [[int(digit, 16) for digit in digits] for digits in nibbles]

    def q(x: int) -> int:
        a, b = divmod(x, 16)
        for t_a, t_b in (t[:2], t[2:]):
            a, b = q_mix(a, b)
            a, b = t_a[a], t_b[b]
        return 16 * b + a

    return bytes(q(x) for x in range(256))


Q = (q_permutation(Q_NIBBLES[0]), q_permutation(Q_NIBBLES[1]))


def pht(a: int, b: int) -> tuple[int, int]:
    """The pseudo-Hadamard transform [Twofish98, 2.4]."""
    return add(a, b), add(a, 2 * b)


def s_box(j: int, x: int, L: Sequence[bytes]) -> int:
    """Byte j of h up to the matrix: levels of q with the bytes of L between them."""
    for level in range(len(L), 0, -1):
        x = Q[Q_ORDER[level][j]][x] ^ L[level - 1][j]
    return Q[Q_ORDER[0][j]][x]


def h(X: int, L: Sequence[bytes]) -> int:
    """[Twofish98, 4.3.2]; L holds L_0 .. L_(k-1), of which L_0 is used last."""
    return word(mds_multiply([s_box(j, x, L) for j, x in enumerate(word_bytes(X))]))


# --- key schedule ------------------------------------------------------------------------------


def pad_key(key: bytes) -> bytes:
    """Appends zeros up to the next of 16, 24 and 32 bytes [Twofish98, 4.3.1]."""
    if len(key) > MAX_KEY_BYTES:
        raise ValueError(f"a Twofish key has 0 to {MAX_KEY_BYTES} bytes, this one has {len(key)}")
    return key.ljust(max(16, -(-len(key) // 8) * 8), b"\0")


def s_words(key: bytes) -> list[bytes]:
    """The list S = (S_(k-1), .., S_0) that turns h into g [Twofish98, 4.3]."""
    return [rs_multiply(key[i : i + 8]) for i in range(0, len(key), 8)][::-1]


def subkeys(key: bytes, count: int) -> Words:
    """K_0 .. K_(count-1) [Twofish98, 4.3.4]."""
    M = [key[i : i + 4] for i in range(0, len(key), 4)]
    M_even, M_odd = M[0::2], M[1::2]
    K: list[int] = []
    for i in range(count // 2):
        A = h(2 * i * RHO, M_even)
        B = rol(h((2 * i + 1) * RHO, M_odd), 8)
        a, b = pht(A, B)
        K += (a, rol(b, 9))
    return tuple(K)


class FamilyKey:
    """Twofish-FK: a 256-bit key that turns Twofish into another cipher of the same kind.

    [Twofish98, 11.8]. No test vectors of the authors are known, so those of this project are its
    own reading: T_0 is XORed into the key for the subkeys, T_2, T_3, T_4 into the subkeys; T_1 is
    then XORed into the key for S, where each byte also passes through q0 before RS.
    """

    def __init__(self, family_key: bytes) -> None:
        if len(family_key) != FAMILY_KEY_BYTES:
            raise ValueError(
                f"a family key has {FAMILY_KEY_BYTES} bytes, this one has {len(family_key)}"
            )
        cipher = Twofish(family_key)
        E = [cipher.encrypt(i.to_bytes(BLOCK_BYTES, "little")) for i in range(5)]
        self.T = (family_key, xor(E[0] + E[1], family_key), E[2], E[3], E[4][:8])

    def subkey_key(self, key: bytes) -> bytes:
        return xor(key, self.T[0])

    def s_key(self, key: bytes) -> bytes:
        return xor(self.subkey_key(key), self.T[1]).translate(Q[0])

    def subkeys(self, K: Words) -> Words:
        rounds = (len(K) - 8) // 2
        constants = words(self.T[2]) + words(self.T[3]) + words(self.T[4]) * rounds
        return tuple(a ^ b for a, b in zip(K, constants))


# --- the cipher --------------------------------------------------------------------------------


class Twofish:
    """One expanded key. The arguments after the key are for study; the cipher is their default.

    rounds      1 to 124; K_0..K_7 whiten and the rounds use K_8, K_9, .. for any number of them
    whitening   False sets K_0..K_7 to zero, as the attacks on reduced variants do
    family_key  32 bytes, see FamilyKey
    """

    block_bytes = BLOCK_BYTES

    def __init__(
        self,
        key: bytes,
        rounds: int = ROUNDS,
        whitening: bool = True,
        family_key: bytes | None = None,
    ) -> None:
        if not 1 <= rounds <= MAX_ROUNDS:
            raise ValueError(f"Twofish can have 1 to {MAX_ROUNDS} rounds, not {rounds}")
        self.key = pad_key(key)
        self.rounds = rounds
        self.whitening = whitening
        family = None if family_key is None else FamilyKey(family_key)
        self.S = s_words(family.s_key(self.key) if family else self.key)
        self.K = self._subkeys(family)

    def _subkeys(self, family: FamilyKey | None) -> Words:
        count = 8 + 2 * self.rounds
        if family:
            K = family.subkeys(subkeys(family.subkey_key(self.key), count))
        else:
            K = subkeys(self.key, count)
        return K if self.whitening else (0,) * 8 + K[8:]

    def g(self, X: int) -> int:
        """[Twofish98, 4.2]"""
        return h(X, self.S)

    def F(self, R0: int, R1: int, r: int) -> tuple[int, int]:
        """[Twofish98, 4.1]"""
        F0, F1 = pht(self.g(R0), self.g(rol(R1, 8)))
        return add(F0, self.K[2 * r + 8]), add(F1, self.K[2 * r + 9])

    def round(self, R: Block, r: int) -> Block:
        """Round r = 0, 1, .. of an encryption [Twofish98, 4]."""
        F0, F1 = self.F(R[0], R[1], r)
        return ror(R[2] ^ F0, 1), rol(R[3], 1) ^ F1, R[0], R[1]

    def inverse_round(self, R: Block, r: int) -> Block:
        F0, F1 = self.F(R[2], R[3], r)
        return R[2], R[3], rol(R[0], 1) ^ F0, ror(R[1] ^ F1, 1)

    def whiten_input(self, P: Sequence[int]) -> Block:
        return P[0] ^ self.K[0], P[1] ^ self.K[1], P[2] ^ self.K[2], P[3] ^ self.K[3]

    def whiten_output(self, R: Block) -> Block:
        """Undoes the swap of the last round and whitens [Twofish98, 4]."""
        return R[2] ^ self.K[4], R[3] ^ self.K[5], R[0] ^ self.K[6], R[1] ^ self.K[7]

    def round_states(self, block: bytes) -> Iterator[Block]:
        """The words R_r of an encryption: after the input whitening, then after each round."""
        R = self.whiten_input(words(_checked(block)))
        yield R
        for r in range(self.rounds):
            R = self.round(R, r)
            yield R

    def encrypt(self, block: bytes) -> bytes:
        *_, R = self.round_states(block)
        return word_bytes(*self.whiten_output(R))

    def decrypt(self, block: bytes) -> bytes:
        C = words(_checked(block))
        R = C[2] ^ self.K[6], C[3] ^ self.K[7], C[0] ^ self.K[4], C[1] ^ self.K[5]
        for r in reversed(range(self.rounds)):
            R = self.inverse_round(R, r)
        return word_bytes(*self.whiten_input(R))


def _checked(block: bytes) -> bytes:
    if len(block) != BLOCK_BYTES:
        raise ValueError(f"a block has {BLOCK_BYTES} bytes, this one has {len(block)}")
    return block
