// SPDX-License-Identifier: Apache-2.0 OR MIT

import { type Bytes, type BytesLike, bytesOf, join } from "../bytes.js";
import { ManyfishError } from "../errors.js";
import type { CFunctions } from "../generated/exports.js";
import type { Library, Slot } from "../library.js";
import type { MessageStream } from "../stream.js";
import { nothing, openKey, type Twofish } from "../twofish.js";
import { Message, whole } from "./message.js";

/** An authenticated mode that takes a message in pieces, as the library has it. */
interface Functions {
  readonly mode: "ocb" | "eax" | "gcm";
  /** Only the last piece of a message may have a length that is not a multiple of this. */
  readonly unit: number;
  /** The lengths that its tags may have. */
  readonly tags: readonly number[];
}

type Step =
  | "init"
  | "start"
  | "aad"
  | "encrypt_update"
  | "decrypt_update"
  | "encrypt_finish"
  | "decrypt_finish";

/** The function of a mode for a step, such as mf_ocb_start. */
function step(library: Library, mode: Functions["mode"], name: Step) {
  return library.c[`mf_${mode}_${name}` satisfies keyof CFunctions];
}

export const TAG_BYTES = 16;

/** Behind the state of a message there is room for a number of bytes. */
const WRITTEN_BYTES = 4;

export interface AeadOptions {
  /** Bytes of the tag, the same for all messages of a key; 16 if it is not given. */
  tagBytes?: number | undefined;
}

/** The length of tags that is asked for, which must be one of these. */
export function tagBytesOf(options: AeadOptions, tags: readonly number[]): number {
  const { tagBytes = TAG_BYTES } = options;
  if (!tags.includes(tagBytes)) {
    throw new ManyfishError(
      "tag-length",
      `a tag of this mode has ${tags.join(", ")} bytes, but tagBytes is ${tagBytes}`,
    );
  }
  return tagBytes;
}

/**
 * Authenticated encryption. Nobody without the key can read a message, or change it or its associated data unnoticed.
 * A nonce must never be used twice under one key.
 */
export abstract class Aead {
  readonly #key: Twofish;
  readonly #functions: Functions;
  readonly #tagBytes: number;
  #ready: Slot | undefined; // what is computed once for the key, to begin each message with

  protected constructor(key: Twofish, functions: Functions, options: AeadOptions = {}) {
    const { library, cipher } = openKey(key);
    this.#key = key;
    this.#functions = functions;
    this.#tagBytes = tagBytesOf(options, functions.tags);
    this.#ready = library.take(library.sizes[functions.mode], this);
    library.check(step(library, functions.mode, "init")(this.#ready.address, cipher));
  }

  /** The ciphertext and the tag behind it. `nonce` and `aad`, which is authenticated only, go with it. */
  encrypt(nonce: BytesLike, text: BytesLike, aad: BytesLike = nothing): Bytes {
    return whole(this.#message(nonce, aad, false), text, this.#tagBytes);
  }

  /** The plaintext, if the tag is right; else throws "tag", and nothing of it is given out. */
  decrypt(nonce: BytesLike, sealed: BytesLike, aad: BytesLike = nothing): Bytes {
    return whole(this.#message(nonce, aad, true), sealed);
  }

  /** A message in chunks; `finish` gives its end and the tag. */
  encryptor(nonce: BytesLike, aad: BytesLike = nothing): MessageStream {
    return this.#message(nonce, aad, false);
  }

  /**
   * The reverse, whose last bytes are the tag. `update` gives unauthenticated text: do not act on it before `finish`
   * has returned.
   */
  decryptor(nonce: BytesLike, aad: BytesLike = nothing): MessageStream {
    return this.#message(nonce, aad, true);
  }

  #message(nonce: BytesLike, aad: BytesLike, decrypting: boolean): AeadMessage {
    const ready = this.#ready;
    openKey(this.#key);
    if (ready === undefined) {
      throw new ManyfishError("closed", "this mode was closed, and is wiped; make another one");
    }
    const message = new AeadMessage(this.#key, this.#functions, ready, this.#tagBytes, decrypting);
    try {
      message.start(bytesOf(nonce, "the nonce"), bytesOf(aad, "the associated data"));
    } catch (error) {
      message.close();
      throw error;
    }
    return message;
  }

  /** Wipes what was computed from the key, which stays open. Messages in work go on. */
  close(): void {
    if (this.#ready !== undefined) {
      this.#ready.library.release(this.#ready);
      this.#ready = undefined;
    }
  }
}

class AeadMessage extends Message {
  readonly #functions: Functions;
  readonly #tagBytes: number;
  readonly #decrypting: boolean;

  constructor(
    key: Twofish,
    functions: Functions,
    ready: Slot,
    tagBytes: number,
    decrypting: boolean,
  ) {
    const stateBytes = ready.library.sizes[functions.mode] + WRITTEN_BYTES;
    super([key], stateBytes, functions.unit, decrypting ? tagBytes : 0);
    this.#functions = functions;
    this.#tagBytes = tagBytes;
    this.#decrypting = decrypting;
    this.library.view.copyWithin(this.state.address, ready.address, ready.address + ready.bytes);
  }

  start(nonce: Uint8Array, aad: Uint8Array): void {
    const { library, state } = this;
    const { mode } = this.#functions;
    const status = library.run([nonce], (at) =>
      step(library, mode, "start")(state.address, at, nonce.length),
    );
    library.check(status, `the nonce has ${nonce.length} bytes`);
    for (let at = 0; at < aad.length; at += library.sizes.small) {
      const piece = aad.subarray(at, at + library.sizes.small);
      const add = step(library, mode, "aad");
      library.check(library.run([piece], (address) => add(state.address, address, piece.length)));
    }
  }

  protected crypt(at: number, n_bytes: number): number {
    const name = this.#decrypting ? "decrypt_update" : "encrypt_update";
    const update = step(this.library, this.#functions.mode, name);
    return update(this.state.address, ...this.#places(at, n_bytes));
  }

  protected last(): Bytes {
    return this.#decrypting ? this.#open() : this.#seal();
  }

  #seal(): Bytes {
    const { library } = this;
    const n = this.held.bytes.length;
    return library.run([this.held.bytes, new Uint8Array(TAG_BYTES)], (at, tag) => {
      const status = this.#finish("encrypt_finish", at, n, tag);
      library.check(status, `the tag has ${this.#tagBytes} bytes`);
      return join(library.copy(at, n), library.copy(tag, this.#tagBytes));
    });
  }

  #open(): Bytes {
    const { library } = this;
    const n = this.held.bytes.length - this.#tagBytes;
    if (n < 0) {
      throw new ManyfishError(
        "tag",
        `no tag: the message has fewer than the ${this.#tagBytes} bytes of one`,
      );
    }
    return library.run([this.held.bytes], (at) => {
      const status = this.#finish("decrypt_finish", at, n, at + n);
      library.check(status, status === 8 ? undefined : `the tag has ${this.#tagBytes} bytes`);
      return library.copy(at, n);
    });
  }

  #finish(name: "encrypt_finish" | "decrypt_finish", at: number, n: number, tag: number): number {
    const finish = step(this.library, this.#functions.mode, name);
    return finish(this.state.address, ...this.#places(at, n), tag, this.#tagBytes);
  }

  /** Output, input and their length; OCB takes the room of the output, too, and says how much it has written. */
  #places(at: number, n: number): number[] {
    const written = this.state.address + this.library.sizes[this.#functions.mode];
    return this.#functions.mode === "ocb" ? [at, n, written, at, n] : [at, at, n];
  }
}
