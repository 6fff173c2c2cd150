// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The limits of a message before its passphrase has proved right, and the options that raise them.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type DecryptOptions,
  decrypt,
  encrypt,
  inspect,
  type OpenPgpError,
} from "manyfish/openpgp";
import { collect, isError, pattern } from "./support.js";

test("all packets count together, and what fits is tried", async () => {
  const argon2 = { passes: 1, lanes: 1, memoryKib: 32 };
  const message = await collect(encrypt("x", pattern(9), { argon2 }));
  const skesk = message.subarray(0, 90);
  const open = (phrase: string, packets: number, options: DecryptOptions) =>
    collect(decrypt(phrase, Buffer.concat([...Array(packets - 1).fill(skesk), message]), options));
  const enough = { maxMemory: 32768, maxWork: 64e-6 };
  await assert.rejects(open("y", 2, enough), isError("WrongPassphrase", "wrong passphrase"));
  assert.deepEqual(await open("x", 3, enough), pattern(9));
  for (const [packets, options, hint] of [
    [3, enough, "maxWork: 1"],
    [2, { maxMemory: 32767, maxWork: 64e-6 }, "maxMemory: 32768"],
    [3, { maxMemory: 32767, maxWork: 64e-6 }, "maxMemory: 32768, maxWork: 1"],
  ] as const) {
    await assert.rejects(open("y", packets, options), (failure: OpenPgpError) => {
      assert.equal(failure.kind, "OverLimits");
      assert.equal(failure.hint, `if you trust the sender, decrypt with ${hint}`);
      return true;
    });
  }
  assert.throws(
    () => decrypt("x", message, { maxWork: "3" as never }),
    isError("Argument", "the option maxWork must be a number, 0 or more, found 3"),
  );
  const { asksFor } = await inspect(message);
  assert.deepEqual(asksFor, { memory: 32768, work: 32e-6 });
});
