# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The shared vectors, through the cipher objects and the one-shot classes."""

from __future__ import annotations

import unittest
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from manyfish import CMAC, DES, DES3, InvalidTag, Twofish
from manyfish.aead import TwofishCCM, TwofishEAX, TwofishGCM, TwofishOCB, TwofishSIV
from vectors import FOLDER, Case, cases

SIZES = (1, 7, 16, 33)


def cipher_of(name: str, case: Case) -> ModuleType | None:
    """The module for a case; None for keys that no module takes."""
    if name.startswith("twofish"):
        return Twofish
    key = case.bytes("KEY")
    if len(key) == 8:
        return DES
    return None if key[:8] == key[8:16] or key[-16:-8] == key[-8:] else DES3


def pieces(data: bytes, size: int) -> Iterator[bytes]:
    """The data in pieces of one size."""
    for at in range(0, len(data), size):
        yield data[at : at + size]


class Vectors(unittest.TestCase):
    """Each file has cases, and each case comes out both ways."""

    def both_ways(self, name: str, case: Case, mode: str, step: int = 0, **kwargs: Any) -> bool:
        module = cipher_of(name, case)
        if module is None:
            return False
        number = getattr(module, f"MODE_{mode}")
        pt, ct = case.bytes("PT"), case.bytes("CT")

        def new() -> Any:
            return module.new(case.bytes("KEY"), number, **kwargs)

        self.assertEqual(new().encrypt(pt), ct)
        self.assertEqual(new().decrypt(ct), pt)
        out = bytearray(pt)
        self.assertIsNone(new().encrypt(out, output=out))
        self.assertEqual(out, ct)
        for size in SIZES if step == 0 else (step, 5 * step):
            encryptor, decryptor = new(), new()
            self.assertEqual(b"".join(map(encryptor.encrypt, pieces(pt, size))), ct)
            self.assertEqual(b"".join(map(decryptor.decrypt, pieces(ct, size))), pt)
        return True

    def each(self, *names: str) -> Iterator[tuple[str, Case]]:
        for name in names:
            found = cases(name)
            self.assertGreater(len(found), 0, name)
            for case in found:
                with self.subTest(file=name, count=case.get("COUNT")):
                    yield name, case

    def test_ecb(self) -> None:
        n_cases = 0
        for name, case in self.each(
            "twofish_ecb_tbl",
            "twofish_ecb_vk",
            "twofish_ecb_vt",
            "twofish_ecb_ival",
            "des_ecb",
            "tdes_ecb",
            "des_weak_keys",
        ):
            step = 8 if "des" in name else 16
            n_cases += self.both_ways(name, case, "ECB", step=step)
        self.assertGreater(n_cases, 1000)

    def test_cbc(self) -> None:
        for name, case in self.each("twofish_cbc", "des_cbc", "tdes_cbc"):
            if case["PADDING"] == "none":
                step = 8 if "des" in name else 16
                self.both_ways(name, case, "CBC", step=step, iv=case.bytes("IV"))

    def test_cfb(self) -> None:
        for name, case in self.each("twofish_cfb", "des_cfb", "tdes_cfb64"):
            bits = case.number("SEGMENT_BITS")
            if bits > 1:
                self.both_ways(name, case, "CFB", iv=case.bytes("IV"), segment_size=bits)

    def test_ofb(self) -> None:
        for name, case in self.each("twofish_ofb", "des_ofb", "tdes_ofb"):
            self.both_ways(name, case, "OFB", iv=case.bytes("IV"))

    def test_ctr(self) -> None:
        wraps = 0
        for name, case in self.each("twofish_ctr", "des_ctr"):
            first, n_bytes = case.bytes("IV"), case.number("COUNTER_BITS") // 8
            prefix, counter = first[:-n_bytes], int.from_bytes(first[-n_bytes:], "big")
            self.both_ways(name, case, "CTR", nonce=prefix, initial_value=counter)
            self.both_ways(name, case, "CTR", nonce=prefix, initial_value=first[-n_bytes:])
            last = counter + len(case.bytes("PT")) // len(first)
            wraps += last >= 256**n_bytes
        self.assertGreater(wraps, 0, "no counter wraps")

    def test_xts(self) -> None:
        for _, case in self.each("twofish_xts"):
            xts = Twofish.new(case.bytes("KEY") + case.bytes("KEY_2"), Twofish.MODE_XTS)
            pt, ct, size = case.bytes("PT"), case.bytes("CT"), case.number("SECTOR_BYTES")
            first = int.from_bytes(case.bytes("TWEAK"), "little")
            for i, (plain, sealed) in enumerate(zip(pieces(pt, size), pieces(ct, size))):
                tweak = (first + i) % 2**128
                self.assertEqual(xts.encrypt(plain, tweak), sealed)
                self.assertEqual(xts.decrypt(sealed, tweak.to_bytes(16, "little")), plain)
            if first < 2**64:
                self.assertEqual(xts.encrypt_sectors(pt, first, size), ct)
                self.assertEqual(xts.decrypt_sectors(ct, first, size), pt)

    def test_cmac(self) -> None:
        for name, case in self.each("twofish_cmac", "des_cmac"):
            module, tag = cipher_of(name, case), case.bytes("TAG")
            if module is None or len(tag) < 4:
                continue
            key, msg = case.bytes("KEY"), case.bytes("MSG")
            self.assertEqual(CMAC.new(key, msg, module, mac_len=len(tag)).digest(), tag)
            for size in SIZES:
                mac = CMAC.new(key, ciphermod=module, mac_len=len(tag))
                for piece in pieces(msg, size):
                    mac.update(piece)
                mac.verify(tag)

    def authenticated(self, name: str, mode: int, one_shot: Any, nonce: str = "NONCE") -> None:
        for _, case in self.each(name):
            key, text, sealed = case.bytes("KEY"), case.bytes("PT"), case.bytes("CT")
            once, aad, tag = case.bytes(nonce), case.bytes("AAD"), case.bytes("TAG")
            length = {} if mode == Twofish.MODE_OCB else {"tag_length": len(tag)}
            whole = one_shot(key, **length)
            self.assertEqual(whole.encrypt(once, text, aad), sealed + tag)
            self.assertEqual(whole.decrypt(once, sealed + tag, aad), text)
            buf = bytearray(text + tag)
            self.assertEqual(whole.encrypt_into(once, text, aad, buf), len(buf))
            self.assertEqual(buf, sealed + tag)
            with self.assertRaises(InvalidTag):
                whole.decrypt(once, sealed + tag, aad + b"x")
            if not once:
                continue  # the cipher objects of EAX refuse an empty nonce, as PyCryptodome's do
            self.objects(case, mode, once)

    def objects(self, case: Case, mode: int, once: bytes, module: ModuleType = Twofish) -> None:
        key, text, sealed = case.bytes("KEY"), case.bytes("PT"), case.bytes("CT")
        aad, tag = case.bytes("AAD"), case.bytes("TAG")

        def new(**kwargs: Any) -> Any:
            return module.new(key, mode, once, mac_len=len(tag), **kwargs)

        self.assertEqual(new().update(aad).encrypt_and_digest(text), (sealed, tag))
        self.assertEqual(new().update(aad).decrypt_and_verify(sealed, tag), text)
        with self.assertRaises(InvalidTag):
            new().update(aad + b"x").decrypt_and_verify(sealed, tag)
        ccm = mode == Twofish.MODE_CCM
        lengths = {"msg_len": len(text), "assoc_len": len(aad)} if ccm else {}
        for size in SIZES:
            encryptor, decryptor = new(**lengths), new(**lengths)
            for piece in pieces(aad, size):
                encryptor.update(piece)
                decryptor.update(piece)
            found = b"".join(map(encryptor.encrypt, pieces(text, size)))
            plain = b"".join(map(decryptor.decrypt, pieces(sealed, size)))
            if mode == Twofish.MODE_OCB:
                found += encryptor.encrypt()
                plain += decryptor.decrypt()
            self.assertEqual((found, encryptor.digest()), (sealed, tag))
            self.assertEqual(plain, text)
            decryptor.hexverify(tag.hex())

    def test_ocb(self) -> None:
        self.authenticated("twofish_ocb", Twofish.MODE_OCB, TwofishOCB)

    def test_eax(self) -> None:
        self.authenticated("twofish_eax", Twofish.MODE_EAX, TwofishEAX)

    def test_eax_of_des(self) -> None:
        n_cases = 0
        for name, case in self.each("des_eax"):
            module, once = cipher_of(name, case), case.bytes("NONCE")
            if module is not None and once:
                self.objects(case, module.MODE_EAX, once, module)
                n_cases += 1
        self.assertGreater(n_cases, 0)

    def test_ccm(self) -> None:
        self.authenticated("twofish_ccm", Twofish.MODE_CCM, TwofishCCM)

    def test_gcm(self) -> None:
        self.authenticated("twofish_gcm", Twofish.MODE_GCM, TwofishGCM, "IV")

    def test_siv(self) -> None:
        for _, case in self.each("twofish_siv"):
            key, text, sealed = (
                case.bytes("KEY") + case.bytes("KEY_2"),
                case.bytes("PT"),
                case.bytes("CT"),
            )
            tag, n_aad = case.bytes("TAG"), case.number("N_AAD")
            aad = [case.bytes(f"AAD_{i}") for i in range(1, n_aad + 1)]
            siv = TwofishSIV(key)
            self.assertEqual(siv.encrypt(text, aad), tag + sealed)
            self.assertEqual(siv.decrypt(tag + sealed, aad), text)
            nonce = aad[-1] if aad and aad[-1] else None
            strings = aad[:-1] if nonce else aad
            encryptor = Twofish.new(key, Twofish.MODE_SIV, nonce)
            decryptor = Twofish.new(key, Twofish.MODE_SIV, nonce)
            for string in strings:
                encryptor.update(string)
                decryptor.update(string)
            self.assertEqual(encryptor.encrypt_and_digest(text), (sealed, tag))
            self.assertEqual(decryptor.decrypt_and_verify(sealed, tag), text)

    def test_every_file_is_read(self) -> None:
        """A new file of vectors must be used here, or be named with the reason why not."""
        not_in_python = {
            "twofish_cbc_cts": "no stealing",
            "des_cbc_cts": "no stealing",
            "twofish_ecb_short_keys": "no short keys",
            "twofish_mct": "takes minutes from Python; the kernels are tested in C",
            "des_mct": "the same",
            "twofish_variants": "no variants",
            "twofish_lrw": "no LRW",
        }
        here = set(Path(__file__).read_text("utf-8").split('"'))
        missing = {path.stem for path in FOLDER.glob("*.rsp")} - here - set(not_in_python)
        self.assertEqual(missing, set())


if __name__ == "__main__":
    unittest.main()
