// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The inside of the encrypted packet: the literal data packet [RFC9580, 5.9], which is the file.
// It is written with no name and no date; those of others are read over. Others may have compressed it,
// or signed it; signatures are not checked, but told.

import { isCritical, Packet } from "./algorithm.js";
import { bodyReader, writePacket } from "./body.js";
import { expand } from "./compressed.js";
import * as error from "./error.js";
import { type Header, lengthOctets, MAX_LENGTH, readHeader } from "./packet.js";
import { type Pieces, Reader } from "./reader.js";

/** Format 'b' for binary, a file name of no octets, the date 0. */
const HEADER = Uint8Array.of(0x62, 0, 0, 0, 0, 0);
// m is GnuPG's, for MIME; l and 1 are of RFC 1991.
const FORMATS: readonly (number | undefined)[] = [..."btuml1"].map((letter) =>
  letter.charCodeAt(0),
);
const WHAT = "the literal data";

/** Octets of the whole packet that holds a file; undefined where it comes in parts. */
export function literalBytes(fileBytes: number): number | undefined {
  const body = fileBytes + HEADER.length;
  return body > MAX_LENGTH ? undefined : 1 + lengthOctets(body).length + body;
}

/** The packet that holds a file. */
export function writeLiteral(
  file: Pieces,
  fileBytes: number | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  const bodyBytes = fileBytes === undefined ? undefined : fileBytes + HEADER.length;
  return writePacket(Packet.LITERAL, bodyBytes, withHeader(file));
}

async function* withHeader(file: Pieces): AsyncGenerator<Uint8Array> {
  yield HEADER;
  yield* file;
}

/** The opened file. */
export interface Opened {
  /** Octets of the file. */
  bytes: number;
  /** There is a signature inside, which **was not checked**: this package knows no keys. */
  signed: boolean;
}

/** Gives the file out of the packets inside the encrypted one, up to their end. */
export async function* readFile(
  input: Reader,
  opened: Opened,
  around: number = Packet.SEIPD,
): AsyncGenerator<Uint8Array, void, undefined> {
  let found = false;
  for (let header = await readHeader(input); header; header = await readHeader(input)) {
    const { packet } = header;
    if (packet === Packet.LITERAL && !found) {
      yield* readLiteral(bodyReader(input, header.length, WHAT), opened);
      found = true;
    } else if (packet === Packet.COMPRESSED && !found && around !== Packet.COMPRESSED) {
      yield* readCompressed(bodyReader(input, header.length, "the compressed data"), opened);
      found = true;
    } else if (packet === Packet.ONE_PASS_SIGNATURE || packet === Packet.SIGNATURE) {
      opened.signed = true;
      await skip(input, header, "a signature");
    } else {
      await skipFiller(input, header, found ? "the end of the encrypted data" : "literal data");
    }
  }
  if (!found) throw error.malformed(around, "it holds nothing");
}

async function* readLiteral(body: Reader, opened: Opened): AsyncGenerator<Uint8Array> {
  await skipFileFacts(body);
  for await (const piece of body.rest()) {
    opened.bytes += piece.length;
    yield piece;
  }
}

/** The packets that are compressed in another. One within the other is a trick, not a message. */
async function* readCompressed(body: Reader, opened: Opened): AsyncGenerator<Uint8Array> {
  yield* readFile(new Reader(expand(body)), opened, Packet.COMPRESSED);
  await body.discard();
}

/** Format, name and date: they do not matter here. */
async function skipFileFacts(body: Reader): Promise<void> {
  const [format, nameBytes = 0] = await body.exact(2, WHAT);
  if (!FORMATS.includes(format)) {
    throw error.malformed(Packet.LITERAL, "its format is not b, t, u, m, l or 1");
  }
  await body.exact(nameBytes + 4, WHAT);
}

/** After the message nothing but filler may follow. */
export async function expectEnd(input: Reader): Promise<void> {
  // A read that fails has its own error; octets that are no filler are other data.
  if ((await input.fill(1)) === 0) return;
  try {
    for (let header = await readHeader(input); header; header = await readHeader(input)) {
      await skipFiller(input, header, "the end of the message");
    }
  } catch (failure) {
    throw failure instanceof error.OpenPgpError && failure.code !== "aborted"
      ? error.trailingData()
      : failure;
  }
}

/** Passes over a packet that means nothing; any other is refused by its name. */
export async function skipFiller(input: Reader, header: Header, expected: string): Promise<void> {
  const { packet } = header;
  if (packet !== Packet.MARKER && packet !== Packet.PADDING && isCritical(packet)) {
    throw error.unexpectedPacket(packet, expected);
  }
  await skip(input, header, "a packet without meaning");
}

async function skip(input: Reader, header: Header, what: string): Promise<void> {
  await bodyReader(input, header.length, what).discard();
}
