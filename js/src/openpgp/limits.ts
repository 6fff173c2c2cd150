// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The limits of a message before its passphrase has proved right: memory, and work. We count both from the
// packets in advance, not by a clock, so that a message gets the same answer everywhere, and the same as
// from the command.

import { type AeadData, beginningBytes } from "./aead.js";
import * as error from "./error.js";
import { costOf } from "./s2k.js";
import { checkSkesk, type Skesk } from "./skesk.js";

/** The cost of trying a passphrase, or its limit. */
export interface Limits {
  /** Octets of memory, of the packet that takes most. */
  readonly memory: number;
  /**
   * Work of all packets together, in seconds of an ordinary core. That is a unit and no measurement: such a
   * core does 1,000,000 KiB of Argon2 (memory times passes) a second, hashes 250,000 KiB and decrypts
   * 31,250 KiB. JavaScript takes longer.
   */
  readonly work: number;
}

export const DEFAULT_LIMITS: Limits = { memory: 256 * 2 ** 20, work: 2 };
/** Microseconds of an ordinary core for a KiB of trial decryption. */
const DECRYPTION_MICROS = 32;

/** Sums of seconds are not exact. */
const micros = (seconds: number): number => Math.round(seconds * 1e6);

/** The limits that the options give. */
export function limitsOf(options: { maxMemory?: number; maxWork?: number }): Limits {
  const { maxMemory: memory, maxWork: work } = options;
  for (const [name, value] of Object.entries({ maxMemory: memory, maxWork: work })) {
    if (value !== undefined && !(typeof value === "number" && value >= 0)) {
      throw error.argument(`the option ${name} must be a number, 0 or more, found ${value}`);
    }
  }
  return { memory: memory ?? DEFAULT_LIMITS.memory, work: work ?? DEFAULT_LIMITS.work };
}

/**
 * The cost of the packets for passphrases that can be tried. Each packet of version 4 before `data` also takes
 * a trial of its beginning.
 */
export function askedBy(skesks: readonly Skesk[], data: AeadData | undefined): Limits {
  const trial = data ? Math.ceil((beginningBytes(data) * DECRYPTION_MICROS) / 1024) : 0;
  let memory = 0;
  let micros = 0;
  for (const skesk of skesks) {
    if (skesk.version === 0 || !canBeTried(skesk)) continue;
    const cost = costOf(skesk.s2k);
    memory = Math.max(memory, cost.memory);
    micros += cost.micros + (skesk.version === 4 ? trial : 0);
  }
  return { memory, work: micros / 1e6 };
}

function canBeTried(skesk: Skesk): boolean {
  try {
    checkSkesk(skesk);
    return true;
  } catch {
    return false;
  }
}

/** Whether a message that asks for so much is within the limits. */
export const allows = (limits: Limits, asked: Limits): boolean =>
  asked.memory <= limits.memory && micros(asked.work) <= micros(limits.work);
