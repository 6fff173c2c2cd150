// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Measures the package beside the C library, in a program of its own, and beside other packages, all in turn, and
// prints CSV. Both builds run as engines run them, with the compiler's threads on other cores.
//
// Usage: node js/bench/bench.mjs NATIVE-PROGRAM ROUNDS

import { execFileSync } from "node:child_process";
import { twofish } from "twofish";
import { encrypt, makeSession } from "twofish-ts";
import { Ctr, kernels, Ocb, Twofish } from "../dist/index.js";

const [native, rounds] = process.argv.slice(2);
const BYTES = 65536;
const text = new Uint8Array(BYTES);
const nonce = new Uint8Array(12);
const counter = new Uint8Array(16);

/** Megabytes a second of what works on BYTES bytes, over 60 ms. */
function rate(work) {
  const start = performance.now();
  let n = 0;
  do {
    work();
    n++;
  } while (performance.now() - start < 60);
  return (n * BYTES) / 1000 / (performance.now() - start);
}

function ours(implementation, kernel, keyBytes) {
  const key = new Twofish(new Uint8Array(keyBytes), { implementation, kernel });
  const [ctr, ocb] = [new Ctr(key), new Ocb(key)];
  return {
    ecb: () => rate(() => key.encryptBlocks(text)),
    ctr: () => rate(() => ctr.encrypt(counter, text)),
    ocb: () => rate(() => ocb.encrypt(nonce, text)),
  };
}

function others(keyBytes) {
  const key = new Uint8Array(keyBytes);
  const session = makeSession(key);
  const out = new Uint8Array(BYTES);
  const blocks = () => {
    for (let at = 0; at < BYTES; at += 16) {
      encrypt(text, at, out, at, session);
    }
  };
  const whole = twofish();
  return {
    "twofish-ts 1.0.2": { ecb: () => rate(blocks) },
    "twofish 1.0.1": { ecb: () => rate(() => whole.encrypt([...key], text)) },
  };
}

/** The C library compiled for this machine: mode and rate in each line. */
function nativeRates(kernel, keyBytes) {
  const lines = execFileSync(native, [kernel, String(keyBytes)], { encoding: "utf8" });
  return lines
    .trim()
    .split("\n")
    .map((line) => line.split(" "));
}

const found = new Map();

function note(subject, keyBytes, mode, megabytes) {
  const row = [subject, 8 * keyBytes, mode].join(",");
  found.set(row, [...(found.get(row) ?? []), megabytes]);
}

function measure(keyBytes, subjects) {
  for (const [name, modes] of Object.entries(subjects)) {
    for (const [mode, run] of Object.entries(modes)) {
      note(name, keyBytes, mode, run());
    }
  }
  for (const kernel of ["ssse3", "full", "bitslice"]) {
    for (const [mode, megabytes] of nativeRates(kernel, keyBytes)) {
      note(`C ${kernel}`, keyBytes, mode, Number(megabytes));
    }
  }
}

const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];

for (const keyBytes of [16, 32]) {
  const subjects = others(keyBytes);
  for (const implementation of ["simd", "scalar"]) {
    for (const { name } of kernels(implementation)) {
      subjects[`manyfish ${implementation} ${name}`] = ours(implementation, name, keyBytes);
    }
  }
  for (let round = 0; round <= Number(rounds); round++) {
    measure(keyBytes, subjects);
    if (round === 0) {
      found.forEach((_, row) => {
        if (row.includes(`,${8 * keyBytes},`)) found.delete(row); // until engines have compiled it
      });
    }
  }
}

console.log("subject,key_bits,mode,megabytes_per_second");
for (const [row, values] of found) {
  console.log(`${row},${median(values).toFixed(2)}`);
}
