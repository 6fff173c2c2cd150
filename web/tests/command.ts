// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The command `manyfish`, and a folder for the files of a test.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const built = fileURLToPath(new URL("../../rust/target/release/manyfish", import.meta.url));
const command = process.env.MANYFISH ?? built;
assert.ok(existsSync(command), `${command} is missing: run make build, or set MANYFISH`);

/** A folder that is removed with the process. */
export const folder = mkdtempSync(join(tmpdir(), "manyfish-web-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

/** Path of a new file in the folder. */
export function write(name: string, contents: Uint8Array | string): string {
  const path = join(folder, name);
  writeFileSync(path, contents);
  return path;
}

/** Runs the command on `input`; the result is the path of what it wrote. */
export function manyfish(verb: string, input: string, passphrase: string, ...options: string[]) {
  const output = `${input}.${verb}ed`;
  const phrase = write("phrase", `${passphrase}\n`);
  const files = ["--passphrase-file", phrase, "--force", "-o", output, input];
  execFileSync(command, [verb, ...options, ...files], { stdio: "pipe" });
  return output;
}
