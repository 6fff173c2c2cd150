#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Searches the memory of a Java machine for a key that was closed; nothing of it may be left.

Java's own engine cannot promise that: the collector may have copied an array before it was wiped.
The native one can, except for the arrays that a program gives it.

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

# The key comes from a file, so that no constant of the program holds it.
WORK = """
import java.io.RandomAccessFile;
import java.util.Arrays;
import javax.crypto.SecretKey;
import org.manyfish.*;

class Work {{
    static final class Key implements SecretKey {{
        private final byte[] bytes;
        Key(byte[] bytes) {{ this.bytes = bytes; }}
        public String getAlgorithm() {{ return "Twofish"; }}
        public String getFormat() {{ return "RAW"; }}
        public byte[] getEncoded() {{ return bytes.clone(); }}
    }}

    public static void main(String[] arguments) throws Exception {{
        final byte[] key = new byte[32];
        try (RandomAccessFile file = new RandomAccessFile(arguments[0], "r")) {{
            file.readFully(key);
        }}
        final byte[] blocks = new byte[1024 * 16];
        {work}
        Arrays.fill(key, (byte) 0);
        {close}
        System.out.println("done");
        Thread.sleep(1000000);
    }}
}}
"""
ENGINES = {
    "java": """
        final Twofish cipher = new Twofish(key);
        cipher.encryptBlocks(blocks, 0, blocks, 0, 1024);
    """,
    "native": """
        final BatchCipher cipher = BatchCipher.getInstance("Twofish/CBC/NoPadding",
            new Key(key), 128, new ManyfishProvider().configure("native"));
        cipher.encrypt(new byte[][] {new byte[16]}, new byte[][] {blocks});
    """,
}


def subkeys() -> bytes:
    """Some of the expanded key, as every kernel with the subkeys in words has them."""
    return word_bytes(*Twofish(KEY).K[8:24])


class Memory(unittest.TestCase):
    def left(self, engine: str, close: str) -> tuple[int, int]:
        """In how many places the key is, and its subkeys."""
        with tempfile.TemporaryDirectory() as folder:
            source, path = Path(folder) / "Work.java", Path(folder) / "key"
            source.write_text(WORK.format(work=ENGINES[engine], close=close), encoding="ascii")
            path.write_bytes(KEY)
            java = ["java", "-Xmx32m", "-XX:+UseSerialGC"]
            command: list[str | Path] = [*java, "-cp", sys.argv[1], source, path]
            with Traced(command) as program:
                self.assertEqual(program.available(), b"done\n")
                areas = program.memory()
        return len(places(areas, KEY)), len(places(areas, subkeys()))

    def test_nothing_is_left_of_a_closed_key(self) -> None:
        for engine in ENGINES:
            with self.subTest(engine=engine):
                self.assertEqual(self.left(engine, "cipher.close();"), (0, 0))

    def test_the_search_finds_an_open_key(self) -> None:
        for engine in ENGINES:
            with self.subTest(engine=engine):
                self.assertEqual(self.left(engine, ""), (0, 1))


if __name__ == "__main__":
    if refusal():
        print(f"skipped: the memory of Java: {refusal()}")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
