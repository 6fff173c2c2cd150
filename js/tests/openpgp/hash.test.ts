// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// HKDF against the examples of its standard, and the sentence where memory is missing.

import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { decrypt, encrypt } from "manyfish/openpgp";
import { hkdf } from "../../dist/openpgp/hash.js";
import { collect, isError, pattern, QUICK } from "./support.js";

const hex = (text: string) => Uint8Array.from(Buffer.from(text, "hex"));
const range = (from: number, to: number) =>
  Uint8Array.from({ length: to - from }, (_, i) => from + i);

test("HKDF gives the octets of its standard [RFC5869, A]", async () => {
  const short = await hkdf(new Uint8Array(22).fill(11), range(0, 13), range(0xf0, 0xfa), 42);
  assert.deepEqual(
    short,
    hex("3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"),
  );
  const long = await hkdf(range(0, 80), range(0x60, 0xb0), range(0xb0, 0x100), 82);
  const expected =
    "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c65e590e09" +
    "da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87";
  assert.deepEqual(long, hex(expected));
  const bare = await hkdf(new Uint8Array(22).fill(11), new Uint8Array(0), new Uint8Array(0), 42);
  assert.deepEqual(
    bare,
    hex("8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"),
  );
});

test("too little memory has a sentence", async () => {
  const message = await collect(encrypt("x", pattern(9)));
  // Instances of WebAssembly may have 32 MiB from now on.
  setFlagsFromString("--wasm-max-mem-pages=512");
  const sentence = "not enough memory: Argon2 needs 64 MiB";
  await assert.rejects(collect(decrypt("x", message)), isError("OutOfMemory", sentence));
  await assert.rejects(collect(encrypt("x", pattern(9))), isError("OutOfMemory", sentence));
  assert.ok((await collect(encrypt("x", pattern(9), { argon2: QUICK }))).length > 0);
});
