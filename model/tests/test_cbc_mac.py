# SPDX-License-Identifier: Apache-2.0 OR MIT
"""CMAC, EAX, CCM and SIV over AES against the vectors of their documents, and their refusals."""

from __future__ import annotations

import unittest

from cbc_mac import Ccm, Eax, Siv, cmac
from des import Des
from modes import TagMismatchError
from tests.aes import Aes128
from twofish import Twofish

RFC4493_KEY = "2b7e151628aed2a6abf7158809cf4f3c"
RFC4493_MESSAGE = bytes.fromhex(
    "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
    "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710"
)
COUNT_UP = bytes(range(256))


def aes(key: str) -> Aes128:
    return Aes128(bytes.fromhex(key))


def unhex(*values: str) -> list[bytes]:
    return [bytes.fromhex(value) for value in values]


class Cmac(unittest.TestCase):
    def test_rfc4493(self) -> None:
        """Section 4, which are the AES-128 examples of SP 800-38B."""
        tags = {
            0: "bb1d6929e95937287fa37d129b756746",
            16: "070a16b46b4d4144f79bdd9dd04a287c",
            40: "dfa66747de9ae63030ca32611497c827",
            64: "51f0bebf7e3b9d92fc49741779363cfe",
        }
        for n, tag in tags.items():
            self.assertEqual(cmac(aes(RFC4493_KEY), RFC4493_MESSAGE[:n]).hex(), tag)
            self.assertEqual(cmac(aes(RFC4493_KEY), RFC4493_MESSAGE[:n], 5).hex(), tag[:10])

    def test_tags_of_other_sizes_are_refused(self) -> None:
        for n in (0, 17):
            with self.assertRaisesRegex(ValueError, f"1 to 16 bytes, not {n}"):
                cmac(Twofish(b""), b"", n)


class EaxTest(unittest.TestCase):
    # The appendix of the paper: message, key, nonce, header, ciphertext with tag.
    PAPER = (
        ("", "233952DEE4D5ED5F9B9C6D6FF80FF478", "62EC67F9C3A4A407FCB2A8C49031A8B3",
         "6BFB914FD07EAE6B", "E037830E8389F27B025A2D6527E79D01"),
        ("F7FB", "91945D3F4DCBEE0BF45EF52255F095A4", "BECAF043B0A23D843194BA972C66DEBD",
         "FA3BFD4806EB53FA", "19DD5C4C9331049D0BDAB0277408F67967E5"),
        ("1A47CB4933", "01F74AD64077F2E704C0F60ADA3DD523", "70C3DB4F0D26368400A10ED05D2BFF5E",
         "234A3463C1264AC6", "D851D5BAE03A59F238A23E39199DC9266626C40F80"),
        ("CA40D7446E545FFAED3BD12A740A659FFBBB3CEAB7", "8395FCF1E95BEBD697BD010BC766AAC3",
         "22E7ADD93CFC6393C57EC0B3C17D6B44", "126735FCC320D25A",
         "CB8920F87A6C75CFF39627B56E3ED197C552D295A7CFC46AFC253B4652B1AF3795B124AB6E"),
    )  # fmt: skip

    def test_paper(self) -> None:
        for M, key, N, H, CT in self.PAPER:
            m, n, h, ct = unhex(M, N, H, CT)
            eax = Eax(aes(key))
            self.assertEqual(eax.encrypt(n, h, m), (ct[:-16], ct[-16:]))
            self.assertEqual(eax.decrypt(n, h, ct[:-16], ct[-16:]), m)
            self.assertEqual(Eax(aes(key), 6).encrypt(n, h, m), (ct[:-16], ct[-16:-10]))

    def test_blocks_of_8_bytes(self) -> None:
        """The 17 cases of LibTomCrypt (and Botan) for Triple-DES. Each tag makes the next key: the
        last case speaks for all.
        """
        key, ct = bytes(range(24)), b""
        for n in range(17):
            text = bytes(range(n))
            ct, tag = Eax(Des(key)).encrypt(text, text, text)
            key = 3 * tag
        self.assertEqual(ct.hex(), "600fa4149af252c87b828c780aeff8bc")
        self.assertEqual(key[:8].hex(), "33d7d11dcdc19936")

    def test_any_change_is_found(self) -> None:
        eax = Eax(Twofish(COUNT_UP[:16]), 8)
        good = (b"nonce", b"header", *eax.encrypt(b"nonce", b"header", bytes(20)))
        for i, part in enumerate(good):
            bad = [*good[:i], part[:-1] + bytes([part[-1] ^ 1]), *good[i + 1 :]]
            with self.subTest(part=i), self.assertRaises(TagMismatchError):
                eax.decrypt(*bad)


