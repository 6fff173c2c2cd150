// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The messages of `worker.ts` to `worker-thread.ts`.

import type { DecryptOptions } from "./openpgp/decryption.js";
import type { EncryptOptions } from "./openpgp/encryption.js";

/** The options that are data. */
export type Plain<Options> = Omit<Options, "onProgress" | "onOpened" | "signal">;

/** One message to write or to open. */
export interface Job {
  readonly work: "encrypt" | "decrypt";
  readonly passphrase: string | Uint8Array;
  /** A Blob by itself; all else comes through the port, which can begin again if `size` is known. */
  readonly input: Blob | { readonly port: MessagePort; readonly size: number | undefined };
  readonly options: Plain<EncryptOptions> | Plain<DecryptOptions>;
  /** Where the result is asked for. */
  readonly output: MessagePort;
}
