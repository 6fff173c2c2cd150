// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The command opens messages of this package, and the other way round.

import assert from "node:assert/strict";
import { test } from "node:test";
import { decrypt, encrypt } from "manyfish/openpgp";
import { collect, inPieces, manyfish, PASSPHRASE, pattern, QUICK, skip } from "./support.js";

if (skip) console.log(skip);

test("the command opens what is written here", { skip }, async () => {
  for (const size of [0, 185, 70_000, 1_048_564]) {
    for (const chunkBytes of [64, 65_536, 1 << 20]) {
      const file = pattern(size);
      const armor = size < 100_000 && chunkBytes === 64;
      for (const input of [file, inPieces(file, 50_000)]) {
        const options = { chunkBytes, armor, argon2: QUICK };
        const message = await collect(encrypt(PASSPHRASE, input, options));
        assert.deepEqual(manyfish(["decrypt"], message), file, `${size} in ${chunkBytes}`);
      }
    }
  }
});

test("the command opens what is written with the defaults", { skip }, async () => {
  const message = await collect(encrypt(PASSPHRASE, pattern(3000)));
  assert.deepEqual(manyfish(["decrypt"], message), pattern(3000));
});

test("the command opens the older form", { skip }, async () => {
  for (const size of [0, 191, 200_000]) {
    for (const input of [pattern(size), inPieces(pattern(size), 50_000)]) {
      const armor = size === 191;
      const message = await collect(encrypt(PASSPHRASE, input, { format: "rfc4880", armor }));
      assert.deepEqual(manyfish(["decrypt"], message), pattern(size), String(size));
      const settings = ["encrypt", "--format", "rfc4880", ...(armor ? ["--armor"] : [])];
      const theirs = manyfish(settings, pattern(size));
      if (input instanceof Uint8Array) assert.equal(message.length, theirs.length);
    }
  }
});

test("what the command writes opens here", { skip }, async () => {
  const settings = [
    [],
    ["--armor"],
    ["--chunk", "64"],
    ["--chunk", "4M"],
    ["--format", "rfc4880"],
    ["--format", "rfc4880", "--armor"],
  ];
  for (const setting of settings) {
    for (const size of [0, 1_300_000]) {
      const message = manyfish(["encrypt", ...setting], pattern(size));
      const output = await collect(decrypt(PASSPHRASE, message));
      assert.deepEqual(output, pattern(size), `${setting.join(" ")} ${size}`);
    }
  }
});
