// SPDX-License-Identifier: Apache-2.0 OR MIT

import { type Bytes, type BytesLike, bytesOf } from "../bytes.js";
import { ManyfishError } from "../errors.js";
import type { Library, Slot } from "../library.js";
import { openKey, type Twofish } from "../twofish.js";

const TAG_BYTES = 16;

export interface CmacOptions {
  /** The first bytes of the full tag, 1 to 16, the same for all messages of a key; 16 if it is not given. */
  tagBytes?: number | undefined;
}

/** CMAC [SP800-38B]: nobody without the key can make the tag of a message that he has not seen tagged. */
export class Cmac {
  readonly #key: Twofish;
  readonly #tagBytes: number;

  constructor(key: Twofish, options: CmacOptions = {}) {
    openKey(key);
    this.#key = key;
    this.#tagBytes = options.tagBytes ?? TAG_BYTES;
    if (!Number.isInteger(this.#tagBytes) || this.#tagBytes < 1 || this.#tagBytes > TAG_BYTES) {
      throw new ManyfishError(
        "tag-length",
        `a tag has 1 to 16 bytes, but tagBytes is ${this.#tagBytes}`,
      );
    }
  }

  /** The tag of a message. */
  compute(message: BytesLike): Bytes {
    return this.#whole(message, (work) => work.finish());
  }

  /** Whether this is the tag of the message, in a time that does not tell where tags differ. */
  verify(message: BytesLike, tag: BytesLike): boolean {
    return this.#whole(message, (work) => work.verify(tag));
  }

  #whole<T>(message: BytesLike, end: (work: CmacMessage) => T): T {
    const work = this.begin();
    try {
      work.update(message);
      return end(work);
    } finally {
      work.close();
    }
  }

  /** A message in chunks. */
  begin(): CmacMessage {
    return new CmacMessage(this.#key, this.#tagBytes);
  }
}

/** A message in work, of which chunks of any size come. */
export class CmacMessage {
  readonly #key: Twofish;
  readonly #tagBytes: number;
  readonly #library: Library;
  #state: Slot | undefined;

  constructor(key: Twofish, tagBytes: number) {
    const { library, cipher } = openKey(key);
    this.#key = key;
    this.#tagBytes = tagBytes;
    this.#library = library;
    this.#state = library.take(library.sizes.cmac, this);
    library.check(library.c.mf_cmac_init(this.#state.address, cipher));
  }

  #open(): number {
    openKey(this.#key);
    if (this.#state === undefined) {
      throw new ManyfishError("closed", "this message is finished or closed; begin another one");
    }
    return this.#state.address;
  }

  update(chunk: BytesLike): void {
    const address = this.#open();
    const bytes = bytesOf(chunk, "the chunk");
    const library = this.#library;
    for (let at = 0; at < bytes.length; at += library.sizes.piece) {
      const piece = bytes.subarray(at, at + library.sizes.piece);
      library.check(
        library.run([piece], (from) => library.c.mf_cmac_update(address, from, piece.length)),
      );
    }
  }

  finish(): Bytes {
    const library = this.#library;
    try {
      const address = this.#open();
      return library.run([new Uint8Array(TAG_BYTES)], (tag) => {
        library.check(library.c.mf_cmac_finish(address, tag, this.#tagBytes));
        return library.copy(tag, this.#tagBytes);
      });
    } finally {
      this.close();
    }
  }

  verify(tag: BytesLike): boolean {
    const library = this.#library;
    try {
      const address = this.#open();
      const bytes = bytesOf(tag, "the tag");
      return (
        bytes.length === this.#tagBytes &&
        library.run([bytes], (at) => library.c.mf_cmac_finish_verify(address, at, bytes.length)) ===
          0
      );
    } finally {
      this.close();
    }
  }

  /** Wipes a message that is not to be finished. */
  close(): void {
    if (this.#state !== undefined) {
      this.#library.release(this.#state);
      this.#state = undefined;
    }
  }
}
