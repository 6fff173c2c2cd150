# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The generated files: up to date, of the documented form, and decrypting to their plaintexts."""

from __future__ import annotations

import contextlib
import io
import re
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import des_vector_files
import feedback
import generate
import modes
import monte_carlo
import rsp
import stealing
from c_tables import KEY_SIZES
from cbc_mac import Ccm, Eax, Siv, cmac
from des import KEY_SIZES as DES_KEY_SIZES
from des import Des
from gcm import Gcm
from long_keys import LongKeyTwofish
from lrw import Lrw
from twofish import MAX_KEY_BYTES, Twofish, word_bytes, words
from vector_files import ABOUT

VECTORS = sorted((generate.ROOT / "vectors").rglob("*.rsp"))
NOT_OURS = {"vectors/openpgp/sequoia.rsp"}

FORM = re.compile(r"(#.*\n)+(\n([A-Z0-9_]+ =( [^ \n]+)*\n)+)+")


def cases(name: str) -> list[dict[str, str]]:
    return rsp.parse((generate.ROOT / "vectors" / name).read_text(encoding="ascii"))


def data(case: dict[str, str], *names: str) -> list[bytes]:
    return [bytes.fromhex(case[name]) for name in names]


class UpToDate(unittest.TestCase):
    """That every file is up to date is what `generate.py --check` says; here, that it can tell."""

    def test_an_edited_file_is_named(self) -> None:
        name = f"vectors/{VECTORS[0].name}"
        text = VECTORS[0].read_text(encoding="ascii")
        self.assertIsNone(generate.check(name, text))
        said = generate.check(name, text.replace("KEY", "YEK", 1))
        self.assertIsNotNone(said)
        self.assertTrue(str(said).startswith(f"{name}: line "), said)

    def test_a_missing_file_is_named(self) -> None:
        self.assertEqual(
            generate.check("vectors/none.rsp", ""), "vectors/none.rsp: the file is missing"
        )

    def test_no_file_lacks_a_generator(self) -> None:
        known = {*generate.FILES, *generate.LONG_FILES}
        found = {path.relative_to(generate.ROOT).as_posix() for path in VECTORS}
        self.assertEqual(found - known, NOT_OURS)


class Form(unittest.TestCase):
    def test_every_file_has_the_form(self) -> None:
        for path in VECTORS:
            with self.subTest(file=path.name):
                text = path.read_text(encoding="ascii")
                self.assertIsNotNone(FORM.fullmatch(text))
                self.assertEqual(text.splitlines()[0], f"# {ABOUT[0]}")
                self.assertGreater(len(rsp.parse(text)), 0)

    def test_a_line_without_equals_is_named(self) -> None:
        with self.assertRaisesRegex(ValueError, 'line 2: expected "NAME = VALUE", found "KEY 00"'):
            rsp.parse("COUNT = 0\nKEY 00\n")


