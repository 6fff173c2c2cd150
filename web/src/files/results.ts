// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Results in the browser's own storage: each is there as long as the page that made it shows it. A
// page holds a lock while it is open, so that another one knows which results are left over from
// pages that were closed.

import { resultsFolder } from "./places/stored";
import type { Target } from "./task";

const page = Array.from(crypto.getRandomValues(new Uint32Array(4)), (word) =>
  word.toString(36),
).join("");
let count = 0;

const lockOf = (owner: string) => `manyfish-page-${owner}`;

/** A name for a new result of this page. */
export const newName = () => `${page}.${++count}`;

/** Marks this page as open, and removes what closed ones have left over. */
export async function sweep(): Promise<void> {
  const folder = await resultsFolder();
  if (!folder) return;
  // Held until the page is closed: the promise never settles.
  void navigator.locks.request(lockOf(page), () => new Promise<never>(() => {}));
  for await (const name of folder.keys()) {
    const owner = name.split(".")[0] as string;
    await navigator.locks.request(lockOf(owner), { ifAvailable: true }, async (lock) => {
      // The next page removes what cannot be removed now.
      if (lock) await folder.removeEntry(name).catch(console.warn);
    });
  }
}

/**
 * Removes a result. Its worker has ended, or ends now. Not for pages that are closed: a download
 * may still read it.
 */
export async function discard(target: Target): Promise<void> {
  if (target.kind === "stored") {
    await insist(async () => (await resultsFolder())?.removeEntry(target.name));
  } else if (target.isEmpty) {
    await insist(async () => target.handle.remove?.());
  }
}

/** Removes all results that it can, and fails if one of them remains. */
export async function discardAll(targets: readonly Target[]): Promise<void> {
  const ends = await Promise.allSettled(targets.map(discard));
  for (const end of ends) if (end.status === "rejected") throw end.reason;
}

/** A file that a worker had open is free a moment after the worker has ended. */
async function insist(remove: () => Promise<void>): Promise<void> {
  for (let wait = 10; ; wait *= 2) {
    try {
      return await remove();
    } catch (error) {
      if (error instanceof DOMException && error.name === "NotFoundError") return;
      if (wait > 2000) throw error;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}
