// SPDX-License-Identifier: Apache-2.0 OR MIT

import { type Bytes, type BytesLike, bytesOf } from "../bytes.js";
import { ManyfishError } from "../errors.js";
import type { Library, Slot } from "../library.js";
import { Held, type MessageStream } from "../stream.js";
import { nothing, openKey, type Twofish } from "../twofish.js";

/**
 * Shared by the streams of all modes: a state in the memory of the library, bytes that are held back, and an end.
 * The key must stay open as long as the message.
 */
export abstract class Message implements MessageStream {
  protected readonly library: Library;
  protected readonly state: Slot;
  protected readonly held: Held;
  readonly #keys: readonly Twofish[];
  #closed = false;

  /** `unit` and `keep` as in `Held`. */
  constructor(keys: readonly Twofish[], stateBytes: number, unit: number, keep: number) {
    this.#keys = keys;
    this.library = libraryOf(keys);
    this.state = this.library.take(stateBytes, this);
    this.held = new Held(unit, keep);
  }

  /** Changes whole units in place; returns a status. */
  protected abstract crypt(address: number, n_bytes: number): number;

  /** The output for the bytes that are still held. */
  protected abstract last(): Bytes;

  update(chunk: BytesLike): Bytes {
    const bytes = bytesOf(chunk, "the chunk");
    this.checkOpen();
    const out = new Uint8Array(this.held.ready(bytes.length));
    try {
      this.into(out, bytes);
    } catch (error) {
      out.fill(0);
      throw error;
    }
    return out;
  }

  /** `update` to a given place; returns how many bytes it has written there. */
  into(out: Uint8Array, chunk: Uint8Array): number {
    this.checkOpen();
    const n = this.held.ready(chunk.length);
    try {
      this.library.pieces(out, 0, this.held.bytes, chunk, n, (at, size) => this.crypt(at, size));
    } catch (error) {
      this.close();
      throw error;
    }
    this.held.replace(n, chunk);
    return n;
  }

  finish(): Bytes {
    try {
      this.checkOpen();
      return this.last();
    } finally {
      this.close();
    }
  }

  close(): void {
    if (!this.#closed) {
      this.#closed = true;
      this.held.wipe();
      this.library.release(this.state);
    }
  }

  protected checkOpen(): void {
    if (this.#closed) {
      throw new ManyfishError("closed", "this message is finished or closed; begin another one");
    }
    for (const key of this.#keys) {
      openKey(key);
    }
  }
}

/** The one library of the keys. */
export function libraryOf(keys: readonly Twofish[]): Library {
  const [first, ...others] = keys.map((key) => openKey(key).library);
  if (first === undefined || others.some((other) => other !== first)) {
    throw new ManyfishError("argument", "both keys must be of the same implementation");
  }
  return first;
}

/** A whole message by a stream, which gives at most `more` bytes more than it takes. The stream is closed then. */
export function whole(message: Message, text: BytesLike, more = 0): Bytes {
  let out = Uint8Array.from(nothing);
  try {
    const bytes = bytesOf(text, "the text");
    out = new Uint8Array(bytes.length + more);
    const n = message.into(out, bytes);
    const end = message.finish();
    out.set(end, n);
    return n + end.length === out.length ? out : out.slice(0, n + end.length);
  } catch (error) {
    message.close();
    out.fill(0); // of a message with a wrong tag nothing is given out
    throw error;
  }
}
