# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The command show.py: what it prints, and its errors."""

from __future__ import annotations

import subprocess
import sys
import unittest

from generate import ROOT

KEY = "0123456789ABCDEFFEDCBA98765432100011223344556677"
PT = "00" * 16


def show(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "model" / "show.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


class Show(unittest.TestCase):
    def test_official_lines(self) -> None:
        lines = show(KEY, PT).stdout.splitlines()
        for line in (
            "KEYSIZE=192",
            f"KEY={KEY}",
            ";  EFCDAB89 67452301    -->  B89FF6F2",
            ";  K[ 38], K[ 39]: 57C8DD1F 6A1AD61E",
            ";  R[  1]: x= 38394A24 C36D1175 9C263D67 5E68BE8F  t0=988C8223 t1=33D1ECEC",
            ";  R[ 17]: x= E5D2D1CF DF9CBEA9 B8131F50 4822BD92",
            "CT=CFD1D2E5A9BE9CDF501F13B892BD2248",
        ):
            self.assertIn(line, lines)

    def test_variants(self) -> None:
        lines = show("", PT, "--rounds", "5", "--no-whitening").stdout.splitlines()
        self.assertEqual(lines[-1], "CT=42B4A255FA3060882B7AC8E9551428CC")
        lines = show("", PT, "--family-key", bytes(range(32)).hex()).stdout.splitlines()
        self.assertEqual(lines[-1], "CT=AAAD8F46ED4519227B04E0DD614C64B5")

    def test_errors(self) -> None:
        for arguments, message in (
            ((KEY,), "the following arguments are required: PTHEX"),
            (("0", PT), 'expected an even number of hexadecimal digits, found "0"'),
            (("00" * 33, PT), "a Twofish key has 0 to 32 bytes, this one has 33"),
            ((KEY, "00"), "a block has 16 bytes, this one has 1"),
            ((KEY, PT, "--rounds", "125"), "Twofish can have 1 to 124 rounds, not 125"),
            ((KEY, PT, "--family-key", "00"), "a family key has 32 bytes, this one has 1"),
        ):
            with self.subTest(message=message):
                result = show(*arguments)
                self.assertEqual((result.returncode, result.stdout), (2, ""))
                self.assertTrue(result.stderr.endswith(f": {message}\n"), result.stderr)