class CcmTest(unittest.TestCase):
    # SP 800-38C, appendix C: bytes of nonce, associated data, text and tag; ciphertext with tag.
    EXAMPLES = (
        (7, 8, 4, 4, "7162015b4dac255d"),
        (8, 16, 16, 6, "d2a1f0e051ea5f62081a7792073d593d1fc64fbfaccd"),
        (12, 20, 24, 8, "e3b201a9f5b71a7a9b1ceaeccd97e70b6176aad9a4428aa5484392fbc1b09951"),
        (13, 65536, 32, 14, "69915dad1e84c6376a68c2967e4dab615ae0fd1faec44cc484828529463ccf72"
         "b4ac6bec93e8598e7f0dadbcea5b"),
    )  # fmt: skip

    def test_sp800_38c(self) -> None:
        for nonce_bytes, aad_bytes, n_bytes, t, CT in self.EXAMPLES:
            nonce, aad = COUNT_UP[16 : 16 + nonce_bytes], (COUNT_UP * 256)[:aad_bytes]
            pt, ct = COUNT_UP[32 : 32 + n_bytes], bytes.fromhex(CT)
            ccm = Ccm(Aes128(COUNT_UP[0x40:0x50]), t)
            self.assertEqual(ccm.encrypt(nonce, aad, pt), (ct[:-t], ct[-t:]))
            self.assertEqual(ccm.decrypt(nonce, aad, ct[:-t], ct[-t:]), pt)

    def test_rfc3610(self) -> None:
        """Packet vector 1."""
        nonce, expected = unhex(
            "00000003020100a0a1a2a3a4a5",
            "588c979a61c663d2f066d0c2c0f989806d5f6b61dac38417e8d12cfdf926e0",
        )
        ct, tag = Ccm(Aes128(COUNT_UP[0xC0:0xD0]), 8).encrypt(nonce, COUNT_UP[:8], COUNT_UP[8:31])
        self.assertEqual(ct + tag, expected)

    def test_any_change_is_found(self) -> None:
        ccm = Ccm(Twofish(COUNT_UP[:16]), 8)
        good = (b"nonce 12", b"header", *ccm.encrypt(b"nonce 12", b"header", bytes(20)))
        for i, part in enumerate(good):
            bad = [*good[:i], part[:-1] + bytes([part[-1] ^ 1]), *good[i + 1 :]]
            with self.subTest(part=i), self.assertRaises(TagMismatchError):
                ccm.decrypt(*bad)

    def test_other_sizes_are_refused(self) -> None:
        for t in (0, 2, 5, 18):
            with self.assertRaisesRegex(ValueError, f"not {t}"):
                Ccm(Twofish(b""), t)
        for n in (6, 14):
            with self.assertRaisesRegex(ValueError, f"7 to 13 bytes, this one has {n}"):
                Ccm(Twofish(b"")).encrypt(bytes(n), b"", b"")
        with self.assertRaisesRegex(ValueError, "less than 65536 bytes"):
            Ccm(Twofish(b"")).formatted(bytes(13), b"", bytes(65536))


class SivTest(unittest.TestCase):
    def test_rfc5297_deterministic(self) -> None:
        """A.1"""
        aad, pt, v, ct = unhex(
            "101112131415161718191a1b1c1d1e1f2021222324252627",
            "112233445566778899aabbccddee",
            "85632d07c6e8f37f950acd320a2ecc93",
            "40c02b9690c4dc04daef7f6afe5c",
        )
        siv = Siv(aes("fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0"), aes("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff"))
        self.assertEqual(siv.encrypt([aad], pt), (ct, v))
        self.assertEqual(siv.decrypt([aad], ct, v), pt)

    def test_rfc5297_with_nonce(self) -> None:
        """A.2"""
        aad_1, aad_2, nonce, v, ct = unhex(
            "00112233445566778899aabbccddeeffdeaddadadeaddadaffeeddccbbaa99887766554433221100",
            "102030405060708090a0",
            "09f911029d74e35bd84156c5635688c0",
            "7bdb6e3b432667eb06f4d14bff2fbd0f",
            "cb900f2fddbe404326601965c889bf17dba77ceb094fa663b7a3f748ba8af829"
            "ea64ad544a272e9c485b62a3fd5c0d",
        )
        pt = b"this is some plaintext to encrypt using SIV-AES"
        siv = Siv(aes("7f7e7d7c7b7a79787776757473727170"), aes("404142434445464748494a4b4c4d4e4f"))
        self.assertEqual(siv.encrypt([aad_1, aad_2, nonce], pt), (ct, v))
        self.assertEqual(siv.decrypt([aad_1, aad_2, nonce], ct, v), pt)

    def test_any_change_is_found(self) -> None:
        siv = Siv(Twofish(COUNT_UP[:16]), Twofish(COUNT_UP[16:32]))
        strings = [b"header", b"", b"nonce"]
        ct, v = siv.encrypt(strings, bytes(20))
        for bad_strings in ([], strings[:2], [*strings, b""], [b"heade", b"r", b"nonce"]):
            with self.assertRaises(TagMismatchError):
                siv.decrypt(bad_strings, ct, v)
        for bad_ct, bad_v in ((ct[:-1], v), (ct, v[:-1] + bytes([v[-1] ^ 1]))):
            with self.assertRaises(TagMismatchError):
                siv.decrypt(strings, bad_ct, bad_v)

    def test_too_many_strings_are_refused(self) -> None:
        siv = Siv(Twofish(b""), Twofish(b""))
        siv.encrypt([b""] * 126, b"")
        with self.assertRaisesRegex(ValueError, "at most 127 strings, not 128"):
            siv.encrypt([b""] * 127, b"")
