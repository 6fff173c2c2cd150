// SPDX-License-Identifier: Apache-2.0 OR MIT

import type { Twofish } from "../twofish.js";
import { Keystream } from "./keystream.js";

export interface CtrOptions {
  /** How many low bits of the counter block count, 32 or 128; 128 if it is not given. */
  counterBits?: 32 | 128 | undefined;
}

/** CTR [SP800-38A, 6.5]. The initialisation vector is the first counter block, big-endian. */
export class Ctr extends Keystream {
  constructor(key: Twofish, options: CtrOptions = {}) {
    super(key, { mode: "ctr", option: options.counterBits ?? 128 });
  }
}
