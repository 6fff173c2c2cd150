// SPDX-License-Identifier: Apache-2.0 OR MIT

import type { Place } from "./place";

/**
 * Memory, for browsers that give a page no storage. The browser refuses what does not fit.
 */
export function memory(): Place {
  const parts: Blob[] = [];
  return {
    write(chunk) {
      parts.push(new Blob([chunk as Uint8Array<ArrayBuffer>]));
    },
    keep: async () => new Blob(parts),
  };
}
