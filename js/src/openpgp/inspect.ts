// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The content of a message, as far as it shows without a key: its packets one by one. Also for messages that
// cannot be opened here, and for those that are cut off.

import { type AeadData, headerBytes, readAeadData } from "./aead.js";
import { Packet, packetName } from "./algorithm.js";
import { dearmor } from "./armor.js";
import { readBody } from "./body.js";
import * as error from "./error.js";
import { checkOptions, type Input, Source } from "./input.js";
import { askedBy, type Limits } from "./limits.js";
import * as mdc from "./mdc.js";
import { concat } from "./octets.js";
import { type Header, type Length, readHeader } from "./packet.js";
import { pieces, Reader } from "./reader.js";
import * as seipd from "./seipd.js";
import { parseSkesk, type Skesk } from "./skesk.js";

/** Enough for every field that is shown; the rest of a body is only counted. */
const HEAD_BYTES = 1024;
/** A file of tiny packets fills neither memory nor screen; the others are counted. */
const MAX_PACKETS = 1000;

/** Errors that say nothing about the message. */
const NOT_OF_FORMAT: readonly error.ErrorCode[] = ["aborted", "argument", "input"];

/** The packets found, and the error at which the reading stopped, if any. */
export interface Report {
  /** The message was text. */
  armored: boolean;
  /** In their order; up to a thousand. */
  packets: PacketReport[];
  /** Packets that were read, but are beyond what is listed. */
  unlisted: number;
  /** Octets that were read, without armor. */
  bytes: number;
  /** The cost of trying a passphrase on all packets for passphrases together. */
  asksFor: Limits;
  /** Why the reading stopped before the end. */
  error?: error.OpenPgpError;
}

/** A packet, as far as it was there. */
export interface PacketReport {
  /** Of the header, in the octets without armor. */
  offset: number;
  /** Its type. */
  packet: number;
  /** Type and number, such as "literal data (11)". */
  name: string;
  /** How its header states the length. */
  length: Length;
  /** Octets of the body that are there. */
  bodyBytes: number;
  /** The body is all there. */
  complete: boolean;
  /** Its fields. */
  content: Content;
  /** Chunks and octets inside a complete packet of encrypted data, where its length is that of some; the
   * older form is one piece. */
  plaintext?: { chunks: number; bytes: number };
}

/** The visible part of a packet. */
export type Content =
  /** A session key under a passphrase. */
  | { kind: "skesk"; skesk: Skesk }
  /** A session key under a public key. */
  | { kind: "pkesk"; version: number }
  /** Encrypted data in chunks. */
  | { kind: "seipd-v2"; header: seipd.SeipdV2 }
  /** Encrypted data of the older form. */
  | { kind: "seipd-v1" }
  /** Encrypted data in chunks, as LibrePGP has them. */
  | { kind: "aead"; header: AeadData }
  /** Any other encrypted data, by its version if it has one. */
  | { kind: "encrypted"; version?: number }
  /** A packet whose fields are of no interest here. */
  | { kind: "other" }
  /** Too short or contradictory for its type. */
  | { kind: "malformed"; error: error.OpenPgpError };

/**
 * Lists the packets of `input`, of which all is read.
 *
 * @throws OpenPgpError where not even the first packet can be read, with the code "aborted" if
 * `options.signal` says so, and whatever the input fails with.
 */
export async function inspect(
  input: Input,
  options: { signal?: AbortSignal } = {},
): Promise<Report> {
  checkOptions(options);
  const source = new Source(input, options);
  try {
    return await report(source);
  } finally {
    source.close();
  }
}

