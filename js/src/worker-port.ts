// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// A stream of octets across threads: `serve` on one side of a port gives a piece when `remote` on the
// other asks for it, so that no more than one lies in between. Errors go across too.

import { type ErrorCode, OpenPgpError } from "./openpgp/error.js";
import type { Opened } from "./openpgp/literal.js";

/** Begins again, asks for a piece, or wants no more. */
type Question = "open" | "next" | "return";

export type Answer =
  | { readonly kind: "piece"; readonly piece: Uint8Array }
  | { readonly kind: "end" }
  | { readonly kind: "failure"; readonly failure: Failure }
  /** Comes unasked, in its order. */
  | { readonly kind: "news"; readonly news: News };

/** The messages beside the octets. */
export type News =
  | { readonly kind: "progress"; readonly octets: number; readonly isSecondReading: boolean }
  | { readonly kind: "opened"; readonly opened: Readonly<Opened> };

/** An error as it travels; those of this package arrive as what they were. */
export interface Failure {
  readonly message: string;
  readonly own?: { readonly code: ErrorCode; readonly kind: string; readonly hint?: string };
}

export function toFailure(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof OpenPgpError)) return { message };
  const { code, kind, hint } = error;
  return { message, own: hint === undefined ? { code, kind } : { code, kind, hint } };
}

export function fromFailure({ message, own }: Failure): Error {
  return own ? new OpenPgpError(own.code, own.kind, message, own.hint) : new Error(message);
}

/** Answers the questions that come through `port` out of what `open` gives. */
export function serve(port: MessagePort, open: () => AsyncIterator<Uint8Array>): void {
  let pieces: AsyncIterator<Uint8Array> | undefined;
  const answer = async (question: Question): Promise<Answer> => {
    if (question === "open") pieces = open();
    if (question === "return") await pieces?.return?.();
    const { done, value } = (await (question === "next" ? pieces?.next() : undefined)) ?? END;
    return done ? { kind: "end" } : { kind: "piece", piece: owned(value) };
  };
  port.onmessage = async ({ data }: MessageEvent<Question>) => {
    const message = await answer(data).catch(
      (error): Answer => ({ kind: "failure", failure: toFailure(error) }),
    );
    if (data !== "next") return;
    port.postMessage(message, message.kind === "piece" ? [message.piece.buffer] : []);
  };
}

const END = { done: true, value: undefined } as const;

/** With memory of its own, which can be handed over. */
const owned = (piece: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(piece);

/** The pieces that the other side of `port` serves. Asks for one ahead, so that both sides work. */
export function remote(
  port: MessagePort,
  onNews: (news: News) => void = () => undefined,
): AsyncIterable<Uint8Array> {
  return { [Symbol.asyncIterator]: () => new Remote(port, onNews) };
}

class Remote implements AsyncIterator<Uint8Array> {
  readonly #port: MessagePort;
  #ahead: Promise<IteratorResult<Uint8Array>> | undefined;
  #take: (answer: Answer) => void = () => undefined;

  constructor(port: MessagePort, onNews: (news: News) => void) {
    this.#port = port;
    port.onmessage = ({ data }: MessageEvent<Answer>) =>
      data.kind === "news" ? onNews(data.news) : this.#take(data);
    port.postMessage("open" satisfies Question);
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    const result = await (this.#ahead ?? this.#ask());
    this.#ahead = result.done ? undefined : this.#ask();
    // The next question gets the error; if there is none, it does not matter.
    this.#ahead?.catch(() => undefined);
    return result;
  }

  async return(): Promise<IteratorResult<Uint8Array>> {
    this.#port.postMessage("return" satisfies Question);
    return END;
  }

  #ask(): Promise<IteratorResult<Uint8Array>> {
    return new Promise((resolve, reject) => {
      this.#take = (answer) => {
        if (answer.kind === "piece") resolve({ done: false, value: answer.piece });
        else if (answer.kind === "failure") reject(fromFailure(answer.failure));
        else resolve(END);
      };
      this.#port.postMessage("next" satisfies Question);
    });
  }
}
