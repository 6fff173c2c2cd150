// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Packet headers [RFC9580, 4.2]: the old and the new format read, the new one written.

import { Packet } from "./algorithm.js";
import * as error from "./error.js";
import { concat, number } from "./octets.js";
import type { Reader } from "./reader.js";

/** How a header states the length of the body. */
export type Length =
  /** This many octets. */
  | { readonly kind: "fixed"; readonly octets: number }
  /** The first part has this many octets, another length follows it [RFC9580, 4.2.1.4]. */
  | { readonly kind: "partial"; readonly octets: number }
  /** The old format's "until the end of the input" [RFC9580, 4.2.2.4]. */
  | { readonly kind: "indeterminate" };

export interface Header {
  /** The packet's type. */
  readonly packet: number;
  readonly length: Length;
}

const ALWAYS_SET = 0x80;
const NEW_FORMAT = 0x40;
const HEADER = "a packet header";
/** Octets that state the length, by the old format's two bits. */
const OLD_LENGTHS = [1, 2, 4];
/** Only data packets may come in parts or without a length [RFC9580, 4.2.1.4]. */
const DATA: readonly number[] = [
  Packet.LITERAL,
  Packet.COMPRESSED,
  Packet.SED,
  Packet.SEIPD,
  Packet.AEAD,
];

/** The first octet of a packet in the new format; it also stands in the associated data. */
export const tagOctet = (packet: number): number => ALWAYS_SET | NEW_FORMAT | packet;

/** The next header, or undefined where the input ends before it. */
export async function readHeader(input: Reader): Promise<Header | undefined> {
  const tag = await input.octet();
  if (tag === undefined) return undefined;
  if ((tag & ALWAYS_SET) === 0) {
    const octet = tag.toString(16).padStart(2, "0");
    throw error.notOpenPgp(`the octet 0x${octet}, expected a packet header`);
  }
  const isNew = (tag & NEW_FORMAT) !== 0;
  const packet = isNew ? tag & 0x3f : (tag >> 2) & 0x0f;
  const length = isNew ? await readLength(input) : await readOldLength(input, tag & 3);
  return checked({ packet, length });
}

function checked(header: Header): Header {
  const { packet, length } = header;
  if (packet === 0) throw error.malformed(packet, "this type is reserved");
  if (length.kind !== "fixed" && !DATA.includes(packet)) {
    throw error.malformed(packet, "it must have a definite length");
  }
  if (length.kind === "partial" && length.octets < 512) {
    throw error.malformed(packet, "its first part is below 512 octets");
  }
  return header;
}

/** A length in the new format: at the front of a packet, and of each further part [RFC9580, 4.2.1]. */
export async function readLength(input: Reader): Promise<Length> {
  const first = await readNumber(input, 1);
  if (first < 192) return fixed(first);
  if (first < 224) return fixed(((first - 192) << 8) + (await readNumber(input, 1)) + 192);
  if (first < 255) return { kind: "partial", octets: 2 ** (first & 0x1f) };
  return fixed(await readNumber(input, 4));
}

async function readOldLength(input: Reader, kind: number): Promise<Length> {
  const octets = OLD_LENGTHS[kind];
  return octets ? fixed(await readNumber(input, octets)) : { kind: "indeterminate" };
}

const fixed = (octets: number): Length => ({ kind: "fixed", octets });

async function readNumber(input: Reader, octets: number): Promise<number> {
  return number(await input.exact(octets, HEADER));
}

/** The most that a definite length states. */
export const MAX_LENGTH = 2 ** 32 - 1;

/** A definite length in its shortest form. */
export function lengthOctets(length: number): Uint8Array {
  if (length < 192) return Uint8Array.of(length);
  if (length < 8384) return Uint8Array.of(((length - 192) >> 8) + 192, (length - 192) & 255);
  return concat(
    [255],
    [24, 16, 8, 0].map((shift) => (length >>> shift) & 255),
  );
}
