// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Run when the page is built: what it returns is what the page imports. Key and text of the official
// intermediate-value test.

import { readFileSync } from "node:fs";

const VECTORS = new URL("../../../vectors/twofish_ecb_ival.rsp", import.meta.url);

export default function presets() {
  const text = readFileSync(VECTORS, "utf8");
  const [keys, texts] = ["KEY", "PT"].map((name) =>
    [...text.matchAll(new RegExp(`^${name} = ([0-9A-F]+)$`, "gm"))].map((found) => `${found[1]}`),
  );
  return keys?.map((key, i) => ({ keyBits: 4 * key.length, key, text: texts?.[i] }));
}
