// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Runs single instructions of WebAssembly, for `manyfish-proof instructions`. A line names a module, an address, and the
// bytes that its memory gets there, in hexadecimal. The answer is these bytes after a call of the module's function.

import { createInterface } from "node:readline";

const instances = new Map();

function instanceOf(module) {
  if (!instances.has(module)) {
    const compiled = new WebAssembly.Module(Buffer.from(module, "hex"));
    instances.set(module, new WebAssembly.Instance(compiled));
  }
  return instances.get(module);
}

function run(line) {
  const [module, address, before] = line.split(" ");
  const { memory, run } = instanceOf(module).exports;
  const bytes = Buffer.from(before, "hex");
  const place = new Uint8Array(memory.buffer, Number.parseInt(address, 16), bytes.length);
  place.set(bytes);
  run();
  return Buffer.from(place).toString("hex");
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${run(line)}\n`);
}
