// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// What browsers, Deno and Bun have as globals: "#platform" in package.json chooses by the engine.

export const webcrypto: Crypto = globalThis.crypto;
