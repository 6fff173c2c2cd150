// SPDX-License-Identifier: Apache-2.0 OR MIT

import { discard } from "./results";
import type { Failure, Reading, Report, Result, Task } from "./task";

/**
 * How a run ended: with a result, with a failure, or by `cancel`. Only with a result something is
 * kept.
 */
export type End = ({ readonly kind: "done" } & Result) | Failed | { readonly kind: "cancelled" };

interface Failed {
  readonly kind: "failed";
  readonly failure: Failure;
}

export interface Run {
  readonly end: Promise<End>;
  /** Ends it at once, whatever it is doing. */
  cancel(): void;
}

/** Starts a run in a worker of its own. `onProgress` is called some times a second. */
export function start(task: Task, onProgress: (reading: Reading) => void): Run {
  const worker = new Worker("files-worker.js", { type: "module" });
  let cancel = () => {};
  const ended = new Promise<End>((resolve) => {
    cancel = () => resolve({ kind: "cancelled" });
    worker.onerror = (event) => resolve(crashed(event.message));
    worker.onmessageerror = () => resolve(crashed("a message of the worker could not be read"));
    worker.onmessage = ({ data }: MessageEvent<Report>) => {
      if (data.kind === "progress") onProgress(data);
      else resolve(data);
    };
  });
  worker.postMessage(task);
  const end = ended.then(async (how) => {
    worker.terminate();
    return how.kind === "done" ? how : afterRemoval(discard(task.target), how);
  });
  return { end, cancel };
}

/** The worst of all ends is a removal that fails, so it replaces the one before. */
export function afterRemoval<E extends End>(removal: Promise<void>, end: E): Promise<E | Failed> {
  return removal.then(
    () => end,
    (error) => ({ kind: "failed", failure: notRemoved(error) }),
  );
}

export function notRemoved(error: unknown): Failure {
  const message = `what was written of it could not be removed (${error})`;
  const hint = "delete the data of this site in the settings of the browser";
  return { code: "remains", message, hint };
}

function crashed(message: string | undefined): End {
  const failure = { code: "worker", message: message || "the worker could not be started" };
  return { kind: "failed", failure: { ...failure, hint: "load the page again" } };
}
