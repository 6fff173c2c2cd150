// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// ASCII armor [RFC9580, 6]: written without a checksum, which the standard forbids for messages like
// ours [RFC9580, 6.1]; with one in the older form, where GnuPG 2.2 wants it. The checksum of others is read
// over, since the tags protect everything.

import * as error from "./error.js";
import { concat, equal } from "./octets.js";
import { type Pieces, Reader } from "./reader.js";

const BEGIN = "-----BEGIN PGP MESSAGE-----";
const END = "-----END PGP MESSAGE-----";
const ANY_BEGIN = /^-----BEGIN PGP (.*)-----$/;
const UTF8_MARK = Uint8Array.of(0xef, 0xbb, 0xbf);
/** 64 characters, as PEM has it; the standard allows up to 76. */
const LINE_OCTETS = 48;
/** Lines that are written, or read, at a time. */
const LINES = 1024;
/** Lines in which we look for a misplaced beginning. */
const SEARCHED_LINES = 1000;
/** Longer lines are not armor; reading stops there, whatever the input's size. */
const MAX_LINE = 4096;

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const CHARACTERS = ascii(ALPHABET);
const PAD = 0x3d;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const NO_VALUE = 255;
/** The value of each character, by its code. */
const VALUES = new Uint8Array(256).fill(NO_VALUE);
CHARACTERS.forEach((character, value) => {
  VALUES[character] = value;
});

const CRC_START = 0xb704ce;
const CRC_POLYNOMIAL = 0x1864cfb;
const CRC_OF_OCTET = Uint32Array.from({ length: 256 }, (_, octet) => {
  let crc = octet << 16;
  for (let bit = 0; bit < 8; bit += 1) crc = (crc << 1) ^ (crc & 0x800000 ? CRC_POLYNOMIAL : 0);
  return crc;
});

