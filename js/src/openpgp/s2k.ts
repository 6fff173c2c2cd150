// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// String to key: how a passphrase becomes a key [RFC9580, 3.7]. Argon2id is written, and in the older form
// an iterated hash; the others are read, the weak ones only in the older forms.

import { Hash } from "./algorithm.js";
import { KEY_BYTES } from "./cipher.js";
import * as error from "./error.js";
import { type Argon2Cost, argon2, hasher } from "./hash.js";
import { concat, wipe } from "./octets.js";
import type { Fields } from "./reader.js";

/** The most memory that there is, 1 GiB: hash-wasm stops short of 2 GiB. */
const ARGON2_MAX_EXPONENT = 20;
/** The octets that an iterated hash takes at a time, about. */
const PIECE_BYTES = 8192;

/** How a passphrase becomes a key [RFC9580, 3.7.1]. */
export type S2k =
  | { readonly kind: "simple"; readonly hash: number }
  | { readonly kind: "salted"; readonly hash: number; readonly salt: Uint8Array }
  | {
      readonly kind: "iterated";
      readonly hash: number;
      readonly salt: Uint8Array;
      /** As it stands in the packet; `iteratedOctets` decodes it. */
      readonly count: number;
    }
  | ({ readonly kind: "argon2" } & Argon2Cost)
  | { readonly kind: "unknown"; readonly number: number };

/** Parses a specifier. */
export function parseS2k(fields: Fields): S2k {
  const number = fields.octet();
  switch (number) {
    case 0:
      return { kind: "simple", hash: fields.octet() };
    case 1:
      return { kind: "salted", hash: fields.octet(), salt: fields.take(8) };
    case 3:
      return {
        kind: "iterated",
        hash: fields.octet(),
        salt: fields.take(8),
        count: fields.octet(),
      };
    case 4:
      return {
        kind: "argon2",
        salt: fields.take(16),
        passes: fields.octet(),
        lanes: fields.octet(),
        memoryExponent: fields.octet(),
      };
    default:
      fields.rest();
      return { kind: "unknown", number };
  }
}

/** An iterated hash at the highest cost that there is. */
export const iterated = (salt: Uint8Array): S2k & { kind: "iterated" } => ({
  kind: "iterated",
  hash: Hash.SHA256,
  salt,
  count: 255,
});

/** The specifier of an iterated hash. */
export const iteratedSpecifier = ({ hash, salt, count }: S2k & { kind: "iterated" }): Uint8Array =>
  concat([3, hash], salt, [count]);

/** The specifier of Argon2. */
export const argon2Octets = (cost: Argon2Cost): Uint8Array =>
  concat([4], cost.salt, [cost.passes, cost.lanes, cost.memoryExponent]);

/** Refuses what RFC 9580 forbids beside its own packets [RFC9580, 3.7.1.1, 3.7.2.1, 9.5]. */
export function refuseWeak(s2k: S2k): void {
  if (s2k.kind === "simple") throw error.s2kSimple();
  if (s2k.kind !== "salted" && s2k.kind !== "iterated") return;
  if (s2k.hash === Hash.SHA1 || s2k.hash === Hash.RIPEMD160) throw error.s2kHash(s2k.hash);
}

/** How many digests make a key, of the hashes that are computed here. */
function digests(hash: number): number | undefined {
  if (hash === Hash.SHA1 || hash === Hash.SHA224) return 2;
  return hash === Hash.SHA256 || hash === Hash.SHA384 || hash === Hash.SHA512 ? 1 : undefined;
}

/** Refuses what this program cannot compute. */
export function checkS2k(s2k: S2k): void {
  if (s2k.kind === "unknown") throw error.s2kType(s2k.number);
  if (s2k.kind === "argon2") checkCost(s2k);
  else if (s2k.hash === Hash.RIPEMD160) throw error.legacyHash();
  else if (digests(s2k.hash) === undefined) throw error.s2kHash(s2k.hash);
}

/** Microseconds of an ordinary core for a KiB, by what is done with it. */
const ARGON2_MICROS = 1;
const HASH_MICROS = 4;

