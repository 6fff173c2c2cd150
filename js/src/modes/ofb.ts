// SPDX-License-Identifier: Apache-2.0 OR MIT

import type { Twofish } from "../twofish.js";
import { Keystream } from "./keystream.js";

/** OFB [SP800-38A, 6.4]. */
export class Ofb extends Keystream {
  constructor(key: Twofish) {
    super(key, { mode: "ofb" });
  }
}
