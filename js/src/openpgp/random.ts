// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Random octets of the engine.

import { webcrypto } from "#platform";

/** Fresh random octets; at most 65,536. */
export const random = (octets: number): Uint8Array =>
  webcrypto.getRandomValues(new Uint8Array(octets));
