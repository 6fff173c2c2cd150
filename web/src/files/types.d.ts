// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Interfaces of browsers that TypeScript's types lack: https://wicg.github.io/file-system-access/

interface Window {
  /** Not in all browsers: ask `"showSaveFilePicker" in window` first. */
  showSaveFilePicker(options: { suggestedName?: string }): Promise<FileSystemFileHandle>;
}