class Decryption(unittest.TestCase):
    """The expected ciphertexts, not those just made, back to the plaintexts."""

    def test_ecb(self) -> None:
        for file in ("tbl", "vk", "vt", "ival", "short_keys"):
            for case in cases(f"twofish_ecb_{file}.rsp"):
                key, pt, ct = data(case, "KEY", "PT", "CT")
                self.assertEqual(Twofish(key).decrypt(ct), pt, f"{file} {case['COUNT']}")

    def test_cbc(self) -> None:
        for case in cases("twofish_cbc.rsp"):
            key, iv, pt, ct = data(case, "KEY", "IV", "PT", "CT")
            found = modes.cbc_decrypt(Twofish(key), iv, ct)
            self.assertEqual(modes.unpad(found) if case["PADDING"] == "pkcs7" else found, pt)

    def test_ctr(self) -> None:
        for case in cases("twofish_ctr.rsp"):
            key, iv, pt, ct = data(case, "KEY", "IV", "PT", "CT")
            bits = int(case["COUNTER_BITS"])
            self.assertEqual(modes.ctr_crypt(Twofish(key), iv, ct, bits), pt)

    def test_cfb(self) -> None:
        for case in cases("twofish_cfb.rsp"):
            key, iv, pt, ct = data(case, "KEY", "IV", "PT", "CT")
            bits = int(case["SEGMENT_BITS"])
            self.assertEqual(feedback.cfb_decrypt(Twofish(key), iv, ct, bits), pt)

    def test_ofb(self) -> None:
        for case in cases("twofish_ofb.rsp"):
            key, iv, pt, ct = data(case, "KEY", "IV", "PT", "CT")
            self.assertEqual(feedback.ofb_crypt(Twofish(key), iv, ct), pt)

    def test_cbc_cts(self) -> None:
        for case in cases("twofish_cbc_cts.rsp"):
            key, iv, pt, ct = data(case, "KEY", "IV", "PT", "CT")
            found = stealing.cbc_cs_decrypt(Twofish(key), iv, ct, case["VARIANT"])
            self.assertEqual(found, pt)

    def test_xts(self) -> None:
        for case in cases("twofish_xts.rsp"):
            key_1, key_2, tweak, pt, ct = data(case, "KEY", "KEY_2", "TWEAK", "PT", "CT")
            xts = stealing.Xts(Twofish(key_1), Twofish(key_2))
            n = int(case["SECTOR_BYTES"])
            for i in range(0, len(ct), n):
                first = int.from_bytes(tweak, "little") + i // n
                self.assertEqual(xts.decrypt(first, ct[i : i + n]), pt[i : i + n])

    def test_lrw(self) -> None:
        for case in cases("twofish_lrw.rsp"):
            key_1, key_2, iv, pt, ct = data(case, "KEY", "KEY_2", "IV", "PT", "CT")
            found = Lrw(Twofish(key_1), key_2).decrypt(int.from_bytes(iv, "big"), ct)
            self.assertEqual(found, pt)

    def test_ocb(self) -> None:
        for case in cases("twofish_ocb.rsp"):
            key, nonce, aad, pt, ct, tag = data(case, "KEY", "NONCE", "AAD", "PT", "CT", "TAG")
            self.assertEqual(modes.Ocb(Twofish(key)).decrypt(nonce, aad, ct, tag), pt)

    def test_cmac(self) -> None:
        for case in cases("twofish_cmac.rsp"):
            key, message, tag = data(case, "KEY", "MSG", "TAG")
            self.assertEqual(cmac(Twofish(key), message)[: len(tag)], tag)

    def test_eax_and_ccm(self) -> None:
        modes_of: tuple[tuple[str, type[Eax | Ccm]], ...] = (("eax", Eax), ("ccm", Ccm))
        for file, mode in modes_of:
            for case in cases(f"twofish_{file}.rsp"):
                key, nonce, aad, pt, ct, tag = data(case, "KEY", "NONCE", "AAD", "PT", "CT", "TAG")
                found = mode(Twofish(key), len(tag)).decrypt(nonce, aad, ct, tag)
                self.assertEqual(found, pt)

    def test_gcm(self) -> None:
        for case in cases("twofish_gcm.rsp"):
            key, iv, aad, pt, ct, tag = data(case, "KEY", "IV", "AAD", "PT", "CT", "TAG")
            self.assertEqual(Gcm(Twofish(key), len(tag)).decrypt(iv, aad, ct, tag), pt)

    def test_siv(self) -> None:
        for case in cases("twofish_siv.rsp"):
            key_1, key_2, pt, ct, tag = data(case, "KEY", "KEY_2", "PT", "CT", "TAG")
            strings = data(case, *(f"AAD_{i}" for i in range(1, int(case["N_AAD"]) + 1)))
            self.assertEqual(Siv(Twofish(key_1), Twofish(key_2)).decrypt(strings, ct, tag), pt)

    def test_variants(self) -> None:
        for case in cases("twofish_variants.rsp"):
            key, family_key, pt, ct = data(case, "KEY", "FAMILY_KEY", "PT", "CT")
            rounds, whitening = int(case["ROUNDS"]), case["WHITENING"] == "1"
            if len(key) > MAX_KEY_BYTES:
                self.assertEqual((whitening, family_key), (True, b""))
                cipher: Twofish = LongKeyTwofish(key, rounds)
            else:
                cipher = Twofish(key, rounds, whitening, family_key or None)
            self.assertEqual(cipher.decrypt(ct), pt)


