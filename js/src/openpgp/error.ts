// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// All that can go wrong with a message: one kind and one sentence each, the same as those of the
// command, and the way out as a hint.

import {
  cipherName,
  Hash,
  hashName,
  isNamedCipher,
  isNamedHash,
  Mode,
  modeName,
  Packet,
  packetName,
  TWOFISH_256,
} from "./algorithm.js";

/** The sort of error, for programs; people read the sentence. */
export type ErrorCode =
  /** The passphrase is wrong, or the header was altered, or in the older form any of it: the two cannot be
   * told apart. */
  | "passphrase"
  /** A tag or code does not fit: not what the sender wrote. */
  | "altered"
  /** The end is missing. */
  | "truncated"
  /** Other data stands after the message, which is intact. */
  | "trailing"
  /** Not an OpenPGP message, or one that contradicts the standard. */
  | "invalid"
  /** A message that something else opens: another cipher, a public key, a signature. */
  | "unsupported"
  /** The message asks for more memory or work than is allowed, or there is none. */
  | "memory"
  /** Stopped by the caller. */
  | "aborted"
  /** The input gave other octets or another length than it should. */
  | "input"
  /** The worker could not be started, or ended by itself. */
  | "worker"
  /** An argument of the caller. */
  | "argument";

/** A faulty message: `message` says what is wrong, `hint` what to do about it. */
export class OpenPgpError extends Error {
  override readonly name = "OpenPgpError";
  /** The sort of error. */
  readonly code: ErrorCode;
  /** The one sentence it is, for tests and logs: "WrongPassphrase", "Altered", ... */
  readonly kind: string;
  /** Advice, where there is something to do. */
  readonly hint: string | undefined;

  constructor(code: ErrorCode, kind: string, message: string, hint?: string) {
    super(message);
    this.code = code;
    this.kind = kind;
    this.hint = hint;
  }
}

const OPENS_RFC9580 = "sq decrypt of Sequoia 2 opens it";
const OPENS_AES = "sq decrypt of Sequoia 2, OpenPGP.js or Bouncy Castle opens AES in this form";
const OPENS_CAMELLIA = "sq decrypt of Sequoia 2, or Bouncy Castle, opens Camellia in this form";
const OPENS_LEGACY = "manyfish decrypt --insecure-legacy opens it anyway";
const OPENS_OLDER = "gpg --decrypt opens it";
const NEWER = "it is damaged, or a newer program made it";
const AGAIN = "get the file again from its source";

/** The program that opens another cipher in the format of RFC 9580, which allows no short blocks. */
function hintForCipher(found: number): string | undefined {
  if (found >= 7 && found <= 9) return OPENS_AES;
  if (found >= 11 && found <= 13) return OPENS_CAMELLIA;
  return isNamedCipher(found) ? undefined : NEWER;
}

function hintForHash(found: number): string {
  if (found === Hash.SHA1) return OPENS_RFC9580;
  return isNamedHash(found) ? OPENS_OLDER : NEWER;
}

const otherCipher = (what: string, found: number): string =>
  `the ${what} is encrypted with ${cipherName(found)}, expected ${cipherName(TWOFISH_256)}`;

const cannotOpen = (what: string, mode: string): string =>
  `the ${what} uses the mode ${mode}, which this version cannot open; it opens OCB (2)`;

const invalid = (kind: string, message: string, hint?: string): OpenPgpError =>
  new OpenPgpError("invalid", kind, message, hint);
const unsupported = (kind: string, message: string, hint?: string): OpenPgpError =>
  new OpenPgpError("unsupported", kind, message, hint);
const altered = (kind: string, message: string, hint: string): OpenPgpError =>
  new OpenPgpError("altered", kind, message, hint);

export const empty = () => invalid("Empty", "the input is empty, expected an OpenPGP message");

export const notOpenPgp = (beginning: string) =>
  invalid(
    "NotOpenPgp",
    `this is not an OpenPGP message: it begins with ${beginning}`,
    "another program may have made it, or it is not encrypted",
  );

export const otherArmor = (kind: string) =>
  unsupported(
    "OtherArmor",
    `this is armored text of type ${kind}, expected "PGP MESSAGE"`,
    "use gpg or sq for keys and signatures",
  );

export const utf16 = () =>
  invalid(
    "Utf16",
    "this is an armored message in UTF-16, expected plain ASCII",
    "a shell redirection changed it; write with -o FILE instead",
  );

