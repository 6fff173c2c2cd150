# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The program `openssl` with the provider: vectors through `enc` and `mac`, files and passphrases,
the command manyfish on the same data, both ways of loading, and what a user gets wrong.

Usage: openssl_test.py MODULES MANYFISH       the folder of manyfish.so, and the command
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MODULES = Path()
MANYFISH = ""
ENC_MODES = ("ecb", "cbc", "ctr", "cfb", "cfb8", "cfb1", "ofb")


def cases(name: str) -> list[dict[str, str]]:
    """The cases of a vector file, as vectors/README.md has them."""
    text = (ROOT / "vectors" / name).read_text(encoding="ascii")
    found: list[dict[str, str]] = [{}]
    for line in text.splitlines():
        if "=" in line and not line.startswith("#"):
            field, value = line.split("=", 1)
            found[-1][field.strip()] = value.strip()
        elif found[-1]:
            found.append({})
    return [case for case in found if case]


def configuration(folder: Path) -> Path:
    """A configuration file as the README has it, with the module of this test."""
    text = (ROOT / "openssl" / "README.md").read_text(encoding="utf-8")
    example = text.split("<!-- configuration -->", 1)[1].split("```")[1].split("\n", 1)[1]
    path = folder / "openssl.cnf"
    path.write_text(f"{example}module = {MODULES / 'manyfish.so'}\n", encoding="utf-8")
    return path


class Openssl(unittest.TestCase):
    """Shared by the tests."""

    def setUp(self) -> None:
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.place = Path(place.name)
        self.options = [
            "-provider-path",
            str(MODULES),
            "-provider",
            "manyfish",
            "-provider",
            "default",
        ]
        self.environment = {k: v for k, v in os.environ.items() if k != "OPENSSL_CONF"}

    def openssl(self, *arguments: str, data: bytes = b"", status: int = 0) -> bytes:
        """The output of openssl; what it says where that should fail."""
        done = subprocess.run(
            ["openssl", *arguments],
            input=data,
            capture_output=True,
            env=self.environment,
            check=False,
        )
        self.assertEqual(done.returncode, status, done.stderr.decode())
        return done.stdout if status == 0 else done.stderr

    def enc(self, *arguments: str, data: bytes = b"", status: int = 0) -> bytes:
        """The output of openssl enc with the provider."""
        return self.openssl("enc", *self.options, *arguments, data=data, status=status)


