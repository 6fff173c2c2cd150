// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The chunks of an encrypted packet as streams [RFC9580, 5.13.2]: `sealChunks` encrypts, `openChunks`
// decrypts. The memory is bounded.

import { TAG_BYTES } from "./cipher.js";
import * as error from "./error.js";
import type { MessageKey } from "./message-key.js";
import { concat } from "./octets.js";
import { type Pieces, Reader } from "./reader.js";

/** Small chunks travel together, up to this many octets, so that handing them over costs little. */
const BATCH_BYTES = 256 * 1024;

const chunksInBatch = (chunk: number): number => Math.max(1, Math.floor(BATCH_BYTES / chunk));

/** Encrypts a stream: each chunk with its tag, then the final tag. */
export async function* sealChunks(
  plaintext: Pieces,
  chunk: number,
  key: MessageKey,
): AsyncGenerator<Uint8Array, void, undefined> {
  const input = new Reader(plaintext);
  const batch = chunk * chunksInBatch(chunk);
  let octets = 0;
  while ((await input.fill(batch)) > 0) {
    const sealed: Uint8Array[] = [];
    for (const data of slices(input.take(batch), chunk)) {
      sealed.push(key.seal(Math.floor(octets / chunk), data));
      octets += data.length;
    }
    yield together(sealed);
  }
  yield key.finalTag(Math.ceil(octets / chunk), octets);
}

/**
 * Decrypts the body of a packet after its header. Gives out only octets whose chunk's tag has been
 * verified; its end means that the final tag has been verified too.
 */
export async function* openChunks(
  input: Reader,
  chunk: number,
  key: MessageKey,
): AsyncGenerator<Uint8Array, void, undefined> {
  const stride = chunk + TAG_BYTES;
  const batch = stride * chunksInBatch(chunk);
  let [chunks, octets] = [0, 0];
  for (;;) {
    // The last octets may be the final tag, so that many are held back.
    const sealed = (await input.fill(batch + TAG_BYTES)) - TAG_BYTES;
    if (sealed < 0) throw error.truncated("its final tag");
    if (sealed === 0) break;
    const { opened, failure } = openBatch(input.take(Math.min(sealed, batch)), stride, chunks, key);
    chunks += opened.length;
    octets += opened.reduce((sum, data) => sum + data.length, 0);
    if (opened.length > 0) yield together(opened);
    if (failure) throw failure;
  }
  if (!key.isFinalTag(chunks, octets, input.take(TAG_BYTES))) throw error.alteredEnd();
}

/** The chunks up to the first that does not open, and its error. */
function openBatch(
  batch: Uint8Array,
  stride: number,
  first: number,
  key: MessageKey,
): { opened: Uint8Array[]; failure?: Error } {
  const opened: Uint8Array[] = [];
  for (const sealed of slices(batch, stride)) {
    const index = first + opened.length;
    if (sealed.length < TAG_BYTES) return { opened, failure: error.alteredEnd() };
    const data = key.open(index, sealed);
    if (!data) return { opened, failure: error.alteredChunk(index, index * (stride - TAG_BYTES)) };
    opened.push(data);
  }
  return { opened };
}

function* slices(data: Uint8Array, size: number): Generator<Uint8Array, void, undefined> {
  for (let at = 0; at < data.length; at += size) yield data.subarray(at, at + size);
}

/** A copy only where there is more than one. */
const together = (pieces: readonly Uint8Array[]): Uint8Array =>
  pieces.length === 1 ? (pieces[0] as Uint8Array) : concat(...pieces);
