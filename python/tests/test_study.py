# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Many keys against one cipher object a key, with and without numpy; variants of Twofish."""

from __future__ import annotations

import array
import copy
import importlib
import importlib.util
import random
import threading
import unittest
from typing import Any

from manyfish import Twofish, kernels
from manyfish.study import TwofishVariant, decrypt_each, encrypt_all, encrypt_each
from vectors import Case, cases

HAVE_NUMPY = importlib.util.find_spec("numpy") is not None
RANDOM = random.Random(9)


def one_by_one(keys: bytes, key_bytes: int, data: bytes) -> bytes:
    n_keys = len(keys) // key_bytes
    part = len(data) // n_keys
    return b"".join(
        Twofish.new(keys[i * key_bytes : (i + 1) * key_bytes], Twofish.MODE_ECB).encrypt(
            data[i * part : (i + 1) * part]
        )
        for i in range(n_keys)
    )


class Each(unittest.TestCase):
    def test_every_key_length_and_blocks_a_key(self) -> None:
        for key_bytes in (16, 24, 32):
            for n_keys, blocks in ((1, 1), (3, 1), (50, 1), (4, 17)):
                with self.subTest(key_bytes=key_bytes, n_keys=n_keys, blocks=blocks):
                    keys = RANDOM.randbytes(n_keys * key_bytes)
                    data = RANDOM.randbytes(n_keys * blocks * 16)
                    result = encrypt_each(keys, data, key_bytes=key_bytes)
                    self.assertEqual(result.shape, (n_keys, blocks * 16))
                    self.assertEqual(bytes(result), one_by_one(keys, key_bytes, data))
                    back = decrypt_each(keys, result, key_bytes=key_bytes)
                    self.assertEqual(bytes(back), data)

    def test_so_many_keys_that_python_is_asked_for_interrupts(self) -> None:
        n_keys = (1 << 16) + 3
        keys = RANDOM.randbytes(n_keys * 16)
        data = RANDOM.randbytes(n_keys * 16)
        result = encrypt_each(keys, data, key_bytes=16)
        for number in (0, 1, (1 << 16) - 1, 1 << 16, n_keys - 1):
            key, block = (x[number * 16 : number * 16 + 16] for x in (keys, data))
            self.assertEqual(bytes(result)[number * 16 :][:16], one_by_one(key, 16, block))

    def test_one_block_under_all(self) -> None:
        keys, block = RANDOM.randbytes(5 * 24), RANDOM.randbytes(16)
        result = encrypt_all(keys, block, key_bytes=24)
        self.assertEqual(bytes(result), one_by_one(keys, 24, block * 5))

    def test_kernels_give_the_same(self) -> None:
        keys, data = RANDOM.randbytes(150 * 16), RANDOM.randbytes(150 * 32)
        expected = one_by_one(keys, 16, data)
        for kernel in kernels():
            if kernel.runnable:
                result = encrypt_each(keys, data, key_bytes=16, kernel=kernel.name)
                self.assertEqual(bytes(result), expected, kernel.name)

    def test_into_memory_of_the_caller(self) -> None:
        keys, data = RANDOM.randbytes(4 * 32), RANDOM.randbytes(4 * 16)
        expected = one_by_one(keys, 32, data)
        out = bytearray(64)
        self.assertEqual(bytes(encrypt_each(keys, data, out, key_bytes=32)), expected)
        self.assertEqual(bytes(out), expected)
        in_place = bytearray(data)
        encrypt_each(keys, in_place, in_place, key_bytes=32)
        self.assertEqual(bytes(in_place), expected)

    def test_rows_of_a_view_say_the_length_of_keys(self) -> None:
        keys = RANDOM.randbytes(6 * 32)
        rows = memoryview(keys).cast("B", (6, 32))
        self.assertEqual(encrypt_all(rows, bytes(16)), encrypt_all(keys, bytes(16), key_bytes=32))

    def test_items_of_any_size(self) -> None:
        words = array.array("I", range(32))
        data = words.tobytes()
        result = encrypt_each(words, words, key_bytes=16)
        self.assertEqual(bytes(result), one_by_one(data, 16, data))

    def test_no_keys(self) -> None:
        self.assertEqual(len(encrypt_each(b"", b"", key_bytes=16)), 0)

    def test_threads_get_right_results(self) -> None:
        keys, data = RANDOM.randbytes(2000 * 16), RANDOM.randbytes(2000 * 16)
        expected, out = one_by_one(keys, 16, data), bytearray(len(data))
        view = memoryview(out)

        def work(first: int) -> None:
            part = slice(first * 16, (first + 500) * 16)
            encrypt_each(keys[part], data[part], view[part], key_bytes=16)

        threads = [threading.Thread(target=work, args=(first,)) for first in range(0, 2000, 500)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(bytes(out), expected)


class Refusals(unittest.TestCase):
    def refuse(self, sentence: str, keys: bytes, data: bytes, **options: object) -> None:
        with self.assertRaisesRegex(ValueError, sentence):
            encrypt_each(keys, data, **options)  # type: ignore[arg-type]

    def test_lengths(self) -> None:
        self.refuse("a key has 16, 24 or 32 bytes, not 17", bytes(34), bytes(32), key_bytes=17)
        self.refuse("whole keys of 16 bytes, not 17", bytes(17), bytes(16), key_bytes=16)
        self.refuse("for each of 2 keys, not 16 bytes", bytes(32), bytes(16), key_bytes=16)
        self.refuse("for each of 2 keys, not 33 bytes", bytes(32), bytes(33), key_bytes=16)
        self.refuse("for each of 2 keys, not 0 bytes", bytes(32), b"", key_bytes=16)
        self.refuse("for each of 0 keys, not 16 bytes", b"", bytes(16), key_bytes=16)
        self.refuse("expected key_bytes", bytes(32), bytes(32))
        with self.assertRaisesRegex(ValueError, "block must have 16 bytes, not 15"):
            encrypt_all(bytes(32), bytes(15), key_bytes=16)

    def test_rows_and_key_bytes_that_differ(self) -> None:
        rows = memoryview(bytes(64)).cast("B", (2, 32))
        with self.assertRaisesRegex(ValueError, "key_bytes is 16, but the rows of keys have 32"):
            encrypt_each(rows, bytes(32), key_bytes=16)

    def test_output(self) -> None:
        short = bytearray(16)
        self.refuse("output must have as many bytes", bytes(32), bytes(32), out=short, key_bytes=16)
        shared = memoryview(bytearray(48))
        with self.assertRaisesRegex(ValueError, "overlap in part"):
            encrypt_each(bytes(32), shared[:32], shared[16:], key_bytes=16)
        with self.assertRaisesRegex(ValueError, "output and keys overlap"):
            encrypt_each(shared[:32], bytes(32), shared[16:], key_bytes=16)
        with self.assertRaises((TypeError, BufferError)):
            encrypt_each(bytes(32), bytes(32), bytes(32), key_bytes=16)

    def test_kernels(self) -> None:
        self.refuse("no-such", bytes(16), bytes(16), key_bytes=16, kernel="no-such")

    def test_what_is_no_buffer(self) -> None:
        with self.assertRaises(TypeError):
            encrypt_each("text", bytes(16), key_bytes=16)  # type: ignore[arg-type]

    def test_gaps_between_the_bytes(self) -> None:
        with self.assertRaises((TypeError, BufferError)):
            encrypt_each(memoryview(bytes(64))[::2], bytes(32), key_bytes=16)


def variant(case: Case) -> TwofishVariant:
    key = case.bytes("KEY")
    return TwofishVariant(
        key + bytes(-len(key) % 8),
        rounds=case.number("ROUNDS"),
        whitening=case["WHITENING"] == "1",
        family_key=case.bytes("FAMILY_KEY") or None,
    )


class Variants(unittest.TestCase):
    def test_those_of_the_model(self) -> None:
        for case in cases("twofish_variants"):
            cipher = variant(case)
            self.assertEqual(cipher.encrypt(case.bytes("PT")), case.bytes("CT"), case)
            self.assertEqual(cipher.decrypt(case.bytes("CT")), case.bytes("PT"), case)

    def test_in_place(self) -> None:
        key, data = RANDOM.randbytes(16), RANDOM.randbytes(160)
        out = bytearray(data)
        cipher = TwofishVariant(key)
        self.assertIsNone(cipher.encrypt(out, out))
        self.assertEqual(bytes(out), one_by_one(key, 16, data))
        self.assertIsNone(cipher.decrypt(out, out))
        self.assertEqual(bytes(out), data)

    def test_what_is_refused(self) -> None:
        key = bytes(16)
        for number, options in (
            ("0", {"rounds": 0}),
            ("125", {"rounds": 125}),
            ("31", {"family_key": bytes(31)}),
            ("40", {"key": bytes(40), "family_key": bytes(32)}),
            ("17", {"key": bytes(17)}),
            ("520", {"key": bytes(520)}),
        ):
            with self.subTest(options=options), self.assertRaisesRegex(ValueError, number):
                TwofishVariant(**{"key": key, **options})  # type: ignore[arg-type]
        with self.assertRaisesRegex(ValueError, "whole blocks of 16 bytes, not 15"):
            TwofishVariant(key).encrypt(bytes(15))
        with self.assertRaises(TypeError):
            copy.copy(TwofishVariant(key))


@unittest.skipUnless(HAVE_NUMPY, "numpy is not installed")
class Numpy(unittest.TestCase):
    def setUp(self) -> None:
        self.np: Any = importlib.import_module("numpy")

    def test_arrays_in_and_out(self) -> None:
        generator = self.np.random.default_rng(1)
        keys = generator.integers(0, 256, (100, 32), dtype=self.np.uint8)
        blocks = generator.integers(0, 256, (100, 3, 16), dtype=self.np.uint8)
        result = self.np.asarray(encrypt_each(keys, blocks)).reshape(blocks.shape)
        expected = one_by_one(keys.tobytes(), 32, blocks.tobytes())
        self.assertEqual(result.tobytes(), expected)
        out = self.np.empty_like(blocks)
        encrypt_each(keys, blocks, out)
        self.assertTrue((out == result).all())
        decrypt_each(keys, out, out)
        self.assertTrue((out == blocks).all())

    def test_words(self) -> None:
        keys = self.np.arange(40, dtype="<u4").reshape(10, 4)
        result = encrypt_all(keys, self.np.zeros(16, self.np.uint8))
        self.assertEqual(bytes(result), one_by_one(keys.tobytes(), 16, bytes(160)))

    def test_columns_are_no_contiguous_buffer(self) -> None:
        keys = self.np.zeros((10, 32), self.np.uint8)
        with self.assertRaises((TypeError, ValueError, BufferError)):
            encrypt_each(keys[:, :16], self.np.zeros((10, 16), self.np.uint8))


if __name__ == "__main__":
    unittest.main()
