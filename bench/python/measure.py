# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Measures the Python package beside the C library and other packages; prints JSON.

scripts/bench-python runs it inside a virtual environment that has all of them. Everybody takes
turns; of each the least time counts, since other programs can only make a run slower.
"""

from __future__ import annotations

import ctypes
import importlib.metadata
import json
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import construct
import oxifish
from manyfish import Twofish, decrypt_file, encrypt_file
from manyfish.aead import TwofishOCB
from manyfish.compat import pykeepass as compat
from manyfish.study import encrypt_each
from pykeepass.kdbx_parsing import common

KEY = bytes(range(32))
IV = bytes(16)
NONCE = bytes(12)
KIB, MIB = 1 << 10, 1 << 20
OURS, C = "manyfish", "C library"
OXIFISH = f"oxifish {importlib.metadata.version('oxifish')}"
PYKEEPASS = f"pykeepass {importlib.metadata.version('pykeepass')}"

Run = Callable[[], object]


class Task(NamedTuple):
    """What one program does for an operation, in how many units (bytes, keys, ...)."""

    program: str
    units: int
    run: Run


class Operation(NamedTuple):
    """The same work for several programs; unit is what a second is asked for."""

    name: str
    unit: str
    tasks: list[Task]


def c_library(path: str, n_bytes: int) -> Callable[[str], Run]:
    """Calls of the C library on memory that is there already."""
    library = ctypes.CDLL(path)
    source, out = ctypes.create_string_buffer(n_bytes), ctypes.create_string_buffer(n_bytes + 16)
    if library.bench_key(KEY, ctypes.c_size_t(len(KEY))):
        raise RuntimeError("the C library refuses its key")

    def call(name: str) -> Run:
        function, length = getattr(library, f"bench_{name}"), ctypes.c_size_t(n_bytes)
        if function(out, source, length):
            raise RuntimeError(f"{name} of the C library fails")
        return lambda: function(out, source, length)

    return call


def ocb(library: str) -> Iterator[Operation]:
    cipher = TwofishOCB(KEY)

    def ours(data: bytes) -> Run:
        return lambda: cipher.encrypt(NONCE, data, None)

    for n_bytes, name in ((16 * KIB, "16 KiB"), (MIB, "1 MiB")):
        yield Operation(
            f"OCB, encrypt {name}",
            "MB",
            [
                Task(C, n_bytes, c_library(library, n_bytes)("ocb")),
                Task(OURS, n_bytes, ours(bytes(n_bytes))),
            ],
        )


def in_threads(n_threads: int, work: Run) -> Run:
    def run() -> None:
        threads = [threading.Thread(target=work) for _ in range(n_threads)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    return run


def threads() -> Iterator[Operation]:
    """Each thread has its own cipher, as messages have their own threads."""
    data = bytes(4 * MIB)
    for n_threads in sorted({1, 2, os.cpu_count() or 1}):

        def work() -> None:
            TwofishOCB(KEY).encrypt(NONCE, data, None)

        task = Task(OURS, n_threads * len(data), in_threads(n_threads, work))
        name = "one thread" if n_threads == 1 else f"{n_threads} threads at once"
        yield Operation(f"OCB, 4 MiB a thread, {name}", "MB", [task])


def modes(library: str) -> Iterator[Operation]:
    data = bytes(MIB)
    few = data[: 16 * KIB]  # for who is slow
    other = oxifish.TwofishKey(KEY)
    no_padding = oxifish.Padding.NONE

    def ours(mode: int, way: str, **arguments: Any) -> Run:
        new: Any = Twofish.new
        return lambda: getattr(new(KEY, mode, **arguments), way)(data)

    def pykeepass(way: str) -> Run:
        return lambda: getattr(bundled.new(KEY, bundled.MODE_CBC, IV), way)(few)

    bundled: Any = common.Twofish
    c = c_library(library, MIB)
    yield Operation(
        "CTR, 1 MiB",
        "MB",
        [
            Task(C, MIB, c("ctr")),
            Task(OURS, MIB, ours(Twofish.MODE_CTR, "encrypt", nonce=b"", initial_value=IV)),
            Task(OXIFISH, len(few), lambda: other.encrypt(few, oxifish.Mode.CTR, iv=IV)),
        ],
    )
    yield Operation(
        "CBC, encrypt 1 MiB",
        "MB",
        [
            Task(C, MIB, c("cbc_encrypt")),
            Task(OURS, MIB, ours(Twofish.MODE_CBC, "encrypt", iv=IV)),
            Task(OXIFISH, len(few), lambda: other.encrypt(few, iv=IV, padding=no_padding)),
            Task(PYKEEPASS, len(few), pykeepass("encrypt")),
        ],
    )
    yield Operation(
        "CBC, decrypt 1 MiB",
        "MB",
        [
            Task(C, MIB, c("cbc_decrypt")),
            Task(OURS, MIB, ours(Twofish.MODE_CBC, "decrypt", iv=IV)),
            Task(OXIFISH, len(few), lambda: other.decrypt(few, iv=IV, padding=no_padding)),
            Task(PYKEEPASS, len(few), pykeepass("decrypt")),
        ],
    )


def payload(n_bytes: int, cipher: Any) -> Run:
    """What pykeepass does with the payload of a database: decrypt and unpad."""
    header = construct.Container(
        value=construct.Container(
            dynamic_header=construct.Container(encryption_iv=construct.Container(data=IV))
        )
    )
    context = construct.Container(master_key=KEY, _=construct.Container(header=header))
    adapter = common.TwoFishPayload(construct.GreedyBytes)
    plaintext = bytes(n_bytes - 16) + bytes([16]) * 16
    encrypted = Twofish.new(KEY, Twofish.MODE_CBC, iv=IV).encrypt(plaintext)

    def run() -> None:
        common.Twofish = cipher
        decrypted = adapter._decode(encrypted, context, "")
        if len(decrypted) != n_bytes - 16:
            raise RuntimeError("the payload came out wrong")

    return run


def databases() -> Iterator[Operation]:
    yield Operation(
        "pykeepass decrypts the payload of a database, 4 MiB",
        "MB",
        [
            Task(OURS, 4 * MIB, payload(4 * MIB, compat.Twofish)),
            Task(PYKEEPASS, 16 * KIB, payload(16 * KIB, common.Twofish)),
        ],
    )


def keys() -> Iterator[Operation]:
    n_keys = 10_000
    some = os.urandom(32 * n_keys)
    blocks = bytes(16 * n_keys)
    few = [some[i : i + 32] for i in range(0, 32 * 100, 32)]
    block = blocks[:16]

    def theirs() -> None:
        for key in few:
            other = oxifish.TwofishKey(key).ecb_encryptor(padding=oxifish.Padding.NONE)
            other.finalize(block)

    yield Operation(
        "one block under each of many 256-bit keys",
        "keys",
        [
            Task(OURS, n_keys, lambda: encrypt_each(some, blocks, key_bytes=32)),
            Task(OXIFISH, len(few), theirs),
        ],
    )


def files() -> Iterator[Operation]:
    """With the passphrase's Argon2id, which a file of this size hardly notices."""
    n_bytes = 256 * MIB
    plain, message = "build/bench-python/plain", "build/bench-python/message"
    with open(plain, "wb") as file:  # noqa: PTH123
        file.truncate(n_bytes)
    encrypt_file(plain, message, "secret", overwrite=True)
    for name, call, source in (
        ("encrypt", encrypt_file, plain),
        ("decrypt", decrypt_file, message),
    ):

        def run(call: Any = call, source: str = source) -> None:
            with open(os.devnull, "wb") as sink:  # noqa: PTH123
                call(source, sink, "secret")

        yield Operation(f"{name}_file, 256 MiB, all cores", "MB", [Task(OURS, n_bytes, run)])
    os.unlink(plain)  # noqa: PTH108
    os.unlink(message)  # noqa: PTH108


