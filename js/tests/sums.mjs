// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// A reporter of node:test that adds up, in the words that scripts/test reads.

/** @param {AsyncIterable<import("node:test/reporters").TestEvent>} events */
export default async function* sums(events) {
  let passed = 0;
  let failed = 0;
  let skipped = 0;
  for await (const { type, data } of events) {
    if (type === "test:pass" && data.details.type !== "suite") {
      if (data.skip !== undefined) skipped++;
      else passed++;
    } else if (type === "test:fail" && data.details.type !== "suite") {
      failed++;
    }
  }
  yield `${passed} passed, ${failed} failed, ${skipped} skipped\n`;
}
