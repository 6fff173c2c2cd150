// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Shared by the tests of messages: files, streams, the command, and checks of errors.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Bytes } from "manyfish";
import { OpenPgpError } from "manyfish/openpgp";
import { fromHex, read } from "../vectors.js";

/** The repository; this file runs out of js/dist-tests/openpgp. */
const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
export const FIXTURES = join(ROOT, "interop/fixtures");

export const PASSPHRASE = "correct horse";
/** The least that Argon2 can do. */
export const QUICK = { passes: 1, lanes: 1, memoryKib: 8 };

/** Messages that a reader must accept or reject, and the octets of the file inside or the error. */
export const MESSAGES = [...read("openpgp/messages"), ...read("openpgp/sequoia")].map((found) => ({
  name: found.text("NAME"),
  result: found.text("RESULT"),
  message: fromHex(found.text("MESSAGE")),
}));

export function messageNamed(name: string): Bytes {
  const found = MESSAGES.find((message) => message.name === name);
  assert.ok(found, name);
  return found.message;
}

/** The octets 0 to 250, over and over. */
export const pattern = (size: number): Bytes =>
  Uint8Array.from({ length: size }, (_, i) => i % 251);

export async function collect(stream: AsyncIterable<Uint8Array>): Promise<Bytes> {
  const pieces: Uint8Array[] = [];
  for await (const piece of stream) pieces.push(piece);
  return Uint8Array.from(Buffer.concat(pieces));
}

/** The output of a stream before its error, and the error. */
export async function collectToError(
  stream: AsyncIterable<Uint8Array>,
): Promise<{ output: Bytes; failure: unknown }> {
  const pieces: Uint8Array[] = [];
  let failure: unknown;
  try {
    for await (const piece of stream) pieces.push(piece);
  } catch (caught) {
    failure = caught;
  }
  return { output: Uint8Array.from(Buffer.concat(pieces)), failure };
}

/** In pieces of `size` octets. */
export async function* inPieces(octets: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < octets.length; at += size) yield octets.subarray(at, at + size);
}

/** For `assert.rejects`: an error of this kind, whose sentence is `message`. */
export const isError =
  (kind: string, message?: string) =>
  (failure: unknown): boolean => {
    assert.ok(failure instanceof OpenPgpError, String(failure));
    assert.equal(failure.kind, kind, failure.message);
    if (message !== undefined) assert.equal(failure.message, message);
    return true;
  };

export const startsWith = (whole: Uint8Array, start: Uint8Array): boolean =>
  Buffer.compare(whole.subarray(0, start.length), start) === 0;

/** The command, or why it cannot be run. */
const COMMAND = process.env.MANYFISH ?? join(ROOT, "rust/target/release/manyfish");
export const skip = existsSync(COMMAND)
  ? false
  : `skipped: ${COMMAND} is not built; make build makes it`;

/** Runs the command on a file: what it says, and what it wrote if it wrote anything. */
function run(arguments_: string[], input: Uint8Array): { said: string; output?: Bytes } {
  const folder = mkdtempSync(join(tmpdir(), "manyfish-"));
  const [from, to, phrase] = ["in", "out", "phrase"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  try {
    writeFileSync(from, input);
    writeFileSync(phrase, PASSPHRASE);
    const files = ["--passphrase-file", phrase, "-o", to, from];
    const { stderr: said } = spawnSync(COMMAND, [...arguments_, ...files], { encoding: "utf8" });
    return existsSync(to) ? { said, output: Uint8Array.from(readFileSync(to)) } : { said };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The command's words about a message that it refuses. */
export function refusal(message: Uint8Array): {
  error: string | undefined;
  hint: string | undefined;
} {
  const { said, output } = run(["decrypt"], message);
  assert.equal(output, undefined, "of a message that is refused no file appears");
  const line = (what: string) => new RegExp(`^manyfish: ${what}: (.*)$`, "m").exec(said)?.[1];
  return { error: line("error"), hint: line("hint") };
}

/** Runs `manyfish` on files, and gives what it wrote. */
export function manyfish(arguments_: string[], input: Uint8Array): Bytes {
  const { said, output } = run(arguments_, input);
  assert.ok(output, said);
  return output;
}
