// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// All inputs that a caller may give, as one kind of source: watched, cancellable, and read again where it
// can be.

import type { Bytes } from "../bytes.js";
import * as error from "./error.js";
import { concat, wipe } from "./octets.js";

/** A Blob or File, or anything else of a known size that can be streamed again. */
export interface BlobLike {
  readonly size: number;
  stream(): ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;
}

/** The inputs of encryption and decryption. Streams give their octets in pieces of any size. */
export type Input = Uint8Array | BlobLike | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/** Told after each piece: octets read so far, and whether the input is read the second time. */
export type OnProgress = (octets: number, isSecondReading: boolean) => void;

/** How octets in memory are cut, so that progress and cancelling have their turn. */
const PIECE_BYTES = 1 << 20;

interface Cursor {
  next(): Promise<IteratorResult<Uint8Array, unknown>>;
  return?(): Promise<unknown>;
}

/** An input as the rest of this folder reads it. */
export class Source {
  readonly #input: Input;
  readonly #signal: AbortSignal | undefined;
  readonly #onProgress: OnProgress | undefined;
  #cursor: Cursor | undefined;
  #readings = 0;
  #isClosed = false;
  /** Rejects the read that waits. */
  #interrupt: ((reason: unknown) => void) | undefined;
  readonly #onAbort = () => {
    this.#interrupt?.(error.cancelled());
    this.whenAborted();
  };
  /** Called where the caller cancels, also while nobody reads. */
  whenAborted: () => void = () => undefined;

  constructor(input: Input, options: Watching) {
    if (!isInput(input)) {
      throw error.argument("the input must be a Uint8Array, a Blob or a stream of Uint8Arrays");
    }
    this.#input = input;
    this.#signal = options.signal;
    this.#onProgress = options.onProgress;
    this.#signal?.addEventListener("abort", this.#onAbort);
  }

  /** The length, where the input tells it. */
  get length(): number | undefined {
    if (this.#input instanceof Uint8Array) return this.#input.length;
    return isBlob(this.#input) ? this.#input.size : undefined;
  }

  /** Whether `read` may be called a second time. */
  get canReadAgain(): boolean {
    return this.length !== undefined;
  }

  /** The octets from the beginning on. */
  async *read(): AsyncGenerator<Uint8Array, void, undefined> {
    if (this.#isClosed) throw error.cancelled();
    const isSecond = ++this.#readings > 1;
    this.#release();
    const cursor = open(this.#input);
    this.#cursor = cursor;
    let octets = 0;
    for (;;) {
      const { done, value } = await this.#interruptible(cursor.next());
      if (done) return;
      if (!(value instanceof Uint8Array)) throw error.argument(`the input gave ${kindOf(value)}`);
      octets += value.length;
      this.#onProgress?.(octets, isSecond);
      yield plain(value);
    }
  }

  /** Whether the caller has cancelled. */
  get isAborted(): boolean {
    return this.#signal?.aborted ?? false;
  }

  throwIfAborted(): void {
    if (this.isAborted) throw error.cancelled();
  }

  /** Lets the input go, also in the middle of a read, and where it was never read. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (this.#readings === 0 && !this.canReadAgain) this.#cursor = open(this.#input);
    this.#signal?.removeEventListener("abort", this.#onAbort);
    this.#interrupt?.(error.cancelled());
    this.#release();
  }

  /** Not waited for: an input that hangs would hang here too. A failure now is of no use. */
  #release(): void {
    this.#cursor?.return?.().catch(() => undefined);
    this.#cursor = undefined;
  }

  #interruptible<T>(work: Promise<T>): Promise<T> {
    this.throwIfAborted();
    return new Promise((resolve, reject) => {
      this.#interrupt = reject;
      work.then(resolve, reject);
    });
  }
}

function isInput(input: unknown): input is Input {
  return (
    input instanceof Uint8Array ||
    (typeof input === "object" &&
      input !== null &&
      (isBlob(input as Input) || "getReader" in input || Symbol.asyncIterator in input))
  );
}

function isBlob(input: Input): input is BlobLike {
  return "stream" in input && typeof input.stream === "function" && typeof input.size === "number";
}

/** Each blob gives a new stream; a stream can be opened once. */
function open(input: Input): Cursor {
  if (input instanceof Uint8Array) return slices(input);
  if (isBlob(input)) return open(input.stream());
  if ("getReader" in input) return ofStream(input);
  return input[Symbol.asyncIterator]();
}

async function* slices(octets: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  for (let at = 0; at < octets.length; at += PIECE_BYTES) {
    yield octets.subarray(at, at + PIECE_BYTES);
  }
}

/** Not every engine iterates streams by itself. */
function ofStream(stream: ReadableStream<Uint8Array>): Cursor {
  const reader = stream.getReader();
  return {
    next: () => reader.read() as Promise<IteratorResult<Uint8Array, unknown>>,
    // A stream that has failed fails here again, which was told before.
    return: () => reader.cancel().catch(() => undefined),
  };
}

/** Node's Buffer is a Uint8Array whose `slice` does not copy. */
const plain = (octets: Uint8Array): Uint8Array =>
  new Uint8Array(octets.buffer, octets.byteOffset, octets.length);

function kindOf(value: unknown): string {
  const kind = typeof value === "object" ? "an object" : `a ${typeof value}`;
  return `${value === null ? "null" : kind}, expected Uint8Arrays`;
}

/** A passphrase that was checked, as octets of our own, to be wiped: text in UTF-8, as a terminal gives it. */
export function passphraseOctets(passphrase: string | Uint8Array): Uint8Array {
  return typeof passphrase === "string" ? new TextEncoder().encode(passphrase) : concat(passphrase);
}

/** The options of all calls. */
export interface Watching {
  signal?: AbortSignal;
  onProgress?: OnProgress;
}

export function checkOptions(options: Watching): void {
  if (typeof options !== "object" || options === null) {
    throw error.argument("the options must be an object");
  }
  const { signal, onProgress } = options;
  if (signal !== undefined && typeof signal?.addEventListener !== "function") {
    throw error.argument("the option signal must be an AbortSignal");
  }
  if (onProgress !== undefined && typeof onProgress !== "function") {
    throw error.argument("the option onProgress must be a function");
  }
}

export function checkPassphrase(passphrase: string | Uint8Array): void {
  if (typeof passphrase !== "string" && !(passphrase instanceof Uint8Array)) {
    throw error.argument("the passphrase must be a string or a Uint8Array");
  }
  if (passphrase.length === 0) throw error.argument("the passphrase is empty");
}

/**
 * A stream that asks for a piece only when its reader does. Where nobody reads to its end, it
 * releases `source` and wipes `secret` anyway.
 */
export function toStream(
  pieces: AsyncGenerator<Uint8Array, unknown, undefined>,
  source: Source,
  secret: Uint8Array,
): ReadableStream<Bytes> {
  const stop = async () => {
    source.close();
    await pieces.return(undefined);
    wipe(secret);
  };
  // The reader gets the error of work that was stopped.
  source.whenAborted = () => void stop().catch(() => undefined);
  if (source.isAborted) source.whenAborted();
  return new ReadableStream<Bytes>(
    {
      async pull(controller) {
        if (source.isAborted) {
          await stop();
          throw error.cancelled();
        }
        const { done, value } = await nextFull(pieces);
        if (done) controller.close();
        // All that comes out of here was made here, in memory that is not shared.
        else controller.enqueue(value as Bytes);
      },
      cancel: stop,
    },
    { highWaterMark: 0 },
  );
}

/** Streams are asked again and again for a piece, so an empty one says nothing. */
async function nextFull(
  pieces: AsyncGenerator<Uint8Array, unknown>,
): Promise<IteratorResult<Uint8Array, unknown>> {
  for (;;) {
    const next = await pieces.next();
    if (next.done || next.value.length > 0) return next;
  }
}
