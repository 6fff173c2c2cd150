// SPDX-License-Identifier: Apache-2.0 OR MIT

import type { Place } from "./place";

/** The file that the user chose. The browser writes beside it until `keep`. */
export async function picked(handle: FileSystemFileHandle): Promise<Place> {
  const writable = await handle.createWritable();
  return {
    write: (chunk) => writable.write(chunk as Uint8Array<ArrayBuffer>),
    async keep() {
      await writable.close();
      return handle.getFile();
    },
  };
}