class Vectors(Openssl):
    """The vectors through `openssl enc` and `openssl mac`."""

    def check(self, case: dict[str, str], mode: str) -> None:
        """One case, both ways."""
        arguments = [f"-twofish-{4 * len(case['KEY'])}-{mode}", "-K", case["KEY"]]
        if "IV" in case:
            arguments += ["-iv", case["IV"]]
        if case.get("PADDING", "none") == "none":
            arguments.append("-nopad")
        pt, ct = bytes.fromhex(case["PT"]), bytes.fromhex(case["CT"])
        with self.subTest(mode=mode, count=case["COUNT"], key=case["KEY"]):
            self.assertEqual(self.enc("-e", *arguments, data=pt), ct)
            self.assertEqual(self.enc("-d", *arguments, data=ct), pt)

    def check_file(self, name: str, mode: str, only: tuple[str, str] = ("", "")) -> None:
        """Those cases of a file that have this field, at most some dozens of them."""
        fitting = [c for c in cases(f"twofish_{name}.rsp") if c.get(only[0], "") == only[1]]
        self.assertGreater(len(fitting), 20)
        for case in fitting[:: len(fitting) // 30 + 1]:
            self.check(case, mode)

    def test_ecb(self) -> None:
        self.check_file("ecb_tbl", "ecb")

    def test_cbc(self) -> None:
        self.check_file("cbc", "cbc", ("PADDING", "none"))

    def test_cbc_padded(self) -> None:
        self.check_file("cbc", "cbc", ("PADDING", "pkcs7"))

    def test_ctr(self) -> None:
        self.check_file("ctr", "ctr", ("COUNTER_BITS", "128"))

    def test_cfb(self) -> None:
        self.check_file("cfb", "cfb", ("SEGMENT_BITS", "128"))

    def test_cfb8(self) -> None:
        self.check_file("cfb", "cfb8", ("SEGMENT_BITS", "8"))

    def test_cfb1(self) -> None:
        self.check_file("cfb", "cfb1", ("SEGMENT_BITS", "1"))

    def test_ofb(self) -> None:
        self.check_file("ofb", "ofb")

    def test_cmac(self) -> None:
        for case in cases("twofish_cmac.rsp")[::7]:
            cipher = f"TWOFISH-{4 * len(case['KEY'])}-CBC"
            message = self.place / "message"
            message.write_bytes(bytes.fromhex(case["MSG"]))
            options = ["-cipher", cipher, "-macopt", f"hexkey:{case['KEY']}", "-in", str(message)]
            found = self.openssl("mac", *self.options, *options, "CMAC").decode().strip()
            self.assertEqual(found[: len(case["TAG"])], case["TAG"])

    def test_gmac(self) -> None:
        """GCM without text is GMAC; OpenSSL's takes IVs of 12 bytes."""
        fitting = [
            case
            for case in cases("twofish_gcm.rsp")
            if not case["PT"] and len(case["IV"]) == 24 and len(case["TAG"]) == 32
        ]
        self.assertGreater(len(fitting), 0)
        for case in fitting:
            message = self.place / "message"
            message.write_bytes(bytes.fromhex(case["AAD"]))
            options = ["-cipher", f"TWOFISH-{4 * len(case['KEY'])}-GCM", "-in", str(message)]
            options += ["-macopt", f"hexkey:{case['KEY']}", "-macopt", f"hexiv:{case['IV']}"]
            found = self.openssl("mac", *self.options, *options, "GMAC").decode().strip()
            self.assertEqual(found, case["TAG"])


class Files(Openssl):
    """Files, passphrases, and the command manyfish on the same data."""

    def test_passphrase(self) -> None:
        data = random.Random(8).randbytes(1_000_003)
        for mode in ENC_MODES[:5]:
            options = [f"-twofish-256-{mode}", "-pbkdf2", "-pass", "pass:correct horse"]
            encrypted = self.enc("-e", *options, data=data)
            self.assertEqual(encrypted[:8], b"Salted__")
            self.assertEqual(self.enc("-d", *options, data=encrypted), data)

    def test_short_name(self) -> None:
        options = ["-K", "07" * 32, "-iv", "09" * 16]
        self.assertEqual(
            self.enc("-twofish256", *options, data=b"text"),
            self.enc("-TWOFISH-256-CBC", *options, data=b"text"),
        )

    def test_private_key(self) -> None:
        """An encrypted key of the traditional form is read by the name of its cipher."""
        self.environment["OPENSSL_CONF"] = str(configuration(self.place))
        key = self.openssl("genrsa", "-traditional", "1024")
        options = ["-traditional", "-twofish256", "-passout", "pass:x"]
        encrypted = self.openssl("rsa", *options, data=key)
        self.assertIn(b"DEK-Info: TWOFISH-256-CBC,", encrypted)
        self.assertEqual(
            self.openssl("rsa", "-traditional", "-passin", "pass:x", data=encrypted), key
        )

    def raw(self, direction: str, mode: str, key: str, iv: str, data: bytes) -> bytes:
        """The output of manyfish raw."""
        command = [MANYFISH, "raw", direction, "--mode", mode, "--key", key]
        command += [] if mode == "ecb" else ["--iv", iv]
        return subprocess.run(command, input=data, capture_output=True, check=True).stdout

    def test_manyfish_raw(self) -> None:
        source = random.Random(9)
        for mode in ENC_MODES:
            for key_bytes in (16, 24, 32):
                key, iv = source.randbytes(key_bytes).hex(), source.randbytes(16).hex()
                data = source.randbytes(16 * source.randrange(700))
                options = [f"-twofish-{8 * key_bytes}-{mode}", "-K", key, "-nopad"]
                options += [] if mode == "ecb" else ["-iv", iv]
                with self.subTest(mode=mode, key_bytes=key_bytes, n=len(data)):
                    encrypted = self.raw("encrypt", mode, key, iv, data)
                    self.assertEqual(self.enc("-e", *options, data=data), encrypted)
                    self.assertEqual(self.enc("-d", *options, data=encrypted), data)


class Loading(Openssl):
    """The configuration file, lists, the self-test."""

    def test_configuration(self) -> None:
        options = ["-twofish-256-ctr", "-K", "07" * 32, "-iv", "09" * 16]
        expected = self.enc(*options, data=b"text")
        self.environment["OPENSSL_CONF"] = str(configuration(self.place))
        self.assertEqual(self.openssl("enc", *options, data=b"text"), expected)
        self.assertIn(b"Manyfish", self.openssl("list", "-providers"))
        self.openssl("dgst", "-sha256", data=b"text")  # the default provider still works

    def test_command_of_the_readme(self) -> None:
        """It finds the module in the folder of modules, which is ours here."""
        text = (ROOT / "openssl" / "README.md").read_text(encoding="utf-8")
        (command,) = [line for line in text.splitlines() if line.startswith("openssl enc")]
        (self.place / "notes.txt").write_bytes(b"text")
        self.environment["OPENSSL_MODULES"] = str(MODULES)
        command += " -pass pass:x"
        for line in (command, f"{command} -d -in notes.enc -out notes.back"):
            subprocess.run(line, shell=True, cwd=self.place, env=self.environment, check=True)
        self.assertEqual((self.place / "notes.back").read_bytes(), b"text")

    def test_environment(self) -> None:
        self.environment["OPENSSL_MODULES"] = str(MODULES)
        options = ["-provider", "default", "-provider", "manyfish"]
        found = self.openssl("list", *options, "-cipher-algorithms").decode()
        self.assertEqual(found.count("@ manyfish"), 39)

    def test_random_numbers(self) -> None:
        """The provider alone has none, and takes nothing from others."""
        self.environment["OPENSSL_CONF"] = str(configuration(self.place))
        self.assertEqual(len(self.openssl("rand", "20")), 20)

    def test_private_libcrypto(self) -> None:
        """In a program that loads libcrypto for itself, as Python does, names are listed, too."""
        self.environment["OPENSSL_CONF"] = str(configuration(self.place))
        program = """if True:
            import ctypes
            libcrypto = ctypes.CDLL("libcrypto.so.3", ctypes.RTLD_LOCAL)
            find = libcrypto.EVP_get_cipherbyname
            find.restype = ctypes.c_void_p
            load_config = ctypes.c_uint64(0x40)
            found = libcrypto.OPENSSL_init_crypto(load_config, None) and find(b"twofish-256-cbc")
            raise SystemExit(0 if found else 1)
        """
        command = [sys.executable, "-c", program]
        subprocess.run(command, env=self.environment, check=True)

    def test_kernel(self) -> None:
        options = ["-twofish-256-cbc", "-K", "07" * 32, "-iv", "09" * 16]
        expected = self.enc(*options, data=b"text" * 99)
        self.environment["MANYFISH_KERNEL"] = "full"
        said = self.enc(*options, data=b"text", status=1)
        self.assertIn(b"manyfish", said)
        self.assertIn(b"not constant-time", said)
        self.assertIn(b"MANYFISH_LEAKS=any", said)
        self.environment["MANYFISH_LEAKS"] = "any"
        self.assertEqual(self.enc(*options, data=b"text" * 99), expected)
        self.environment["MANYFISH_LEAKS"] = "yes"
        said = self.enc(*options, data=b"text", status=1)
        self.assertIn(b"MANYFISH_LEAKS takes the value any", said)
        self.environment |= {"MANYFISH_KERNEL": "no such", "MANYFISH_LEAKS": ""}
        self.assertIn(b"no kernel of this name", self.enc(*options, data=b"text", status=1))


class Errors(Openssl):
    """Mistakes of users."""

    def test_wrong_passphrase(self) -> None:
        options = ["-twofish-256-cbc", "-pbkdf2", "-S", "0102030405060708"]
        encrypted = self.enc("-e", *options, "-pass", "pass:right", data=b"text")
        for n in range(2):
            said = self.enc("-d", *options, "-pass", f"pass:wrong{n}", data=encrypted, status=1)
            self.assertIn(b"bad decrypt", said)

    def test_truncated(self) -> None:
        options = ["-twofish-256-cbc", "-K", "07" * 32, "-iv", "09" * 16]
        encrypted = self.enc("-e", *options, data=b"text" * 20)
        for n in (1, 15, 17, 81):
            said = self.enc("-d", *options, data=encrypted[:n], status=1)
            self.assertIn(b"wrong final block length", said)
        self.assertIn(b"bad decrypt", self.enc("-d", *options, data=encrypted[:16], status=1))

    def test_authenticated_modes(self) -> None:
        """`openssl enc` refuses them, for any cipher."""
        options = ["-twofish-256-gcm", "-K", "07" * 32, "-iv", "09" * 12]
        self.assertIn(b"AEAD ciphers not supported", self.enc(*options, status=1))


if __name__ == "__main__":
    MODULES, MANYFISH = Path(sys.argv[1]).resolve(), sys.argv[2]
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
