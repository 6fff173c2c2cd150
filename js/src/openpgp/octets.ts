// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Octets: put together, compared, wiped, and as numbers.

/** All of them, one after the other, in memory of their own. */
export function concat(...pieces: readonly (Uint8Array | readonly number[])[]): Uint8Array {
  const all = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

/** Whether they are the same. Looks at all of them, for what is decrypted is secret. */
export function equal(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  return a.reduce((differences, octet, i) => differences | (octet ^ (b[i] as number)), 0) === 0;
}

/** A number below 2^53 in eight octets, big-endian. */
export function octets64(number: number): Uint8Array {
  const octets = new Uint8Array(8);
  const view = new DataView(octets.buffer);
  view.setUint32(0, Math.floor(number / 2 ** 32));
  view.setUint32(4, number % 2 ** 32);
  return octets;
}

/** A big-endian number of at most six octets. */
export const number = (octets: Uint8Array): number =>
  octets.reduce((sum, octet) => sum * 256 + octet, 0);

/** Overwrites with zeros what held a secret. */
export function wipe(...secrets: readonly (Uint8Array | undefined)[]): void {
  for (const secret of secrets) secret?.fill(0);
}
