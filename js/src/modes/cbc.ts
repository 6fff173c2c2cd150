// SPDX-License-Identifier: Apache-2.0 OR MIT

import type { Bytes, BytesLike } from "../bytes.js";
import { ManyfishError } from "../errors.js";
import type { MessageStream } from "../stream.js";
import { BLOCK_BYTES, openKey, type Twofish } from "../twofish.js";
import { mustBeWhole } from "./ecb.js";
import { ivOf } from "./keystream.js";
import { Message, whole } from "./message.js";

/**
 * The treatment of the last block: "pkcs7" adds 1 to 16 bytes [RFC5652, 6.3]; "none" takes whole blocks only; "cs1",
 * "cs2" and "cs3" keep the length of any message from one block on, by ciphertext stealing [Dworkin10].
 */
export type Padding = "pkcs7" | "none" | "cs1" | "cs2" | "cs3";

export interface CbcOptions {
  /** "pkcs7" if it is not given. */
  padding?: Padding | undefined;
}

/** How many of the last bytes wait for the end of the message: when encrypting, and when decrypting. */
const keeps: Record<Padding, [number, number]> = {
  pkcs7: [0, 1],
  none: [0, 0],
  cs1: [17, 17],
  cs2: [17, 17],
  cs3: [17, 17],
};

/**
 * CBC [SP800-38A, 6.2]. The initialisation vector must be unpredictable. The error for wrong
 * padding is a padding oracle: anyone who can probe it decrypts without the key. Check a MAC over the ciphertext first.
 */
export class Cbc {
  readonly #key: Twofish;
  readonly #padding: Padding;

  constructor(key: Twofish, options: CbcOptions = {}) {
    openKey(key);
    this.#key = key;
    this.#padding = options.padding ?? "pkcs7";
    if (!Object.hasOwn(keeps, this.#padding)) {
      throw new ManyfishError(
        "argument",
        `padding must be one of ${Object.keys(keeps).join(", ")}, but is ${JSON.stringify(options.padding)}`,
      );
    }
  }

  /** `iv` has 16 bytes. */
  encrypt(iv: BytesLike, text: BytesLike): Bytes {
    return whole(this.#message(iv, false), text, this.#padding === "pkcs7" ? BLOCK_BYTES : 0);
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
    return new CbcMessage(this.#key, this.#padding, ivOf(iv), decrypting);
  }
}

/** The state is the chain, and room for a length. */
class CbcMessage extends Message {
  readonly #cipher: number;
  readonly #padding: Padding;
  readonly #decrypting: boolean;

  constructor(key: Twofish, padding: Padding, iv: Uint8Array, decrypting: boolean) {
    super([key], 2 * BLOCK_BYTES, BLOCK_BYTES, keeps[padding][decrypting ? 1 : 0]);
    this.#cipher = openKey(key).cipher;
    this.#padding = padding;
    this.#decrypting = decrypting;
    this.library.view.set(iv, this.state.address);
  }

  protected crypt(at: number, n_bytes: number): number {
    const { c } = this.library;
    const crypt = this.#decrypting ? c.mf_cbc_decrypt : c.mf_cbc_encrypt;
    return crypt(this.#cipher, this.state.address, at, at, n_bytes);
  }

  protected last(): Bytes {
    switch (this.#padding) {
      case "none":
        mustBeWhole(this.held.bytes.length);
        return new Uint8Array(0);
      case "pkcs7":
        return this.#lastPadded();
      default:
        return this.#lastStolen(Number(this.#padding[2]));
    }
  }

  #lastPadded(): Bytes {
    const { library, state } = this;
    const { c } = library;
    const crypt = this.#decrypting ? c.mf_cbc_decrypt_padded : c.mf_cbc_encrypt_padded;
    const n = this.held.bytes.length;
    const length = state.address + BLOCK_BYTES;
    return library.run([this.held.bytes, new Uint8Array(BLOCK_BYTES)], (at) => {
      const status = crypt(this.#cipher, state.address, at, BLOCK_BYTES, length, at, n);
      library.check(status, status === 3 ? `${n} bytes are left over` : undefined);
      return library.copy(at, library.words(length, 1)[0] as number);
    });
  }

  /** The last one or two blocks, one of which may be cut: a short message under the chain. */
  #lastStolen(variant: number): Bytes {
    const { library, state } = this;
    const { c } = library;
    const crypt = this.#decrypting ? c.mf_cts_decrypt : c.mf_cts_encrypt;
    const n = this.held.bytes.length;
    return library.run([this.held.bytes], (at) => {
      library.check(
        crypt(this.#cipher, variant, state.address, at, at, n),
        `the message has ${n} bytes`,
      );
      return library.copy(at, n);
    });
  }
}
