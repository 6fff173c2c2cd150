# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The one-shot classes: what they refuse and what they leave behind."""

from __future__ import annotations

import inspect
import random
import unittest
from typing import Any

from manyfish import InvalidTag, MessageTooLongError, aead, kernels
from manyfish.aead import TwofishCCM, TwofishEAX, TwofishGCM, TwofishOCB, TwofishSIV

RANDOM = random.Random(6)
NONCE = b"twelve bytes"
WITH_NONCE: list[Any] = [TwofishOCB, TwofishGCM, TwofishEAX, TwofishCCM]
KEY = bytes(range(64))


class WithNonce(unittest.TestCase):
    def test_random_messages(self) -> None:
        for mode in WITH_NONCE:
            for n_bytes in (0, 1, 15, 16, 4095, 4096, 40000):
                key = mode.generate_key(RANDOM.choice((128, 192, 256)))
                data, aad = RANDOM.randbytes(n_bytes), RANDOM.randbytes(RANDOM.randint(0, 50))
                one = mode(key)
                sealed = one.encrypt(NONCE, data, aad)
                self.assertEqual(len(sealed), n_bytes + 16)
                self.assertEqual(mode(key).decrypt(NONCE, sealed, aad), data)
                for associated in (b"", None):
                    sealed = one.encrypt(NONCE, data, associated)
                    self.assertEqual(one.decrypt(NONCE, sealed), data)

    def test_each_change_is_found(self) -> None:
        for mode in WITH_NONCE:
            one, data, aad = mode(KEY[:16]), RANDOM.randbytes(33), b"associated"
            sealed = one.encrypt(NONCE, data, aad)
            for at in range(len(sealed)):
                changed = bytearray(sealed)
                changed[at] ^= 1 << at % 8
                out = bytearray(b"\x55" * 33)
                with self.assertRaises(InvalidTag):
                    one.decrypt(NONCE, changed, aad)
                with self.assertRaises(InvalidTag):
                    one.decrypt_into(NONCE, changed, aad, out)
                self.assertEqual(out, bytes(33), "the output is wiped")
            for nonce, message, associated in (
                (b"twelve byteS", sealed, aad),
                (NONCE, sealed, aad + b"x"),
                (NONCE, sealed[:-1], aad),
                (NONCE, sealed + b"x", aad),
                (NONCE, sealed[:15], aad),
                (NONCE, b"", aad),
            ):
                with self.assertRaises(InvalidTag):
                    one.decrypt(nonce, message, associated)

    def test_into_buffers(self) -> None:
        for mode in WITH_NONCE:
            one = mode(KEY[:24])
            for n_bytes in (0, 5, 4096, 9000):
                data, aad = RANDOM.randbytes(n_bytes), b"associated"
                sealed = one.encrypt(NONCE, data, aad)
                buf = bytearray(n_bytes + 16)
                self.assertEqual(one.encrypt_into(NONCE, data, aad, buf), n_bytes + 16)
                self.assertEqual(buf, sealed)
                view = memoryview(buf)  # in place, both ways
                self.assertEqual(one.decrypt_into(NONCE, view, aad, view[:n_bytes]), n_bytes)
                self.assertEqual(view[:n_bytes], data)
                one.encrypt_into(NONCE, view[:n_bytes], aad, view)
                self.assertEqual(buf, sealed)
                for wrong in (n_bytes + 15, n_bytes + 17):
                    with self.assertRaises(ValueError):
                        one.encrypt_into(NONCE, data, aad, bytearray(wrong))
                with self.assertRaises(ValueError):
                    one.decrypt_into(NONCE, sealed, aad, bytearray(n_bytes + 1))
                with self.assertRaises(TypeError):
                    one.encrypt_into(NONCE, data, aad, bytes(n_bytes + 16))

    def test_arguments_that_lie_in_the_buffer(self) -> None:
        for mode in WITH_NONCE:
            one, data, aad = mode(KEY[:16]), RANDOM.randbytes(100), RANDOM.randbytes(40)
            wanted = one.encrypt(NONCE, data, aad)
            buf = bytearray(116)
            buf[:40], buf[50:62] = aad, NONCE
            view = memoryview(buf)
            one.encrypt_into(view[50:62], data, view[:40], buf)
            self.assertEqual(buf, wanted)
            whole = memoryview(bytearray(200))
            for start, end in ((0, 1), (1, 0), (0, 99), (20, 0)):
                with self.assertRaises(ValueError):
                    out = whole[end : end + 116]
                    one.encrypt_into(NONCE, whole[start : start + 100], aad, out)

    def test_lengths(self) -> None:
        for mode in WITH_NONCE:
            for n_bytes in (0, 8, 15, 17, 33, 64):
                with self.assertRaises(ValueError):
                    mode(bytes(n_bytes))
            for bits in (0, 64, 127, 512):
                with self.assertRaises(ValueError):
                    mode.generate_key(bits)
            with self.assertRaises(TypeError):
                mode.generate_key("256")
            with self.assertRaises(ValueError):
                mode(bytes(16), kernel="none of this name")
            with self.assertRaises(TypeError):
                mode("sixteen letters.")
        self.assertEqual({len(TwofishOCB.generate_key(b)) for b in (128, 192, 256)}, {16, 24, 32})
        self.assertNotEqual(TwofishOCB.generate_key(256), TwofishOCB.generate_key(256))

    def test_lengths_of_nonces_and_tags(self) -> None:
        refused: list[tuple[Any, tuple[int, ...]]] = [
            (TwofishOCB, (0, 16)),
            (TwofishGCM, (0,)),
            (TwofishCCM, (0, 6, 14)),
        ]
        for mode, lengths in refused:
            for n_bytes in lengths:
                with self.assertRaises(ValueError):
                    mode(bytes(16)).encrypt(bytes(n_bytes), b"data", None)
                with self.assertRaises(ValueError):
                    mode(bytes(16)).decrypt(bytes(n_bytes), bytes(20), None)
        tags: list[tuple[Any, tuple[int, ...]]] = [
            (TwofishGCM, (0, 3, 5, 11, 17)),
            (TwofishEAX, (0, 3, 17)),
            (TwofishCCM, (0, 2, 5, 17)),
        ]
        for mode, lengths in tags:
            for n_bytes in lengths:
                with self.assertRaises(ValueError):
                    mode(bytes(16), tag_length=n_bytes)
        with self.assertRaises(MessageTooLongError):
            TwofishCCM(bytes(16)).encrypt(bytes(13), bytes(65536), None)

    def test_kernels(self) -> None:
        wanted = TwofishOCB(KEY[:32]).encrypt(NONCE, bytes(1000), b"")
        names = [kernel.name for kernel in kernels() if kernel.runnable]
        self.assertGreater(len(names), 2)
        for name in names:
            one = TwofishOCB(KEY[:32], kernel=name)
            self.assertEqual(one.encrypt(NONCE, bytes(1000), b""), wanted)


