// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// A whole message opened: its header, the packets for passphrases, and the data in each of its forms.

import type { Bytes } from "../bytes.js";
import {
  type AeadData,
  aeadMessageKey,
  aeadOpens,
  beginningBytes,
  checkAeadData,
  readAeadData,
} from "./aead.js";
import { Packet, TWOFISH_256 } from "./algorithm.js";
import { dearmor } from "./armor.js";
import { bodyReader } from "./body.js";
import { openChunks } from "./chunks.js";
import { KEY_BYTES } from "./cipher.js";
import * as error from "./error.js";
import {
  checkOptions,
  checkPassphrase,
  type Input,
  type OnProgress,
  passphraseOctets,
  Source,
  toStream,
} from "./input.js";
import { allows, askedBy, type Limits, limitsOf } from "./limits.js";
import { expectEnd, type Opened, readFile, skipFiller } from "./literal.js";
import * as mdc from "./mdc.js";
import type { MessageKey } from "./message-key.js";
import { equal, wipe } from "./octets.js";
import { type Header, readHeader } from "./packet.js";
import { random } from "./random.js";
import { pieces, Reader } from "./reader.js";
import * as seipd from "./seipd.js";
import {
  checkSkesk,
  messageCipher,
  openSkesk,
  parseSkesk,
  type Skesk,
  type SkeskV4,
  type SkeskWithTag,
} from "./skesk.js";

/** More passphrases than anybody gives a message; each costs a trial. */
const MAX_PASSPHRASES = 16;
/** Far above any packet with a session key. */
const MAX_SKESK_BYTES = 1024;
/** The most of a stream in the older form that is kept, since it has to be read twice. */
const MAX_SPOOL_BYTES = 64 << 20;
/** The part in which a message ends that is cut there. */
const ENCRYPTED = "the encrypted data";

export interface DecryptOptions {
  /** Told after each piece that is read. A message in the older form is read twice. */
  onProgress?: OnProgress;
  /** Told at the end, when all of it was verified. */
  onOpened?: (opened: Readonly<Opened>) => void;
  /** Cancels: the stream fails with the code "aborted". */
  signal?: AbortSignal;
  /** Octets of memory that trying the passphrase may take, 256 MiB without it; Argon2 gets 1 GiB at most. */
  maxMemory?: number;
  /** Work that trying the passphrase may take, in seconds of an ordinary core (see `Limits`), 2 without it. */
  maxWork?: number;
}

/**
 * Opens the message that `input` holds. Gives out only authenticated octets, chunk by chunk, so
 * **what was read may not be all**: if the stream fails, take back what came out of it. Of a message in
 * the older form nothing comes out before all of it was verified; a Blob is read twice for that, a
 * stream kept in memory, up to 64 MiB.
 *
 * Nothing is read or done before the stream is read. Memory: what the message asks for Argon2 and the
 * options allow, and a few chunks. The input is only read.
 *
 * @throws OpenPgpError with the code "argument". All later errors are those of the stream, see
 * `ErrorCode`, and whatever the input fails with.
 */
export function decrypt(
  passphrase: string | Uint8Array,
  input: Input,
  options: DecryptOptions = {},
): ReadableStream<Bytes> {
  checkOptions(options);
  const limits = limitsOf(options);
  checkPassphrase(passphrase);
  const source = new Source(input, options);
  const secret = passphraseOctets(passphrase);
  return toStream(file(secret, source, options, limits), source, secret);
}

async function* file(
  passphrase: Uint8Array,
  source: Source,
  options: DecryptOptions,
  limits: Limits,
): AsyncGenerator<Uint8Array, void, undefined> {
  const opened = { bytes: 0, signed: false };
  try {
    const message = await readMessage(source);
    source.throwIfAborted();
    const key = await sessionKey(message, passphrase, limits);
    wipe(passphrase);
    try {
      yield* openData(message, key, source, opened);
    } finally {
      wipe(key);
    }
    options.onOpened?.(opened);
  } finally {
    wipe(passphrase);
    source.close();
  }
}

/** A message whose header has been read. */
interface Message {
  /** Those that can be tried. */
  readonly skesks: readonly (SkeskV4 | SkeskWithTag)[];
  readonly data: Data;
  /** The octets after the header of the encrypted packet, of which some have been seen. */
  readonly body: Reader;
  /** Its first octets, as far as they were needed. */
  readonly beginning: Uint8Array;
  /** All that comes after the packet. */
  readonly rest: Reader;
}

/** The encrypted packet, by its form. */
type Data =
  | { readonly form: "chunks"; readonly header: seipd.SeipdV2 }
  | { readonly form: "mdc" }
  | { readonly form: "librepgp"; readonly header: AeadData };

