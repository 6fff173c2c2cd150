// SPDX-License-Identifier: Apache-2.0 OR MIT

import type { Twofish } from "../twofish.js";
import { Aead, type AeadOptions } from "./aead.js";

/** GCM [SP800-38D], for protocols that ask for it. Nonces of 1 byte or more, 12 at best; tags of 4, 8, 12 to 16. */
export class Gcm extends Aead {
  constructor(key: Twofish, options?: AeadOptions) {
    super(key, { mode: "gcm", unit: 1, tags: [4, 8, 12, 13, 14, 15, 16] }, options);
  }
}
