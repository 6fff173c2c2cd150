// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// One run, in a worker of its own: reads the file, encrypts or opens it, and writes the result to
// where it goes. No byte of the file passes the page. The worker ends with the run, and with it the
// memory that held the key.

import { decrypt, encrypt, OpenPgpError } from "manyfish/openpgp";
import { type Place, placeOf } from "./places/place";
import { isReadable } from "./readable";
import type { Failure, Report, Result, Task } from "./task";

const report = (message: Report) => postMessage(message);

/** The least time between two reports of progress, in milliseconds. */
const INTERVAL = 50;

function progressTeller(): (doneBytes: number, isSecond: boolean) => void {
  let told = 0;
  return (doneBytes, isSecond) => {
    if (performance.now() - told < INTERVAL) return;
    told = performance.now();
    report({ kind: "progress", doneBytes, isSecond });
  };
}

async function run({ verb, file, passphrase, armor, older, target }: Task): Promise<Result> {
  const onProgress = progressTeller();
  let isSigned = false;
  const onOpened = ({ signed }: { signed: boolean }) => {
    isSigned = signed;
  };
  const stream =
    verb === "encrypt"
      ? encrypt(passphrase, file, { armor, format: older ? "rfc4880" : "rfc9580", onProgress })
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

const noSpace: Failure = {
  code: "storage",
  message: "the browser has no more space for this page",
  hint: "free some space, or let it be written straight into a file that you choose",
};
const notReadable: Failure = {
  code: "input",
  message: "it was moved, changed or removed",
  hint: "choose it again",
};

/** The page has no options for that. */
const TRUSTED =
  "if you trust the sender, the command manyfish decrypt opens it, and says with which options";

async function failureOf(error: unknown, file: File): Promise<Failure> {
  if (error instanceof OpenPgpError) {
    const { code, message } = error;
    return { code, message, hint: error.kind === "OverLimits" ? TRUSTED : error.hint };
  }
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  if (name === "QuotaExceededError") return noSpace;
  return (await isReadable(file)) ? { code: "other", message } : notReadable;
}

addEventListener("message", async ({ data }: MessageEvent<Task>) => {
  try {
    report({ kind: "done", ...(await run(data)) });
  } catch (error) {
    report({ kind: "failed", failure: await failureOf(error, data.file) });
  }
});
