# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Many messages at once: the results of one call each, in every form that messages have."""

from __future__ import annotations

import array
import copy
import importlib
import importlib.util
import os
import random
import signal
import threading
import unittest
from collections.abc import Callable, Sequence
from typing import Any

from manyfish import CMAC, DES, DES3, InvalidTag, MessageTooLongError, Twofish
from manyfish.many import Cipher, Column, Mac, ManyError

RANDOM = random.Random(7)
HAVE_NUMPY = importlib.util.find_spec("numpy") is not None
CIPHERS: dict[str, tuple[Any, bytes]] = {
    "Twofish": (Twofish, bytes(range(32))),
    "DES": (DES, bytes(range(8))),
    "DES3": (DES3, bytes(range(24))),
}
BARE = ("CBC", "CFB", "OFB", "CTR")
WITH_TAGS = ("OCB", "EAX", "GCM", "CCM", "SIV")


def column(strings: Sequence[bytes], kind: str = "q") -> Column:
    ends = [0]
    for string in strings:
        ends.append(ends[-1] + len(string))
    return Column(b"".join(strings), array.array(kind, ends))


def rows(strings: Sequence[bytes]) -> memoryview:
    return memoryview(b"".join(strings)).cast("B", (len(strings), len(strings[0])))


def apart(strings: Sequence[bytes]) -> Column:
    """With other bytes before and behind each."""
    whole = column([b"xyz" + string for string in strings])
    return Column(whole.data, whole.offsets, start=3, stop=3 + max(map(len, strings)))


def one_by_one(
    mode: str, name: str, nonces: Sequence[bytes], texts: Sequence[bytes], aad: Sequence[bytes]
) -> list[bytes]:
    """By the functions for one message, with the names of PyCryptodome."""
    module, key = CIPHERS[name]
    if mode == "SIV":
        key = bytes(range(64))
    found = []
    for nonce, text, data in zip(nonces, texts, aad):
        if mode == "CTR":
            options: dict[str, Any] = {"nonce": b"", "initial_value": nonce}
        elif mode == "CFB":
            options = {"iv": nonce, "segment_size": 8 * module.block_size}
        else:
            options = {"iv" if mode in BARE else "nonce": nonce}
        cipher = module.new(key, getattr(module, f"MODE_{mode}"), **options)
        if mode in BARE:
            found.append(cipher.encrypt(text))
        else:
            cipher.update(data)
            sealed, tag = cipher.encrypt_and_digest(text)
            found.append(tag + sealed if mode == "SIV" else sealed + tag)
    return found


def modes() -> list[tuple[str, str]]:
    return [
        *((mode, name) for name in CIPHERS for mode in (*BARE, "EAX")),
        *((mode, "Twofish") for mode in WITH_TAGS if mode != "EAX"),
    ]


class Messages:
    """Random ones, of lengths that a mode takes; or all of one length."""

    def __init__(self, mode: str, name: str, n: int, length: int | None = None) -> None:
        module, key = CIPHERS[name]
        self.key = bytes(range(64)) if mode == "SIV" else key
        self.block: int = module.block_size
        unit = self.block if mode == "CBC" else 1
        lengths = [RANDOM.randrange(12) * unit for _ in range(n)]
        if length is not None:
            lengths = [length * unit] * n
        nonce = 11 if mode == "CCM" else min(self.block, 15) if mode == "OCB" else self.block
        self.nonces = [RANDOM.randbytes(nonce) for _ in range(n)]
        self.texts = [RANDOM.randbytes(n_bytes) for n_bytes in lengths]
        self.aad = [RANDOM.randbytes(RANDOM.randrange(1, 20)) for _ in range(n)]


