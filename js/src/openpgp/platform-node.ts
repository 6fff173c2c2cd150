// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Functions that Node has under other names than browsers: "#platform" in package.json chooses by the engine.

import {
  type MessagePort as NodePort,
  Worker as NodeWorker,
  parentPort,
} from "node:worker_threads";

// Not a global before Node 19.
export { webcrypto } from "node:crypto";

/** Starts ../worker-thread.js. */
export const startThread = (): NodeWorker =>
  new NodeWorker(new URL("../worker-thread.js", import.meta.url));

export function post(thread: Worker | NodeWorker, message: unknown, ports: MessagePort[]): void {
  (thread as NodeWorker).postMessage(message, ports as unknown as NodePort[]);
}

/** Tells if the thread ends by itself: it cannot be loaded, or fails outside of its job. */
export function onThreadFailure(thread: Worker | NodeWorker, tell: (why: string) => void): void {
  (thread as NodeWorker).on("error", (failure: Error) => tell(failure.message));
}

/** In the thread: takes what is posted to it. */
export function onMessage(take: (data: unknown) => void): void {
  parentPort?.on("message", take);
}