class DesDecryption(unittest.TestCase):
    """The same for DES and Triple-DES."""

    def test_ecb(self) -> None:
        for file in ("des_ecb", "des_weak_keys", "tdes_ecb"):
            for case in cases(f"{file}.rsp"):
                key, pt, ct = data(case, "KEY", "PT", "CT")
                found = b"".join(map(Des(key).decrypt, modes.blocks(ct, 8)))
                self.assertEqual(found, pt, f"{file} {case['COUNT']}")

    def test_cbc(self) -> None:
        for case in (*cases("des_cbc.rsp"), *cases("tdes_cbc.rsp")):
            key, iv, pt, ct = data(case, "KEY", "IV", "PT", "CT")
            found = modes.cbc_decrypt(Des(key), iv, ct)
            self.assertEqual(modes.unpad(found, 8) if case["PADDING"] == "pkcs7" else found, pt)

    def test_ctr(self) -> None:
        for case in cases("des_ctr.rsp"):
            key, iv, pt, ct = data(case, "KEY", "IV", "PT", "CT")
            bits = int(case["COUNTER_BITS"])
            self.assertEqual(modes.ctr_crypt(Des(key), iv, ct, bits), pt)

    def test_cfb(self) -> None:
        for case in (*cases("des_cfb.rsp"), *cases("tdes_cfb64.rsp")):
            key, iv, pt, ct = data(case, "KEY", "IV", "PT", "CT")
            bits = int(case["SEGMENT_BITS"])
            self.assertEqual(feedback.cfb_decrypt(Des(key), iv, ct, bits), pt)

    def test_ofb(self) -> None:
        for case in (*cases("des_ofb.rsp"), *cases("tdes_ofb.rsp")):
            key, iv, pt, ct = data(case, "KEY", "IV", "PT", "CT")
            self.assertEqual(feedback.ofb_crypt(Des(key), iv, ct), pt)

    def test_cbc_cts(self) -> None:
        for case in cases("des_cbc_cts.rsp"):
            key, iv, pt, ct = data(case, "KEY", "IV", "PT", "CT")
            found = stealing.cbc_cs_decrypt(Des(key), iv, ct, case["VARIANT"])
            self.assertEqual(found, pt)

    def test_eax(self) -> None:
        for case in cases("des_eax.rsp"):
            key, nonce, aad, pt, ct, tag = data(case, "KEY", "NONCE", "AAD", "PT", "CT", "TAG")
            self.assertEqual(Eax(Des(key), len(tag)).decrypt(nonce, aad, ct, tag), pt)

    def test_cmac(self) -> None:
        for case in cases("des_cmac.rsp"):
            key, message, tag = data(case, "KEY", "MSG", "TAG")
            self.assertEqual(cmac(Des(key), message)[: len(tag)], tag)

    def test_short_monte_carlo_chains(self) -> None:
        kept = [case for case in cases("des_mct.rsp") if case["ITERATIONS"] == "100"]
        self.assertEqual(len(kept), len(des_vector_files.MCT_SETS) * len(DES_KEY_SIZES))
        for case in kept:
            made = des_vector_files.mct_case(case["SET"], len(case["KEY"]) // 2, 100)
            self.assertEqual(rsp.parse(rsp.text((), [made])), [case])


class MonteCarlo(unittest.TestCase):
    def test_fast_functions_agree_with_the_model(self) -> None:
        block = bytes(range(16))
        for key_bytes in KEY_SIZES:
            cipher = Twofish(bytes(range(100, 100 + key_bytes)))
            encrypt, decrypt = (
                make(cipher) for make in (monte_carlo.fast_encrypt, monte_carlo.fast_decrypt)
            )
            for _ in range(20):
                ct = cipher.encrypt(block)
                a, b, c, d = words(block)
                self.assertEqual(word_bytes(*encrypt(a, b, c, d)), ct)
                a, b, c, d = words(ct)
                self.assertEqual(word_bytes(*decrypt(a, b, c, d)), block)
                block = ct

    def test_first_outer_steps(self) -> None:
        kept = [case for case in cases("twofish_mct.rsp") if case["OUTER"] == "0"]
        self.assertEqual(len(kept), len(monte_carlo.SETS) * len(KEY_SIZES))
        for case in kept:
            steps = monte_carlo.outer_steps(case["SET"], int(case["KEY_BITS"]) // 8)
            made, after = (rsp.parse(rsp.text((), [next(steps)]))[0] for _ in range(2))
            self.assertEqual(made, case)
            # The first key is zero, so the second one ends in the last result.
            result = case["CT" if case["SET"].endswith("e") else "PT"]
            self.assertEqual(after["KEY"][-32:], result)


class Generate(unittest.TestCase):
    """The command, on files of its own."""

    def run_it(self, root: Path, *arguments: str) -> tuple[int, str]:
        out = io.StringIO()
        with contextlib.ExitStack() as stack:
            stack.enter_context(mock.patch.object(generate, "ROOT", root))
            stack.enter_context(mock.patch.object(generate, "FILES", {"a/b.txt": lambda: "1\n2\n"}))
            stack.enter_context(mock.patch("sys.argv", ["generate.py", *arguments]))
            stack.enter_context(contextlib.redirect_stdout(out))
            stack.enter_context(contextlib.redirect_stderr(out))
            return generate.main(), out.getvalue()

    def test_it_finds_missing_and_changed_files(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            status, out = self.run_it(root, "--check")
            self.assertEqual(status, 1)
            self.assertIn("a/b.txt: the file is missing", out)
            self.assertEqual(self.run_it(root)[0], 0)
            self.assertEqual(self.run_it(root, "--check")[0], 0)
            (root / "a/b.txt").write_text("1\n3\n", encoding="ascii")
            status, out = self.run_it(root, "--check")
            self.assertEqual(status, 1)
            self.assertIn("a/b.txt: line 2\n  expected: 2\n  found:    3\n", out)
            self.assertIn("run python3 model/generate.py\n", out)