class OneByOne(unittest.TestCase):
    def check(self, mode: Any, name: Any, messages: Messages) -> None:
        m = messages
        wanted = one_by_one(mode, name, m.nonces, m.texts, m.aad)
        cipher = Cipher(mode, m.key, cipher=name)
        aad = m.aad if mode in WITH_TAGS else None
        self.assertEqual(cipher.encrypt(m.nonces, m.texts, aad), wanted)
        self.assertEqual(cipher.decrypt(m.nonces, wanted, aad), m.texts)

    def test_lists_in_every_mode(self) -> None:
        for mode, name in modes():
            with self.subTest(mode=mode, name=name):
                self.check(mode, name, Messages(mode, name, 300))

    def test_more_messages_than_a_call_takes(self) -> None:
        self.check("CBC", "DES", Messages("CBC", "DES", 17000))

    def test_messages_longer_than_a_call_takes(self) -> None:
        m = Messages("OFB", "Twofish", 3)
        m.texts = [RANDOM.randbytes(n) for n in (5 << 20, 1, 3 << 20)]
        self.check("OFB", "Twofish", m)

    def test_forms(self) -> None:
        for mode in ("CBC", "OCB", "SIV"):
            m = Messages(mode, "Twofish", 50, length=4)
            m.aad = [text[:3] for text in m.texts]
            wanted = one_by_one(mode, "Twofish", m.nonces, m.texts, m.aad)
            cipher: Any = Cipher(mode, m.key)
            forms: list[Callable[[Sequence[bytes]], Any]] = [list, tuple, rows, column, apart]
            for form in forms:
                for other in forms:
                    aad = None if mode == "CBC" else other(m.aad)
                    with self.subTest(mode=mode, form=form, other=other):
                        found = cipher.encrypt(other(m.nonces), form(m.texts), aad)
                        self.assertEqual([bytes(each) for each in unrolled(found)], wanted)
                        back = cipher.decrypt(other(m.nonces), form(wanted), aad)
                        self.assertEqual([bytes(each) for each in unrolled(back)], m.texts)
                        if form is rows:
                            self.assertEqual(found.shape, (50, len(wanted[0])))

    def test_columns_of_texts_of_any_length(self) -> None:
        for kind in "iq":
            m = Messages("EAX", "Twofish", 9000)
            cipher = Cipher("EAX", m.key)
            sealed = cipher.encrypt(column(m.nonces, kind), column(m.texts, kind))
            wanted = one_by_one("EAX", "Twofish", m.nonces, m.texts, [b""] * 9000)
            self.assertEqual([bytes(each) for each in sealed], wanted)
            back = cipher.decrypt(column(m.nonces), sealed)
            self.assertEqual([bytes(each) for each in back], m.texts)

    def test_padding(self) -> None:
        m = Messages("CFB", "DES3", 9000)
        cipher = Cipher("CBC", m.key, cipher="DES3", padding="pkcs7")
        padded = [text + bytes([8 - len(text) % 8] * (8 - len(text) % 8)) for text in m.texts]
        wanted = one_by_one("CBC", "DES3", m.nonces, padded, m.aad)
        self.assertEqual(cipher.encrypt(m.nonces, m.texts), wanted)
        self.assertEqual(cipher.decrypt(m.nonces, wanted), m.texts)
        back = cipher.decrypt(m.nonces, column(wanted))
        self.assertEqual([bytes(each) for each in back], m.texts)
        same = Messages("CFB", "DES3", 20, length=11)
        table = rows(cipher.encrypt(same.nonces, same.texts))
        found = cipher.decrypt(same.nonces, table)
        self.assertIsInstance(found, Column)
        self.assertEqual([bytes(each) for each in found], same.texts)

    def test_counters_of_32_bits(self) -> None:
        nonces, texts = [b"\xff" * 16, b"\xff" * 16], [bytes(40), bytes(7)]
        short = Cipher("CTR", bytes(16), counter_bits=32).encrypt(nonces, texts)
        long = Cipher("CTR", bytes(16)).encrypt(nonces, texts)
        self.assertEqual(short[1], long[1])
        self.assertNotEqual(short[0], long[0])

    def test_siv_without_nonces(self) -> None:
        cipher, key = Cipher("SIV", bytes(range(48))), bytes(range(48))
        sealed = cipher.encrypt(None, [b"one", b"two"])
        one = Twofish.new(key, Twofish.MODE_SIV).encrypt_and_digest(b"one")
        self.assertEqual(sealed[0], one[1] + one[0])
        self.assertEqual(cipher.decrypt(None, sealed), [b"one", b"two"])

    def test_cmac(self) -> None:
        for name, (module, key) in CIPHERS.items():
            texts = Messages("CFB", name, 9000).texts
            wanted = []
            for text in texts:
                wanted.append(CMAC.new(key, text, ciphermod=module, mac_len=6).digest())
            mac = Mac(key, cipher=name, tag_length=6)  # type: ignore[arg-type]
            self.assertEqual(mac.compute(texts), wanted)
            self.assertEqual([bytes(tag) for tag in mac.compute(column(texts))], wanted)
            mac.verify(texts, wanted)
            mac.verify(column(texts), rows(wanted))
            wanted[77] = bytes(6)
            wanted[8700] = bytes(5)
            with self.assertRaises(ManyError) as raised:
                mac.verify(texts, wanted)
            self.assertEqual(sorted(raised.exception.errors), [77, 8700])


