# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The modes over AES against the vectors of their documents, and their errors over Twofish."""

from __future__ import annotations

import unittest
from itertools import islice

import modes
from modes import Ocb, TagMismatchError
from tests.aes import Aes128
from twofish import Twofish

SP800_38A_KEY = bytes.fromhex("2b7e151628aed2a6abf7158809cf4f3c")
SP800_38A_PT = bytes.fromhex("6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51")
COUNT_UP = bytes(range(16))


class Cbc(unittest.TestCase):
    def test_sp800_38a(self) -> None:
        """F.2.1"""
        aes = Aes128(SP800_38A_KEY)
        ct = modes.cbc_encrypt(aes, COUNT_UP, SP800_38A_PT)
        expected = "7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2"
        self.assertEqual(ct.hex(), expected)
        self.assertEqual(modes.cbc_decrypt(aes, COUNT_UP, ct), SP800_38A_PT)

    def test_broken_blocks_are_refused(self) -> None:
        with self.assertRaisesRegex(ValueError, "not 17 bytes"):
            modes.cbc_encrypt(Twofish(b""), bytes(16), bytes(17))

    def test_padding(self) -> None:
        for n in range(40):
            padded = modes.pad(bytes(n))
            self.assertEqual(len(padded), (n // 16 + 1) * 16)
            self.assertEqual(modes.unpad(padded), bytes(n))

    def test_bad_padding_is_refused(self) -> None:
        for end in (b"", b"\x00", b"\x11" * 17, b"\x01\x02", b"\x03\x02\x03"):
            with self.assertRaises(ValueError):
                modes.unpad(end)


class Ctr(unittest.TestCase):
    def test_sp800_38a(self) -> None:
        """F.5.1"""
        first = bytes(range(0xF0, 0x100))
        ct = modes.ctr_crypt(Aes128(SP800_38A_KEY), first, SP800_38A_PT)
        expected = "874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff"
        self.assertEqual(ct.hex(), expected)

    def test_counters_wrap(self) -> None:
        first = b"\x11" * 11 + b"\xff" * 5
        self.assertEqual(
            list(islice(modes.counter_blocks(first, 32), 2)),
            [first, b"\x11" * 11 + b"\xff" + bytes(4)],
        )
        self.assertEqual(
            list(islice(modes.counter_blocks(first, 128), 2)),
            [first, b"\x11" * 10 + b"\x12" + bytes(5)],
        )
        self.assertEqual(
            list(islice(modes.counter_blocks(b"\xff" * 16, 128), 2)), [b"\xff" * 16, bytes(16)]
        )


class OcbTest(unittest.TestCase):
    def test_rfc7253_iterated(self) -> None:
        """Appendix A: every length to 127 bytes, of text and of associated data."""
        ocb, out = Ocb(Aes128(bytes(15) + b"\x80")), b""
        for i in range(128):
            plan = ((1, i, i), (2, 0, i), (3, i, 0))
            for n, aad_bytes, pt_bytes in plan:
                nonce = (3 * i + n).to_bytes(12, "big")
                out += b"".join(ocb.encrypt(nonce, bytes(aad_bytes), bytes(pt_bytes)))
        _, tag = ocb.encrypt((385).to_bytes(12, "big"), out, b"")
        self.assertEqual(tag.hex().upper(), "67E944D23256C5E0B6C61FA22FDF1EA2")

    def test_any_change_is_found(self) -> None:
        ocb = Ocb(Twofish(COUNT_UP))
        nonce, aad, pt = bytes(12), b"associated", b"plaintext of more than one block"[:20]
        ct, tag = ocb.encrypt(nonce, aad, pt)
        self.assertEqual(ocb.decrypt(nonce, aad, ct, tag), pt)
        good = (nonce, aad, ct, tag)
        for i, part in enumerate(good):
            bad = [*good[:i], part[:-1] + bytes([part[-1] ^ 1]), *good[i + 1 :]]
            with self.subTest(part=i), self.assertRaises(TagMismatchError):
                ocb.decrypt(*bad)

    def test_nonces_of_other_sizes_are_refused(self) -> None:
        for n in (0, 16):
            with self.assertRaisesRegex(ValueError, f"1 to 15 bytes, this one has {n}"):
                Ocb(Twofish(b"")).encrypt(bytes(n), b"", b"")
