// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// What Node has under other names than browsers: "#platform" in package.json chooses by the engine.

// Not a global before Node 19.
export { webcrypto } from "node:crypto";
