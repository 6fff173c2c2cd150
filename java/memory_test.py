#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Searches the memory of a Java machine for a key that was closed; nothing of it may be left.

Java's own engine cannot promise that: the collector may have copied an array before it was wiped.

Usage: java/memory_test.py JAR     (run by scripts/test-java)
"""

from __future__ import annotations

import sys
import tempfile
import unittest
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "scripts"))
sys.path.append(str(Path(__file__).resolve().parents[1] / "model"))

from traced import Traced, places, refusal
from twofish import Twofish, word_bytes

KEY = bytes.fromhex("8f3c1e07d2a9465bb0e1774dc85a29f6133db2c09e6f5748a1d40b8ce2967f15")
CLOSE = "twofish.close();"

# The key comes from a file, so that no constant of the program holds it.
WORK = """
import java.io.RandomAccessFile;
import java.util.Arrays;
import org.manyfish.Twofish;

class Work {{
    public static void main(String[] arguments) throws Exception {{
        final byte[] key = new byte[32];
        try (RandomAccessFile file = new RandomAccessFile(arguments[0], "r")) {{
            file.readFully(key);
        }}
        final Twofish twofish = new Twofish(key);
        final byte[] blocks = new byte[1024 * 16];
        twofish.encryptBlocks(blocks, 0, blocks, 0, 1024);
        Arrays.fill(key, (byte) 0);
        {close}
        System.out.println("done");
        Thread.sleep(1000000);
    }}
}}
"""


def subkeys() -> bytes:
    """Some of the expanded key, as every kernel with the subkeys in words has them."""
    return word_bytes(*Twofish(KEY).K[8:24])


class Memory(unittest.TestCase):
    def left(self, close: str) -> tuple[list[str], list[str]]:
        """Where the key is, and where its subkeys are."""
        with tempfile.TemporaryDirectory() as folder:
            source, path = Path(folder) / "Work.java", Path(folder) / "key"
            source.write_text(WORK.format(close=close), encoding="ascii")
            path.write_bytes(KEY)
            command: list[str | Path] = [
                "java",
                "-Xmx32m",
                "-XX:+UseSerialGC",
                "-cp",
                sys.argv[1],
                source,
                path,
            ]
            with Traced(command) as program:
                self.assertEqual(program.available(), b"done\n")
                areas = program.memory()
        return places(areas, KEY), places(areas, subkeys())

    def test_nothing_is_left_of_a_closed_key(self) -> None:
        self.assertEqual(self.left(CLOSE), ([], []))

    def test_the_search_finds_an_open_key(self) -> None:
        keys, expanded = self.left("")
        self.assertEqual((keys, len(expanded)), ([], 1))


if __name__ == "__main__":
    if refusal():
        print(f"skipped: the memory of Java: {refusal()}")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