export const textBeforeArmor = (line: number) =>
  invalid(
    "TextBeforeArmor",
    `there is other text before the armor, which begins in line ${line}`,
    'remove the text before -----BEGIN, and marks such as "> " before each line',
  );

export const armorHeader = (line: number) =>
  invalid(
    "ArmorHeader",
    `line ${line} of the armor is not valid: expected a header or an empty line`,
    "put back the empty line between the headers and the data",
  );

export const armor = (line: number, problem: string) =>
  invalid("Armor", `line ${line} of the armor is not valid: ${problem}`, AGAIN);

export const truncated = (what: string) =>
  new OpenPgpError(
    "truncated",
    "Truncated",
    `the message is truncated: it ends in ${what}`,
    "the transfer or the disk cut off its end; get the file again",
  );

export const trailingData = () =>
  new OpenPgpError(
    "trailing",
    "TrailingData",
    "there is other data after the end of the message",
    "the message itself is intact; something was appended to it",
  );

export const malformed = (packet: number, problem: string) =>
  invalid("Malformed", `the ${packetName(packet)} packet is not valid: ${problem}`);

export const unexpectedPacket = (found: number, expected: string) =>
  invalid("UnexpectedPacket", `found a packet of type ${packetName(found)}, expected ${expected}`);

export const version = (packet: number, number: number) =>
  unsupported(
    "Version",
    `version ${number} of the ${packetName(packet)} packet is not known`,
    NEWER,
  );

export const wrongPassphrase = () =>
  new OpenPgpError(
    "passphrase",
    "WrongPassphrase",
    "wrong passphrase",
    "if the passphrase is right, the beginning of the message was altered",
  );

export const alteredChunk = (chunk: number, offset: number) =>
  altered(
    "Altered",
    `chunk ${chunk} of the message was altered (plaintext from byte ${offset} on)`,
    AGAIN,
  );

export const alteredEnd = () =>
  altered(
    "AlteredEnd",
    "the end of the message was altered: the final tag does not fit its length",
    AGAIN,
  );

export const wrongOrAltered = () =>
  new OpenPgpError(
    "passphrase",
    "WrongOrAltered",
    "wrong passphrase, or the message was altered: this format cannot tell which",
    "if the passphrase is right, get the file again",
  );

export const otherCipherNewer = (what: string, found: number) =>
  unsupported("OtherCipher", otherCipher(what, found), hintForCipher(found));

export const otherCipherOlder = (what: string, found: number) =>
  unsupported(
    "OtherCipherOlder",
    otherCipher(what, found),
    isNamedCipher(found) ? OPENS_OLDER : NEWER,
  );

/** EAX and GCM have names, all other numbers are unknown. */
export function otherMode(what: string, found: number): OpenPgpError {
  if (found === Mode.EAX) return unsupported("Eax", cannotOpen(what, "EAX (1)"), OPENS_RFC9580);
  if (found === Mode.GCM) return unsupported("Gcm", cannotOpen(what, "GCM (3)"), OPENS_RFC9580);
  return unknownMode(what, found);
}

export const unknownMode = (what: string, found: number) =>
  unsupported(
    "OtherMode",
    `the ${what} uses the unknown mode ${modeName(found)}, expected ${modeName(Mode.OCB)}`,
    NEWER,
  );

export const oldestForm = (cipher: number | undefined) => {
  const under = cipher === undefined ? "" : `encrypted with ${cipherName(cipher)} `;
  return unsupported(
    "OldestForm",
    `the message is ${under}in the oldest format, which does not detect changes (packet type 9)`,
    (cipher ?? TWOFISH_256) === TWOFISH_256
      ? `anyone may have altered it; ${OPENS_LEGACY}`
      : "gpg --decrypt --ignore-mdc-error opens it, altered or not",
  );
};

export const legacyHash = () =>
  unsupported(
    "LegacyHash",
    `the passphrase is hashed with ${hashName(Hash.RIPEMD160)}, which is no longer trusted`,
    OPENS_LEGACY,
  );

export const mixedForms = (found: number, expected: number) =>
  invalid(
    "MixedForms",
    `the ${packetName(Packet.SKESK)} packet has version ${found}, which does not fit this ` +
      `kind of message, expected version ${expected}`,
    "the standard forbids this pair of packets; ask the sender to encrypt it again",
  );

