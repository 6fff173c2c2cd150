// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The C library in WebAssembly: its functions and its memory, which holds all their data. A call overwrites its
// secrets there before it returns, except keys and unfinished messages, which have slots.

import type { Bytes } from "./bytes.js";
import { errorOf, ManyfishError } from "./errors.js";
import type { CFunctions, CVariables } from "./generated/exports.js";
import { scalar } from "./generated/scalar.js";
import { simd } from "./generated/simd.js";

/** Which of the two builds: with vectors of 128 bits, or without, for engines that have none. */
export type Implementation = "simd" | "scalar";

type Exports = CFunctions &
  CVariables & { memory: WebAssembly.Memory; __heap_base: WebAssembly.Global };

/** In the order of wasm/layout.c. */
const sizeNames = [
  "piece",
  "small",
  "twofish",
  "cipher",
  "cfb",
  "ofb",
  "ctr",
  "xts",
  "ocb",
  "eax",
  "gcm",
  "siv",
  "cmac",
] as const;
type Sizes = Record<(typeof sizeNames)[number], number>;

const PAGE_BYTES = 65536;
const ALIGNMENT = 16;

/** Memory of one owner, from `Library.take` to `release`, which wipes it. */
export interface Slot {
  readonly library: Library;
  readonly address: number;
  readonly bytes: number;
}

/** If an owner is forgotten before it was closed. Engines promise no time for that. */
const forgotten = new FinalizationRegistry<Slot>((slot) => slot.library.release(slot));

export class Library {
  readonly implementation: Implementation;
  readonly c: CFunctions;
  readonly sizes: Sizes;
  readonly #memory: WebAssembly.Memory;
  readonly #piece: number;
  readonly #small: number;
  readonly #free = new Map<number, Slot[]>();
  #view: Uint8Array;
  #next: number; // where the memory begins that no slot has had yet
  #end: number;
  #large = { address: 0, bytes: 0 };

  constructor(implementation: Implementation, module: WebAssembly.Module) {
    const exports = new WebAssembly.Instance(module).exports as unknown as Exports;
    this.implementation = implementation;
    this.c = exports;
    this.#memory = exports.memory;
    this.#view = new Uint8Array(exports.memory.buffer);
    this.#piece = exports.manyfish_piece.value;
    this.#small = exports.manyfish_small.value;
    this.#next = align(exports.__heap_base.value);
    this.#end = exports.memory.buffer.byteLength;
    const words = new Uint32Array(exports.memory.buffer, exports.manyfish_sizes.value);
    this.sizes = Object.fromEntries(sizeNames.map((name, i) => [name, words[i]])) as Sizes;
  }

  /** All of the memory. Not to be kept: when the memory grows there is another one. */
  get view(): Uint8Array {
    if (this.#view.length === 0) {
      this.#view = new Uint8Array(this.#memory.buffer);
    }
    return this.#view;
  }

