// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The key of the chunks of one message, and what each tag binds: in the form of RFC 9580
// [RFC9580, 5.13.2], and in that of LibrePGP [Koch23].

import { Aead } from "./cipher.js";
import { concat, octets64 } from "./octets.js";

const NOTHING = new Uint8Array(0);

/** Seals and opens the chunks of one message, in any order. `close` wipes the key. */
export class MessageKey {
  readonly #aead: Aead;
  readonly #nonce: Uint8Array;
  readonly #info: Uint8Array;
  readonly #bindsIndex: boolean;

  /**
   * `nonce` is that of chunk 0; `info` the packet's header, which each tag binds; LibrePGP binds the
   * index in the associated data too. The key may be wiped by the caller afterwards.
   */
  constructor(
    mode: number,
    key: Uint8Array,
    nonce: Uint8Array,
    info: Uint8Array,
    { bindsIndex = false } = {},
  ) {
    this.#aead = new Aead(mode, key);
    this.#nonce = nonce;
    this.#info = info;
    this.#bindsIndex = bindsIndex;
  }

  /** The chunk, encrypted, and its tag. */
  seal(chunk: number, data: Uint8Array): Uint8Array {
    return this.#aead.seal(this.#nonceOf(chunk), this.#chunkInfo(chunk), data);
  }

  /** The chunk out of what `seal` gives; undefined if the tag does not fit. */
  open(chunk: number, sealed: Uint8Array): Uint8Array | undefined {
    return this.#aead.open(this.#nonceOf(chunk), this.#chunkInfo(chunk), sealed);
  }

  /** The tag after the last chunk: it binds their number and the plaintext's length. */
  finalTag(chunks: number, plaintext: number): Uint8Array {
    return this.#aead.seal(this.#nonceOf(chunks), this.#finalInfo(chunks, plaintext), NOTHING);
  }

  isFinalTag(chunks: number, plaintext: number, tag: Uint8Array): boolean {
    const info = this.#finalInfo(chunks, plaintext);
    return this.#aead.open(this.#nonceOf(chunks), info, tag) !== undefined;
  }

  close(): void {
    this.#aead.close();
  }

  /** The index is added to the last eight octets without carry. */
  #nonceOf(chunk: number): Uint8Array {
    const nonce = this.#nonce.slice();
    const low = nonce.subarray(-8);
    octets64(chunk).forEach((octet, i) => {
      low[i] = (low[i] as number) ^ octet;
    });
    return nonce;
  }

  #chunkInfo(chunk: number): Uint8Array {
    return this.#bindsIndex ? concat(this.#info, octets64(chunk)) : this.#info;
  }

  #finalInfo(chunks: number, plaintext: number): Uint8Array {
    return concat(this.#chunkInfo(chunks), octets64(plaintext));
  }
}
