// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// OpenPGP messages in a thread of their own: the same calls as those of "manyfish/openpgp", so that a
// page stays responsive. Each message has its own worker, which is ended with it: its memory goes then,
// with keys, passphrase, and what Argon2 left.

import { onThreadFailure, post, startThread } from "#platform";
import type { Bytes } from "./bytes.js";
import type { DecryptOptions } from "./openpgp/decryption.js";
import type { EncryptOptions } from "./openpgp/encryption.js";
import { cancelled, noWorker } from "./openpgp/error.js";
import { checkOptions, checkPassphrase, type Input, Source } from "./openpgp/input.js";
import type { Job } from "./worker-job.js";
import { remote, serve } from "./worker-port.js";

export { type ErrorCode, OpenPgpError } from "./openpgp/error.js";
export type { BlobLike, Input, OnProgress } from "./openpgp/input.js";
export type { Opened } from "./openpgp/literal.js";
export type { DecryptOptions, EncryptOptions };

/** Where the worker comes from. */
export interface WorkerOptions {
  /** Starts a worker out of the module "manyfish/worker-thread", where a bundler or a content security
   * policy wants another way than this package's. */
  worker?: () => Worker;
}

/** As `encrypt` of "manyfish/openpgp", in a worker. The stream throws for arguments out of range. */
export function encrypt(
  passphrase: string | Uint8Array,
  input: Input,
  options: EncryptOptions & WorkerOptions = {},
): ReadableStream<Bytes> {
  return inWorker("encrypt", passphrase, input, options);
}

/** As `decrypt` of "manyfish/openpgp", in a worker. */
export function decrypt(
  passphrase: string | Uint8Array,
  input: Input,
  options: DecryptOptions & WorkerOptions = {},
): ReadableStream<Bytes> {
  return inWorker("decrypt", passphrase, input, options);
}

type Options = EncryptOptions & DecryptOptions & WorkerOptions;

function inWorker(
  work: Job["work"],
  passphrase: string | Uint8Array,
  input: Input,
  options: Options,
): ReadableStream<Bytes> {
  checkOptions(options);
  checkPassphrase(passphrase);
  const source = new Source(input, {});
  let job: RunningJob | undefined;
  return new ReadableStream<Bytes>(
    {
      async pull(controller) {
        job ??= new RunningJob(work, passphrase, source, input, options);
        const { done, value } = await job.next();
        if (done) controller.close();
        else controller.enqueue(value as Bytes);
      },
      cancel: () => (job ? job.stop() : source.close()),
    },
    { highWaterMark: 0 },
  );
}

/** A worker with its ports, from its start to its end. */
class RunningJob {
  readonly #thread: { terminate(): unknown };
  readonly #source: Source;
  readonly #output: AsyncIterator<Uint8Array>;
  readonly #signal: AbortSignal | undefined;
  readonly #ports: MessagePort[] = [];
  /** The error of the input on this side; the worker knows only its sentence. */
  #inputFailure: { reason: unknown } | undefined;
  /** The error of a listener: it ends the message. */
  #thrown: { reason: unknown } | undefined;
  /** The thread has ended by itself. */
  #ended: Error | undefined;
  /** Rejects the wait for the next piece. */
  #interrupt: ((reason: Error) => void) | undefined;
  readonly #onAbort = () => {
    this.#interrupt?.(cancelled());
    this.stop();
  };

  constructor(
    work: Job["work"],
    passphrase: string | Uint8Array,
    source: Source,
    input: Input,
    options: Options,
  ) {
    const { worker = startThread, signal, onProgress, onOpened, ...plain } = options;
    this.#source = source;
    try {
      this.#thread = worker();
    } catch (failure) {
      source.close();
      throw failure;
    }
    this.#signal = signal;
    signal?.addEventListener("abort", this.#onAbort);
    const [here, output] = this.#channel();
    const pieces = remote(here, (news) =>
      this.#tell(() => {
        if (news.kind === "progress") onProgress?.(news.octets, news.isSecondReading);
        else onOpened?.(news.opened);
      }),
    );
    this.#output = pieces[Symbol.asyncIterator]();
    onThreadFailure(this.#thread as Worker, (why) => {
      this.#ended = noWorker(why);
      this.#interrupt?.(this.#ended);
    });
    this.#post({ work, passphrase, input: this.#inputOf(input), options: plain, output });
  }

  #tell(listener: () => void): void {
    try {
      listener();
    } catch (reason) {
      this.#thrown = { reason };
      this.#interrupt?.(cancelled());
    }
  }

  #post(job: Job): void {
    const { input, output } = job;
    try {
      post(this.#thread as Worker, job, "port" in input ? [output, input.port] : [output]);
    } catch (failure) {
      this.stop();
      throw failure;
    }
  }

  /** The next piece; ends the worker at the end, and after an error. */
  async next(): Promise<IteratorResult<Uint8Array>> {
    try {
      const next = await this.#interruptible(this.#output.next());
      if (this.#thrown) throw cancelled();
      if (next.done) this.stop();
      return next;
    } catch (failure) {
      this.stop();
      const known = this.#thrown ?? this.#inputFailure;
      throw known ? known.reason : failure;
    }
  }

  /** Ends the worker wherever it is. */
  stop(): void {
    this.#signal?.removeEventListener("abort", this.#onAbort);
    this.#thread.terminate();
    this.#source.close();
    for (const port of this.#ports) port.close();
  }

  #channel(): [MessagePort, MessagePort] {
    const { port1, port2 } = new MessageChannel();
    this.#ports.push(port1);
    return [port1, port2];
  }

  #inputOf(input: Input): Job["input"] {
    if (input instanceof Blob && canBePosted(input)) return input;
    const [here, port] = this.#channel();
    serve(here, () => this.#watched());
    return { port, size: this.#source.length };
  }

  async *#watched(): AsyncGenerator<Uint8Array> {
    try {
      yield* this.#source.read();
    } catch (reason) {
      this.#inputFailure = { reason };
      throw reason;
    }
  }

  #interruptible<T>(work: Promise<T>): Promise<T> {
    if (this.#signal?.aborted) throw cancelled();
    if (this.#ended) throw this.#ended;
    return new Promise((resolve, reject) => {
      this.#interrupt = reject;
      work.then(resolve, reject);
    });
  }
}

/** Node has no copy of a Blob that is a file. */
function canBePosted(blob: Blob): boolean {
  try {
    structuredClone(blob);
    return true;
  } catch {
    return false;
  }
}
