// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Run when the page is built: what it returns is what the page imports.

export { machines as default } from "./results.mjs";
