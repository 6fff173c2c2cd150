// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The older form, and what is compressed: read twice, and no more than fits.

import assert from "node:assert/strict";
import { test } from "node:test";
import { zlibSync } from "fflate";
import { decrypt, encrypt } from "manyfish/openpgp";
import { expand } from "../../dist/openpgp/compressed.js";
import { Reader } from "../../dist/openpgp/reader.js";
import { collect, inPieces, isError, messageNamed, PASSPHRASE, pattern } from "./support.js";

const message = messageNamed("accept-mdc");

test("a Blob is read twice, a stream once", async () => {
  for (const [input, expected] of [
    [new Blob([message]), [false, true]],
    [inPieces(message, 100_000), [false]],
  ] as const) {
    const seen = new Set<boolean>();
    const onProgress = (_: number, isSecond: boolean) => seen.add(isSecond);
    assert.deepEqual(await collect(decrypt(PASSPHRASE, input, { onProgress })), pattern(300));
    assert.deepEqual([...seen], expected);
  }
});

test("an input that is another the second time gives nothing away", async () => {
  for (const at of [20, 120, message.length - 30]) {
    let readings = 0;
    const blob = {
      size: message.length,
      stream: () => {
        const octets = Uint8Array.from(message);
        if (readings++ > 0) octets[at] = (octets[at] as number) ^ 1;
        return inPieces(octets, 50);
      },
    };
    const output: Uint8Array[] = [];
    const read = async () => {
      for await (const piece of decrypt(PASSPHRASE, blob)) output.push(piece);
    };
    await assert.rejects(read(), isError("InputChanged"), `octet ${at}`);
    assert.deepEqual([readings, output], [2, []]);
  }
});

test("a stream that is too long to be kept is refused", async () => {
  const endless = async function* () {
    yield message.subarray(0, 15);
    yield Uint8Array.of(0xd2, 0xff, 0x7f, 0xff, 0xff, 0xff);
    yield message.subarray(18, 37);
    for (;;) yield new Uint8Array(1 << 20);
  };
  assert.equal(message[15], 0xd2, "the encrypted packet stands there, with two octets of length");
  const sentence =
    "the message is in the older form, which is read twice, and its stream has more than 64 MiB";
  await assert.rejects(collect(decrypt(PASSPHRASE, endless())), isError("SpoolFull", sentence));
});

/** A body of a compressed packet, by its algorithm. */
const expanded = (algorithm: number, data: Uint8Array, free?: number) =>
  collect(expand(new Reader(inPieces(Uint8Array.of(algorithm, ...data), 1000)), free));

test("zeros without end are refused, text is not", async () => {
  const zeros = zlibSync(new Uint8Array(1 << 20));
  const sentence = "the message expands to more than 100 times its size";
  await assert.rejects(expanded(2, zeros, 4096), isError("Bomb", sentence));
  assert.equal((await expanded(2, zeros)).length, 1 << 20);
  assert.deepEqual(await expanded(2, zlibSync(pattern(5000)), 0), pattern(5000));
  assert.deepEqual(await expanded(0, pattern(5000), 0), pattern(5000));
});

test("what follows the end of compressed data is passed over", async () => {
  const data = Uint8Array.of(...zlibSync(pattern(5000)), 1, 2, 3);
  assert.deepEqual(await expanded(2, data), pattern(5000));
});

test("it is written without chunks and Argon2", () => {
  for (const options of [{ chunkBytes: 64 }, { argon2: {} }]) {
    const sentence = "messages of RFC 4880 have neither chunks nor Argon2";
    const written = () => encrypt(PASSPHRASE, message, { format: "rfc4880", ...options });
    assert.throws(written, isError("Argument", sentence));
  }
  const other = () => encrypt(PASSPHRASE, message, { format: "zip" as "rfc4880" });
  const sentence = 'the option format takes "rfc9580" or "rfc4880", found "zip"';
  assert.throws(other, isError("Argument", sentence));
});
