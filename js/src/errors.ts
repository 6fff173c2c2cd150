// SPDX-License-Identifier: Apache-2.0 OR MIT

/** The error for programs; the message says it for people. */
export type ManyfishErrorCode =
  | "argument" // of a type or value that the function does not take
  | "key-length"
  | "length" // not whole blocks or sectors, or none, where there must be
  | "nonce-length"
  | "tag-length"
  | "block" // the mode has no such counter, segment or variant
  | "kernel" // no kernel of this name
  | "tag" // wrong tag: key, nonce, data or associated data differ
  | "padding"
  | "too-long" // more than the mode allows under a nonce
  | "state" // calls in an order that the mode does not allow
  | "closed" // the key or stream was closed, and is wiped
  | "memory" // the engine gives no more
  | "wasm" // the engine does not run WebAssembly, or the page forbids it
  | "internal"; // a fault of this package

/** The error that all functions of this package throw. */
export class ManyfishError extends Error {
  override readonly name = "ManyfishError";
  readonly code: ManyfishErrorCode;

  constructor(code: ManyfishErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The codes of mf_status (c/include/manyfish/common.h) that a caller here can bring about. */
const codes: Record<number, ManyfishErrorCode> = {
  2: "key-length",
  3: "length",
  6: "kernel",
  8: "tag",
  9: "padding",
  10: "nonce-length",
  12: "state",
  13: "too-long",
  14: "block",
  16: "tag-length",
};

/** The error of a status, whose sentence is `text`; `found` says what the caller gave. */
export function errorOf(status: number, text: string, found?: string): ManyfishError {
  const code = codes[status] ?? "internal";
  return new ManyfishError(code, found === undefined ? text : `${text}; ${found}`);
}
