// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// One run, in a worker of its own: reads the file, encrypts or opens it, and writes the result to where it goes. No byte
// of the file passes the page. The worker ends with the run, and with it the memory that held the key.

import { decrypt, encrypt } from "manyfish/openpgp";
import { type Place, placeOf } from "./places/place";
import type { Failure, Report, Result, Task } from "./task";

const report = (message: Report) => postMessage(message);

/** Progress is told at most this often, in milliseconds. */
const INTERVAL = 50;

function progressTeller(): (doneBytes: number, isSecond: boolean) => void {
  let told = 0;
  return (doneBytes, isSecond) => {
    if (performance.now() - told < INTERVAL) return;
    told = performance.now();
    report({ kind: "progress", doneBytes, isSecond });
  };
}

async function run({ verb, file, passphrase, armor, target }: Task): Promise<Result> {
  const onProgress = progressTeller();
  let isSigned = false;
  const onOpened = ({ signed }: { signed: boolean }) => {
    isSigned = signed;
  };
  const stream =
    verb === "encrypt"
      ? encrypt(passphrase, file, { armor, onProgress })
      : decrypt(passphrase, file, { onProgress, onOpened });
  return { file: await writeTo(await placeOf(target), stream), isSigned };
}

async function writeTo(place: Place, stream: ReadableStream<Uint8Array>): Promise<Blob> {
  const reader = stream.getReader();
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
    (result) => report({ kind: "done", ...result }),
    (error: unknown) => report({ kind: "failed", failure: failureOf(error) }),
  );
});
