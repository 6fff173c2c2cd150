// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// How the streams behave: backpressure, cancelling, failing inputs, and arguments out of range.

import assert from "node:assert/strict";
import { test } from "node:test";
import { decrypt, encrypt, type Input, inspect } from "manyfish/openpgp";
import { collect, inPieces, isError, PASSPHRASE, pattern, QUICK } from "./support.js";

const PIECE = 65_536;
const never = () => new Promise<never>(() => undefined);
const written = (file: Input, more = {}) => encrypt(PASSPHRASE, file, { argon2: QUICK, ...more });

/** Endless pieces, counted. */
function endless() {
  const given = { octets: 0, returned: false };
  async function* pieces() {
    try {
      for (;;) {
        given.octets += PIECE;
        yield new Uint8Array(PIECE);
      }
    } finally {
      given.returned = true;
    }
  }
  return { given, pieces: pieces() };
}

test("nothing is read before the stream is read", async () => {
  const { given, pieces } = endless();
  const stream = written(pieces);
  await new Promise((done) => setTimeout(done, 20));
  assert.equal(given.octets, 0);
  await stream.cancel();
});

test("no more is read than is asked for", async () => {
  const { given, pieces } = endless();
  const reader = written(pieces, { chunkBytes: PIECE }).getReader();
  let octets = 0;
  for (let i = 0; i < 50; i += 1) octets += (await reader.read()).value?.length ?? 0;
  // A batch of chunks, a part of a packet, and a piece.
  assert.ok(
    given.octets - octets <= 4 * PIECE + 3 * PIECE,
    `${given.octets - octets} octets ahead`,
  );
  await reader.cancel();
  assert.ok(given.returned, "the input is let go");
});

test("256 MiB go through little memory", async () => {
  let [read, most] = [0, 0];
  const { pieces } = endless();
  const before = process.memoryUsage().arrayBuffers;
  for await (const piece of written(pieces, { chunkBytes: PIECE })) {
    read += piece.length;
    most = Math.max(most, process.memoryUsage().arrayBuffers - before);
    if (read > 256 << 20) break;
  }
  // Most of it waits for the garbage collector.
  assert.ok(most < 96 << 20, `${most} octets`);
});

test("a signal cancels before, between, and in the middle of a read", async () => {
  const early = AbortSignal.abort();
  await assert.rejects(
    collect(written(pattern(9), { signal: early })),
    isError("Cancelled", "cancelled"),
  );
  await assert.rejects(inspect(pattern(9), { signal: early }), isError("Cancelled"));

  const between = new AbortController();
  const message = await collect(written(pattern(300_000), { chunkBytes: 64 }));
  const reader = decrypt(PASSPHRASE, message, { signal: between.signal }).getReader();
  await reader.read();
  between.abort();
  await assert.rejects(reader.read(), isError("Cancelled"));

  const middle = new AbortController();
  const stuck = (async function* () {
    yield pattern(9);
    await never();
  })();
  setTimeout(() => middle.abort(), 10);
  await assert.rejects(collect(written(stuck, { signal: middle.signal })), isError("Cancelled"));
});

test("a signal lets the input go also while nobody reads", async () => {
  const { given, pieces } = endless();
  const control = new AbortController();
  const reader = written(pieces, { signal: control.signal, chunkBytes: PIECE }).getReader();
  while (given.octets === 0) await reader.read();
  control.abort();
  await new Promise((done) => setTimeout(done, 20));
  assert.ok(given.returned);
  await assert.rejects(reader.read(), isError("Cancelled"));
});

test("cancelling ends a read that waits, and lets the input go", async () => {
  let cancelled = 0;
  let pulled: () => void = () => undefined;
  const isPulled = new Promise<void>((done) => {
    pulled = done;
  });
  const input = () =>
    new ReadableStream<Uint8Array>(
      {
        pull: () => {
          pulled();
          return never();
        },
        cancel: () => {
          cancelled += 1;
        },
      },
      { highWaterMark: 0 },
    );
  await written(input()).cancel();
  assert.equal(cancelled, 1, "before it was read");
  const reader = decrypt(PASSPHRASE, input()).getReader();
  const read = reader.read();
  await isPulled;
  await reader.cancel();
  assert.equal((await read).done, true);
  assert.equal(cancelled, 2, "and while it was");
});

