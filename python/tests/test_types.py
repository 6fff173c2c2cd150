# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Programs as users write them: they run here, and `make lint` checks their types strictly."""

from __future__ import annotations

import unittest
from collections.abc import Callable

from manyfish import (
    CMAC,
    DES,
    DES3,
    Kernel,
    Twofish,
    aead,
    decrypt_bytes,
    encrypt_bytes,
    kernels,
    many,
    study,
)
from manyfish._authenticated import CcmMode, EaxMode, GcmMode, OcbMode, SivMode
from manyfish._classic import CbcMode, CfbMode, CtrMode, EcbMode, OfbMode, OpenPgpMode, XtsMode

KEY = bytes(range(64))


class Types(unittest.TestCase):
    """A type checker must find by itself the type that annotates a name."""

    def test_objects(self) -> None:
        ecb: EcbMode = Twofish.new(KEY[:16], Twofish.MODE_ECB)
        cbc: CbcMode = Twofish.new(KEY[:16], Twofish.MODE_CBC, bytes(16))
        cfb: CfbMode = DES.new(KEY[:8], DES.MODE_CFB, iv=bytes(8), segment_size=64)
        ofb: OfbMode = DES3.new(KEY[:24], DES3.MODE_OFB, IV=bytes(8), kernel="sp2k")
        ctr: CtrMode = Twofish.new(bytearray(32), Twofish.MODE_CTR, nonce=b"", initial_value=1)
        pgp: OpenPgpMode = Twofish.new(memoryview(KEY[:32]), Twofish.MODE_OPENPGP)
        eax: EaxMode = DES.new(KEY[:8], DES.MODE_EAX, mac_len=4)
        ccm: CcmMode = Twofish.new(KEY[:16], Twofish.MODE_CCM, bytes(12), msg_len=0, assoc_len=3)
        siv: SivMode = Twofish.new(KEY, Twofish.MODE_SIV, nonce=b"once")
        gcm: GcmMode = Twofish.new(KEY[:16], Twofish.MODE_GCM)
        ocb: OcbMode = Twofish.new(KEY[:16], Twofish.MODE_OCB)
        xts: XtsMode = Twofish.new(KEY, Twofish.MODE_XTS)
        for each in (ecb, cbc, cfb, ofb, ctr, pgp, eax, ccm, siv, gcm, ocb, xts):
            self.assertIn(each.block_size, (8, 16))

    def test_results(self) -> None:
        cbc = Twofish.new(KEY[:16], Twofish.MODE_CBC)
        sealed: bytes = cbc.encrypt(bytes(32))
        nothing: None = cbc.encrypt(bytes(32), output=bytearray(32))
        self.assertEqual((len(sealed), nothing), (32, None))
        ocb = Twofish.new(KEY[:16], Twofish.MODE_OCB, nonce=b"once").update(b"public")
        whole: tuple[bytes, bytes] = ocb.encrypt_and_digest(b"text")
        opener = Twofish.new(KEY[:16], Twofish.MODE_OCB, nonce=b"once").update(b"public")
        text: bytes = opener.decrypt_and_verify(*whole)
        self.assertEqual(text, b"text")
        first: Kernel = kernels()[0]
        quiet: bool = first.constant_time
        self.assertIsInstance(quiet, bool)
        tag: bytes = CMAC.new(KEY[:16], b"text").digest()
        self.assertEqual(len(tag), 16)

    def test_one_shot(self) -> None:
        one = aead.TwofishGCM(aead.TwofishGCM.generate_key(128), tag_length=12)
        nobody: bytes | None = None
        sealed: bytes = one.encrypt(b"once", b"text", nobody)
        room = bytearray(4)
        n_bytes: int = one.decrypt_into(b"once", sealed, None, room)
        self.assertEqual((n_bytes, room), (4, b"text"))


class Numbers(unittest.TestCase):
    def test_too_small_and_too_large(self) -> None:
        key, huge = KEY[:16], 1 << 64
        xts = Twofish.new(KEY, Twofish.MODE_XTS)
        calls: list[Callable[[int], object]] = [
            lambda n: Twofish.new(key, Twofish.MODE_OCB, mac_len=n),
            lambda n: Twofish.new(key, Twofish.MODE_EAX, mac_len=n),
            lambda n: Twofish.new(key, Twofish.MODE_GCM, mac_len=n),
            lambda n: Twofish.new(key, Twofish.MODE_CCM, mac_len=n),
            lambda n: Twofish.new(key, Twofish.MODE_CCM, msg_len=n),
            lambda n: Twofish.new(key, Twofish.MODE_CCM, assoc_len=n),
            lambda n: aead.TwofishGCM(key, n),
            lambda n: aead.TwofishGCM.generate_key(n),
            lambda n: aead.TwofishSIV.generate_key(n),
            lambda n: many.Cipher("GCM", key, tag_length=n),
            lambda n: many.Cipher("CTR", key, counter_bits=n),
            lambda n: study.TwofishVariant(key, rounds=n),
            lambda n: xts.encrypt_sectors(bytes(512), n, 512),
            lambda n: xts.decrypt_sectors(bytes(512), 0, n),
            lambda n: encrypt_bytes(b"text", "phrase", chunk_size=n),
            lambda n: decrypt_bytes(b"no message", "phrase", max_memory=n),
        ]
        for i, call in enumerate(calls):
            for n in (-huge, -1, huge):
                with self.subTest(call=i, n=n), self.assertRaises(ValueError):
                    call(n)


if __name__ == "__main__":
    unittest.main()
