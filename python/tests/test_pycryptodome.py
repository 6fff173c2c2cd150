# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The same behaviour as PyCryptodome: results, attributes, the order of calls, exceptions.

DES and DES3 are compared with PyCryptodome's. It has no Twofish; but its code of EAX, GCM, CCM and
SIV works over any cipher module that has ECB, CBC and CTR, and so over ours: that is what those
modes of Twofish are compared with.
"""

from __future__ import annotations

import importlib
import importlib.util
import itertools
import random
import unittest
from collections.abc import Callable
from functools import partial
from typing import Any

from manyfish import CMAC, DES, DES3, Twofish

RANDOM = random.Random(8)
HAVE_PYCRYPTODOME = importlib.util.find_spec("Crypto") is not None

New = Callable[..., Any]
PAIRS: list[tuple[Any, Any, int]] = []
if HAVE_PYCRYPTODOME:
    PAIRS = [
        (DES, importlib.import_module("Crypto.Cipher.DES"), 8),
        (DES3, importlib.import_module("Crypto.Cipher.DES3"), 16),
        (DES3, importlib.import_module("Crypto.Cipher.DES3"), 24),
    ]


def outcome(call: Callable[[], Any]) -> Any:
    """The result of a call, or the built-in exception that its error is."""
    try:
        result = call()
    except Exception as error:
        kinds = (TypeError, OverflowError, ValueError)
        return next((kind for kind in kinds if isinstance(error, kind)), type(error))
    return bytes(result) if isinstance(result, (bytearray, memoryview)) else result


class Factory:
    """Our Twofish as PyCryptodome's modes take a cipher; its GCM asks CTR for threads."""

    block_size = Twofish.block_size
    MODE_ECB, MODE_CBC, MODE_CTR = Twofish.MODE_ECB, Twofish.MODE_CBC, Twofish.MODE_CTR

    @staticmethod
    def new(key: bytes, mode: int, *args: Any, **kwargs: Any) -> Any:
        cipher: Any = Twofish.new(key, mode, *args, **kwargs)
        cipher._threads = 1
        return cipher


def theirs(mode: str) -> New:
    """PyCryptodome's mode over our Twofish."""
    module = importlib.import_module(f"Crypto.Cipher._mode_{mode.lower()}")
    create: New = getattr(module, f"_create_{mode.lower()}_cipher")
    return lambda key, **kwargs: create(Factory, key=key, **kwargs)


def ours(mode: str) -> New:
    number = getattr(Twofish, f"MODE_{mode}")
    return lambda key, **kwargs: Twofish.new(key, number, **kwargs)