test("what the input fails with is what the stream fails with", async () => {
  const reason = new RangeError("of the caller");
  const broken = () =>
    (async function* () {
      yield pattern(9);
      throw reason;
    })();
  await assert.rejects(collect(written(broken())), reason);
  await assert.rejects(collect(decrypt(PASSPHRASE, broken())), reason);
  await assert.rejects(inspect(new ReadableStream({ start: (c) => c.error(reason) })), reason);
});

test("an input must have the length that is stated", async () => {
  const sentence = "the input changed while it was being read";
  for (const length of [0, 99, 101, 5_000_000, 5_000_000_000]) {
    const stream = written(inPieces(pattern(100), 33), { length });
    await assert.rejects(collect(stream), isError("InputChanged", sentence));
  }
});

test("progress counts the octets that were read", async () => {
  const seen: [number, boolean][] = [];
  const onProgress = (octets: number, again: boolean) => seen.push([octets, again]);
  const message = await collect(written(inPieces(pattern(100), 40), { onProgress }));
  assert.deepEqual(seen, [
    [40, false],
    [80, false],
    [100, false],
  ]);
  seen.length = 0;
  await collect(decrypt(PASSPHRASE, message, { onProgress }));
  assert.deepEqual(seen, [[message.length, false]]);
});

test("the end reports the opened file", async () => {
  const message = await collect(written(pattern(100)));
  let told: unknown;
  const onOpened = (opened: unknown) => {
    told = opened;
  };
  await collect(decrypt(PASSPHRASE, message, { onOpened }));
  assert.deepEqual(told, { bytes: 100, signed: false });
  told = undefined;
  const altered = Uint8Array.of(...message.subarray(0, -1), (message.at(-1) as number) ^ 1);
  await assert.rejects(collect(decrypt(PASSPHRASE, altered, { onOpened })), isError("AlteredEnd"));
  assert.equal(told, undefined);
});

test("arguments out of range are refused at once", () => {
  const file = pattern(9);
  const refused = (work: () => unknown, message: string | RegExp) =>
    assert.throws(work, { name: "OpenPgpError", code: "argument", message });
  refused(() => encrypt("", file), "the passphrase is empty");
  refused(() => encrypt(5 as never, file), "the passphrase must be a string or a Uint8Array");
  for (const input of [null, 5, "text", [1, 2], {}]) {
    const message = "the input must be a Uint8Array, a Blob or a stream of Uint8Arrays";
    refused(() => encrypt("x", input as never), message);
    refused(() => decrypt("x", input as never), message);
  }
  for (const chunkBytes of [0, 32, 96, 8 << 20, Number.NaN, -64, 64.5]) {
    const message = `chunkBytes must be a power of two from 64 to 4194304, found ${chunkBytes}`;
    refused(() => encrypt("x", file, { chunkBytes }), message);
  }
  for (const argon2 of [{ passes: 256 }, { lanes: 1.5 }, { memoryKib: 1000 }, { passes: -1 }]) {
    refused(() => encrypt("x", file, { argon2 }), /^argon2 takes passes and lanes up to 255/);
  }
  for (const length of [-1, 1.5, Number.NaN, "10"]) {
    const message = `the option length must be a number of octets, found ${length}`;
    refused(() => encrypt("x", file, { length: length as number }), message);
  }
  for (const call of [encrypt, decrypt]) {
    const options = (given: unknown) => () => call("x", file, given as never);
    refused(options(null), "the options must be an object");
    refused(options({ signal: 5 }), "the option signal must be an AbortSignal");
    refused(options({ onProgress: 5 }), "the option onProgress must be a function");
  }
});

test("what onProgress throws, the stream fails with", async () => {
  const mine = new Error("of the caller");
  const onProgress = () => {
    throw mine;
  };
  const message = encrypt("x", pattern(9), { argon2: QUICK, onProgress });
  await assert.rejects(collect(message), mine);
});

test("Argon2 settings that are none are refused at once", () => {
  const refused = (argon2: object, kind: string) =>
    assert.throws(() => encrypt("x", pattern(9), { argon2 }), isError(kind));
  refused({ passes: 0 }, "Argon2");
  refused({ lanes: 0 }, "Argon2");
  refused({ lanes: 4, memoryKib: 16 }, "Argon2");
  refused({ memoryKib: 1 << 21 }, "Argon2Memory");
});

test("pieces must be octets", async () => {
  for (const [piece, found] of [
    ["text", "a string"],
    [null, "null"],
    [[1], "an object"],
  ]) {
    const input = (async function* () {
      yield piece as never;
    })();
    await assert.rejects(
      collect(written(input)),
      isError("Argument", `the input gave ${found}, expected Uint8Arrays`),
    );
  }
});
