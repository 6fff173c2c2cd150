// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The encrypted packet, version 2 [RFC9580, 5.13.2]: its header, the key and nonces of one message, and
// the arithmetic of its chunks.

import { Mode, Packet, TWOFISH_256 } from "./algorithm.js";
import { KEY_BYTES, TAG_BYTES } from "./cipher.js";
import * as error from "./error.js";
import { hkdf } from "./hash.js";
import { MessageKey } from "./message-key.js";
import { concat, wipe } from "./octets.js";
import { tagOctet } from "./packet.js";
import type { Reader } from "./reader.js";

export const VERSION = 2;
export const SALT_BYTES = 32;
/** The fields before the first chunk: version, cipher, mode, chunk size, salt. */
export const HEADER_BYTES = 4 + SALT_BYTES;
/** The nonce is this much of the derived octets, then the chunk's index in eight octets. */
const IV_BYTES = 7;
/** That of 4 MiB, the most that a reader must take [RFC9580, 5.13.2]. */
export const MAX_CHUNK_OCTET = 16;

/** The packet's fields before the first chunk. */
export interface SeipdV2 {
  readonly cipher: number;
  readonly mode: number;
  /** As it stands in the packet: a chunk has 2^(octet + 6) octets of plaintext. */
  readonly chunkOctet: number;
  /** Makes a fresh key of the session key. */
  readonly salt: Uint8Array;
}

export const chunkBytes = (chunkOctet: number): number => 2 ** (chunkOctet + 6);

/** As the packet has a chunk size; refuses what is no power of two from 64 to 4 MiB. */
export function chunkOctet(bytes: number): number {
  const octet = Math.log2(bytes) - 6;
  if (Number.isInteger(octet) && octet >= 0 && octet <= MAX_CHUNK_OCTET) return octet;
  throw error.argument(
    `chunkBytes must be a power of two from 64 to ${chunkBytes(MAX_CHUNK_OCTET)}, found ${bytes}`,
  );
}

/** Octets of the packet's body that hold `plaintext` octets. */
export const bodyBytes = (chunk: number, plaintext: number): number =>
  HEADER_BYTES + plaintext + TAG_BYTES * (Math.ceil(plaintext / chunk) + 1);

/** Chunks and plaintext octets of a body of this length; undefined where no message has it. */
export function plaintextOf(
  chunk: number,
  bodyBytes: number,
  headerBytes: number,
): { chunks: number; bytes: number } | undefined {
  const sealed = bodyBytes - headerBytes - TAG_BYTES;
  const last = sealed % (chunk + TAG_BYTES);
  if (sealed < 0 || (last > 0 && last <= TAG_BYTES)) return undefined;
  const chunks = Math.ceil(sealed / (chunk + TAG_BYTES));
  return { chunks, bytes: sealed - chunks * TAG_BYTES };
}

/** Reads what follows the version octet. */
export async function readSeipdV2(input: Reader): Promise<SeipdV2> {
  const what = "the header of the encrypted data";
  const [cipher = 0, mode = 0, chunkOctet = 0] = await input.exact(3, what);
  const salt = (await input.exact(SALT_BYTES, what)).slice();
  if (chunkOctet > MAX_CHUNK_OCTET) {
    throw error.malformed(Packet.SEIPD, "its chunk size is above 4 MiB");
  }
  return { cipher, mode, chunkOctet, salt };
}

export const seipdOctets = (header: SeipdV2): Uint8Array =>
  concat(info(header).subarray(1), header.salt);

/** The fields that HKDF and each tag bind: packet, version, cipher, mode, chunk size. */
const info = ({ cipher, mode, chunkOctet }: SeipdV2): Uint8Array =>
  Uint8Array.of(tagOctet(Packet.SEIPD), VERSION, cipher, mode, chunkOctet);

/** The one suite that can be opened; any other is refused by its name. */
export function requireTwofishOcb(what: string, cipher: number, mode: number): void {
  if (cipher !== TWOFISH_256) throw error.otherCipherNewer(what, cipher);
  if (mode !== Mode.OCB) throw error.otherMode(what, mode);
}

/** Key and nonces of this message, whose suite was found good; a fresh salt makes them fresh. */
export async function messageKey(header: SeipdV2, sessionKey: Uint8Array): Promise<MessageKey> {
  const derived = await hkdf(sessionKey, header.salt, info(header), KEY_BYTES + IV_BYTES);
  const nonce = concat(derived.subarray(KEY_BYTES), new Uint8Array(8));
  try {
    return new MessageKey(header.mode, derived.subarray(0, KEY_BYTES), nonce, info(header));
  } finally {
    wipe(derived);
  }
}
