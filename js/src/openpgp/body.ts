// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Packet bodies as streams: of a fixed length where it is known, in parts where it is not. The same
// pair serves the outer (encrypted) and the inner (literal data) packet.

import * as error from "./error.js";
import { concat } from "./octets.js";
import { type Length, lengthOctets, MAX_LENGTH, readLength, tagOctet } from "./packet.js";
import { type Pieces, Reader } from "./reader.js";

/** Our parts have 2^16 octets: one octet of framing each, little to buffer. */
const PART_EXPONENT = 16;
const PART_BYTES = 1 << PART_EXPONENT;
const PARTIAL = 224;

/** Reads the body of one packet, and from the input no octet more. `what` names it where it is cut. */
export async function* readBody(
  input: Reader,
  length: Length,
  what: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  for (let part = length; ; part = await readLength(input)) {
    if (part.kind === "indeterminate") return yield* input.rest();
    for (let left = part.octets; left > 0; ) {
      const piece = await input.piece(left);
      if (!piece) throw error.truncated(what);
      left -= piece.length;
      yield piece;
    }
    if (part.kind === "fixed") return;
  }
}

/** The same with the means to parse it. */
export const bodyReader = (input: Reader, length: Length, what: string): Reader =>
  new Reader(readBody(input, length, what));

/** One packet, header included, of `octets`; in parts if that is unknown or beyond 4 GiB. */
export async function* writePacket(
  packet: number,
  octets: number | undefined,
  body: Pieces,
): AsyncGenerator<Uint8Array, void, undefined> {
  const stated = octets !== undefined && octets <= MAX_LENGTH;
  yield concat([tagOctet(packet)], stated ? lengthOctets(octets) : []);
  const whole = octets === undefined ? body : counted(octets, body);
  yield* stated ? whole : parts(whole);
}

async function* counted(octets: number, body: Pieces): AsyncGenerator<Uint8Array> {
  let left = octets;
  for await (const piece of body) {
    left -= piece.length;
    if (left < 0) throw error.inputChanged();
    yield piece;
  }
  if (left > 0) throw error.inputChanged();
}

/** The last part has a definite length, so a full one is held back until more is known to follow. */
async function* parts(body: Pieces): AsyncGenerator<Uint8Array> {
  const input = new Reader(body);
  while ((await input.fill(PART_BYTES + 1)) > PART_BYTES) {
    yield concat([PARTIAL | PART_EXPONENT], input.take(PART_BYTES));
  }
  const last = input.take(PART_BYTES);
  yield concat(lengthOctets(last.length), last);
}
