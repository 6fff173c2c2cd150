// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Keys and texts as people type them.

/** Bytes, or what is wrong with what was typed. */
export type Parsed = { bytes: Uint8Array } | { problem: string };

/**
 * Hexadecimal digits; spaces between them do not count.
 *
 * @param what "The key", for messages
 * @param lengths in bytes, the allowed ones
 */
export function parseHex(what: string, text: string, lengths: readonly number[]): Parsed {
  const digits = text.replace(/\s/g, "");
  const stray = /[^0-9a-f]/iu.exec(digits);
  if (stray !== null) {
    return {
      problem: `${what} is written in digits 0 to 9 and A to F; "${stray[0]}" is none of them.`,
    };
  }
  if (!lengths.includes(digits.length / 2)) {
    const allowed = list(lengths.map((length) => String(2 * length)));
    return { problem: `${what} has ${allowed} digits; there are ${digits.length}.` };
  }
  const pairs = digits.match(/../g) ?? [];
  return { bytes: Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16)) };
}

/** "32, 48 or 64" */
function list(items: readonly string[]): string {
  const last = items[items.length - 1] ?? "";
  return items.length < 2 ? last : `${items.slice(0, -1).join(", ")} or ${last}`;
}
