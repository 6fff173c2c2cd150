// SPDX-License-Identifier: Apache-2.0 OR MIT

import type { Bytes, BytesLike } from "./bytes.js";

/** A message in work, of which chunks of any size come. */
export interface MessageStream {
  /** The next chunk. The output may be shorter or longer, since modes work on blocks. */
  update(chunk: BytesLike): Bytes;
  /** The rest, with the tag if the mode has one. The stream is closed then. */
  finish(): Bytes;
  /** Wipes a message that is not to be finished. */
  close(): void;
}

/**
 * The bytes of a message that a mode cannot take yet, because it takes whole units, and the last `keep` bytes are
 * something else.
 */
export class Held {
  readonly #unit: number;
  readonly #keep: number;
  readonly #bytes: Uint8Array;
  #n = 0;

  constructor(unit: number, keep: number) {
    this.#unit = unit;
    this.#keep = keep;
    this.#bytes = new Uint8Array(unit + keep);
  }

  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#n);
  }

  /** How many bytes can be taken of these and n_more. */
  ready(n_more: number): number {
    const free = Math.max(0, this.#n + n_more - this.#keep);
    return free - (free % this.#unit);
  }

  /** After the first n_taken bytes of these and the chunk joined were taken. */
  replace(n_taken: number, chunk: Uint8Array): void {
    const left = this.#n + chunk.length - n_taken;
    if (n_taken < this.#n) {
      this.#bytes.copyWithin(0, n_taken, this.#n);
      this.#bytes.set(chunk, this.#n - n_taken);
    } else {
      this.#bytes.set(chunk.subarray(n_taken - this.#n));
    }
    this.#n = left;
    this.#bytes.fill(0, left);
  }

  wipe(): void {
    this.#n = 0;
    this.#bytes.fill(0);
  }
}

/** For `readable.pipeThrough(toTransform(ocb.encryptor(nonce)))`. */
export function toTransform(message: MessageStream): TransformStream<BytesLike, Bytes> {
  const put = (bytes: Bytes, controller: TransformStreamDefaultController<Bytes>) => {
    if (bytes.length > 0) {
      controller.enqueue(bytes);
    }
  };
  const transformer = {
    transform: (chunk: BytesLike, controller: TransformStreamDefaultController<Bytes>) =>
      put(message.update(chunk), controller),
    flush: (controller: TransformStreamDefaultController<Bytes>) =>
      put(message.finish(), controller),
    cancel: () => message.close(), // of the newer standard; engines without it leave this to the collector
  };
  return new TransformStream(transformer);
}
