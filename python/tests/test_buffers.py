# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Memory in and out, the GIL and threads, and objects that two threads use at once."""

from __future__ import annotations

import array
import importlib
import importlib.util
import random
import sys
import threading
import unittest
from collections.abc import Callable, Iterator
from typing import Any
from unittest import mock

from manyfish import CMAC, Twofish
from manyfish._manyfish import Pieces
from manyfish.aead import TwofishOCB

RANDOM = random.Random(5)
KEY = bytes(range(32))
HAVE_NUMPY = importlib.util.find_spec("numpy") is not None

# Every mode with data in pieces: what makes the object, as keyword arguments.
MODES: dict[str, dict[str, Any]] = {
    "ECB": {},
    "CBC": {"iv": bytes(16)},
    "CFB": {"iv": bytes(16), "segment_size": 128},
    "OFB": {"iv": bytes(16)},
    "CTR": {"nonce": bytes(8)},
    "EAX": {"nonce": bytes(8)},
    "GCM": {"nonce": bytes(12)},
    "CCM": {"nonce": bytes(12)},
}


def new(mode: str) -> Any:
    return Twofish.new(KEY, getattr(Twofish, f"MODE_{mode}"), **MODES[mode])


class Buffers(unittest.TestCase):
    def test_what_waits_in_ocb_goes_to_the_output(self) -> None:
        """Where bytes wait, the output begins before the data, or lies as it may."""
        plain = RANDOM.randbytes(40)

        def new() -> Any:
            return Twofish.new(KEY, Twofish.MODE_OCB, nonce=b"once")

        sealed, tag = new().encrypt_and_digest(plain)
        for cut, at in (0, 0), (16, 0), (20, 0), (20, 4), (20, 9):
            done = cut // 16 * 16
            for text, wanted in (plain, sealed), (sealed, plain):
                with self.subTest(cut=cut, at=at, encrypting=text is plain):
                    memory, ocb = memoryview(bytearray(64)), new()
                    last, output = memory[at : at + 40 - cut], memory[: 40 - done]
                    last[:] = text[cut:]
                    if text is plain:
                        self.assertEqual(ocb.encrypt(text[:cut]), wanted[:done])
                        with self.assertRaises(ValueError):
                            ocb.encrypt_and_digest(last, memory[: 41 - done])
                        ocb = new()
                        ocb.encrypt(text[:cut])
                        self.assertEqual(ocb.encrypt_and_digest(last, output), (None, tag))
                    else:
                        self.assertEqual(ocb.decrypt(text[:cut]), wanted[:done])
                        self.assertIsNone(ocb.decrypt_and_verify(last, tag, output))
                    self.assertEqual(output, wanted[done:])

    def test_a_refused_output_leaves_the_message_as_it_was(self) -> None:
        for mode in ("GCM", "CCM", "SIV"):
            with self.subTest(mode=mode):
                more = {"msg_len": 16} if mode == "CCM" else {}
                key, number = bytes(range(64)), getattr(Twofish, f"MODE_{mode}")
                key = key if mode == "SIV" else KEY
                one, other = (Twofish.new(key, number, nonce=bytes(12), **more) for _ in range(2))
                with self.assertRaises(ValueError):
                    one.encrypt_and_digest(bytes(16), bytearray(15))
                sealed = bytearray(16)
                tag = one.encrypt_and_digest(bytes(16), sealed)[1]
                self.assertEqual((bytes(sealed), tag), other.encrypt_and_digest(bytes(16)))

    def test_after_an_error_siv_has_no_tag_and_none_fits(self) -> None:
        def new() -> Any:
            return Twofish.new(bytes(range(64)), Twofish.MODE_SIV).update(b"public")

        siv = new()
        with self.assertRaises(ValueError):
            siv.encrypt_and_digest(bytes(16), bytearray(15))
        with self.assertRaises(TypeError):
            siv.digest()
        siv = new()
        with self.assertRaisesRegex(ValueError, "MAC check failed"):
            siv.decrypt_and_verify(b"forged", b"")
        with self.assertRaisesRegex(ValueError, "MAC check failed"):
            siv.verify(b"")

    def test_every_kind_of_input(self) -> None:
        data = RANDOM.randbytes(64)
        kinds: list[Any] = [
            bytearray(data),
            memoryview(data),
            memoryview(bytearray(b"xx" + data))[2:],
            array.array("Q", data),
            memoryview(data).cast("B", (8, 8)),
        ]
        if HAVE_NUMPY:
            numpy = importlib.import_module("numpy")
            kinds += [
                numpy.frombuffer(data, "u1"),
                numpy.frombuffer(data, ">u4").reshape(2, 8),
            ]
        for mode in MODES:
            wanted = new(mode).encrypt(data)
            for kind in kinds:
                with self.subTest(mode=mode, kind=type(kind)):
                    self.assertEqual(new(mode).encrypt(kind), wanted)
                    out = bytearray(64)
                    self.assertIsNone(new(mode).decrypt(wanted, output=out))
                    self.assertEqual(out, data)

    def test_every_kind_of_output(self) -> None:
        data = RANDOM.randbytes(64)
        wanted = new("CTR").encrypt(data)
        whole = bytearray(80)
        outs: list[Any] = [bytearray(64), memoryview(whole)[8:72], array.array("Q", bytes(64))]
        if HAVE_NUMPY:
            outs.append(importlib.import_module("numpy").zeros((4, 2), "u8"))
        for out in outs:
            self.assertIsNone(new("CTR").encrypt(data, output=out))
            self.assertEqual(bytes(out), wanted)
        self.assertEqual((whole[:8], whole[72:]), (bytes(8), bytes(8)), "outside of the output")

    def test_what_is_no_contiguous_memory(self) -> None:
        strided = memoryview(bytearray(128))[::2]
        for mode in MODES:
            with self.assertRaises(BufferError):
                new(mode).encrypt(strided)
            with self.assertRaises(TypeError):
                new(mode).encrypt(bytes(64), output=strided)
            for no_memory in ("text", 16, None, [1, 2]):
                with self.assertRaises(TypeError):
                    new(mode).encrypt(no_memory)

    def test_in_place(self) -> None:
        data = RANDOM.randbytes(5 * 4096 + 48)
        for mode in MODES:
            with self.subTest(mode=mode):
                whole = bytearray(data)
                view = memoryview(whole)[16:]
                wanted = new(mode).encrypt(bytes(view))
                self.assertIsNone(new(mode).encrypt(view, output=view))
                self.assertEqual(view, wanted)
                self.assertIsNone(new(mode).decrypt(whole[16:], output=view))
                self.assertEqual(whole, data)

    def test_overlap_in_part(self) -> None:
        for mode in MODES:
            whole = memoryview(bytearray(128))
            for start, end in ((16, 0), (0, 16), (1, 0), (0, 63)):
                with self.subTest(mode=mode, start=start, end=end), self.assertRaises(ValueError):
                    new(mode).encrypt(whole[start : start + 64], output=whole[end : end + 64])
            new(mode).encrypt(whole[:64], output=whole[64:])
            new(mode).encrypt(whole[64:], output=whole[:64])

    def test_no_data(self) -> None:
        for mode in MODES:
            self.assertEqual(new(mode).encrypt(b""), b"")
            self.assertIsNone(new(mode).decrypt(bytearray(), output=bytearray()))

    def test_a_buffer_is_given_back(self) -> None:
        data, out = bytearray(64), bytearray(64)
        for mode in MODES:
            new(mode).encrypt(data, output=out)
            with self.assertRaises(ValueError):
                new(mode).encrypt(data, output=out[:63])
        data.extend(b"x")  # BufferError if it were still borrowed
        out.extend(b"x")

    def test_no_memory_is_lost(self) -> None:
        data, out = bytearray(4096), bytearray(4096)
        references = sys.getrefcount(data), sys.getrefcount(out)
        ocb = TwofishOCB(KEY)
        for _ in range(100):
            for mode in MODES:
                new(mode).encrypt(data, output=out)
            with self.assertRaises(ValueError):
                ocb.decrypt(b"nonce", data)
        self.assertEqual((sys.getrefcount(data), sys.getrefcount(out)), references)


