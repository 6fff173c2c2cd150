// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The reader of vectors/, whose form is in vectors/README.md, and what runs a test on all kernels of both builds.

import { readFileSync } from "node:fs";
import { type Bytes, kernels, Twofish } from "manyfish";

const folder = new URL("../../vectors/", import.meta.url);

/** One case of a file. */
export class Case {
  readonly #fields: Map<string, string>;

  constructor(text: string) {
    const lines = text.split("\n").filter((line) => line.includes("=") && !line.startsWith("#"));
    this.#fields = new Map(
      lines.map((line) => {
        const at = line.indexOf("=");
        return [line.slice(0, at).trim(), line.slice(at + 1).trim()];
      }),
    );
  }

  /** The text before the first case has no fields. */
  get isCase(): boolean {
    return this.#fields.size > 0;
  }

  has(name: string): boolean {
    return this.#fields.has(name);
  }

  text(name: string): string {
    const value = this.#fields.get(name);
    if (value === undefined) {
      throw new Error(`the case has no field ${name}`);
    }
    return value;
  }

  number(name: string): number {
    return Number(this.text(name));
  }

  bytes(name: string): Uint8Array {
    return fromHex(this.text(name));
  }

  /** Words of eight digits. */
  words(name: string): number[] {
    return this.text(name)
      .split(" ")
      .map((word) => Number.parseInt(word, 16));
  }
}

/** All cases of a file. */
export function read(name: string): Case[] {
  const cases = readFileSync(new URL(`${name}.rsp`, folder), "utf8")
    .split(/\n\n+/)
    .map((text) => new Case(text))
    .filter((found) => found.isCase);
  if (cases.length === 0) {
    throw new Error(`${name}.rsp has no cases`);
  }
  return cases;
}

export function fromHex(text: string): Bytes {
  return Uint8Array.from(Buffer.from(text, "hex"));
}

export function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex").toUpperCase();
}

/** How one kernel of one build makes a key. */
export interface Variant {
  readonly name: string;
  key(bytes: Uint8Array): Twofish;
}

export const variants: readonly Variant[] = (["simd", "scalar"] as const).flatMap(
  (implementation) =>
    kernels(implementation).map(({ name: kernel }) => ({
      name: `${implementation}, ${kernel}`,
      key: (bytes: Uint8Array) => new Twofish(bytes, { kernel, implementation }),
    })),
);

/** Bytes that look random and are the same in each run. */
export function noise(n_bytes: number, seed: number): Bytes {
  let state = (seed + 1) * 0x9e3779b1;
  return Uint8Array.from({ length: n_bytes }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 8;
  });
}
