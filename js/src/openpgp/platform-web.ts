// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Globals of browsers, Deno and Bun: "#platform" in package.json chooses by the engine.

export const webcrypto: Crypto = globalThis.crypto;

/** Starts ../worker-thread.js. Written in the one way that bundlers know. */
export const startThread = (): Worker =>
  new Worker(new URL("../worker-thread.js", import.meta.url), { type: "module" });

export function post(thread: Worker, message: unknown, ports: MessagePort[]): void {
  thread.postMessage(message, ports);
}

/** Tells if the thread ends by itself: it cannot be loaded, or fails outside of its job. */
export function onThreadFailure(thread: Worker, tell: (why: string) => void): void {
  thread.addEventListener("error", (event) => tell(event.message || "its file was not loaded"));
}

/** In the thread: takes what is posted to it. */
export function onMessage(take: (data: unknown) => void): void {
  globalThis.addEventListener("message", (event: MessageEvent) => take(event.data));
}
