# SPDX-License-Identifier: Apache-2.0 OR MIT
"""manyfish.compat.twofish against the model and what the package `twofish` 0.3.0 does."""

from __future__ import annotations

import subprocess
import sys
import unittest

from manyfish.compat.twofish import Twofish

# Of the paper's table of intermediate values, I = 4, 256-bit keys [Twofish98, B.2].
KEY = bytes.fromhex("D43BB7556EA32E46F2A282B7D45B4E0D57FF739D4DC92C1BD7FC01700CC8216F")
PLAINTEXT = bytes.fromhex("90AFE91BB288544F2C32DC239B2635E6")
CIPHERTEXT = bytes.fromhex("6CB4561C40BF0A9705931CB6D408E7FA")


def in_new_process(program: str) -> str:
    return subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    ).stdout


class TwofishPackage(unittest.TestCase):
    def test_the_known_answer(self) -> None:
        cipher = Twofish(KEY)
        self.assertEqual(cipher.encrypt(PLAINTEXT), CIPHERTEXT)
        self.assertEqual(cipher.decrypt(CIPHERTEXT), PLAINTEXT)

    def test_short_keys_are_filled_with_zeros(self) -> None:
        key = bytes(range(1, 33))
        for n_bytes in range(1, 33):
            full = next(n for n in (16, 24, 32) if n >= n_bytes)
            padded = Twofish(key[:n_bytes].ljust(full, b"\0"))
            short = Twofish(key[:n_bytes]).encrypt(PLAINTEXT)
            self.assertEqual(short, padded.encrypt(PLAINTEXT), n_bytes)

    def test_keys_of_other_lengths_are_refused(self) -> None:
        for key in (b"", bytes(33), bytes(64)):
            with self.assertRaisesRegex(ValueError, "expected 1 to 32 bytes, found"):
                Twofish(key)

    def test_blocks_of_other_lengths_are_refused(self) -> None:
        cipher = Twofish(KEY)
        for call in (cipher.encrypt, cipher.decrypt):
            for block in (b"", bytes(15), bytes(17), bytes(32)):
                with self.assertRaisesRegex(ValueError, "expected 16 bytes, found"):
                    call(block)

    def test_text_is_refused(self) -> None:
        with self.assertRaisesRegex(TypeError, "expected bytes"):
            Twofish("sixteen letters.")  # type: ignore[arg-type]
        with self.assertRaisesRegex(TypeError, "expected bytes"):
            Twofish(KEY).encrypt("sixteen letters.")  # type: ignore[arg-type]

    def test_install_serves_programs_that_import_twofish(self) -> None:
        program = """
import manyfish.compat.twofish as ours
ours.install()
ours.install()
from twofish import Twofish
print(Twofish is ours.Twofish)
"""
        self.assertEqual(in_new_process(program).strip(), "True")

    def test_install_refuses_to_replace_another_package(self) -> None:
        program = """
import sys, types
sys.modules["twofish"] = types.ModuleType("twofish")
import manyfish.compat.twofish as ours
try:
    ours.install()
except RuntimeError as error:
    print(error)
"""
        self.assertIn("imported already", in_new_process(program))


if __name__ == "__main__":
    unittest.main()