def in_threads(work: Callable[[], None], n_threads: int = 4) -> list[BaseException]:
    """Run `work` in some threads; the exceptions that ended them."""
    errors: list[BaseException] = []

    def guarded() -> None:
        try:
            work()
        except BaseException as error:  # a panic would be one
            errors.append(error)

    threads = [threading.Thread(target=guarded) for _ in range(n_threads)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return errors


class Threads(unittest.TestCase):
    def test_objects_of_their_own(self) -> None:
        data = RANDOM.randbytes(1 << 17)
        for mode in MODES:
            wanted = new(mode).encrypt(data)

            def work(mode: str = mode, wanted: bytes = wanted) -> None:
                for _ in range(2):
                    if new(mode).encrypt(data) != wanted or new(mode).decrypt(wanted) != data:
                        raise AssertionError("a thread got something else")

            self.assertEqual(in_threads(work), [], mode)

    def test_what_may_be_shared(self) -> None:
        data = RANDOM.randbytes(1 << 18)
        ecb, ocb = new("ECB"), TwofishOCB(KEY)
        xts = Twofish.new(KEY + bytes(32), Twofish.MODE_XTS)
        calls: list[Callable[[], Any]] = [
            lambda: ecb.encrypt(data),
            lambda: ocb.encrypt(b"nonce", data, b"associated"),
            lambda: xts.encrypt_sectors(data, 7, 512),
        ]
        for call in calls:
            wanted = call()

            def work(call: Callable[[], Any] = call, wanted: Any = wanted) -> None:
                for _ in range(10):
                    if call() != wanted:
                        raise AssertionError("a thread got something else")

            self.assertEqual(in_threads(work), [])

    def test_what_may_not_be_shared(self) -> None:
        """Either the calls come one after the other, or one of them raises RuntimeError."""
        data = bytes(1 << 19)
        for mode in ("CBC", "CTR", "GCM"):
            shared = new(mode)

            def work(shared: Any = shared) -> None:
                for _ in range(5):
                    shared.encrypt(data)

            errors = in_threads(work)
            self.assertTrue(all(type(error) is RuntimeError for error in errors), errors)
            shared.encrypt(b"sixteen bytes...")  # it still works

    def test_two_threads_that_begin_a_message_of_ccm(self) -> None:
        """The second comes while the first encodes the lengths: both would begin the key stream."""
        ccm = Twofish.new(KEY, Twofish.MODE_CCM, nonce=bytes(12), msg_len=32)
        errors: list[BaseException] = []

        def work() -> None:
            ccm.encrypt(bytes(16))

        class Late:
            @staticmethod
            def ccm(*arguments: Any) -> Any:
                errors.extend(in_threads(work))
                return Pieces.ccm(*arguments)

        with mock.patch("manyfish._authenticated.Pieces", Late):
            work()
        self.assertEqual({type(error) for error in errors}, {RuntimeError})

    def test_other_threads_while_siv_encrypts(self) -> None:
        """They come when the call has begun: it reads the associated data."""
        siv = Twofish.new(bytes(range(64)), Twofish.MODE_SIV)
        errors: list[BaseException] = []

        def work() -> None:
            siv.encrypt_and_digest(b"text")

        class Late(list[bytes]):
            def __iter__(self) -> Iterator[bytes]:
                siv._aad = []
                errors.extend(in_threads(work))
                return super().__iter__()

        siv._aad = Late()
        work()
        self.assertEqual([type(error) for error in errors], [RuntimeError] * 4)

    def test_the_gil_is_released(self) -> None:
        """While one thread encrypts in one call, another one goes on counting."""
        cmac, data, done = CMAC.new(KEY), bytes(1 << 24), threading.Event()

        def work() -> None:
            cmac.update(data)
            done.set()

        thread = threading.Thread(target=work)
        interval = sys.getswitchinterval()
        sys.setswitchinterval(1e-4)
        try:
            thread.start()
            turns = 0
            while not done.is_set():
                turns += 1
        finally:
            sys.setswitchinterval(interval)
            thread.join()
        self.assertGreater(turns, 1000)


if __name__ == "__main__":
    unittest.main()
