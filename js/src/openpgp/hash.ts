// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Argon2id, the hashes, and HKDF over them, by hash-wasm: docs/javascript.md says why that package.

import {
  argon2id,
  createHMAC,
  createSHA1,
  createSHA224,
  createSHA256,
  createSHA384,
  createSHA512,
} from "hash-wasm";
import { Hash } from "./algorithm.js";
import { concat, wipe } from "./octets.js";

/** A hash that takes its data piece by piece. */
export type Hasher = Awaited<ReturnType<typeof createSHA256>>;

const HASHERS: Readonly<Record<number, () => Promise<Hasher>>> = {
  [Hash.SHA1]: createSHA1,
  [Hash.SHA224]: createSHA224,
  [Hash.SHA256]: createSHA256,
  [Hash.SHA384]: createSHA384,
  [Hash.SHA512]: createSHA512,
};

/** A hash by its number; undefined where it is none of SHA-1 and SHA-2. */
export async function hasher(number: number): Promise<Hasher | undefined> {
  return HASHERS[number]?.();
}

export const sha1 = (): Promise<Hasher> => createSHA1();

/** The hash of what went in so far, which may go on. */
export function hashSoFar(hasher: Hasher): Uint8Array {
  const state = hasher.save();
  const digest = hasher.digest("binary");
  hasher.load(state);
  wipe(state);
  return digest;
}

/**
 * Octets out of a key by HKDF with SHA-256 [RFC5869, 2.2, 2.3]. WebCrypto has it too, but not where a
 * page comes by plain HTTP, and this stands on a hash that is here anyway.
 */
export async function hkdf(
  key: Uint8Array,
  salt: Uint8Array,
  info: Uint8Array,
  octets: number,
): Promise<Uint8Array> {
  const extracted = await hmac(salt, key);
  const blocks: Uint8Array[] = [];
  let block: Uint8Array = new Uint8Array(0);
  for (let i = 1; blocks.length * extracted.length < octets; i += 1) {
    block = await hmac(extracted, block, info, Uint8Array.of(i));
    blocks.push(block);
  }
  const all = concat(...blocks);
  const derived = all.slice(0, octets);
  wipe(extracted, all, ...blocks);
  return derived;
}

async function hmac(key: Uint8Array, ...data: readonly Uint8Array[]): Promise<Uint8Array> {
  const hmac = await createHMAC(createSHA256(), key);
  hmac.init();
  for (const piece of data) hmac.update(piece);
  return hmac.digest("binary");
}

/** Argon2id over 2^exponent KiB. Throws where the engine does not give so much memory. */
export function argon2(
  passphrase: Uint8Array,
  cost: Argon2Cost,
  octets: number,
): Promise<Uint8Array> {
  return argon2id({
    password: passphrase,
    salt: cost.salt,
    iterations: cost.passes,
    parallelism: cost.lanes,
    memorySize: 2 ** cost.memoryExponent,
    hashLength: octets,
    outputType: "binary",
  });
}

/** Argon2id with its cost; the memory is 2^exponent KiB [RFC9580, 3.7.1.4]. */
export interface Argon2Cost {
  /** Random, for one message. */
  readonly salt: Uint8Array;
  /** Over all the memory. */
  readonly passes: number;
  /** Of memory, each of which a thread could fill. */
  readonly lanes: number;
  /** The memory is 2 to this, in KiB. */
  readonly memoryExponent: number;
}