def unrolled(found: Any) -> Any:
    if isinstance(found, memoryview):
        n, n_bytes = found.shape or (0, 0)
        flat = found.cast("B")
        return [flat[i * n_bytes : (i + 1) * n_bytes] for i in range(n)]
    return found


class WrongMessages(unittest.TestCase):
    def test_wrong_tags_among_good_ones(self) -> None:
        for mode in WITH_TAGS:
            m = Messages(mode, "Twofish", 9000, length=20)
            cipher: Any = Cipher(mode, m.key)  # type: ignore[arg-type]
            sealed = cipher.encrypt(m.nonces, m.texts, m.aad)
            for i in (7, 8999):
                sealed[i] = sealed[i][:-1] + bytes([sealed[i][-1] ^ 1])
            for form, nothing in (list, None), (rows, bytes(20)), (column, b""):
                with self.subTest(mode=mode, form=form):
                    with self.assertRaisesRegex(ManyError, "2 of 9000 .* number 7: ") as raised:
                        cipher.decrypt(m.nonces, form(sealed), m.aad)
                    errors, results = raised.exception.errors, raised.exception.results
                    self.assertEqual([*errors], [7, 8999])
                    self.assertIsInstance(errors[7], InvalidTag)
                    wanted = [nothing if i in errors else m.texts[i] for i in range(9000)]
                    found = [None if r is None else bytes(r) for r in unrolled(results)]
                    self.assertEqual(found, wanted)

    def test_messages_shorter_than_a_tag(self) -> None:
        for mode in WITH_TAGS:
            m = Messages(mode, "Twofish", 3)
            cipher: Any = Cipher(mode, m.key)  # type: ignore[arg-type]
            with self.assertRaises(ManyError) as raised:
                cipher.decrypt(m.nonces, [b"", bytes(15), bytes(16)])
            kinds = [type(error) for error in raised.exception.errors.values()]
            self.assertEqual(kinds, [InvalidTag] * 3)
            self.assertEqual(raised.exception.results, [None] * 3)

    def test_other_faults_of_a_message(self) -> None:
        cbc = Cipher("CBC", bytes(16))
        with self.assertRaises(ManyError) as raised:
            cbc.encrypt([bytes(16), bytes(15), bytes(16)], [bytes(17), bytes(16), bytes(32)])
        first, second = raised.exception.errors.values()
        self.assertRegex(str(first), "17 bytes are not a whole number of 16-byte blocks")
        self.assertRegex(str(second), "CBC takes nonces of a block, not of 15 bytes")
        results: Any = raised.exception.results
        self.assertEqual([results[0], results[1], len(results[2])], [None, None, 32])
        padded = Cipher("CBC", bytes(16), padding="pkcs7")
        with self.assertRaisesRegex(ManyError, "does not end in valid padding"):
            padded.decrypt([bytes(16)], [bytes(16)])
        with self.assertRaises(ManyError) as raised:
            Cipher("CCM", bytes(16)).encrypt([bytes(13)], [bytes(1 << 16)])
        self.assertIsInstance(raised.exception.errors[0], MessageTooLongError)

    def test_arguments(self) -> None:
        ocb = Cipher("OCB", bytes(16))
        wrong: list[tuple[type[Exception], str, Callable[[], object]]] = [
            (ValueError, "2 nonces, but 1 texts", lambda: ocb.encrypt([b"1", b"2"], [b""])),
            (
                ValueError,
                "1 aad, but 2 texts",
                lambda: ocb.encrypt([b"1", b"2"], [b"", b""], [b""]),
            ),
            (TypeError, "needs nonces", lambda: ocb.encrypt(None, [b""])),
            (ValueError, "two dimensions", lambda: ocb.encrypt([b"1"], b"flat")),
            (TypeError, "", lambda: ocb.encrypt([b"1"], ["text"])),  # type: ignore[list-item]
            (ValueError, "no cipher 'AES'", lambda: Cipher("CBC", b"", cipher="AES")),  # type: ignore[arg-type]
            (ValueError, "no mode", lambda: Cipher("ECB", bytes(16))),  # type: ignore[arg-type]
            (ValueError, "no mode", lambda: Cipher("OCB", bytes(8), cipher="DES")),
            (ValueError, "no mode", lambda: Cipher("SIV", bytes(24), cipher="DES3")),
            (ValueError, "DES3 has 16", lambda: Cipher("SIV", bytes(range(32)), cipher="DES3")),
            (ValueError, "8 bytes, not 16", lambda: Cipher("CBC", bytes(16), cipher="DES")),
            (TypeError, "no padding", lambda: Cipher("OFB", bytes(16), padding="pkcs7")),
            (ValueError, "padding must", lambda: Cipher("CBC", bytes(16), padding="zeros")),  # type: ignore[arg-type]
            (TypeError, "no tags", lambda: Cipher("CTR", bytes(16), tag_length=8)),
            (TypeError, "no counter", lambda: Cipher("CBC", bytes(16), counter_bits=32)),
            (ValueError, "counter", lambda: Cipher("CTR", bytes(16), counter_bits=64)),
            (ValueError, "16 bytes, not 8", lambda: Cipher("OCB", bytes(16), tag_length=8)),
            (ValueError, "GCM", lambda: Cipher("GCM", bytes(16), tag_length=5)),
            (ValueError, "CMAC", lambda: Mac(bytes(16), tag_length=17)),
            (ValueError, "must differ", lambda: Cipher("SIV", bytes(32))),
            (ValueError, "32, 48 or 64", lambda: Cipher("SIV", bytes(16))),
            (ValueError, "kernel", lambda: Cipher("CBC", bytes(16), kernel="none")),
            (TypeError, "copied", lambda: copy.copy(ocb)),
            (TypeError, "32 or 64 bits", lambda: Column(b"", array.array("h", [0]))),
            (ValueError, "negative", lambda: Column(b"", array.array("i", [0]), start=-1)),
        ]
        for kind, text, call in wrong:
            with self.subTest(text=text), self.assertRaisesRegex(kind, text):
                call()

    def test_offsets_outside_the_data(self) -> None:
        for offsets in ([0, 5], [-1, 2], [3, 2], [2**40, 2**41]):
            texts = Column(b"four", array.array("q", offsets))
            with (
                self.subTest(offsets=offsets),
                self.assertRaisesRegex(ValueError, "offsets 0 and|1"),
            ):
                Cipher("OFB", bytes(16)).encrypt([bytes(16)], texts)

    def test_nothing_to_do(self) -> None:
        ofb = Cipher("OFB", bytes(16))
        self.assertEqual(ofb.encrypt([], []), [])
        self.assertEqual(list(ofb.encrypt([], column([]))), [])
        self.assertEqual(list(ofb.encrypt([], Column(b"", array.array("i")))), [])
        self.assertEqual(ofb.encrypt([bytes(16)], [b""]), [b""])


