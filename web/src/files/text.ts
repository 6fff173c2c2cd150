// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Numbers and errors in words.

import type { Failure, Verb } from "./task";

const units = ["bytes", "kB", "MB", "GB", "TB"];

/** "1 byte", "999 bytes", "1.5 MB": three digits, in powers of 1000. */
export function bytesInWords(bytes: number): string {
  if (bytes === 1) return "1 byte";
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  const digits = unit === 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
  return `${value.toFixed(digits)} ${units[unit]}`;
}

/** "40 seconds", "3 minutes". */
export function timeInWords(seconds: number): string {
  const [value, unit] = seconds < 90 ? [seconds, "second"] : [seconds / 60, "minute"];
  const rounded = Math.max(1, Math.round(value));
  return `${rounded} ${unit}${rounded === 1 ? "" : "s"}`;
}

/** The first sentences about a failure; the library's own sentence follows them. */
const known: Record<string, (verb: Verb) => string> = {
  passphrase: () => "This passphrase does not open the file.",
  altered: () => "The file was altered: it is not what was encrypted.",
  truncated: () => "The end of the file is missing.",
  trailing: () => "Something was added at the end of the file.",
  unsupported: () => "The file was encrypted in a way that this page cannot open.",
  invalid: () => "This is not a file that this page can open.",
  remains: () => "The result, or a part of it, is still there.",
  storage: () => "There is not enough space for the result.",
  input: () => "The file cannot be read.",
};

/** The failure, for a heading. */
export function headingOf(failure: Failure, verb: Verb): string {
  const words = known[failure.code];
  if (words) return words(verb);
  return verb === "encrypt" ? "The file could not be encrypted." : "The file could not be opened.";
}

/** The sentences below the heading: the cause, and what to do about it. */
export function detailsOf({ message, hint }: Failure): string {
  return [message, hint]
    .filter((part) => part)
    .map((part) => asSentence(String(part)))
    .join(" ");
}

function asSentence(text: string): string {
  const start = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(start) ? start : `${start}.`;
}