@unittest.skipUnless(HAVE_PYCRYPTODOME, "PyCryptodome is not installed")
class Classic(unittest.TestCase):
    """DES and Triple-DES in the modes that PyCryptodome has for them."""

    def test_constants(self) -> None:
        for our, their, _ in PAIRS:
            names = [name for name in vars(their) if name.startswith("MODE_")]
            for name in [*names, "block_size", "key_size"]:
                self.assertEqual(getattr(our, name), getattr(their, name), name)
        aes = importlib.import_module("Crypto.Cipher.AES")
        for name in vars(Twofish):
            if name.startswith("MODE_") and name != "MODE_XTS":
                self.assertEqual(getattr(Twofish, name), getattr(aes, name), name)
        numbers = {getattr(aes, name) for name in vars(aes) if name.startswith("MODE_")}
        self.assertNotIn(Twofish.MODE_XTS, numbers)

    def arguments(self) -> list[tuple[str, dict[str, Any]]]:
        iv = RANDOM.randbytes(8)
        counter = importlib.import_module("Crypto.Util.Counter").new
        return [
            ("ECB", {}),
            ("CBC", {"iv": iv}),
            ("CBC", {"IV": iv}),
            *(("CFB", {"iv": iv, "segment_size": bits}) for bits in range(8, 65, 8)),
            ("CFB", {"iv": iv}),
            ("OFB", {"iv": iv}),
            ("OPENPGP", {"iv": iv}),
            *(("CTR", {"nonce": iv[:n], "initial_value": 5}) for n in range(7)),
            ("CTR", {"nonce": iv[:4], "initial_value": iv[4:]}),
            ("CTR", {"nonce": iv[:6]}),
            ("CTR", {"nonce": iv[:6], "initial_value": 65500}),
            ("CTR", {"counter": counter(64, initial_value=2**64 - 3)}),
            ("CTR", {"counter": counter(32, prefix=iv[:3], suffix=iv[3:4])}),
            ("CTR", {"counter": counter(24, suffix=iv[:5], initial_value=2**24 - 2)}),
            ("CTR", {"counter": counter(40, prefix=iv[:3], little_endian=True)}),
            ("CTR", {"counter": counter(16, iv[:2], iv[:4], 65530, True)}),
            ("EAX", {"nonce": iv}),
            ("EAX", {"nonce": iv * 3, "mac_len": 2}),
        ]

    def test_results_in_pieces(self) -> None:
        for our, their, key_bytes in PAIRS:
            for mode, kwargs in self.arguments():
                whole = 8 if mode in ("ECB", "CBC") else 1
                key = RANDOM.randbytes(key_bytes)
                number = getattr(our, f"MODE_{mode}")
                for step in (whole, 3 * whole, 5000 * whole):
                    with self.subTest(cipher=our.__name__, mode=mode, step=step, **kwargs):
                        data = RANDOM.randbytes(5 * step + 8)
                        one, other = (
                            our.new(key, number, **kwargs),
                            their.new(key, number, **kwargs),
                        )
                        if mode == "OPENPGP":
                            self.openpgp(our, their, key, kwargs["iv"], data)
                            continue
                        back = our.new(key, number, **kwargs)
                        for at in range(0, len(data), step):
                            piece = data[at : at + step]
                            sealed = one.encrypt(piece)
                            self.assertEqual(sealed, other.encrypt(piece))
                            self.assertEqual(back.decrypt(sealed), piece)
                        if mode == "EAX":
                            self.assertEqual(one.digest(), other.digest())
                            back.verify(other.digest())

    def openpgp(self, our: Any, their: Any, key: bytes, iv: bytes, data: bytes) -> None:
        one, other = our.new(key, our.MODE_OPENPGP, iv), their.new(key, our.MODE_OPENPGP, iv)
        sealed = one.encrypt(data[:9]) + one.encrypt(data[9:])
        self.assertEqual(sealed, other.encrypt(data[:9]) + other.encrypt(data[9:]))
        back = our.new(key, our.MODE_OPENPGP, sealed[:10])
        self.assertEqual(back.iv, iv)
        self.assertEqual(back.decrypt(sealed[10:]), data)

    def test_attributes(self) -> None:
        for our, their, key_bytes in PAIRS:
            key = RANDOM.randbytes(key_bytes)
            for mode, kwargs in self.arguments():
                number = getattr(our, f"MODE_{mode}")
                one, other = our.new(key, number, **kwargs), their.new(key, number, **kwargs)
                for name in ("block_size", "iv", "IV", "nonce"):
                    with self.subTest(mode=mode, name=name):
                        missing = "none"
                        self.assertEqual(getattr(one, name, missing), getattr(other, name, missing))

    def test_the_end_of_a_counter(self) -> None:
        for our, their, key_bytes in PAIRS[:1]:
            key = RANDOM.randbytes(key_bytes)
            for initial in (0, 1, 200, 255):
                for step in (8, 7, 300, 2048, 2049):
                    with self.subTest(initial=initial, step=step):
                        kwargs = {"nonce": bytes(7), "initial_value": initial}
                        one = our.new(key, our.MODE_CTR, **kwargs)
                        other = their.new(key, our.MODE_CTR, **kwargs)
                        for n_bytes in [step] * (2048 // step) + [2048 % step]:
                            piece = bytes(n_bytes)
                            self.assertEqual(one.encrypt(piece), other.encrypt(piece))
                        self.assertEqual(outcome(lambda: one.encrypt(b"x")), OverflowError)
                        self.assertEqual(outcome(lambda: other.encrypt(b"x")), OverflowError)

    def bad_arguments(self) -> list[tuple[str, tuple[Any, ...], dict[str, Any]]]:
        iv = bytes(8)
        return [
            ("ECB", (iv,), {}),
            ("ECB", (), {"iv": iv}),
            ("CBC", (bytes(7),), {}),
            ("CBC", (bytes(9),), {}),
            ("CBC", ("eightstr",), {}),
            ("CBC", (iv, iv), {}),
            ("CBC", (), {"iv": iv, "IV": iv}),
            ("CBC", (), {"iv": iv, "nonce": iv}),
            ("CFB", (iv,), {"segment_size": 0}),
            ("CFB", (iv,), {"segment_size": 7}),
            ("CFB", (iv,), {"segment_size": 72}),
            ("CFB", (iv,), {"segment_size": "8"}),
            ("CFB", (iv,), {"segment_size": 8.0}),
            ("OFB", (bytes(1),), {}),
            ("OPENPGP", (bytes(9),), {}),
            ("CTR", (iv,), {}),
            ("CTR", (), {}),
            ("CTR", (), {"nonce": iv}),
            ("CTR", (), {"nonce": bytes(7), "initial_value": 256}),
            ("CTR", (), {"nonce": bytes(4), "initial_value": bytes(5)}),
            ("CTR", (), {"nonce": bytes(4), "counter": {}}),
            ("CTR", (), {"counter": {}}),
            ("CTR", (), {"nonce": bytes(4), "iv": iv}),
            ("EAX", (b"",), {}),
            ("EAX", (iv,), {"mac_len": 1}),
            ("EAX", (iv,), {"mac_len": 9}),
        ]

    def test_bad_arguments(self) -> None:
        for our, their, key_bytes in PAIRS:
            key = RANDOM.randbytes(key_bytes)
            for mode, args, kwargs in self.bad_arguments():
                with self.subTest(mode=mode, args=args, kwargs=kwargs):
                    number = getattr(our, f"MODE_{mode}")
                    found = outcome(lambda: our.new(key, number, *args, **dict(kwargs)))
                    wanted = outcome(lambda: their.new(key, number, *args, **dict(kwargs)))
                    self.assertIn(found, (TypeError, ValueError))
                    self.assertEqual(found, wanted)

    def test_no_segment_sizes(self) -> None:
        for our, _, key_bytes in PAIRS:
            new = partial(our.new, RANDOM.randbytes(key_bytes), our.MODE_CFB)
            for bits in (-8, 0, 12, 72):
                with self.assertRaisesRegex(ValueError, f"segment_size must be .*, not {bits}$"):
                    new(segment_size=bits)
            with self.assertRaisesRegex(TypeError, "'str' object cannot be interpreted"):
                new(segment_size="8")

    def test_bad_keys_and_modes(self) -> None:
        equal = bytes(range(8))
        for our, their, _ in PAIRS:
            for key in (b"", bytes(7), bytes(25), equal * 2, equal * 3):
                with self.subTest(key=key):
                    found = outcome(lambda: our.new(key, 1).block_size)
                    self.assertEqual(found, outcome(lambda: their.new(key, 1).block_size))
            self.assertEqual(outcome(lambda: our.new("sixteen letters.", 1)), TypeError)
            key = bytes(range(max(PAIRS[0][2], 8 if our is DES else 24)))
            for mode in (0, 4, 8, 10, 11, 12, 13, 99):
                self.assertEqual(outcome(lambda: our.new(key, mode)), ValueError)
                self.assertEqual(outcome(lambda: their.new(key, mode)), ValueError)

    def test_bad_data(self) -> None:
        our, their, key = DES, PAIRS[0][1], bytes(8)
        iv = {"iv": bytes(8)}
        nonce = {"nonce": bytes(4)}
        for mode, kwargs in (("ECB", {}), ("CBC", iv), ("CFB", iv), ("OFB", iv), ("CTR", nonce)):
            number = getattr(our, f"MODE_{mode}")
            for data in (bytes(7), "a string", 8, None):
                with self.subTest(mode=mode, data=data):
                    one, other = our.new(key, number, **kwargs), their.new(key, number, **kwargs)
                    self.assertEqual(
                        outcome(lambda: one.encrypt(data)), outcome(lambda: other.encrypt(data))
                    )
            for size, writable in ((8, False), (9, True), (7, True)):
                with self.subTest(mode=mode, size=size, writable=writable):
                    one, other = our.new(key, number, **kwargs), their.new(key, number, **kwargs)
                    output = bytearray(size) if writable else bytes(size)
                    self.assertEqual(
                        outcome(lambda: one.encrypt(bytes(8), output=output)),
                        outcome(lambda: other.encrypt(bytes(8), output=output)),
                    )

    def test_the_order_of_calls(self) -> None:
        key, arguments = bytes(8), {"CBC": {"iv": bytes(8)}, "CTR": {"nonce": bytes(4)}}
        for mode in ("ECB", "CBC", "CFB", "OFB", "CTR"):
            number = getattr(DES, f"MODE_{mode}")
            kwargs = arguments.get(mode, {} if mode == "ECB" else {"iv": bytes(8)})
            for names in itertools.product(("encrypt", "decrypt"), repeat=3):
                one, other = DES.new(key, number, **kwargs), PAIRS[0][1].new(key, number, **kwargs)
                for name in names:
                    with self.subTest(mode=mode, names=names):
                        self.assertEqual(
                            outcome(lambda: getattr(one, name)(bytes(16))),
                            outcome(lambda: getattr(other, name)(bytes(16))),
                        )

    def test_parity(self) -> None:
        for _ in range(100):
            key = RANDOM.randbytes(RANDOM.choice((16, 24)))
            self.assertEqual(DES3.adjust_key_parity(key), PAIRS[1][1].adjust_key_parity(key))

    def test_cmac(self) -> None:
        their = importlib.import_module("Crypto.Hash.CMAC")
        for our_cipher, their_cipher, key_bytes in PAIRS:
            key, msg = RANDOM.randbytes(key_bytes), RANDOM.randbytes(100)
            for n_bytes in (0, 1, 8, 9, 100):
                for mac_len in (None, 4, 8):
                    one = CMAC.new(key, msg[:n_bytes], our_cipher, mac_len=mac_len)
                    other = their.new(key, msg[:n_bytes], their_cipher, mac_len=mac_len)
                    self.assertEqual(one.hexdigest(), other.hexdigest())
                    one.hexverify(other.hexdigest())
                    self.assertEqual(one.digest_size, other.digest_size)
                    self.assertEqual(outcome(lambda: one.update(b"x")), TypeError)
            for mac_len in (3, 9):
                self.assertEqual(
                    outcome(lambda: CMAC.new(key, ciphermod=our_cipher, mac_len=mac_len)),
                    ValueError,
                )


# Calls of an authenticated object, by name. The tags are right for what comes before in some of the
# sequences, and wrong in the others; what counts is that both objects say the same.
CALLS: dict[str, Callable[[Any], Any]] = {
    "update": lambda c: type(c.update(b"associated")).__name__,
    "encrypt": lambda c: c.encrypt(b"sixteen bytes...and more"),
    "decrypt": lambda c: c.decrypt(b"sixteen bytes...and more"),
    "digest": lambda c: c.digest(),
    "hexdigest": lambda c: c.hexdigest(),
    "verify": lambda c: c.verify(bytes(16)),
    "encrypt_and_digest": lambda c: c.encrypt_and_digest(b"text"),
    "decrypt_and_verify": lambda c: c.decrypt_and_verify(b"text", bytes(16)),
}

OCB_CALLS: dict[str, Callable[[Any], Any]] = {
    **CALLS,
    "encrypt_last": lambda c: c.encrypt(),
    "decrypt_last": lambda c: c.decrypt(),
}


@unittest.skipUnless(HAVE_PYCRYPTODOME, "PyCryptodome is not installed")
class Authenticated(unittest.TestCase):
    """Twofish in EAX, GCM, CCM and SIV, against PyCryptodome's code over our ECB, CBC and CTR."""

    KEY = bytes(range(64))

    def pair(self, mode: str, **kwargs: Any) -> tuple[Any, Any]:
        key = self.KEY if mode == "SIV" else self.KEY[:32]
        return ours(mode)(key, **dict(kwargs)), theirs(mode)(key, **dict(kwargs))

    def kwargs(self) -> list[tuple[str, dict[str, Any]]]:
        nonce = bytes(range(12))
        return [
            ("EAX", {"nonce": nonce}),
            ("EAX", {"nonce": nonce[:1], "mac_len": 5}),
            ("GCM", {"nonce": nonce}),
            ("GCM", {"nonce": nonce * 3, "mac_len": 13}),
            ("CCM", {"nonce": nonce}),
            ("CCM", {"nonce": nonce, "mac_len": 6, "msg_len": 24}),
            ("CCM", {"nonce": nonce, "assoc_len": 10}),
            ("CCM", {"nonce": nonce, "msg_len": 48, "assoc_len": 20}),
            ("CCM", {"nonce": nonce, "msg_len": 4, "assoc_len": 0}),
            ("SIV", {"nonce": nonce}),
            ("SIV", {}),
        ]

    def test_the_order_of_calls(self) -> None:
        n_sequences = 0
        for mode, kwargs in self.kwargs():
            for names in itertools.product(CALLS, repeat=3):
                one, other = self.pair(mode, **kwargs)
                if mode == "SIV" and names[0] in ("digest", "hexdigest", "verify"):
                    continue  # of no string at all: we refuse, PyCryptodome gives CMAC of zeros
                with self.subTest(mode=mode, kwargs=kwargs, names=names):
                    n_sequences += 1
                    for name in names:
                        found = outcome(lambda: CALLS[name](one))
                        wanted = outcome(lambda: CALLS[name](other))
                        self.assertEqual(found, wanted, f"at {name}")
                        if isinstance(found, type):
                            break  # what an object does after an exception is not promised
        self.assertGreater(n_sequences, 4000)

    def test_random_messages(self) -> None:
        for mode, _ in self.kwargs():
            for _ in range(20):
                with self.subTest(mode=mode):
                    nonce = RANDOM.randbytes(RANDOM.randint(7, 13))
                    text = RANDOM.randbytes(RANDOM.choice((0, 1, 15, 16, 17, 100, 5000)))
                    aad = RANDOM.randbytes(RANDOM.choice((0, 1, 16, 70000)))
                    one, other = self.pair(mode, nonce=nonce)
                    one.update(aad)
                    other.update(aad)
                    sealed, tag = one.encrypt_and_digest(text)
                    self.assertEqual((sealed, tag), other.encrypt_and_digest(text))
                    one, other = self.pair(mode, nonce=nonce)
                    out = bytearray(len(sealed))
                    self.assertIsNone(one.update(aad).decrypt_and_verify(sealed, tag, output=out))
                    self.assertEqual(out, text)

    def test_bad_arguments(self) -> None:
        nonce = bytes(12)
        for mode, kwargs in (
            ("EAX", {"nonce": b""}),
            ("EAX", {"nonce": nonce, "mac_len": 1}),
            ("EAX", {"nonce": nonce, "mac_len": 17}),
            ("EAX", {"nonce": "a string"}),
            ("EAX", {"nonce": nonce, "msg_len": 3}),
            ("GCM", {"nonce": b""}),
            ("GCM", {"nonce": nonce, "mac_len": 3}),
            ("GCM", {"nonce": nonce, "mac_len": 17}),
            ("GCM", {"nonce": nonce, "segment_size": 8}),
            ("CCM", {"nonce": bytes(6)}),
            ("CCM", {"nonce": bytes(14)}),
            ("CCM", {"nonce": nonce, "mac_len": 5}),
            ("CCM", {"nonce": nonce, "mac_len": 2}),
            ("CCM", {"nonce": bytes(13), "msg_len": 65536}),
            ("CCM", {"nonce": nonce, "msg_len": -1}),
            ("SIV", {"nonce": b""}),
            ("SIV", {"nonce": 12}),
        ):
            with self.subTest(mode=mode, kwargs=kwargs):
                key = self.KEY if mode == "SIV" else self.KEY[:32]
                found = outcome(lambda: ours(mode)(key, **dict(kwargs)))
                wanted = outcome(lambda: theirs(mode)(key, **dict(kwargs)))
                self.assertIn(found, (TypeError, ValueError, OverflowError))
                self.assertEqual(found, wanted)
        for n_bytes in (0, 16, 31, 33, 65):
            self.assertEqual(outcome(lambda: ours("SIV")(bytes(n_bytes))), ValueError)

    def test_declared_lengths(self) -> None:
        """Too much and too little of what was declared for CCM."""
        cases: list[tuple[dict[str, int], list[tuple[Any, ...]]]] = [
            ({"msg_len": 3}, [("encrypt", bytes(4))]),
            ({"msg_len": 3}, [("encrypt", bytes(2)), ("digest",)]),
            ({"msg_len": 3}, [("encrypt", bytes(2)), ("encrypt", bytes(2))]),
            ({"msg_len": 3}, [("decrypt", bytes(2)), ("verify", bytes(16))]),
            ({"msg_len": 3}, [("decrypt_and_verify", bytes(2), bytes(16))]),
            ({"assoc_len": 3}, [("update", bytes(4))]),
            ({"assoc_len": 3}, [("encrypt", bytes(4))]),
            ({"assoc_len": 3}, [("update", bytes(1)), ("digest",)]),
            ({"assoc_len": 3}, [("update", bytes(1)), ("decrypt", bytes(1))]),
        ]
        for lengths, calls in cases:
            one, other = self.pair("CCM", nonce=bytes(12), **lengths)
            for name, *args in calls:
                found = outcome(lambda: getattr(one, name)(*args))
                wanted = outcome(lambda: getattr(other, name)(*args))
                with self.subTest(lengths=lengths, call=name):
                    if isinstance(wanted, type):
                        self.assertEqual(found, wanted)
            self.assertIsInstance(found, type, "the last call fails")


@unittest.skipUnless(HAVE_PYCRYPTODOME, "PyCryptodome is not installed")
class Ocb(unittest.TestCase):
    """The order of calls of OCB, against PyCryptodome's AES; results are those of the vectors."""

    @staticmethod
    def kind(result: Any) -> Any:
        """The facts that do not depend on the cipher: lengths and exceptions."""
        if isinstance(result, tuple):
            return tuple(len(part) for part in result)
        return len(result) if isinstance(result, (bytes, str)) else result

    def test_the_order_of_calls(self) -> None:
        aes = importlib.import_module("Crypto.Cipher.AES")
        for names in itertools.product(OCB_CALLS, repeat=4):
            one = Twofish.new(bytes(16), Twofish.MODE_OCB, nonce=bytes(15))
            other = aes.new(bytes(16), aes.MODE_OCB, nonce=bytes(15))
            with self.subTest(names=names):
                for name in names:
                    found = self.kind(outcome(lambda: OCB_CALLS[name](one)))
                    wanted = self.kind(outcome(lambda: OCB_CALLS[name](other)))
                    self.assertEqual(found, wanted, f"at {name}")
                    if isinstance(found, type):
                        break

    def test_bad_arguments(self) -> None:
        aes = importlib.import_module("Crypto.Cipher.AES")
        for kwargs in (
            {"nonce": b""},
            {"nonce": bytes(16)},
            {"nonce": "a string"},
            {"mac_len": 7},
            {"mac_len": 17},
            {"iv": bytes(15)},
        ):
            with self.subTest(kwargs=kwargs):
                found = outcome(lambda: Twofish.new(bytes(16), 12, **dict(kwargs)))
                wanted = outcome(lambda: aes.new(bytes(16), 12, **dict(kwargs)))
                self.assertEqual(found, wanted)
                self.assertIn(found, (TypeError, ValueError))


if __name__ == "__main__":
    unittest.main()
