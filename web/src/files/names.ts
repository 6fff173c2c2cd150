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
  const first = start[0] ?? 0;
  const type = first & 0x40 ? first & 0x3f : (first & 0x3c) >> 2;
  return first >= 0x80 && [1, 3, 10, 18].includes(type);
}