  /** The words at an address that is a multiple of 4. */
  words(address: number, n: number): Uint32Array {
    return new Uint32Array(this.#memory.buffer, address, n);
  }

  /** The text at an address, up to a zero byte. */
  text(address: number): string {
    const view = this.view;
    let end = address;
    while (view[end] !== 0) {
      end++;
    }
    return String.fromCharCode(...view.subarray(address, end));
  }

  /** Throws if a status is an error; `found` says what the caller gave. */
  check(status: number, found?: string): void {
    if (status !== 0) {
      throw errorOf(status, this.text(this.c.mf_status_text(status)), found);
    }
  }

  /** Puts the inputs somewhere, calls `work` with their addresses, and wipes them. */
  run<T>(inputs: readonly Uint8Array[], work: (...addresses: number[]) => T): T {
    const total = inputs.reduce((sum, input) => sum + align(input.length), 0);
    const start = total <= this.sizes.small ? this.#small : this.#largeOf(total);
    const view = this.view;
    const addresses: number[] = [];
    let at = start;
    for (const input of inputs) {
      view.set(input, at);
      addresses.push(at);
      at += align(input.length);
    }
    try {
      return work(...addresses);
    } finally {
      this.view.fill(0, start, at);
    }
  }

  /** A copy of what lies at an address. */
  copy(address: number, n_bytes: number): Bytes {
    return Uint8Array.from(this.view.subarray(address, address + n_bytes));
  }

  /**
   * The first n_bytes of `head` and `body` joined, in pieces through the memory: `work` changes each in place, and the
   * results go to `out` from `at` on.
   */
  pieces(
    out: Uint8Array,
    at: number,
    head: Uint8Array,
    body: Uint8Array,
    n_bytes: number,
    work: (address: number, n_bytes: number) => number,
  ): void {
    const view = this.view;
    const start = this.#piece;
    try {
      for (let done = 0; done < n_bytes; done += this.sizes.piece) {
        const n = Math.min(n_bytes - done, this.sizes.piece);
        const fromHead = head.subarray(done, done + n);
        view.set(fromHead, start);
        const from = Math.max(0, done - head.length);
        view.set(body.subarray(from, from + n - fromHead.length), start + fromHead.length);
        this.check(work(start, n));
        out.set(view.subarray(start, start + n), at + done);
      }
    } finally {
      view.fill(0, start, start + Math.min(n_bytes, this.sizes.piece));
    }
  }

  /** Memory of zeros, that stays until it is released, or `owner` is forgotten. */
  take(n_bytes: number, owner: object): Slot {
    const bytes = align(n_bytes);
    const slot = this.#free.get(bytes)?.pop() ?? this.#newSlot(bytes);
    forgotten.register(owner, slot, slot);
    return slot;
  }

  /** Wipes a slot, for the next owner. Once only. */
  release(slot: Slot): void {
    forgotten.unregister(slot);
    this.view.fill(0, slot.address, slot.address + slot.bytes);
    const others = this.#free.get(slot.bytes);
    if (others === undefined) {
      this.#free.set(slot.bytes, [slot]);
    } else {
      others.push(slot);
    }
  }

  #newSlot(bytes: number): Slot {
    if (this.#next + bytes > this.#end) {
      const start = this.#grow(bytes);
      if (start !== this.#end) {
        this.#next = start;
      }
      this.#end = this.#memory.buffer.byteLength;
    }
    const slot = { library: this, address: this.#next, bytes };
    this.#next += bytes;
    return slot;
  }

  /** For whole messages, which some modes need. It is kept for the next one, and grows with the largest. */
  #largeOf(bytes: number): number {
    const { address, bytes: had } = this.#large;
    if (bytes > had) {
      const isLast = had > 0 && address + had === this.#memory.buffer.byteLength;
      const start = isLast ? address : this.#grow(Math.max(bytes, 2 * had));
      if (isLast) {
        this.#grow(bytes - had);
      }
      this.#large = { address: start, bytes: this.#memory.buffer.byteLength - start };
    }
    return this.#large.address;
  }

  /** More memory; returns where it begins. */
  #grow(bytes: number): number {
    try {
      return this.#memory.grow(Math.ceil(bytes / PAGE_BYTES)) * PAGE_BYTES;
    } catch (cause) {
      throw new ManyfishError(
        "memory",
        `this needs ${bytes} bytes more of memory, and the engine gives no more; take a mode that streams`,
        { cause },
      );
    }
  }
}

function align(n: number): number {
  return Math.ceil(n / ALIGNMENT) * ALIGNMENT;
}

/** A function with one instruction on vectors. */
const probe = Uint8Array.of(
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...[1, 4, 1, 0x60, 0, 0], // a type: no arguments, no results
  ...[3, 2, 1, 0], // a function of that type
  ...[10, 9, 1, 7, 0, 0x41, 0, 0xfd, 15, 0x1a, 0x0b], // i32.const 0, i8x16.splat, drop
);

function best(): Implementation {
  return typeof WebAssembly === "object" && WebAssembly.validate(probe) ? "simd" : "scalar";
}

/** The build that is taken here, unless another one is asked for. */
export const implementation: Implementation = best();

const libraries = new Map<Implementation, Library>();

function codeOf(wanted: Implementation): Bytes {
  if (wanted !== "simd" && wanted !== "scalar") {
    throw new ManyfishError(
      "argument",
      `the implementation must be "simd" or "scalar", but is ${JSON.stringify(wanted)}`,
    );
  }
  return Uint8Array.from(atob(wanted === "simd" ? simd : scalar), (c) => c.charCodeAt(0));
}

function refused(cause: unknown): ManyfishError {
  return new ManyfishError(
    "wasm",
    "this engine compiles no WebAssembly here; with a content security policy, script-src needs 'wasm-unsafe-eval', " +
      "and Chromium before version 114 needs `await ready()` first",
    { cause },
  );
}

/** The library, compiled when it is first asked for. */
export function library(wanted: Implementation = implementation): Library {
  let found = libraries.get(wanted);
  if (found === undefined) {
    const code = codeOf(wanted);
    try {
      found = new Library(wanted, new WebAssembly.Module(code));
    } catch (cause) {
      throw refused(cause);
    }
    libraries.set(wanted, found);
  }
  return found;
}

/**
 * Compiles the library now, and not in the middle of the first call. Only Chromium before version 114 needs it, which
 * refuses to do so synchronously outside of workers.
 */
export async function ready(wanted: Implementation = implementation): Promise<void> {
  if (libraries.has(wanted)) {
    return;
  }
  const code = codeOf(wanted);
  try {
    const compiled = await WebAssembly.compile(code);
    if (!libraries.has(wanted)) {
      libraries.set(wanted, new Library(wanted, compiled));
    }
  } catch (cause) {
    throw refused(cause);
  }
}
