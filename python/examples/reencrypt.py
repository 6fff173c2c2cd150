#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Move a table of records from CBC, as PHP's mcrypt wrote them, to OCB.

The SQLite table `records` has the columns `id`, a whole number, and `data`: the IV, then the
ciphertext in CBC, whose last block is filled with zeros. Each record goes to a new column,
`sealed`: a random nonce of 12 bytes, then the ciphertext in OCB with its tag, which also covers
the id (8 bytes, big-endian). `data` stays until you drop it.

Each batch is a transaction. Interrupt the program when you like; the next run goes on with the
records that have nothing in `sealed`. It names the ids of records that are no CBC, and leaves
them. CBC does not notice a wrong key: open some records before you drop `data`.
"""

from __future__ import annotations

import argparse
import base64
import os
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path

from manyfish import many

BATCH = 8192
NONCE_BYTES = 12
# The names that mcrypt has for the ciphers: ours, and the bytes of a block.
CIPHERS = {"twofish": ("Twofish", 16), "tripledes": ("DES3", 8), "des": ("DES", 8)}
NEXT = """SELECT id, data FROM records WHERE id > ? AND data IS NOT NULL AND sealed IS NULL
    ORDER BY id LIMIT ?"""


def batches(db: sqlite3.Connection) -> Iterator[list[tuple[int, bytes]]]:
    """The records that have yet to be sealed."""
    last = -(1 << 63)
    while rows := db.execute(NEXT, (last, BATCH)).fetchall():
        yield rows
        last = rows[-1][0]


def decoded(data: bytes) -> bytes:
    """Base64; of what is none, no bytes, which are no CBC either."""
    try:
        return base64.b64decode(data)
    except ValueError:
        return b""


def open_old(old: many.Cipher, block: int, records: list[bytes]) -> list[bytes | None]:
    """The texts; None for what is no CBC."""
    try:
        texts: list[bytes | None] = [
            *old.decrypt([r[:block] for r in records], [r[block:] for r in records])
        ]
    except many.ManyError as error:
        texts = error.results  # type: ignore[assignment]
    return [None if text is None else text.rstrip(b"\0") for text in texts]


def seal(new: many.Cipher, ids: list[int], texts: list[bytes]) -> list[bytes]:
    """The contents of the column `sealed`."""
    nonces = [os.urandom(NONCE_BYTES) for _ in texts]
    aad = [number.to_bytes(8, "big", signed=True) for number in ids]
    return [nonce + c for nonce, c in zip(nonces, new.encrypt(nonces, texts, aad))]


def reencrypt(
    db: sqlite3.Connection, old: many.Cipher, block: int, new: many.Cipher, is_base64: bool
) -> list[int]:
    """Seal all records that are not; return the ids of those that are no CBC."""
    if "sealed" not in [column[1] for column in db.execute("PRAGMA table_info(records)")]:
        db.execute("ALTER TABLE records ADD COLUMN sealed BLOB")
    (total,) = db.execute("SELECT count(*) FROM records WHERE sealed IS NULL").fetchone()
    wrong, done = list[int](), 0
    for rows in batches(db):
        records = [decoded(data) if is_base64 else data for _, data in rows]
        opened = list(zip([row[0] for row in rows], open_old(old, block, records)))
        good = [(number, text) for number, text in opened if text is not None]
        wrong += [number for number, text in opened if text is None]
        ids = [number for number, _ in good]
        with db:
            sealed = zip(seal(new, ids, [text for _, text in good]), ids)
            db.executemany("UPDATE records SET sealed = ? WHERE id = ?", sealed)
        done += len(rows)
        print(f"\r{done:,} of {total:,} records", end="", file=sys.stderr)
    print(file=sys.stderr)
    return wrong


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("database", type=Path)
    parser.add_argument("old_key", type=Path, help="a file with the key of CBC")
    parser.add_argument("new_key", type=Path, help="a file with 32 random bytes")
    parser.add_argument("--cipher", choices=CIPHERS, default="twofish", help="as mcrypt names it")
    parser.add_argument("--base64", action="store_true", help="data is in Base64")
    given = parser.parse_args()
    name, block = CIPHERS[given.cipher]
    old = many.Cipher("CBC", given.old_key.read_bytes(), cipher=name)  # type: ignore[arg-type]
    new = many.Cipher("OCB", given.new_key.read_bytes())
    with sqlite3.connect(given.database) as db:
        if wrong := reencrypt(db, old, block, new, given.base64):
            sys.exit(f"these records are no CBC: {', '.join(map(str, wrong))}")


if __name__ == "__main__":
    main()
