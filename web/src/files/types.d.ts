// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// What browsers have and TypeScript's types do not: https://wicg.github.io/file-system-access/

interface Window {
  /** Not in all browsers: ask `"showSaveFilePicker" in window` first. */
  showSaveFilePicker(options: { suggestedName?: string }): Promise<FileSystemFileHandle>;
}
