// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// One run, in a worker of its own: reads the file, encrypts or opens it, and writes the result to where it goes. No byte
// of the file passes the page. The worker ends with the run, and with it the memory that held the key.

import { decrypt, encrypt } from "manyfish/openpgp";
import { placeOf } from "./places/place";
import type { Failure, Report, Task } from "./task";

const report = (message: Report) => postMessage(message);

/** What is told of the progress, at most this often, in milliseconds. */
const interval = 50;

function result({ verb, file, passphrase, armor }: Task): ReadableStream<Uint8Array> {
  let told = 0;
  const onProgress = (doneBytes: number) => {
    if (performance.now() - told < interval) return;
    told = performance.now();
    report({ kind: "progress", doneBytes });
  };
  return verb === "encrypt"
    ? encrypt(passphrase, file, { armor, onProgress })
    : decrypt(passphrase, file, { onProgress });
}

async function run(task: Task): Promise<Blob> {
  const place = await placeOf(task.target);
  const reader = result(task).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return place.keep();
    await place.write(value);
  }
}

function failureOf(error: unknown): Failure {
  if (error instanceof DOMException && error.name === "QuotaExceededError") {
    const hint = "free some space, or let it be written straight into a file that you choose";
    return { code: "storage", message: "the browser has no more space for this page", hint };
  }
  if (error instanceof DOMException && error.name === "NotReadableError") {
    const hint = "it may have been moved or changed; choose it again";
    return { code: "input", message: "the file could not be read", hint };
  }
  const { code, message, hint } = error as Partial<Failure>;
  return { code: String(code ?? "other"), message: message ?? String(error), hint };
}

addEventListener("message", ({ data }: MessageEvent<Task>) => {
  run(data).then(
    (file) => report({ kind: "done", file }),
    (error: unknown) => report({ kind: "failed", failure: failureOf(error) }),
  );
});