/** Reads the header, and refuses what cannot be opened whatever the passphrase. */
async function readMessage(source: Source): Promise<Message> {
  const rest = new Reader((await dearmor(new Reader(source.read()))).octets);
  const { skesks, header } = await readSessionKeys(rest);
  const body = bodyReader(rest, header.length, ENCRYPTED);
  const data = await readData(header.packet, body, skesks);
  const usable = usableSkesks(skesks, data);
  const ahead = lengthAhead(data, usable);
  if ((await body.fill(ahead)) < ahead && data.form === "mdc") throw error.truncated(ENCRYPTED);
  return { skesks: usable, data, body, beginning: body.peek(ahead), rest };
}

/** The packets for passphrases, and the header of the encrypted data that follows them. */
async function readSessionKeys(input: Reader): Promise<{ skesks: Skesk[]; header: Header }> {
  const skesks: Skesk[] = [];
  let hasPublicKey = false;
  for (;;) {
    const header = await readHeader(input);
    if (!header) throw error.truncated("its packet headers");
    const { packet } = header;
    if (packet === Packet.SKESK) {
      if (skesks.length === MAX_PASSPHRASES) throw error.tooManyPassphrases(MAX_PASSPHRASES);
      skesks.push(parseSkesk(await smallBody(input, header)));
    } else if (packet === Packet.PKESK) {
      hasPublicKey = true;
      await bodyReader(input, header.length, "a session key").discard();
    } else if (packet === Packet.SEIPD || packet === Packet.AEAD) {
      if (skesks.length === 0 && hasPublicKey) throw error.publicKeyOnly();
      return { skesks, header };
    } else {
      await refuseOrSkip(input, header, skesks);
    }
  }
}

async function refuseOrSkip(
  input: Reader,
  header: Header,
  skesks: readonly Skesk[],
): Promise<void> {
  switch (header.packet) {
    case Packet.SED:
      throw error.oldestForm(statedCipher(skesks));
    case Packet.LITERAL:
    case Packet.COMPRESSED:
    case Packet.ONE_PASS_SIGNATURE:
    case Packet.SIGNATURE:
      throw error.notEncrypted();
    default:
      await skipFiller(input, header, "an encrypted message");
  }
}

/** The cipher of a message in an older form, which its own packet does not tell. */
function statedCipher(skesks: readonly Skesk[]): number | undefined {
  return skesks.map(messageCipher).find((cipher) => cipher !== undefined);
}

async function smallBody(input: Reader, header: Header): Promise<Uint8Array> {
  const body = await bodyReader(input, header.length, "a session key").upTo(MAX_SKESK_BYTES + 1);
  if (body.length > MAX_SKESK_BYTES) throw error.malformed(header.packet, "it is too long");
  return body;
}

/** Reads the header of the encrypted packet, and refuses what cannot be opened. */
async function readData(packet: number, body: Reader, skesks: readonly Skesk[]): Promise<Data> {
  if (packet === Packet.AEAD) {
    const header = await readAeadData(body);
    checkAeadData(header);
    return { form: "librepgp", header };
  }
  const version = await body.octet();
  switch (version) {
    case undefined:
      throw error.truncated(ENCRYPTED);
    case mdc.VERSION: {
      const cipher = statedCipher(skesks) ?? TWOFISH_256;
      if (cipher !== TWOFISH_256) throw error.otherCipherOlder("message", cipher);
      return { form: "mdc" };
    }
    case seipd.VERSION: {
      const header = await seipd.readSeipdV2(body);
      seipd.requireTwofishOcb("message", header.cipher, header.mode);
      return { form: "chunks", header };
    }
    default:
      throw error.version(Packet.SEIPD, version);
  }
}

/** How much of the data is needed to know a wrong passphrase. */
function lengthAhead(data: Data, skesks: readonly Skesk[]): number {
  if (data.form === "mdc") return mdc.PREFIX_BYTES;
  const needed = data.form === "librepgp" && skesks.some((skesk) => skesk.version === 4);
  return needed ? beginningBytes(data.header) : 0;
}

/** Those that this program can try. If there is none, the reason is the first one's. */
function usableSkesks(skesks: readonly Skesk[], data: Data): (SkeskV4 | SkeskWithTag)[] {
  const usable: (SkeskV4 | SkeskWithTag)[] = [];
  const refusals: unknown[] = [];
  for (const skesk of skesks) {
    try {
      if (skesk.version !== 0) checkForm(skesk.version, data);
      checkSkesk(skesk);
      usable.push(skesk as SkeskV4 | SkeskWithTag);
    } catch (refusal) {
      refusals.push(refusal);
    }
  }
  if (usable.length === 0) throw refusals[0] ?? error.noPassphrase();
  return usable;
}

/** The versions of the packets for passphrases that may stand before each form; a sentence has the last. */
const VERSIONS = { chunks: [6], mdc: [4], librepgp: [4, 5] } as const;

function checkForm(version: number, { form }: Data): void {
  const versions: readonly number[] = VERSIONS[form];
  if (!versions.includes(version)) throw error.mixedForms(version, versions.at(-1) as number);
}

/**
 * The session key. Tries each packet that may hold it; slow, as the message demands. The prefix of the older
 * form proves nothing, and an attacker who alters messages must not learn whether it fits: there we try all
 * packets, and if none fits, take a key that nobody knows, which fails at the end.
 */