async function report(source: Source): Promise<Report> {
  const { isArmored, octets } = await dearmor(new Reader(source.read()));
  const input = new Reader(octets);
  const asksFor = { memory: 0, work: 0 };
  const found: Report = { armored: isArmored, packets: [], unlisted: 0, bytes: 0, asksFor };
  try {
    for (let more = true; more; ) more = await readPacket(input, found);
  } catch (failure) {
    const isFormat = failure instanceof error.OpenPgpError && !NOT_OF_FORMAT.includes(failure.code);
    if (!isFormat || found.packets.length === 0) throw failure;
    found.error = failure;
  }
  found.bytes = input.position;
  found.asksFor = asksForOf(found.packets.map(({ content }) => content));
  return found;
}

function asksForOf(contents: readonly Content[]): Limits {
  const skesks = contents.flatMap((content) => (content.kind === "skesk" ? [content.skesk] : []));
  const data = contents.find((content) => content.kind === "aead");
  return askedBy(skesks, data?.kind === "aead" ? data.header : undefined);
}

/** Lists one packet more, also where its body ends in an error; false at the end. */
async function readPacket(input: Reader, found: Report): Promise<boolean> {
  const offset = input.position;
  const header = await readHeader(input);
  if (!header) return false;
  const head: Uint8Array[] = [];
  const body = { bytes: 0, complete: false };
  try {
    for await (const piece of readBody(input, header.length, "its last packet")) {
      if (body.bytes < HEAD_BYTES) head.push(piece.slice(0, HEAD_BYTES - body.bytes));
      body.bytes += piece.length;
    }
    body.complete = true;
  } finally {
    if (found.packets.length === MAX_PACKETS) found.unlisted += 1;
    else found.packets.push(await packetReport(header, offset, body, concat(...head)));
  }
  return true;
}

async function packetReport(
  { packet, length }: Header,
  offset: number,
  { bytes, complete }: { bytes: number; complete: boolean },
  head: Uint8Array,
): Promise<PacketReport> {
  const content = await contentOf(packet, head).catch((failure: error.OpenPgpError): Content => {
    return { kind: "malformed", error: failure };
  });
  const plaintext = complete ? plaintextOf(content, bytes) : undefined;
  const name = packetName(packet);
  const all = { offset, packet, name, length, bodyBytes: bytes, complete, content };
  return plaintext ? { ...all, plaintext } : all;
}

async function contentOf(packet: number, head: Uint8Array): Promise<Content> {
  const fields = new Reader(pieces(head));
  switch (packet) {
    case Packet.SKESK:
      return { kind: "skesk", skesk: parseSkesk(head) };
    case Packet.PKESK:
      return { kind: "pkesk", version: await firstOctet(packet, fields) };
    case Packet.SED:
      return { kind: "encrypted" };
    case Packet.AEAD:
      return { kind: "aead", header: await readAeadData(fields) };
    case Packet.SEIPD:
      return seipdContent(await firstOctet(packet, fields), fields);
    default:
      return { kind: "other" };
  }
}

async function seipdContent(version: number, fields: Reader): Promise<Content> {
  if (version === mdc.VERSION) return { kind: "seipd-v1" };
  if (version !== seipd.VERSION) return { kind: "encrypted", version };
  return { kind: "seipd-v2", header: await seipd.readSeipdV2(fields) };
}

async function firstOctet(packet: number, fields: Reader): Promise<number> {
  const octet = await fields.octet();
  if (octet === undefined) throw error.malformed(packet, "it is too short");
  return octet;
}

function plaintextOf(
  content: Content,
  bodyBytes: number,
): { chunks: number; bytes: number } | undefined {
  switch (content.kind) {
    case "seipd-v2": {
      const chunk = seipd.chunkBytes(content.header.chunkOctet);
      return seipd.plaintextOf(chunk, bodyBytes, seipd.HEADER_BYTES);
    }
    case "aead": {
      const chunk = seipd.chunkBytes(content.header.chunkOctet);
      return seipd.plaintextOf(chunk, bodyBytes, headerBytes(content.header));
    }
    case "seipd-v1": {
      const bytes = bodyBytes - mdc.OVERHEAD_BYTES;
      return bytes < 0 ? undefined : { chunks: 1, bytes };
    }
    default:
      return undefined;
  }
}
