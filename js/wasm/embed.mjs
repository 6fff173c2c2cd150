// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Makes modules of the compiled files, so that an import is all it takes: no request, no path, no bundler's plug-in.
//
// Usage: node js/wasm/embed.mjs FOLDER-WITH-WASM FOLDER-FOR-MODULES

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";

const [from, to] = process.argv.slice(2);
const licence = "// SPDX-License-Identifier: Apache-2.0 OR MIT";
const made = "// Made by js/wasm/embed.mjs.";

function write(name, ...lines) {
  writeFileSync(`${to}/${name}`, [licence, made, "", ...lines, ""].join("\n"));
}

mkdirSync(to, { recursive: true });
for (const name of ["simd", "scalar"]) {
  const base64 = readFileSync(`${from}/${name}.wasm`).toString("base64");
  write(`${name}.ts`, `export const ${name} =`, `  "${base64}";`);
}

const exported = readFileSync(new URL("exports.txt", import.meta.url), "utf8")
  .trim()
  .split("\n");
const functions = exported.filter((name) => name.startsWith("mf_"));
const variables = exported.filter((name) => !name.startsWith("mf_"));
write(
  "exports.ts",
  "/** A function of the library: pointers, sizes and statuses are numbers, and 64-bit integers bigints. */",
  "export type CFunction = (...args: (number | bigint)[]) => number;",
  "",
  `export type CFunctions = Record<\n  ${functions.map((name) => `| "${name}"`).join("\n  ")},\n  CFunction\n>;`,
  "",
  "/** Addresses. */",
  `export type CVariables = Record<${variables.map((name) => `"${name}"`).join(" | ")}, WebAssembly.Global>;`,
);