export const publicKeyOnly = () =>
  unsupported(
    "PublicKeyOnly",
    "the message is encrypted to a public key; no passphrase can open it",
    "gpg --decrypt or sq decrypt opens it with the secret key",
  );

export const notEncrypted = () =>
  unsupported(
    "NotEncrypted",
    "the message is not encrypted",
    "gpg --decrypt or sq verify shows what is inside",
  );

export const noPassphrase = () =>
  unsupported("NoPassphrase", "the message has no packet that a passphrase opens");

export const tooManyPassphrases = (most: number) =>
  invalid("TooManyPassphrases", `the message has more than ${most} packets for passphrases`);

export const compression = (algorithm: number) =>
  unsupported(
    "Compression",
    `the message uses an unknown compression (algorithm ${algorithm})`,
    NEWER,
  );

export const bzip2 = () =>
  unsupported(
    "Bzip2",
    "the message is compressed with BZip2 (3), which this package cannot expand",
    "manyfish decrypt or gpg --decrypt opens it",
  );

export const bomb = (times: number) =>
  unsupported(
    "Bomb",
    `the message expands to more than ${times} times its size`,
    "if you trust the sender, gpg --decrypt opens it at any size",
  );

export const s2kType = (kind: number) =>
  unsupported(
    "S2kType",
    `unknown way to derive the key from the passphrase (S2K type ${kind})`,
    NEWER,
  );

export const s2kSimple = () =>
  unsupported(
    "S2kSimple",
    "the passphrase is hashed without a salt (S2K type 0), which is unsafe",
    OPENS_RFC9580,
  );

export const s2kHash = (found: number) =>
  unsupported(
    "S2kHash",
    `the passphrase is hashed with ${hashName(found)}, ` +
      "expected SHA-256 or another of the SHA-2 family",
    hintForHash(found),
  );

export const argon2 = (problem: string) =>
  invalid("Argon2", `the Argon2 settings are not valid: ${problem}`);

export const argon2Memory = (wantedMib: number, limitMib: number) =>
  new OpenPgpError(
    "memory",
    "Argon2Memory",
    `Argon2 over ${wantedMib} MiB of memory is more than this package can do, which is ${limitMib}`,
    "manyfish decrypt --max-memory opens it, if you trust the sender",
  );

/** Octets and seconds. */
interface Amount {
  readonly memory: number;
  readonly work: number;
}

export const overLimits = (asked: Amount, limits: Amount) => {
  const options = [
    ...(asked.memory > limits.memory ? [`maxMemory: ${asked.memory}`] : []),
    ...(asked.work > limits.work ? [`maxWork: ${Math.ceil(asked.work)}`] : []),
  ];
  return new OpenPgpError(
    "memory",
    "OverLimits",
    `the message asks for ${amount(asked)}, the limits are ${amount(limits)}`,
    `if you trust the sender, decrypt with ${options.join(", ")}`,
  );
};

/** "2 GiB of memory and 2.1 s of work": rounded up to tenths of a second, and without memory where it needs
 * none. */
function amount({ memory, work }: Amount): string {
  const units = [
    [2 ** 30, "GiB"],
    [2 ** 20, "MiB"],
    [2 ** 10, "KiB"],
  ] as const;
  const [size, name] = units.find(([octets]) => memory % octets === 0) ?? [1, "bytes"];
  const tenths = Math.ceil(Math.round(work * 1e6) / 1e5) / 10;
  return `${memory > 0 ? `${memory / size} ${name} of memory and ` : ""}${tenths} s of work`;
}

export const outOfMemory = (mib: number) =>
  new OpenPgpError("memory", "OutOfMemory", `not enough memory: Argon2 needs ${mib} MiB`);

export const spoolFull = (mib: number) =>
  new OpenPgpError(
    "memory",
    "SpoolFull",
    `the message is in the older form, which is read twice, and its stream has more than ${mib} MiB`,
    "give it as a Blob or File, which can be read again",
  );

export const cancelled = () => new OpenPgpError("aborted", "Cancelled", "cancelled");

export const inputChanged = () =>
  new OpenPgpError(
    "input",
    "InputChanged",
    "the input changed while it was being read",
    "copy the file first, or leave its length away",
  );

export const noWorker = (why: string) =>
  new OpenPgpError(
    "worker",
    "NoWorker",
    `the worker does not run: ${why}`,
    "make its file, manyfish/worker-thread, reachable, or give the option worker",
  );

export const argument = (message: string) => new OpenPgpError("argument", "Argument", message);