class Siv(unittest.TestCase):
    def test_random_messages(self) -> None:
        for bits in (256, 384, 512):
            one = TwofishSIV(TwofishSIV.generate_key(bits))
            for n_bytes in (0, 1, 16, 5000):
                data, aad = RANDOM.randbytes(n_bytes), [b"one", b"", RANDOM.randbytes(20)]
                sealed = one.encrypt(data, aad)
                self.assertEqual(one.decrypt(sealed, aad), data)
                self.assertEqual(sealed, one.encrypt(data, aad))
                for wrong in ([b"one", b"", b""], [b"one"], None):
                    with self.assertRaises(InvalidTag):
                        one.decrypt(sealed, wrong)

    def test_into_buffers(self) -> None:
        one, aad = TwofishSIV(KEY), [b"associated"]
        for n_bytes in (0, 5, 9000):
            data = RANDOM.randbytes(n_bytes)
            sealed = one.encrypt(data, aad)
            buf = bytearray(data + bytes(16))
            self.assertEqual(one.encrypt_into(memoryview(buf)[:n_bytes], aad, buf), n_bytes + 16)
            self.assertEqual(buf, sealed)
            out = bytearray(n_bytes)
            self.assertEqual(one.decrypt_into(sealed, aad, out), n_bytes)
            self.assertEqual(out, data)
            with self.assertRaises(ValueError):
                one.encrypt_into(data, aad, bytearray(n_bytes + 15))
            with self.assertRaises(ValueError):
                one.decrypt_into(sealed, aad, bytearray(n_bytes + 1))
            changed = sealed[:-1] + bytes([sealed[-1] ^ 1])
            out = bytearray(b"\x55" * n_bytes)
            with self.assertRaises(InvalidTag):
                one.decrypt_into(changed, aad, out)
            self.assertEqual(out, bytes(n_bytes), "the output is wiped")

    def test_what_is_refused(self) -> None:
        for n_bytes in (0, 16, 33, 65):
            with self.assertRaises(ValueError):
                TwofishSIV(bytes(range(n_bytes)))
        with self.assertRaises(ValueError):
            TwofishSIV(bytes(64))  # equal halves
        with self.assertRaises(ValueError):
            TwofishSIV.generate_key(128)
        with self.assertRaises(MessageTooLongError):
            TwofishSIV(KEY).encrypt(b"", [b""] * 127)
        with self.assertRaises(InvalidTag):
            TwofishSIV(KEY).decrypt(bytes(15), None)
        with self.assertRaises(TypeError):
            TwofishSIV(KEY).encrypt(b"", ["text"])  # type: ignore[list-item]


class Documentation(unittest.TestCase):
    def test_everything_is_described(self) -> None:
        for name in aead.__all__:
            thing = getattr(aead, name)
            self.assertTrue(inspect.getdoc(thing), name)
            if issubclass(thing, Exception):
                continue
            for method in ("encrypt", "decrypt", "encrypt_into", "decrypt_into", "generate_key"):
                self.assertTrue(inspect.getdoc(getattr(thing, method)), f"{name}.{method}")


if __name__ == "__main__":
    unittest.main()
