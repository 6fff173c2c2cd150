// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The encrypted packet of LibrePGP, type 20: chunks with tags, as GnuPG from 2.3 on and RNP write them
// [Koch23]. Only read.

import { Mode, nonceBytes, Packet, TWOFISH_256 } from "./algorithm.js";
import { TAG_BYTES } from "./cipher.js";
import * as error from "./error.js";
import { MessageKey } from "./message-key.js";
import { wipe } from "./octets.js";
import { tagOctet } from "./packet.js";
import type { Reader } from "./reader.js";
import { chunkBytes, MAX_CHUNK_OCTET } from "./seipd.js";

const VERSION = 1;
const WHAT = "the encrypted data";

/** The packet's fields before the first chunk. */
export interface AeadData {
  readonly cipher: number;
  readonly mode: number;
  /** As it stands in the packet: a chunk has 2^(octet + 6) octets of plaintext. */
  readonly chunkOctet: number;
  /** That of the first chunk. */
  readonly nonce: Uint8Array;
}

/** Reads the packet's header. A mode without a name has no known length of its nonce. */
export async function readAeadData(input: Reader): Promise<AeadData> {
  const [version = 0, cipher = 0, mode = 0] = await input.exact(3, WHAT);
  if (version !== VERSION) throw error.version(Packet.AEAD, version);
  const nonceLength = nonceBytes(mode);
  if (nonceLength === undefined) throw error.unknownMode("message", mode);
  const rest = (await input.exact(1 + nonceLength, WHAT)).slice();
  const chunkOctet = rest[0] as number;
  if (chunkOctet > MAX_CHUNK_OCTET) {
    throw error.malformed(Packet.AEAD, "its chunk size is above 4 MiB");
  }
  return { cipher, mode, chunkOctet, nonce: rest.subarray(1) };
}

/** Octets of the packet's body before the first chunk. */
export const headerBytes = (header: AeadData): number => 4 + header.nonce.length;

/** Whether this program can open it. */
export function checkAeadData({ cipher, mode }: AeadData): void {
  if (cipher !== TWOFISH_256) throw error.otherCipherOlder("message", cipher);
  if (mode !== Mode.OCB && mode !== Mode.EAX) throw error.unknownMode("message", mode);
}

/** The key of the chunks, which is the session key itself. */
export function aeadMessageKey(header: AeadData, sessionKey: Uint8Array): MessageKey {
  const { cipher, mode, chunkOctet, nonce } = header;
  const info = Uint8Array.of(tagOctet(Packet.AEAD), VERSION, cipher, mode, chunkOctet);
  return new MessageKey(mode, sessionKey, nonce, info, { bindsIndex: true });
}

/** How much of the chunks `aeadOpens` wants to see. */
export const beginningBytes = (header: AeadData): number =>
  chunkBytes(header.chunkOctet) + 2 * TAG_BYTES;

/** Whether the beginning of the chunks, up to the first one and two tags, opens under this key. */
export function aeadOpens(
  header: AeadData,
  sessionKey: Uint8Array,
  beginning: Uint8Array,
): boolean {
  const key = aeadMessageKey(header, sessionKey);
  try {
    const first = beginning.subarray(0, Math.max(0, beginning.length - TAG_BYTES));
    if (first.length < TAG_BYTES) {
      return beginning.length === TAG_BYTES && key.isFinalTag(0, 0, beginning);
    }
    const chunk = key.open(0, first.subarray(0, chunkBytes(header.chunkOctet) + TAG_BYTES));
    wipe(chunk);
    return chunk !== undefined;
  } finally {
    key.close();
  }
}
