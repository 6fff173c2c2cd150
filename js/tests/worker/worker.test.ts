// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The same in a worker: its streams, errors and news are those of "manyfish/openpgp".

import assert from "node:assert/strict";
import * as fs from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Worker as Thread } from "node:worker_threads";
import * as here from "manyfish/openpgp";
import { decrypt, encrypt, OpenPgpError } from "manyfish/worker";
import {
  collect,
  FIXTURES,
  inPieces,
  isError,
  messageNamed,
  PASSPHRASE,
  pattern,
  QUICK,
} from "../openpgp/support.js";

const options = { argon2: QUICK };

test("messages go there and back, whatever the input", async () => {
  const file = pattern(300_000);
  const inputs = () => [file, new Blob([file]), new Blob([file]).stream(), inPieces(file, 70_000)];
  for (const input of inputs()) {
    const message = await collect(encrypt(PASSPHRASE, input, options));
    assert.deepEqual(await collect(here.decrypt(PASSPHRASE, message)), file);
    assert.deepEqual(await collect(decrypt(PASSPHRASE, message)), file);
  }
  assert.deepEqual(file, pattern(300_000), "the input is only copied");
});

test("a Blob that is a file goes there", async (t) => {
  const { openAsBlob } = fs as { openAsBlob?: (path: string) => Promise<Blob> };
  if (!openAsBlob) return t.skip("Node before 19.8 has no such Blob");
  const path = join(FIXTURES, "gnupg-signed-short.pgp");
  const message = await collect(encrypt(PASSPHRASE, await openAsBlob(path), options));
  const file = await collect(here.decrypt(PASSPHRASE, message));
  assert.deepEqual(Buffer.from(file), fs.readFileSync(path));
});

test("the worker reports progress and the opened file", async () => {
  const message = await collect(encrypt(PASSPHRASE, pattern(100_000), options));
  const seen: unknown[] = [];
  const onProgress = (octets: number) => seen.push(octets);
  const onOpened = (opened: unknown) => seen.push(opened);
  await collect(decrypt(PASSPHRASE, message, { onProgress, onOpened }));
  assert.deepEqual(seen, [message.length, { bytes: 100_000, signed: false }]);
});

test("what a listener throws, the stream fails with", async () => {
  const mine = new Error("of the caller");
  const listener = () => {
    throw mine;
  };
  const file = pattern(300_000);
  await assert.rejects(
    collect(encrypt(PASSPHRASE, file, { ...options, onProgress: listener })),
    mine,
  );
  const message = await collect(encrypt(PASSPHRASE, file, options));
  await assert.rejects(collect(decrypt(PASSPHRASE, message, { onOpened: listener })), mine);
  assert.throws(() => encrypt(PASSPHRASE, file, null as never), isError("Argument"));
});

test("the older form is read twice, wherever it can be", async () => {
  const message = messageNamed("accept-mdc");
  for (const input of [message, new Blob([message])]) {
    const again: boolean[] = [];
    const onProgress = (_: number, isSecond: boolean) => again.push(isSecond);
    assert.deepEqual(await collect(decrypt(PASSPHRASE, input, { onProgress })), pattern(300));
    assert.ok(again.includes(true));
  }
  const signed = fs.readFileSync(join(FIXTURES, "gnupg-signed-short.pgp"));
  const phrase = fs.readFileSync(join(FIXTURES, "passphrase"), "utf8").trimEnd();
  let isSigned = false;
  await collect(
    decrypt(phrase, inPieces(signed, 9), { onOpened: (opened) => (isSigned = opened.signed) }),
  );
  assert.ok(isSigned);
});

test("errors arrive as what they were", async () => {
  const message = await collect(encrypt(PASSPHRASE, pattern(200), { ...options, chunkBytes: 64 }));
  const wrong = await collect(decrypt("another", message)).catch((failure) => failure);
  isError("WrongPassphrase", "wrong passphrase")(wrong);
  assert.deepEqual([wrong.code, wrong.name], ["passphrase", "OpenPgpError"]);
  assert.equal(wrong.hint, "if the passphrase is right, the beginning of the message was altered");
  await assert.rejects(
    collect(decrypt(PASSPHRASE, message.subarray(0, 260))),
    isError("Truncated"),
  );
  await assert.rejects(collect(encrypt("x", pattern(9), { chunkBytes: 65 })), isError("Argument"));
  assert.throws(() => encrypt("", pattern(9)), isError("Argument"));
  const reason = new RangeError("of the caller");
  const broken = (async function* () {
    yield pattern(9);
    throw reason;
  })();
  await assert.rejects(collect(encrypt("x", broken, options)), reason);
});

/** Endless pieces. */
async function* endless(): AsyncGenerator<Uint8Array> {
  for (;;) yield new Uint8Array(100_000);
}

/** Threads, and the option `worker` that starts each of them. */
function watched(): [Thread[], () => Worker] {
  const threads: Thread[] = [];
  const worker = () => {
    const thread = new Thread(new URL(import.meta.resolve("manyfish/worker-thread")));
    threads.push(thread);
    return thread as unknown as Worker;
  };
  return [threads, worker];
}

test("a signal ends the worker, whatever it does", { timeout: 60_000 }, async () => {
  const [threads, worker] = watched();
  const control = new AbortController();
  const stuck = (async function* () {
    yield pattern(9);
    setTimeout(() => control.abort(), 10);
    await new Promise(() => undefined);
  })();
  const stream = encrypt("x", stuck, { ...options, worker, signal: control.signal });
  await assert.rejects(collect(stream), isError("Cancelled", "cancelled"));
  const reader = encrypt("x", endless(), { ...options, worker }).getReader();
  await reader.read();
  await reader.cancel();
  const idle = new AbortController();
  const unread = encrypt("x", endless(), { ...options, worker, signal: idle.signal }).getReader();
  await unread.read();
  idle.abort();
  assert.equal(threads.length, 3);
  for (const thread of threads) {
    const ended = new Promise((done) => thread.once("exit", done));
    assert.ok(thread.threadId === -1 || (await ended) === 1, "it has ended");
  }
  await assert.rejects(unread.read(), isError("Cancelled"));
});

test("a thread that ends between two readings ends the stream", { timeout: 60_000 }, async () => {
  const [threads, worker] = watched();
  const reader = encrypt("x", endless(), { ...options, worker }).getReader();
  await reader.read();
  threads[0]?.emit("error", new Error("no more memory"));
  await assert.rejects(
    reader.read(),
    isError("NoWorker", "the worker does not run: no more memory"),
  );
});

test("no more is read than is asked for", async () => {
  let given = 0;
  const counted = (async function* () {
    for await (const piece of endless()) {
      given += piece.length;
      yield piece;
    }
  })();
  const reader = encrypt("x", counted, options).getReader();
  for (let i = 0; i < 3; i += 1) await reader.read();
  let before = 0;
  for (let seconds = 0; given !== before && seconds < 60; seconds += 1) {
    before = given;
    await new Promise((done) => setTimeout(done, 1000));
  }
  assert.equal(given, before, "it waits");
  assert.ok(given < 6 << 20, `${given} octets`);
  await reader.cancel();
});

test("a worker that does not start has a sentence", async () => {
  const worker = () => new Thread(new URL("file:///no/such/file.js")) as unknown as Worker;
  const failure = await collect(encrypt("x", pattern(9), { worker })).catch((caught) => caught);
  assert.ok(failure instanceof OpenPgpError && failure.code === "worker");
  assert.match(failure.message, /^the worker does not run: /);
});
