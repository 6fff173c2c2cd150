// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// A whole message written, in the form of RFC 9580 or in that of RFC 4880: docs/file-format.md shows the
// octets of both.

import type { Bytes } from "../bytes.js";
import { Mode, Packet, TWOFISH_256 } from "./algorithm.js";
import { writeArmor } from "./armor.js";
import { writePacket } from "./body.js";
import { sealChunks } from "./chunks.js";
import { KEY_BYTES } from "./cipher.js";
import * as error from "./error.js";
import type { Argon2Cost } from "./hash.js";
import {
  checkOptions,
  checkPassphrase,
  type Input,
  type OnProgress,
  passphraseOctets,
  Source,
  toStream,
} from "./input.js";
import { literalBytes, writeLiteral } from "./literal.js";
import { OVERHEAD_BYTES, sealMdc } from "./mdc.js";
import { concat, wipe } from "./octets.js";
import { random } from "./random.js";
import { type Pieces, pieces } from "./reader.js";
import { checkCost, deriveKey, iterated, iteratedSpecifier, requireMemory } from "./s2k.js";
import {
  bodyBytes,
  chunkBytes,
  chunkOctet,
  messageKey,
  SALT_BYTES,
  type SeipdV2,
  seipdOctets,
} from "./seipd.js";
import { sealSkesk } from "./skesk.js";

/** 1 MiB: large enough that tags and nonces cost nothing. */
const DEFAULT_CHUNK_BYTES = 1 << 20;
const ARGON2_SALT_BYTES = 16;
const ITERATED_SALT_BYTES = 8;
const NONCE_BYTES = 15;
/** The second recommended option of [RFC9106, 4]: who receives the file must be able to pay it too. */
const RECOMMENDED = { passes: 3, lanes: 4, memoryKib: 65536 };

export interface EncryptOptions {
  /** "rfc9580", or "rfc4880" for GnuPG and nearly all others: there passphrases are tried faster, and
   * changes show by one SHA-1 at the end. Without it "rfc9580". */
  format?: "rfc9580" | "rfc4880";
  /** Octets of plaintext in a chunk: a power of two from 64 to 4,194,304; 1 MiB without it. RFC 4880
   * has none. */
  chunkBytes?: number;
  /** The cost of a trial of a passphrase: without it 3 passes, 4 lanes, and 65,536 KiB of memory, which
   * must be a power of two. Opening the message costs the same. RFC 4880 has none. */
  argon2?: { passes?: number; lanes?: number; memoryKib?: number };
  /** Write text that survives e-mail instead of binary: no. */
  armor?: boolean;
  /** Octets of the input, if they are known and the input does not tell them by itself. An input of
   * another length is an error. */
  length?: number;
  /** Told after each piece that is read. */
  onProgress?: OnProgress;
  /** Cancels: the stream fails with the code "aborted". */
  signal?: AbortSignal;
}

/**
 * Encrypts all of `input` under a passphrase, which is taken as UTF-8 if it is a string. The output
 * is an OpenPGP message; after an error it is a useless part of one.
 *
 * Nothing is read or done before the stream is read. Memory: Argon2's, and a few chunks. The input is
 * only read; do not change its octets meanwhile.
 *
 * @throws OpenPgpError with the code "argument" for arguments out of their range. All later errors are
 * those of the stream: "aborted", "input", "memory", and whatever the input fails with.
 */
export function encrypt(
  passphrase: string | Uint8Array,
  input: Input,
  options: EncryptOptions = {},
): ReadableStream<Bytes> {
  checkOptions(options);
  const settings = settingsOf(options);
  checkPassphrase(passphrase);
  const source = new Source(input, options);
  const secret = passphraseOctets(passphrase);
  return toStream(message(secret, source, settings), source, secret);
}

interface Settings {
  readonly isOlder: boolean;
  readonly chunkOctet: number;
  readonly cost: Omit<Argon2Cost, "salt">;
  readonly armor: boolean;
  readonly length: number | undefined;
}

