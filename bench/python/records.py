# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Records from CBC, as PHP's mcrypt left them, to OCB: many at once, and with a call for each."""

from __future__ import annotations

import contextlib
import ctypes
import ctypes.util
import io
import os
import sqlite3
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

from Crypto.Cipher import DES3 as OTHER_DES3
from manyfish import DES3, Twofish, many
from manyfish.aead import TwofishOCB

sys.path.append(str(Path(__file__).resolve().parents[2] / "python" / "examples"))
import reencrypt

N = 10_000
OLD, OLD_DES3, NEW = bytes(range(32)), bytes(range(24)), bytes(range(32, 64))
MANY, EACH = "many at once", "one call each"
PYCRYPTODOME = f"PyCryptodome {version('pycryptodome')}"
OCB = TwofishOCB(NEW)
MANY_OCB = many.Cipher("OCB", NEW)

Run = Callable[[], object]


class Records(NamedTuple):
    """IVs of a block, nonces for the new key, and ciphertext of 64 bytes or of 56."""

    ivs: list[bytes]
    nonces: list[bytes]
    ciphertexts: list[bytes]


def records(block: int) -> Records:
    sizes = (block, 12, 48 + block)
    return Records(*([os.urandom(size) for _ in range(N)] for size in sizes))


def in_c(path: str) -> Iterator[tuple[str, Run]]:
    """Both ways, in place."""
    library = ctypes.CDLL(path)
    if library.bench_key(OLD, ctypes.c_size_t(len(OLD))):
        raise RuntimeError("the C library refuses its key")
    texts, ivs = ctypes.create_string_buffer(64 * N), os.urandom(16 * N)
    for program, name in ((MANY, "many"), (EACH, "each")):
        function = getattr(library, f"bench_records_{name}")

        def run(function: Any = function) -> None:
            if function(texts, ivs, ctypes.c_size_t(N)):
                raise RuntimeError("the C library fails")

        yield program, run


def at_once(old: many.Cipher, given: Records) -> Run:
    return lambda: MANY_OCB.encrypt(given.nonces, old.decrypt(given.ivs, given.ciphertexts))


def one_by_one(open_cbc: Callable[[bytes], Any], given: Records) -> Run:
    return lambda: [
        OCB.encrypt(nonce, open_cbc(iv).decrypt(ciphertext), None)
        for iv, nonce, ciphertext in zip(*given)
    ]


def compared(*programs: tuple[str, Run]) -> list[tuple[str, Run]]:
    """The programs, if all of them make the same."""
    made = [run() for _, run in programs]
    if made != made[:1] * len(made):
        raise RuntimeError("the programs do not make the same records")
    return [*programs]


def twofish() -> list[tuple[str, Run]]:
    given = records(16)
    each = one_by_one(lambda iv: Twofish.new(OLD, Twofish.MODE_CBC, iv=iv), given)
    return compared((MANY, at_once(many.Cipher("CBC", OLD), given)), (EACH, each))


def triple_des() -> list[tuple[str, Run]]:
    given = records(8)
    each = one_by_one(lambda iv: DES3.new(OLD_DES3, DES3.MODE_CBC, iv=iv), given)
    key = OTHER_DES3.adjust_key_parity(OLD_DES3)
    other = one_by_one(lambda iv: OTHER_DES3.new(key, OTHER_DES3.MODE_CBC, iv=iv), given)
    return compared(
        (MANY, at_once(many.Cipher("CBC", OLD_DES3, cipher="DES3"), given)),
        (EACH, each),
        (f"{PYCRYPTODOME}'s DES3, then our OCB", other),
    )


def in_sqlite() -> Iterator[tuple[str, Run]]:
    """The example's own function, on a copy of a table in memory; the time has that copy in it."""
    given = records(16)
    source = sqlite3.connect(":memory:")
    source.execute("CREATE TABLE records (id INTEGER PRIMARY KEY, data BLOB)")
    rows = ((iv + ciphertext,) for iv, ciphertext in zip(given.ivs, given.ciphertexts))
    source.executemany("INSERT INTO records (data) VALUES (?)", rows)
    source.commit()
    old = many.Cipher("CBC", OLD)

    def run() -> None:
        copy = sqlite3.connect(":memory:")
        with contextlib.closing(copy), contextlib.redirect_stderr(io.StringIO()):
            source.backup(copy)
            reencrypt.reencrypt(copy, old, 16, MANY_OCB, is_base64=False)

    yield MANY, run


def mcrypt() -> list[tuple[str, Run]]:
    """Decryption alone: with a key for each record, as PHP gave it, and with one key."""
    name = ctypes.util.find_library("mcrypt")
    if name is None:
        print("skipped: libmcrypt, which is not installed", file=sys.stderr)
        return []
    library = ctypes.CDLL(name)
    library.mcrypt_module_open.restype = ctypes.c_void_p
    given = records(16)
    module = ctypes.c_void_p(library.mcrypt_module_open(b"twofish", None, b"cbc", None))

    one_key = ctypes.c_void_p(library.mcrypt_module_open(b"twofish", None, b"cbc", None))
    library.mcrypt_generic_init(one_key, OLD, len(OLD), bytes(16))

    def decrypted(module: ctypes.c_void_p, ciphertext: bytes) -> bytes:
        text = ctypes.create_string_buffer(ciphertext, len(ciphertext))
        library.mdecrypt_generic(module, text, len(text))
        return text.raw

    def by_a_key(iv: bytes, ciphertext: bytes) -> bytes:
        library.mcrypt_generic_init(module, OLD, len(OLD), iv)
        text = decrypted(module, ciphertext)
        library.mcrypt_generic_deinit(module)
        return text

    def by_one_key(iv: bytes, ciphertext: bytes) -> bytes:
        library.mcrypt_enc_set_state(one_key, iv, len(iv))
        return decrypted(one_key, ciphertext)

    def each(decrypt: Callable[[bytes, bytes], bytes]) -> Run:
        return lambda: [*map(decrypt, given.ivs, given.ciphertexts)]

    ours = many.Cipher("CBC", OLD)
    _, *theirs = compared(
        ("", lambda: ours.decrypt(given.ivs, given.ciphertexts)),
        ("libmcrypt decrypts, a key for each", each(by_a_key)),
        ("libmcrypt decrypts, one key", each(by_one_key)),
    )
    return theirs


def of_all(library: str) -> Iterator[tuple[str, list[tuple[str, Run]]]]:
    """Each operation on N records, with its programs."""
    yield "Twofish, in C", [*in_c(library)]
    yield "Twofish, in Python", twofish() + mcrypt()
    yield "Twofish, in Python, with SQLite", [*in_sqlite()]
    yield "Triple-DES, in Python", triple_des()
