// SPDX-License-Identifier: Apache-2.0 OR MIT

import { type Bytes, type BytesLike, bytesOf } from "../bytes.js";
import { ManyfishError } from "../errors.js";
import type { MessageStream } from "../stream.js";
import { BLOCK_BYTES, nothing, openKey, type Twofish } from "../twofish.js";
import { Message, whole } from "./message.js";

/** ECB [SP800-38A, 6.1]: each block by itself, so that equal blocks stay equal. Whole blocks only. */
export class Ecb {
  readonly #key: Twofish;

  constructor(key: Twofish) {
    openKey(key);
    this.#key = key;
  }

  encrypt(text: BytesLike): Bytes {
    return whole(new EcbMessage(this.#key, false), bytesOf(text, "the text"));
  }

  decrypt(text: BytesLike): Bytes {
    return whole(new EcbMessage(this.#key, true), bytesOf(text, "the text"));
  }

  /** A message in chunks. */
  encryptor(): MessageStream {
    return new EcbMessage(this.#key, false);
  }

  decryptor(): MessageStream {
    return new EcbMessage(this.#key, true);
  }
}

class EcbMessage extends Message {
  readonly #cipher: number;
  readonly #decrypting: boolean;

  constructor(key: Twofish, decrypting: boolean) {
    super([key], 0, BLOCK_BYTES, 0);
    this.#cipher = openKey(key).cipher;
    this.#decrypting = decrypting;
  }

  protected crypt(at: number, n_bytes: number): number {
    const { c } = this.library;
    const crypt = this.#decrypting ? c.mf_ecb_decrypt : c.mf_ecb_encrypt;
    return crypt(this.#cipher, at, at, n_bytes);
  }

  protected last(): Bytes {
    mustBeWhole(this.held.bytes.length);
    return Uint8Array.from(nothing);
  }
}

/** Throws if bytes are left over. */
export function mustBeWhole(n_left: number): void {
  if (n_left > 0) {
    throw new ManyfishError(
      "length",
      `the message must be whole blocks of 16 bytes, but ${n_left} bytes are left over`,
    );
  }
}