function ascii(text: string): Uint8Array {
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

/** Armors a message. */
export async function* writeArmor(
  message: Pieces,
  checksum = false,
): AsyncGenerator<Uint8Array, void, undefined> {
  yield ascii(`${BEGIN}\n\n`);
  const input = new Reader(message);
  const most = LINES * LINE_OCTETS;
  let crc = CRC_START;
  while ((await input.fill(most)) > 0) {
    const octets = input.take(most);
    if (checksum) crc = crc24(crc, octets);
    yield encode(octets);
  }
  if (checksum) yield concat([PAD], encode(Uint8Array.of(crc >> 16, crc >> 8, crc)));
  yield ascii(`${END}\n`);
}

/** Goes on with a checksum of 24 bits [RFC9580, 6.1.1]. */
function crc24(start: number, octets: Uint8Array): number {
  let crc = start;
  for (const octet of octets) {
    crc = ((crc << 8) & 0xffffff) ^ (CRC_OF_OCTET[(crc >> 16) ^ octet] as number);
  }
  return crc;
}

/** Lines of base64; only the last may be shorter, and padded. */
function encode(octets: Uint8Array): Uint8Array {
  const lines = Math.ceil(octets.length / LINE_OCTETS);
  const text = new Uint8Array(Math.ceil(octets.length / 3) * 4 + lines);
  let at = 0;
  for (let from = 0; from < octets.length; from += LINE_OCTETS) {
    at = encodeLine(octets.subarray(from, from + LINE_OCTETS), text, at);
    text[at++] = LINE_FEED;
  }
  return text;
}

/** Octets as groups of four characters. Octets beyond the end count as zeros. */
function encodeLine(octets: Uint8Array, text: Uint8Array, to: number): number {
  let at = to;
  for (let i = 0; i < octets.length; i += 3) {
    const bits = ((octets[i] as number) << 16) | ((octets[i + 1] ?? 0) << 8) | (octets[i + 2] ?? 0);
    text[at++] = CHARACTERS[bits >> 18] as number;
    text[at++] = CHARACTERS[(bits >> 12) & 63] as number;
    text[at++] = CHARACTERS[(bits >> 6) & 63] as number;
    text[at++] = CHARACTERS[bits & 63] as number;
  }
  const padding = 2 - ((octets.length + 2) % 3);
  return text.fill(PAD, at - padding, at) && at;
}

/** A message, armored or not. */
export interface Dearmored {
  readonly isArmored: boolean;
  readonly octets: Pieces;
}

/** Looks at the first octets: a packet has its top bit set, text has not. */
export async function dearmor(input: Reader): Promise<Dearmored> {
  if ((await input.fill(UTF8_MARK.length)) === 0) throw error.empty();
  const start = input.peek(UTF8_MARK.length);
  const [first = 0, second] = start;
  const isMark = (a: number, b: number) => first === a && second === b;
  if (isMark(0xff, 0xfe) || isMark(0xfe, 0xff)) throw error.utf16();
  if (equal(start, UTF8_MARK)) input.take(UTF8_MARK.length);
  else if (first & 0x80) return { isArmored: false, octets: input.rest() };
  return { isArmored: true, octets: await ArmorReader.begin(input) };
}

/** Reads the octets of an armored message. */
class ArmorReader {
  readonly #input: Reader;
  #line = 0;
  /** Characters of an unfinished group of four. */
  #group: Uint8Array = new Uint8Array(0);
  readonly #decoded = new Uint8Array(LINES * LINE_OCTETS);
  /** After padding or a checksum only the last line may follow. */
  #closing = false;

  private constructor(input: Reader) {
    this.#input = input;
  }

  static async begin(input: Reader): Promise<Pieces> {
    const reader = new ArmorReader(input);
    await reader.#readBegin();
    await reader.#readHeaders();
    return reader.#octets();
  }

  /** An error comes after the octets that stood before it. */
  async *#octets(): AsyncGenerator<Uint8Array> {
    for (let more = true; more; ) {
      const ready: Uint8Array[] = [];
      try {
        while (more && ready.length < LINES) {
          if (await this.#wholeLines(ready)) break;
          more = await this.#refill(ready);
        }
      } finally {
        yield concat(...ready);
      }
    }
  }

  async #readBegin(): Promise<void> {
    for (let line = await this.#next(); line !== undefined; line = await this.#next()) {
      if (line === "") continue;
      if (line === BEGIN) return;
      if (BEGIN.startsWith(line)) throw error.truncated("the armor");
      const other = ANY_BEGIN.exec(line);
      throw other ? error.otherArmor(shown(`PGP ${other[1]}`)) : await this.#otherText(line);
    }
    throw error.empty();
  }

  /** The input begins with this line; perhaps the armor comes later, or after a mark in each line. */
  async #otherText(first: string): Promise<Error> {
    let line: string | undefined = first;
    for (let i = 0; i < SEARCHED_LINES && line !== undefined; i += 1) {
      if (line.endsWith(BEGIN)) return error.textBeforeArmor(this.#line);
      line = await this.#next().catch(() => undefined);
    }
    return error.notOpenPgp(shown(first));
  }

  /** Up to the empty line; without that line the data would be taken for headers. */
  async #readHeaders(): Promise<void> {
    for (let line = await this.#next(); line !== ""; line = await this.#next()) {
      const isHeader = line?.includes(":");
      if (isHeader) continue;
      const isCut = line === undefined || (await this.#input.fill(1)) === 0;
      throw isCut ? error.truncated("the armor's headers") : error.armorHeader(this.#line);
    }
  }

  /** The next line without its end and without trailing blanks; undefined at the end of the input. */
  async #next(): Promise<string | undefined> {
    const line = await this.#nextOctets();
    return line && new TextDecoder().decode(line);
  }

  async #nextOctets(): Promise<Uint8Array | undefined> {
    const line = await this.#input.line(MAX_LINE);
    this.#line += 1;
    if (line.length === 0) return undefined;
    if (line.length === MAX_LINE) throw this.#notValid("it is too long");
    let end = line.length;
    while (end > 0 && isBlank(line[end - 1] as number)) end -= 1;
    return line.subarray(0, end);
  }

  #notValid(problem: string): Error {
    if (this.#line > 1) return error.armor(this.#line, problem);
    return error.notOpenPgp("something that is neither a packet nor armor");
  }

  /** Decodes at once the buffered lines that are groups of four characters, if there are any. */
  async #wholeLines(ready: Uint8Array[]): Promise<boolean> {
    if (this.#closing || this.#group.length > 0) return false;
    await this.#input.fill(this.#decoded.length);
    const { lines, read, size } = decodeLines(
      this.#input.peek(this.#decoded.length),
      this.#decoded,
    );
    this.#input.take(read);
    this.#line += lines;
    if (size > 0) ready.push(this.#decoded.slice(0, size));
    return size > 0;
  }

  /** Decodes one more line into `ready`; false at the end. */
  async #refill(ready: Uint8Array[]): Promise<boolean> {
    const line = await this.#nextOctets();
    if (!line) throw error.truncated("the armor");
    if (line[0] === END.charCodeAt(0)) {
      const text = new TextDecoder().decode(line);
      if (text === END) return this.#readEnd();
      if (END.startsWith(text)) throw error.truncated("the armor");
    }
    if (line[0] === PAD && this.#group.length === 0 && line.length <= 5) {
      this.#closing = true;
    } else if (line.length > 0) {
      this.#decodeLine(line, ready);
    }
    return true;
  }

  #decodeLine(line: Uint8Array, ready: Uint8Array[]): void {
    const text = this.#group.length > 0 ? concat(this.#group, line) : line;
    const whole = text.length - (text.length % 4);
    const octets = new Uint8Array((whole / 4) * 3);
    let at = 0;
    for (let i = 0; i < whole; i += 4) {
      if (this.#closing) throw this.#notValid("it comes after the end of the data");
      const count = decodeGroup(text, i, octets, at);
      if (count === 0) throw this.#notValid("it is not base64");
      this.#closing = count < 3;
      at += count;
    }
    this.#group = text.slice(whole);
    ready.push(octets.subarray(0, at));
    if (this.#closing && this.#group.length > 0) {
      throw this.#notValid("it comes after the end of the data");
    }
  }

  /** After the last line: nothing but blank lines. */
  async #readEnd(): Promise<false> {
    if (this.#group.length > 0) {
      throw this.#notValid("the data before it is not a multiple of four characters");
    }
    for (let line = await this.#next(); line !== undefined; line = await this.#next()) {
      if (line !== "") throw error.trailingData();
    }
    return false;
  }
}