class Progress(unittest.TestCase):
    def test_a_function_sees_it_and_may_end_the_call(self) -> None:
        seen: list[tuple[int, int]] = []
        texts = [bytes(16)] * 20000
        ofb = Cipher("OFB", bytes(16))
        ofb.encrypt(texts, texts, progress=lambda done, total: seen.append((done, total)))
        self.assertEqual([total for _, total in seen], [20000] * len(seen))
        self.assertGreater(len(seen), 1)
        self.assertEqual(seen[-1], (20000, 20000))

        def end(done: int, total: int) -> None:
            raise KeyError(done)

        with self.assertRaises(KeyError):
            ofb.encrypt(texts, texts, progress=end)

    def test_a_function_may_change_the_lists(self) -> None:
        nonces, texts = ([bytes(size)] * 10000 for size in (16, 20))
        seen = []

        def change(done: int, total: int) -> None:
            seen.append(done)
            if len(seen) > 2:
                raise AssertionError("the call does not end")
            texts.clear()
            nonces.clear()

        results = Cipher("OFB", bytes(16)).encrypt(nonces, texts, progress=change)
        self.assertEqual(len(results), 10000)

    @unittest.skipUnless(hasattr(signal, "pthread_kill"), "this system has no such signals")
    def test_ctrl_c(self) -> None:
        texts = rows([bytes(1024)] * (64 << 10))
        main = threading.main_thread().ident
        assert main is not None
        done = []

        def note(n: int, total: int) -> None:
            done.append(n)
            if len(done) == 1:
                os.kill(os.getpid(), signal.SIGINT)

        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            with self.assertRaises(KeyboardInterrupt):
                Cipher("OFB", bytes(16)).encrypt(
                    rows([bytes(16)] * (64 << 10)), texts, progress=note
                )
        finally:
            signal.signal(signal.SIGINT, before)
        self.assertLessEqual(len(done), 2)

    def test_threads_share_an_object(self) -> None:
        m = Messages("CBC", "Twofish", 3000)
        cipher, found = Cipher("CBC", m.key), []

        def work() -> None:
            found.append(cipher.encrypt(m.nonces, m.texts))

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, [found[0]] * 4)


