// SPDX-License-Identifier: Apache-2.0 OR MIT

import type { Target } from "../task";
import { memory } from "./memory";
import { picked } from "./picked";
import { stored } from "./stored";

/**
 * Where a run writes its result, in the worker. Only `keep` makes a file of it: a worker that ends
 * before leaves at most what `discard` of ../results.ts removes.
 */
export interface Place {
  /** Appends `chunk`, which belongs to the place from then on. */
  write(chunk: Uint8Array): void | Promise<void>;
  /** Ends the writing. The file can be read as long as what is behind it stays. */
  keep(): Promise<Blob>;
}

/**
 * The place of a target; memory, where the browser gives a page no storage, as some do in private
 * windows.
 */
export async function placeOf(target: Target): Promise<Place> {
  if (target.kind === "picked") return picked(target.handle);
  return (await stored(target.name)) ?? memory();
}
