// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// A passphrase made of random words, and what is to say about one that is not.

/** Six of 7776 words are 77 bits, which with Argon2 nobody tries. */
const WORDS = 6;
/** Below this many characters, an attacker tries in days what people think of. */
const SHORT = 16;

/** Six random words. The list is loaded now, since few need it. */
export async function sixWords(): Promise<string> {
  const { default: words } = await import("./words.data.mjs");
  return Array.from({ length: WORDS }, () => words[below(words.length)]).join(" ");
}

/** A random number below `n`, all of them equally likely. */
function below(n: number): number {
  const most = 2 ** 32 - (2 ** 32 % n);
  for (;;) {
    const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
    if (random < most) return random % n;
  }
}

/** Why a passphrase is weak; "" if nothing speaks against it. */
export function weakness(passphrase: string): string {
  const { length } = [...passphrase];
  if (length === 0 || length >= SHORT) return "";
  const characters = length === 1 ? "One character" : `${length} characters`;
  return `${characters} can be guessed by whoever has the file. Take six random words.`;
}
