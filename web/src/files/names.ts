// SPDX-License-Identifier: Apache-2.0 OR MIT

import type { Verb } from "./task";

/** The name for a result. */
export function resultName(verb: Verb, name: string, armor: boolean): string {
  if (verb === "encrypt") return name + (armor ? ".asc" : ".pgp");
  const without = name.replace(/\.(pgp|gpg|asc)$/i, "");
  return without !== name && without !== "" ? without : `${name}.decrypted`;
}

/**
 * True if a file begins as an OpenPGP message does [RFC9580, 4.2]: with a packet for a session key
 * (types 1 and 3), a marker (10) or encrypted data (18), or with the first line of armor.
 */
export async function looksEncrypted(file: Blob): Promise<boolean> {
  const start = new Uint8Array(await file.slice(0, 27).arrayBuffer());
  if (new TextDecoder().decode(start) === "-----BEGIN PGP MESSAGE-----") return true;
  const [first = 0, second = 0] = start;
  const type = first & 0x40 ? first & 0x3f : (first & 0x3c) >> 2;
  return first >= 0x80 && [1, 3, 10, 18].includes(type) && !isLetter(first, second);
}

/**
 * True if a letter in UTF-8 has these first bytes. As a packet it would have 128 to 191 bytes: more
 * than types 3 and 10 can have, or data (18) without its session key. Type 1 (C1) begins no letter.
 */
function isLetter(first: number, second: number): boolean {
  return first >= 0xc2 && second >> 6 === 0b10;
}
