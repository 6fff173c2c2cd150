// SPDX-License-Identifier: Apache-2.0 OR MIT

import { type Bytes, type BytesLike, bytesOf } from "./bytes.js";
import { ManyfishError } from "./errors.js";
import { type Implementation, type Library, library, type Slot } from "./library.js";

export const BLOCK_BYTES = 16;

export interface TwofishOptions {
  /** A name of `kernels()`; without one, the first of them, which is constant-time. */
  kernel?: string | undefined;
  /** For comparisons; without it, what this engine runs fastest. */
  implementation?: Implementation | undefined;
}

/** An open key, as modes need it. */
export interface OpenKey {
  readonly library: Library;
  /** Of its mf_cipher. */
  readonly cipher: number;
}

/** For modes. Throws if the key is closed. */
export let openKey: (key: Twofish) => OpenKey;

/**
 * A key of 16, 24 or 32 bytes, expanded. A block cipher by itself protects nothing: take a mode, best `Ocb`.
 *
 * The expanded key lies in the memory of the library. `close` wipes it; a key that is forgotten is wiped when the
 * engine gets round to it, or never. The bytes that were given are the caller's to wipe.
 */
export class Twofish {
  readonly #library: Library;
  readonly #slot: Slot;
  readonly #cipher: number;
  #closed = false;

  static {
    openKey = (key) => {
      if (!(key instanceof Twofish)) {
        throw new ManyfishError("argument", "the key must be a Twofish: new Twofish(bytes)");
      }
      key.#checkOpen();
      return { library: key.#library, cipher: key.#cipher };
    };
  }

  constructor(key: BytesLike, options: TwofishOptions = {}) {
    const bytes = bytesOf(key, "the key");
    this.#library = library(options.implementation);
    const { c, sizes } = this.#library;
    this.#slot = this.#library.take(sizes.twofish + sizes.cipher, this);
    this.#cipher = this.#slot.address + sizes.twofish;
    try {
      this.#init(bytes, options.kernel);
    } catch (error) {
      this.close();
      throw error;
    }
    c.mf_twofish_cipher(this.#cipher, this.#slot.address);
  }

  #init(key: Uint8Array, kernel: string | undefined): void {
    const { c } = this.#library;
    const name = new TextEncoder().encode(`${kernel ?? ""}\0`);
    const [status] = this.#library.run([key, name], (at, nameAt) => [
      c.mf_twofish_init_kernel(
        this.#slot.address,
        kernel === undefined ? 0 : nameAt,
        at,
        key.length,
      ),
    ]);
    this.#library.check(status, found(status, key.length, kernel));
  }

  /**
   * A key of 0 to 32 bytes padded with zeros to the next of 16, 24 or 32, as the paper defines shorter keys
   * [Twofish98, 4.3.1]. A short key is easily guessed: this is for old data.
   */
  static padKey(key: BytesLike): Bytes {
    const bytes = bytesOf(key, "the key");
    if (bytes.length > 32) {
      throw new ManyfishError("key-length", `a key has at most 32 bytes, but has ${bytes.length}`);
    }
    const padded = new Uint8Array(bytes.length <= 16 ? 16 : bytes.length <= 24 ? 24 : 32);
    padded.set(bytes);
    return padded;
  }

  /** The name of its kernel. */
  get kernel(): string {
    this.#checkOpen();
    const { c } = this.#library;
    return this.#library.text(c.mf_twofish_kernel_name(this.#slot.address));
  }

  /** Encrypts independent blocks of 16 bytes each. */
  encryptBlocks(blocks: BytesLike): Bytes {
    return this.#crypt("mf_twofish_encrypt_blocks", blocks);
  }

  /** Decrypts independent blocks of 16 bytes each. */
  decryptBlocks(blocks: BytesLike): Bytes {
    return this.#crypt("mf_twofish_decrypt_blocks", blocks);
  }

  #crypt(
    name: "mf_twofish_encrypt_blocks" | "mf_twofish_decrypt_blocks",
    blocks: BytesLike,
  ): Bytes {
    this.#checkOpen();
    const bytes = bytesOf(blocks, "the blocks");
    if (bytes.length % BLOCK_BYTES !== 0) {
      throw new ManyfishError(
        "length",
        `blocks have 16 bytes each, but there are ${bytes.length} bytes`,
      );
    }
    const out = new Uint8Array(bytes.length);
    const work = this.#library.c[name];
    this.#library.pieces(out, 0, nothing, bytes, bytes.length, (at, n) =>
      work(this.#slot.address, at, at, n / BLOCK_BYTES),
    );
    return out;
  }

  #checkOpen(): void {
    if (this.#closed) {
      throw new ManyfishError("closed", "the key was closed, and is wiped; make another one");
    }
  }

  /** Wipes the key. Modes that use it throw from then on. */
  close(): void {
    if (!this.#closed) {
      this.#closed = true;
      this.#library.release(this.#slot);
    }
  }
}

export const nothing: Bytes = new Uint8Array(0);

function found(status: number, keyBytes: number, kernel: string | undefined): string {
  return status === 6
    ? `kernel ${JSON.stringify(kernel)}; kernels() lists those that there are`
    : `the key has ${keyBytes} bytes`;
}
