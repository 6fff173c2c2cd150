// SPDX-License-Identifier: Apache-2.0 OR MIT

import { type Implementation, library } from "./library.js";

/** One way to compute Twofish; all give the same results. */
export interface Kernel {
  /** As `new Twofish(bytes, { kernel })` takes it. */
  readonly name: string;
  /** One line: what it computes once for a key. */
  readonly summary: string;
  /** Bytes that an expanded key takes. */
  readonly keyBytes: number;
  /** Blocks that it works on at a time. */
  readonly lanes: number;
  /** No branch on, and no address from, key or data. */
  readonly constantTime: boolean;
}

const INFO_BYTES = 32;

/** The kernels that run here, best first: the first one is taken if none is named. */
export function kernels(implementation?: Implementation): Kernel[] {
  const from = library(implementation);
  return Array.from({ length: from.c.mf_twofish_kernel_count() }, (_, i) =>
    from.run([new Uint8Array(INFO_BYTES)], (at) => {
      from.check(from.c.mf_twofish_kernel_info(i, at));
      const [name, summary, , keyBytes, lanes] = from.words(at, 5) as unknown as number[];
      return {
        name: from.text(name as number),
        summary: from.text(summary as number),
        keyBytes: keyBytes as number,
        lanes: lanes as number,
        constantTime: from.view[at + 28] !== 0,
      };
    }),
  );
}
