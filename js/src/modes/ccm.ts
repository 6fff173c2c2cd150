// SPDX-License-Identifier: Apache-2.0 OR MIT

import { type Bytes, type BytesLike, bytesOf, join } from "../bytes.js";
import { ManyfishError } from "../errors.js";
import { nothing, openKey, type Twofish } from "../twofish.js";
import { type AeadOptions, TAG_BYTES, tagBytesOf } from "./aead.js";

/**
 * CCM [SP800-38C], for protocols that ask for it. The lengths come first in what is authenticated, so there are only
 * whole messages. Nonces of 7 to 13 bytes, never twice under one key; a message has less than 256^(15 - n) bytes after
 * one of n bytes. Tags of 4, 6, ... 16 bytes.
 */
export class Ccm {
  readonly #key: Twofish;
  readonly #tagBytes: number;

  constructor(key: Twofish, options: AeadOptions = {}) {
    openKey(key);
    this.#key = key;
    this.#tagBytes = tagBytesOf(options, [4, 6, 8, 10, 12, 14, 16]);
  }

  /** The ciphertext and the tag behind it. */
  encrypt(nonce: BytesLike, text: BytesLike, aad: BytesLike = nothing): Bytes {
    const tag = new Uint8Array(TAG_BYTES);
    return this.#crypt("mf_ccm_encrypt", nonce, aad, bytesOf(text, "the text"), tag);
  }

  /** The plaintext, if the tag is right; else throws "tag". */
  decrypt(nonce: BytesLike, sealed: BytesLike, aad: BytesLike = nothing): Bytes {
    const bytes = bytesOf(sealed, "the message");
    const n = bytes.length - this.#tagBytes;
    if (n < 0) {
      throw new ManyfishError(
        "tag",
        `no tag: the message has fewer than the ${this.#tagBytes} bytes of one`,
      );
    }
    return this.#crypt("mf_ccm_decrypt", nonce, aad, bytes.subarray(0, n), bytes.subarray(n));
  }

  #crypt(
    name: "mf_ccm_encrypt" | "mf_ccm_decrypt",
    nonce: BytesLike,
    aad: BytesLike,
    text: Uint8Array,
    tag: Uint8Array,
  ): Bytes {
    const { library, cipher } = openKey(this.#key);
    const n = bytesOf(nonce, "the nonce");
    const a = bytesOf(aad, "the associated data");
    return library.run([n, a, text, tag], (nAt, aAt, at, tagAt) => {
      const status = library.c[name](
        ...[cipher, nAt, n.length, aAt, a.length, at, at, text.length, tagAt, this.#tagBytes],
      );
      library.check(
        status,
        status === 8
          ? undefined
          : `the nonce has ${n.length} bytes, the text ${text.length}, the tag ${this.#tagBytes}`,
      );
      const result = library.copy(at, text.length);
      return name === "mf_ccm_decrypt" ? result : join(result, library.copy(tagAt, this.#tagBytes));
    });
  }
}
