// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The encrypted packet, version 1 [RFC9580, 5.13.1]: CFB over a random prefix, the packets inside, and
// a SHA-1 of all that, the modification detection code (MDC).
//
// The code stands at the end, so a reader goes over the data twice: `verifyMdc` checks it and remembers
// the hash at each milestone, `openMdc` gives out what it verified, a piece at a time and only while the
// hashes are the same. An attacker who changes the input between the two
// gets an error, and no plaintext.

import { BLOCK_BYTES, CfbDecryption, CfbEncryption, decryptCfb } from "./cipher.js";
import * as error from "./error.js";
import { type Hasher, hashSoFar, sha1 } from "./hash.js";
import { concat, equal, wipe } from "./octets.js";
import { random } from "./random.js";
import type { Pieces, Reader } from "./reader.js";

export const VERSION = 1;
/** A random block, and its last two octets once more. */
export const PREFIX_BYTES = BLOCK_BYTES + 2;
/** Packet type 19, and its length. */
const MDC_HEADER = Uint8Array.of(0xd3, 20);
const MDC_BYTES = MDC_HEADER.length + 20;
/** The octets that the form adds to the packets inside. */
export const OVERHEAD_BYTES = 1 + PREFIX_BYTES + MDC_BYTES;
/** The octets between two milestones. */
const PIECE_BYTES = 1 << 20;
const WHAT = "its modification detection code";

/** Encrypts the packets inside, with the prefix and the code, after the version. */
export async function* sealMdc(
  packets: Pieces,
  key: Uint8Array,
): AsyncGenerator<Uint8Array, void, undefined> {
  const hash = await sha1();
  hash.init();
  const cfb = new CfbEncryption(key);
  const seal = (data: Uint8Array) => {
    hash.update(data);
    return cfb.update(data);
  };
  try {
    const block = random(BLOCK_BYTES);
    yield concat([VERSION], seal(concat(block, block.subarray(-2))));
    for await (const piece of packets) yield seal(piece);
    const header = seal(MDC_HEADER);
    yield concat(header, cfb.update(hash.digest("binary")));
  } finally {
    cfb.close();
  }
}

/** Whether the decrypted prefix repeats its two octets: under a wrong key one in 65,536 does. */
export function isPrefix(key: Uint8Array, prefix: Uint8Array): boolean {
  const plain = decryptCfb(key, prefix);
  const repeats = equal(plain.subarray(-4, -2), plain.subarray(-2));
  wipe(plain);
  return repeats;
}

/** Decrypts and hashes one body after its version. */
class Milestones {
  readonly #input: Reader;
  readonly #cfb: CfbDecryption;
  readonly #sha1: Hasher;

  static async of(input: Reader, key: Uint8Array): Promise<Milestones> {
    const hasher = await sha1();
    hasher.init();
    return new Milestones(input, new CfbDecryption(key), hasher);
  }

  private constructor(input: Reader, cfb: CfbDecryption, sha1: Hasher) {
    this.#input = input;
    this.#cfb = cfb;
    this.#sha1 = sha1;
  }

  /** The next octets that do not belong to the code, and the hash of all up to their end. */
  async next(): Promise<{ data: Uint8Array; hash: Uint8Array } | undefined> {
    const most = (await this.#input.fill(PIECE_BYTES + MDC_BYTES)) - MDC_BYTES;
    if (most <= 0) return undefined;
    const data = this.#cfb.update(this.#input.take(Math.min(most, PIECE_BYTES)));
    this.#sha1.update(data);
    return { data, hash: hashSoFar(this.#sha1) };
  }

  /** The code at the end, where `octets` came before it. */
  async check(octets: number): Promise<void> {
    const sealed = await this.#input.upTo(MDC_BYTES);
    if (octets < PREFIX_BYTES || sealed.length < MDC_BYTES) throw error.truncated(WHAT);
    this.#sha1.update(MDC_HEADER);
    const expected = concat(MDC_HEADER, this.#sha1.digest("binary"));
    if (!equal(expected, this.#cfb.update(sealed))) throw error.wrongOrAltered();
  }

  close(): void {
    this.#cfb.close();
  }
}

/**
 * Reads all of the body after its version, and checks the code. Gives the hash at each milestone. All
 * faults give one error: an attacker who alters messages and sees the answers must not learn more.
 */
export async function verifyMdc(input: Reader, key: Uint8Array): Promise<Uint8Array[]> {
  const milestones = await Milestones.of(input, key);
  const hashes: Uint8Array[] = [];
  let octets = 0;
  try {
    for (let next = await milestones.next(); next; next = await milestones.next()) {
      octets += next.data.length;
      hashes.push(next.hash);
      wipe(next.data);
    }
    await milestones.check(octets);
  } finally {
    milestones.close();
  }
  return hashes;
}

/** Reads the same body again, and gives out the packets inside; never what has another hash now. */
export async function* openMdc(
  input: Reader,
  key: Uint8Array,
  hashes: readonly Uint8Array[],
): AsyncGenerator<Uint8Array, void, undefined> {
  const milestones = await Milestones.of(input, key);
  let prefix = PREFIX_BYTES;
  try {
    for (const expected of hashes) {
      const next = await milestones.next();
      if (!next || !equal(next.hash, expected)) throw error.inputChanged();
      yield next.data.subarray(prefix);
      prefix = Math.max(0, prefix - next.data.length);
    }
    if (await milestones.next()) throw error.inputChanged();
  } finally {
    milestones.close();
  }
}
