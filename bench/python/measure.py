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
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import oxifish
import records
from manyfish import Twofish, decrypt_file, encrypt_file, kernels
from manyfish.aead import TwofishOCB
from manyfish.compat import pykeepass as compat
from manyfish.study import encrypt_each
from pykeepass import PyKeePass, create_database

KEY = bytes(range(32))
IV = bytes(16)
NONCE = bytes(12)
KIB, MIB = 1 << 10, 1 << 20
OURS, C = "manyfish", "C library"
OXIFISH = f"oxifish {importlib.metadata.version('oxifish')}"
PYKEEPASS = f"pykeepass {importlib.metadata.version('pykeepass')}"
KERNEL = next(kernel.name for kernel in kernels() if kernel.is_default)  # of ours, and of C
WITH_KERNEL = (OURS, C, records.MANY, records.EACH)
# Of what takes longer, fewer runs are taken than there are rounds.
SECONDS_OF_A_TASK = 10

Run = Callable[[], object]


class Task(NamedTuple):
    """The part of one program in an operation, in units (bytes, keys, ...)."""

    program: str
    units: int
    run: Run


class Operation(NamedTuple):
    """The same work for several programs; unit is what a second is asked for, or "s": the time."""

    name: str
    unit: str
    tasks: list[Task]
    kernel: str = KERNEL


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
        ],
    )
    yield Operation(
        "CBC, decrypt 1 MiB",
        "MB",
        [
            Task(C, MIB, c("cbc_decrypt")),
            Task(OURS, MIB, ours(Twofish.MODE_CBC, "decrypt", iv=IV)),
            Task(OXIFISH, len(few), lambda: other.decrypt(few, iv=IV, padding=no_padding)),
        ],
    )


def database(path: Path, n_bytes: int) -> None:
    """Write a KDBX 4 under Twofish and pykeepass's Argon2, with an attachment of random bytes."""
    made = create_database(str(path), password="secret")
    entry = made.add_entry(made.root_group, "mail", "ada", "first secret")
    entry.add_attachment(made.add_binary(os.urandom(n_bytes), compressed=False), "random")
    made.kdbx.header.value.dynamic_header.cipher_id.data = "twofish"
    made.save()


def open_database(path: Path, of_ours: bool) -> Run:
    def run() -> None:
        (compat.install if of_ours else compat.uninstall)()
        if not PyKeePass(str(path), password="secret").attachments:
            raise RuntimeError("the database came out wrong")

    return run


def databases(large: bool) -> Iterator[Operation]:
    """From the password to the entries: Argon2, the cipher, and reading the XML."""
    sizes = {"11 KB": 10_000, "300 KB": 300_000}
    if large:
        sizes |= {"1 MiB": MIB, "4 MiB": 4 * MIB}
    with tempfile.TemporaryDirectory() as folder:
        for name, n_bytes in sizes.items():
            path = Path(folder) / "database.kdbx"
            compat.install()
            database(path, n_bytes)
            tasks = [
                Task(OURS, 1, open_database(path, of_ours=True)),
                Task(PYKEEPASS, 1, open_database(path, of_ours=False)),
            ]
            yield Operation(f"pykeepass opens a database of {name}, Argon2 included", "s", tasks)


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


def tables_of_records(library: str) -> Iterator[Operation]:
    for name, programs in records.of_all(library):
        tasks = [Task(program, records.N, run) for program, run in programs]
        kernel = "" if "DES" in name else KERNEL  # there are two
        yield Operation(f"records from CBC to OCB: {name}", "records", tasks, kernel)


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


def least_seconds(tasks: list[Task], rounds: int) -> list[float]:
    """Calls of about a millisecond or more, in turn."""
    least = [seconds(task.run, 1) for task in tasks]
    repeats = [max(1, int(1e-3 / time_of_one)) for time_of_one in least]
    enough = [SECONDS_OF_A_TASK / time_of_one for time_of_one in least]
    for done in range(rounds):
        for number, task in enumerate(tasks):
            if done < enough[number]:
                least[number] = min(least[number], seconds(task.run, repeats[number]))
    return least


def measured(operation: Operation, rounds: int) -> Iterator[dict[str, Any]]:
    scale = 1e6 if operation.unit == "MB" else 1
    times = least_seconds(operation.tasks, rounds)
    for task, time_of_one in zip(operation.tasks, times):
        rate = round(task.units / time_of_one / scale, 3)
        yield {
            "operation": operation.name,
            "program": task.program,
            "kernel": operation.kernel if task.program in WITH_KERNEL else "",
            "unit": "s" if operation.unit == "s" else f"{operation.unit}/s",
            "value": round(time_of_one, 3) if operation.unit == "s" else rate,
        }


def main() -> int:
    library, rounds = sys.argv[1], int(sys.argv[2])
    rows: list[dict[str, Any]] = []
    of_packages = (ocb(library), threads(), modes(library), keys(), tables_of_records(library))
    for operations in (*of_packages, files(), databases(large=rounds > 1)):
        for operation in operations:
            rows += measured(operation, rounds)
    python = f"{sys.implementation.name} {sys.version.split()[0]}"
    json.dump({"python": python, "rows": rows}, sys.stdout, indent=1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
