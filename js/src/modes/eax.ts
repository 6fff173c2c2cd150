// SPDX-License-Identifier: Apache-2.0 OR MIT

import type { Twofish } from "../twofish.js";
import { Aead, type AeadOptions } from "./aead.js";

/** EAX [EAX04], for data that exists. Nonces of any length, tags of 4 to 16 bytes. */
export class Eax extends Aead {
  constructor(key: Twofish, options?: AeadOptions) {
    super(
      key,
      { mode: "eax", unit: 1, tags: [4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16] },
      options,
    );
  }
}