async function sessionKey(
  message: Message,
  passphrase: Uint8Array,
  limits: Limits,
): Promise<Uint8Array> {
  const isOlder = message.data.form === "mdc";
  const { skesks, leftOut } = affordable(message, limits);
  let likely: Uint8Array | undefined;
  let failure: unknown;
  for (const skesk of skesks) {
    try {
      const key = await tryKey(message, skesk, passphrase);
      if (!isOlder) return key;
      wipe(likely);
      likely = key;
    } catch (caught) {
      const isWrong = caught instanceof error.OpenPgpError && caught.code === "passphrase";
      if (!isWrong && isOlder) {
        wipe(likely);
        throw caught;
      }
      if (!isWrong) failure = caught;
    }
  }
  if (likely) return likely;
  if (leftOut) throw leftOut;
  if (failure) throw failure;
  if (isOlder) return random(KEY_BYTES);
  throw error.wrongPassphrase();
}

/**
 * The packets that are within the limits one after the other, and the error for the others. The older form
 * must try all or none: an answer that came after some would tell whether they fit.
 */
function affordable({ skesks, data }: Message, limits: Limits) {
  const aead = data.form === "librepgp" ? data.header : undefined;
  const asked = askedBy(skesks, aead);
  if (allows(limits, asked)) return { skesks, leftOut: undefined };
  const leftOut = error.overLimits(asked, limits);
  let { work } = limits;
  const kept = skesks.filter((skesk) => {
    const cost = askedBy([skesk], aead);
    const fits = allows({ memory: limits.memory, work }, cost);
    if (fits) work -= cost.work;
    return fits;
  });
  if (kept.length === 0 || data.form === "mdc") throw leftOut;
  return { skesks: kept, leftOut };
}

/** Version 4 cannot tell a wrong passphrase: there the beginning of the data must. */
async function tryKey(
  message: Message,
  skesk: SkeskV4 | SkeskWithTag,
  passphrase: Uint8Array,
): Promise<Uint8Array> {
  const key = await openSkesk(skesk, passphrase);
  const { data, beginning } = message;
  if (skesk.version !== 4 || data.form === "chunks") return key;
  const fits =
    data.form === "mdc" ? mdc.isPrefix(key, beginning) : aeadOpens(data.header, key, beginning);
  if (fits) return key;
  wipe(key);
  throw error.wrongPassphrase();
}

async function* openData(
  message: Message,
  sessionKey: Uint8Array,
  source: Source,
  opened: Opened,
): AsyncGenerator<Uint8Array> {
  const { data } = message;
  switch (data.form) {
    case "mdc":
      return yield* openTwice(message, sessionKey, source, opened);
    case "chunks":
      return yield* openOnce(message, await seipd.messageKey(data.header, sessionKey), opened);
    case "librepgp":
      return yield* openOnce(message, aeadMessageKey(data.header, sessionKey), opened);
  }
}

async function* openOnce(
  { data, body, rest }: Message,
  key: MessageKey,
  opened: Opened,
): AsyncGenerator<Uint8Array> {
  const octet = data.form === "mdc" ? 0 : data.header.chunkOctet;
  try {
    yield* readFile(new Reader(openChunks(body, seipd.chunkBytes(octet), key)), opened);
  } catch (failure) {
    throw endedEarly(failure);
  } finally {
    key.close();
  }
  await expectEnd(rest);
}

/** The older form: first verified to the end, then opened. */
async function* openTwice(
  message: Message,
  key: Uint8Array,
  source: Source,
  opened: Opened,
): AsyncGenerator<Uint8Array> {
  const kept: Uint8Array[] = [];
  const body = source.canReadAgain ? message.body : new Reader(spool(message.body, kept));
  const hashes = await mdc.verifyMdc(body, key).catch((failure: unknown) => {
    throw endedEarly(failure);
  });
  await expectEnd(message.rest);
  const again = source.canReadAgain
    ? await bodyAgain(message, source)
    : new Reader(pieces(...kept));
  yield* readFile(new Reader(mdc.openMdc(again, key, hashes)), opened);
}

async function bodyAgain(message: Message, source: Source): Promise<Reader> {
  const second = await readMessage(source);
  const same = second.data.form === "mdc" && equal(second.beginning, message.beginning);
  if (!same) throw error.inputChanged();
  return second.body;
}

/** Keeps what is read: encrypted, as it came. */
async function* spool(body: Reader, kept: Uint8Array[]): AsyncGenerator<Uint8Array> {
  let octets = 0;
  for await (const piece of body.rest()) {
    octets += piece.length;
    if (octets > MAX_SPOOL_BYTES) throw error.spoolFull(MAX_SPOOL_BYTES >> 20);
    kept.push(piece);
    yield piece;
  }
}

/** Text after an armor that ends before its message does: the missing end is what counts. */
function endedEarly(failure: unknown): unknown {
  const isTrailing = failure instanceof error.OpenPgpError && failure.code === "trailing";
  return isTrailing ? error.truncated("the armor") : failure;
}
