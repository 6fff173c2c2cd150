// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Twofish in the modes of OpenPGP, over the modes of this package. All keys have 32 octets.

import { Cfb, Eax, type MessageStream, Ocb, Twofish } from "../index.js";
import { Mode } from "./algorithm.js";

export const KEY_BYTES = 32;
export const BLOCK_BYTES = 16;
/** A tag of OCB and EAX, always in full [RFC9580, 5.13.2]. */
export const TAG_BYTES = 16;

/** Authenticated encryption under one key, which `close` wipes. */
export class Aead {
  readonly #key: Twofish;
  readonly #mode: Ocb | Eax;

  constructor(mode: number, key: Uint8Array) {
    this.#key = new Twofish(key);
    this.#mode = mode === Mode.EAX ? new Eax(this.#key) : new Ocb(this.#key);
  }

  /** The encrypted text, then its tag. */
  seal(nonce: Uint8Array, info: Uint8Array, text: Uint8Array): Uint8Array {
    return this.#mode.encrypt(nonce, text, info);
  }

  /** The text; undefined if the tag does not fit. */
  open(nonce: Uint8Array, info: Uint8Array, sealed: Uint8Array): Uint8Array | undefined {
    try {
      return this.#mode.decrypt(nonce, sealed, info);
    } catch (failure) {
      if (failure instanceof Error && "code" in failure && failure.code === "tag") return undefined;
      throw failure;
    }
  }

  close(): void {
    this.#mode.close();
    this.#key.close();
  }
}

/** CFB under one key, from an initial block of zeros, piece after piece. */
class CfbStream {
  readonly #key: Twofish;
  readonly #stream: MessageStream;

  constructor(key: Uint8Array, direction: "encryptor" | "decryptor") {
    this.#key = new Twofish(key);
    this.#stream = new Cfb(this.#key)[direction](new Uint8Array(BLOCK_BYTES));
  }

  update(text: Uint8Array): Uint8Array {
    return this.#stream.update(text);
  }

  close(): void {
    this.#stream.close();
    this.#key.close();
  }
}

export class CfbEncryption extends CfbStream {
  constructor(key: Uint8Array) {
    super(key, "encryptor");
  }
}

export class CfbDecryption extends CfbStream {
  constructor(key: Uint8Array) {
    super(key, "decryptor");
  }
}

/** A few octets out of CFB, from an initial block of zeros. */
export function decryptCfb(key: Uint8Array, sealed: Uint8Array): Uint8Array {
  const cfb = new CfbDecryption(key);
  try {
    return cfb.update(sealed);
  } finally {
    cfb.close();
  }
}
