// SPDX-License-Identifier: Apache-2.0 OR MIT

/**
 * False if a file was moved, changed or removed: its stream would fail with no more than "network
 * error".
 */
export function isReadable(file: File): Promise<boolean> {
  const start = file.slice(0, 1).arrayBuffer();
  return start.then(
    () => true,
    () => false,
  );
}
