// SPDX-License-Identifier: Apache-2.0 OR MIT

import type { Place } from "./place";

/**
 * The folder of results in the browser's own storage; undefined where the browser gives a page
 * none.
 */
export async function resultsFolder(): Promise<FileSystemDirectoryHandle | undefined> {
  try {
    const root = await navigator.storage.getDirectory();
    return await root.getDirectoryHandle("results", { create: true });
  } catch {
    return undefined;
  }
}

/**
 * A file in that folder, on the disk, so of any size. Only workers can write there in place; a
 * stream (`createWritable`) would write everything to the disk twice.
 */
export async function stored(name: string): Promise<Place | undefined> {
  const folder = await resultsFolder();
  if (!folder || !("FileSystemSyncAccessHandle" in self)) return undefined;
  const handle = await folder.getFileHandle(name, { create: true });
  const access = await handle.createSyncAccessHandle();
  return {
    write(chunk) {
      const written = access.write(chunk as Uint8Array<ArrayBuffer>);
      if (written !== chunk.length)
        throw new DOMException("the disk is full", "QuotaExceededError");
    },
    keep() {
      access.flush();
      access.close();
      return handle.getFile();
    },
  };
}
