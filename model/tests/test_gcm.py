# SPDX-License-Identifier: Apache-2.0 OR MIT
"""GCM over AES against the 18 test cases of its authors, and its refusals over Twofish."""

from __future__ import annotations

import unittest

from gcm import Gcm, ghash, inc32
from modes import TagMismatchError
from tests.aes import Aes
from twofish import Twofish

# [GCM04, appendix B]: what the cases of each key size share ..
KEY = bytes.fromhex("feffe9928665731c6d6a8f9467308308")
PT = bytes.fromhex(
    "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
    "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255"
)
AAD = bytes.fromhex("feedfacedeadbeeffeedfacedeadbeefabaddad2")
IV_12 = bytes.fromhex("cafebabefacedbaddecaf888")
IV_8 = IV_12[:8]
IV_60 = bytes.fromhex(
    "9313225df88406e555909c5aff5269aa6a7a9538534f7da1e4c303d2a318a728"
    "c3c0c95156809539fcf0e2429a6b525416aedbf5a0de6a57a637b39b"
)
# .. and the tags and ciphertexts in which they differ, by the bytes of the key. The first case has
# no text, the fourth that of the third without its last four bytes.
TAGS = {
    16: (
        "58e2fccefa7e3061367f1d57a4e7455a",
        "ab6e47d42cec13bdf53a67b21257bddf",
        "4d5c2af327cd64a62cf35abd2ba6fab4",
        "5bc94fbc3221a5db94fae95ae7121a47",
        "3612d2e79e3b0785561be14aaca2fccb",
        "619cc5aefffe0bfa462af43c1699d050",
    ),
    24: (
        "cd33b28ac773f74ba00ed1f312572435",
        "2ff58d80033927ab8ef4d4587514f0fb",
        "9924a7c8587336bfb118024db8674a14",
        "2519498e80f1478f37ba55bd6d27618c",
        "65dcc57fcf623a24094fcca40d3533f8",
        "dcf566ff291c25bbb8568fc3d376a6d9",
    ),
    32: (
        "530f8afbc74536b9a963b4f1c4cb738b",
        "d0d1c8a799996bf0265b98b5d48ab919",
        "b094dac5d93471bdec1a502270e3cc6c",
        "76fc6ece0f4e1768cddf8853bb2d551b",
        "3a337dbf46a792c45e454913fe2ea8f2",
        "a44a8266ee1c8eb0c8b5d4cf5ae9f19a",
    ),
}
CIPHERTEXTS = {
    16: (
        "0388dace60b6a392f328c2b971b2fe78",
        "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e"
        "21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091473f5985",
        "61353b4c2806934a777ff51fa22a4755699b2a714fcdc6f83766e5f97b6c7423"
        "73806900e49f24b22b097544d4896b424989b5e1ebac0f07c23f4598",
        "8ce24998625615b603a033aca13fb894be9112a5c3a211a8ba262a3cca7e2ca7"
        "01e4a9a4fba43c90ccdcb281d48c7c6fd62875d2aca417034c34aee5",
    ),
    24: (
        "98e7247c07f0fe411c267e4384b0f600",
        "3980ca0b3c00e841eb06fac4872a2757859e1ceaa6efd984628593b40ca1e19c"
        "7d773d00c144c525ac619d18c84a3f4718e2448b2fe324d9ccda2710acade256",
        "0f10f599ae14a154ed24b36e25324db8c566632ef2bbb34f8347280fc4507057"
        "fddc29df9a471f75c66541d4d4dad1c9e93a19a58e8b473fa0f062f7",
        "d27e88681ce3243c4830165a8fdcf9ff1de9a1d8e6b447ef6ef7b79828666e45"
        "81e79012af34ddd9e2f037589b292db3e67c036745fa22e7e9b7373b",
    ),
    32: (
        "cea7403d4d606b6e074ec5d3baf39d18",
        "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
        "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662898015ad",
        "c3762df1ca787d32ae47c13bf19844cbaf1ae14d0b976afac52ff7d79bba9de0"
        "feb582d33934a4f0954cc2363bc73f7862ac430e64abe499f47c9b1f",
        "5a8def2f0c9e53f1f75d7853659e2a20eeb2b22aafde6419a058ab4f6f746bf4"
        "0fc0c3b780f244452da3ebf1c5d82cdea2418997200ef82e44ae7e3f",
    ),
}


class Published(unittest.TestCase):
    def test_cases_1_to_18(self) -> None:
        inputs = (
            (False, bytes(12), b"", b""),
            (False, bytes(12), b"", bytes(16)),
            (True, IV_12, b"", PT),
            (True, IV_12, AAD, PT[:60]),
            (True, IV_8, AAD, PT[:60]),
            (True, IV_60, AAD, PT[:60]),
        )
        for key_bytes in (16, 24, 32):
            second, third, fifth, sixth = CIPHERTEXTS[key_bytes]
            cts = ("", second, third, third[:120], fifth, sixth)
            for (keyed, iv, aad, pt), ct, tag in zip(inputs, cts, TAGS[key_bytes]):
                with self.subTest(key_bytes=key_bytes, tag=tag):
                    gcm = Gcm(Aes((KEY * 2)[:key_bytes] if keyed else bytes(key_bytes)))
                    found = gcm.encrypt(iv, aad, pt)
                    self.assertEqual([x.hex() for x in found], [ct, tag])
                    self.assertEqual(gcm.decrypt(iv, aad, *found), pt)


class Refusals(unittest.TestCase):
    def test_any_change_is_found(self) -> None:
        for tag_bytes in (4, 8, 12, 13, 14, 15, 16):
            gcm = Gcm(Twofish(KEY), tag_bytes)
            ct, tag = gcm.encrypt(IV_12, AAD, PT[:20])
            self.assertEqual(len(tag), tag_bytes)
            self.assertEqual(tag, Gcm(Twofish(KEY)).encrypt(IV_12, AAD, PT[:20])[1][:tag_bytes])
            good = (IV_12, AAD, ct, tag)
            self.assertEqual(gcm.decrypt(*good), PT[:20])
            for i, part in enumerate(good):
                bad = [*good[:i], part[:-1] + bytes([part[-1] ^ 1]), *good[i + 1 :]]
                with self.subTest(part=i), self.assertRaises(TagMismatchError):
                    gcm.decrypt(*bad)

    def test_sizes(self) -> None:
        for n in (0, 3, 5, 6, 7, 9, 10, 11, 17):
            with self.assertRaisesRegex(ValueError, f"not {n}"):
                Gcm(Twofish(KEY), n)
        with self.assertRaisesRegex(ValueError, "at least one byte"):
            Gcm(Twofish(KEY)).encrypt(b"", AAD, PT)
        with self.assertRaisesRegex(ValueError, "not 15 bytes"):
            ghash(KEY, bytes(15))

    def test_the_counter_wraps(self) -> None:
        self.assertEqual(inc32(b"\x11" * 12 + b"\xff" * 4), b"\x11" * 12 + bytes(4))