def seconds(run: Run, repeat: int) -> float:
    start = time.perf_counter()
    for _ in range(repeat):
        run()
    return (time.perf_counter() - start) / repeat


def measured(operation: Operation, rounds: int) -> Iterator[dict[str, Any]]:
    """Calls of about a millisecond or more, in turn."""
    repeats = [max(1, int(1e-3 / seconds(task.run, 1))) for task in operation.tasks]
    least = [float("inf")] * len(operation.tasks)
    for _ in range(rounds):
        for number, (task, repeat) in enumerate(zip(operation.tasks, repeats)):
            least[number] = min(least[number], seconds(task.run, repeat))
    scale = 1e6 if operation.unit == "MB" else 1
    for task, time_of_one in zip(operation.tasks, least):
        yield {
            "operation": operation.name,
            "program": task.program,
            "unit": f"{operation.unit}/s",
            "value": round(task.units / time_of_one / scale, 3),
        }


def main() -> int:
    library, rounds = sys.argv[1], int(sys.argv[2])
    rows: list[dict[str, Any]] = []
    for operations in (ocb(library), threads(), modes(library), databases(), keys(), files()):
        for operation in operations:
            rows += measured(operation, 3 if "file" in operation.name and rounds > 3 else rounds)
    python = f"{sys.implementation.name} {sys.version.split()[0]}"
    json.dump({"python": python, "cpus": os.cpu_count(), "rows": rows}, sys.stdout, indent=1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
