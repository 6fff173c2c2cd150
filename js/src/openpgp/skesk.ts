// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The packet that holds the session key, encrypted under the passphrase: version 6 [RFC9580, 5.3.2],
// version 4 of the older form [RFC9580, 5.3.1], and version 5 of LibrePGP [Koch23].

import { Mode, nonceBytes, Packet, TWOFISH_256 } from "./algorithm.js";
import { Aead, decryptCfb, KEY_BYTES, TAG_BYTES } from "./cipher.js";
import * as error from "./error.js";
import { type Argon2Cost, hkdf } from "./hash.js";
import { concat, wipe } from "./octets.js";
import { tagOctet } from "./packet.js";
import { Fields } from "./reader.js";
import { argon2Octets, checkS2k, deriveKey, parseS2k, refuseWeak, type S2k } from "./s2k.js";
import { requireTwofishOcb } from "./seipd.js";

const WHAT = "session key";
const NO_SALT = new Uint8Array(0);

/** A packet with a session key under a passphrase. */
export type Skesk = SkeskV4 | SkeskWithTag | SkeskOther;

/** Version 4: the passphrase gives the session key itself, or one that encrypts it, without a tag. */
export interface SkeskV4 {
  readonly version: 4;
  /** Encrypts the session key, or where there is none, the message. */
  readonly cipher: number;
  readonly s2k: S2k;
  /** The number of the message's cipher and the session key, in CFB; or nothing. */
  readonly sealed: Uint8Array;
}

/** Version 5 and 6: the session key with a tag, in version 6 under HKDF of the passphrase's key. */
export interface SkeskWithTag {
  readonly version: 5 | 6;
  readonly cipher: number;
  readonly mode: number;
  readonly s2k: S2k;
  readonly nonce: Uint8Array;
  /** The encrypted session key and its tag. */
  readonly sealed: Uint8Array;
}

/** One of the future; `version` is 0 so that the union can tell it apart. */
export interface SkeskOther {
  readonly version: 0;
  readonly found: number;
}

export function parseSkesk(body: Uint8Array): Skesk {
  const fields = new Fields(Packet.SKESK, body);
  const version = fields.octet();
  if (version === 4) return parseV4(fields);
  if (version === 5) return parseV5(fields);
  if (version === 6) return parseV6(fields);
  return { version: 0, found: version };
}

function parseV4(fields: Fields): SkeskV4 {
  const cipher = fields.octet();
  const s2k = parseS2k(fields);
  return { version: 4, cipher, s2k, sealed: fields.rest() };
}

function parseV5(fields: Fields): SkeskWithTag {
  const [cipher, mode] = [fields.octet(), fields.octet()];
  const s2k = parseS2k(fields);
  const nonce = fields.take(nonceBytes(mode) ?? 0);
  return { version: 5, cipher, mode, s2k, nonce, sealed: parseSealed(fields) };
}

function parseV6(fields: Fields): SkeskWithTag {
  const fiveFields = fields.octet();
  const [cipher, mode] = [fields.octet(), fields.octet()];
  const s2kBytes = fields.octet();
  const specifier = new Fields(Packet.SKESK, fields.take(s2kBytes));
  const s2k = parseS2k(specifier);
  const length = fiveFields - 3 - s2kBytes;
  if (length < 0 || length !== (nonceBytes(mode) ?? length) || !specifier.isEmpty) {
    throw fields.malformed("its lengths do not agree");
  }
  const nonce = fields.take(length);
  return { version: 6, cipher, mode, s2k, nonce, sealed: parseSealed(fields) };
}

function parseSealed(fields: Fields): Uint8Array {
  const sealed = fields.rest();
  if (sealed.length < TAG_BYTES) throw fields.malformed("it is too short");
  return sealed;
}

/** The cipher of the message, where this packet alone decides it. */
export function messageCipher(skesk: Skesk): number | undefined {
  return skesk.version === 4 && skesk.sealed.length === 0 ? skesk.cipher : undefined;
}

