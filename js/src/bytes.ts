// SPDX-License-Identifier: Apache-2.0 OR MIT

import { ManyfishError } from "./errors.js";

/** A Uint8Array of its own memory, by the name that the reader's version of TypeScript has for it. */
export type Bytes = ReturnType<Uint8ArrayConstructor["from"]>;

/** Bytes that are given: any view of memory, or all of an ArrayBuffer. They are only read. */
export type BytesLike = ArrayBufferView | ArrayBufferLike;

/** The bytes of an argument, which is called `name` in the error. */
export function bytesOf(data: BytesLike, name: string): Uint8Array {
  if (data instanceof Uint8Array) {
    return data;
  }
  if (ArrayBuffer.isView(data)) {
    return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  }
  if (isBuffer(data)) {
    return new Uint8Array(data);
  }
  throw new ManyfishError(
    "argument",
    `${name} must be a Uint8Array or other bytes, but is ${describe(data)}`,
  );
}

/** Of another realm too, such as a frame or a vm context, where instanceof says no. */
function isBuffer(data: unknown): data is ArrayBufferLike {
  const tag = Object.prototype.toString.call(data);
  return tag === "[object ArrayBuffer]" || tag === "[object SharedArrayBuffer]";
}

function describe(data: unknown): string {
  return data === null ? "null" : typeof data === "object" ? "another object" : `a ${typeof data}`;
}

/** One array of all the parts. */
export function join(...parts: Uint8Array[]): Bytes {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
