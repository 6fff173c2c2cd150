// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The file of the worker that `worker.ts` starts: it does one job and is ended from outside.

import { onMessage } from "#platform";
import { decrypt, encrypt, type Input } from "./openpgp/index.js";
import type { Job } from "./worker-job.js";
import { type Answer, type News, remote, serve } from "./worker-port.js";

function inputOf({ input }: Job): Input {
  if (input instanceof Blob) return input;
  const { port, size } = input;
  if (size === undefined) return remote(port);
  return { size, stream: () => remote(port) };
}

function run(job: Job): void {
  const tell = (news: News) => job.output.postMessage({ kind: "news", news } satisfies Answer);
  const watchers = {
    onProgress: (octets: number, isSecondReading: boolean) =>
      tell({ kind: "progress", octets, isSecondReading }),
    onOpened: (opened: { bytes: number; signed: boolean }) => tell({ kind: "opened", opened }),
  };
  const work = job.work === "encrypt" ? encrypt : decrypt;
  // Not every engine iterates streams by itself. Arguments are refused where the first piece is asked for.
  async function* pieces(): AsyncGenerator<Uint8Array> {
    const stream = work(job.passphrase, inputOf(job), { ...job.options, ...watchers });
    const reader = stream.getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  }
  serve(job.output, pieces);
}

onMessage((data) => run(data as Job));
