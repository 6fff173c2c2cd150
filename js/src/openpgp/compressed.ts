// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Compressed data packets [RFC9580, 5.6], which GnuPG writes by default. Only read.

import { Inflate, Unzlib } from "fflate";
import { Packet } from "./algorithm.js";
import * as error from "./error.js";
import type { Pieces, Reader } from "./reader.js";

/** The most that may come out of a packet: this in any case, and beyond it MOST_TIMES its input. A
 * text never comes near, a disk full of zeros does. */
const FREE_BYTES = 2 ** 30;
const MOST_TIMES = 100;
/** The input of a decoder at a time; a thousand times that may come out at once. */
const PIECE_BYTES = 4096;

/** The packets inside the body of such a packet. `free` is for tests. */
export async function* expand(
  body: Reader,
  free = FREE_BYTES,
): AsyncGenerator<Uint8Array, void, undefined> {
  const algorithm = await body.octet();
  if (algorithm === undefined) throw error.truncated("the compressed data");
  const taken = { octets: 0 };
  let given = 0;
  for await (const piece of decoded(algorithm, counted(body, taken))) {
    given += piece.length;
    if ((given - free) / MOST_TIMES > taken.octets) throw error.bomb(MOST_TIMES);
    yield piece;
  }
}

function decoded(algorithm: number, input: Pieces): Pieces {
  switch (algorithm) {
    case 0:
      return input;
    case 1:
      return inflated(new Inflate(), input);
    case 2:
      return inflated(new Unzlib(), input);
    case 3:
      throw error.bzip2();
    default:
      throw error.compression(algorithm);
  }
}

async function* counted(body: Reader, taken: { octets: number }): AsyncGenerator<Uint8Array> {
  for (let piece = await body.piece(PIECE_BYTES); piece; piece = await body.piece(PIECE_BYTES)) {
    taken.octets += piece.length;
    yield piece;
  }
}

async function* inflated(decoder: Inflate | Unzlib, input: Pieces): AsyncGenerator<Uint8Array> {
  let ready: Uint8Array[] = [];
  decoder.ondata = (data) => ready.push(data);
  const push = (data: Uint8Array, final: boolean): Uint8Array[] => {
    ready = [];
    try {
      decoder.push(data, final);
    } catch {
      throw error.malformed(Packet.COMPRESSED, "its data cannot be expanded");
    }
    return ready;
  };
  for await (const piece of input) yield* push(piece, false);
  yield* push(new Uint8Array(0), true);
}
