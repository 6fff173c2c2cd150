// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Small readers that every parser here uses: exact reads that tell truncation from other errors, and a
// cursor over a packet body. Nothing here allocates ahead of the input.

import * as error from "./error.js";
import { concat } from "./octets.js";

/** A stream of octets in pieces of any size; none of them is changed by who reads it. */
export type Pieces = AsyncIterable<Uint8Array>;

/** Reads pieces as octets: as many at a time as a parser wants. */
export class Reader {
  readonly #source: AsyncIterator<Uint8Array>;
  #pieces: Uint8Array[] = [];
  #atHand = 0;
  #read = 0;
  #ended = false;

  constructor(source: Pieces) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Octets that were taken so far. */
  get position(): number {
    return this.#read - this.#atHand;
  }

  /** Reads until `n` octets are buffered, or the input ends; says how many are. */
  async fill(n: number): Promise<number> {
    while (this.#atHand < n && !this.#ended) {
      const { done, value } = await this.#source.next();
      if (done) {
        this.#ended = true;
      } else if (value.length > 0) {
        this.#pieces.push(value);
        this.#read += value.length;
        this.#atHand += value.length;
      }
    }
    return this.#atHand;
  }

  /** The next `n` octets, or all buffered ones if they are fewer. */
  take(n: number): Uint8Array {
    const first = this.#pieces[0];
    if (first === undefined || n <= 0) return new Uint8Array(0);
    if (first.length <= n && this.#pieces.length > 1) return this.#gather(n);
    const taken = first.subarray(0, n);
    this.#atHand -= taken.length;
    if (taken.length === first.length) this.#pieces.shift();
    else this.#pieces[0] = first.subarray(n);
    return taken;
  }

  /** Puts octets out of several pieces together. */
  #gather(n: number): Uint8Array {
    const all = new Uint8Array(Math.min(n, this.#atHand));
    let [at, used] = [0, 0];
    for (const piece of this.#pieces) {
      if (at + piece.length > all.length) break;
      all.set(piece, at);
      at += piece.length;
      used += 1;
    }
    this.#pieces = this.#pieces.slice(used);
    this.#atHand -= at;
    all.set(this.take(all.length - at), at);
    return all;
  }

  /** The next `n` octets, which stay buffered; fewer where there are fewer. */
  peek(n: number): Uint8Array {
    const taken = this.take(n);
    if (taken.length > 0) this.#pieces.unshift(taken);
    this.#atHand += taken.length;
    return taken;
  }

  /** At most `n` octets, all at once; fewer at the end of the input. */
  async upTo(n: number): Promise<Uint8Array> {
    await this.fill(n);
    return this.take(n);
  }

  /** Exactly `n` octets; an end of the input before that means the message ends in `what`. */
  async exact(n: number, what: string): Promise<Uint8Array> {
    if ((await this.fill(n)) < n) throw error.truncated(what);
    return this.take(n);
  }

  /** The next octet, or undefined at the end of the input. */
  async octet(): Promise<number | undefined> {
    await this.fill(1);
    return this.take(1)[0];
  }

  /** Some octets, at most `most`, as they come; undefined at the end of the input. */
  async piece(most: number): Promise<Uint8Array | undefined> {
    if ((await this.fill(1)) === 0) return undefined;
    return this.take(Math.min(most, this.#pieces[0]?.length ?? 0));
  }

  /** The next line with its end, of at most `most` octets; empty at the end of the input. */
  async line(most: number): Promise<Uint8Array> {
    let searched = 0;
    for (let end = -1; ; ) {
      end = this.#find(LINE_FEED, searched);
      if (end >= 0) return this.take(Math.min(end + 1, most));
      searched = this.#atHand;
      if (searched >= most || (await this.fill(searched + 1)) === searched) return this.take(most);
    }
  }

  /** The place of the octet from `from` on, among the buffered ones; -1 if it is not there. */
  #find(octet: number, from: number): number {
    let before = 0;
    for (const piece of this.#pieces) {
      const at =
        before + piece.length > from ? piece.indexOf(octet, Math.max(0, from - before)) : -1;
      if (at >= 0) return before + at;
      before += piece.length;
    }
    return -1;
  }

  /** The rest, as pieces. */
  async *rest(): AsyncGenerator<Uint8Array, void, undefined> {
    for (let piece = await this.piece(Infinity); piece; piece = await this.piece(Infinity)) {
      yield piece;
    }
  }

  /** Reads and forgets the rest. */
  async discard(): Promise<void> {
    while (await this.piece(Infinity));
  }
}

const LINE_FEED = 10;

/** The rest of a packet body, to parse. */
export class Fields {
  readonly #packet: number;
  #rest: Uint8Array;

  constructor(packet: number, body: Uint8Array) {
    this.#packet = packet;
    this.#rest = body;
  }

  malformed(problem: string): Error {
    return error.malformed(this.#packet, problem);
  }

  take(n: number): Uint8Array {
    if (n > this.#rest.length) throw this.malformed("it is too short");
    const head = this.#rest.slice(0, n);
    this.#rest = this.#rest.subarray(n);
    return head;
  }

  octet(): number {
    return this.take(1)[0] as number;
  }

  rest(): Uint8Array {
    return this.take(this.#rest.length);
  }

  get isEmpty(): boolean {
    return this.#rest.length === 0;
  }
}

/** A stream of pieces that are here already. */
export async function* pieces(...list: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* list;
}

/** All of a stream, where it is known to be small. */
export async function collect(stream: Pieces): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const piece of stream) all.push(piece);
  return concat(...all);
}