/** Refuses a packet that this program cannot try. */
export function checkSkesk(skesk: Skesk): void {
  switch (skesk.version) {
    case 4:
      requireTwofish(skesk.sealed.length > 0 ? WHAT : "message", skesk.cipher);
      checkS2k(skesk.s2k);
      break;
    case 5:
      requireTwofish(WHAT, skesk.cipher);
      if (skesk.mode !== Mode.OCB && skesk.mode !== Mode.EAX) {
        throw error.unknownMode(WHAT, skesk.mode);
      }
      checkS2k(skesk.s2k);
      break;
    case 6:
      requireTwofishOcb(WHAT, skesk.cipher, skesk.mode);
      refuseWeak(skesk.s2k);
      checkS2k(skesk.s2k);
      break;
    case 0:
      throw error.version(Packet.SKESK, skesk.found);
  }
}

/** The older forms take Twofish-256 alone here. */
function requireTwofish(what: string, found: number): void {
  if (found !== TWOFISH_256) throw error.otherCipherOlder(what, found);
}

/**
 * The session key out of a packet that was checked. Throws `WrongPassphrase` where the tag does not fit;
 * version 4 has none, so that what comes out of it is only perhaps the key.
 */
export async function openSkesk(
  skesk: SkeskV4 | SkeskWithTag,
  passphrase: Uint8Array,
): Promise<Uint8Array> {
  const key = await deriveKey(skesk.s2k, passphrase);
  if (skesk.version === 4 && skesk.sealed.length === 0) return key;
  try {
    return skesk.version === 4 ? openV4(skesk, key) : await openWithTag(skesk, key);
  } finally {
    wipe(key);
  }
}

/** The decrypted octets must at least look like a key for Twofish-256. */
function openV4(skesk: SkeskV4, key: Uint8Array): Uint8Array {
  const plain = decryptCfb(key, skesk.sealed);
  const sessionKey = plain.slice(1);
  const fits = plain[0] === TWOFISH_256 && sessionKey.length === KEY_BYTES;
  wipe(plain);
  if (fits) return sessionKey;
  wipe(sessionKey);
  throw error.wrongPassphrase();
}

async function openWithTag(skesk: SkeskWithTag, key: Uint8Array): Promise<Uint8Array> {
  const aead = await keyEncryption(skesk, key);
  const sessionKey = aead.open(skesk.nonce, info(skesk), skesk.sealed);
  aead.close();
  if (!sessionKey) throw error.wrongPassphrase();
  if (sessionKey.length === KEY_BYTES) return sessionKey;
  wipe(sessionKey);
  throw error.malformed(Packet.SKESK, "the session key in it has not 32 octets");
}

/** From the passphrase's key to the cipher that encrypts the session key. */
async function keyEncryption(
  skesk: Pick<SkeskWithTag, "version" | "cipher" | "mode">,
  key: Uint8Array,
): Promise<Aead> {
  if (skesk.version === 5) return new Aead(skesk.mode, key);
  const expanded = await hkdf(key, NO_SALT, info(skesk), KEY_BYTES);
  try {
    return new Aead(skesk.mode, expanded);
  } finally {
    wipe(expanded);
  }
}

/** The fields that HKDF and the tag bind: packet, version, cipher, mode. */
const info = (skesk: Pick<SkeskWithTag, "version" | "cipher" | "mode">): Uint8Array =>
  Uint8Array.of(tagOctet(Packet.SKESK), skesk.version, skesk.cipher, skesk.mode);

/** The body of a packet of version 6 with `sessionKey` under the passphrase through Argon2. */
export async function sealSkesk(
  cost: Argon2Cost,
  nonce: Uint8Array,
  passphrase: Uint8Array,
  sessionKey: Uint8Array,
): Promise<Uint8Array> {
  const suite = { version: 6, cipher: TWOFISH_256, mode: Mode.OCB } as const;
  const key = await deriveKey({ kind: "argon2", ...cost }, passphrase);
  const aead = await keyEncryption(suite, key);
  const sealed = aead.seal(nonce, info(suite), sessionKey);
  aead.close();
  wipe(key);
  const s2k = argon2Octets(cost);
  const head = [6, 3 + s2k.length + nonce.length, suite.cipher, suite.mode, s2k.length];
  return concat(head, s2k, nonce, sealed);
}
