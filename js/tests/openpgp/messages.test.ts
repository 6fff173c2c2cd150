// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The messages that the reader in Rust is tested with: each opens, or is refused with the same sentence,
// and nothing comes out that was not in the file.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { decrypt, inspect, type OpenPgpError } from "manyfish/openpgp";
import {
  collect,
  collectToError,
  FIXTURES,
  isError,
  MESSAGES,
  PASSPHRASE,
  pattern,
  refusal,
  skip,
  startsWith,
} from "./support.js";

/** Where this package stops before the command does. */
const BZIP2 = "the message is compressed with BZip2 (3), which this package cannot expand";
const HERE: Record<string, string> = {
  "accept-bzip2": BZIP2,
  "accept-mdc-bzip2": BZIP2,
};

for (const { name, result, message } of MESSAGES) {
  const expected = HERE[name] ?? result;
  test(`${name}: ${expected}`, async () => {
    for (const input of [message, new Blob([message]).stream()]) {
      const { output, failure } = await collectToError(decrypt(PASSPHRASE, input));
      if (/^[0-9]+$/.test(expected)) {
        assert.equal(failure, undefined);
        assert.deepEqual(output, pattern(Number(expected)));
      } else {
        assert.equal((failure as Error).message, expected);
        assert.ok(output.length <= 1 || startsWith(pattern(1000), output));
      }
    }
  });
}

test("sentences and hints are those of the command", { skip }, async () => {
  for (const { name, result, message } of MESSAGES) {
    if (/^[0-9]+$/.test(result) || name in HERE) continue;
    const failure = await collect(decrypt(PASSPHRASE, message)).catch((caught) => caught);
    const { message: error, hint } = failure as OpenPgpError;
    const command = refusal(message);
    // The options have other names in the command.
    const named = /--max-memory|--max-work/.test(command.hint ?? "");
    assert.deepEqual({ error, hint }, named ? { ...command, hint } : command, name);
  }
});

test("inspect takes every message and its truncations", async () => {
  for (const { name, message } of MESSAGES) {
    for (let end = message.length; end >= 0 && end > message.length - 200; end -= 3) {
      const report = await inspect(message.subarray(0, end)).catch(() => undefined);
      if (!report) continue;
      const bodies = report.packets.reduce((sum, packet) => sum + packet.bodyBytes, 0);
      assert.ok(bodies <= report.bytes && report.bytes <= end, `${name} cut at ${end}`);
    }
  }
});

const phrase = readFileSync(join(FIXTURES, "passphrase"), "utf8").trimEnd();
const fixtures = readdirSync(FIXTURES).filter((name) => name.endsWith(".pgp"));

assert.ok(fixtures.length >= 30, "the fixtures are there");

for (const name of fixtures) {
  const message = readFileSync(join(FIXTURES, name));

  test(`what another program wrote: ${name}`, async () => {
    const inside = readFileSync(join(FIXTURES, name.includes("-long") ? "long.bin" : "short.bin"));
    for (const input of [message, new Blob([message]).stream()]) {
      let signed: boolean | undefined;
      const onOpened = (opened: { signed: boolean }) => (signed = opened.signed);
      const output = collect(decrypt(phrase, input, { onOpened }));
      if (name.includes("-legacy-")) {
        // The command opens these by an option; this package does not.
        await assert.rejects(output, isError(name.includes("mdc") ? "OldestForm" : "LegacyHash"));
        continue;
      }
      if (name.includes("-bzip2-")) {
        await assert.rejects(output, isError("Bzip2", BZIP2));
        continue;
      }
      assert.deepEqual(await output, Uint8Array.from(inside));
      assert.equal(signed, name.includes("signed"));
    }
  });
}

// Armored ones may have marks at their end that mean nothing; another's passphrase may be anything.
const counted = fixtures.filter(
  (name) => !/-armor-|-two-passphrases-|-bzip2-|-zlib-|-zip-|-legacy-/.test(name),
);

test("no message of another program opens altered, cut, or under another passphrase", async () => {
  for (const name of counted) {
    const message = readFileSync(join(FIXTURES, name));
    for (let at = message.length - 1; at >= 0; at -= 1 + Math.floor(message.length / 2)) {
      const altered = Uint8Array.from(message);
      altered[at] = (altered[at] as number) ^ 0x10;
      for (const wrong of [altered, message.subarray(0, at)]) {
        const { output, failure } = await collectToError(decrypt(phrase, wrong));
        assert.ok(failure instanceof Error, `${name} at ${at}`);
        const inChunks = /-ocb-|-eax-/.test(name);
        assert.ok(inChunks || output.length === 0, `${name} at ${at}: something came out`);
      }
    }
    const kind = /-ocb-|-eax-/.test(name) ? "WrongPassphrase" : "WrongOrAltered";
    await assert.rejects(collect(decrypt("another", message)), isError(kind), name);
  }
});