function settingsOf(options: EncryptOptions): Settings {
  const { format = "rfc9580", chunkBytes, argon2 } = options;
  if (format !== "rfc9580" && format !== "rfc4880") {
    throw error.argument(`the option format takes "rfc9580" or "rfc4880", found "${format}"`);
  }
  const isOlder = format === "rfc4880";
  if (isOlder && (chunkBytes ?? argon2) !== undefined) {
    throw error.argument("messages of RFC 4880 have neither chunks nor Argon2");
  }
  const { passes, lanes, memoryKib } = { ...RECOMMENDED, ...argon2 };
  const memoryExponent = Math.log2(memoryKib);
  if (![passes, lanes, memoryExponent].every((n) => Number.isInteger(n) && n >= 0 && n < 256)) {
    throw error.argument(
      "argon2 takes passes and lanes up to 255, and a power of two as memoryKib",
    );
  }
  const { length } = options;
  if (length !== undefined && !(Number.isSafeInteger(length) && length >= 0)) {
    throw error.argument(`the option length must be a number of octets, found ${length}`);
  }
  const cost = { passes, lanes, memoryExponent };
  checkCost({ ...cost, salt: new Uint8Array(ARGON2_SALT_BYTES) });
  requireMemory(cost);
  return {
    isOlder,
    chunkOctet: chunkOctet(chunkBytes ?? DEFAULT_CHUNK_BYTES),
    cost,
    armor: options.armor ?? false,
    length,
  };
}

async function* message(
  passphrase: Uint8Array,
  source: Source,
  settings: Settings,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    const write = settings.isOlder ? writeOlder : writePackets;
    const packets = write(passphrase, source, settings);
    yield* settings.armor ? writeArmor(packets, settings.isOlder) : packets;
  } finally {
    wipe(passphrase);
    source.close();
  }
}

async function* writePackets(
  passphrase: Uint8Array,
  source: Source,
  settings: Settings,
): AsyncGenerator<Uint8Array> {
  source.throwIfAborted();
  const cost = { ...settings.cost, salt: random(ARGON2_SALT_BYTES) };
  const sessionKey = random(KEY_BYTES);
  try {
    const skesk = await sealSkesk(cost, random(NONCE_BYTES), passphrase, sessionKey);
    wipe(passphrase);
    yield* writePacket(Packet.SKESK, skesk.length, pieces(skesk));
    yield* writeData(source, settings, sessionKey);
  } finally {
    wipe(sessionKey);
  }
}

/** The passphrase gives the key of the message itself [RFC9580, 5.3.1]. */
async function* writeOlder(
  passphrase: Uint8Array,
  source: Source,
  settings: Settings,
): AsyncGenerator<Uint8Array> {
  source.throwIfAborted();
  const s2k = iterated(random(ITERATED_SALT_BYTES));
  const key = await deriveKey(s2k, passphrase);
  wipe(passphrase);
  try {
    const skesk = concat([4, TWOFISH_256], iteratedSpecifier(s2k));
    yield* writePacket(Packet.SKESK, skesk.length, pieces(skesk));
    const fileBytes = settings.length ?? source.length;
    const inside = fileBytes === undefined ? undefined : literalBytes(fileBytes);
    const octets = inside === undefined ? undefined : inside + OVERHEAD_BYTES;
    const sealed = sealMdc(writeLiteral(source.read(), fileBytes), key);
    yield* writePacket(Packet.SEIPD, octets, sealed);
  } finally {
    wipe(key);
  }
}

async function* writeData(
  source: Source,
  settings: Settings,
  sessionKey: Uint8Array,
): AsyncGenerator<Uint8Array> {
  const header: SeipdV2 = {
    cipher: TWOFISH_256,
    mode: Mode.OCB,
    chunkOctet: settings.chunkOctet,
    salt: random(SALT_BYTES),
  };
  const fileBytes = settings.length ?? source.length;
  const plaintext = fileBytes === undefined ? undefined : literalBytes(fileBytes);
  const chunk = chunkBytes(settings.chunkOctet);
  const octets = plaintext === undefined ? undefined : bodyBytes(chunk, plaintext);
  const key = await messageKey(header, sessionKey);
  try {
    const chunks = sealChunks(writeLiteral(source.read(), fileBytes), chunk, key);
    yield* writePacket(Packet.SEIPD, octets, after(seipdOctets(header), chunks));
  } finally {
    key.close();
  }
}

async function* after(head: Uint8Array, rest: Pieces): AsyncGenerator<Uint8Array> {
  yield head;
  yield* rest;
}
