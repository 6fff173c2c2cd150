// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The data of the explorer: machines, and the cost of each keying option or kernel on them. results.mjs
// reads them from bench/ when the page is built; a browser's own measurement has the same form.

export const KEY_BITS = [128, 192, 256] as const;
export type KeyBits = (typeof KEY_BITS)[number];

/** A value for each key size that the kernel takes and that somebody published or measured. */
export type ByKeyBits<T> = Partial<Record<KeyBits, T>>;

/** Blocks under one key, and the clocks of all that: the set-up and each of the blocks. */
export type Point = [blocks: number, clocks: number];

export interface Kernel {
  /** As in the lists of the library: "full", "partial", .. */
  name: string;
  constantTime: boolean;
  /** For set-up, encryption and decryption; not known of all. */
  codeBytes?: number;
  /** Memory for one key. */
  keyBytes?: number;
  /** Clocks of a key set-up. */
  setup: ByKeyBits<number>;
  /** Clocks of one block that waits for the one before. */
  block: ByKeyBits<number>;
  /** In order of blocks. */
  points: ByKeyBits<Point[]>;
}

export interface Machine {
  /** Different for each. */
  id: string;
  era: "1998" | "today" | "here";
  name: string;
  /** The author, date and way of the measurement: a sentence. */
  source: string;
  /** Whether the points were measured, or are set-up and blocks added up. */
  measured: boolean;
  kernels: Kernel[];
}

/** The clocks for that many blocks, between two points by a straight line; nothing outside of them. */
export function clocksAt(points: readonly Point[], blocks: number): number | undefined {
  const after = points.findIndex(([n]) => n >= blocks);
  const right = points[after];
  if (right === undefined) return undefined;
  if (right[0] === blocks) return right[1];
  const left = points[after - 1];
  if (left === undefined) return undefined;
  const share = (blocks - left[0]) / (right[0] - left[0]);
  return left[1] + share * (right[1] - left[1]);
}

/** The kernel that needs the fewest clocks for that many blocks, of those that have a figure. */
export function best(
  kernels: readonly Kernel[],
  keyBits: KeyBits,
  blocks: number,
): { kernel: Kernel; clocks: number } | undefined {
  const found = kernels.flatMap((kernel) => {
    const clocks = clocksAt(kernel.points[keyBits] ?? [], blocks);
    return clocks === undefined ? [] : [{ kernel, clocks }];
  });
  return found.sort((a, b) => a.clocks - b.clocks)[0];
}
