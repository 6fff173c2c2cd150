// SPDX-License-Identifier: Apache-2.0 OR MIT

import { type Bytes, type BytesLike, bytesOf } from "../bytes.js";
import { ManyfishError } from "../errors.js";
import type { Slot } from "../library.js";
import { openKey, type Twofish } from "../twofish.js";
import { libraryOf } from "./message.js";

/**
 * XTS [IEEE1619], for sectors of disks: each is encrypted by itself under its number, and keeps its length. Equal data
 * at an equal place gives equal ciphertext; a change goes unnoticed, but garbles 16 bytes. The two keys, Key1 for the
 * data and Key2 for the numbers, must differ; a key of XTS in one piece is Key1, then Key2.
 */
export class Xts {
  readonly #keys: readonly [Twofish, Twofish];
  #state: Slot | undefined;

  constructor(dataKey: Twofish, tweakKey: Twofish) {
    this.#keys = [dataKey, tweakKey];
    const library = libraryOf(this.#keys);
    if (areEqual(dataKey, tweakKey)) {
      throw new ManyfishError("argument", "the two keys of XTS must differ, but they are equal");
    }
    this.#state = library.take(library.sizes.xts, this);
    const { address } = this.#state;
    library.check(
      library.c.mf_xts_init(address, openKey(dataKey).cipher, openKey(tweakKey).cipher),
    );
  }

  /** One sector of 16 bytes to 16 MiB. Its number, or 16 bytes as its tweak. */
  encrypt(sector: number | bigint | BytesLike, text: BytesLike): Bytes {
    return this.#sector("mf_xts_encrypt", sector, text);
  }

  decrypt(sector: number | bigint | BytesLike, text: BytesLike): Bytes {
    return this.#sector("mf_xts_decrypt", sector, text);
  }

  /** Whole sectors of equal length, one after the other; faster than one by one. */
  encryptSectors(first: number | bigint, sectorBytes: number, text: BytesLike): Bytes {
    return this.#sectors("mf_xts_encrypt_sectors", first, sectorBytes, text);
  }

  decryptSectors(first: number | bigint, sectorBytes: number, text: BytesLike): Bytes {
    return this.#sectors("mf_xts_decrypt_sectors", first, sectorBytes, text);
  }

  #open(): Slot {
    libraryOf(this.#keys);
    if (this.#state === undefined) {
      throw new ManyfishError("closed", "this mode was closed; make another one");
    }
    return this.#state;
  }

  #sector(
    name: "mf_xts_encrypt" | "mf_xts_decrypt",
    sector: number | bigint | BytesLike,
    text: BytesLike,
  ): Bytes {
    const { library, address } = this.#open();
    const bytes = bytesOf(text, "the text");
    return library.run([tweakOf(sector), bytes], (tweak, at) => {
      const status = library.c[name](address, tweak, at, at, bytes.length);
      library.check(status, `the sector has ${bytes.length} bytes`);
      return library.copy(at, bytes.length);
    });
  }

  #sectors(
    name: "mf_xts_encrypt_sectors" | "mf_xts_decrypt_sectors",
    first: number | bigint,
    sectorBytes: number,
    text: BytesLike,
  ): Bytes {
    const { library, address } = this.#open();
    const bytes = bytesOf(text, "the text");
    checkSectorBytes(sectorBytes);
    return library.run([bytes], (at) => {
      const number = sectorNumber(first);
      const status = library.c[name](address, number, sectorBytes, at, at, bytes.length);
      library.check(status, `sectors of ${sectorBytes} bytes, ${bytes.length} bytes in all`);
      return library.copy(at, bytes.length);
    });
  }

  /** Forgets the keys, which stay open. */
  close(): void {
    if (this.#state !== undefined) {
      this.#state.library.release(this.#state);
      this.#state = undefined;
    }
  }
}

/** Equal keys encrypt a block to the same; with others that has a chance of 2^-128. */
function areEqual(one: Twofish, other: Twofish): boolean {
  const [a, b] = [one, other].map((key) => key.encryptBlocks(new Uint8Array(16))) as [Bytes, Bytes];
  return a.every((byte, i) => byte === b[i]);
}

/** WebAssembly would take the low 32 bits of an integer near the number. */
function checkSectorBytes(sectorBytes: number): void {
  if (!Number.isInteger(sectorBytes) || sectorBytes < 16 || sectorBytes > 1 << 24) {
    throw new ManyfishError(
      "length",
      `a sector must have 16 to ${1 << 24} bytes, but sectorBytes is ${sectorBytes}`,
    );
  }
}

function sectorNumber(sector: number | bigint): bigint {
  const valid =
    typeof sector === "bigint"
      ? sector >= 0n && sector < 1n << 64n
      : Number.isSafeInteger(sector) && sector >= 0;
  if (!valid) {
    throw new ManyfishError(
      "argument",
      `the number of a sector must be an integer from 0 to 2^64 - 1, but is ${sector}`,
    );
  }
  return BigInt(sector);
}

/** The number of a sector as 16 bytes, little-endian [IEEE1619, 5.1]. */
function tweakOf(sector: number | bigint | BytesLike): Uint8Array {
  if (typeof sector === "number" || typeof sector === "bigint") {
    const tweak = new Uint8Array(16);
    new DataView(tweak.buffer).setBigUint64(0, sectorNumber(sector), true);
    return tweak;
  }
  const tweak = bytesOf(sector, "the tweak");
  if (tweak.length !== 16) {
    throw new ManyfishError("nonce-length", `a tweak must have 16 bytes, but has ${tweak.length}`);
  }
  return tweak;
}
