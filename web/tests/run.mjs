// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Compiles the tests and runs them, one file after the other: each has a browser of its own.
//
// Usage: node tests/run.mjs [NAME...]      each NAME is one of tests/NAME.test.ts
// Environment: ONLY    a pattern; runs the tests alone whose names it fits

import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));
const built = fileURLToPath(new URL("../.tests/", import.meta.url));
const all = readdirSync(here).filter((name) => name.endsWith(".test.ts"));
const names = process.argv.slice(2).map((name) => `${name}.test.ts`);

await rm(built, { recursive: true, force: true });
await esbuild.build({
  bundle: true,
  entryPoints: all.map((name) => here + name),
  external: ["../serve.mjs"],
  format: "esm",
  logLevel: "warning",
  outdir: built,
  outExtension: { ".js": ".mjs" },
  packages: "external",
  platform: "node",
  sourcemap: true,
  target: "node18",
});
const options = ["--enable-source-maps", "--test", "--test-concurrency=1"];
// For a file that hangs; a busy machine may take minutes for one. Node 18 does not know it.
if (Number.parseInt(process.versions.node, 10) >= 20) options.push("--test-timeout=600000");
for (const reporter of ["spec", `${here}../../js/tests/sums.mjs`]) {
  options.push(`--test-reporter=${reporter}`, "--test-reporter-destination=stdout");
}
if (process.env.ONLY) options.push(`--test-name-pattern=${process.env.ONLY}`);
const files = (names.length ? names : all).map((name) => built + name.replace(/ts$/, "mjs"));
const { status } = spawnSync(process.execPath, [...options, ...files], { stdio: "inherit" });
process.exitCode = status ?? 1;
