// SPDX-License-Identifier: Apache-2.0 OR MIT

import type { Twofish } from "../twofish.js";
import { Keystream } from "./keystream.js";

export interface CfbOptions {
  /** 1, 8 or 128; 128 if it is not given. One block is encrypted for each segment. */
  segmentBits?: 1 | 8 | 128 | undefined;
}

/** CFB [SP800-38A, 6.3]. The initialisation vector must be unpredictable. */
export class Cfb extends Keystream {
  constructor(key: Twofish, options: CfbOptions = {}) {
    super(key, { mode: "cfb", option: options.segmentBits ?? 128 });
  }
}