/** Its cost, where `checkS2k` finds it good. One hash of a passphrase counts as nothing. */
export function costOf(s2k: S2k): { readonly memory: number; readonly micros: number } {
  if (s2k.kind === "iterated") {
    const octets = (digests(s2k.hash) ?? 0) * iteratedOctets(s2k.count);
    return { memory: 0, micros: Math.ceil((octets * HASH_MICROS) / 1024) };
  }
  if (s2k.kind !== "argon2") return { memory: 0, micros: 0 };
  const kib = 2 ** s2k.memoryExponent;
  return { memory: kib * 1024, micros: kib * s2k.passes * ARGON2_MICROS };
}

/** The key for Twofish-256. Takes as long as the specifier asks for. */
export async function deriveKey(s2k: S2k, passphrase: Uint8Array): Promise<Uint8Array> {
  switch (s2k.kind) {
    case "simple":
      return hashed(s2k.hash, new Uint8Array(0), passphrase, 0);
    case "salted":
      return hashed(s2k.hash, s2k.salt, passphrase, 0);
    case "iterated":
      return hashed(s2k.hash, s2k.salt, passphrase, iteratedOctets(s2k.count));
    case "argon2":
      return deriveArgon2(s2k, passphrase);
    case "unknown":
      throw error.s2kType(s2k.number);
  }
}

/** How many octets an iterated specifier hashes, decoded [RFC9580, 3.7.1.3]: at most 62 MiB. */
export const iteratedOctets = (count: number): number => (16 + (count & 15)) << ((count >> 4) + 6);

async function deriveArgon2(cost: Argon2Cost, passphrase: Uint8Array): Promise<Uint8Array> {
  requireMemory(cost);
  try {
    return await argon2(passphrase, cost, KEY_BYTES);
  } catch (failure) {
    // After the checks only the memory can be missing; the engines have different errors for that.
    if (failure instanceof RangeError || failure instanceof WebAssembly.RuntimeError) {
      throw error.outOfMemory(mib(cost.memoryExponent));
    }
    throw failure;
  }
}

/** Refuses what this package cannot do, whatever is allowed. */
export function requireMemory({ memoryExponent }: Pick<Argon2Cost, "memoryExponent">): void {
  if (memoryExponent > ARGON2_MAX_EXPONENT) {
    throw error.argon2Memory(mib(memoryExponent), mib(ARGON2_MAX_EXPONENT));
  }
}

/** Refuses the settings that are none. */
export function checkCost({ passes, lanes, memoryExponent }: Argon2Cost): void {
  if (memoryExponent > 31) throw error.argon2("the memory is above 2^31 KiB");
  if (passes === 0) throw error.argon2("it makes no pass");
  if (lanes === 0) throw error.argon2("it has no lane");
  if (2 ** memoryExponent < 8 * lanes) throw error.argon2("the memory is below 8 KiB a lane");
}

const mib = (exponent: number): number => Math.floor(2 ** (exponent - 10));

/**
 * Hashes salt and passphrase over and over, `octets` in all but at least once each. Where one digest is
 * too short for the key, further ones follow, preloaded with zeros [RFC9580, 3.7.1.1].
 */
async function hashed(
  number: number,
  salt: Uint8Array,
  passphrase: Uint8Array,
  octets: number,
): Promise<Uint8Array> {
  const hash = await hasher(number);
  if (!hash) throw error.s2kHash(number);
  const length = salt.length + passphrase.length;
  const total = Math.max(octets, length);
  const unit = repeated(concat(salt, passphrase), Math.ceil(Math.min(total, PIECE_BYTES) / length));
  const key = new Uint8Array(KEY_BYTES);
  for (let at = 0, zeros = 0; at < key.length; zeros += 1) {
    hash.init();
    hash.update(new Uint8Array(zeros));
    for (let left = total; left > 0; left -= unit.length) hash.update(unit.subarray(0, left));
    const digest = hash.digest("binary");
    key.set(digest.subarray(0, key.length - at), at);
    at += digest.length;
    wipe(digest);
  }
  wipe(unit);
  return key;
}

/** `once`, repeated; wipes `once`. */
function repeated(once: Uint8Array, times: number): Uint8Array {
  const all = new Uint8Array(once.length * times);
  for (let i = 0; i < times; i += 1) all.set(once, i * once.length);
  wipe(once);
  return all;
}