@unittest.skipUnless(HAVE_NUMPY, "numpy is not installed")
class Numpy(unittest.TestCase):
    def setUp(self) -> None:
        self.np: Any = importlib.import_module("numpy")

    def test_a_table_with_its_ivs(self) -> None:
        """IV and ciphertext stand in one row, and are no arrays without gaps."""
        table = self.np.random.default_rng(1).integers(0, 256, (20000, 64), dtype="u1")
        found = self.np.asarray(Cipher("CBC", bytes(16)).decrypt(table[:, :16], table[:, 16:]))
        self.assertEqual(found.shape, (20000, 48))
        for i in (0, 8192, 19999):
            row = table[i].tobytes()
            one = Twofish.new(bytes(16), Twofish.MODE_CBC, iv=row[:16]).decrypt(row[16:])
            self.assertEqual(found[i].tobytes(), one)
        backwards = self.np.asarray(
            Cipher("CBC", bytes(16)).decrypt(table[::-1, :16], table[::-1, 16:])
        )
        self.assertTrue((backwards == found[::-1]).all())

    def test_arrays_that_are_not_rows_of_bytes(self) -> None:
        ofb, ivs = Cipher("OFB", bytes(16)), self.np.zeros((2, 16), "u1")
        for texts in (
            self.np.zeros((2, 3), "u2"),
            self.np.zeros(2, "u1"),
            self.np.zeros((2, 8), "u1")[:, ::2],
            self.np.zeros((2, 2, 2), "u1"),
        ):
            with self.assertRaises(ValueError):
                ofb.encrypt(ivs, texts)

    def test_offsets(self) -> None:
        texts = Column(b"onetwo", self.np.array([0, 3, 6]))
        ofb = Cipher("OFB", bytes(16))
        found = ofb.encrypt([bytes(16)] * 2, texts)
        self.assertEqual(bytes(found[1]), ofb.encrypt([bytes(16)], [b"two"])[0])


class ArrowArray:
    """A slice of an array, with what pyarrow's arrays have of the interface."""

    null_count = 0

    def __init__(self, kind: str, strings: Sequence[bytes], offset: int, n: int) -> None:
        whole = column(strings, "q" if kind.startswith("large_") else "i")
        self.type, self.offset, self._n = kind, offset, n
        self._buffers = [None, bytes(whole.offsets), whole.data]

    def __len__(self) -> int:
        return self._n

    def buffers(self) -> list[Any]:
        return self._buffers


class Arrow(unittest.TestCase):
    def test_arrays(self) -> None:
        ofb, ivs, texts = Cipher("OFB", bytes(16)), [bytes(16)] * 4, [b"one", b"", b"three", b"4th"]
        wanted = ofb.encrypt(ivs, texts)
        for kind in ("binary", "string", "large_binary", "large_string"):
            array: Any = ArrowArray(kind, [b"zero", *texts, b"last"], 1, 4)
            found: Any = ofb.encrypt(ArrowArray(kind, ivs, 0, 4), array)  # type: ignore[call-overload]
            self.assertEqual([bytes(each) for each in found], wanted)
            self.assertEqual(found.offsets.tolist(), [0, 3, 3, 8, 11])
        nothing: Any = ArrowArray("binary", [], 0, 0)
        nothing._buffers = [None, None, None]
        self.assertEqual(len(Column.from_arrow(nothing)), 0)

    def test_other_arrays(self) -> None:
        nulls = ArrowArray("binary", [b"one"], 0, 1)
        nulls.null_count = 1
        with self.assertRaisesRegex(ValueError, "nulls"):
            Column.from_arrow(nulls)
        with self.assertRaisesRegex(TypeError, "binary, not int64"):
            Column.from_arrow(ArrowArray("int64", [b"one"], 0, 1))


if __name__ == "__main__":
    unittest.main()
