// SPDX-License-Identifier: Apache-2.0 OR MIT

import { type Bytes, type BytesLike, bytesOf } from "../bytes.js";
import { ManyfishError } from "../errors.js";
import type { Library } from "../library.js";
import type { MessageStream } from "../stream.js";
import { BLOCK_BYTES, nothing, openKey, type Twofish } from "../twofish.js";
import { Message, whole } from "./message.js";

/** A mode that takes bytes in any number and gives as many, as the library has it. */
export interface Functions {
  readonly mode: "cfb" | "ofb" | "ctr";
  /** The argument of mf_..._init after the initialisation vector, if there is one. */
  readonly option?: number;
}

/** The function that changes bytes, in a direction. */
function crypt(library: Library, mode: Functions["mode"], decrypting: boolean) {
  if (mode === "cfb") {
    return decrypting ? library.c.mf_cfb_decrypt : library.c.mf_cfb_encrypt;
  }
  return library.c[`mf_${mode}_crypt`];
}

/** CTR, OFB and CFB: no authentication. Anyone who can change the ciphertext changes the plaintext, unnoticed. */
export abstract class Keystream {
  readonly #key: Twofish;
  readonly #functions: Functions;

  protected constructor(key: Twofish, functions: Functions) {
    openKey(key);
    this.#key = key;
    this.#functions = functions;
  }

  /** `iv` has 16 bytes, and is never used twice under one key. */
  encrypt(iv: BytesLike, text: BytesLike): Bytes {
    return whole(this.#message(iv, false), text);
  }

  decrypt(iv: BytesLike, text: BytesLike): Bytes {
    return whole(this.#message(iv, true), text);
  }

  /** A message in chunks. */
  encryptor(iv: BytesLike): MessageStream {
    return this.#message(iv, false);
  }

  decryptor(iv: BytesLike): MessageStream {
    return this.#message(iv, true);
  }

  #message(iv: BytesLike, decrypting: boolean): Message {
    return new KeystreamMessage(this.#key, this.#functions, ivOf(iv), decrypting);
  }
}

class KeystreamMessage extends Message {
  readonly #crypt: ReturnType<typeof crypt>;

  constructor(key: Twofish, functions: Functions, iv: Uint8Array, decrypting: boolean) {
    const { library, cipher } = openKey(key);
    super([key], library.sizes[functions.mode], 1, 0);
    this.#crypt = crypt(library, functions.mode, decrypting);
    const init = library.c[`mf_${functions.mode}_init`];
    try {
      const { address } = this.state;
      library.check(library.run([iv], (at) => init(address, cipher, at, functions.option ?? 0)));
    } catch (error) {
      this.close();
      throw error;
    }
  }

  protected crypt(at: number, n_bytes: number): number {
    return this.#crypt(this.state.address, at, at, n_bytes);
  }

  protected last(): Bytes {
    return Uint8Array.from(nothing);
  }
}

/** An initialisation vector of one block. */
export function ivOf(iv: BytesLike): Uint8Array {
  const bytes = bytesOf(iv, "the initialisation vector");
  if (bytes.length !== BLOCK_BYTES) {
    throw new ManyfishError(
      "nonce-length",
      `the initialisation vector must have 16 bytes, but has ${bytes.length}`,
    );
  }
  return bytes;
}
