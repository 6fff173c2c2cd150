// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// What the page may do, as its content security policy: run its own scripts and WebAssembly, and
// speak to nobody but the place that it came from. It stands in index.html, and the server sends it
// too.

export const policy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** Headers for every file of the site. What a meta element cannot say is added to the policy. */
export const headers = {
  "Content-Security-Policy": `${policy}; frame-ancestors 'none'`,
  "Cross-Origin-Opener-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
};
