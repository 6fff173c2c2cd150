// SPDX-License-Identifier: Apache-2.0 OR MIT

import type { Twofish } from "../twofish.js";
import { Aead } from "./aead.js";

/** OCB [RFC7253], the mode to prefer. Nonces of 1 to 15 bytes, tags of 16. */
export class Ocb extends Aead {
  constructor(key: Twofish) {
    super(key, { mode: "ocb", unit: 16, tags: [16] });
  }
}
