// SPDX-License-Identifier: Apache-2.0 OR MIT

import { type Bytes, type BytesLike, bytesOf, join } from "../bytes.js";
import { ManyfishError } from "../errors.js";
import type { Slot } from "../library.js";
import { openKey, type Twofish } from "../twofish.js";
import { libraryOf } from "./message.js";

const TAG_BYTES = 16;

/**
 * SIV [RFC5297]. Without a nonce, or with one used twice, an observer learns whether two messages with their associated
 * data are equal, and nothing else. The whole message is needed before its first byte can be encrypted. The two keys,
 * the first and the second half of a key of the RFC, are independent of each other.
 */
export class Siv {
  readonly #keys: readonly [Twofish, Twofish];
  #state: Slot | undefined;

  constructor(macKey: Twofish, ctrKey: Twofish) {
    this.#keys = [macKey, ctrKey];
    const library = libraryOf(this.#keys);
    this.#state = library.take(library.sizes.siv, this);
    const { address } = this.#state;
    library.check(library.c.mf_siv_init(address, openKey(macKey).cipher, openKey(ctrKey).cipher));
  }

  /**
   * The synthetic initialisation vector, which is the tag, and the ciphertext behind it. A nonce of no bytes is none;
   * `aad` is a list of strings, of which ["ab", "c"] and ["a", "bc"] differ.
   */
  encrypt(nonce: BytesLike, text: BytesLike, aad: BytesLike | readonly BytesLike[] = []): Bytes {
    const tag = new Uint8Array(TAG_BYTES);
    return this.#crypt("mf_siv_encrypt", nonce, aad, tag, bytesOf(text, "the text"));
  }

  /** The plaintext, if the tag is right; else throws "tag". */
  decrypt(nonce: BytesLike, sealed: BytesLike, aad: BytesLike | readonly BytesLike[] = []): Bytes {
    const bytes = bytesOf(sealed, "the message");
    if (bytes.length < TAG_BYTES) {
      throw new ManyfishError("tag", "no tag: the message has fewer than the 16 bytes of one");
    }
    const [tag, text] = [bytes.subarray(0, TAG_BYTES), bytes.subarray(TAG_BYTES)];
    return this.#crypt("mf_siv_decrypt", nonce, aad, tag, text);
  }

  #crypt(
    name: "mf_siv_encrypt" | "mf_siv_decrypt",
    nonce: BytesLike,
    aad: BytesLike | readonly BytesLike[],
    tag: Uint8Array,
    text: Uint8Array,
  ): Bytes {
    libraryOf(this.#keys);
    if (this.#state === undefined) {
      throw new ManyfishError("closed", "this mode was closed, and is wiped; make another one");
    }
    const { library, address } = this.#state;
    const n = bytesOf(nonce, "the nonce");
    const strings = (isList(aad) ? aad : [aad]).map((string) => bytesOf(string, "associated data"));
    const list = new Uint8Array(8 * strings.length);
    return library.run([tag, text, n, list, ...strings], (tagAt, at, nAt, listAt, ...stringsAt) => {
      const words = library.words(listAt, 2 * strings.length);
      strings.forEach((string, i) => {
        words.set([stringsAt[i] as number, string.length], 2 * i);
      });
      const status = library.c[name](
        ...[address, listAt, strings.length, nAt, n.length, at, at, text.length, tagAt],
      );
      library.check(status, status === 8 ? undefined : `${strings.length} strings and the nonce`);
      const result = library.copy(at, text.length);
      return name === "mf_siv_decrypt" ? result : join(library.copy(tagAt, TAG_BYTES), result);
    });
  }

  /** Wipes what was computed from the keys, which stay open. */
  close(): void {
    if (this.#state !== undefined) {
      this.#state.library.release(this.#state);
      this.#state = undefined;
    }
  }
}

function isList(aad: BytesLike | readonly BytesLike[]): aad is readonly BytesLike[] {
  return Array.isArray(aad);
}
