// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The examples of docs/javascript.md, which are excerpts of this file.

import assert from "node:assert/strict";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdtemp, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { test } from "node:test";
import { encrypt, OpenPgpError } from "manyfish/openpgp";
import { decrypt } from "manyfish/worker";
import { pattern } from "./support.js";

async function encryptFile(from: string, to: string, passphrase: string): Promise<void> {
  const { size } = await stat(from);
  const message = encrypt(passphrase, createReadStream(from), { length: size });
  await pipeline(message, createWriteStream(to));
}

async function decryptFile(from: string, to: string, passphrase: string): Promise<void> {
  const unfinished = `${to}.unfinished`;
  try {
    const message = createReadStream(from);
    await pipeline(decrypt(passphrase, message), createWriteStream(unfinished));
    await rename(unfinished, to);
  } finally {
    await rm(unfinished, { force: true });
  }
}

async function opened(file: Blob, passphrase: string, bar: { value: number }): Promise<Blob> {
  const onProgress = (octets: number) => {
    bar.value = octets / file.size;
  };
  return new Response(decrypt(passphrase, file, { onProgress })).blob();
}

test("the examples work", async () => {
  const folder = await mkdtemp(join(tmpdir(), "manyfish-"));
  const [file, message, back] = ["file", "message", "back"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  try {
    await writeFile(file, pattern(100_000));
    await encryptFile(file, message, "correct horse");
    await assert.rejects(decryptFile(message, back, "another"), OpenPgpError);
    await decryptFile(message, back, "correct horse");
    assert.deepEqual(Uint8Array.from(await readFile(back)), pattern(100_000));
    const bar = { value: 0 };
    const blob = await opened(
      new Blob([Uint8Array.from(await readFile(message))]),
      "correct horse",
      bar,
    );
    assert.deepEqual([blob.size, bar.value], [100_000, 1]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