const isBlank = (octet: number): boolean =>
  octet === 0x20 || (octet >= 9 && octet <= 13 && octet !== 11);

/** Decodes whole lines, up to the first that is anything else; their number, length and octets. */
function decodeLines(text: Uint8Array, octets: Uint8Array) {
  let [lines, read, size] = [0, 0, 0];
  for (let [i, at] = [0, 0]; i < text.length; ) {
    const bits = wholeGroup(text, i);
    if (bits >= 0) {
      octets[at++] = bits >> 16;
      octets[at++] = bits >> 8;
      octets[at++] = bits;
      i += 4;
    } else {
      const end = text[i] === CARRIAGE_RETURN ? i + 1 : i;
      const isLine = i > read && text[end] === LINE_FEED && end + 1 - read < MAX_LINE;
      if (!isLine) break;
      lines += 1;
      i = end + 1;
      [read, size] = [i, at];
    }
  }
  return { lines, read, size };
}

/** The 24 bits of four characters; negative unless all of them are of base64. */
function wholeGroup(text: Uint8Array, from: number): number {
  const a = VALUES[text[from] as number] as number;
  const b = VALUES[text[from + 1] as number] as number;
  const c = VALUES[text[from + 2] as number] as number;
  const d = VALUES[text[from + 3] as number] as number;
  return (a | b | c | d) > 63 ? -1 : (a << 18) | (b << 12) | (c << 6) | d;
}

/** Four characters as one to three octets; says how many, and 0 unless `encode` gives just these. */
function decodeGroup(text: Uint8Array, from: number, octets: Uint8Array, to: number): number {
  const value = (i: number) => VALUES[text[from + i] as number] as number;
  const count = text[from + 3] !== PAD ? 3 : text[from + 2] !== PAD ? 2 : 1;
  const [a, b, c, d] = [value(0), value(1), count > 1 ? value(2) : 0, count > 2 ? value(3) : 0];
  if ((a | b | c | d) > 63) return 0;
  const bits = (a << 18) | (b << 12) | (c << 6) | d;
  const unused = 24 - 8 * count;
  if (bits & ((1 << unused) - 1)) return 0;
  for (let i = 0; i < count; i += 1) octets[to + i] = (bits >> (16 - 8 * i)) & 255;
  return count;
}

/**
 * The start of a line, quoted, for a message to the user. Nothing in it can steer a terminal or change the
 * direction of the text around it.
 */
function shown(line: string): string {
  const start = [...line].slice(0, 32).join("");
  const escaped = (letter: string) => `\\u{${letter.codePointAt(0)?.toString(16)}}`;
  return `"${start.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, escaped)}"`;
}
